//! The planner of a patch: locates each part in the document as it was seen, then composes one edit.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::anchor::HunkScope;
use super::search::{doubtful, full};
use super::write::{HunkPlan, LineEdit};
use super::{Hunk, HunkLine, LineOp};
use crate::document::{MemoryDoc, heading, is_marked};
use crate::edit::{Edit, EditBuilder, Overlap, Part, PartStatus, Promise, Warning};
use crate::locate::{DocLines, Found, Leniency, LocateError, Names, Scope, unescape};
use crate::request::section::{SectionOp, SectionWork};
use crate::request::{Failure, Refusal, RequestError, View};
use crate::text::{Line, Span, is_blank};

/// A line edit, with what decides its order among the edits at the same place.
struct PlannedEdit {
    part: usize,
    edit: LineEdit,
    promise: Promise,
    /// If it appends to a scope, the first line of that scope.
    appended_to: Option<usize>,
}

impl PlannedEdit {
    /// Returns the sort key of the edits at one place. Edits that begin with a heading come last. Before them come
    /// first the edits with context, then the appended ones, those of the innermost scope first.
    fn order(&self) -> impl Ord + use<> {
        let first = self.edit.texts.iter().find(|line| !is_blank(line));
        (first.is_some_and(|line| heading(line).is_some()), self.appended_to.map(Reverse))
    }
}

