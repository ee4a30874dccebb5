//! Undo: what an entry did is taken back by a new edit among all that came later, or refused.

use std::collections::BTreeMap;

use serde_json::json;

use super::super::journal::{Entry, EntryKind, Seq};
use super::super::operation::Remark;
use super::super::tries::until_free;
use super::super::{Actor, Applied, DocName, Memory, MemoryError, Operation, Origin, RequestId};

/// What to take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// The latest entry of the caller's own that changed a document, is no undo, and is not undone.
    Last,
    /// The entry of this number.
    Entry(Seq),
}

/// What became of an undoing.
#[derive(Clone, Debug)]
pub enum Undone {
    /// It was made: what became of each document.
    Made(Vec<Applied>),
    /// The entry is undone already, by this one.
    Already(Seq),
    /// The entry changed no document.
    NoChange,
}

impl Memory {
    /// Takes back what an entry did to documents, by a new edit which can be undone itself.
    ///
    /// What was done later stays, and so does the line that tells of a note in `activity`. Where a later change touches what is to be taken back, nothing is changed.
    ///
    /// # Errors
    ///
    /// There is no such entry; what it takes was erased; `NotUndone`: later edits changed the same lines, or what they stand below;
    /// what an edit is refused for, if `origin` has no more authority than one; the store failed.
    pub fn undo(&self, which: Undo, origin: &Origin) -> Result<Undone, MemoryError> {
        let request = request_of(which);
        until_free(|| self.undo_once(which, origin, request))
    }

    /// Returns what [`undo`](Self::undo) would change in each document as it is now.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn would_undo(&self, which: Undo, origin: &Origin) -> Result<Vec<Applied>, MemoryError> {
        let found = self.found(which, origin, request_of(which))?;
        let operations =
            if found.undone_by.is_some() { Vec::new() } else { self.operations_back(&found, &origin.actor)? };
        self.planned(&operations, origin.authority)
    }

    fn found(&self, which: Undo, origin: &Origin, request: RequestId) -> Result<Found, MemoryError> {
        match which {
            Undo::Entry(seq) => self.found_entry(self.entry(seq)?),
            Undo::Last => self.last_of(&origin.actor, request.by(origin)),
        }
    }

    /// Returns what takes an entry back, for `actor`, in each document that it has changed.
    fn operations_back(&self, found: &Found, actor: &Actor) -> Result<Vec<Operation<'static>>, MemoryError> {
        let remark = Remark { undoes: Some(found.entry.seq()), ..Remark::default() };
        let back = found.documents().map(|document| self.back(document, &found.entry, actor));
        let mut operations: Vec<_> = back.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        operations.sort_by(|one, other| one.document.cmp(&other.document));
        Ok(operations.into_iter().map(|operation| operation.remarked(remark.clone())).collect())
    }

    fn undo_once(&self, which: Undo, origin: &Origin, request: RequestId) -> Result<Undone, MemoryError> {
        let found = self.found(which, origin, request)?;
        if let Some(by) = found.undone_by {
            return Ok(Undone::Already(by));
        }
        let operations = self.operations_back(&found, &origin.actor)?;
        if operations.is_empty() {
            return Ok(Undone::NoChange);
        }
        self.apply(&operations, origin, request).map(Undone::Made).map_err(|error| match error {
            MemoryError::NotRebased { document, .. } => {
                // What cannot be told is left out.
                let by = self.in_the_way(&document, &found.entry, &origin.actor).unwrap_or_default();
                MemoryError::NotUndone { document, by: Box::new(by) }
            }
            other => other,
        })
    }

    /// Finds out what took an entry back.
    fn found_entry(&self, entry: Entry) -> Result<Found, MemoryError> {
        if entry.header().kind == EntryKind::Genesis {
            return Err(MemoryError::UnknownEntry { entry: entry.seq() });
        }
        let mut found = Found { entry, undone_by: None };
        let mut undone_by = None;
        // Whatever took it back has changed one of the documents since, and not each: another may have been so already.
        for document in found.documents() {
            let mut undoings = Undoings::default();
            for step in self.entries_back(document)? {
                let (later, _) = step?;
                if later.seq() <= found.entry.seq() {
                    break;
                }
                undoings.see(&later);
            }
            undone_by = undone_by.max(undoings.by(&found.entry));
        }
        found.undone_by = undone_by;
        Ok(found)
    }

    /// Returns the latest entry of this actor that changed a document, is no undo, and is not undone; if the
    /// same request has landed already, and its answer was lost, what that has taken back.
    fn last_of(&self, actor: &Actor, request: Option<RequestId>) -> Result<Found, MemoryError> {
        let mut undoings = Undoings::default();
        for entry in self.latest_first()? {
            let entry = entry?;
            let header = entry.header();
            let is_own = header.actor == *actor && header.kind != EntryKind::Genesis && has_changed_a_document(&entry);
            let is_lost = header.undoes.is_some() && request.is_some_and(|request| entry.is_of(request));
            undoings.see(&entry);
            if is_own && is_lost {
                return self.undone(&entry);
            }
            if is_own && header.undoes.is_none() && undoings.by(&entry).is_none() {
                return self.found_entry(entry);
            }
        }
        Err(MemoryError::NothingToUndo { actor: actor.clone() })
    }

    /// Returns the entry that an undoing has taken back.
    fn undone(&self, undoing: &Entry) -> Result<Found, MemoryError> {
        let found = self.found_entry(self.entry(undoing.header().undoes.unwrap_or_default())?)?;
        Ok(Found { undone_by: Some(undoing.seq()), ..found })
    }
}

