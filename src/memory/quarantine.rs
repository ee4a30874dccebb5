//! Asks the host's write policy before a write is made. The journal keeps a withheld write until the host releases it.

use serde_json::json;

use crate::document::MemoryDoc;
use crate::edit::{Authority, Edit, Since, carried};
use crate::memory::commit::{Order, Remark};
use crate::memory::journal::{Entry, EntryKind, Record, Seq, Withheld, WithheldEdit};
use crate::memory::tries::until_free;
use crate::memory::{
    Applied, DocumentChange, Memory, MemoryError, Moment, Operation, Origin, PlannedWrite, RequestId, Verdict,
};
use crate::text::Content;

impl Memory {
    /// Asks the policy about each write that a request would make. If the policy withholds one, the journal keeps the
    /// whole request.
    ///
    /// # Errors
    ///
    /// `RefusedByPolicy`; the store failed.
    pub(super) fn judge(&self, planned: &[Applied], order: &Order<'_>) -> Result<(), MemoryError> {
        let Some(policy) = self.write_policy.as_deref().filter(|_| !order.skips_policy) else { return Ok(()) };
        let (remark, mut first_withheld) = (order.remark(), None);
        for write in planned_writes(planned, &remark, order.origin) {
            let document = write.document.cloned();
            match policy.judge(&write) {
                Verdict::Allow => {}
                Verdict::Refuse(reason) => {
                    return Err(MemoryError::RefusedByPolicy { document, reason, quarantined: None });
                }
                Verdict::Quarantine(reason) => drop(first_withheld.get_or_insert((document, reason))),
            }
        }
        let Some((document, reason)) = first_withheld else { return Ok(()) };
        let quarantined = Some(self.withhold(planned, reason.clone(), order)?);
        Err(MemoryError::RefusedByPolicy { document, reason, quarantined })
    }

    /// Records a request that was withheld, and returns its entry. If the journal keeps the same request already, nothing
    /// is written.
    fn withhold(&self, planned: &[Applied], why: Content, order: &Order<'_>) -> Result<Seq, MemoryError> {
        // The entry has an ID of its own: under the request's ID, the request would count as committed.
        let request = RequestId::new("quarantine", &json!(order.request.to_string()));
        if let Some((seq, _)) = self.derived()?.value.withheld.iter().find(|(_, kept)| **kept == Some(request)) {
            return Ok(*seq);
        }
        // The line in `activity` about a note is not kept: the note counts as written when it is released.
        let changes = planned.iter().filter(|applied| !applied.accompanies).flat_map(|applied| &applied.changes);
        let edit = |change: &DocumentChange| WithheldEdit {
            name: change.name.clone(),
            previous: change.expected.tip,
            splices: change.splices.clone().filter(|_| change.text.is_some()),
        };
        let (call, documents) = (order.origin.call.clone(), changes.map(edit).collect());
        let Remark { kind, record, supersedes, undoes, .. } = order.remark();
        let withheld = Withheld { why, call, documents, kind, record: record.map(Box::new), supersedes, undoes };
        let remark = Remark::recording(EntryKind::Quarantine, Record::Withheld(withheld));
        let order = Order { skips_policy: true, remark: Some(&remark), ..Order::new(order.origin, request) };
        Ok(self.record(&order)?.seq)
    }
}

/// Returns the writes that a policy judges: the change of each document; if there is none, the entry.
fn planned_writes<'a>(planned: &'a [Applied], remark: &'a Remark, origin: &'a Origin) -> Vec<PlannedWrite<'a>> {
    let changes = planned.iter().flat_map(|applied| applied.changes.iter().map(move |change| (applied, change)));
    let writes = changes.map(|(applied, change)| PlannedWrite {
        document: Some(&change.name),
        sections: applied.commit.as_ref().map_or(&[], |commit| &*commit.receipt.changed_sections),
        origin,
        before: if change.expected.revision.is_some() { applied.before.text() } else { "" },
        after: change.text.as_deref().unwrap_or_default(),
    });
    let mut writes: Vec<_> = writes.collect();
    if writes.is_empty() {
        let after = match &remark.record {
            Some(Record::Memory(memory)) => &*memory.text,
            Some(Record::Consolidation(text)) => text,
            Some(Record::Block(version)) => &version.text,
            _ => "",
        };
        writes.push(PlannedWrite { document: None, sections: &[], origin, before: "", after });
    }
    writes
}

