//! Planning of one hunk: where its lines stand, whether it is applied already, and what it writes (SPEC §§ 7.1–7.4, 7.8).

use std::ops::Range;

use super::super::Refusal;
use super::planner::{Planner, settled};
use super::{Hunk, HunkLine, LineOp};
use crate::document::{Healing, bullet_start};
use crate::edit::compose::{adopt_marker, bullets_at, insert_lines, replacing_lines};
use crate::edit::{Part, PartStatus, Promise, Warning};
use crate::locate::{
    Diagnostic, Fix, Found, LineForm, LinesError, LocateError, Reason, Rung, Rungs, Scope, Sought, SoughtLine, as_read,
    closest, reads_as,
};
use crate::text::{Line, Lines, Span, is_blank};

/// Plans a hunk.
pub(super) fn plan(planner: &mut Planner<'_>, number: usize, hunk: &Hunk) -> Result<(), Refusal> {
    let warnings = if hunk.has_line_numbers { vec![Warning::LineNumbersIgnored] } else { Vec::new() };
    let with_warnings = |mut part: Part| {
        part.warnings = warnings;
        part
    };
    let scope = planner.scope(hunk)?;
    if hunk.is_nothing() {
        planner.begin(with_warnings(Part::new(PartStatus::NoChange)));
        return Ok(());
    }
    let matcher = Matcher { planner, hunk, scope: &scope };
    match matcher.outcome()? {
        Outcome::AlreadyApplied(healed) => planner.begin(with_warnings(settled(PartStatus::AlreadyApplied, healed))),
        Outcome::Append { at, lines, healed } => {
            planner.begin(with_warnings(Part::new(PartStatus::Applied).with_healed(healed)));
            if scope.at != Scope::Document {
                planner.append_to(number, scope.at.span(planner.doc));
            }
            insert_lines(&mut planner.edit, number, (planner.doc.text(), at), &lines, Promise::Lines);
        }
        Outcome::Change { first, rungs, healed } => {
            planner.begin(with_warnings(Part::new(PartStatus::Applied).with_healed(healed)));
            change(planner, number, hunk, (first, rungs))?;
        }
    }
    Ok(())
}

/// Reports whether a hunk without anchors changes the lines from `first` on, exactly as they stand, and no others.
pub(super) fn stands_once(planner: &Planner<'_>, hunk: &Hunk, first: usize) -> bool {
    let scope = Found { at: Scope::Document, healed: Vec::new() };
    match (Matcher { planner, hunk, scope: &scope }).outcome() {
        Ok(Outcome::Change { first: found, rungs: Rungs::NONE, .. }) => found == first,
        Ok(Outcome::Append { .. }) => hunk.is_at_end_of_file,
        _ => false,
    }
}

/// What a hunk comes to.
enum Outcome {
    /// What it asks for is there.
    AlreadyApplied(Vec<Rung>),
    /// Its lines go to the end of its scope.
    Append { at: usize, lines: Vec<String>, healed: Vec<Rung> },
    /// Its lines stand at line `first`, read on `rungs`.
    Change { first: usize, rungs: Rungs, healed: Vec<Rung> },
}

struct Matcher<'p, 'a> {
    planner: &'p Planner<'a>,
    hunk: &'p Hunk,
    scope: &'p Found<Scope>,
}

impl Matcher<'_, '_> {
    fn outcome(&self) -> Result<Outcome, Refusal> {
        if self.hunk.old_lines().next().is_none() {
            return self.append();
        }
        // Without lines that go, what stands there afterwards tells whether the hunk has been applied.
        if !self.hunk.has(LineOp::Delete)
            && let Some(healed) = self.already_applied(std::iter::once(Rungs::NONE))
        {
            return Ok(Outcome::AlreadyApplied(healed));
        }
        let sought = sought(self.hunk.old_lines());
        for rungs in self.planner.rungs() {
            match self.find(&sought, rungs) {
                Ok(first) if self.begins_before_scope(first) => return Err(self.outside(&sought)),
                Ok(first) => {
                    let index = &self.planner.index;
                    let needed = rungs.minimized(|fewer| index.stands_at(&sought, first, fewer) == Some(true));
                    let healed = self.scope.healed.iter().copied().chain(needed.iter()).collect();
                    return Ok(Outcome::Change { first, rungs: needed, healed });
                }
                Err(LinesError::Nowhere) => {}
                Err(LinesError::Several { first, count }) => return Err(self.ambiguous(&sought, &first, count)),
                Err(LinesError::TooCostly) => return Err(Refusal::TooCostly),
            }
        }
        if self.hunk.has(LineOp::Add)
            && self.deleted_lines_are_gone()
            && let Some(healed) = self.already_applied(self.planner.rungs())
        {
            return Ok(Outcome::AlreadyApplied(healed));
        }
        Err(self.not_found(&sought))
    }

