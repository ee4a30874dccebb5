//! What all editing tools share: the document and its base revision.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::definition::{Asked, CallError, Requested};
use super::query::parsed;
use crate::memory::DocName;
use crate::request::Request;
use crate::text::RevisionPrefix;

/// The arguments that an editing tool takes beside its own.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Target {
    /// The document to edit. Default: `memory`.
    pub(super) document: Option<String>,
    /// The revision that you saw. Default: the last one shown.
    pub(super) base_revision: Option<String>,
}

impl Target {
    /// The names of these arguments: they belong to the call and not to a single edit.
    pub(super) const NAMES: [&'static str; 2] = ["document", "base_revision"];

    /// Asks for an edit of the document.
    pub(super) fn asks(&self, request: impl Request + 'static) -> Result<Vec<Asked>, CallError> {
        self.asks_for(Requested::Edit(Box::new(request)))
    }

    /// Asks for what becomes of the document.
    pub(super) fn asks_for(&self, request: Requested) -> Result<Vec<Asked>, CallError> {
        let document = document(self.document.as_deref())?;
        let base = base(self.base_revision.as_deref())?;
        Ok(vec![Asked { document, base, request }])
    }
}

/// Reads the name of a document.
pub(super) fn document(name: Option<&str>) -> Result<DocName, CallError> {
    name.map_or_else(|| Ok(DocName::memory()), |name| parsed("document", name))
}

/// Reads the digits of a revision.
pub(super) fn base(digits: Option<&str>) -> Result<Option<RevisionPrefix>, CallError> {
    digits.map(|digits| parsed("base_revision", digits)).transpose()
}
