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

mod builtin;
mod gate;
mod ledger;
mod placeholder;
mod report;
mod terms;

pub(crate) use gate::check_omissions;
pub use gate::{LostLine, Rejection};
pub use ledger::BulletOutcome;
pub(crate) use ledger::equal_bullets;
pub(crate) use placeholder::is_set_off;
pub use report::{BulletReport, CompactionReport};
pub(crate) use terms::Goal;
pub use terms::{Budget, CompactionRequest, RefusedCandidate};

use super::{Argument, Refusal, Request, RequestError, View};
use crate::document::{BulletRef, MemoryDoc, NodeRef, SectionRef, fence_open, heading};
use crate::edit::compose::rewrite_lines;
use crate::edit::{Draft, Edit, EditBuilder, Part, PartStatus, Promise, Warning, guard, named_lines};
use crate::locate::{Found, Leniency, Names};
use crate::text::{Content, Line, Span, Timestamp, excerpt, fold_name, is_blank, visible};

use builtin::{Compactor, compact, smallest_size};
use ledger::free_bullets;
use terms::{Kept, Terms};

/// The warning that the built-in compactor ignored the instructions: it cannot read them.
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
    purpose: Purpose,
}

/// The purpose of a rewrite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Purpose {
    /// The agent or the host asks for it.
    #[default]
    Asked,
    /// An edit has made the document too large. The spans that it wrote must stay.
    Overflow { written: Vec<Span>, goal: Goal },
}

impl Rewrite {
    /// Creates the request to compact the whole document.
    pub fn new(instructions: impl Into<Content>) -> Self {
        Self {
            instructions: instructions.into(),
            budget_tokens: None,
            section: None,
            candidate: None,
            may_drop: Vec::new(),
            is_of_shown: false,
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

    /// Creates the request to compact a document that `edit` has made too large. The text that the edit wrote must stay.
    pub(crate) fn on_overflow(edit: &Edit, goal: Goal) -> Self {
        // A bullet of which only the number was changed need not stay.
        let written = edit.splices_in_result().filter(|(splice, _)| splice.promise != Promise::Marker);
        let purpose = Purpose::Overflow { written: written.map(|(_, span)| span).collect(), goal };
        Self { purpose, ..Self::new("make room: the document has outgrown its limit") }
    }

    /// Returns the request to a host's compactor, for the document of the view.
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

    /// Checks an edit with a candidate that was merged with the changes of others: it must pass the gate on the current
    /// text too.
    pub(crate) fn check(&self, view: &View<'_>, edit: &Edit) -> Result<(), RequestError> {
        let kept = self.kept(view.doc);
        let (terms, _) = self.terms(view, self.goal(), &kept)?;
        Ok(accepted(&Draft::new(view.doc, edit), &terms).map_err(Refusal::from)?)
    }

    /// Returns the size that the new text is checked against: the budget of the call, else the soft limits; on overflow it
    /// may be the hard limits.
    fn goal(&self) -> Goal {
        match (self.budget_tokens, &self.purpose) {
            (Some(tokens), _) => Goal::Tokens(tokens),
            (None, Purpose::Overflow { goal, .. }) => *goal,
            (None, Purpose::Asked) => Goal::Soft,
        }
    }

    fn kept(&self, doc: &MemoryDoc) -> Kept {
        match &self.purpose {
            Purpose::Asked => Kept::default(),
            Purpose::Overflow { written, .. } => Kept::of(doc, written),
        }
    }

    /// Returns the terms on which a new text is accepted, and the leniencies for the names in the request.
    fn terms<'a>(&'a self, view: &View<'a>, goal: Goal, kept: &'a Kept) -> Result<(Terms<'a>, Vec<Leniency>), Refusal> {
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
        Ok((Terms { section, scope, may_drop: &self.may_drop, budget, kept, earlier, now }, healed))
    }

    /// Compacts the text with the built-in compactor. On overflow, only the steps that lose no live fact are made, and the
    /// budget does not count.
    fn compacted(&self, doc: &MemoryDoc, terms: &Terms<'_>) -> Result<Edit, Refusal> {
        let (compacted, terms) = match self.purpose {
            Purpose::Asked => (compact(doc, terms), *terms),
            Purpose::Overflow { .. } => {
                let cleaned = Compactor { old: doc, terms }.cleaned(doc.clone()).doc;
                (cleaned, Terms { budget: Budget::default(), ..*terms })
            }
        };
        let is_ignored = self.purpose == Purpose::Asked && !self.instructions.trim().is_empty();
        let status = if compacted == *doc { PartStatus::NoChange } else { PartStatus::Applied };
        let ignored = is_ignored.then(|| Warning::new("instructions_ignored", IGNORED));
        let staying = expired_warning(&compacted, terms.now, terms.scope_in(doc, &compacted));
        let staying = staying.filter(|_| self.purpose == Purpose::Asked);
        let part = Part::new(status).with_warnings(ignored.into_iter().chain(staying));
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
        let kept = self.kept(view.doc);
        let (terms, healed) = self.terms(view, self.goal(), &kept)?;
        let edit = match &self.candidate {
            Some(candidate) => Self::rewritten(view.doc, candidate, &terms)?,
            None => self.compacted(view.doc, &terms)?,
        };
        let parts = edit.parts().iter().cloned().map(|part| part.with_healed(healed.clone())).collect();
        Ok(edit.with_parts(parts))
    }
}

/// Returns a warning with the expired bullets that a compacted text still has.
fn expired_warning(doc: &MemoryDoc, now: Timestamp, scope: Span) -> Option<Warning> {
    let is_expired = |bullet: &BulletRef<'_>| scope.contains(bullet.line.start()) && bullet.is_expired(now);
    let lines: Vec<_> = free_bullets(doc).filter(is_expired).map(NodeRef::line_number).collect();
    let message = format!("expired, and still there: {}; pinned, or other lines need them", named_lines(&lines));
    (!lines.is_empty()).then(|| Warning::new("expired", message).about(lines))
}

/// Refuses a text that does not pass the gate. If budget and loss cannot both be met, the error has the smallest budget
/// that can.
fn accepted(draft: &Draft<'_>, terms: &Terms<'_>) -> Result<(), Rejection> {
    gate::check(draft, terms).map_err(|rejection| rejection.with_smallest(|| smallest_size(draft.old, terms)))
}

/// Reads the lines of a candidate for the whole document, or for one section, without a fence around them.
fn read_candidate<'t>(
    doc: &MemoryDoc,
    section: Option<SectionRef<'t>>,
    text: &'t str,
) -> Result<Found<Vec<&'t str>>, Refusal> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut lines: Vec<&str> = Line::all(text).map(|line| line.text.of(text)).collect();
    let mut healed = Vec::new();
    if let Some(inner) = without_fence(&lines).filter(|_| !begins_with_fence(doc, section)) {
        (lines, healed) = (inner.to_vec(), vec![Leniency::Envelope]);
    }
    let at = section.map_or_else(|| Ok(lines.clone()), |section| of_section(section, &lines))?;
    Ok(Found { at, healed })
}

