//! Quarantine: what a write policy withholds is kept in the journal, until the host releases it.

use serde_json::json;

use super::append::{Asked, NewEntry};
use super::apply::Task;
use super::deed::{Deed, Way};
use super::history::{entry_of, tip};
use super::journal::{Entry, Noted, Record, Seq, Withheld, WithheldEdit, WithheldEntry};
use super::operation::Remark;
use super::tries::Tries;
use super::{DocName, Memory, MemoryError, Moment, NoteMode, Origin, Recorded, RequestId, Snapshot};
use crate::document::MemoryDoc;
use crate::edit::{Authority, Edit};
use crate::request::{ActivityLine, Known, NoteEdit, Refusal, RequestError, Restore};
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
            let entry = match entry_of(store, seq) {
                // Stores may drop what is old.
                Err(MemoryError::UnknownEntry { .. }) => continue,
                entry => entry?,
            };
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
        let operations = deeds.iter().zip(&withheld.documents).map(|(deed, edit)| {
            let remark = Remark {
                kind: edit.kind.clone(),
                record: edit.record.as_deref().cloned(),
                replaces: Some(seq),
                undoes: edit.undoes,
                is_core: edit.is_core,
            };
            deed.operation().remarked(remark)
        });
        let operations: Vec<_> = operations.collect();
        let applied = self.apply_as(Task::released(self, &operations, &origin, request))?;
        Ok(applied.iter().find_map(|applied| applied.seq))
    }

    /// Returns what was to be done to each document.
    fn deeds(&self, withheld: &Withheld) -> Result<Vec<Deed>, MemoryError> {
        let names: Vec<DocName> = withheld.documents.iter().map(|edit| edit.name.clone()).collect();
        let snapshot = self.store()?.read(&names)?;
        let mut line = None;
        let deed = |edit: &WithheldEdit| {
            let texts = self.texts(edit, &snapshot)?;
            let way = match (&edit.record.as_deref(), line.take()) {
                (Some(Record::Note(noted)), _) => texts.note(noted).map(|(note, logged)| {
                    line = Some(logged);
                    Way::Anew(Box::new(note))
                }),
                (_, Some(line)) if edit.name == DocName::activity() => Some(Way::Anew(Box::new(line))),
                _ => texts.way(),
            };
            let overtaken = || {
                let error = RequestError::of(0, Refusal::Conflict { span: None, now: Content::default() });
                MemoryError::NotRebased { document: edit.name.clone(), error, current: texts.current.clone() }
            };
            let way = way.ok_or_else(overtaken)?;
            let tip = tip(&snapshot, &edit.name).filter(|_| !matches!(way, Way::Anew(_)));
            Ok(Deed { document: edit.name.clone(), tip, way })
        };
        withheld.documents.iter().map(deed).collect()
    }

    /// Records what was withheld.
    ///
    /// # Errors
    ///
    /// An entry that it would stand in the place of is superseded since; the store failed.
    fn record_released(&self, entry: NewEntry, origin: &Origin, request: RequestId) -> Result<Recorded, MemoryError> {
        let (store, mut tries) = (self.begin()?, Tries::default());
        loop {
            let derived = self.derived(store)?;
            // Somebody else may have released it since.
            if let Some(entry) = entry.replaces.filter(|seq| !derived.withheld.contains_key(seq)) {
                return Err(MemoryError::UnknownEntry { entry });
            }
            if !entry.supersedes.is_empty() {
                derived.supersessions.check(&entry.supersedes)?;
            }
            let expected_head = Some(derived.head());
            drop(derived);
            match self.append(entry.clone(), &Asked { store, origin, request, expected_head }) {
                Err(MemoryError::Contended { .. }) if tries.wait()? => {}
                recorded => return recorded,
            }
        }
    }

    /// Reads what an edit was to be made on, and what stands there now.
    fn texts<'a>(&self, edit: &'a WithheldEdit, snapshot: &Snapshot) -> Result<Texts<'a>, MemoryError> {
        let base = match edit.base {
            Some(base) => self.text_at(&edit.name, &Moment::At(base.into()))?,
            None => None,
        };
        let stored = snapshot.of(&edit.name);
        let base = MemoryDoc::with_rules(base.unwrap_or_default(), self.rules_of(&edit.name).clone());
        let exists = stored.is_some_and(|stored| stored.text.is_some());
        Ok(Texts { edit, base, current: self.parse(&edit.name, stored), exists })
    }
}

/// An edit that was withheld, what it was to be made on, and what stands there now.
struct Texts<'a> {
    edit: &'a WithheldEdit,
    base: MemoryDoc,
    current: MemoryDoc,
    exists: bool,
}

impl Texts<'_> {
    /// Returns how it is made now; `None` if it is overtaken: a document is deleted only as it was, and none comes back that was
    /// deleted since.
    fn way(&self) -> Option<Way> {
        let Some(planned) = self.planned() else {
            return (self.current.revision() == self.base.revision()).then_some(Way::Delete);
        };
        match (self.exists, self.edit.base) {
            (true, _) => {
                Some(Way::Edit { known: Box::new(Known::of(&self.base)), restore: Box::new(Restore::new(planned)) })
            }
            (false, None) => Some(Way::Create(planned.apply_to(self.base.text()).into())),
            (false, Some(_)) => None,
        }
    }

    /// Returns what was planned; `None` if the document was to go.
    fn planned(&self) -> Option<Edit> {
        let splices = self.edit.splices.as_ref()?;
        let puts = splices.iter().map(|splice| (splice.covered(), &*splice.added));
        Some(Edit::putting(self.base.revision(), puts))
    }

    /// Returns how a note is written now, among those that were written since, and the line that tells of it; `None` if somebody else
    /// has written it.
    fn note(&self, noted: &Noted) -> Option<(NoteEdit, ActivityLine)> {
        let after = MemoryDoc::with_rules(self.planned()?.apply_to(self.base.text()), self.base.rules().clone());
        let [before, after, now] = [&self.base, &after, &self.current].map(|doc| NoteEdit::read(doc, &noted.key));
        let after = after.unwrap_or_default();
        let (mode, content) = match noted.appended {
            true => {
                let before = before.as_deref().unwrap_or_default();
                let own = after.strip_prefix(before)?;
                (NoteMode::Append, own.strip_prefix('\n').filter(|_| !before.is_empty()).unwrap_or(own))
            }
            false => (NoteMode::Replace, &*after),
        };
        let is_overtaken = mode == NoteMode::Replace && before != now;
        (!is_overtaken).then(|| (mode.edit(&noted.key, content), mode.logged(&noted.key, content)))
    }
}

/// Returns what an entry withholds, if it does and was not erased.
fn withheld(entry: &Entry) -> Option<&Withheld> {
    match &entry.body()?.record {
        Some(Record::Withheld(withheld)) => Some(withheld),
        _ => None,
    }
}
