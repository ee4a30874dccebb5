//! `diff_preview`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::edit::inner;
use super::query::one_of;
use crate::edit::{Preview, PreviewFormat};
use crate::text::{excerpt, printable};
use crate::toolbox::answer::{Done, Quote, Tell};
use crate::toolbox::definition::{About, Action, Ask, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::retry::Field;
use crate::toolbox::retry::Nested;
use crate::toolbox::{Effect, Status, ToolDefinition, apply, refusal};

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "diff_preview",
    title: "Preview an edit",
    effect: Effect::Read,
    description: "Shows as a unified diff what a call of an editing tool would change, without making it. Use it before an edit \
        that you are not sure of. Example: {\"tool\": \"replace_in_memory\", \
        \"arguments\": {\"old_string\": \"Denver\", \"new_string\": \"Austin\"}}",
    synonyms: &[&[("arguments", "args input"), ("tool", "tool_name name"), ("format", "mode")]],
    fields: &[(Field::Section, "/section")],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The name of the editing tool.
    tool: String,
    /// The arguments of that tool.
    #[schemars(with = "serde_json::Map<String, Value>")]
    arguments: Value,
    /// `compact` (default; three lines around each change), `full` (the whole document) or `stats` (counts).
    #[schemars(extend("enum" = ["compact", "full", "stats"]))]
    format: Option<String>,
}

#[derive(Clone, Serialize)]
struct Diff {
    /// What would change, as a unified diff or as counts.
    text: Quote,
}

impl Tell for Diff {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)
    }
}

impl Reads for Arguments {
    type Told = Diff;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Diff>, CallError> {
        let known =
            [("compact", PreviewFormat::Compact), ("full", PreviewFormat::Full), ("stats", PreviewFormat::Stats)];
        let format =
            self.format.as_deref().map_or(Ok(PreviewFormat::default()), |format| one_of("format", &known, format))?;
        let (editor, ask) = editor(call, &self.tool)?;
        let read = inner((editor, ask), ("arguments", &self.arguments), None);
        let preview = Preview::new(format, "memory");
        let (asked, read) = read?;
        let done = apply::preview(desk, &asked, &preview).map_err(|refused| {
            let arguments = read.value.into_owned();
            refused.inside(Nested { editor, member: "arguments", arguments })
        });
        let done = done?.with_healed(&read.healed);
        let message = (done.head.status == Status::NoChange).then_some("the text would be the same");
        Ok(done.map(|text| Diff { text: Quote::Lines(printable(&text)) }).with_message_if_any(message))
    }
}

/// Returns the editing tool of this name that the agent has, and how it is asked.
fn editor(call: &Call<'_>, name: &str) -> Result<(&'static ToolDefinition, Ask), CallError> {
    let editors = call.offered.iter().filter_map(|tool| match tool.action {
        Action::Edit { ask, .. } => Some((*tool, ask)),
        Action::Read(_) | Action::Own(_) => None,
    });
    let found = editors.clone().find(|(tool, _)| tool.name == name);
    let editors: Vec<_> = editors.map(|(tool, _)| tool).collect();
    let is_offered = call.offered.iter().any(|tool| tool.is_called(name));
    found.ok_or_else(|| match is_offered {
        true => no_editor(call, name, &editors),
        false => refusal::unknown_tool(name, &editors).into(),
    })
}

/// Refuses what is none of the editing tools.
pub(super) fn no_editor(call: &Call<'_>, name: &str, editors: &[&'static ToolDefinition]) -> CallError {
    let names: Vec<_> = editors.iter().map(|tool| format!("`{}`", tool.name)).collect();
    let is_reading = call.all.iter().any(|tool| tool.is_called(name) && tool.effect == Effect::Read);
    let why = if is_reading { ", which changes nothing" } else { "" };
    CallError::invalid(format!("`tool`: expected one of {}, found `{}`{why}", names.join(", "), excerpt(name, 60)))
}
