//! `memo_stage`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::super::answer::{Done, InSession};
use super::super::super::definition::{About, Action, Ask, Asked, Call, CallError, Reads};
use super::super::super::desk::Desk;
use super::super::super::editing::{Staging, stage};
use super::super::super::{Effect, ToolDefinition, explain, phrase};
use super::super::edit::inner;
use super::super::preview::no_editor;
use crate::session::Intent;

pub(in super::super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memo_stage",
    title: "Stage any edit",
    effect: Effect::Stage,
    description: "Stages what any editing tool would do, in an editing session: give its name and its arguments. Example: \
        {\"tool\": \"edit_items\", \"args\": {\"edits\": [{\"op\": \"delete\", \"target\": {\"contains\": \"old\"}}]}}",
    synonyms: &[&[("args", "arguments input"), ("tool", "tool_name name")]],
    phrase: phrase::nothing,
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The name of the editing tool.
    tool: String,
    /// The arguments that it would be called with.
    #[schemars(with = "serde_json::Map<String, Value>")]
    args: Value,
    /// The document to edit, if `args` names none. Default: `memory`.
    document: Option<String>,
}

impl Reads for Arguments {
    type Told = InSession;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<InSession>, CallError> {
        let editors = editors(call);
        let Some((editor, ask)) = editors.iter().copied().find(|(tool, _)| tool.name == self.tool) else {
            let editors: Vec<_> = editors.iter().map(|(tool, _)| *tool).collect();
            return Err(no_editor(call, &self.tool, &editors));
        };
        let read = inner((editor, ask), ("args", &self.args), self.document.as_deref());
        let staged = read.and_then(|(asked, read)| {
            // Its refusals are those of the tool.
            let staged = Call { tool: editor, arguments: read.value, healed: Vec::new(), renamed: Vec::new(), ..*call };
            stage(desk, &staged, asked.into_iter().map(|asked| staging(editor, asked)).collect())
        });
        Ok(staged.map_err(|refused| explain::nested(refused, call.tool.name, "args", editor))?)
    }
}

/// Returns the editing tools that the agent has; where it has none, all that there are.
fn editors(call: &Call<'_>) -> Vec<(&'static ToolDefinition, Ask)> {
    let among = |tools: &[&'static ToolDefinition]| -> Vec<_> {
        let editor = |tool: &&'static ToolDefinition| match tool.action {
            Action::Edit { ask, .. } => Some((*tool, ask)),
            Action::Read(_) => None,
        };
        tools.iter().filter_map(editor).collect()
    };
    let own = among(call.offered);
    if own.is_empty() { among(call.all) } else { own }
}

fn staging(editor: &ToolDefinition, asked: Asked) -> Staging {
    Staging {
        document: asked.document,
        base: asked.base,
        intent: Intent::Tool(editor.name.to_owned()),
        request: asked.request,
    }
}
