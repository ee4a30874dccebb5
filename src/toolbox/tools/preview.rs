//! `diff_preview`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::arguments;
use super::super::definition::{Action, Effect, ToolDefinition};
use super::super::output::reply_of;
use super::super::reply::{Reply, Status};
use super::super::schema::input_of;
use super::super::{Toolbox, apply, explain, phrase};
use super::edit::parse;
use crate::edit::{Preview, PreviewFormat};

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "diff_preview",
    title: "Preview an edit",
    effect: Effect::Read,
    description: "Shows what an edit would change, as a unified diff, without making it. Give the name and the arguments of \
        any editing tool. Use it before an edit that you are not sure of. Example: {\"tool\": \"replace_in_memory\", \
        \"arguments\": {\"old_string\": \"Denver\", \"new_string\": \"Austin\"}}",
    schema: input_of::<Arguments>,
    output: reply_of::<Answer>,
    synonyms: &[
        ("args", "arguments"),
        ("tool_name", "tool"),
        ("name", "tool"),
        ("mode", "format"),
        ("input", "arguments"),
    ],
    prepare: arguments::as_given,
    action: Action::Read(preview),
    phrase: phrase::scope,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The name of the editing tool.
    tool: String,
    /// The arguments that the tool would be called with.
    #[schemars(with = "serde_json::Map<String, Value>")]
    arguments: Value,
    /// `compact` with three lines around each change, `full` with the whole document, `stats` with counts only. Default:
    /// `compact`.
    format: Option<Format>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    #[default]
    Compact,
    Full,
    Stats,
}

/// What a call adds to its reply.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "replies are built member by member; this is their schema")]
struct Answer {
    /// What would change, as a unified diff or as counts.
    text: Option<String>,
}

fn preview(toolbox: &mut Toolbox, tool: &ToolDefinition, arguments: &Value) -> Result<Reply, Reply> {
    let arguments: Arguments = parse(tool, arguments)?;
    let editors: Vec<_> =
        toolbox.tools().iter().copied().filter(|tool| matches!(tool.action, Action::Edit { .. })).collect();
    let Some(editor) = editors.iter().find(|editor| editor.name == arguments.tool) else {
        return Err(explain::unknown_tool(&arguments.tool, &editors));
    };
    let Action::Edit { ask, .. } = editor.action else { return Err(explain::unknown_tool(&arguments.tool, &editors)) };
    let read =
        arguments::read(editor, &arguments.arguments).map_err(|error| explain::invalid_arguments(editor, &error))?;
    let asked = ask(editor, &read.value)?;
    let format = match arguments.format.unwrap_or_default() {
        Format::Compact => PreviewFormat::Compact,
        Format::Full => PreviewFormat::Full,
        Format::Stats => PreviewFormat::Stats,
    };
    let text = apply::preview(toolbox, editor, &asked, &Preview::new(format, "memory"))?;
    if text.is_empty() {
        return Ok(Reply::new(Status::NoChange).with("message", "the text would be the same").with("text", text));
    }
    Ok(Reply::new(Status::Preview).with("text", text))
}
