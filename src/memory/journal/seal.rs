//! [`Prepared`]: an entry that has no number yet; [`Sealer`], which gives it the number after the [`Head`] of a journal;
//! and [`Checkpoint`], which shows later whether the journal was cut, rolled back or exchanged.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::memory::journal::entry::{JsonPart, Lookup};
use crate::memory::journal::{Body, Commitment, DocumentLink, Entry, EntryHash, Header, MemoryId, Seq};
use crate::memory::{DocumentChange, RequestId, StoreError};
use crate::text::{Timestamp, Unreadable};

#[cfg(feature = "signing")]
use super::signing::SigningKey;

/// An entry that lacks only number, time and predecessor. A store adds them under its lock: it seals the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    header: JsonPart<Header>,
    body: JsonPart<Body>,
    lookup: Lookup,
}

impl Prepared {
    /// Returns the header, with its commitment.
    pub fn header(&self) -> &Header {
        self.header.value()
    }
}

/// Prepares an entry: records `documents` in its header and body, writes both as JSON, and puts the commitment to the
/// body into the header.
///
/// # Errors
///
/// A part cannot be written as JSON.
pub fn prepare(
    mut header: Header,
    mut body: Body,
    request: Option<RequestId>,
    documents: &[DocumentChange],
) -> Result<Prepared, StoreError> {
    let link = |change: &DocumentChange| DocumentLink {
        name: change.name.clone(),
        previous: change.expected.tip,
        kind: change.kind(),
    };
    let whole = documents.iter().filter(|change| change.is_whole);
    let whole = whole.filter_map(|change| Some((change.name.clone(), change.text.as_deref()?.into())));
    header.documents = documents.iter().map(link).collect();
    (body.splices, body.texts) = (documents.iter().map(|change| change.splices.clone()).collect(), whole.collect());
    let revisions = Some(documents.iter().map(|change| change.revision).collect());
    let unwritable = |error| StoreError::Other(Box::new(error));
    let body = JsonPart::new(body).map_err(unwritable)?;
    header.body = Some(Commitment::to_body(body.text()));
    let header = JsonPart::new(header).map_err(unwritable)?;
    Ok(Prepared { header, body, lookup: Lookup { request, revisions } })
}

/// Seals entries, and signs them if it has a key; by default it has none.
#[derive(Clone, Debug, Default)]
pub struct Sealer {
    #[cfg(feature = "signing")]
    key: Option<SigningKey>,
}

impl Sealer {
    /// Creates a sealer that signs what it seals.
    #[cfg(feature = "signing")]
    pub const fn signing(key: SigningKey) -> Self {
        Self { key: Some(key) }
    }

    /// Gives an entry its number, time and predecessor, as the one after `head`. Costs two hashes of some hundred bytes.
    pub fn seal(&self, prepared: Prepared, head: Head, time: Timestamp) -> Entry {
        let Prepared { header, body, lookup } = prepared;
        let (seq, previous, body, hash) = (head.seq.plus(1), head.hash, Some(body), EntryHash::NONE);
        let mut entry = Entry { seq, time, previous, header, body, lookup, old: None, hash, signature: None };
        entry.hash = entry.computed_hash();
        #[cfg(feature = "signing")]
        if let Some(key) = &self.key {
            return entry.signed(key);
        }
        entry
    }
}

/// Where a journal ended at one moment. It does not reveal what the journal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checkpoint {
    /// The last entry. Its number is the count of entries.
    pub head: Head,
    /// The memory that it belongs to.
    pub memory: MemoryId,
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "memdoc-checkpoint-1 {} {} {}", self.head.seq, self.head.hash, self.memory)
    }
}

impl FromStr for Checkpoint {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let read = || {
            let fields: Vec<&str> = text.split_whitespace().collect();
            let ["memdoc-checkpoint-1" | "memdoc-anchor-1", count, hash, memory] = *fields else { return None };
            let head = Head { seq: Seq::new(count.parse().ok()?), hash: hash.parse().ok()? };
            Some(Self { head, memory: memory.parse().ok()? })
        };
        read().ok_or_else(|| Unreadable::new("a checkpoint such as `memdoc-checkpoint-1 COUNT HASH MEMORY`", text))
    }
}

/// The end of a journal: the number and hash of its last entry.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The number of the last entry, which is the count of entries; 0 if the journal has none.
    pub seq: Seq,
    /// Its hash.
    pub hash: EntryHash,
}

impl Head {
    /// The end of a journal that has no entry.
    pub const START: Self = Self { seq: Seq::new(0), hash: EntryHash::NONE };
}
