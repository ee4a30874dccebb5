//! `diff_preview`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::edit::PreviewFormat;
use crate::text::excerpt;
use crate::toolbox::context::{Context, Mode};
use crate::toolbox::definition::{Answer, Call, Tool};
use crate::toolbox::refused::Refused;
use crate::toolbox::{Effect, ToolDefinition, refusal};

/// Shows as a unified diff what a call of an editing tool would change, without making it. Use it
/// where you are not sure.
/// Example: {"tool": "replace_in_memory", "arguments": {"old_string": "Denver", "new_string":
/// "Austin"}}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DiffPreview {
    /// The name of the editing tool.
    #[schemars(extend("aliases" = "tool_name name"))]
    tool: String,
    /// The arguments of that tool.
    #[schemars(with = "serde_json::Map<String, Value>", extend("aliases" = "args input"))]
    #[serde(rename = "arguments")]
    _arguments: Value,
    /// `compact` (default; three lines around each change), `full` (the whole document) or `stats` (counts).
    #[schemars(with = "Option<String>", extend("enum" = ["compact", "full", "stats"], "aliases" = "mode"))]
    format: Option<PreviewFormat>,
}

impl Tool for DiffPreview {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let editor = editor(cx.call, cx.call.offered, &self.tool)?;
        cx.within(editor, "arguments", Mode::Preview(self.format.unwrap_or_default()))
    }
}

/// Returns the editing tool of this name, of those that the agent has.
pub(super) fn editor(
    call: &Call<'_>,
    tools: &[&'static ToolDefinition],
    name: &str,
) -> Result<&'static ToolDefinition, Box<Refused>> {
    let editors: Vec<_> = tools.iter().copied().filter(|tool| tool.is_editor()).collect();
    if let Some(editor) = editors.iter().find(|tool| tool.name == name) {
        return Ok(editor);
    }
    let Some(other) = call.all.iter().find(|tool| tool.is_called(name) && call.offers(tool.name)) else {
        return Err(refusal::unknown_tool(name, &editors));
    };
    let names: Vec<_> = editors.iter().map(|tool| format!("`{}`", tool.name)).collect();
    let why = if other.effect == Effect::Read { ", which changes nothing" } else { "" };
    let found = excerpt(name, 60);
    Err(Refused::invalid(format!("`tool`: expected one of {}, found `{found}`{why}", names.join(", "))))
}
