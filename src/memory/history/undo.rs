//! Undo: what an entry did is taken back by a new edit among all that came later, or refused.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::super::error::MemoryError;
use super::super::handle::Memory;
use super::super::journal::{Entry, EntryKind, Seq, SeqRange, Splice, inverse};
use super::super::name::DocName;
use super::super::operation::{Applied, Operation, Remark, Undoing};
use super::super::origin::{Actor, Origin};
use super::super::request_id::RequestId;
use super::super::store::EntryQuery;
use super::listing::Undoings;
use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::request::{ActivityLine, Basis, Known, Restore};
use crate::text::Span;

/// How many entries are read at once.
const PAGE: u64 = 64;

/// What to take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// The latest entry of the caller's own that changed a document and is not undone.
    Last,
    /// The entry of this number, with all entries of its group.
    Entry(Seq),
}

/// What became of an undoing.
#[derive(Clone, Debug)]
pub enum Undone {
    /// It was made: what became of each document.
    Made(Vec<Applied>),
    /// The entry is undone already, by the group that begins with this one.
    Already(Seq),
    /// The entry changed no document.
    NoChange,
}

impl Memory {
    /// Takes back what a group of entries did to documents, by a new edit which can be undone itself.
    ///
    /// What was done later stays. Where that touches what is to be taken back, nothing is changed.
    ///
    /// # Errors
    ///
    /// There is no such entry; what it takes was erased; `NotRebased`: later edits changed the same text; a reserved section would
    /// change, and `origin` has not the authority; the store failed.
    pub fn undo(&self, which: Undo, origin: &Origin) -> Result<Undone, MemoryError> {
        let arguments = match which {
            Undo::Entry(seq) => json!({"entry": seq.get()}),
            Undo::Last => json!({"entry": "last"}),
        };
        let request = RequestId::new("memory_undo", &arguments);
        let as_of = self.store().head()?.seq;
        let found = match which {
            Undo::Entry(seq) => self.group_of(seq)?,
            Undo::Last => self.last_of(&origin.actor, origin.since.map(|since| request.since(since.get())))?,
        };
        if let Some(by) = found.undone_by {
            return Ok(Undone::Already(by));
        }
        let backs = self.backs(&found.entries)?;
        if backs.is_empty() {
            return Ok(Undone::NoChange);
        }
        let undoing = Undoing { first: found.group.first(), as_of };
        let remark = Remark { undoes: Some(undoing), ..Remark::default() };
        let operations: Vec<_> = backs.iter().map(|back| back.operation().remarked(remark.clone())).collect();
        match self.apply(&operations, origin, request) {
            Ok(applied) => Ok(Undone::Made(applied)),
            // Somebody else has taken it back in the meantime.
            Err(MemoryError::Undone { by }) => Ok(Undone::Already(by)),
            Err(error) => Err(error),
        }
    }

    /// Returns the group of an entry, and what took it back.
    fn group_of(&self, seq: Seq) -> Result<Found, MemoryError> {
        let group = self.entry(seq)?.group();
        let limit = usize::try_from(group.last().get() - group.first().get() + 1).unwrap_or(usize::MAX);
        let entries = self.store().entries(&EntryQuery::From { seq: group.first(), limit })?;
        if entries.iter().any(|entry| entry.header().kind == EntryKind::Genesis) {
            return Err(MemoryError::UnknownEntry { entry: seq });
        }
        let documents: BTreeSet<_> =
            entries.iter().flat_map(|entry| &entry.header().documents).map(|link| link.name.clone()).collect();
        let mut undone_by = None;
        // Whatever took it back has changed one of the documents since, and not each: another may have been so already.
        for document in &documents {
            let mut undoings = Undoings::default();
            self.find_back(document, |entry| {
                undoings.see(entry);
                entry.seq() <= group.last()
            })?;
            undone_by = undone_by.max(undoings.by(group.first()));
        }
        Ok(Found { undone_by, group, entries })
    }

