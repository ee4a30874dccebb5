//! Runs of whole lines: where lines stand that are to be found one after the other in a scope.

use std::collections::HashSet;
use std::ops::Range;

use super::closest::{Closest, closest, describe, likeness};
use super::diagnostic::{Ask, Diagnostic, LocateError};
use super::fix::{Fix, NodeKind};
use super::ladder::{Rung, Rungs, unescape};
use super::line_form::{LineForm, TargetLine};
use super::lines::LineIndex;
use super::marker::behind_space;
use super::matches::{COUNTED, Found, Matches};
use super::names::Names;
use super::reason::Reason;
use super::scope::Scope;
use super::target::Target;
use super::test::{BulletTest, bullet_by_tests};
use crate::document::{MemoryDoc, SectionRef, heading};
use crate::text::{Span, is_blank};

/// How many lines that differ are described.
const DESCRIBED: usize = 5;
/// How many lines are compared with those in their places.
const COMPARED: usize = 64;

/// Where lines are looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineSearch<'s, 'a> {
    pub(crate) names: &'s Names<'a>,
    pub(crate) index: &'s LineIndex<'a>,
    pub(crate) scope: Scope<'a>,
}

/// A run of lines that is looked for. Those in another form than as they stand are all in the same one.
#[derive(Clone, Debug)]
pub(crate) struct Run<'s, 'a> {
    search: LineSearch<'s, 'a>,
    /// The text of each, and whether it may be in another form.
    lines: Vec<(&'s str, Varies)>,
    /// Whether one of them reads otherwise with escapes.
    has_escapes: bool,
    /// Whether the last line is the document's last.
    ends_document: bool,
}

/// Whether a line may be in another form than as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Varies {
    Yes,
    No,
}

/// Where a run stands, and how its lines were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunPlace {
    /// The index of its first line.
    pub(crate) first: usize,
    pub(crate) rungs: Rungs,
    pub(crate) form: LineForm,
}

/// The lines in a place that differ from those sought there.
#[derive(Default)]
struct Unlike {
    count: usize,
    /// How like they are, in all.
    likeness: f32,
    first: Vec<Closest>,
}

impl<'s, 'a> LineSearch<'s, 'a> {
    /// Prepares to look for lines.
    pub(crate) fn run(self, lines: impl Iterator<Item = (&'s str, Varies)>) -> Run<'s, 'a> {
        let lines: Vec<_> = lines.collect();
        let has_escapes = lines.iter().any(|(text, _)| text.contains('\\') && unescape(text) != *text);
        Run { search: self, lines, has_escapes, ends_document: false }
    }

    /// Returns the lines of the scope, by index.
    pub(crate) fn range(&self) -> Range<usize> {
        let doc = self.doc();
        doc.line_range(self.scope.span(doc))
    }

    const fn doc(&self) -> &'a MemoryDoc {
        self.index.doc()
    }

