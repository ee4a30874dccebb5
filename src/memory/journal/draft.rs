//! [`Draft`]: an entry that has no number yet.

use thiserror::Error;

use super::super::{DocName, RequestId};
use super::entry::Lookup;
use super::written::Written;
use super::{Body, Commitment, DocumentLink, Header, LinkKind, Salt, Seq, Splice};
use crate::text::{Content, Digest, Revision};

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

/// A draft that cannot be written as JSON.
#[derive(Debug, Error)]
#[error("an entry cannot be written")]
pub struct PrepareError(#[from] serde_json::Error);

/// Writes and commits to everything but number, time and predecessor of an entry.
///
/// # Errors
///
/// A part cannot be written as JSON.
pub fn prepare(draft: Draft) -> Result<Prepared, PrepareError> {
    let Draft { mut header, mut body, request, documents } = draft;
    let revisions = Some(documents.iter().map(|document| document.new).collect());
    header.documents.clear();
    for DocumentDraft { name, previous, kind, splices, text, .. } in documents {
        body.splices.push(splices);
        body.texts.extend(text.map(|text| (name.clone(), text)));
        header.documents.push(DocumentLink { name, previous, kind });
    }
    let mut buffer = Vec::with_capacity(1024);
    let body = Written::new(body, &mut buffer)?;
    header.body = Some(Commitment::to_body(body.text()));
    let header = Written::new(header, &mut buffer)?;
    let digest = Digest::of(header.text().as_bytes());
    Ok(Prepared { header, digest, body, lookup: Lookup { request, revisions } })
}
