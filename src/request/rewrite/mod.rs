//! `rewrite_memory`: compacts a document, or one section of it. The new text is a *candidate* that somebody else wrote, or
//! it is made by the built-in compactor. Both must pass the gate.
//!
//! The library never calls a model. A candidate comes with the request, from the agent or from the host's compactor.
//! `memory/` asks the host's compactor, and asks it again if its answer is refused. Some choices:
//!
//! - A soft limit is for the whole document: a section may use what the rest leaves of it. A budget in the call is for the
//!   section alone. So is the share of bullets that may be gone.
//! - For the share of bytes that may be gone, a bullet counts its content, a line of prose or code its text, and a
//!   heading nothing.
//! - A fence around the whole candidate is removed (`envelope`), unless the old text begins with a fence itself.
//! - If an edit has made the document too large, each line that the edit wrote must stay, as often as the edit wrote it.
//! - An empty text is refused, even if no bullet would be lost. Lines of the front matter that are no slots must stay too,
//!   and so must the ID in a heading.

mod brief;
mod builtin;
mod candidate;
mod entries;
mod gate;
mod ledger;
mod pairs;
mod placeholder;
mod rejection;
mod report;
mod terms;

pub use brief::{CompactionRequest, RefusedCandidate};
pub(crate) use entries::equal_bullets;
pub(crate) use gate::check_omissions;
pub use ledger::BulletOutcome;
pub(crate) use placeholder::is_set_off;
pub(crate) use rejection::plural;
pub use rejection::{LostLine, Rejection};
pub use report::{BulletReport, CompactionReport};
pub use terms::Budget;
pub(crate) use terms::Goal;

use super::{Argument, Refusal, Request, RequestError, View};
use crate::document::MemoryDoc;
use crate::edit::compose::rewrite_lines;
use crate::edit::{Draft, Edit, EditBuilder, Part, PartStatus, Promise, Warning, guard};
use crate::locate::{Found, Names};
use crate::text::{Content, Span};

use builtin::{Compactor, compact, smallest_size};
use candidate::read_candidate;
use terms::{PinnedLines, Terms};

/// The warning that the built-in compactor ignored the instructions: it cannot read them.
const IGNORED: &str = "the built-in compactor cannot follow instructions: it dropped expired bullets, duplicates and, over the budget, the \
                       oldest bullets; to have more done, send the new text as `candidate`";

/// Compacts a document, or one section of it.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Request, Timestamp, View, request::Rewrite};
///
/// let doc = MemoryDoc::parse("## Facts\n- Lives in Denver\n- lives in  Denver\n- [expires: 2020-01-01] Has a cold\n");
/// let now = "2026-11-21T09:00:00Z".parse::<Timestamp>()?;
/// let edit = Rewrite::new("tidy up").plan(&View::current(&doc, now))?;
/// assert_eq!(doc.commit(&edit, Authority::Agent)?.doc.text(), "## Facts\n- Lives in Denver\n");
///
/// let refused = Rewrite::new("shorten").with_candidate("## Facts\n- (rest unchanged)\n").plan(&View::current(&doc, now));
/// assert_eq!(refused.unwrap_err().code(), "omission_placeholder");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewrite {
    /// The instructions to the agent or compactor that writes the new text.
    pub instructions: Content,
    /// How many tokens the new text may have. Default: the soft limits of the policy.
    pub budget_tokens: Option<usize>,
    /// The title or path of the section to rewrite. Default: the whole document.
    pub section: Option<Content>,
    /// The new text. Without one, the built-in compactor makes it.
    pub candidate: Option<Content>,
    /// The titles or paths of sections whose unpinned bullets may be dropped. They do not count as lost.
    pub may_drop: Vec<Content>,
    /// Whether the new text was written for the document as it was shown. If others have changed the document since, it is
    /// refused, not merged.
    pub(crate) is_of_shown: bool,
    trigger: Trigger,
}

/// What a rewrite is made for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Trigger {
    /// The agent or the host asks for it.
    #[default]
    Call,
    /// An edit has made the document too large. The spans that it wrote must stay.
    Overflow { written: Vec<Span>, goal: Goal },
}

impl Rewrite {
    /// Creates the request to compact the whole document.
    pub fn new(instructions: impl Into<Content>) -> Self {
        Self { instructions: instructions.into(), ..Self::default() }
    }

    /// Sets how many tokens the new text may have.
    #[must_use]
    pub const fn with_budget(mut self, tokens: usize) -> Self {
        self.budget_tokens = Some(tokens);
        self
    }

    /// Sets the new text.
    #[must_use]
    pub fn with_candidate(mut self, text: impl Into<Content>) -> Self {
        self.candidate = Some(text.into());
        self
    }

    /// Creates the request to compact a document that `edit` has made too large. The text that the edit wrote must stay.
    pub(crate) fn on_overflow(edit: &Edit, goal: Goal) -> Self {
        // A bullet of which only the number was changed need not stay.
        let written = edit.splices_in_result().filter(|(splice, _)| splice.promise != Promise::Marker);
        let trigger = Trigger::Overflow { written: written.map(|(_, span)| span).collect(), goal };
        Self { trigger, ..Self::new("make room: the document has outgrown its limit") }
    }