    /// Finds the scope that the one line names which reads so.
    pub(crate) fn scope_of_line(self, text: &'s str) -> Result<Found<Scope<'a>>, LocateError> {
        let doc = self.doc();
        if let (Some(front), "---") = (doc.outline().front_matter(), text.trim_end()) {
            return Ok(Found::exactly(Scope::FrontMatter(front)));
        }
        let run = self.run(std::iter::once((text, Varies::No)));
        let found = run.find(&[LineForm::Whole], Rungs::ladder_of_lines(doc))?;
        let ask = Ask {
            doc,
            what: run.target(),
            span: &|place| run.span(place),
            fix: &|place, matches| choose(doc, run.span(place), matches),
            help: &|| match self.meant(text) {
                Some(fix) => Diagnostic { fix: Some(fix), ..Diagnostic::default() },
                None => Diagnostic { closest: self.closest(text), ..Diagnostic::default() },
            },
        };
        let place = run.needed(self.names.only(ask, found)?.at);
        let start = doc.line_start(place.first);
        if let Some(fix) = self.heading_meant(text).filter(|_| doc.outline().is_fenced(start)) {
            let help = Diagnostic { reasons: vec![Reason::Fenced], fix: Some(fix), ..Diagnostic::default() };
            return Err(LocateError::not_found(run.target(), help));
        }
        let scope = Scope::of_line(doc, start).clipped(doc, self.scope.span(doc));
        Ok(Found { at: scope, healed: place.rungs.iter().collect() })
    }

    /// Returns the lines of the scope that are most like one that was sought.
    fn closest(&self, sought: &str) -> Vec<Closest> {
        let near = closest(self.doc(), self.scope.span(self.doc()), sought).into_iter();
        near.map(|one| {
            let line = self.index.text(one.line - 1);
            one.for_line(sought, line)
        })
        .collect()
    }

    /// Returns the anchor that names a section which has the title that a heading says.
    fn heading_meant(&self, text: &str) -> Option<Fix> {
        let title = text.get(heading(text)?.title)?;
        let is_there = || self.names.section(title, self.doc().span()).is_ok();
        self.names.without_help(is_there).then(|| Fix::NameSection(title.into()))
    }

    /// Returns the anchor that was meant by a line which is not there: a section, label or block by its name, or a bullet by its content.
    fn meant(&self, text: &str) -> Option<Fix> {
        let text = text.trim();
        let keyworded = text.split_once(':').filter(|(word, _)| word.eq_ignore_ascii_case("section"));
        let name = keyworded.map_or(text, |(_, name)| name.trim());
        if self.names.scope(NodeKind::Section, name, self.doc().span()).is_ok() {
            return Some(Fix::NameSection(name.into()));
        }
        let bullets: Vec<_> = self.doc().bullets().collect();
        let test = BulletTest::Equals(text.into());
        let found = bullet_by_tests(self.names, &bullets, &[test], Target::Bullet(text.into())).ok()?;
        Some(Fix::UseKey(found.at.key().into()))
    }
}

impl<'s, 'a> Run<'s, 'a> {
    /// Says that the last line is the document's last.
    #[must_use]
    pub(crate) const fn ending_document(mut self) -> Self {
        self.ends_document = true;
        self
    }

    /// Returns the forms in which it can be looked for.
    pub(crate) fn forms(&self) -> Vec<LineForm> {
        let may_be =
            |form: &LineForm| self.lines.iter().any(|(text, varies)| *varies == Varies::Yes && form.fits(text));
        let others = [LineForm::Spaced, LineForm::Content].into_iter().filter(may_be);
        std::iter::once(LineForm::Whole).chain(others).collect()
    }

    /// Finds all places on the first of `ladder` on which there are any, in one of the forms.
    pub(crate) fn find(
        &self,
        forms: &[LineForm],
        ladder: impl Iterator<Item = Rungs>,
    ) -> Result<Found<Vec<RunPlace>>, LocateError> {
        self.find_most(forms, ladder, COUNTED)
    }

    /// Finds in each form the first `most` of these places.
    fn find_most(
        &self,
        forms: &[LineForm],
        ladder: impl Iterator<Item = Rungs>,
        most: usize,
    ) -> Result<Found<Vec<RunPlace>>, LocateError> {
        for rungs in ladder.filter(|rungs| self.is_told_apart(*rungs)) {
            let mut found: Vec<RunPlace> = Vec::new();
            for form in forms.iter().copied().filter(|form| form.is_of(rungs)) {
                let known: HashSet<_> = found.iter().map(|place| place.first).collect();
                let is_new = |first: &usize| !known.contains(first);
                let lines = |first: usize| first..first + self.lines.len();
                // Where bullets are indented by one space, that space is no operator's.
                let fits = |first: &usize| form != LineForm::Spaced || !self.search.index.is_set_in(&lines(*first));
                let new: Vec<_> = self.places(form, rungs, most)?.into_iter().filter(is_new).filter(fits).collect();
                found.extend(new.into_iter().map(|first| RunPlace { first, rungs, form }));
            }
            if !found.is_empty() {
                found.sort_by_key(|place| place.first);
                return Ok(Found::exactly(found));
            }
        }
        Ok(Found::exactly(Vec::new()))
    }

    /// Reports whether these rungs may find what those before them do not: what is not escaped reads the same.
    fn is_told_apart(&self, rungs: Rungs) -> bool {
        self.has_escapes || !rungs.has(Rung::Escapes)
    }