    /// Reports whether a hunk that stands at line `first` begins with lines which come before its scope.
    fn begins_before_scope(&self, first: usize) -> bool {
        let adds_first = self.hunk.lines.first().is_some_and(|line| line.op == LineOp::Add);
        let goes_first =
            self.hunk.lines.iter().find(|line| line.op != LineOp::Add).is_some_and(|line| line.op == LineOp::Delete);
        adds_first && !goes_first && self.scope.at != Scope::Document && self.range().start == first
    }

    fn outside(&self, sought: &[SoughtLine<'_>]) -> Refusal {
        let help = Diagnostic { reasons: vec![Reason::BeforeScope], ..Diagnostic::default() };
        LocateError::NotFound { what: self.what(sought), help: Box::new(help) }.into()
    }

    fn range(&self) -> Range<usize> {
        self.planner.doc.lines().range(self.scope.at.span(self.planner.doc))
    }

    fn find(&self, sought: &[SoughtLine<'_>], rungs: Rungs) -> Result<usize, LinesError> {
        let mut range = self.range();
        if self.hunk.is_at_end_of_file {
            // The last line of the run is the document's last: there is one place to look at.
            let start = self.planner.doc.lines().len().checked_sub(sought.len()).ok_or(LinesError::Nowhere)?;
            if start < range.start || range.end != self.planner.doc.lines().len() {
                return Err(LinesError::Nowhere);
            }
            range.start = start;
        }
        self.planner.index.find(sought, &range, rungs)
    }

    /// Returns the first of `ladder` on which the hunk's context and its `+` lines stand in the scope, once.
    fn already_applied(&self, ladder: impl Iterator<Item = Rungs>) -> Option<Vec<Rung>> {
        if !self.hunk.has(LineOp::Add) {
            return None;
        }
        let after: Vec<_> = self.hunk.new_lines().map(|line| sought_line(line, LineForm::MayLackMarker)).collect();
        for rungs in ladder {
            match self.find(&after, rungs) {
                Ok(first) => {
                    let index = &self.planner.index;
                    let needed = rungs.minimized(|fewer| index.stands_at(&after, first, fewer) == Some(true));
                    return Some(self.scope.healed.iter().copied().chain(needed.iter()).collect());
                }
                Err(LinesError::Nowhere) => {}
                Err(_) => return None,
            }
        }
        None
    }

    /// Reports whether no line that the hunk deletes stands in the scope, however it is read.
    fn deleted_lines_are_gone(&self) -> bool {
        let deleted = self.hunk.lines.iter().filter(|line| line.op == LineOp::Delete && !is_blank(&line.text));
        let rungs = self.planner.rungs().last().unwrap_or_default();
        let range = self.range();
        let stands = |line: &HunkLine| {
            let sought = [sought_line(line, LineForm::MayLackMarker)];
            self.planner.index.find(&sought, &range, rungs) != Err(LinesError::Nowhere)
        };
        !deleted.into_iter().any(stands)
    }

    /// Plans a hunk of `+` lines alone.
    fn append(&self) -> Result<Outcome, Refusal> {
        let (doc, scope) = (self.planner.doc, self.scope.at);
        if scope == Scope::Document && !self.hunk.is_at_end_of_file {
            return Err(Refusal::NeedsAnchor);
        }
        let at = if self.hunk.is_at_end_of_file { doc.text().len() } else { self.planner.append_point(scope) };
        if !scope.span(doc).covers(Span::at(at)) {
            let sought = sought(self.hunk.lines.iter());
            return Err(self.not_found(&sought));
        }
        let (lines, bullet_form) = self.appended_lines(at);
        let mut healed = self.scope.healed.clone();
        healed.extend(bullet_form);
        if ends_scope(doc.text(), scope.span(doc), at, &lines) {
            return Ok(Outcome::AlreadyApplied(healed));
        }
        Ok(Outcome::Append { at, lines, healed })
    }

    /// Returns the lines that are written at `at`: as bullets of the list there, where none has a marker.
    fn appended_lines(&self, at: usize) -> (Vec<String>, Option<Rung>) {
        let doc = self.planner.doc;
        let written: Vec<String> = self.hunk.lines.iter().map(|line| line.text.clone()).collect();
        let body = |line: &str| {
            line.strip_prefix(' ').filter(|body| !body.is_empty() && !body.starts_with([' ', '\t'])).map(str::to_owned)
        };
        let has_marker = |line: &String| bullet_start(line).is_some();
        let prefixes = bullets_at(doc, self.scope.at, at).filter(|_| doc.policy().healing == Healing::Narrow);
        let (Some(prefixes), false) = (prefixes, written.iter().any(has_marker)) else { return (written, None) };
        if !written.iter().any(|line| body(line).is_some()) {
            return (written, None);
        }
        let mut nth = 0;
        let bullets = written.iter().map(|line| match body(line) {
            Some(body) => {
                nth += 1;
                format!("{}{body}", prefixes.nth(doc, nth))
            }
            None => line.clone(),
        });
        (bullets.collect(), Some(Rung::BulletMarker))
    }

    fn what(&self, sought: &[SoughtLine<'_>]) -> Sought {
        Sought::Lines(sought.iter().map(|line| line.text.to_owned()).collect())
    }

    fn ambiguous(&self, sought: &[SoughtLine<'_>], first: &[usize], count: usize) -> Refusal {
        let spans: Vec<_> = first.iter().map(|line| self.planner.index.span(&(*line..line + sought.len()))).collect();
        let mut error = self.planner.several(self.what(sought), &spans, count);
        if let LocateError::Ambiguous { help, .. } = &mut error {
            for (candidate, line) in help.candidates.iter_mut().zip(first) {
                if candidate.fix.is_none() {
                    candidate.fix = self.context_before(sought, *line);
                }
            }
        }
        error.into()
    }

    /// Returns the lines before `line` that make the run unique.
    fn context_before(&self, sought: &[SoughtLine<'_>], line: usize) -> Option<Fix> {
        let range = self.range();
        let index = &self.planner.index;
        (1..=4_usize).find_map(|more| {
            let first = line.checked_sub(more).filter(|first| *first >= range.start)?;
            let before: Vec<_> =
                (first..line).map(|line| SoughtLine { text: index.text(line), form: LineForm::Whole }).collect();
            let longer = [before, sought.to_vec()].concat();
            let is_unique = index.find(&longer, &range, Rungs::NONE) == Ok(first);
            is_unique.then(|| Fix::AddContext((first..line).map(|line| index.text(line).to_owned()).collect()))
        })
    }

    fn not_found(&self, sought: &[SoughtLine<'_>]) -> Refusal {
        let mut help = Diagnostic::default();
        if self.planner.may_help() {
            self.explain(sought, &mut help);
        }
        LocateError::NotFound { what: self.what(sought), help: Box::new(help) }.into()
    }

    fn explain(&self, sought: &[SoughtLine<'_>], help: &mut Diagnostic) {
        let (doc, index, range) = (self.planner.doc, &self.planner.index, self.range());
        let everywhere = 0..doc.lines().len();
        if let Ok(line) = index.find(sought, &everywhere, Rungs::NONE) {
            let start = doc.lines().start(line);
            if !range.contains(&line) {
                if let Some(reserved) = doc.reserved_section_at(start) {
                    help.reasons.push(Reason::Reserved(doc.section_name(reserved)));
                    return;
                }
                let section = doc.outline().section_at(start);
                help.reasons.push(Reason::OtherSection(section.map(|id| doc.section_name(id))));
                help.fix =
                    Some(section.and_then(|id| self.planner.names.unique(id)).map_or(Fix::DropScope, Fix::NameSection));
                return;
            }
            help.reasons.push(Reason::NotAtEnd(doc.line_number(start)));
            return;
        }
        // The first line that is not there tells most.
        let is_missing = |line: &&SoughtLine<'_>| {
            !is_blank(line.text) && index.find(&[**line], &range, Rungs::NONE) == Err(LinesError::Nowhere)
        };
        match sought.iter().find(is_missing) {
            Some(line) => {
                let bare = line.text.strip_prefix(' ').filter(|_| line.form == LineForm::MayLackMarker);
                help.closest = closest(doc, self.scope.at.span(doc), bare.unwrap_or(line.text));
            }
            None => help.reasons.push(Reason::NotAdjacent),
        }
    }
}

fn sought<'h>(lines: impl Iterator<Item = &'h HunkLine>) -> Vec<SoughtLine<'h>> {
    let form = |line: &HunkLine| if line.op == LineOp::Delete { LineForm::MayLackMarker } else { LineForm::Whole };
    lines.map(|line| sought_line(line, form(line))).collect()
}

fn sought_line(line: &HunkLine, form: LineForm) -> SoughtLine<'_> {
    let form = if line.op == LineOp::Context { LineForm::Whole } else { form };
    SoughtLine { text: &line.text, form }
}

/// Writes what a hunk changes where its lines stand from line `first` on.
fn change(
    planner: &mut Planner<'_>,
    number: usize,
    hunk: &Hunk,
    (first, rungs): (usize, Rungs),
) -> Result<(), Refusal> {
    let mut at = first;
    planner.edit.name(planner.index.span(&(first..first + hunk.old_lines().count())));
    for run in hunk.lines.chunk_by(|a, b| (a.op == LineOp::Context) == (b.op == LineOp::Context)) {
        if run.first().is_some_and(|line| line.op == LineOp::Context) {
            planner.context.extend((at..at + run.len()).map(|line| (line, number)));
            at += run.len();
            continue;
        }
        let deleted: Vec<_> = run.iter().filter(|line| line.op == LineOp::Delete).collect();
        let lines = at..at + deleted.len();
        let added = written(planner, run, &deleted, at, rungs);
        at = lines.end;
        if lines.is_empty() {
            let start = planner.doc.lines().start(lines.start);
            insert_lines(&mut planner.edit, number, (planner.doc.text(), start), &added, Promise::Lines);
        } else {
            let (text, table) = (planner.doc.text(), planner.doc.lines());
            let replaced: Vec<Line> = lines.clone().map(|line| table.line(text, line)).collect();
            let text = replacing_lines(text, &replaced, &added);
            planner.replace_lines(number, &lines, text)?;
        }
    }
    Ok(())
}

/// Returns the `+` lines of a run as they are written: read on the rungs that were needed, with the markers that they lack.
fn written(planner: &Planner<'_>, run: &[HunkLine], deleted: &[&HunkLine], first: usize, rungs: Rungs) -> Vec<String> {
    let mut lines = Vec::new();
    for (nth, line) in run.iter().filter(|line| line.op == LineOp::Add).enumerate() {
        let text = as_read(&line.text, rungs);
        let replaced = deleted.len().checked_sub(1).map(|last| nth.min(last));
        let Some((gone, place)) = replaced.and_then(|place| Some((deleted.get(place)?, first + place))) else {
            lines.extend(text.split('\n').map(str::to_owned));
            continue;
        };
        let there = planner.index.text(place);
        let sought = sought_line(gone, LineForm::MayLackMarker);
        let lacks_marker = rungs.has(Rung::BulletMarker) && !reads_as(sought, there, rungs.without(Rung::BulletMarker));
        if lacks_marker {
            lines.push(adopt_marker(there, text.strip_prefix(' ').unwrap_or(&text)));
        } else {
            lines.extend(text.split('\n').map(str::to_owned));
        }
    }
    lines
}

/// Reports whether `lines` stand before `at`, those of them that are blank at their end behind it.
fn ends_scope(text: &str, scope: Span, at: usize, lines: &[String]) -> bool {
    let blanks = lines.iter().rev().take_while(|line| is_blank(line)).count();
    let (above, below) = lines.split_at(lines.len() - blanks);
    let there = Lines::within(text, Span::new(at, scope.end().max(at))).map(|line| line.text.of(text));
    let stand_below = there.take(blanks).eq(below.iter().map(String::as_str));
    let scope = Span::new(scope.start(), at);
    ends_with(text, scope, lines) || (stand_below && ends_with(text, scope, above))
}

/// Reports whether the lines of `span` end in `lines`.
fn ends_with(text: &str, span: Span, lines: &[String]) -> bool {
    let mut end = span.end();
    for line in lines.iter().rev() {
        let Some(before) = end.checked_sub(1).filter(|before| *before >= span.start()) else { return false };
        let there = Line::holding(text, before);
        if there.text.of(text) != line {
            return false;
        }
        end = there.full.start();
    }
    true
}
