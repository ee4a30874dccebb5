//! `rewrite_memory`: a document, or one section, is compacted: by a text that somebody else wrote and that passes the gate, or by
//! the built-in compactor, which passes it too.
//!
//! The library never calls a model. A candidate comes with the request, from the agent or from the host's hook; asking the
//! hook, and asking it again, is the business of `memory/`. Some choices:
//!
//! - Of a soft limit of the whole document, one section may take what the others leave. A budget that the call names counts
//!   the section alone, as does the share of its bullets that may be gone.
//! - What a bullet's bytes are is its content, a line of prose or code counts what stands on it, headings count nothing.
//! - A fence around the whole candidate is taken away (`envelope`), unless the old text begins with one itself.
//! - Of the lines that an edit which outgrew the limit has just written as many stay as it wrote.
//! - An empty text is refused, even where no bullet would be lost with it. Lines of the front matter that are no slots must stay
//!   too, as must the ID in a heading.

mod builtin;
mod candidate;
mod gate;
mod ledger;
mod placeholder;
mod terms;

pub use gate::{LostLine, Rejection};
pub(crate) use ledger::equal_bullets;
pub use ledger::{BulletOutcome, BulletReport, CompactionReport};
pub use terms::{Budget, CompactionRequest, RefusedCandidate};

use super::{Argument, Refusal, Request, RequestError, View};
use crate::document::MemoryDoc;
use crate::edit::compose::rewrite_lines;
use crate::edit::{Draft, Edit, EditBuilder, Part, PartStatus, Promise, Splice, Warning};
use crate::locate::{Leniency, section_by_name};
use crate::text::{Content, Span};

use builtin::{Compactor, compact, smallest_size};
use candidate::Candidate;
use terms::{Goal, Kept, Terms};

/// The warning of the built-in compactor, which cannot read instructions.
const IGNORED: &str = "the built-in compactor cannot follow instructions: it dropped what had expired, duplicates and, over the budget, \
                       the oldest bullets; to have more done, send the new text as `candidate`";

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
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewrite {
    /// What is asked for, for whoever writes the new text.
    pub instructions: Content,
    /// How many tokens the new text may have. Default: the soft limits of the policy.
    pub budget_tokens: Option<usize>,
    /// The title or path of the section to rewrite. Default: the whole document.
    pub section: Option<Content>,
    /// The new text. Without one, the built-in compactor makes it.
    pub candidate: Option<Content>,
    /// The titles or paths of sections whose unpinned bullets may go without being counted as lost.
    pub may_drop: Vec<Content>,
    purpose: Purpose,
}

/// What a rewrite is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Purpose {
    /// Somebody asks for it.
    #[default]
    Asked,
    /// An edit has made the document too large, and what it wrote, under these spans, must stay.
    Overflow { written: Vec<Span>, reach: Reach },
}

/// How far a compaction on overflow must reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Below the soft limits.
    Soft,
    /// Below the soft limits, or else at least below the hard ones.
    Hard,
}

impl Rewrite {
    /// Asks for a compaction of the whole document.
    pub fn new(instructions: impl Into<Content>) -> Self {
        Self {
            instructions: instructions.into(),
            budget_tokens: None,
            section: None,
            candidate: None,
            may_drop: Vec::new(),
            purpose: Purpose::Asked,
        }
    }

    /// Sets how many tokens the new text may have.
    #[must_use]
    pub const fn with_budget(mut self, tokens: usize) -> Self {
        self.budget_tokens = Some(tokens);
        self
    }

    /// Rewrites one section only, by title or path.
    #[must_use]
    pub fn in_section(mut self, section: impl Into<Content>) -> Self {
        self.section = Some(section.into());
        self
    }

    /// Sets the new text.
    #[must_use]
    pub fn with_candidate(mut self, text: impl Into<Content>) -> Self {
        self.candidate = Some(text.into());
        self
    }

    /// Asks for a compaction of a document that `edit` has made too large; what it wrote must stay.
    pub(crate) fn on_overflow(edit: &Edit, reach: Reach) -> Self {
        // A marker that was only renumbered is no reason to keep what stands behind it.
        let is_text = |(_, splice): &(Span, &Splice)| splice.promise != Promise::Marker;
        let written = edit.result_spans().into_iter().zip(edit.splices()).filter(is_text);
        let purpose = Purpose::Overflow { written: written.map(|(span, _)| span).collect(), reach };
        Self { purpose, ..Self::new("make room: the document has outgrown its limit") }
    }

