//! Where the lines of one hunk stand, or whether it is applied already.
//!
//! The `-` lines of a hunk are read alike, all of them: as whole lines, or, where none of them is one, as whole lines behind a
//! space or as what follows the markers of bullets. So a bullet that was written without an operator beside lines that have
//! one is never taken for a deletion.

use std::ops::Range;

use super::super::Refusal;
use super::parse::unprefixed;
use super::planner::Planner;
use super::{Hunk, HunkLine, LineOp};
use crate::document::Healing;
use crate::locate::{
    BulletLine, Diagnostic, Fix, Found, LineForm, LinesError, LocateError, Reason, Rung, Rungs, Scope, Sought,
    SoughtLine, closest, view_prefix,
};
use crate::text::is_blank;

/// What a hunk comes to.
pub(super) enum Outcome {
    /// What it asks for is there.
    AlreadyApplied(Vec<Rung>),
    /// Its lines go to the end of its scope.
    Append,
    /// Its lines stand in the document.
    Change(Place),
}

/// Where the lines of a hunk stand, and how they were read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) first: usize,
    pub(super) rungs: Rungs,
    pub(super) form: LineForm,
}

pub(super) struct Matcher<'p, 'a> {
    pub(super) planner: &'p Planner<'a>,
    pub(super) hunk: &'p Hunk,
    pub(super) scope: &'p Found<Scope>,
}

impl Matcher<'_, '_> {
    pub(super) fn outcome(&self) -> Result<Outcome, Refusal> {
        if self.hunk.old_lines().next().is_none() {
            return Ok(Outcome::Append);
        }
        // Without lines that go, what stands there afterwards tells whether the hunk has been applied.
        if !self.hunk.has(LineOp::Delete)
            && let Some(healed) = self.already_applied(std::iter::once(Rungs::NONE))
        {
            return Ok(Outcome::AlreadyApplied(healed));
        }
        let forms = self.forms();
        for rungs in self.planner.rungs() {
            let found = self.find_in_forms(&forms, rungs)?;
            match found.as_slice() {
                [] => {}
                [only] if self.begins_before_scope(only.first) => return Err(self.outside()),
                [only] => return Ok(Outcome::Change(self.minimized(*only))),
                several => return Err(self.ambiguous(several)),
            }
        }
        if self.hunk.has(LineOp::Add)
            && self.deleted_lines_are_gone()
            && let Some(healed) = self.already_applied(self.planner.rungs())
        {
            return Ok(Outcome::AlreadyApplied(healed));
        }
        Err(self.unprefixed(&forms).unwrap_or_else(|| self.not_found()))
    }

    /// Returns how the hunk's `-` lines may be read: what is true of one must be true of all.
    fn forms(&self) -> Vec<LineForm> {
        let mut forms = vec![LineForm::Whole];
        let heals = self.planner.doc.policy().healing == Healing::Narrow;
        let mut deleted = self.deleted();
        let may_be_other = heals
            && deleted.clone().next().is_some()
            && deleted.all(|line| line.text.starts_with(' '))
            && !self.deleted().any(|line| self.stands_in_full(line))
            && !self.has_fewer_full_lines();
        let others = [LineForm::Spaced, LineForm::Content].into_iter().filter(|_| may_be_other);
        forms.extend(others.filter(|form| self.deleted().all(|line| may_stand_for(&line.text, *form))));
        forms
    }

    /// Iterates over the lines that go and are not blank.
    fn deleted(&self) -> impl Iterator<Item = &HunkLine> + Clone {
        self.hunk.lines.iter().filter(|line| line.op == LineOp::Delete && !is_blank(&line.text))
    }

    /// Reports whether a line that goes stands in the scope as it is written, endings and punctuation aside.
    fn stands_in_full(&self, line: &HunkLine) -> bool {
        let sought = [SoughtLine { text: &line.text, form: LineForm::Whole }];
        let found = self.planner.index.find_all(&sought, &self.range(), Rungs::up_to(Rung::Punctuation));
        found.is_ok_and(|found| !found.is_empty())
    }