    /// Returns the request to a host's compactor, for the document of the view.
    ///
    /// # Errors
    ///
    /// The section is not found exactly once; the budget is 0.
    pub fn brief(&self, view: &View<'_>, refused: Option<RefusedCandidate>) -> Result<CompactionRequest, RequestError> {
        let terms = self.terms(view, self.budget_tokens.map_or(Goal::Soft, Goal::Tokens))?.at;
        let instructions = self.instructions.clone();
        Ok(CompactionRequest { instructions, refused, ..terms.brief(view.doc) })
    }

    /// Checks an edit with a candidate that was merged with the changes of others: it must pass the gate on the current
    /// text too.
    pub(crate) fn check(&self, view: &View<'_>, edit: &Edit) -> Result<(), RequestError> {
        let terms = self.terms(view, self.goal())?.at;
        Ok(accepted(&Draft::new(view.doc, edit), &terms)?)
    }

    /// Returns the size that the new text is checked against: the budget of the call, else the soft limits; on overflow it
    /// may be the hard limits.
    fn goal(&self) -> Goal {
        match (self.budget_tokens, &self.trigger) {
            (Some(tokens), _) => Goal::Tokens(tokens),
            (None, Trigger::Overflow { goal, .. }) => *goal,
            (None, Trigger::Call) => Goal::Soft,
        }
    }

    /// Returns the terms on which a new text is accepted, and the leniencies for the names in the request.
    fn terms<'a>(&'a self, view: &View<'a>, goal: Goal) -> Result<Found<Terms<'a>>, Refusal> {
        let (doc, now) = (view.doc, view.now);
        if self.budget_tokens == Some(0) {
            return Err(Refusal::invalid(Argument::Budget, "1 or more", "0"));
        }
        let mut healed = Vec::new();
        for name in &self.may_drop {
            healed.extend(Names::new(doc).section(name, doc.span())?.healed);
        }
        let section = self.section.as_ref().map(|name| Names::new(doc).section(name, doc.span())).transpose()?;
        healed.extend(section.iter().flat_map(|found| &found.healed).copied());
        let section = section.map(|found| found.at);
        let scope = section.map_or_else(|| doc.span(), |section| section.extent);
        let (budget, earlier) = (goal.budget(doc, scope), view.earlier);
        let pinned = match &self.trigger {
            Trigger::Call => PinnedLines::default(),
            Trigger::Overflow { written, .. } => PinnedLines::of(doc, written),
        };
        Ok(Found { at: Terms { section, scope, may_drop: &self.may_drop, budget, pinned, earlier, now }, healed })
    }

    /// Compacts the text with the built-in compactor. On overflow, only the steps that lose no live fact are made, and the
    /// budget does not count.
    fn compacted(&self, doc: &MemoryDoc, terms: &Terms<'_>) -> Result<Edit, Refusal> {
        let (compacted, terms) = match self.trigger {
            Trigger::Call => (compact(doc, terms), terms.clone()),
            Trigger::Overflow { .. } => {
                let cleaned = Compactor { old: doc, terms }.cleaned(doc.clone()).doc;
                (cleaned, Terms { budget: Budget::default(), ..terms.clone() })
            }
        };
        let is_ignored = self.trigger == Trigger::Call && !self.instructions.trim().is_empty();
        let status = if compacted == *doc { PartStatus::NoChange } else { PartStatus::Applied };
        let ignored = is_ignored.then(|| Warning::new("instructions_ignored", IGNORED));
        let part = Part::new(status).with_warnings(ignored);
        let edit = Edit::between(doc, &compacted).with_parts(vec![part]);
        accepted(&Draft::between(doc, &edit, compacted), &terms)?;
        Ok(edit)
    }

    /// Replaces the text by the candidate.
    fn rewritten<'t>(doc: &'t MemoryDoc, candidate: &'t str, terms: &Terms<'t>) -> Result<Edit, Refusal> {
        let Found { at: lines, healed } = read_candidate(doc, terms.section, candidate)?;
        let mut edit = EditBuilder::new(doc);
        rewrite_lines(doc, doc.without_bom(terms.scope), &lines, &mut edit);
        let edit = edit.finish()?;
        let status = if edit.splices().is_empty() { PartStatus::NoChange } else { PartStatus::Applied };
        let edit = edit.with_parts(vec![Part::new(status).with_healed(healed)]);
        let draft = Draft::new(doc, &edit);
        accepted(&draft, terms)?;
        guard::check_prose(&draft)?;
        match candidate.trim().is_empty() && !edit.splices().is_empty() {
            true => Err(Refusal::invalid(Argument::Candidate, "the whole new text, and nothing else", "nothing")),
            false => Ok(edit),
        }
    }
}

impl Request for Rewrite {
    fn as_rewrite(&self) -> Option<&Rewrite> {
        Some(self)
    }

    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let Found { at: terms, healed } = self.terms(view, self.goal())?;
        let edit = match &self.candidate {
            Some(candidate) => Self::rewritten(view.doc, candidate, &terms)?,
            None => self.compacted(view.doc, &terms)?,
        };
        let parts = edit.parts().iter().cloned().map(|part| part.with_healed(healed.clone())).collect();
        Ok(edit.with_parts(parts))
    }
}

/// Refuses a text that does not pass the gate. If budget and loss cannot both be met, the error has the smallest budget
/// that can.
fn accepted(draft: &Draft<'_>, terms: &Terms<'_>) -> Result<(), Rejection> {
    gate::check(draft, terms).map_err(|rejection| rejection.with_smallest(|| smallest_size(draft.old, terms)))
}
