//! `unpin_items`.

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
    name: "unpin_items",
    title: "Unpin bullets",
    effect: Effect::Settle,
    description: "Takes the tag `pinned` from bullets of your memory, so that a clean-up may drop or reword them again. Use it when \
        what was pinned has become ordinary. Example: {\"targets\": [{\"contains\": \"thesis\"}]}",
    schema: input_of::<Arguments>,
    output: reply_of::<Parts>,
    synonyms: SYNONYMS,
    prepare,
    action: Action::Edit { ask, tell: tell_parts },
    phrase: phrase::bullet,
};

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    parse::<Arguments>(tool, arguments)?.asks(tool, Annotation::Unpin)
}