    /// Reports whether bullets come in full, and fewer than go: then those that go may have been meant to stay.
    fn has_fewer_full_lines(&self) -> bool {
        let runs = self.hunk.lines.chunk_by(|a, b| (a.op == LineOp::Context) == (b.op == LineOp::Context));
        let is_full =
            |line: &&HunkLine| line.op == LineOp::Add && !line.text.starts_with(' ') && is_bullet_line(&line.text);
        runs.into_iter().any(|run| {
            let count = |op| run.iter().filter(|line| line.op == op).count();
            run.iter().any(|line| is_full(&line)) && count(LineOp::Delete) > count(LineOp::Add)
        })
    }

    /// The error for a bullet that was written without an operator beside lines that have one.
    fn unprefixed(&self, forms: &[LineForm]) -> Option<Refusal> {
        let is_only_whole = forms == [LineForm::Whole] && self.planner.doc.policy().healing == Healing::Narrow;
        let is_bare = |line: &HunkLine| {
            let is_deleted = line.op == LineOp::Delete && behind_space(&line.text).is_some();
            is_deleted && !self.stands_in_full(line)
        };
        let nth = self.hunk.lines.iter().position(is_bare).filter(|_| is_only_whole)?;
        let line = self.hunk.lines.get(nth)?;
        Some(unprefixed(self.hunk.first_line + nth, &line.text).into())
    }

    /// Finds the places where the hunk's lines stand, in any of the forms.
    fn find_in_forms(&self, forms: &[LineForm], rungs: Rungs) -> Result<Vec<Place>, Refusal> {
        let mut found: Vec<Place> = Vec::new();
        for form in forms.iter().copied().filter(|form| *form == LineForm::Whole || rungs.has(Rung::BulletMarker)) {
            let sought = sought(self.hunk.old_lines(), LineOp::Delete, form);
            let starts = self.find(&sought, rungs).map_err(|_| Refusal::TooCostly)?;
            let is_new = |first: &usize| found.iter().all(|known| known.first != *first);
            let fits = |first: &usize| form != LineForm::Spaced || !self.is_set_in(*first, sought.len());
            let new: Vec<_> = starts.into_iter().filter(is_new).filter(fits).collect();
            found.extend(new.into_iter().map(|first| Place { first, rungs, form }));
        }
        Ok(found)
    }

    /// Reports whether a bullet beside these lines is indented by one space, so that a space before a line may be its own.
    fn is_set_in(&self, first: usize, count: usize) -> bool {
        let around = first.saturating_sub(1)..(first + count + 1).min(self.planner.doc.lines().len());
        around.into_iter().filter_map(|line| self.planner.index.bullet_line(line)).any(|line| line.indentation == " ")
    }

    /// Keeps of the rungs what the place needs.
    fn minimized(&self, place: Place) -> Place {
        let sought = sought(self.hunk.old_lines(), LineOp::Delete, place.form);
        let stands = |fewer| self.planner.index.stands_at(&sought, place.first, fewer) == Some(true);
        Place { rungs: place.rungs.minimized(stands), ..place }
    }

    /// Reports whether a hunk that stands at line `first` begins with lines which come before its scope.
    fn begins_before_scope(&self, first: usize) -> bool {
        let adds_first = self.hunk.lines.first().is_some_and(|line| line.op == LineOp::Add);
        let goes_first =
            self.hunk.lines.iter().find(|line| line.op != LineOp::Add).is_some_and(|line| line.op == LineOp::Delete);
        adds_first && !goes_first && self.scope.at != Scope::Document && self.range().start == first
    }

    fn outside(&self) -> Refusal {
        let help = Diagnostic { reasons: vec![Reason::BeforeScope], ..Diagnostic::default() };
        LocateError::NotFound { what: self.what(), help: Box::new(help) }.into()
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.planner.doc.lines().range(self.scope.at.span(self.planner.doc))
    }

