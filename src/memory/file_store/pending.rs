//! The file that names a commit which is being made.

use std::path::Path;
use std::str::FromStr as _;

use serde::{Deserialize, Serialize};

use super::super::name::DocName;
use super::super::request_id::RequestId;
use super::super::store::{Change, DocumentChange};
use super::super::store_error::{FileFlaw, StoreError};
use super::files::{read_text, write_synced};
use crate::text::{Revision, RevisionPrefix};

/// The version of the file's form.
const FORMAT: u32 = 1;

/// A commit that is being made.
#[derive(Debug)]
pub(super) struct Pending {
    id: RequestId,
    bases: Vec<(DocName, RevisionPrefix)>,
    documents: Vec<PendingDocument>,
}

/// One document of it.
#[derive(Debug)]
pub(super) struct PendingDocument {
    pub(super) name: DocName,
    pub(super) expected: Option<Revision>,
    /// Its next text's revision; `None` if it is deleted.
    pub(super) next: Option<Revision>,
}

#[derive(Serialize, Deserialize)]
struct Form {
    format: u32,
    id: String,
    bases: Vec<(String, String)>,
    documents: Vec<FormDocument>,
}

#[derive(Serialize, Deserialize)]
struct FormDocument {
    name: String,
    expected: Option<String>,
    next: Option<String>,
}

impl Pending {
    pub(super) fn new(change: &Change) -> Self {
        let document = |next: &DocumentChange| PendingDocument {
            name: next.name.clone(),
            expected: next.expected,
            next: next.text.as_deref().map(Revision::of),
        };
        Self {
            id: change.request,
            bases: change.bases.clone(),
            documents: change.documents.iter().map(document).collect(),
        }
    }

    pub(super) const fn id(&self) -> RequestId {
        self.id
    }

    pub(super) fn bases(&self) -> &[(DocName, RevisionPrefix)] {
        &self.bases
    }

    /// Reports whether the commit brings a document to this revision; one that is deleted reads as empty.
    pub(super) fn makes(&self, name: &DocName, base: &RevisionPrefix) -> bool {
        let revision = |document: &PendingDocument| document.next.unwrap_or_else(|| Revision::of(""));
        self.documents.iter().any(|document| document.name == *name && base.matches(&revision(document)))
    }

    pub(super) fn documents(&self) -> &[PendingDocument] {
        &self.documents
    }

    /// Reads the commit that is being made, if there is one.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, StoreError> {
        let Some(text) = read_text(path)? else { return Ok(None) };
        let unusable = || StoreError::Unusable { path: path.to_path_buf(), what: FileFlaw::NotACommit };
        let form: Form = serde_json::from_str(&text).map_err(|_| unusable())?;
        if form.format != FORMAT {
            return Err(unusable());
        }
        let document = |document: FormDocument| {
            let name = document.name.parse().map_err(|_| unusable())?;
            let revision = |digits: Option<String>| digits.map(|digits| Revision::from_str(&digits)).transpose();
            let expected = revision(document.expected).map_err(|_| unusable())?;
            let next = revision(document.next).map_err(|_| unusable())?;
            Ok(PendingDocument { name, expected, next })
        };
        let base = |(name, digits): (String, String)| {
            Ok((name.parse().map_err(|_| unusable())?, digits.parse().map_err(|_| unusable())?))
        };
        let bases = form.bases.into_iter().map(base).collect::<Result<_, StoreError>>()?;
        let documents = form.documents.into_iter().map(document).collect::<Result<_, StoreError>>()?;
        Ok(Some(Self { id: form.id.parse().map_err(|_| unusable())?, bases, documents }))
    }

    /// Writes the file: from then on, the commit is made.
    pub(super) fn write(&self, next: &Path, place: &Path) -> Result<(), StoreError> {
        let document = |document: &PendingDocument| FormDocument {
            name: document.name.to_string(),
            expected: document.expected.map(|revision| revision.to_string()),
            next: document.next.map(|revision| revision.to_string()),
        };
        let bases = self.bases.iter().map(|(name, digits)| (name.to_string(), digits.to_string())).collect();
        let documents = self.documents.iter().map(document).collect();
        let form = Form { format: FORMAT, id: self.id.to_string(), bases, documents };
        let text = serde_json::to_string(&form).map_err(|error| StoreError::Other(Box::new(error)))?;
        write_synced(next, place, &text)
    }
}
