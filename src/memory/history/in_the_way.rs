//! The way back: what takes an entry back in one document, and what came later in its way.
//!
//! It is found by going back from the text that stands there now, entry by entry. A document that was deleted and made anew is
//! another one.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fmt;

use super::line_track::{Later, LineTrack};
use super::{TextWalk, Undoings};
use crate::document::MemoryDoc;
use crate::edit::{Edit, Since, Whose, carried};
use crate::memory::journal::{DocumentLink, Entry, LinkKind, ReplayError, Seq, inverse, text_before};
use crate::memory::{Actor, DocName, Memory, MemoryError, Operation, Snapshot, Store};
use crate::request::{Known, Refusal, RequestError, Restore};
use crate::text::{Content, Lines, Revision, Span, excerpt, is_blank};

/// How many later entries are looked at for the one that is in the way.
const LOOKED_AT: usize = 256;

/// How many lines of each kind are told, and how much of each, in characters.
const SHOWN: usize = 5;
const EXCERPT: usize = 80;

/// What is in the way of an undoing.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct InTheWay {
    /// The first later entry with which what is to be taken back cannot be merged.
    pub entry: Option<Seq>,
    /// The lines that stand there since that entry.
    pub lines: Vec<Content>,
    /// The lines that the entry to be undone wrote or removed, and that could be taken back alone.
    pub free: Vec<Content>,
}

impl fmt::Display for InTheWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry {
            Some(entry) => write!(f, "edit {entry} has changed lines of it since, or what they stand below")?,
            None => f.write_str("lines of it, or what they stand below, have been changed since")?,
        }
        for (what, lines) in [("", &self.lines), ("; what could be taken back alone: ", &self.free)] {
            let shown = lines.iter().take(SHOWN).map(|line| format!("`{}`", excerpt(line, EXCERPT)));
            let shown = shown.collect::<Vec<_>>().join(", ");
            let lead = if what.is_empty() { ": " } else { what };
            if !shown.is_empty() {
                write!(f, "{lead}{shown}")?;
            }
            if lines.len() > SHOWN {
                write!(f, " and {} more", lines.len() - SHOWN)?;
            }
        }
        Ok(())
    }
}

/// Refuses to do again, or to take back, what was done to a document that is another one by now.
pub(crate) fn overtaken(document: &DocName, current: MemoryDoc) -> MemoryError {
    let error = RequestError::of(0, Refusal::Conflict { span: None, now: Content::default() });
    MemoryError::NotRebased { document: document.clone(), error, current }
}

impl Memory {
    /// Returns what takes back the changes that an entry made to a document, for `actor`; `None` if they come to nothing.
    ///
    /// # Errors
    ///
    /// `NotRebased`: the document was deleted, or made anew, since. What it takes was erased, or does not fit; the store cannot be
    /// read.
    pub(super) fn back(
        &self,
        document: &DocName,
        target: &Entry,
        actor: &Actor,
    ) -> Result<Option<Operation<'static>>, MemoryError> {
        let snapshot = self.store()?.read(std::slice::from_ref(document))?;
        let stored = snapshot.of(document);
        let walk = Walk::to(self.store()?, document, &snapshot, target, actor)?;
        if walk.undoings.by(target).is_some() {
            // Somebody has taken it back since it was looked for.
            return Err(MemoryError::Contended { document: document.clone() });
        }
        let way = walk.way(document, |text| self.doc_of(document, text));
        let way = way.ok_or_else(|| overtaken(document, self.parse(document, stored)))?;
        Ok(way.map(|operation| operation.at(snapshot.version(document))))
    }

    fn doc_of(&self, document: &DocName, text: &str) -> MemoryDoc {
        MemoryDoc::with_rules(text, self.rules_of(document).clone())
    }

    /// Finds out which later entry is in the way of taking an entry back in a document.
    ///
    /// # Errors
    ///
    /// What it takes was erased, or does not fit; the store cannot be read.
    pub(super) fn in_the_way(
        &self,
        document: &DocName,
        target: &Entry,
        actor: &Actor,
    ) -> Result<InTheWay, MemoryError> {
        let snapshot = self.store()?.read(std::slice::from_ref(document))?;
        let text = snapshot.of(document).and_then(|stored| stored.text.as_deref());
        let current = self.doc_of(document, text.unwrap_or_default());
        let walk = Walk::to(self.store()?, document, &snapshot, target, actor)?;
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
            if let Err(conflict) = carried(&after, &inverse, &doc, Since::Recorded(&track.changes(&text))) {
                let start = |line| doc.lines().start(line);
                entry = Some(later.seq);
                lines = lines_of(&doc, Span::new(start(conflict.now.start), start(conflict.now.end)));
            }
        }
        let changes = track.changes(&text);
        let alone = inverse.splices().iter().take(LOOKED_AT).filter(|splice| {
            let alone = Edit::putting(inverse.base(), [(splice.span, &*splice.text)].into_iter());
            carried(&after, &alone, &current, Since::Recorded(&changes)).is_ok()
        });
        let free = alone.flat_map(|splice| match is_blank(splice.span.of(after.text())) {
            true => Lines::of(&splice.text).map(|line| line.text.of(&splice.text).into()).collect(),
            false => lines_of(&after, splice.span),
        });
        Ok(InTheWay { entry, lines, free: free.collect() })
    }
}