    /// Returns what a host's compactor is told, in a view of the document as it stands.
    ///
    /// # Errors
    ///
    /// The section is not found exactly once; the budget is 0.
    pub fn brief(&self, view: &View<'_>, refused: Option<RefusedCandidate>) -> Result<CompactionRequest, RequestError> {
        let kept = self.kept(view.doc);
        let (terms, _) = self.terms(view, self.budget_tokens.map_or(Goal::Soft, Goal::Tokens), &kept)?;
        let instructions = self.instructions.clone();
        Ok(CompactionRequest { instructions, refused, ..terms.brief(view.doc) })
    }

    fn kept(&self, doc: &MemoryDoc) -> Kept {
        match &self.purpose {
            Purpose::Asked => Kept::default(),
            Purpose::Overflow { written, .. } => Kept::of(doc, written),
        }
    }

    /// Returns the terms on which a new text is accepted, and how the names in the request were healed.
    fn terms<'a>(&'a self, view: &View<'a>, goal: Goal, kept: &'a Kept) -> Result<(Terms<'a>, Vec<Leniency>), Refusal> {
        let (doc, now) = (view.doc, view.now);
        if self.budget_tokens == Some(0) {
            return Err(Refusal::invalid(Argument::Budget, "1 or more", "0"));
        }
        let mut healed = Vec::new();
        for name in &self.may_drop {
            healed.extend(section_by_name(doc, name)?.healed);
        }
        let section = self.section.as_ref().map(|name| section_by_name(doc, name)).transpose()?;
        healed.extend(section.iter().flat_map(|found| &found.healed).copied());
        let section = section.map(|found| found.at);
        let scope = section.map_or_else(|| doc.span(), |section| section.extent);
        let (budget, earlier) = (goal.budget(doc, scope), view.earlier);
        Ok((Terms { section, scope, may_drop: &self.may_drop, budget, kept, earlier, now }, healed))
    }

    /// Compacts the text with the built-in steps: on overflow with those that lose no live fact, whatever the budget.
    fn compacted(&self, doc: &MemoryDoc, terms: &Terms<'_>) -> Result<Edit, Refusal> {
        let (compacted, terms) = match self.purpose {
            Purpose::Asked => (compact(doc, terms), *terms),
            Purpose::Overflow { .. } => {
                let cleaned = Compactor { old: doc, terms }.cleaned(doc.clone());
                (cleaned, Terms { budget: Budget::default(), ..*terms })
            }
        };
        let is_ignored = self.purpose == Purpose::Asked && !self.instructions.trim().is_empty();
        let status = if compacted == *doc { PartStatus::NoChange } else { PartStatus::Applied };
        let part = Part::new(status).with_warnings(is_ignored.then(|| Warning::new("instructions_ignored", IGNORED)));
        let edit = Edit::between(doc, &compacted).with_parts(vec![part]);
        accepted(&Draft::between(doc, &edit, compacted), &terms)?;
        Ok(edit)
    }

    /// Writes the candidate in the place of the text.
    fn rewritten(doc: &MemoryDoc, candidate: &str, terms: &Terms<'_>) -> Result<Edit, Refusal> {
        let Candidate { lines, healed } = Candidate::read(doc, terms.section, candidate)?;
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let mut edit = EditBuilder::new(doc);
        rewrite_lines(doc, terms.scope, &lines, &mut edit);
        let edit = edit.finish()?;
        let status = if edit.splices().is_empty() { PartStatus::NoChange } else { PartStatus::Applied };
        let edit = edit.with_parts(vec![Part::new(status).with_healed(healed)]);
        accepted(&Draft::new(doc, &edit), terms)?;
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
        let kept = self.kept(view.doc);
        // A compactor is asked for the soft limit; on overflow the hard one will do.
        let goal = match (self.budget_tokens, &self.purpose) {
            (Some(tokens), _) => Goal::Tokens(tokens),
            (None, Purpose::Overflow { reach: Reach::Hard, .. }) => Goal::Hard,
            (None, _) => Goal::Soft,
        };
        let (terms, healed) = self.terms(view, goal, &kept)?;
        let edit = match &self.candidate {
            Some(candidate) => Self::rewritten(view.doc, candidate, &terms)?,
            None => self.compacted(view.doc, &terms)?,
        };
        let parts = edit.parts().iter().cloned().map(|part| part.with_healed(healed.clone())).collect();
        Ok(edit.with_parts(parts))
    }
}

/// Refuses a text that the gate does not accept. Where budget and loss cannot both be met, it names the smallest budget that can.
fn accepted(draft: &Draft<'_>, terms: &Terms<'_>) -> Result<(), Rejection> {
    gate::check(draft, terms).map_err(|rejection| rejection.with_smallest(|| smallest_size(draft.old, terms)))
}
