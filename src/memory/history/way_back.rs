//! The way back: what takes a group of entries back in one document, and what came later in its way.
//!
//! It is found by going back from the text that stands there now, entry by entry. A document that was deleted and made anew is
//! another one.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::super::deed::{Deed, Way};
use super::super::journal::{Entry, EntryKind, ReplayError, Seq, SeqRange, Splice, inverse, text_before};
use super::super::undoings::Undoings;
use super::super::{Actor, DocName, Memory, MemoryError};
use super::in_the_way::InTheWay;
use super::line_track::{Later, LineTrack};
use super::tip;
use crate::document::MemoryDoc;
use crate::edit::{Edit, Whose, carried_along};
use crate::request::{ActivityLine, Known, Refusal, RequestError, Restore};
use crate::text::{Content, Lines, Revision, Span, is_blank};

/// How many later entries are looked at for the one that is in the way.
const LOOKED_AT: usize = 256;

impl Memory {
    /// Returns what takes back the changes that a group made to a document, for `actor`; `None` if they come to nothing.
    ///
    /// # Errors
    ///
    /// `NotRebased`: the document was deleted, or made anew, since. What it takes was erased, or does not fit; the store cannot be
    /// read.
    pub(super) fn back(&self, document: &DocName, group: SeqRange, actor: &Actor) -> Result<Option<Deed>, MemoryError> {
        let snapshot = self.store()?.read(std::slice::from_ref(document))?;
        let (stored, tip) = (snapshot.of(document), tip(&snapshot, document));
        let text = stored.and_then(|stored| stored.text.as_deref()).map(str::to_owned);
        let walk = self.walked(document, group, Walk::new(text, actor), tip)?;
        if walk.undoings.by(group.first()).is_some() {
            // Somebody has taken it back since it was looked for.
            return Err(MemoryError::Contended { document: document.clone() });
        }
        let way = match walk.way(|text| self.doc_of(document, text)) {
            Found::Way(way) => way,
            Found::Nothing => return Ok(None),
            Found::Overtaken => {
                let error = RequestError::of(0, Refusal::Conflict { span: None, now: Content::default() });
                let current = self.parse(document, stored);
                return Err(MemoryError::NotRebased { document: document.clone(), error, current });
            }
        };
        let tip = tip.filter(|_| !matches!(way, Way::Anew(_)));
        Ok(Some(Deed { document: document.clone(), tip, way }))
    }

    fn doc_of(&self, document: &DocName, text: &str) -> MemoryDoc {
        MemoryDoc::with_rules(text, self.rules_of(document).clone())
    }

    /// Finds out which later entry is in the way of taking a group back in a document.
    ///
    /// # Errors
    ///
    /// What it takes was erased, or does not fit; the store cannot be read.
    pub(super) fn in_the_way(
        &self,
        document: &DocName,
        group: SeqRange,
        actor: &Actor,
    ) -> Result<InTheWay, MemoryError> {
        let snapshot = self.store()?.read(std::slice::from_ref(document))?;
        let text = snapshot.of(document).and_then(|stored| stored.text.as_deref()).map(str::to_owned);
        let current = self.doc_of(document, text.as_deref().unwrap_or_default());
        let walk = self.walked(document, group, Walk::new(text, actor), tip(&snapshot, document))?;
        let Some(Taken { after: Some(after), inverse, .. }) = walk.taken else { return Ok(InTheWay::default()) };
        let after = self.doc_of(document, &after);
        let (mut track, mut text) = (LineTrack::of(after.text()), after.text().to_owned());
        let (mut entry, mut lines) = (None, Vec::new());
        for (nth, later) in walk.later.iter().enumerate() {
            text = later.edit.apply_to(&text);
            track.follow(later, &text);
            if entry.is_some() || nth >= LOOKED_AT {
                continue;
            }
            let doc = self.doc_of(document, &text);
            if let Err(conflict) = carried_along(&after, &inverse, &doc, &track.changes(&text)) {
                let start = |line| doc.lines().start(line);
                entry = Some(later.seq);
                lines = lines_of(&doc, Span::new(start(conflict.now.start), start(conflict.now.end)));
            }
        }
        let changes = track.changes(&text);
        let alone = inverse.splices().iter().take(LOOKED_AT).filter(|splice| {
            let alone = Edit::putting(inverse.base(), [(splice.span, &*splice.text)].into_iter());
            carried_along(&after, &alone, &current, &changes).is_ok()
        });
        let free = alone.flat_map(|splice| match is_blank(splice.span.of(after.text())) {
            true => Lines::of(&splice.text).map(|line| line.text.of(&splice.text).into()).collect(),
            false => lines_of(&after, splice.span),
        });
        Ok(InTheWay { entry, lines, free: free.collect() })
    }

