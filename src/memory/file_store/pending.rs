//! The file that names a commit which is being made.

use std::path::Path;
use std::str::FromStr as _;

use serde::{Deserialize, Serialize};

use super::super::commit_id::CommitId;
use super::super::name::DocName;
use super::super::store::{Change, DocumentChange};
use super::super::store_error::{FileFlaw, StoreError};
use super::files::{read_text, write_synced};
use crate::text::{Revision, RevisionPrefix};

/// The version of the file's form.
const FORMAT: u32 = 1;

/// A commit that is being made.
#[derive(Debug)]
pub(super) struct Pending {
    id: CommitId,
    bases: Vec<(DocName, RevisionPrefix)>,
    documents: Vec<PendingDocument>,
}

/// One document of it.
#[derive(Debug)]
pub(super) struct PendingDocument {
    pub(super) name: DocName,
    pub(super) expected: Option<Revision>,
    pub(super) next: Revision,
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
    next: String,
}

impl Pending {
    pub(super) fn new(change: &Change) -> Self {
        let document = |next: &DocumentChange| PendingDocument {
            name: next.name.clone(),
            expected: next.expected,
            next: Revision::of(&next.text),
        };
        Self { id: change.id, bases: change.bases.clone(), documents: change.documents.iter().map(document).collect() }
    }

    pub(super) const fn id(&self) -> CommitId {
        self.id
    }

    pub(super) fn bases(&self) -> &[(DocName, RevisionPrefix)] {
        &self.bases
    }

    /// Reports whether the commit brings a document to this revision.
    pub(super) fn makes(&self, name: &DocName, base: &RevisionPrefix) -> bool {
        self.documents.iter().any(|document| document.name == *name && base.matches(&document.next))
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
            let expected =
                document.expected.map(|digits| Revision::from_str(&digits)).transpose().map_err(|_| unusable())?;
            let next = document.next.parse().map_err(|_| unusable())?;
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
            next: document.next.to_string(),
        };
        let bases = self.bases.iter().map(|(name, digits)| (name.to_string(), digits.to_string())).collect();
        let documents = self.documents.iter().map(document).collect();
        let form = Form { format: FORMAT, id: self.id.to_string(), bases, documents };
        let text = serde_json::to_string(&form).map_err(|error| StoreError::Other(Box::new(error)))?;
        write_synced(next, place, &text)
    }
}
