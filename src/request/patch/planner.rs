//! A plan of a patch that is being made: what is known of the document, what is changed so far, and where anchors point.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::super::section::{SectionWork, Siblings, check_promised};
use super::super::{Refusal, RequestError, SectionRefusal};
use super::anchored::{self, Anchored};
use super::{Anchor, DocumentPatch, Hunk, PatchPart};
use crate::document::{BulletRef, MemoryDoc, SectionRef, heading};
use crate::edit::compose::{Lists, Numbers, append_point};
use crate::edit::guard::Indented;
use crate::edit::{Edit, EditBuilder, Overlap, Part, Promise};
use crate::locate::{
    Found, HELPED, LineIndex, LineSearch, LocateError, Names, NodeKind, Rung, SaidLines, Scope, Target, bullet_by_tests,
};
use crate::text::{Span, fold_name, is_blank};

/// A plan that is being made.
pub(super) struct Planner<'a> {
    pub(super) doc: &'a MemoryDoc,
    pub(super) names: Names<'a>,
    pub(super) index: LineIndex<'a>,
    pub(super) said: SaidLines<'a>,
    pub(super) edit: EditBuilder,
    /// What tells whether a hunk, alone, makes an edit that would be committed.
    pub(super) makes_edit: fn(&MemoryDoc, Hunk) -> bool,
    /// Whether no part asks for a change.
    pub(super) asks_nothing: bool,
    /// How many parts have failed.
    failed: usize,
    /// Scopes that were resolved, by the scope around them.
    anchors: HashMap<(Scope<'a>, Anchor), Result<Found<Scope<'a>>, LocateError>>,
    /// For each line of the document the part that changes it.
    pub(super) changed_by: HashMap<usize, usize>,
    /// Lines that a part counts on as they stand, each with it: its context, and what tells that it has been applied.
    context: Vec<(usize, usize)>,
    siblings: OnceCell<Siblings<'a>>,
    /// The titles that the patch gives to sections, by parent.
    claimed: HashSet<(Option<SectionRef<'a>>, String)>,
    /// What is removed or moved away, each with its part.
    taken: Vec<(Span, usize)>,
    /// The scopes that something is appended to, each with its part.
    appended: Vec<(Span, usize)>,
    /// The hunks that write inside of an anchor.
    pub(super) anchored: Vec<Anchored<'a>>,
    /// The sections beside which a part writes one, each with it.
    pub(super) neighbors: Vec<(SectionRef<'a>, usize)>,
    /// Runs of lines that go, and nothing comes for them, each with its part.
    removed: Vec<(Range<usize>, usize)>,
    pub(super) sections: SectionWork<'a>,
    append_points: RefCell<HashMap<Scope<'a>, usize>>,
    indented: Cell<Indented>,
    lists: Lists<'a>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(patch: &DocumentPatch, doc: &'a MemoryDoc, makes_edit: fn(&MemoryDoc, Hunk) -> bool) -> Self {
        let size = |part: &PatchPart| match part {
            PatchPart::Hunk(hunk) => hunk.lines.len() + hunk.anchors.len(),
            PatchPart::Section(_) => 1,
        };
        let asks_nothing = |part: &PatchPart| matches!(part, PatchPart::Hunk(hunk) if hunk.is_nothing());
        Self {
            asks_nothing: patch.parts.iter().all(asks_nothing),
            doc,
            names: Names::new(doc),
            index: LineIndex::new(doc, patch.parts.iter().map(size).sum()),
            said: SaidLines::new(doc),
            edit: EditBuilder::new(doc),
            makes_edit,
            failed: 0,
            anchors: HashMap::new(),
            indented: Cell::default(),
            changed_by: HashMap::new(),
            context: Vec::new(),
            siblings: OnceCell::new(),
            claimed: HashSet::new(),
            taken: Vec::new(),
            appended: Vec::new(),
            anchored: Vec::new(),
            neighbors: Vec::new(),
            removed: Vec::new(),
            sections: SectionWork::default(),
            append_points: RefCell::default(),
            lists: Lists::new(doc),
        }
    }

    /// Notes that so many lines are written behind an indentation of so many bytes.
    ///
    /// # Errors
    ///
    /// The document would be far too large for it.
    pub(super) fn indent(&self, lines: usize, indentation: usize) -> Result<(), Refusal> {
        let mut indented = self.indented.get();
        indented.add(self.doc, lines, indentation)?;
        self.indented.set(indented);
        Ok(())
    }

    /// Returns the sections of each parent.
    pub(super) fn siblings(&self) -> &Siblings<'a> {
        self.siblings.get_or_init(|| Siblings::new(self.doc))
    }

    /// Resolves a hunk's anchors, outermost first.
    pub(super) fn scope(&mut self, hunk: &Hunk) -> Result<Found<Scope<'a>>, Refusal> {
        let mut scope = Found { at: Scope::Document, healed: Vec::new() };
        for anchor in &hunk.anchors {
            let key = (scope.at, anchor.clone());
            let found = match self.anchors.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let found = self.anchor(scope.at, anchor);
                    self.anchors.insert(key, found.clone());
                    found
                }
            };
            scope = found?.behind(scope.healed);
        }
        // What other tools show above a hunk may be anything; it is a scope if it is a heading.
        let shown = hunk.shown_above.as_deref();
        let title = shown.map(|shown| heading(shown).and_then(|heading| shown.get(heading.title)).unwrap_or(shown));
        match title.map(|title| self.shown_section(title, scope.at.span(self.doc))) {
            Some(Ok(found)) => Ok(found.map(Scope::Section).behind(scope.healed)),
            Some(Err(error @ LocateError::Ambiguous { .. })) => Err(error.into()),
            Some(Err(_)) | None => Ok(scope),
        }
    }

    /// Finds the section that is shown above a hunk, if one is: that there is none is told to nobody, and comes without help.
    fn shown_section(&self, title: &str, within: Span) -> Result<Found<SectionRef<'a>>, LocateError> {
        match self.names.without_help(|| self.names.section(title, within)) {
            Err(LocateError::Ambiguous { .. }) if self.is_helping() => self.names.section(title, within),
            found => found,
        }
    }

    fn anchor(&self, within: Scope<'a>, anchor: &Anchor) -> Result<Found<Scope<'a>>, LocateError> {
        let span = within.span(self.doc);
        Ok(match anchor {
            Anchor::Section(name) => self.names.scope(NodeKind::Section, name, span)?,
            Anchor::Block(id) => self.names.scope(NodeKind::Block, id, span)?,
            Anchor::Bullet(test) => {
                self.index.spend(self.doc.bullet_range(span).len())?;
                let bullets: Vec<_> = self.doc.bullets_within(span).collect();
                let what = Target::Bullet(test.to_string().into());
                bullet_by_tests(&self.names, &bullets, std::slice::from_ref(test), what)?.map(Scope::Bullet)
            }
            Anchor::Slot(name) => self.names.slot(name, span)?.map(|slot| Scope::Slot(slot.line)),
            Anchor::Line(text) => {
                LineSearch { names: &self.names, index: &self.index, scope: within }.scope_of_line(text)?
            }
        })
    }

    /// Returns where lines appended to a scope go.
    pub(super) fn append_point(&self, scope: Scope<'a>) -> usize {
        *self.append_points.borrow_mut().entry(scope).or_insert_with(|| append_point(self.doc, scope))
    }

    /// Returns what the number of a bullet is that is written behind this one.
    pub(super) fn numbers_behind(&self, bullet: BulletRef<'a>) -> Numbers {
        self.lists.numbers(bullet)
    }

    /// Adds the next part of the edit.
    pub(super) fn begin(&mut self, part: Part) {
        self.edit.part(part);
    }

    /// Replaces `lines` by `text`, and notes that they are changed.
    pub(super) fn replace_lines(&mut self, number: usize, lines: &Range<usize>, text: String) -> Result<(), Refusal> {
        let span = self.index.span(lines);
        for line in lines.clone() {
            if let Some(first) = self.changed_by.insert(line, number).filter(|first| *first != number) {
                return Err(Overlap { first, second: number, span }.into());
            }
        }
        self.taken.push((span, number));
        self.edit.replace(span, text, Promise::Lines);
        Ok(())
    }

    /// Notes that a part counts on lines as they stand.
    pub(super) fn note_needed(&mut self, number: usize, lines: Range<usize>) {
        self.context.extend(lines.map(|line| (line, number)));
    }

    /// Notes lines that a part removes without writing others, and names none behind them.
    pub(super) fn note_removed(&mut self, number: usize, lines: Range<usize>) {
        self.removed.push((lines, number));
    }

    /// Notes that a part changes the lines of `span`, so that no hunk may count on them.
    pub(super) fn note_changed(&mut self, number: usize, span: Span) -> Result<(), Refusal> {
        for line in self.doc.line_range(span) {
            if let Some(first) = self.changed_by.insert(line, number).filter(|first| *first != number) {
                return Err(Overlap { first, second: number, span }.into());
            }
        }
        Ok(())
    }

    /// Notes that a part removes the lines of `span`, or moves them away.
    pub(super) fn take(&mut self, number: usize, span: Span) -> Result<(), Refusal> {
        self.taken.push((span, number));
        self.note_changed(number, span)
    }

    /// Notes that a section of `parent` gets this title; refuses one that another part of the patch has given already.
    pub(super) fn claim_title(&mut self, parent: Option<SectionRef<'a>>, title: &str) -> Result<(), Refusal> {
        match self.claimed.insert((parent, fold_name(title))) {
            true => Ok(()),
            false => Err(SectionRefusal::DuplicateTitle { title: title.into() }.into()),
        }
    }

    /// Notes that a part writes a section below `parent`, which must stay where it is.
    pub(super) fn append_below(&mut self, number: usize, parent: Option<SectionRef<'a>>) {
        self.appended.extend(parent.map(|parent| (parent.extent, number)));
    }

    /// Notes that a part appends to a scope.
    pub(super) fn append_to(&mut self, number: usize, scope: Span) {
        self.appended.push((scope, number));
    }

    /// Inserts lines for a part. At the end of its scope, or of what they go on with, they come before what goes to the end of a wider one,
    /// or ends it.
    pub(super) fn insert_lines(&mut self, number: usize, scope: Scope<'a>, at: usize, lines: &[String]) {
        let is_closed = |scope| scope != Scope::Document && self.append_point(scope) == at;
        let is_ended = matches!(scope, Scope::Block(_)) && anchored::ends_block(&lines.join("\n"));
        let scope = if is_closed(scope) && !is_ended { scope } else { self.scope_of_lines(at, lines) };
        if is_closed(scope) {
            self.edit.close(number, at, scope.span(self.doc).start());
        }
        self.edit.for_part(number).insert_lines(self.doc, at, lines, Promise::Lines);
    }

    /// Returns the block or the section that lines go on with which are written at a place: none, if a heading is among them.
    fn scope_of_lines(&self, at: usize, lines: &[String]) -> Scope<'a> {
        let Some(above) = at.checked_sub(1).filter(|_| !lines.iter().any(|line| heading(line).is_some())) else {
            return Scope::Document;
        };
        let block = self.doc.block_at(above).filter(|_| !anchored::ends_block(&lines.join("\n")));
        let section = || self.doc.section_at(above).map_or(Scope::Document, Scope::Section);
        block.map_or_else(section, Scope::Block)
    }

    /// Notes that a part has failed: the first few are helped.
    pub(super) fn note_failure(&mut self) {
        self.failed += 1;
        if self.failed >= HELPED {
            self.names.withhold_help();
        }
    }

    /// Says that parts which fail are helped no more.
    pub(super) fn withhold_help(&mut self) {
        self.failed = HELPED;
        self.names.withhold_help();
    }

    /// Reports whether the next part that fails is helped.
    pub(super) const fn is_helping(&self) -> bool {
        self.failed < HELPED
    }

    /// Sorts what is planned into an edit.
    pub(super) fn finish(mut self, healed: &[Rung]) -> Result<Edit, RequestError> {
        self.check_context()?;
        self.check_appended()?;
        anchored::check(&self.anchored, &self.removed, self.edit.splices(), (self.doc, &self.index))?;
        self.check_neighbors()?;
        self.drop_separators();
        let promised = std::mem::take(&mut self.sections).compose(self.doc, &mut self.edit);
        self.edit.heal(healed);
        let edit = self.edit.finish()?;
        check_promised(&promised, self.doc, &edit)?;
        Ok(edit)
    }

    /// Removes the blank lines that separated what hunks have removed as whole sections, so that one stays between neighbors.
    fn drop_separators(&mut self) {
        let (doc, count) = (self.doc, self.doc.lines().len());
        let is_blank_line = |index: usize| is_blank(self.index.text(index));
        let starts_section = |index: usize| {
            let start = doc.line_start(index);
            doc.section_at(start).is_some_and(|section| section.line.start() == start)
        };
        let context: HashSet<usize> = self.context.iter().map(|(line, _)| *line).collect();
        let is_free = |index: usize| !self.changed_by.contains_key(&index) && !context.contains(&index);
        let mut gone: Vec<(Span, usize)> = Vec::new();
        for (lines, number) in &self.removed {
            let behind = (lines.end..count).find(|index| !is_blank_line(*index)).unwrap_or(count);
            let before = (0..lines.start).rfind(|index| !is_blank_line(*index)).map_or(0, |index| index + 1);
            let is_last = behind == count;
            // Nothing is taken where the lines were set apart on one side only.
            let separators = match is_last || before < lines.start || before == 0 {
                // Without a neighbor they separate nothing.
                true if is_last && before == 0 => continue,
                true if is_last => before..lines.start,
                true => lines.end..behind,
                false => continue,
            };
            let is_editable = doc.reserved_section_at(doc.lines().start(separators.start)).is_none();
            let is_section = starts_section(lines.start) && (is_last || starts_section(behind));
            if is_section && is_editable && separators.clone().all(is_free) {
                gone.push((self.index.span(&separators), *number));
            }
        }
        for (span, number) in gone {
            self.edit.for_part(number).replace(span, "", Promise::Lines);
        }
    }

    /// Refuses to append to what another part removes or moves away: the lines would land in what stands before it.
    fn check_appended(&mut self) -> Result<(), RequestError> {
        self.taken.sort_unstable_by_key(|(span, _)| (span.start(), span.end()));
        for (scope, number) in &self.appended {
            let before = self.taken.partition_point(|(span, _)| span.start() <= scope.start());
            // Disjoint, or the same by the same part: the last that begins before the scope is the one that may hold it.
            let holder = before.checked_sub(1).and_then(|last| self.taken.get(last));
            if let Some((span, other)) = holder.filter(|(span, other)| span.contains(scope.start()) && other != number)
            {
                let (first, second) = (*other.min(number), *other.max(number));
                return Err(RequestError::of(*number, Overlap { first, second, span: *span }));
            }
        }
        Ok(())
    }

    /// Refuses a place beside a section that another part moves away: both places count in the text as it is.
    fn check_neighbors(&self) -> Result<(), RequestError> {
        let moved = self.sections.moved();
        for (neighbor, number) in &self.neighbors {
            if let Some(other) = moved.get(neighbor).filter(|other| *other != number) {
                let (first, second) = (*other.min(number), *other.max(number));
                let overlap = Overlap { first, second, span: neighbor.line };
                return Err(RequestError::of(*number, Refusal::Apart { overlap, first: *number, then: Some(*other) }));
            }
        }
        Ok(())
    }

    /// Refuses hunks whose context another part changes.
    fn check_context(&self) -> Result<(), RequestError> {
        for (line, number) in &self.context {
            if let Some(other) = self.changed_by.get(line).filter(|other| *other != number) {
                let span = self.index.span(&(*line..line + 1));
                let (first, second) = (*other.min(number), *other.max(number));
                return Err(RequestError::of(*number, Overlap { first, second, span }));
            }
        }
        Ok(())
    }
}