/// A withheld write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quarantined {
    /// The entry that keeps it: who asked for it, when, by which tool and why.
    pub entry: Entry,
    /// What was to be done, and why it was not.
    pub withheld: Withheld,
}

impl Memory {
    /// Returns the withheld writes that the host has not released, in the order in which they were asked for. Those
    /// that were redacted are left out: a host [redacts](Self::redact) an entry to discard its write.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn quarantined(&self) -> Result<Vec<Quarantined>, MemoryError> {
        let numbers: Vec<Seq> = self.derived()?.value.withheld.keys().copied().collect();
        let quarantined = |seq| {
            let entry = self.entry(seq)?;
            Ok(withheld(&entry).cloned().map(|withheld| Quarantined { entry, withheld }))
        };
        numbers.into_iter().filter_map(|seq| quarantined(seq).transpose()).collect()
    }

    /// Makes a withheld write, on the documents as they are now, without asking the policy again. All other rules
    /// apply as they do to an agent. Returns the entry that makes it; `None` if there is nothing left to do.
    ///
    /// # Errors
    ///
    /// `origin` lacks the host's authority; there is no withheld write under this number; `NotRebased`: later edits
    /// touched the same text; the result would break a rule; the store failed.
    pub fn release(&self, seq: Seq, origin: &Origin) -> Result<Option<Seq>, MemoryError> {
        origin.check_host()?;
        // The write is made with the authority that it would have had: an agent's.
        let origin = Origin { authority: Authority::Agent, ..origin.clone() };
        until_free(|| self.release_once(seq, &origin))
    }

    fn release_once(&self, seq: Seq, origin: &Origin) -> Result<Option<Seq>, MemoryError> {
        let request = RequestId::new("release", &json!(seq.get()));
        let (expected_head, entry) = (Some(self.head()?.seq), self.entry(seq)?);
        let is_waiting = self.derived()?.value.withheld.contains_key(&seq);
        let Some(withheld) = withheld(&entry).filter(|_| is_waiting) else {
            return Err(MemoryError::unknown_entry(seq));
        };
        let record = match withheld.record.as_deref().cloned() {
            Some(Record::Block(version)) => self.next_version(&version.label, &version.text, version.is_core)?.record,
            record => record,
        };
        let Withheld { kind, supersedes, undoes, .. } = withheld.clone();
        let remark = Some(&Remark { kind, record, supersedes, replaces: Some(seq), undoes });
        let stands_alone = withheld.documents.is_empty();
        let order = Order { expected_head, skips_policy: true, stands_alone, remark, ..Order::new(origin, request) };
        let operations = withheld.documents.iter().map(|edit| self.withheld_edit(edit));
        let operations = operations.collect::<Result<Vec<_>, MemoryError>>()?;
        Ok(self.apply_as(&operations, &order)?.entry.map(|entry| entry.seq))
    }

    /// Returns the operation that was withheld, carried over to the current document. It is refused with `NotRebased`
    /// if it deletes a document that has changed since, edits a document that no longer exists, or is in conflict
    /// with later edits.
    fn withheld_edit(&self, edit: &WithheldEdit) -> Result<Operation<'static>, MemoryError> {
        let (name, stored) = (&edit.name, self.stored(&edit.name)?);
        let before = edit.previous.map(|previous| self.text_at(name, &Moment::After(previous))).transpose()?.flatten();
        let (current, is_gone) = (self.parse(&stored), before.is_some() && stored.text.is_none());
        let base = MemoryDoc::with_rules(before.unwrap_or_default(), current.rules().clone());
        let operation = match &edit.splices {
            None => (current.revision() == base.revision()).then(|| Operation::delete(name.clone())),
            Some(_) if is_gone => None,
            Some(splices) => {
                let replaced = splices.iter().map(|splice| (splice.covered(), &*splice.added));
                let planned = Edit::of_replacements(base.revision(), replaced);
                let plan = carried(&base, &planned, &current, Since::Others);
                plan.ok().map(|plan| Operation::planned(name.clone(), plan))
            }
        };
        operation.ok_or_else(|| MemoryError::overtaken(name, current))
    }
}

/// Returns the withheld write that an entry keeps; `None` if it keeps none, or was erased.
fn withheld(entry: &Entry) -> Option<&Withheld> {
    if let Record::Withheld(withheld) = entry.record()? { Some(withheld) } else { None }
}