fn request_of(which: Undo) -> RequestId {
    let arguments = match which {
        Undo::Entry(seq) => json!({"entry": seq.get()}),
        Undo::Last => json!({"entry": "last"}),
    };
    RequestId::new("memory_undo", &arguments)
}

/// Reports whether an entry has changed a document, and not only what is recorded beside one.
fn has_changed_a_document(entry: &Entry) -> bool {
    let mut names = entry.header().documents.iter().map(|link| &link.name);
    names.any(|name| entry.splices(name).is_none_or(|splices| !splices.is_empty()))
}

/// An entry, and what took it back.
struct Found {
    entry: Entry,
    undone_by: Option<Seq>,
}

impl Found {
    /// Iterates over the documents that it has changed, but for the log: what was written stays told.
    fn documents(&self) -> impl Iterator<Item = &DocName> {
        let is_note = self.entry.header().kind == EntryKind::Note;
        let names = self.entry.header().documents.iter().map(|link| &link.name);
        names.filter(move |name| !is_note || **name != DocName::activity())
    }
}

/// Which entries have been taken back, as far as later entries that were seen say. They are seen latest first.
#[derive(Debug, Default)]
pub(crate) struct Undoings {
    by: BTreeMap<Seq, By>,
}

/// An undoing.
#[derive(Clone, Copy, Debug)]
struct By {
    entry: Seq,
    /// In format 1, it takes back all entries of a commit and names the first.
    is_of_commit: bool,
}

impl Undoings {
    pub(crate) fn see(&mut self, entry: &Entry) {
        // An undoing that is itself taken back has taken back nothing.
        if let Some(undone) = entry.header().undoes
            && self.by(entry).is_none()
        {
            self.by.insert(undone, By { entry: entry.seq(), is_of_commit: entry.is_of_format_1() });
        }
    }

    /// Returns the entry that took back this one.
    pub(crate) fn by(&self, entry: &Entry) -> Option<Seq> {
        let of_commit = || self.by.get(&entry.commit()).filter(|by| by.is_of_commit);
        self.by.get(&entry.seq()).or_else(of_commit).map(|by| by.entry)
    }
}
