//! [`Entry`]: one link of the chain.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::format_1::Old;
use super::{Body, Commitment, DocumentLink, EntryHash, Erased, Head, Header, Record, Seq, Splice};
use crate::memory::{DocName, RequestId};
use crate::text::{Content, Digest, Hex, Revision, Timestamp};

/// An entry as it stands in a journal. Only a [`Verifier`](super::Verifier) tells whether it is genuine.
///
/// A clone shares its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(super) seq: Seq,
    pub(super) time: Timestamp,
    pub(super) previous: EntryHash,
    pub(super) header: JsonPart<Header>,
    pub(super) body: Option<JsonPart<Body>>,
    pub(super) lookup: Lookup,
    /// What only an entry of format 1 has.
    pub(super) old: Option<Old>,
    pub(super) hash: EntryHash,
    pub(super) signature: Option<Hex<64>>,
}

/// What an entry is looked up by. It stands outside of what is hashed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lookup {
    pub(super) request: Option<RequestId>,
    /// The revision of each document after the entry, in the order of the header; `None` if they were erased.
    pub(super) revisions: Option<Vec<Option<Revision>>>,
}

impl Entry {
    /// Returns its number.
    pub const fn seq(&self) -> Seq {
        self.seq
    }

    /// Returns when it was sealed.
    pub const fn time(&self) -> Timestamp {
        self.time
    }

    /// Returns the hash of the entry before it.
    pub const fn previous(&self) -> EntryHash {
        self.previous
    }

    /// Returns the hash that it claims to have.
    pub const fn hash(&self) -> EntryHash {
        self.hash
    }

    /// Returns the head of a journal that ends with it.
    pub const fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash }
    }

    /// Returns its header, which is never erased.
    pub fn header(&self) -> &Header {
        self.header.value()
    }

    /// Returns its body; `None` if that was erased.
    pub fn body(&self) -> Option<&Body> {
        self.body.as_ref().map(JsonPart::value)
    }

    /// Returns what it records beside changes of documents; `None` if it records nothing else, or was erased.
    pub fn record(&self) -> Option<&Record> {
        self.body()?.record.as_ref()
    }

    /// Returns the request that it was made for; `None` if there was none, or if that was erased.
    pub const fn request(&self) -> Option<RequestId> {
        self.lookup.request
    }

    /// Returns true if it was made for this request. Returns false if the request was erased.
    pub fn is_of(&self, request: RequestId) -> bool {
        self.request() == Some(request)
    }

    /// Returns how it continues the history of `document`; `None` if it did not change it.
    pub fn link(&self, document: &DocName) -> Option<&DocumentLink> {
        self.header().documents.get(self.header().index_of(document)?)
    }

    /// Returns the number of the entry that changed `document` before it.
    pub fn previous_of(&self, document: &DocName) -> Option<Seq> {
        self.link(document)?.previous
    }

    /// Returns the old name, if this entry renamed a document to `document`; else `None`. A renaming is an entry that
    /// deletes one document and creates another, and no other entry does that.
    pub fn renamed_from(&self, document: &DocName) -> Option<&DocName> {
        let [one, other] = self.header().documents.as_slice() else { return None };
        let (new, old) = if one.name == *document { (one, other) } else { (other, one) };
        (new.name == *document && new.is_creation() && old.is_deletion()).then_some(&old.name)
    }

    /// Returns the revision of `document` after it; `None` if it deleted or did not change it, or if that was erased.
    pub fn revision(&self, document: &DocName) -> Option<Revision> {
        let index = self.header().index_of(document)?;
        self.lookup.revisions.as_ref()?.get(index).copied().flatten()
    }

    /// Returns the splices that changed `document`; `None` if it did not change it, if they were erased, or if none
    /// were recorded.
    pub fn splices(&self, document: &DocName) -> Option<&[Splice]> {
        let index = self.header().index_of(document)?;
        self.body()?.splices.get(index)?.as_deref()
    }

    /// Returns the whole text of `document` after it, if that is recorded.
    pub fn text(&self, document: &DocName) -> Option<&str> {
        let old = self.old.as_ref().and_then(|old| old.texts.get(document));
        let text = || self.body()?.texts.get(document);
        old.or_else(text).map(|text| text.as_str())
    }

    /// Reports whether it still has its request and revisions, by which it is looked up.
    pub const fn has_lookup(&self) -> bool {
        self.lookup.revisions.is_some()
    }

    /// Returns the entry without its body. Header, hash and signature are as before, and the chain still verifies.
    #[must_use]
    pub fn without_body(self) -> Self {
        Self { body: None, ..self }
    }

    /// Returns the entry without its request and revisions. They are not hashed, and the chain still verifies.
    #[must_use]
    pub fn without_lookup(mut self) -> Self {
        self.lookup = Lookup::default();
        self.old.iter_mut().for_each(Old::erase);
        self
    }

    /// Returns the entry without the parts that a redaction erased; `None` if it has none of these parts.
    pub fn redacted(&self, erased: &Erased) -> Option<Self> {
        let mut left = self.clone();
        if erased.bodies.contains(self.seq) {
            left = left.without_body();
        }
        if erased.lookups.contains(self.seq) {
            left = left.without_lookup();
        }
        let is_less = self.body.is_some() != left.body.is_some() || self.has_lookup() != left.has_lookup();
        is_less.then_some(left)
    }

    /// Returns the hash that it must have.
    pub(super) fn computed_hash(&self) -> EntryHash {
        let (seq, time) = (self.seq.get().to_be_bytes(), self.time.to_string());
        let header = Digest::of(self.header.text().as_bytes());
        let label: &[u8] = b"memdoc journal entry 1";
        EntryHash(Digest::of_fields(&[label, &seq, time.as_bytes(), self.previous.as_bytes(), header.as_bytes()]))
    }

    /// Returns true if the header commits to the body, or the body was erased.
    pub(super) fn is_committed(&self) -> bool {
        let body = self.body.as_ref().map(JsonPart::text);
        match &self.old {
            Some(old) => old.is_committed(body),
            None => body.is_none_or(|body| self.header().body == Some(Commitment::to_body(body))),
        }
    }
}

/// A part of an entry: its JSON text, and the value that was read from it. The text is hashed and written again as it
/// stands. So members that this version does not know are kept and verified, and no setting of another crate changes a
/// byte. A clone shares both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsonPart<T> {
    // Invariant: `value` is what `text` reads as.
    text: Content,
    value: Arc<T>,
}

impl<T> JsonPart<T> {
    /// Returns the JSON text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the value.
    pub(super) fn value(&self) -> &T {
        &self.value
    }

    /// Pairs `value` with `text`, from which it was read.
    pub(super) fn of(value: T, text: &str) -> Self {
        Self { text: text.into(), value: Arc::new(value) }
    }
}

impl<T: Serialize> JsonPart<T> {
    /// Writes `value`.
    pub(super) fn new(value: T) -> Result<Self, serde_json::Error> {
        let text = serde_json::to_string(&value)?;
        Ok(Self::of(value, &text))
    }
}

impl<T: DeserializeOwned> JsonPart<T> {
    /// Reads `text`, which is kept as it stands.
    pub(super) fn read(text: &str) -> Result<Self, serde_json::Error> {
        Ok(Self::of(serde_json::from_str(text)?, text))
    }
}