    fn find(&self, sought: &[SoughtLine<'_>], rungs: Rungs) -> Result<Vec<usize>, LinesError> {
        let mut range = self.range();
        if self.hunk.is_at_end_of_file {
            // The last line of the run is the document's last: there is one place to look at.
            let count = self.planner.doc.lines().len();
            let Some(start) =
                count.checked_sub(sought.len()).filter(|start| *start >= range.start && range.end == count)
            else {
                return Ok(Vec::new());
            };
            range.start = start;
        }
        self.planner.index.find_all(sought, &range, rungs)
    }

    /// Returns the first of `ladder` on which the hunk's context and its `+` lines stand in the scope, once.
    fn already_applied(&self, ladder: impl Iterator<Item = Rungs>) -> Option<Vec<Rung>> {
        if !self.hunk.has(LineOp::Add) {
            return None;
        }
        let forms = possible_forms(self.hunk.new_lines(), LineOp::Add);
        for rungs in ladder {
            let mut found = Vec::new();
            for form in forms.iter().filter(|form| **form == LineForm::Whole || rungs.has(Rung::BulletMarker)) {
                let after = sought(self.hunk.new_lines(), LineOp::Add, *form);
                let starts = self.find(&after, rungs).ok()?;
                found.extend(starts.into_iter().map(|first| (first, after.clone())));
            }
            found.dedup_by_key(|(first, _)| *first);
            match found.as_slice() {
                [] => {}
                [(first, after)] => {
                    let index = &self.planner.index;
                    let needed = rungs.minimized(|fewer| index.stands_at(after, *first, fewer) == Some(true));
                    return Some(self.scope.healed.iter().copied().chain(needed.iter()).collect());
                }
                _ => return None,
            }
        }
        None
    }

    /// Reports whether no line that the hunk deletes stands in the scope, however it is read.
    fn deleted_lines_are_gone(&self) -> bool {
        let range = self.range();
        // What stands as it was sent need not stand unescaped.
        let stands = |line: &HunkLine, form| {
            let sought = sought(std::iter::once(line), LineOp::Delete, form);
            let mut ladder = self.planner.rungs();
            ladder.any(|rungs| self.planner.index.find(&sought, &range, rungs) != Err(LinesError::Nowhere))
        };
        let forms = possible_forms(self.hunk.lines.iter(), LineOp::Delete);
        !self.deleted().any(|line| forms.iter().any(|form| stands(line, *form)))
    }

    fn what(&self) -> Sought {
        Sought::Lines(self.hunk.old_lines().map(|line| line.text.clone()).collect())
    }

    fn ambiguous(&self, places: &[Place]) -> Refusal {
        let count = self.hunk.old_lines().count();
        let spans: Vec<_> =
            places.iter().map(|place| self.planner.index.span(&(place.first..place.first + count))).collect();
        let mut error = self.planner.several(self.what(), &spans, places.len());
        if let LocateError::Ambiguous { help, .. } = &mut error {
            for (candidate, place) in help.candidates.iter_mut().zip(places) {
                if candidate.fix.is_none() {
                    candidate.fix = self.context_before(place);
                }
            }
        }
        error.into()
    }

    /// Returns the lines before the place that make the run unique.
    fn context_before(&self, place: &Place) -> Option<Fix> {
        let (range, index) = (self.range(), &self.planner.index);
        let sought = sought(self.hunk.old_lines(), LineOp::Delete, place.form);
        (1..=4_usize).find_map(|more| {
            let first = place.first.checked_sub(more).filter(|first| *first >= range.start)?;
            let before = (first..place.first).map(|line| SoughtLine { text: index.text(line), form: LineForm::Whole });
            let longer: Vec<_> = before.chain(sought.iter().copied()).collect();
            let is_unique = index.find(&longer, &range, place.rungs) == Ok(first);
            is_unique.then(|| Fix::AddContext((first..place.first).map(|line| index.text(line).into()).collect()))
        })
    }

    fn not_found(&self) -> Refusal {
        let mut help = Diagnostic::default();
        if self.planner.may_help() {
            self.explain(&mut help);
        }
        LocateError::NotFound { what: self.what(), help: Box::new(help) }.into()
    }

    fn explain(&self, help: &mut Diagnostic) {
        let (doc, index, range) = (self.planner.doc, &self.planner.index, self.range());
        let sought = sought(self.hunk.old_lines(), LineOp::Delete, LineForm::Whole);
        let everywhere = 0..doc.lines().len();
        if let Ok(line) = index.find(&sought, &everywhere, Rungs::NONE) {
            let start = doc.lines().start(line);
            if range.contains(&line) {
                help.reasons.push(Reason::NotAtEnd(doc.line_number(start)));
                return;
            }
            if let Some(reserved) = doc.reserved_section_at(start) {
                help.reasons.push(Reason::Reserved(doc.section_name(reserved).into()));
                return;
            }
            let section = doc.outline().section_at(start);
            if !section
                .and_then(|id| doc.outline().section(id))
                .is_some_and(|own| own.extent.covers(self.scope.at.span(doc)))
            {
                help.reasons.push(Reason::OtherSection(section.map(|id| doc.section_name(id)).map(Into::into)));
            }
            help.fix = Some(
                section
                    .and_then(|id| self.planner.names.unique(id))
                    .map_or(Fix::DropScope, |name| Fix::NameSection(name.into())),
            );
            return;
        }
        // The first line that is not there tells most.
        let is_missing = |line: &&SoughtLine<'_>| {
            !is_blank(line.text) && index.find(&[**line], &range, Rungs::NONE) == Err(LinesError::Nowhere)
        };
        match sought.iter().find(is_missing) {
            Some(line) => {
                let bare = behind_space(line.text).unwrap_or(line.text);
                help.closest = closest(doc, self.scope.at.span(doc), bare);
            }
            None => help.reasons.push(Reason::NotAdjacent),
        }
    }
}

