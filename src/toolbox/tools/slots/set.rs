//! `set_slot`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::super::arguments::{ArgumentError, name_of};
use super::super::super::definition::{Action, Asked, Effect, ToolDefinition};
use super::super::super::output::{Edited, reply_of};
use super::super::super::phrase;
use super::super::super::reply::Reply;
use super::super::super::schema::input_of;
use super::super::edit::{Target, parse, told};
use crate::locate::Rung;
use crate::request::SlotOp;

pub(in super::super) const TOOL: ToolDefinition = ToolDefinition {
    name: "set_slot",
    title: "Set a slot",
    effect: Effect::Settle,
    description: "Gives a slot of your memory this value: a line `name: value` between the `---` lines at the very top, which \
        are made if they are not there. Use it for a fact that has one value at a time, such as the user's name. Example: \
        {\"name\": \"user\", \"value\": \"Ada\"}",
    schema: input_of::<Arguments>,
    output: reply_of::<Edited>,
    synonyms: &[
        ("key", "name"),
        ("slot", "name"),
        ("slot_name", "name"),
        ("field", "name"),
        ("val", "value"),
        ("new_value", "value"),
        ("text", "value"),
        ("content", "value"),
        ("to", "value"),
    ],
    prepare,
    action: Action::Edit { ask, tell: told },
    phrase: phrase::slot,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The name of the slot.
    name: String,
    /// Its value, one line.
    value: String,
    #[serde(flatten)]
    target: Target,
}

/// Reads a number or a flag as the text that it is written as.
fn prepare(arguments: &mut Value) -> Result<Vec<Rung>, ArgumentError> {
    let Some(members) = arguments.as_object_mut() else { return Ok(Vec::new()) };
    let value = name_of(members, &["value", "val", "new_value", "text", "content", "to"]);
    match value.and_then(|name| members.get_mut(&name)) {
        Some(value) if value.is_number() || value.is_boolean() => {
            *value = Value::String(value.to_string());
            Ok(vec![Rung::Arguments])
        }
        _ => Ok(Vec::new()),
    }
}

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    let Arguments { name, value, target } = parse(tool, arguments)?;
    target.asks(tool, SlotOp::set(name, value))
}