/// The plan of a patch, while its parts are located.
pub(super) struct Planner<'a> {
    pub(super) view: View<'a>,
    pub(super) doc: &'a MemoryDoc,
    pub(super) lines: DocLines<'a>,
    pub(super) names: Names<'a>,
    sections: SectionWork<'a>,
    parts: Vec<Part>,
    edits: Vec<PlannedEdit>,
    /// The text that each part rewrites, removes or moves away, and the places at which it inserts.
    changed: Vec<(usize, Span)>,
    /// The text that each part needs unchanged: its context, its anchor, the headings beside or below which it writes a
    /// section, or the lines that show that it is already applied.
    needed: Vec<(usize, Span)>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(view: &View<'a>) -> Self {
        let (view, doc) = (*view, view.doc);
        let (sections, parts, edits, changed, needed) = Default::default();
        Self { view, doc, lines: DocLines::new(doc), names: Names::new(doc), sections, parts, edits, changed, needed }
    }

    /// Locates a hunk, and plans its line edits.
    pub(super) fn hunk(&mut self, part: usize, hunk: &Hunk) -> Result<(), Refusal> {
        let Found { at: scope, healed } = self.scope(hunk)?;
        let mut written = self.plan_hunk(hunk, &scope);
        if let Err(Refusal::Locate(LocateError::NotFound { .. })) = &written
            && let Some(unescaped) = unescaped(hunk).filter(|_| self.doc.heals())
            && let Ok(mut plain) = self.plan_hunk(&unescaped, &scope)
        {
            plain.healed.push(Leniency::Escapes);
            written = Ok(plain);
        }
        let mut written = written?;
        let (is_appended, start) = (written.needed.is_empty(), scope.lines.start);
        if !scope.is_document() {
            written.needed.push(start..start + 1);
        }
        let promise = match scope.part {
            Scope::Section(_) | Scope::Block(_) | Scope::Label(_) | Scope::Bullet(_) => Promise::Below(start),
            _ => Promise::Lines,
        };
        for edit in written.edits {
            let appended_to = (is_appended && edit.lines.is_empty()).then_some(start);
            self.changed.push((part, self.lines.span(&edit.lines)));
            self.edits.push(PlannedEdit { part, edit, promise, appended_to });
        }
        self.needed.extend(written.needed.iter().map(|lines| (part, self.lines.span(lines))));
        let ignored = "line numbers were ignored; places are found by their text";
        let warnings = hunk.has_line_numbers.then(|| Warning::new("line_numbers_ignored", ignored));
        let healed = [healed, written.healed].concat();
        self.parts.push(Part::new(written.status).with_healed(healed).with_warnings(warnings));
        Ok(())
    }

    /// Plans a hunk in its scope: returns its line edits, or the reason why nothing is to be written.
    fn plan_hunk(&self, hunk: &Hunk, scope: &HunkScope<'a>) -> Result<HunkPlan, Refusal> {
        let is_idle = |line: &HunkLine| {
            is_blank(&line.text) && (line.op == LineOp::Context || line.op == LineOp::Add && !hunk.is_at_end_of_file)
        };
        if hunk.lines.iter().all(is_idle) {
            return Ok(HunkPlan::nothing(PartStatus::NoChange, Vec::new()));
        }
        let has = |op| hunk.lines.iter().any(|line| line.op == op);
        let found = if !has(LineOp::Context) && !has(LineOp::Delete) {
            vec![self.append(hunk, scope)?]
        } else if let Some(found) = self.search(hunk, scope)? {
            vec![found]
        } else if let Some(stands) = self.applied_lines(hunk, scope) {
            return Ok(HunkPlan::nothing(PartStatus::AlreadyApplied, vec![stands]));
        } else if let Some(found) = self.find_apart(hunk, scope) {
            found
        } else if self.doc.heals() && looks_doubtful(hunk) {
            return Err(doubtful(hunk).into());
        } else {
            return Err(self.not_found(hunk, scope));
        };
        let mut written = HunkPlan::nothing(PartStatus::Applied, Vec::new());
        for found in &found {
            self.write(hunk, found, &mut written)?;
        }
        if has(LineOp::Add)
            && !has(LineOp::Delete)
            && let Some(stands) = self.inserted_lines(scope, &written)
        {
            return Ok(HunkPlan::nothing(PartStatus::AlreadyApplied, vec![hull(&[stands, written.needed].concat())]));
        }
        // Lines that would be written unchanged are not written: they count as context.
        let is_same = |edit: &mut LineEdit| self.lines.texts(edit.lines.clone()).eq(&edit.texts);
        written.needed.extend(written.edits.extract_if(.., is_same).map(|edit| edit.lines));
        if written.edits.is_empty() {
            return Ok(HunkPlan::nothing(PartStatus::NoChange, written.needed));
        }
        Ok(written)
    }

    /// Resolves a section operation, and records what it changes and what it needs unchanged.
    pub(super) fn section(&mut self, part: usize, op: &SectionOp) -> Result<(), Refusal> {
        let resolved = self.sections.resolve(op, &self.names)?;
        self.parts.push(resolved.part());
        self.changed.extend(resolved.changed().map(|span| (part, span)));
        // Each line is needed by itself, so that other parts may insert between the lines.
        let needed = resolved.needed.into_iter().flat_map(|span| Line::all_within(self.doc.text(), span));
        self.needed.extend(needed.map(|line| (part, line.full)));
        self.sections.push(part, resolved.step);
        Ok(())
    }

    /// Returns a failure for each part that changes text which another part changes or needs unchanged.
    pub(super) fn overlaps(&mut self) -> impl Iterator<Item = Failure> + use<> {
        self.changed.sort_by_key(|(_, span)| (span.start(), span.end()));
        let mut overlaps = BTreeMap::new();
        for (part, span) in self.changed.iter().chain(&self.needed) {
            let behind = self.changed.partition_point(|(_, changed)| changed.end() <= span.start());
            let mut near = self.changed.iter().skip(behind).take_while(|(_, changed)| changed.start() < span.end());
            if let Some((other, _)) = near.find(|(other, _)| other != part) {
                let (first, second) = (*part.min(other), *part.max(other));
                overlaps.entry((first, second)).or_insert(Overlap { first, second, span: *span });
            }
        }
        overlaps.into_values().map(|overlap| Failure::new(overlap.first, overlap))
    }

    /// Composes the edit.
    pub(super) fn finish(mut self, healed: &[Leniency]) -> Result<Edit, RequestError> {
        if let Some(first) = self.parts.first_mut() {
            first.healed.extend(healed);
        }
        let mut edit = EditBuilder::new(self.doc);
        self.edits.sort_by_key(PlannedEdit::order);
        for PlannedEdit { part, edit: LineEdit { lines, texts }, promise, .. } in &self.edits {
            edit.for_part(*part).replace_lines(self.doc, lines, texts, *promise);
        }
        Ok(self.sections.finish(self.doc, edit)?.with_parts(self.parts))
    }
}

/// Returns the smallest range that covers all of these.
fn hull(ranges: &[Range<usize>]) -> Range<usize> {
    let start = ranges.iter().map(|lines| lines.start).min().unwrap_or_default();
    start..ranges.iter().map(|lines| lines.end).max().unwrap_or_default()
}

/// Returns the hunk with its escapes resolved; `None` if it has none, or if one stands for a line break.
fn unescaped(hunk: &Hunk) -> Option<Hunk> {
    let lines = hunk.lines_with(|line| Some(unescape(&line.text).into_owned().into()));
    let is_plain = lines != hunk.lines && !lines.iter().any(|line| line.text.contains('\n'));
    is_plain.then(|| Hunk { lines, ..hunk.clone() })
}

/// Returns true if a `-` line may be a bullet sent as context without the leading space: it begins with `- ` and has no
/// other marker, while another `-` or `+` line has the marker of its bullet.
fn looks_doubtful(hunk: &Hunk) -> bool {
    let mut bare = full(&hunk.lines, LineOp::Delete).filter_map(|text| text.strip_prefix(' '));
    bare.any(|text| !is_marked(text))
        && hunk.lines.iter().any(|line| line.op != LineOp::Context && is_marked(&line.text))
}
