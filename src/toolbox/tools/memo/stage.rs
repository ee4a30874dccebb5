//! `memo_stage`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::session::Intent;
use crate::toolbox::answer::{Done, InSession};
use crate::toolbox::definition::{About, Action, Ask, Asked, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::{Staging, stage};
use crate::toolbox::retry::Nested;
use crate::toolbox::tools::edit::inner;
use crate::toolbox::tools::preview::no_editor;
use crate::toolbox::{Effect, ToolDefinition};

pub(crate) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memo_stage",
    title: "Stage any edit",
    effect: Effect::Stage,
    description: "Stages what any editing tool would do, in an editing session: give its name and its arguments. Example: \
        {\"tool\": \"edit_items\", \"args\": {\"edits\": [{\"op\": \"delete\", \"target\": {\"contains\": \"old\"}}]}}",
    synonyms: &[&[("args", "arguments input"), ("tool", "tool_name name")]],
    fields: &[],
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
            let arguments = read.value.clone().into_owned();
            // Its refusals are those of the tool.
            let staged = Call { tool: editor, arguments: read.value, healed: Vec::new(), ..*call };
            let staged = stage(desk, &staged, asked.into_iter().map(|asked| staging(editor, asked)).collect());
            staged.map_err(|refused| refused.inside(Nested { editor, member: "args", arguments }))
        });
        Ok(staged?)
    }
}

/// Returns the editing tools that the agent has; where it has none, all that there are.
fn editors(call: &Call<'_>) -> Vec<(&'static ToolDefinition, Ask)> {
    let among = |tools: &[&'static ToolDefinition]| -> Vec<_> {
        let editor = |tool: &&'static ToolDefinition| match tool.action {
            Action::Edit { ask, .. } => Some((*tool, ask)),
            Action::Read(_) | Action::Own(_) => None,
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
