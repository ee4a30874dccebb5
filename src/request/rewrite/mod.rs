//! `rewrite_memory`: a document, or one section, is compacted: by a text that somebody else wrote and that passes the gate, or by
//! the built-in compactor, which passes it too.
//!
//! The library never calls a model. A candidate comes with the request, from the agent or from the host's hook; asking the
//! hook, and asking it again, is the business of `memory/`. Some choices:
//!
//! - A soft limit is one of the whole document: a section may take what the rest leaves of it. A budget that the call
//!   names is for the section alone, and so is the share of bullets that may be gone.
//! - For the share of bytes that may be gone, a bullet counts its content, a line of prose or code its text, and a
//!   heading nothing.
//! - A fence around the whole candidate is taken away (`envelope`), unless the old text begins with one itself.
//! - If an edit has outgrown the limit, each line that it wrote must stay, as often as the edit wrote it.
//! - An empty text is refused, even where no bullet would be lost with it. Lines of the front matter that are no slots must stay
//!   too, as must the ID in a heading.

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
    /// Whether the new text is of the document as it was shown: it is refused, not merged, if others changed that since.
    pub(crate) is_of_shown: bool,
    purpose: Purpose,
}

/// What a rewrite is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Purpose {
    /// Somebody asks for it.
    #[default]
    Asked,
    /// An edit has made the document too large, and what it wrote, under these spans, must stay.
    Overflow { written: Vec<Span>, goal: Goal },
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

    /// Asks for a compaction of a document that `edit` has made too large; what it wrote must stay.
    pub(crate) fn on_overflow(edit: &Edit, goal: Goal) -> Self {
        // A marker that was only renumbered is no reason to keep what stands behind it.
        let written = edit.splices_in_result().filter(|(splice, _)| splice.promise != Promise::Marker);
        let purpose = Purpose::Overflow { written: written.map(|(_, span)| span).collect(), goal };
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

    /// Refuses an edit that a candidate comes to after a merge, if it would not be accepted on the text as it stands.
    pub(crate) fn check(&self, view: &View<'_>, edit: &Edit) -> Result<(), RequestError> {
        let kept = self.kept(view.doc);
        let (terms, _) = self.terms(view, self.goal(), &kept)?;
        Ok(accepted(&Draft::new(view.doc, edit), &terms).map_err(Refusal::from)?)
    }

    /// Returns how large the text may be: a compactor is asked for the soft limit; on overflow the hard one may do.
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

    /// Returns the terms on which a new text is accepted, and how the names in the request were healed.
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

    /// Compacts the text with the built-in steps: on overflow with those that lose no live fact, whatever the budget.
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
        let staying = still_there(&compacted, terms.now, terms.scope_in(doc, &compacted));
        let staying = staying.filter(|_| self.purpose == Purpose::Asked);
        let part = Part::new(status).with_warnings(ignored.into_iter().chain(staying));
        let edit = Edit::between(doc, &compacted).with_parts(vec![part]);
        accepted(&Draft::between(doc, &edit, compacted), &terms)?;
        Ok(edit)
    }

    /// Writes the candidate in the place of the text.
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

/// Names the expired bullets that a compacted text still has.
fn still_there(doc: &MemoryDoc, now: Timestamp, scope: Span) -> Option<Warning> {
    let is_expired = |bullet: &BulletRef<'_>| scope.contains(bullet.line.start()) && bullet.is_expired(now);
    let lines: Vec<_> = free_bullets(doc).filter(is_expired).map(NodeRef::line_number).collect();
    let message = format!("expired, and still there: {}; pinned, or other lines need them", named_lines(&lines));
    (!lines.is_empty()).then(|| Warning::new("expired", message).about(lines))
}

/// Refuses a text that the gate does not accept. Where budget and loss cannot both be met, it names the smallest budget that can.
fn accepted(draft: &Draft<'_>, terms: &Terms<'_>) -> Result<(), Rejection> {
    gate::check(draft, terms).map_err(|rejection| rejection.with_smallest(|| smallest_size(draft.old, terms)))
}

/// Reads the lines of a candidate for the whole document, or for one section.
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

/// Returns true if the text that is to be replaced, or the section's body, begins with a fence of its own.
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

/// Returns what stands in the fence around all lines, if there is one around all.
fn without_fence<'l, 't>(lines: &'l [&'t str]) -> Option<&'l [&'t str]> {
    let [first, inner @ .., last] = trimmed(lines) else { return None };
    let (first, last) = (first.trim(), last.trim());
    fence_open(first)?;
    let mark: String = first.chars().take_while(|c| matches!(c, '`' | '~')).collect();
    // A fence that ends before the last line is one of the text's own.
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

/// Reads the text of one section, with its heading or without. The blank lines behind the section stay.
///
/// # Errors
///
/// The text holds another section of its level, or its heading on a deeper level, where that would stand below itself.
fn of_section<'t>(section: SectionRef<'t>, lines: &[&'t str]) -> Result<Vec<&'t str>, Refusal> {
    let (text, title) = (section.doc().text(), fold_name(section.title()));
    let lines = trimmed(lines);
    let is_alike =
        |line: &&str| heading(line).is_some_and(|own| own.level == section.level && fold_name(own.title) == title);
    let is_own = lines.first().is_some_and(is_alike);
    let below = lines.get(usize::from(is_own)..).unwrap_or_default();
    // Below a line, as it will stand: at the top of a text, `---` could open front matter, and hide a heading in it.
    let read = MemoryDoc::with_rules(format!("\n{}", below.join("\n")), section.doc().rules().clone());
    let is_first = |own: &SectionRef<'_>| !is_own && own.line.start() == 1;
    let is_nested = |own: &SectionRef<'_>| is_first(own) && fold_name(own.title()) == title;
    if let Some(stray) = read.sections().find(|own| own.level <= section.level || is_nested(own)) {
        let found = format!("the heading `{}`", visible(&excerpt(stray.line_text().trim(), 80)));
        return Err(Refusal::invalid(Argument::Candidate, "the text of that section alone", found));
    }
    let there: Vec<&str> = Line::all_within(text, section.extent).map(|line| line.text.of(text)).collect();
    // Without its heading, it stands as far below that as the text before.
    let gap = there.iter().skip(1).take_while(|line| is_blank(line)).filter(|_| !is_own && !below.is_empty());
    let behind = there.iter().rev().take_while(|line| is_blank(line));
    let heading = section.line_text();
    Ok([&heading].into_iter().chain(gap).chain(below).chain(behind).copied().collect())
}
