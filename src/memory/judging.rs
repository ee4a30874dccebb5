//! Judging: the host's policy is asked of what is to be written, and what it withholds is kept.

use serde_json::json;

use super::drafts::{Asked, NewEntry};
use super::drafts::remark;
use super::journal::{DocumentDraft, EntryKind, LinkKind, Record, Seq, Withheld, WithheldEdit};
use super::operation::Remark;
use super::plan::Share;
use super::{Memory, MemoryError, Operation, PlannedWrite, RequestId, Verdict};
use crate::text::Content;

impl Memory {
    /// Has the policy judge what operations would change; keeps it, if it is to be withheld.
    ///
    /// # Errors
    ///
    /// `RefusedByPolicy`; the store failed.
    pub(super) fn judge_shares(
        &self,
        shares: &[Share],
        operations: &[Operation<'_>],
        judged: &Asked<'_>,
    ) -> Result<(), MemoryError> {
        let made = || shares.iter().zip(operations);
        let changes = shares.iter().flat_map(|share| share.changes.iter().map(move |change| (share, change)));
        let writes = changes.map(|(share, change)| PlannedWrite {
            document: Some(&change.name),
            sections: share.applied.commit.as_ref().map_or(&[], |commit| &*commit.receipt.changed_sections),
            origin: judged.origin,
            before: if change.expected.revision.is_some() { share.before.text() } else { "" },
            after: change.text.as_deref().unwrap_or_default(),
        });
        // Of a note that is released nothing is logged: its entry tells when it was written.
        let edit = |draft: &DocumentDraft| WithheldEdit {
            name: draft.name.clone(),
            previous: draft.previous,
            splices: draft.splices.clone().filter(|_| draft.kind != LinkKind::Deleted),
        };
        let drafts = made().filter(|(_, of)| !of.accompanies).flat_map(|(share, _)| &share.drafts);
        self.judge(writes, judged, |why| {
            let documents = drafts.map(edit).collect();
            let Remark { kind, record, undoes, .. } = remark(shares, operations);
            Withheld { why, documents, kind, record: record.map(Box::new), supersedes: Vec::new(), undoes }
        })
    }

    /// Has the policy judge an entry that would stand beside the documents; keeps it, if it is to be withheld.
    ///
    /// # Errors
    ///
    /// `RefusedByPolicy`; the store failed.
    pub(super) fn judge_entry(&self, entry: &NewEntry, judged: &Asked<'_>) -> Result<(), MemoryError> {
        let after = match &entry.record {
            Record::Memory(memory) => &*memory.text,
            Record::Consolidation(text) => text,
            Record::Block(version) => &version.text,
            _ => "",
        };
        let write = PlannedWrite { document: None, sections: &[], origin: judged.origin, before: "", after };
        self.judge([write].into_iter(), judged, |why| {
            let NewEntry { kind, record, supersedes, .. } = entry.clone();
            Withheld { why, documents: Vec::new(), kind, record: Some(Box::new(record)), supersedes, undoes: None }
        })
    }

    fn judge<'a>(
        &self,
        writes: impl Iterator<Item = PlannedWrite<'a>>,
        judged: &Asked<'_>,
        withheld: impl FnOnce(Content) -> Withheld,
    ) -> Result<(), MemoryError> {
        let Some(policy) = self.write_policy() else { return Ok(()) };
        let mut kept = None;
        for write in writes {
            let document = write.document.cloned();
            match policy.judge(&write) {
                Verdict::Allow => {}
                Verdict::Refuse { reason } => {
                    return Err(MemoryError::RefusedByPolicy { document, reason: reason.into(), quarantined: None });
                }
                Verdict::Quarantine { reason } => drop(kept.get_or_insert((document, Content::from(reason)))),
            }
        }
        let Some((document, reason)) = kept else { return Ok(()) };
        let quarantined = Some(self.withhold(withheld(reason.clone()), judged)?);
        Err(MemoryError::RefusedByPolicy { document, reason, quarantined })
    }

    /// Keeps what is withheld, once.
    fn withhold(&self, withheld: Withheld, judged: &Asked<'_>) -> Result<Seq, MemoryError> {
        // It is not the request that is made by it.
        let request = RequestId::new("quarantine", &json!(judged.request.to_string()));
        let before =
            self.derived(judged.store)?.withheld.iter().find(|(_, of)| **of == Some(request)).map(|(seq, _)| *seq);
        if let Some(seq) = before {
            return Ok(seq);
        }
        let record = Record::Withheld(withheld);
        let entry = NewEntry { kind: EntryKind::Quarantine, record, supersedes: Vec::new(), replaces: None };
        self.append(entry, &Asked { request, expected_head: None, ..*judged }).map(|recorded| recorded.seq)
    }
}
