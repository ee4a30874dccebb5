//! Where the lines of one hunk stand, or whether it is applied already.
//!
//! The `-` lines of a hunk are read alike, all of them: as whole lines, or, where none of them is one, as whole lines behind a
//! space or as what follows the markers of bullets. So a bullet that was written without an operator beside lines that have
//! one is never taken for a deletion.

use std::ops::Range;

use super::super::Refusal;
use super::error::unprefixed;
use super::hunk_applied::Insertion;
use super::offers::works;
use super::planner::Planner;
use super::{Hunk, HunkLine, LineOp};
use crate::locate::{
    Diagnostic, Fix, Found, LineForm, LineSearch, LocateError, Reason, Run, RunPlace, Rung, Rungs, Scope, Varies,
    behind_space, is_bullet_line,
};
use crate::text::is_blank;

/// What a hunk comes to.
pub(super) enum Outcome {
    /// What it asks for is there, on these lines.
    AlreadyApplied { lines: Range<usize>, healed: Vec<Rung> },
    /// Its lines go to the end of its scope.
    Append,
    /// Its lines stand in the document.
    Change(RunPlace),
}

pub(super) struct Matcher<'p, 'a> {
    pub(super) planner: &'p Planner<'a>,
    pub(super) hunk: &'p Hunk,
    pub(super) scope: &'p Found<Scope<'a>>,
}

impl<'p, 'a> Matcher<'p, 'a> {
    pub(super) fn outcome(&self) -> Result<Outcome, Refusal> {
        if self.hunk.old_lines().next().is_none() {
            return Ok(Outcome::Append);
        }
        let ladder = || Rungs::ladder_of_lines(self.planner.doc);
        // Without lines that go, what stands there afterwards tells whether the hunk has been applied.
        if !self.hunk.has(LineOp::Delete)
            && let Some(place) = self.already_applied(std::iter::once(Rungs::NONE))?
        {
            return Ok(self.applied_at(place));
        }
        let old = self.run(self.hunk.old_lines(), LineOp::Delete);
        let forms = self.forms()?;
        let found = old.find(&forms, ladder())?;
        if found.at.is_empty() {
            if self.hunk.has(LineOp::Add)
                && self.deleted_lines_are_gone()?
                && let Some(place) = self.already_applied(ladder())?
                && !self.are_said_beside(place)
            {
                return Ok(self.applied_at(place));
            }
            self.check_operators(&forms)?;
        }
        if !self.hunk.has(LineOp::Delete) {
            let insertion = Insertion { planner: self.planner, hunk: self.hunk, search: self.search() };
            if let Some((first, healed)) = insertion.already_there(&found.at)? {
                return Ok(self.applied(first..first + self.hunk.lines.len(), healed));
            }
        }
        let place = old.only(found, &|fix| self.works(fix))?;
        if self.begins_before_scope(place.first) {
            let help = Diagnostic { reasons: vec![Reason::BeforeScope], ..Diagnostic::default() };
            return Err(LocateError::not_found(old.target(), help).into());
        }
        Ok(Outcome::Change(place))
    }

    /// Refuses a hunk of context alone that stands nowhere in its scope, if the whole patch asks for nothing else.
    pub(super) fn check_context(&self) -> Result<(), Refusal> {
        let lines = &self.hunk.lines;
        let is_looked_for = self.planner.asks_nothing && lines.iter().all(|line| line.op == LineOp::Context);
        if !is_looked_for || lines.iter().all(|line| is_blank(&line.text)) {
            return Ok(());
        }
        let context = self.run(self.hunk.old_lines(), LineOp::Delete);
        let found = context.find(&[LineForm::Whole], Rungs::ladder_of_lines(self.planner.doc))?;
        if found.at.is_empty() {
            context.only(found, &|fix| self.works(fix))?;
        }
        Ok(())
    }

    /// Reports whether the hunk makes an edit if it is changed so.
    fn works(&self, fix: &Fix) -> bool {
        works(self.planner, self.hunk, fix)
    }

    fn search(&self) -> LineSearch<'p, 'a> {
        LineSearch { names: &self.planner.names, index: &self.planner.index, scope: self.scope.at }
    }

    /// Returns lines as they are looked for; those of `varying` may be in another form than as they stand.
    fn run(&self, lines: impl Iterator<Item = &'p HunkLine>, varying: LineOp) -> Run<'p, 'a> {
        let varies = |line: &HunkLine| if line.op == varying { Varies::Yes } else { Varies::No };
        let run = self.search().run(lines.map(|line| (line.text.as_str(), varies(line))));
        if self.hunk.is_at_end_of_file { run.ending_document() } else { run }
    }

