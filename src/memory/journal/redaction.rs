//! Redaction: which parts of which entries hold a text that is to be erased.
//!
//! A body is erased if it holds the text, and also if its splices made or broke it in a document: `12` and then `34` put behind it
//! are `1234`, and replaying both would tell it. What an entry is looked up by is erased wherever the document held the text before
//! or after the entry, since the revision can be computed by whoever guesses the rest, and wherever the body is, since the
//! request's ID can. Texts are compared byte for byte: a host that wants another spelling gone names it, too.

use std::collections::{BTreeMap, BTreeSet};

use super::super::DocName;
use super::format_1::Old;
use super::needles::Needles;
use super::splice::apply;
use super::{DocumentLink, Entry, EntryKind, Erased, Record, Runs, Seq, Splice, inverse, text_after, text_before};

/// Reads a journal from its beginning and finds what must be erased. Holds the texts of all documents.
pub struct Redactor {
    needles: Needles,
    /// Each document, and the last entry that changed it.
    documents: BTreeMap<DocName, (Seq, Text)>,
    gaps: BTreeSet<DocName>,
    erased: Erased,
    headers: Runs,
}

/// What is to be erased.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redaction {
    /// The parts, as the header of the redaction's entry says them.
    pub erased: Erased,
    /// The entries whose header holds one of the texts, as an actor, a source or a name. A header cannot be erased.
    pub headers: Runs,
    /// The documents that hold one of the texts now, sorted. They are edited before, or by, the redaction's entry.
    pub documents: Vec<DocName>,
    /// The documents that cannot be replayed over what is erased, sorted: the redaction's entry records them whole.
    pub snapshots: Vec<DocName>,
}

/// What is known of a document.
#[derive(Clone)]
enum Text {
    Absent,
    Known(String),
    /// What it takes to know it was erased or dropped, or cannot be read.
    Unknown,
}

impl Text {
    fn of(text: Option<String>) -> Self {
        text.map_or(Self::Absent, Self::Known)
    }

    fn known(&self) -> Option<&str> {
        match self {
            Self::Absent => Some(""),
            Self::Known(text) => Some(text),
            Self::Unknown => None,
        }
    }
}

/// How far an entry must be erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Nothing,
    Lookup,
    Both,
}

impl Redactor {
    /// Creates a redactor of `texts`.
    pub fn new(texts: &[&str]) -> Self {
        Self {
            needles: Needles::new(texts),
            documents: BTreeMap::new(),
            gaps: BTreeSet::new(),
            erased: Erased::default(),
            headers: Runs::EMPTY,
        }
    }

    /// Takes the next entry.
    pub fn entry(&mut self, entry: &Entry) {
        self.entry_from(entry, Reach::Nothing);
    }

    /// Takes the next entry, of which all goes that can, whatever it holds.
    pub fn whole_entry(&mut self, entry: &Entry) {
        self.entry_from(entry, Reach::Both);
    }

    fn entry_from(&mut self, entry: &Entry, mut reach: Reach) {
        for link in &entry.header().documents {
            reach = reach.max(self.document(entry, link));
        }
        let is_in_body = entry.body.as_ref().is_some_and(|body| self.needles.are_in_json(body.text()));
        if is_in_body || self.is_made_by_withheld(entry) {
            reach = Reach::Both;
        } else if entry.old.as_ref().and_then(Old::states).is_some_and(|states| self.needles.are_in_json(states)) {
            reach = reach.max(Reach::Lookup);
        }
        if reach == Reach::Both && entry.body().is_some() {
            self.erased.bodies.insert(entry.seq());
            self.gaps.extend(entry.header().documents.iter().map(|link| link.name.clone()));
        }
        if reach != Reach::Nothing && entry.has_lookup() {
            self.erased.lookups.insert(entry.seq());
        }
        if self.needles.are_in_json(entry.header.text()) {
            self.headers.insert(entry.seq());
        }
    }

    /// Ends the journal.
    pub fn finish(self) -> Redaction {
        let Self { needles, documents: texts, gaps, erased, headers } = self;
        let exists = |name: &DocName| texts.get(name).is_some_and(|(_, text)| !matches!(text, Text::Absent));
        let snapshots = gaps.into_iter().filter(exists).collect();
        let holds = |text: &Text| text.known().is_some_and(|text| needles.are_in(text));
        let documents = texts.iter().filter(|(_, (_, text))| holds(text)).map(|(name, _)| name.clone()).collect();
        Redaction { erased, headers, documents, snapshots }
    }

    /// Takes the change of one document.
    fn document(&mut self, entry: &Entry, link: &DocumentLink) -> Reach {
        let mut base = match self.documents.remove(&link.name) {
            Some((seq, text)) if link.previous == Some(seq) => text,
            None if link.is_creation() => Text::Absent,
            // Entries between them are not there, or cannot be read.
            _ => Text::Unknown,
        };
        // Where the entry has the new text whole, what was before is not needed.
        let before = if let Text::Known(text) = &base { Some(text.as_str()) } else { None };
        let new = text_after(entry, &link.name, before).map_or(Text::Unknown, Text::of);
        if let (Text::Unknown, Text::Known(text)) = (&base, &new) {
            base = text_before(entry, &link.name, Some(text)).map_or(Text::Unknown, Text::of);
        }
        let splices = entry.splices(&link.name).unwrap_or_default();
        // A redaction tells nothing of what was before.
        let tells_base = !link.is_creation() && entry.header().kind != EntryKind::Redaction;
        let reach = if self.is_made_by(splices, &base, &new) {
            Reach::Both
        } else if self.may_hold(&new) || (tells_base && self.may_hold(&base)) {
            Reach::Lookup
        } else {
            Reach::Nothing
        };
        self.documents.insert(link.name.clone(), (entry.seq(), new));
        reach
    }

    /// Reports whether an edit that an entry withholds would have made or broken one of the texts, or may have.
    fn is_made_by_withheld(&self, entry: &Entry) -> bool {
        let Some(Record::Withheld(withheld)) = entry.body().and_then(|body| body.record.as_ref()) else {
            return false;
        };
        withheld.documents.iter().any(|edit| {
            let splices = edit.splices.as_deref().unwrap_or_default();
            let base = match self.documents.get(&edit.name) {
                Some((seq, text)) if Some(*seq) == edit.previous => text.clone(),
                None if edit.previous.is_none() => Text::Absent,
                _ => Text::Unknown,
            };
            let new = base.known().and_then(|base| apply(base, splices).ok()).map_or(Text::Unknown, Text::Known);
            self.is_made_by(splices, &base, &new)
        })
    }

    /// Reports whether splices made, broke or moved together one of the texts; of a text that is not known, whether they may.
    fn is_made_by(&self, splices: &[Splice], base: &Text, new: &Text) -> bool {
        let touch = |text: Option<&str>, splices: &[Splice]| match text {
            Some(text) => splices.iter().any(|splice| self.needles.touch(text, splice.covered())),
            None => splices.iter().any(|splice| self.needles.may_be_made_with(&splice.removed)),
        };
        let back = inverse(splices).unwrap_or_default();
        touch(base.known(), splices) || touch(new.known(), &back)
    }

    /// Reports whether one of the texts stands in a text, or may.
    fn may_hold(&self, text: &Text) -> bool {
        text.known().is_none_or(|text| self.needles.are_in(text))
    }
}
