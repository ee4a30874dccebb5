//! `pin_items`.

use serde_json::Value;

use super::super::super::apply::tell_parts;
use super::super::super::definition::{Action, Asked, Effect, ToolDefinition};
use super::super::super::output::{Parts, reply_of};
use super::super::super::phrase;
use super::super::super::reply::Reply;
use super::super::super::schema::input_of;
use super::super::edit::parse;
use super::{Arguments, SYNONYMS, prepare};
use crate::request::Annotation;

pub(in super::super) const TOOL: ToolDefinition = ToolDefinition {
    name: "pin_items",
    title: "Pin bullets",
    effect: Effect::Settle,
    description: "Pins bullets of your memory: gives them the tag `pinned`, with which no clean-up drops or rewords them. Use it for \
        what must never be lost. Example: {\"targets\": [{\"section\": \"Tasks\", \"contains\": \"thesis\"}]}",
    schema: input_of::<Arguments>,
    output: reply_of::<Parts>,
    synonyms: SYNONYMS,
    prepare,
    action: Action::Edit { ask, tell: tell_parts },
    phrase: phrase::bullet,
};

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    parse::<Arguments>(tool, arguments)?.asks(tool, Annotation::Pin)
}