    /// Goes back from the last entry of a document to before a group.
    fn walked<'a>(
        &self,
        document: &DocName,
        group: SeqRange,
        mut walk: Walk<'a>,
        tip: Option<Seq>,
    ) -> Result<Walk<'a>, MemoryError> {
        self.walk_back(document, tip, &mut |entry| {
            if entry.seq() < group.first() {
                return Ok(ControlFlow::Break(()));
            }
            if group.contains(entry.seq()) {
                walk.take_back(&entry, document)?;
            } else {
                let step = self.step(&entry, document, walk.text.as_deref())?;
                walk.go_back(&entry, document, step, group);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(walk)
    }

    /// Returns what an entry did to a document, whose text after it is `text`.
    fn step(&self, entry: &Entry, document: &DocName, text: Option<&str>) -> Result<Step, MemoryError> {
        let previous = entry.link(document).and_then(|link| entry.previous_of(link));
        let before = match (entry.splices(document), previous) {
            // A redaction says what the text is, and not what was done to it.
            (None, Some(previous)) => self.text_after(document, self.entry(previous)?)?,
            _ => text_before(entry, document, text)?,
        };
        let [old, new] = [before.as_deref(), text].map(Option::unwrap_or_default);
        let edit = match entry.splices(document) {
            Some(splices) => {
                let puts = splices.iter().map(|splice| (splice.covered(), &*splice.added));
                Edit::putting(Revision::of(old), puts)
            }
            None => Edit::between(&MemoryDoc::parse(old), &MemoryDoc::parse(new)),
        };
        let (group, undoes) = (entry.group().first(), entry.header().undoes);
        Ok(Step { before, later: Later { seq: entry.seq(), group, undoes, edit } })
    }
}

/// Returns the lines with words under a span.
fn lines_of(doc: &MemoryDoc, span: Span) -> Vec<Content> {
    let start = doc.lines().start(doc.lines().index_at(span.start()));
    let lines = Lines::within(doc.text(), Span::new(start, span.end())).map(|line| line.text.of(doc.text()));
    lines.filter(|line| !is_blank(line)).map(Content::from).collect()
}

/// What an entry did to a document.
struct Step {
    /// The text before it; `None` if the document did not exist.
    before: Option<String>,
    later: Later,
}

/// A document on its way back.
struct Walk<'a> {
    /// Who goes back.
    actor: &'a Actor,
    /// The text after the next entry; `None` if the document did not exist.
    text: Option<String>,
    /// What was done to it behind the group, in that order.
    later: VecDeque<Later>,
    undoings: Undoings,
    /// Whether one of them was not taken back, and is no undoing of another of them.
    has_gone_on: bool,
    /// Whether such a one has deleted the document, or made it anew.
    has_ended: bool,
    taken: Option<Taken>,
}

/// What the group did to the document.
struct Taken {
    /// The text after it; `None` if the document did not exist.
    after: Option<String>,
    inverse: Edit,
    /// Whether it gave the document its name.
    is_named: bool,
    /// What takes back the line of the log that it wrote.
    unlogged: Option<ActivityLine>,
}

enum Found {
    Way(Way),
    Nothing,
    Overtaken,
}

impl<'a> Walk<'a> {
    /// Begins with the text that stands there now.
    fn new(text: Option<String>, actor: &'a Actor) -> Self {
        let (later, undoings) = (VecDeque::new(), Undoings::default());
        Self { actor, text, later, undoings, has_gone_on: false, has_ended: false, taken: None }
    }