    /// Reports whether it stands in the scope, in any of its forms, on any of `ladder`.
    pub(crate) fn stands(&self, ladder: impl Iterator<Item = Rungs>) -> Result<bool, LocateError> {
        let forms = self.forms();
        for rungs in ladder.filter(|rungs| self.is_told_apart(*rungs)) {
            for form in forms.iter().copied().filter(|form| form.is_of(rungs)) {
                if !self.places(form, rungs, 1)?.is_empty() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Returns the one place of those found, with the rungs that it needs; what helps is offered if `tried` says that it does.
    pub(crate) fn only(
        &self,
        found: Found<Vec<RunPlace>>,
        tried: &dyn Fn(&Fix) -> bool,
    ) -> Result<RunPlace, LocateError> {
        let doc = self.search.doc();
        let found = if self.search.names.may_help() { self.counted(found) } else { found };
        let ask = Ask {
            doc,
            what: self.target(),
            span: &|place| self.span(place),
            fix: &|place, matches| {
                let chosen = choose(doc, self.span(place), matches).filter(tried);
                chosen.or_else(|| self.context_before(place).ok().flatten().filter(tried))
            },
            help: &|| self.help(tried).unwrap_or_default(),
        };
        Ok(self.needed(self.search.names.only(ask, found)?.at))
    }

    /// Finds all of the places of which the first thousand were found, unless that takes too long.
    fn counted(&self, found: Found<Vec<RunPlace>>) -> Found<Vec<RunPlace>> {
        let Some(RunPlace { rungs, .. }) = found.at.first().copied().filter(|_| found.at.len() >= COUNTED) else {
            return found;
        };
        let mut forms: Vec<_> = found.at.iter().map(|place| place.form).collect();
        forms.dedup();
        let all = || self.find_most(&forms, std::iter::once(rungs), usize::MAX);
        self.search.index.without_charge(all).unwrap_or(found)
    }

    /// Keeps of the rungs of a place what it needs.
    pub(crate) fn needed(&self, place: RunPlace) -> RunPlace {
        let lines = self.lines_in(place.form);
        let stands = |fewer| self.search.index.stands_at(&lines, place.first, fewer);
        RunPlace { rungs: place.rungs.minimized(stands), ..place }
    }

    /// Returns what is looked for, in words.
    pub(crate) fn target(&self) -> Target {
        Target::Lines(self.lines.iter().map(|(text, _)| (*text).into()).collect())
    }

    fn span(&self, place: &RunPlace) -> Span {
        self.search.index.span(&(place.first..place.first + self.lines.len()))
    }

    fn lines_in(&self, form: LineForm) -> Vec<TargetLine<'s>> {
        let form_of =
            |text: &str, varies| if varies == Varies::Yes && form.fits(text) { form } else { LineForm::Whole };
        self.lines.iter().map(|(text, varies)| TargetLine { text, form: form_of(text, *varies) }).collect()
    }

    fn places(&self, form: LineForm, rungs: Rungs, most: usize) -> Result<Vec<usize>, LocateError> {
        let mut range = self.search.range();
        if self.ends_document {
            // There is one place to look at.
            let doc = self.search.doc();
            let count = doc.lines().len();
            let start = count.checked_sub(self.lines.len());
            let Some(start) = start.filter(|start| *start >= range.start && range.end == count) else {
                return Ok(Vec::new());
            };
            range.start = start;
        }
        self.search.index.find_most(&self.lines_in(form), &range, rungs, most)
    }

    /// Returns the lines before the place that make the run unique.
    fn context_before(&self, place: &RunPlace) -> Result<Option<Fix>, LocateError> {
        let (range, index) = (self.search.range(), self.search.index);
        for more in 1..=4 {
            let first = place.first.checked_sub(more).filter(|first| *first >= range.start);
            let Some(first) = first else { break };
            let before = (first..place.first).map(|line| index.text(line));
            let lines = before.clone().map(|text| TargetLine { text, form: LineForm::Whole });
            let longer: Vec<_> = lines.chain(self.lines_in(place.form)).collect();
            if index.find_all(&longer, &range, place.rungs)? == [first] {
                return Ok(Some(Fix::AddContext(before.map(Into::into).collect())));
            }
        }
        Ok(None)
    }

    /// Helps where it stands nowhere in its scope: it stands in another place, or the first of its lines that does not.
    fn help(&self, tried: &dyn Fn(&Fix) -> bool) -> Result<Diagnostic, LocateError> {
        let (doc, index, range) = (self.search.doc(), self.search.index, self.search.range());
        let lines = self.lines_in(LineForm::Whole);
        let anywhere = index.find_all(&lines, &(0..doc.lines().len()), Rungs::NONE)?;
        let mut begins_here = anywhere.iter().filter(|line| !self.ends_document && range.contains(line));
        if let ([line], _) | (_, Some(line)) = (anywhere.as_slice(), begins_here.next()) {
            return Ok(self.elsewhere(*line, tried));
        }
        if let Some(line) = self.before_end()? {
            return Ok(Diagnostic { reasons: vec![Reason::NotAtEnd(line + 1)], ..Diagnostic::default() });
        }
        if let Some(line) = self.healed_outside()? {
            let there = self.elsewhere(line, tried);
            if there.fix.is_some() {
                return Ok(there);
            }
        }
        let forms: Vec<_> = self.forms().into_iter().map(|form| self.lines_in(form)).collect();
        for (nth, _) in lines.iter().enumerate().filter(|(_, line)| !is_blank(line.text)) {
            // The first line that is not there tells most.
            if !self.stands_in_scope(&forms, nth)? {
                return Ok(self.near(nth));
            }
        }
        let mut help = Diagnostic::default();
        // Each of them is there; as often as it is wanted, if each is wanted once.
        let distinct: HashSet<&str> = lines.iter().map(|line| line.text).collect();
        if lines.len() > 1 && distinct.len() == lines.len() && !lines.iter().any(|line| is_blank(line.text)) {
            help.reasons.push(Reason::NotAdjacent);
        }
        Ok(help)
    }

    /// Reports whether the `nth` line stands anywhere in its scope as it was sent, in one of the `forms`.
    fn stands_in_scope(&self, forms: &[Vec<TargetLine<'_>>], nth: usize) -> Result<bool, LocateError> {
        let (index, range) = (self.search.index, self.search.range());
        for reading in forms.iter().filter_map(|lines| lines.get(nth..=nth)) {
            let rungs = reading.iter().fold(Rungs::NONE, |_, line| line.form.least_rungs());
            if !index.find_all(reading, &range, rungs)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Helps where one of its lines stands nowhere in its scope: by the lines that are most like it, first the one around which its
    /// other lines stand too, or what is like them; where these differ as well, by all that differ.
    fn near(&self, nth: usize) -> Diagnostic {
        let index = self.search.index;
        let bare = self.lines.get(nth).map_or("", |(text, _)| behind_space(text).unwrap_or(text));
        let mut near = self.search.closest(bare);
        for closest in near.iter_mut().filter(|closest| index.text(closest.line - 1) == bare) {
            // A space before it is what it differs in.
            closest.difference.reason = Reason::LeadingSpace;
        }
        let around = near.iter().enumerate().filter_map(|(at, one)| Some((at, self.unlike(nth, one.line - 1)?)));
        // Of two that are as good, the first.
        match around.min_by(|(_, a), (_, b)| a.count.cmp(&b.count).then(b.likeness.total_cmp(&a.likeness))) {
            Some((_, unlike)) if unlike.count > 1 => {
                let reasons = vec![Reason::SeveralDiffer(unlike.count)];
                Diagnostic { reasons, closest: unlike.first, ..Diagnostic::default() }
            }
            Some((at, _)) => {
                near.get_mut(..=at).unwrap_or_default().rotate_right(1);
                Diagnostic { closest: near, ..Diagnostic::default() }
            }
            None => Diagnostic { closest: near, ..Diagnostic::default() },
        }
    }

    /// Returns the lines of the scope that differ from these, if each is like the one in its place where the `nth` is the line at
    /// `line`.
    fn unlike(&self, nth: usize, line: usize) -> Option<Unlike> {
        let (doc, index, range) = (self.search.doc(), self.search.index, self.search.range());
        let first = line.checked_sub(nth).filter(|first| *first >= range.start)?;
        if first + self.lines.len() > range.end || self.lines.len() > COMPARED {
            return None;
        }
        let forms: Vec<_> = self.forms().into_iter().map(|form| self.lines_in(form)).collect();
        let ladder: Vec<_> = Rungs::ladder_of_lines(doc).collect();
        let mut unlike = Unlike::default();
        for (nth, (text, _)) in self.lines.iter().enumerate() {
            let at = first + nth;
            let mut readings = forms.iter().filter_map(|lines| lines.get(nth..=nth));
            if readings.any(|one| ladder.iter().any(|rungs| index.stands_at(one, at, *rungs))) {
                continue;
            }
            // One that stands elsewhere is no other wording of what stands here.
            if self.stands_in_scope(&forms, nth).unwrap_or_default() {
                return None;
            }
            let there = doc.lines().line(doc.text(), at).text;
            let bare = behind_space(text).unwrap_or(text);
            if doc.reserved_section_at(there.start()).is_some() {
                return None;
            }
            unlike.likeness += likeness(index.text(at), bare)?;
            unlike.count += 1;
            if unlike.first.len() < DESCRIBED {
                unlike.first.push(describe(doc, there, bare).for_line(bare, index.text(at)));
            }
        }
        Some(unlike)
    }

    /// Returns the last line in the scope at which it begins, where it must be the document's end and is not.
    fn before_end(&self) -> Result<Option<usize>, LocateError> {
        if !self.ends_document {
            return Ok(None);
        }
        let anywhere = Self { ends_document: false, ..self.clone() };
        let found = anywhere.find(&self.forms(), Rungs::ladder_of_lines(self.search.doc()))?.at;
        Ok(found.last().map(|place| place.first))
    }

    /// Returns the only line at which it begins in the document, on the first rungs on which it does, if it is not inside the scope.
    fn healed_outside(&self) -> Result<Option<usize>, LocateError> {
        let (doc, range) = (self.search.doc(), self.search.range());
        let search = LineSearch { scope: Scope::Document, ..self.search };
        let anywhere = Self { search, ..self.clone() };
        let found = anywhere.find(&self.forms(), Rungs::ladder_of_lines(doc))?.at;
        let [only] = found.as_slice() else { return Ok(None) };
        let is_inside = range.contains(&only.first) && only.first + self.lines.len() <= range.end;
        Ok(Some(only.first).filter(|_| !is_inside))
    }

    /// Helps where its first line is this one, which is not where it must be.
    fn elsewhere(&self, line: usize, tried: &dyn Fn(&Fix) -> bool) -> Diagnostic {
        let (doc, scope, range) = (self.search.doc(), self.search.scope, self.search.range());
        let start = doc.line_start(line);
        if range.contains(&line) {
            let is_last = line + self.lines.len() == doc.lines().len();
            let (reason, fix) = match self.ends_document && !is_last {
                true => (Reason::NotAtEnd(line + 1), None),
                false => (Reason::GoesPast { line: line + 1, end: range.end }, Some(Fix::DropScope).filter(tried)),
            };
            return Diagnostic { reasons: vec![reason], fix, ..Diagnostic::default() };
        }
        let section_of_scope = doc.section_at(scope.span(doc).start());
        let is_here = match doc.section_at(start) {
            Some(own) => own.extent.covers(scope.span(doc)),
            None => section_of_scope.is_none() && scope != Scope::Document,
        };
        let fix = |section: Option<SectionRef<'_>>| {
            let block = || doc.block_at(start).map(|block| Fix::NameBlock(block.id().into()));
            let wider = [Fix::section(section), Some(Fix::DropScope)];
            let ways = match scope {
                Scope::Bullet(_) | Scope::From(_) if is_here => [block()].into_iter().chain(wider).collect(),
                // In their place, a wider scope would be of somebody else: only another block can be meant.
                Scope::Block(_) | Scope::Bullet(_) | Scope::From(_) => vec![block()],
                _ => wider.to_vec(),
            };
            ways.into_iter().flatten().find(tried)
        };
        let mut help = Diagnostic::elsewhere(doc, start, fix);
        if is_here && !help.reasons.iter().any(|reason| matches!(reason, Reason::Reserved(_))) {
            let line = line + 1;
            help.reasons = vec![match scope {
                Scope::Bullet(_) => Reason::OutsideBullet(line),
                Scope::Block(_) => Reason::OutsideBlock(line),
                _ => Reason::OutsideScope(line),
            }];
        }
        help
    }
}

/// Returns the anchor that chooses the place at `span` among `matches`: its section, else its bullet's key.
fn choose(doc: &MemoryDoc, span: Span, matches: &Matches) -> Option<Fix> {
    let bullet = || doc.bullet_at(span.start()).filter(|bullet| bullet.extent.covers(span));
    matches.section_of(span).or_else(|| bullet().map(|bullet| Fix::UseKey(bullet.key().into())))
}
