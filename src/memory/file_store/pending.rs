//! The file that names a commit which is being made.

use std::path::Path;
use std::str::FromStr as _;

use serde::{Deserialize, Serialize};

use super::super::commit_id::CommitId;
use super::super::name::DocName;
use super::super::store::{Change, StoreError};
use super::files::{read_text, write_synced};
use crate::text::Revision;

/// The version of the file's form.
const FORMAT: u32 = 1;

/// A commit that is being made.
#[derive(Debug)]
pub(super) struct Pending {
    id: CommitId,
    documents: Vec<PendingDocument>,
}

/// One document of it.
#[derive(Debug)]
pub(super) struct PendingDocument {
    pub(super) name: DocName,
    pub(super) expected: Option<Revision>,
}

#[derive(Serialize, Deserialize)]
struct Form {
    format: u32,
    id: String,
    documents: Vec<FormDocument>,
}

#[derive(Serialize, Deserialize)]
struct FormDocument {
    name: String,
    expected: Option<String>,
}

impl Pending {
    pub(super) fn new(change: &Change) -> Self {
        let document = |name: &DocName, expected| PendingDocument { name: name.clone(), expected };
        let documents = change.documents.iter().map(|next| document(&next.name, next.expected)).collect();
        Self { id: change.id, documents }
    }

    pub(super) const fn id(&self) -> CommitId {
        self.id
    }

    pub(super) fn documents(&self) -> &[PendingDocument] {
        &self.documents
    }

    /// Reads the commit that is being made, if there is one.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, StoreError> {
        let Some(text) = read_text(path)? else { return Ok(None) };
        let unusable = || StoreError::Unusable { path: path.to_path_buf(), what: "not a commit of this version" };
        let form: Form = serde_json::from_str(&text).map_err(|_| unusable())?;
        if form.format != FORMAT {
            return Err(unusable());
        }
        let document = |document: FormDocument| {
            let name = document.name.parse().map_err(|_| unusable())?;
            let expected =
                document.expected.map(|digits| Revision::from_str(&digits)).transpose().map_err(|_| unusable())?;
            Ok(PendingDocument { name, expected })
        };
        let documents = form.documents.into_iter().map(document).collect::<Result<_, StoreError>>()?;
        Ok(Some(Self { id: form.id.parse().map_err(|_| unusable())?, documents }))
    }

    /// Writes the file: from then on, the commit is made.
    pub(super) fn write(&self, next: &Path, place: &Path) -> Result<(), StoreError> {
        let document = |document: &PendingDocument| FormDocument {
            name: document.name.to_string(),
            expected: document.expected.map(|revision| revision.to_string()),
        };
        let documents = self.documents.iter().map(document).collect();
        let form = Form { format: FORMAT, id: self.id.to_string(), documents };
        let text = serde_json::to_string(&form).map_err(|error| StoreError::Other(Box::new(error)))?;
        write_synced(next, place, &text)
    }
}
