//! [`Documents`]: what the documents say, passage by passage: a bullet, a note, a heading, a paragraph.
//!
//! A document is read again when its text is another, and no other document then.

use std::collections::BTreeMap;

use super::index::Index;
use super::weights::Standing;
use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::memory::{DocName, Memory, MemoryError, NewMemory};
use crate::request::NoteEdit;
use crate::text::{Line, Lines, Span, is_blank};

/// What all documents say.
#[derive(Default)]
pub(super) struct Documents {
    read: BTreeMap<DocName, Passages>,
}

impl Documents {
    /// Reads this document, or without a name all but the log of activity, where they are not what they were.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(super) fn follow(&mut self, memory: &Memory, wanted: Option<&DocName>) -> Result<(), MemoryError> {
        let revisions = memory.revisions()?;
        // In the order of their names.
        let found = |name: &DocName| revisions.binary_search_by(|(known, _)| known.cmp(name)).ok();
        let revision = |name: &DocName| found(name).and_then(|at| revisions.get(at)).map(|(_, revision)| *revision);
        self.read.retain(|name, passages| revision(name) == Some(passages.doc.revision()));
        for (name, _) in revisions.into_iter().filter(|(name, _)| is_wanted(name, wanted)) {
            if self.read.contains_key(&name) {
                continue;
            }
            match memory.read(&name) {
                Ok(doc) => drop(self.read.insert(name.clone(), Passages::new(&name, doc))),
                // It has been deleted since.
                Err(MemoryError::UnknownDocument { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Iterates over these documents, in the order of their names.
    pub(super) fn iter<'a>(
        &'a self,
        wanted: Option<&'a DocName>,
    ) -> impl Iterator<Item = (&'a DocName, &'a Passages)> + Clone {
        self.read.iter().filter(move |(name, _)| is_wanted(name, wanted))
    }
}

fn is_wanted(name: &DocName, wanted: Option<&DocName>) -> bool {
    wanted.map_or_else(|| *name != DocName::activity(), |wanted| name == wanted)
}

/// What one document says.
pub(super) struct Passages {
    pub(super) doc: MemoryDoc,
    pub(super) index: Index,
    // Invariant: in the order of the texts of the index.
    places: Vec<Place>,
}

/// Where a passage stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The bullet of this index.
    Bullet(usize),
    /// The note that is the section of this index.
    Note(usize),
    /// These lines.
    Lines(Span),
}

impl Passages {
    fn new(name: &DocName, doc: MemoryDoc) -> Self {
        let mut passages = Self { index: Index::default(), places: Vec::new(), doc: doc.clone() };
        let mut notes = Vec::new();
        if *name == DocName::notes() {
            for (section, content) in NoteEdit::all(&doc) {
                notes.push(section.extent);
                passages.add(Place::Note(section.index()), &format!("{} {content}", section.title()));
            }
        }
        let next_note = |at: usize| notes.get(notes.partition_point(|note| note.end() <= at));
        let is_free = |at: usize| next_note(at).is_none_or(|note| !note.contains(at));
        for bullet in doc.bullets().filter(|bullet| is_free(bullet.line.start())) {
            let text = format!("{} {}", bullet.tags().join(" "), bullet.content());
            passages.add(Place::Bullet(bullet.index()), &text);
        }
        for lines in prose(&doc).into_iter().filter(|lines| is_free(lines.start())) {
            passages.add(Place::Lines(lines), lines.of(doc.text()));
        }
        passages
    }

    fn add(&mut self, place: Place, text: &str) {
        self.index.add_with_forms(text);
        self.places.push(place);
    }

    /// Iterates over the passages.
    pub(super) fn iter(&self) -> impl Iterator<Item = PassageRef<'_>> {
        self.places.iter().map(|place| PassageRef { doc: &self.doc, place: *place })
    }

    /// Returns the passage of this number.
    pub(super) fn get(&self, at: usize) -> Option<PassageRef<'_>> {
        self.places.get(at).map(|place| PassageRef { doc: &self.doc, place: *place })
    }
}

/// Returns the lines that are no bullet's, paragraph by paragraph; a heading is one by itself.
fn prose(doc: &MemoryDoc) -> Vec<Span> {
    let mut bullets = doc.bullets().filter(|bullet| bullet.depth() == 0).map(|bullet| bullet.extent).peekable();
    let mut headings = doc.sections().map(|section| section.line.start()).peekable();
    let (mut paragraphs, mut open): (Vec<Span>, Option<Span>) = (Vec::new(), None);
    let rest = Span::new(doc.line_start(0), doc.text().len());
    for Line { full, text } in Lines::within(doc.text(), rest) {
        while bullets.next_if(|extent| extent.end() <= full.start()).is_some() {}
        let is_heading = headings.next_if(|start| *start <= full.start()).is_some();
        let is_bullet = bullets.peek().is_some_and(|extent| extent.contains(full.start()));
        if is_heading || is_bullet || is_blank(text.of(doc.text())) {
            paragraphs.extend(open.take());
        }
        match is_heading {
            true => paragraphs.push(text),
            false if is_bullet || is_blank(text.of(doc.text())) => {}
            false => open = Some(Span::new(open.map_or(text.start(), Span::start), text.end())),
        }
    }
    paragraphs.extend(open);
    paragraphs
}

/// A passage, with the document that it stands in.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassageRef<'a> {
    doc: &'a MemoryDoc,
    place: Place,
}

impl<'a> PassageRef<'a> {
    /// Returns the bullet that it is.
    pub(super) fn bullet(self) -> Option<BulletRef<'a>> {
        match self.place {
            Place::Bullet(index) => self.doc.bullet(index),
            _ => None,
        }
    }

    /// Returns the section that is the note that it is.
    pub(super) fn note(self) -> Option<SectionRef<'a>> {
        match self.place {
            Place::Note(index) => self.doc.section(index),
            _ => None,
        }
    }

    /// Returns where it stands.
    pub(super) fn span(self) -> Span {
        match self.place {
            Place::Lines(lines) => lines,
            Place::Bullet(_) => self.bullet().map_or(self.doc.span(), |bullet| bullet.line),
            Place::Note(_) => self.note().map_or(self.doc.span(), |note| note.line),
        }
    }

    /// Returns the number, from 1, of the line that it begins with.
    pub(super) fn line_number(self) -> usize {
        self.doc.line_number(self.span().start())
    }

    /// Returns the section that it stands in; of a heading, its own.
    pub(super) fn section(self) -> Option<SectionRef<'a>> {
        self.doc.section_at(self.span().start())
    }

    /// Returns what it says, without markers and tags.
    pub(super) fn text(self) -> String {
        match self.place {
            Place::Lines(lines) => lines.of(self.doc.text()).to_owned(),
            Place::Bullet(_) => self.bullet().map(|bullet| bullet.content().into_owned()).unwrap_or_default(),
            Place::Note(_) => {
                self.note().map(|note| format!("{}\n{}", note.title(), NoteEdit::content(note))).unwrap_or_default()
            }
        }
    }

    /// Returns what counts of it beside its words.
    pub(super) fn standing(self) -> Standing {
        let bullet = self.bullet();
        let is_pinned = bullet.is_some_and(BulletRef::is_pinned);
        let importance = if is_pinned { 10 } else { NewMemory::IMPORTANCE };
        Standing { time: bullet.and_then(BulletRef::dated), importance, tier: None }
    }
}