    /// Returns how the hunk's `-` lines may be read: what is true of one must be true of all.
    fn forms(&self) -> Result<Vec<LineForm>, LocateError> {
        let mut forms = vec![LineForm::Whole];
        let may_be_other = Rungs::heal(self.planner.doc)
            && self.deleted().next().is_some()
            && self.deleted().all(|line| line.text.starts_with(' '))
            && !self.has_fewer_full_lines();
        if !may_be_other {
            return Ok(forms);
        }
        for line in self.deleted() {
            if self.stands_in_full(line)? {
                return Ok(forms);
            }
        }
        let others = [LineForm::Spaced, LineForm::Content];
        forms.extend(others.into_iter().filter(|form| self.deleted().all(|line| form.fits(&line.text))));
        Ok(forms)
    }

    /// Iterates over the lines that go and are not blank.
    fn deleted(&self) -> impl Iterator<Item = &'p HunkLine> + Clone {
        self.hunk.lines.iter().filter(|line| line.op == LineOp::Delete && !is_blank(&line.text))
    }

    /// Reports whether a line that goes stands in the scope as it is written, endings and punctuation aside.
    fn stands_in_full(&self, line: &HunkLine) -> Result<bool, LocateError> {
        let run = self.search().run(std::iter::once((line.text.as_str(), Varies::No)));
        run.stands([Rungs::NONE, Rungs::up_to(Rung::Punctuation)].into_iter())
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

    /// Refuses a bullet that was written without an operator beside lines that have one.
    fn check_operators(&self, forms: &[LineForm]) -> Result<(), Refusal> {
        if forms != [LineForm::Whole] || !Rungs::heal(self.planner.doc) {
            return Ok(());
        }
        for (line, number) in self.hunk.lines.iter().zip(self.hunk.first_line..) {
            let is_bare = line.op == LineOp::Delete && behind_space(&line.text).is_some();
            if is_bare && !self.stands_in_full(line)? {
                return Err(unprefixed(number, &line.text).into());
            }
        }
        Ok(())
    }

    /// Reports whether a hunk that stands at line `first` begins with lines which come before its scope.
    fn begins_before_scope(&self, first: usize) -> bool {
        let adds_first = self.hunk.lines.first().is_some_and(|line| line.op == LineOp::Add);
        let goes_first =
            self.hunk.lines.iter().find(|line| line.op != LineOp::Add).is_some_and(|line| line.op == LineOp::Delete);
        adds_first && !goes_first && self.scope.at != Scope::Document && self.search().range().start == first
    }

    /// Returns where the hunk's context and its `+` lines stand in the scope, on the first of `ladder` on which they do, if that is once.
    fn already_applied(&self, ladder: impl Iterator<Item = Rungs>) -> Result<Option<RunPlace>, LocateError> {
        if !self.hunk.has(LineOp::Add) {
            return Ok(None);
        }
        let new = self.run(self.hunk.new_lines(), LineOp::Add);
        let found = new.find(&new.forms(), ladder)?;
        let [only] = found.at.as_slice() else { return Ok(None) };
        Ok(Some(new.needed(*only)))
    }

    fn applied_at(&self, place: RunPlace) -> Outcome {
        self.applied(place.first..place.first + self.hunk.new_lines().count(), place.rungs.iter().collect())
    }

    fn applied(&self, lines: Range<usize>, healed: Vec<Rung>) -> Outcome {
        Outcome::AlreadyApplied { lines, healed: [self.scope.healed.clone(), healed].concat() }
    }

    /// Reports whether a bullet of the scope, besides those at `place`, says what a line that goes does, under other marks: then that
    /// line is not gone.
    fn are_said_beside(&self, place: RunPlace) -> bool {
        let (range, own) = (self.search().range(), place.first..place.first + self.hunk.new_lines().count());
        self.deleted().any(|line| self.planner.said.say(&line.text, &range, &own))
    }

    /// Reports whether no line that the hunk deletes stands in the scope, however it is read.
    fn deleted_lines_are_gone(&self) -> Result<bool, LocateError> {
        for line in self.deleted() {
            let run = self.search().run(std::iter::once((line.text.as_str(), Varies::Yes)));
            // What stands as it was sent need not stand unescaped.
            if run.stands(Rungs::ladder_of_lines(self.planner.doc))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