/// Returns the lines with words under a span.
fn lines_of(doc: &MemoryDoc, span: Span) -> Vec<Content> {
    let start = doc.lines().start(doc.lines().index_at(span.start()));
    let lines = Lines::within(doc.text(), Span::new(start, span.end())).map(|line| line.text.of(doc.text()));
    lines.filter(|line| !is_blank(line)).map(Content::from).collect()
}

/// A document on its way back to before an entry.
struct Walk {
    /// The text before the entry; `None` if the document did not exist.
    text: Option<String>,
    /// What was done to it behind the entry, in that order.
    later: VecDeque<Later>,
    undoings: Undoings,
    /// Whether one of them was not taken back, and is no undoing of another of them.
    has_gone_on: bool,
    /// Whether such a one has deleted the document, or made it anew.
    has_ended: bool,
    taken: Option<Taken>,
}

/// What the entry did to the document.
struct Taken {
    /// The text after it; `None` if the document did not exist.
    after: Option<String>,
    inverse: Edit,
    /// Whether it gave the document its name.
    is_named: bool,
}

impl Walk {
    /// Goes back from a document as it stands to before the entry `target`, for `actor`.
    fn to(
        store: &dyn Store,
        document: &DocName,
        snapshot: &Snapshot,
        target: &Entry,
        actor: &Actor,
    ) -> Result<Self, MemoryError> {
        let (later, undoings) = (VecDeque::new(), Undoings::default());
        let mut walk = Self { text: None, later, undoings, has_gone_on: false, has_ended: false, taken: None };
        let mut back = TextWalk::of(store, document, snapshot);
        while let Some((entry, name)) = back.step()? {
            match entry.seq().cmp(&target.seq()) {
                Ordering::Greater if name == *document => walk.go_back(&entry, document, back.text(), target)?,
                Ordering::Equal => walk.take_back(&entry, document, back.text(), actor)?,
                _ => break,
            }
        }
        Ok(walk)
    }

    /// Goes back over an entry behind the one to take back, after which the text is `text`.
    fn go_back(
        &mut self,
        entry: &Entry,
        document: &DocName,
        text: Option<&str>,
        target: &Entry,
    ) -> Result<(), MemoryError> {
        self.undoings.see(entry);
        let is_undone = self.undoings.by(entry).is_some();
        let undoes_later = entry.header().undoes.is_some_and(|undone| undone > target.seq());
        if !is_undone && !undoes_later {
            let link = entry.link(document);
            self.has_gone_on = true;
            self.has_ended |= link.is_none_or(|link| link.kind != LinkKind::Changed);
        }
        let splices = entry.splices(document).ok_or(ReplayError::Erased(entry.seq()))?;
        let before = text_before(entry, document, text)?.unwrap_or_default();
        let puts = splices.iter().map(|splice| (splice.covered(), &*splice.added));
        let edit = Edit::putting(Revision::of(&before), puts);
        let undoes = entry.header().undoes;
        self.later.push_front(Later { seq: entry.seq(), commit: entry.commit(), undoes, edit });
        Ok(())
    }

    /// Goes back over the entry, after which the text is `text`.
    fn take_back(
        &mut self,
        entry: &Entry,
        document: &DocName,
        text: Option<&str>,
        actor: &Actor,
    ) -> Result<(), MemoryError> {
        let splices = entry.splices(document).ok_or(ReplayError::Erased(entry.seq()))?;
        self.text = text_before(entry, document, text)?;
        let inverse = inverse(splices).ok_or(ReplayError::Misfit(entry.seq()))?;
        let whose = if entry.header().actor == *actor { Whose::Own } else { Whose::Others };
        let puts = inverse.iter().map(|splice| (splice.covered(), &*splice.added));
        self.taken = Some(Taken {
            after: text.map(str::to_owned),
            inverse: Edit::putting(Revision::of(text.unwrap_or_default()), puts).taking_back(whose),
            is_named: entry.header().documents.iter().any(DocumentLink::is_deletion),
        });
        Ok(())
    }

    /// Returns what takes the entry back, `Some(None)` if nothing does; `None` if the document is another one by now. `doc` reads a
    /// text of the document.
    fn way(self, document: &DocName, doc: impl Fn(&str) -> MemoryDoc) -> Option<Option<Operation<'static>>> {
        // It had another name by then.
        let Taken { after, inverse, is_named } = self.taken?;
        let is_last = !self.has_gone_on;
        if self.text == after {
            return Some(None);
        }
        Some(Some(match (self.text, after) {
            (before, None) if is_last => Operation::create(document.clone(), &before.unwrap_or_default().into()),
            _ if self.has_ended => return None,
            (None, Some(_)) if is_last => Operation::delete(document.clone()),
            // What was written under the new name would stay there without the rest.
            (None, Some(_)) if is_named => return None,
            (_, None) => return None,
            (_, Some(after)) => {
                let known = Known::of(&doc(&after));
                let (mut track, mut text) = (LineTrack::of(&after), after.clone());
                for later in &self.later {
                    text = later.edit.apply_to(&text);
                    track.follow(later, &text);
                }
                // What was taken back again is as if it had never been.
                let changes = if is_last { Vec::new() } else { track.changes(&text) };
                Operation::take_back(document.clone(), known, Restore::new(inverse).along(changes))
            }
        }))
    }
}
