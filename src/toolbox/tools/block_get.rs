//! `block_get`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::toolbox::answer::{Done, Quote, Tell};
use crate::toolbox::arguments::Synonyms;
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::{Effect, Status, ToolDefinition};

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "block_get",
    title: "Read a core block",
    effect: Effect::Read,
    description: "Reads a core block: `persona` (who you are), `user_profile`, `goals` or `knowledge`, as it stands or at an earlier \
        version. Use it before you update one. Example: {\"label\": \"persona\"}",
    synonyms: &[LABEL, &[("version", "rev number")]],
    fields: &[],
});

pub(super) const LABEL: Synonyms = &[("label", "block block_label name key")];

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The label of the block.
    label: String,
    /// The version, from 1. Default: the latest.
    version: Option<u64>,
}

/// What the tool tells.
#[derive(Clone, Serialize)]
struct Told {
    label: String,
    /// The version, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// What it says; null if it was never set.
    text: Option<Quote>,
    /// Whether it stands in every prompt.
    is_core: bool,
}

impl Tell for Told {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(text) = &self.text else { return Ok(()) };
        write!(f, "\nversion {}:{text}", self.version.unwrap_or_default())
    }
}

impl Reads for Arguments {
    type Told = Told;

    fn read(self, desk: &mut Desk, _: &Call<'_>) -> Result<Done<Told>, CallError> {
        let block = desk.memory().block(&self.label, self.version)?;
        let text = block.text.map(|text| text.to_string());
        let message = match text.as_deref() {
            None => Some("the block has no text"),
            Some("") => Some("the block is empty"),
            Some(_) => None,
        };
        let version = Some(block.version).filter(|version| *version > 0);
        let told = Told { label: block.label, version, text: text.map(Quote::Verbatim), is_core: block.is_core };
        Ok(Done::new(Status::Ok, told).with_message_if_any(message))
    }
}
