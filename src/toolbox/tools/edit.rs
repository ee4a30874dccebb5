//! What all editing tools share: the document and its base revision.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::definition::{Asked, Requested, ToolDefinition};
use super::super::explain;
use super::super::reply::Reply;
use crate::memory::{Applied, DocName};
use crate::request::Request;
use crate::text::RevisionPrefix;

/// The arguments that an editing tool takes beside its own.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Target {
    /// The document to edit. Default: `memory`.
    document: Option<String>,
    /// The revision that you saw, 8 digits or more. Default: the last one shown.
    base_revision: Option<String>,
}

impl Target {
    /// Asks for an edit of the document.
    pub(super) fn asks(&self, tool: &ToolDefinition, request: impl Request + 'static) -> Result<Vec<Asked>, Reply> {
        self.asks_for(tool, Requested::Edit(Box::new(request)))
    }

    /// Asks for what becomes of the document.
    pub(super) fn asks_for(&self, tool: &ToolDefinition, request: Requested) -> Result<Vec<Asked>, Reply> {
        let document = document(tool, self.document.as_deref())?;
        let base = base(tool, self.base_revision.as_deref())?;
        Ok(vec![Asked { document, base, request }])
    }

    pub(super) fn document(&self) -> Option<&str> {
        self.document.as_deref()
    }

    pub(super) fn base_revision(&self) -> Option<&str> {
        self.base_revision.as_deref()
    }
}

/// Leaves a reply as it is: the receipt tells all.
pub(super) fn told(reply: Reply, _: &[Applied]) -> Reply {
    reply
}
/// The names of arguments that belong to the call and not to a single edit.
pub(super) const OUTER: [&str; 8] =
    ["document", "doc", "document_name", "file", "base_revision", "revision", "revision_id", "hash"];

/// Reads the arguments of a tool.
pub(super) fn parse<T: DeserializeOwned>(tool: &ToolDefinition, arguments: &Value) -> Result<T, Reply> {
    T::deserialize(arguments).map_err(|error| explain::invalid_value(tool, error))
}

/// Reads the name of a document.
pub(super) fn document(tool: &ToolDefinition, name: Option<&str>) -> Result<DocName, Reply> {
    match name {
        None => Ok(DocName::memory()),
        Some(name) => name.parse().map_err(|error| explain::invalid_value(tool, format!("`document`: {error}"))),
    }
}

/// Reads the digits of a revision.
pub(super) fn base(tool: &ToolDefinition, digits: Option<&str>) -> Result<Option<RevisionPrefix>, Reply> {
    let read = digits.map(str::parse::<RevisionPrefix>).transpose();
    read.map_err(|error| explain::invalid_value(tool, format!("`base_revision`: {error}")))
}
