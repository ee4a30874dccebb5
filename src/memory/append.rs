//! Entries that change no document.

use super::journal::{Draft, EntryKind, Header, Record, Seq, prepare};
use super::tries::{Made, commit};
use super::{Change, Memory, MemoryError, Origin, RequestId, Store, StoreError, random};

/// An entry that was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recorded {
    /// Its number.
    pub seq: Seq,
    /// Whether the same request had recorded it before, and nothing was written now.
    pub is_repeated: bool,
    /// How many entries it stands in the place of.
    pub superseded: usize,
}

/// An entry to be recorded.
#[derive(Clone)]
pub(super) struct NewEntry {
    pub(super) kind: EntryKind,
    pub(super) record: Record,
    pub(super) supersedes: Vec<Seq>,
    /// The entry that it does away with.
    pub(super) replaces: Option<Seq>,
}

/// Returns the header of an entry of this kind.
pub(super) fn header_of(kind: EntryKind, origin: &Origin) -> Header {
    let tool = Some(origin.tool.as_str().into());
    Header { tool, source: origin.source.as_deref().map(Into::into), ..Header::new(kind, origin.actor.clone()) }
}

/// What is asked for, by whom, and of which store.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) origin: &'a Origin,
    pub(super) request: RequestId,
    /// The last entry, where what is asked for depends on all before it.
    pub(super) expected_head: Option<Seq>,
}

impl Memory {
    /// Appends an entry that changes no document.
    pub(super) fn append(&self, entry: NewEntry, judged: &Asked<'_>) -> Result<Recorded, MemoryError> {
        let NewEntry { kind, record, supersedes, replaces } = entry;
        let Asked { store, origin, request, expected_head } = *judged;
        let (attempt, superseded) = (random::attempt()?, supersedes.len());
        let block = record.block_label();
        let header = Header { attempt: Some(attempt), supersedes, replaces, block, ..header_of(kind, origin) };
        let mut draft = Draft::new(header, random::salt()?);
        draft.body.record = Some(record);
        draft.body.reason.clone_from(&origin.reason);
        draft.body.arguments.clone_from(&origin.arguments);
        draft.request = Some(request);
        // What was recorded since the editor looked may be this: the head may be behind it.
        let last = origin.since.map_or_else(|| store.head().map(|head| head.seq), Ok)?;
        let mut change =
            Change::new(request, attempt, prepare(draft).map_err(StoreError::from)?).at(self.now()).looked_to(last);
        change.expected_head = expected_head;
        let Made { seq, is_repeated } = commit(store, &change, last)?;
        Ok(Recorded { seq, is_repeated, superseded })
    }
}
