//! Quarantine: what a write policy withholds is kept in the journal, until the host releases it.

use serde_json::json;

use super::drafts::{Asked, NewEntry};
use super::apply::Task;
use super::history::{entry_of, overtaken};
use super::journal::{Entry, Record, Seq, Withheld, WithheldEdit};
use super::operation::Remark;
use super::tries::until_free;
use super::{DocName, Memory, MemoryError, Moment, Operation, Origin, RequestId, Snapshot};
use crate::document::MemoryDoc;
use crate::edit::{Authority, Edit};
use crate::request::{Known, Restore};

/// What is withheld.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quarantined {
    /// The entry that keeps it: who asked for it, when, by which tool and why.
    pub entry: Entry,
    /// What was to be done, and why it was not.
    pub withheld: Withheld,
}

impl Memory {
    /// Returns what write policies have withheld and the host has not released, in the order in which it was asked for. What was
    /// redacted is left out: to [redact](Self::redact) such an entry is to throw it away.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn quarantined(&self) -> Result<Vec<Quarantined>, MemoryError> {
        let store = self.store()?;
        let numbers: Vec<Seq> = self.derived(store)?.withheld.keys().copied().collect();
        let mut quarantined = Vec::with_capacity(numbers.len());
        for seq in numbers {
            let entry = entry_of(store, seq)?;
            let withheld = withheld(&entry).cloned();
            quarantined.extend(withheld.map(|withheld| Quarantined { entry, withheld }));
        }
        Ok(quarantined)
    }

    /// Does what a write policy has withheld, on the documents as they are now, without asking the policy again. All other rules
    /// hold as they did for who asked. Returns the entry that does it; `None` if there is nothing left to do.
    ///
    /// # Errors
    ///
    /// `origin` has not the host's authority; there is nothing withheld under this number; `NotRebased`: later edits touched the same
    /// text; the result would break a rule; the store failed.
    pub fn release(&self, seq: Seq, origin: &Origin) -> Result<Option<Seq>, MemoryError> {
        if origin.authority != Authority::Host {
            return Err(MemoryError::HostOnly);
        }
        // It may do what it might have done, and no more.
        let origin = Origin { authority: Authority::Agent, ..origin.clone() };
        until_free(|| self.release_once(seq, &origin))
    }

    fn release_once(&self, seq: Seq, origin: &Origin) -> Result<Option<Seq>, MemoryError> {
        let (store, request) = (self.begin()?, RequestId::new("release", &json!(seq.get())));
        let entry = entry_of(store, seq)?;
        let derived = self.derived(store)?;
        let Some(withheld) = withheld(&entry).filter(|_| derived.withheld.contains_key(&seq)) else {
            return Err(MemoryError::UnknownEntry { entry: seq });
        };
        if !withheld.supersedes.is_empty() {
            derived.supersessions.check(&withheld.supersedes)?;
        }
        let expected_head = Some(derived.head());
        drop(derived);
        let (kind, supersedes, replaces) = (withheld.kind.clone(), withheld.supersedes.clone(), Some(seq));
        let record = match withheld.record.as_deref().cloned() {
            Some(Record::Block(version)) => {
                self.next_version(&version.label, &version.text, Some(version.is_core))?.record
            }
            record => record,
        };
        if let (Some(record), []) = (&record, withheld.documents.as_slice()) {
            let entry = NewEntry { kind, record: record.clone(), supersedes, replaces };
            let recorded = self.append(entry, &Asked { store, origin, request, expected_head })?;
            return Ok(Some(recorded.seq));
        }
        let remark = Remark { kind, record, replaces, undoes: withheld.undoes };
        let names: Vec<DocName> = withheld.documents.iter().map(|edit| edit.name.clone()).collect();
        let snapshot = store.read(&names)?;
        let operation = |edit| Ok(self.withheld_edit(edit, &snapshot)?.remarked(remark.clone()));
        let operations = withheld.documents.iter().map(operation).collect::<Result<Vec<_>, MemoryError>>()?;
        let applied = self.apply_as(&Task { operations: &operations, origin, request, is_judged: true })?;
        Ok(applied.iter().find_map(|applied| applied.seq))
    }

    /// Returns what was to be done to a document. It is overtaken if the document was to be deleted, and is another now, or was to
    /// be edited, and is deleted.
    fn withheld_edit(&self, edit: &WithheldEdit, snapshot: &Snapshot) -> Result<Operation<'static>, MemoryError> {
        let (name, stored) = (&edit.name, snapshot.of(&edit.name));
        let before = edit.previous.map(|previous| self.text_at(name, &Moment::After(previous))).transpose()?.flatten();
        let is_new = before.is_none();
        let base = MemoryDoc::with_rules(before.unwrap_or_default(), self.rules_of(name).clone());
        let (current, exists) = (self.parse(name, stored), stored.is_some_and(|stored| stored.text.is_some()));
        let planned = edit.splices.as_ref().map(|splices| {
            Edit::putting(base.revision(), splices.iter().map(|splice| (splice.covered(), &*splice.added)))
        });
        let operation = match planned {
            None if current.revision() == base.revision() => Operation::delete(name.clone()),
            Some(planned) if exists => Operation::take_back(name.clone(), Known::of(&base), Restore::new(planned)),
            Some(planned) if is_new => Operation::create(name.clone(), &planned.apply_to(base.text()).into()),
            _ => return Err(overtaken(name, current)),
        };
        Ok(operation.at(snapshot.version(name)))
    }
}

/// Returns what an entry withholds, if it does and was not erased.
fn withheld(entry: &Entry) -> Option<&Withheld> {
    match &entry.body()?.record {
        Some(Record::Withheld(withheld)) => Some(withheld),
        _ => None,
    }
}
