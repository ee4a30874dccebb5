//! A plan of a patch that is being made: what is known of the document, what is changed so far, and where anchors point.

use std::collections::HashMap;
use std::ops::Range;

use super::super::{Refusal, RequestError};
use super::{Anchor, DocumentPatch, Hunk, PatchPart};
use crate::document::{BulletId, Healing, MemoryDoc};
use crate::edit::{Edit, EditBuilder, Overlap, Part, PartStatus, Promise};
use crate::locate::{
    Diagnostic, Fix, Found, LineForm, LineIndex, LinesError, LocateError, Names, Rung, Rungs, Scope, Sought,
    SoughtLine, bullet_by_tests, candidates,
};
use crate::text::Span;

/// For how many failing parts help is looked for: each costs a pass over the document.
const HELPED: usize = 12;

/// A plan that is being made.
pub(super) struct Planner<'a> {
    pub(super) doc: &'a MemoryDoc,
    pub(super) names: Names<'a>,
    pub(super) index: LineIndex<'a>,
    pub(super) edit: EditBuilder,
    /// How many failing parts have been explained.
    helped: usize,
    /// Scopes that were resolved, by the scope around them.
    anchors: HashMap<(Scope, Anchor), Result<Found<Scope>, LocateError>>,
    /// For each line of the document the part that changes it.
    pub(super) changed_by: HashMap<usize, usize>,
    /// Lines that are context, each with its part.
    pub(super) context: Vec<(usize, usize)>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(patch: &DocumentPatch, doc: &'a MemoryDoc) -> Self {
        let size = |part: &PatchPart| match part {
            PatchPart::Hunk(hunk) => hunk.lines.len() + hunk.anchors.len(),
            PatchPart::Section(_) => 1,
        };
        Self::with_index(doc, LineIndex::new(doc, patch.parts.iter().map(size).sum()))
    }

    /// Prepares to look for hunks that the host makes, one after the other.
    pub(super) fn unlimited(doc: &'a MemoryDoc) -> Self {
        Self::with_index(doc, LineIndex::new(doc, 1_000 * doc.lines().len()))
    }

    fn with_index(doc: &'a MemoryDoc, index: LineIndex<'a>) -> Self {
        Self {
            doc,
            names: Names::new(doc),
            index,
            edit: EditBuilder::new(doc),
            helped: 0,
            anchors: HashMap::new(),
            changed_by: HashMap::new(),
            context: Vec::new(),
        }
    }

    /// Returns the rungs that the policy lets lines be looked for on, `NONE` first.
    pub(super) fn rungs(&self) -> impl Iterator<Item = Rungs> + use<> {
        let heals = self.doc.policy().healing == Healing::Narrow;
        let ladder = Rung::LADDER.into_iter().filter(move |rung| heals && *rung != Rung::LineEndings).map(Rungs::up_to);
        std::iter::once(Rungs::NONE).chain(ladder)
    }

    /// Resolves a hunk's anchors, outermost first.
    pub(super) fn scope(&mut self, hunk: &Hunk) -> Result<Found<Scope>, Refusal> {
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
            let found = found?;
            scope = Found { at: found.at, healed: [scope.healed, found.healed].concat() };
        }
        Ok(scope)
    }

    fn anchor(&self, within: Scope, anchor: &Anchor) -> Result<Found<Scope>, LocateError> {
        let span = within.span(self.doc);
        match anchor {
            Anchor::Section(name) => {
                self.names.section(name, span).map(|found| Found { at: Scope::Section(found.at), healed: found.healed })
            }
            Anchor::Block(id) => {
                self.names.block(id, span).map(|found| Found { at: Scope::Block(found.at), healed: found.healed })
            }
            Anchor::Bullet(test) => {
                let bullets: Vec<BulletId> = self.doc.outline().bullets_within(span).collect();
                let what = Sought::Bullet(test.to_string());
                if !self.index.spend(bullets.len()) {
                    let help = Box::new(Diagnostic::default());
                    return Err(LocateError::NotFound { what, help });
                }
                let found = bullet_by_tests(self.doc, &bullets, std::slice::from_ref(test), &what)?;
                Ok(Found { at: Scope::Bullet(found.at), healed: found.healed })
            }
            Anchor::Slot(name) => self.slot(name),
            Anchor::Line(text) => self.line(within, text),
        }
    }

    fn slot(&self, name: &str) -> Result<Found<Scope>, LocateError> {
        let mut slots = self.doc.outline().slots().iter().filter(|slot| slot.name.of(self.doc.text()) == name);
        let what = Sought::Slot(name.to_owned());
        match (slots.next(), slots.next()) {
            (Some(slot), None) => Ok(Found { at: Scope::Slot(slot.line), healed: Vec::new() }),
            (None, _) => Err(LocateError::NotFound { what, help: Box::default() }),
            (Some(first), Some(second)) => Err(self.several(what, &[first.line, second.line], 2)),
        }
    }

    /// Finds the one line that reads so.
    fn line(&self, within: Scope, text: &str) -> Result<Found<Scope>, LocateError> {
        let sought = [SoughtLine { text, form: LineForm::Whole }];
        let range = self.doc.lines().range(within.span(self.doc));
        let what = Sought::Lines(vec![text.to_owned()]);
        for rungs in self.rungs() {
            match self.index.find(&sought, &range, rungs) {
                Ok(line) => {
                    let needed = rungs.minimized(|fewer| self.index.stands_at(&sought, line, fewer) == Some(true));
                    let at = Scope::of_line(self.doc, self.doc.lines().start(line));
                    return Ok(Found { at, healed: needed.iter().collect() });
                }
                Err(LinesError::Several { first, count }) => {
                    let spans: Vec<_> = first.iter().map(|line| self.index.span(&(*line..line + 1))).collect();
                    return Err(self.several(what, &spans, count));
                }
                Err(LinesError::TooCostly) => break,
                Err(LinesError::Nowhere) => {}
            }
        }
        let mut help = Diagnostic::default();
        if self.names.section(text.trim(), self.doc.span()).is_ok() {
            help.fix = Some(Fix::NameSection(text.trim().to_owned()));
        } else if self.may_help() {
            help.closest = crate::locate::closest(self.doc, within.span(self.doc), text);
        }
        Err(LocateError::NotFound { what, help: Box::new(help) })
    }

    /// The error for lines that stand at several places.
    pub(super) fn several(&self, what: Sought, spans: &[Span], count: usize) -> LocateError {
        let (mut candidates, not_shown) = candidates(self.doc, spans);
        for candidate in &mut candidates {
            candidate.fix = self.choose(candidate.span, spans);
        }
        let help = Diagnostic { candidates, not_shown, ..Diagnostic::default() };
        LocateError::Ambiguous { what, count, overlapping: false, help: Box::new(help) }
    }

    /// Returns the anchor that chooses the place at `span` among `spans`: its section, else its bullet's key.
    fn choose(&self, span: Span, spans: &[Span]) -> Option<Fix> {
        let outline = self.doc.outline();
        let section = outline.section_at(span.start());
        if let Some((id, section)) = section.and_then(|id| Some((id, outline.section(id)?))) {
            let is_alone = spans.iter().filter(|other| section.extent.overlaps(**other)).count() == 1;
            if let (true, Some(name)) = (is_alone, self.names.unique(id)) {
                return Some(Fix::NameSection(name));
            }
        }
        let bullet = outline
            .bullet_at(span.start())
            .filter(|id| outline.bullet(*id).is_some_and(|bullet| bullet.extent.covers(span)));
        bullet.and_then(|id| self.doc.key(id)).map(|key| Fix::UseKey(key.to_string()))
    }

    /// Reports whether help may still be looked for.
    pub(super) const fn may_help(&self) -> bool {
        self.helped < HELPED
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
        self.edit.replace(span, text, Promise::Lines);
        Ok(())
    }

    /// Notes that a part has failed.
    pub(super) const fn note_failure(&mut self) {
        self.helped += 1;
    }

    /// Sorts what is planned into an edit.
    pub(super) fn finish(mut self, healed: &[Rung]) -> Result<Edit, RequestError> {
        self.check_context()?;
        self.edit.heal(healed);
        self.edit.finish().map_err(|overlap| RequestError::of(overlap.first, overlap))
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

/// Returns the part of a plan that found what it asks for there already.
pub(super) fn settled(status: PartStatus, healed: Vec<Rung>) -> Part {
    Part::new(status).with_healed(healed)
}
