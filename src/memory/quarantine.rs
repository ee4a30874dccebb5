//! Quarantine: what a write policy withholds is kept in the journal, until the host releases it.

use serde_json::json;

use super::append::{Asked, NewEntry};
use super::apply::Task;
use super::deed::{Deed, Way};
use super::history::{entry_of, tip};
use super::journal::{Entry, Record, Seq, Withheld, WithheldEdit, WithheldEntry};
use super::operation::Remark;
use super::{DocName, Memory, MemoryError, Moment, Origin, Recorded, RequestId, Snapshot};
use crate::document::MemoryDoc;
use crate::edit::{Authority, Edit};
use crate::request::{Known, Refusal, RequestError, Restore};
use crate::text::Content;

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
        let store = self.begin()?;
        let entry = entry_of(store, seq)?;
        let is_withheld = self.derived(store)?.withheld.contains_key(&seq);
        let Some(withheld) = withheld(&entry).filter(|_| is_withheld) else {
            return Err(MemoryError::UnknownEntry { entry: seq });
        };
        // It may do what it might have done, and no more.
        let origin = Origin { authority: Authority::Agent, ..origin.clone() };
        let request = RequestId::new("release", &json!(seq.get()));
        if let Some(entry) = &withheld.entry {
            let WithheldEntry { kind, record, supersedes } = (**entry).clone();
            let entry = NewEntry { kind, record, supersedes, replaces: Some(seq) };
            return self.record_released(entry, &origin, request).map(|recorded| Some(recorded.seq));
        }
        let deeds = self.deeds(withheld)?;
        let remark = Remark { replaces: Some(seq), ..Remark::default() };
        let operations: Vec<_> = deeds.iter().map(|deed| deed.operation().remarked(remark.clone())).collect();
        let applied = self.apply_as(Task::released(self, &operations, &origin, request))?;
        Ok(applied.iter().find_map(|applied| applied.seq))
    }

    /// Returns what was to be done to documents.
    fn deeds(&self, withheld: &Withheld) -> Result<Vec<Deed>, MemoryError> {
        let names: Vec<DocName> = withheld.documents.iter().map(|edit| edit.name.clone()).collect();
        let snapshot = self.store()?.read(&names)?;
        withheld.documents.iter().map(|edit| self.deed(edit, &snapshot)).collect()
    }

    /// Records what was withheld.
    ///
    /// # Errors
    ///
    /// An entry that it would stand in the place of is superseded since; the store failed.
    fn record_released(&self, entry: NewEntry, origin: &Origin, request: RequestId) -> Result<Recorded, MemoryError> {
        let mut recorded = None;
        self.begin()?.alone(&mut |store| {
            let append = || {
                let derived = self.derived(store)?;
                // Somebody else may have released it since.
                if let Some(entry) = entry.replaces.filter(|seq| !derived.withheld.contains_key(seq)) {
                    return Err(MemoryError::UnknownEntry { entry });
                }
                if !entry.supersedes.is_empty() {
                    derived.supersessions.check(&entry.supersedes)?;
                }
                drop(derived);
                self.append(entry.clone(), &Asked { store, origin, request })
            };
            recorded = Some(append());
        })?;
        recorded.unwrap_or(Err(MemoryError::Contended { document: DocName::memory() }))
    }

    /// Returns what was to be done to a document.
    fn deed(&self, edit: &WithheldEdit, snapshot: &Snapshot) -> Result<Deed, MemoryError> {
        let stored = snapshot.of(&edit.name);
        let (exists, tip) = (stored.is_some_and(|stored| stored.text.is_some()), tip(snapshot, &edit.name));
        let base = match edit.base {
            Some(base) => self.text_at(&edit.name, &Moment::At(base.into()))?,
            None => None,
        };
        let base = MemoryDoc::with_rules(base.unwrap_or_default(), self.rules_of(&edit.name).clone());
        let text = stored.and_then(|stored| stored.text.clone()).unwrap_or_default();
        let current = MemoryDoc::with_rules(text, base.rules().clone());
        // A document is deleted only as it was, and none comes back that was deleted since.
        let is_overtaken = match &edit.splices {
            None => current.revision() != base.revision(),
            Some(_) => !exists && edit.base.is_some(),
        };
        if is_overtaken {
            let error = RequestError::of(0, Refusal::Conflict { span: None, now: Content::default() });
            return Err(MemoryError::NotRebased { document: edit.name.clone(), error, current });
        }
        let way = match &edit.splices {
            None => Way::Delete,
            Some(splices) => {
                let puts = splices.iter().map(|splice| (splice.covered(), &*splice.added));
                let planned = Edit::putting(base.revision(), puts);
                match exists {
                    true => Way::Edit { known: Box::new(Known::of(&base)), restore: Box::new(Restore::new(planned)) },
                    false => Way::Create(planned.apply_to(base.text()).into()),
                }
            }
        };
        Ok(Deed { document: edit.name.clone(), tip, way })
    }
}

/// Returns what an entry withholds, if it does and was not erased.
fn withheld(entry: &Entry) -> Option<&Withheld> {
    match &entry.content()?.record {
        Some(Record::Withheld(withheld)) => Some(withheld),
        _ => None,
    }
}
