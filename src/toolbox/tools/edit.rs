//! What all editing tools share: the document and its base revision.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::query::parsed;
use crate::locate::Code;
use crate::memory::DocName;
use crate::request::Request;
use crate::text::RevisionPrefix;
use crate::toolbox::answer::Refused;
use crate::toolbox::arguments::Arguments;
use crate::toolbox::definition::{Ask, Asked, CallError, Requested};
use crate::toolbox::{ToolDefinition, arguments, refusal};

/// The arguments that an editing tool takes beside its own.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Target {
    /// Which document. Default: `memory`.
    pub(super) document: Option<String>,
    /// The revision that you saw. Default: the last shown.
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

/// Reads the call of an editing tool that a call of another tool holds in `member`, beside which that may name the document.
pub(super) fn inner<'a>(
    (editor, ask): (&ToolDefinition, Ask),
    (member, arguments): (&str, &'a Value),
    beside: Option<&str>,
) -> Result<(Vec<Asked>, Arguments<'a>), Box<Refused>> {
    let refused = |error| refusal::call_error(editor, error);
    let named = beside.map(|name| document(Some(name))).transpose().map_err(refused)?;
    let mut read = arguments::read(&editor.input, arguments).map_err(|error| refused(CallError::Argument(error)))?;
    if let Some(name) = &named
        && editor.takes(&["document"])
        && read.value.get("document").is_none_or(Value::is_null)
        && let Some(value) = read.value.to_mut().as_object_mut()
    {
        value.insert("document".to_owned(), name.as_str().into());
    }
    let asked = ask(&read.value).map_err(refused)?;
    match named.and_then(|name| Some((asked.iter().find(|asked| asked.document != name)?, name))) {
        None => Ok((asked, read)),
        Some((other, name)) => {
            let other = &other.document;
            let why = format!("`document`: expected the document that \"{member}\" names, `{other}`, found `{name}`");
            Err(Refused::plain(Code::InvalidArguments, &why))
        }
    }
}
