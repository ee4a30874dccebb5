//! [`Draft`]: an entry that has no number yet, and [`Sealer`], which gives it one.

use std::fmt;

use super::entry::{Lookup, Written};
use super::head::entry_hash;
#[cfg(feature = "signing")]
use super::signing::SigningKey;
use super::{Body, Commitment, DocumentLink, Entry, Head, Header, LinkKind, Salt, Seq, Splice};
use crate::memory::{DocName, RequestId, StoreError};
use crate::text::{Content, Digest, Revision, Timestamp};

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
    let mut buffer = Vec::with_capacity(1024);
    let unwritable = |error| StoreError::Other(Box::new(error));
    let body = Written::new(body, &mut buffer).map_err(unwritable)?;
    header.body = Some(Commitment::to_body(body.text()));
    let header = Written::new(header, &mut buffer).map_err(unwritable)?;
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