/// Returns true if the document, or the section's body, begins with a fence of its own.
fn begins_with_fence(doc: &MemoryDoc, section: Option<SectionRef<'_>>) -> bool {
    let span = section.map_or_else(|| doc.span(), |section| section.body);
    let first = Line::all_within(doc.text(), span).map(|line| line.text.of(doc.text())).find(|line| !is_blank(line));
    first.is_some_and(|line| fence_open(line.trim()).is_some())
}

/// Returns lines without the blank ones at both ends.
fn trimmed<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let start = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !is_blank(line)).map_or(start, |last| last + 1);
    lines.get(start..end).unwrap_or_default()
}

/// Returns the lines inside of the fence around all lines; `None` if there is no such fence.
fn without_fence<'l, 't>(lines: &'l [&'t str]) -> Option<&'l [&'t str]> {
    let [first, inner @ .., last] = trimmed(lines) else { return None };
    let (first, last) = (first.trim(), last.trim());
    fence_open(first)?;
    let mark: String = first.chars().take_while(|c| matches!(c, '`' | '~')).collect();
    // A fence that ends before the last line belongs to the text.
    let mut open = 0_usize;
    for line in inner.iter().filter(|line| line.trim_start().starts_with(&mark)) {
        match (line.trim() == mark, open) {
            (true, 0) => return None,
            (true, _) => open -= 1,
            (false, _) => open += 1,
        }
    }
    (last == mark && open == 0).then_some(inner)
}

/// Reads the new text of one section, with or without its heading. The blank lines behind the section stay.
///
/// # Errors
///
/// The text has a heading of the section's level or a higher one, or repeats the section's heading on a deeper level.
fn of_section<'t>(section: SectionRef<'t>, lines: &[&'t str]) -> Result<Vec<&'t str>, Refusal> {
    let (text, title) = (section.doc().text(), fold_name(section.title()));
    let lines = trimmed(lines);
    let is_alike =
        |line: &&str| heading(line).is_some_and(|own| own.level == section.level && fold_name(own.title) == title);
    let is_own = lines.first().is_some_and(is_alike);
    let below = lines.get(usize::from(is_own)..).unwrap_or_default();
    // A blank line is put before the text, as it is not the top of the document: there, `---` would open front matter, and
    // could hide a heading.
    let read = MemoryDoc::with_rules(format!("\n{}", below.join("\n")), section.doc().rules().clone());
    let is_first = |own: &SectionRef<'_>| !is_own && own.line.start() == 1;
    let is_nested = |own: &SectionRef<'_>| is_first(own) && fold_name(own.title()) == title;
    if let Some(stray) = read.sections().find(|own| own.level <= section.level || is_nested(own)) {
        let found = format!("the heading `{}`", visible(&excerpt(stray.line_text().trim(), 80)));
        return Err(Refusal::invalid(Argument::Candidate, "the text of that section alone", found));
    }
    let there: Vec<&str> = Line::all_within(text, section.extent).map(|line| line.text.of(text)).collect();
    // A text without the heading keeps the blank lines that are below the heading now.
    let gap = there.iter().skip(1).take_while(|line| is_blank(line)).filter(|_| !is_own && !below.is_empty());
    let behind = there.iter().rev().take_while(|line| is_blank(line));
    let heading = section.line_text();
    Ok([&heading].into_iter().chain(gap).chain(below).chain(behind).copied().collect())
}