/// Returns lines as they are looked for: those of `op` that may stand for it in this form.
fn sought<'h>(lines: impl Iterator<Item = &'h HunkLine>, op: LineOp, form: LineForm) -> Vec<SoughtLine<'h>> {
    let form_of = |line: &HunkLine| match line.op == op && may_stand_for(&line.text, form) {
        true => form,
        false => LineForm::Whole,
    };
    lines.map(|line| SoughtLine { text: &line.text, form: form_of(line) }).collect()
}

/// Returns the forms in which lines of `op` can be looked for.
fn possible_forms<'h>(lines: impl Iterator<Item = &'h HunkLine> + Clone, op: LineOp) -> Vec<LineForm> {
    let may_stand = |form: &LineForm| lines.clone().any(|line| line.op == op && may_stand_for(&line.text, *form));
    let others = [LineForm::Spaced, LineForm::Content].into_iter().filter(may_stand);
    std::iter::once(LineForm::Whole).chain(others).collect()
}

/// Reports whether the text of a line may be meant in this form.
fn may_stand_for(text: &str, form: LineForm) -> bool {
    match form {
        LineForm::Whole => true,
        LineForm::Spaced => text.strip_prefix(' ').is_some_and(is_bullet_line),
        LineForm::Content => behind_space(text).is_some(),
    }
}

/// Returns what follows one space, and no more.
pub(super) fn behind_space(text: &str) -> Option<&str> {
    text.strip_prefix(' ').filter(|rest| !rest.is_empty() && !rest.starts_with([' ', '\t']))
}

/// Reports whether a text is the line of a bullet, as it stands or as a view shows it.
fn is_bullet_line(text: &str) -> bool {
    BulletLine::read(text).is_some() || view_prefix(text).is_some_and(|(_, rest)| BulletLine::read(rest).is_some())
}