    /// Goes back over an entry behind the group.
    fn go_back(&mut self, entry: &Entry, document: &DocName, step: Step, group: SeqRange) {
        self.undoings.see(entry);
        let is_undone = self.undoings.by(entry.group().first()).is_some();
        let undoes_later = entry.header().undoes.is_some_and(|undone| undone > group.last());
        if !is_undone && !undoes_later {
            let link = entry.link(document);
            self.has_gone_on = true;
            self.has_ended |= link.is_none_or(|link| link.base.is_absent() || link.new.is_absent());
        }
        self.text = step.before;
        self.later.push_front(step.later);
    }

    /// Goes back over an entry of the group.
    fn take_back(&mut self, entry: &Entry, document: &DocName) -> Result<(), MemoryError> {
        let splices = entry.splices(document).ok_or(ReplayError::Erased(entry.seq()))?;
        let before = text_before(entry, document, self.text.as_deref())?;
        let inverse = inverse(splices).ok_or(ReplayError::Misfit(entry.seq()))?;
        let whose = if entry.header().actor == *self.actor { Whose::Own } else { Whose::Others };
        let is_log = *document == DocName::activity() && entry.header().kind == EntryKind::Note;
        self.taken = Some(match self.taken.take() {
            // Several entries of a group: what they did together.
            Some(taken) => {
                let [after, before] =
                    [&taken.after, &before].map(|text| MemoryDoc::parse(text.as_deref().unwrap_or_default()));
                Taken { inverse: Edit::between(&after, &before).taking_back(whose), ..taken }
            }
            None => {
                let base = Revision::of(self.text.as_deref().unwrap_or_default());
                let puts = inverse.iter().map(|splice| (splice.covered(), &*splice.added));
                Taken {
                    after: self.text.take(),
                    inverse: Edit::putting(base, puts).taking_back(whose),
                    is_named: entry.header().documents.iter().any(|link| link.new.is_absent()),
                    unlogged: is_log.then(|| unlogged(entry, splices)),
                }
            }
        });
        self.text = before;
        Ok(())
    }

    /// Returns what takes the group back. `doc` reads a text of the document.
    fn way(self, doc: impl Fn(&str) -> MemoryDoc) -> Found {
        let Some(Taken { after, inverse, is_named, unlogged }) = self.taken else { return Found::Nothing };
        let is_last = !self.has_gone_on;
        match (self.text, after, unlogged) {
            (before, after, _) if before == after => Found::Nothing,
            (before, None, _) if is_last => Found::Way(Way::Create(before.unwrap_or_default().into())),
            _ if self.has_ended => Found::Overtaken,
            (None, Some(_), _) if is_last => Found::Way(Way::Delete),
            // What was written under the new name would stay there without the rest.
            (None, Some(_), _) if is_named => Found::Overtaken,
            // What the log gave up for want of room comes back where nothing was written since.
            (_, Some(_), Some(line)) if !is_last => Found::Way(Way::Anew(Box::new(line))),
            (_, None, _) => Found::Overtaken,
            (_, Some(after), _) => {
                let known = Box::new(Known::of(&doc(&after)));
                let (mut track, mut text) = (LineTrack::of(&after), after.clone());
                for later in &self.later {
                    text = later.edit.apply_to(&text);
                    track.follow(later, &text);
                }
                // What was taken back again is as if it had never been.
                let changes = if is_last { Vec::new() } else { track.changes(&text) };
                Found::Way(Way::Edit { known, restore: Box::new(Restore::new(inverse).along(changes)) })
            }
        }
    }
}

/// Asks for the line of the log to go that an entry wrote. The heading of its day stays for the lines that were written below it
/// since.
fn unlogged(entry: &Entry, splices: &[Splice]) -> ActivityLine {
    let mut lines = splices.iter().flat_map(|splice| splice.added.split('\n'));
    let line = lines.rfind(|line| line.starts_with("- ")).unwrap_or_default();
    ActivityLine::gone(line.trim_end_matches('\r'), entry.time())
}
