//! [`Draft`]: an entry that has no number yet; [`Sealer`], which gives it one behind the [`Head`] of a journal; and [`Checkpoint`],
//! by which a journal that was cut, rolled back or exchanged is told.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::memory::journal::entry::{Lookup, Written};
use crate::memory::journal::ids::Hex;
use crate::memory::journal::{
    Body, Commitment, DocumentLink, Entry, EntryHash, Header, LinkKind, MemoryId, Salt, Seq, Splice,
};
use crate::memory::{DocName, RequestId, StoreError};
use crate::text::{Content, Digest, Hasher, Revision, Timestamp};

#[cfg(feature = "signing")]
use super::signing::SigningKey;
/// An entry to be made. The texts of documents are not needed to seal it, nor the number that it will get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// What stays. Its documents and its commitment are set by [`prepare`].
    pub header: Header,
    /// What it says. Its splices and texts are set by [`prepare`].
    pub body: Body,
    /// What was asked for.
    pub request: Option<RequestId>,
    /// What it changes.
    pub documents: Vec<DocumentDraft>,
}

impl Draft {
    /// Creates the draft of an entry that changes no document and says nothing yet.
    pub const fn new(header: Header, salt: Salt) -> Self {
        Self { header, body: Body::new(salt), request: None, documents: Vec::new() }
    }
}

/// The change of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentDraft {
    /// The document.
    pub name: DocName,
    /// The entry before that changed it; `None` if there is none.
    pub previous: Option<Seq>,
    /// What becomes of it.
    pub kind: LinkKind,
    /// Its revision after; `None` if it is deleted.
    pub new: Option<Revision>,
    /// What changes; `None` where that must not be told, as of a redaction. Then the text is there.
    pub splices: Option<Vec<Splice>>,
    /// The whole text after, where the splices alone do not tell it.
    pub text: Option<Content>,
}

/// A draft of which everything is known but number, time and predecessor: what a store seals under its lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    pub(super) header: Written<Header>,
    pub(super) digest: Digest,
    pub(super) body: Written<Body>,
    pub(super) lookup: Lookup,
}

impl Prepared {
    /// Returns the header, with its commitment.
    pub fn header(&self) -> &Header {
        self.header.value()
    }
}

/// Writes and commits to everything but number, time and predecessor of an entry.
///
/// # Errors
///
/// A part cannot be written as JSON.
pub fn prepare(draft: Draft) -> Result<Prepared, StoreError> {
    let Draft { mut header, mut body, request, documents } = draft;
    let revisions = Some(documents.iter().map(|document| document.new).collect());
    header.documents.clear();
    for DocumentDraft { name, previous, kind, splices, text, .. } in documents {
        body.splices.push(splices);
        body.texts.extend(text.map(|text| (name.clone(), text)));
        header.documents.push(DocumentLink { name, previous, kind });
    }
    let unwritable = |error| StoreError::Other(Box::new(error));
    let body = Written::new(body).map_err(unwritable)?;
    header.body = Some(Commitment::to_body(body.text()));
    let header = Written::new(header).map_err(unwritable)?;
    let digest = Digest::of(header.text().as_bytes());
    Ok(Prepared { header, digest, body, lookup: Lookup { request, revisions } })
}

/// Seals entries, and signs them if it has a key.
#[derive(Clone, Default)]
pub struct Sealer {
    #[cfg(feature = "signing")]
    key: Option<SigningKey>,
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealer(..)")
    }
}

impl Sealer {
    /// Creates a sealer that signs nothing.
    pub const fn new() -> Self {
        Self {
            #[cfg(feature = "signing")]
            key: None,
        }
    }

    /// Creates a sealer that signs what it seals.
    #[cfg(feature = "signing")]
    pub const fn signing(key: SigningKey) -> Self {
        Self { key: Some(key) }
    }

    /// Gives an entry its number, time and predecessor behind `head`. Costs a hash of some hundred bytes.
    pub fn seal(&self, prepared: Prepared, head: Head, time: Timestamp) -> Entry {
        let Prepared { header, digest, body, lookup } = prepared;
        let (seq, previous) = (head.seq.plus(1), head.hash);
        let hash = entry_hash(seq, time, previous, digest);
        let entry = Entry { seq, time, previous, header, body: Some(body), lookup, old: None, hash, signature: None };
        #[cfg(feature = "signing")]
        if let Some(key) = &self.key {
            return entry.signed(key);
        }
        entry
    }
}

/// How far a journal had come. It says nothing of what stands in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checkpoint {
    /// Its last entry; the number of that is how many there were.
    pub head: Head,
    /// The memory that it belongs to.
    pub memory: MemoryId,
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "memdoc-checkpoint-1 {} {} {}", self.head.seq, self.head.hash, self.memory)
    }
}

impl Checkpoint {
    /// Returns how many entries there were.
    pub const fn count(&self) -> u64 {
        self.head.seq.get()
    }
}

/// A text that is no checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a checkpoint such as `memdoc-checkpoint-1 COUNT HASH MEMORY`, found something else")]
pub struct InvalidCheckpoint;

impl FromStr for Checkpoint {
    type Err = InvalidCheckpoint;

    fn from_str(text: &str) -> Result<Self, InvalidCheckpoint> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let ["memdoc-checkpoint-1" | "memdoc-anchor-1", count, hash, memory] = fields.as_slice() else {
            return Err(InvalidCheckpoint);
        };
        Ok(Self {
            head: Head {
                seq: Seq::new(count.parse().map_err(|_| InvalidCheckpoint)?),
                hash: hash.parse().map_err(|_| InvalidCheckpoint)?,
            },
            memory: memory.parse().map_err(|_| InvalidCheckpoint)?,
        })
    }
}

/// The end of a journal: the number and hash of its last entry.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Head {
    /// The number of the last entry, which is how many there are; 0 of a journal that has none.
    pub seq: Seq,
    /// Its hash.
    pub hash: EntryHash,
}

impl Head {
    /// The end of a journal that has no entry.
    pub const START: Self = Self { seq: Seq::new(0), hash: EntryHash::NONE };
}

/// Returns the hash of an entry of which `header` is the digest of the header's text.
pub(super) fn entry_hash(seq: Seq, time: Timestamp, previous: EntryHash, header: Digest) -> EntryHash {
    let mut hasher = Hasher::default();
    hasher.field(b"memdoc journal entry 1");
    hasher.field(&seq.get().to_be_bytes());
    hasher.field(time.to_string().as_bytes());
    hasher.field(previous.as_bytes());
    hasher.field(header.as_bytes());
    EntryHash(Hex(*hasher.finish().as_bytes()))
}
