//! `remove_slot`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::super::definition::{Action, Asked, Effect, ToolDefinition};
use super::super::super::output::{Edited, reply_of};
use super::super::super::reply::Reply;
use super::super::super::schema::input_of;
use super::super::super::{arguments, phrase};
use super::super::edit::{Target, parse, told};
use crate::request::SlotOp;

pub(in super::super) const TOOL: ToolDefinition = ToolDefinition {
    name: "remove_slot",
    title: "Remove a slot",
    effect: Effect::Edit,
    description: "Removes a slot of your memory, a line `name: value` between the `---` lines at the very top; with the last \
        one these lines go too. Use it when the fact no longer holds and no other has taken its place. Example: {\"name\": \
        \"travel\"}",
    schema: input_of::<Arguments>,
    output: reply_of::<Edited>,
    synonyms: &[("key", "name"), ("slot", "name"), ("slot_name", "name"), ("field", "name")],
    prepare: arguments::as_given,
    action: Action::Edit { ask, tell: told },
    phrase: phrase::slot,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The name of the slot.
    name: String,
    #[serde(flatten)]
    target: Target,
}

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    let Arguments { name, target } = parse(tool, arguments)?;
    target.asks(tool, SlotOp::remove(name))
}