    /// Returns the group of the latest entry of this actor that changed a document and is not undone; if the
    /// same request has landed already, and its answer was lost, what that has taken back.
    fn last_of(&self, actor: &Actor, request: Option<RequestId>) -> Result<Found, MemoryError> {
        let mut undoings = Undoings::default();
        let mut end = self.store().head()?.seq.plus(1);
        while end > Seq::FIRST {
            let start = end.minus(PAGE).max(Seq::FIRST);
            let limit = usize::try_from(end.get() - start.get()).unwrap_or(usize::MAX);
            let entries = self.store().entries(&EntryQuery::From { seq: start, limit })?;
            for entry in entries.iter().rev().filter(|entry| entry.seq() < end) {
                let header = entry.header();
                let is_own =
                    header.actor == *actor && header.kind != EntryKind::Genesis && !header.documents.is_empty();
                let is_lost = header.undoes.is_some() && request.is_some_and(|request| entry.is_of(request));
                undoings.see(entry);
                if is_own && is_lost {
                    return self.undone(entry);
                }
                if is_own && undoings.by(entry.group().first()).is_none() {
                    return self.group_of(entry.seq());
                }
            }
            end = start;
        }
        Err(MemoryError::NothingToUndo { actor: actor.clone() })
    }

    /// Returns the group that an undoing has taken back.
    fn undone(&self, undoing: &Entry) -> Result<Found, MemoryError> {
        let found = self.group_of(undoing.header().undoes.unwrap_or_default())?;
        Ok(Found { undone_by: Some(undoing.group().first()), ..found })
    }

    /// Reports whether a document is there, and is another than it was.
    fn has_changed(&self, document: &DocName, was: &MemoryDoc) -> bool {
        self.read(document).is_ok_and(|doc| doc.revision() != was.revision())
    }

    /// Returns what takes back the changes of a group, document by document.
    fn backs(&self, entries: &[Entry]) -> Result<Vec<Back>, MemoryError> {
        let mut backs: BTreeMap<DocName, Back> = BTreeMap::new();
        for entry in entries {
            for link in &entry.header().documents {
                let Some(splices) = entry.splices(&link.name) else {
                    return Err(MemoryError::Erased { entry: entry.seq() });
                };
                let after = self.text_after(&link.name, entry.clone())?;
                let after = after.map(|text| MemoryDoc::with_rules(text, self.rules_of(&link.name).clone()));
                let back = inverse(splices).ok_or(MemoryError::ChainBroken { entry: entry.seq() })?;
                let way = match after {
                    // Of a document that is gone, the text that it had.
                    None => Way::Create(back.iter().map(|splice| &*splice.added).collect::<String>().into()),
                    Some(after) if link.base.is_absent() && !self.has_changed(&link.name, &after) => {
                        Way::Delete(after.revision())
                    }
                    Some(_) if link.name == DocName::activity() && entry.header().kind == EntryKind::Note => {
                        Way::Unlog(unlogged(entry, splices))
                    }
                    Some(after) => {
                        let spans = back
                            .iter()
                            .map(|splice| (Span::new(splice.at, splice.at + splice.removed.len()), &*splice.added));
                        let edit = Edit::taking_back(&after, spans);
                        Way::Edit { known: Box::new(Known::of(&after)), restore: Restore::new(edit) }
                    }
                };
                backs.insert(link.name.clone(), Back { document: link.name.clone(), way });
            }
        }
        Ok(backs.into_values().collect())
    }
}

/// A group of entries.
struct Found {
    group: SeqRange,
    entries: Vec<Entry>,
    undone_by: Option<Seq>,
}

/// What takes back the change of one document.
struct Back {
    document: DocName,
    way: Way,
}

enum Way {
    Create(crate::text::Content),
    Delete(crate::text::Revision),
    Edit { known: Box<Known>, restore: Restore },
    Unlog(ActivityLine),
}

/// Asks for the line of the log to go that an entry wrote. The heading of its day stays for the lines that were written below it
/// since.
fn unlogged(entry: &Entry, splices: &[Splice]) -> ActivityLine {
    let mut lines = splices.iter().flat_map(|splice| splice.added.split('\n'));
    let line = lines.rfind(|line| line.starts_with("- ")).unwrap_or_default();
    ActivityLine::gone(line.trim_end_matches('\r'), entry.time())
}

impl Back {
    fn operation(&self) -> Operation<'_> {
        let document = self.document.clone();
        match &self.way {
            Way::Create(text) => Operation::create(document, text),
            Way::Delete(revision) => Operation::delete_at(document, *revision),
            Way::Edit { known, restore } => Operation::take_back(document, known, restore),
            Way::Unlog(line) => Operation::edit(document, Basis::Anything, line),
        }
    }
}
