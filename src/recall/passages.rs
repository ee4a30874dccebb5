//! [`Documents`]: an index of the passages of all documents: bullets, notes, headings and paragraphs.
//!
//! A document is read again only if its text has changed.

use litemap::LiteMap;

use super::index::Index;
use super::pieces::{Item, pieces};
use super::weights::factor;
use crate::document::{BulletRef, MemoryDoc};
use crate::memory::{DocName, Memory, MemoryError, NewMemory};
use crate::request::NoteEdit;
use crate::text::{Content, Line, Revision, Span, Timestamp, is_blank};

/// The passages of all documents.
#[derive(Default)]
pub(super) struct Documents {
    read: LiteMap<DocName, Passages>,
}

impl Documents {
    /// Reads the wanted document, if it has changed; without one, all documents but `activity` that have changed.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(super) fn follow(&mut self, memory: &Memory, wanted: Option<&DocName>) -> Result<(), MemoryError> {
        let revisions: LiteMap<DocName, Revision> = memory.revisions()?.into_iter().collect();
        self.read.retain(|name, passages| revisions.get(name) == Some(&passages.doc.revision()));
        for name in revisions.keys().filter(|name| is_wanted(name, wanted)) {
            if self.read.contains_key(name) {
                continue;
            }
            match memory.read(name) {
                Ok(doc) => drop(self.read.insert(name.clone(), Passages::new(name, doc))),
                // Somebody has deleted it in the meantime.
                Err(MemoryError::UnknownDocument { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Iterates over these documents, in the order of their names.
    pub(super) fn iter<'a>(&'a self, wanted: Option<&'a DocName>) -> impl Iterator<Item = &'a Passages> + Clone {
        self.read.values().filter(move |passages| is_wanted(&passages.name, wanted))
    }
}

/// Returns true if a search covers a document. Without a wanted one, it covers all documents but `activity`.
pub(super) fn is_wanted(name: &DocName, wanted: Option<&DocName>) -> bool {
    wanted.map_or_else(|| *name != DocName::activity(), |wanted| name == wanted)
}

/// The passages of a document.
pub(super) struct Passages {
    pub(super) name: DocName,
    pub(super) doc: MemoryDoc,
    pub(super) index: Index,
    // Invariant: in the order of the texts of the index.
    pub(super) all: Vec<DocPassage>,
}

/// A passage of a document: a bullet, a note, a heading, a paragraph.
pub(super) struct DocPassage {
    /// The offset of its first line.
    pub(super) start: usize,
    /// Its text, without markers and tags.
    pub(super) text: String,
    /// The index of the bullet, if it is one.
    pub(super) bullet: Option<usize>,
    /// The key of the note, if it is one.
    pub(super) note: Option<Content>,
}

impl Passages {
    fn new(name: &DocName, doc: MemoryDoc) -> Self {
        let mut passages = Self { name: name.clone(), index: Index::default(), all: Vec::new(), doc: doc.clone() };
        let mut notes = Vec::new();
        if *name == DocName::notes() {
            for (section, content) in NoteEdit::all(&doc) {
                notes.push(section.extent);
                let (start, note) = (section.line.start(), Some(section.title().into()));
                let text = format!("{}\n{content}", section.title());
                passages.index.add_with_forms(&text);
                passages.all.push(DocPassage { start, text, bullet: None, note });
            }
        }
        let next_note = |at: usize| notes.get(notes.partition_point(|note| note.end() <= at));
        let is_free = |at: usize| next_note(at).is_none_or(|note| !note.contains(at));
        for bullet in doc.bullets().filter(|bullet| is_free(bullet.line.start())) {
            let (start, text) = (bullet.line.start(), bullet.content().into_owned());
            passages.index.add_with_forms(&format!("{} {text}", bullet.tags().join(" ")));
            passages.all.push(DocPassage { start, text, bullet: Some(bullet.index()), note: None });
        }
        let is_prose = |piece: &Item| is_free(piece.start) && doc.bullet_at(piece.start).is_none();
        for Item { start, text, .. } in pieces(&doc, Timestamp::default()).into_iter().filter(is_prose) {
            // A piece may have several paragraphs: a fence is one piece.
            let lines: Vec<Line> = Line::all(&text).collect();
            for paragraph in lines.split(|line| is_blank(line.text.of(&text))) {
                let (Some(first), Some(last)) = (paragraph.first(), paragraph.last()) else { continue };
                let (below, end) = (first.full.start(), last.full.end());
                let text = Span::new(below, end).of(&text).to_owned();
                passages.index.add_with_forms(&text);
                passages.all.push(DocPassage { start: start + below, text, bullet: None, note: None });
            }
        }
        passages
    }

    /// Returns the bullet of a passage.
    pub(super) fn bullet(&self, passage: &DocPassage) -> Option<BulletRef<'_>> {
        self.doc.bullets().nth(passage.bullet?)
    }

    /// Returns the factor by which the relevance of a passage is multiplied.
    pub(super) fn factor(&self, passage: &DocPassage, now: Timestamp) -> f64 {
        let bullet = self.bullet(passage);
        let is_pinned = bullet.is_some_and(BulletRef::is_pinned);
        let importance = if is_pinned { 10 } else { NewMemory::IMPORTANCE };
        factor(bullet.and_then(BulletRef::dated), importance, None, now)
    }
}
