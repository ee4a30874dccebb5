//! `clear_ttl`.

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
    name: "clear_ttl",
    title: "Keep bullets for good",
    effect: Effect::Settle,
    description: "Takes the time to live, or the end, from bullets of your memory, so that they no longer expire. Use it when what was \
        true for a while has turned out to last. Example: {\"targets\": [{\"contains\": \"office key\"}]}",
    schema: input_of::<Arguments>,
    output: reply_of::<Parts>,
    synonyms: SYNONYMS,
    prepare,
    action: Action::Edit { ask, tell: tell_parts },
    phrase: phrase::bullet,
};

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    parse::<Arguments>(tool, arguments)?.asks(tool, Annotation::ClearTtl)
}
