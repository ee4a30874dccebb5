//! `set_ttl`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::super::apply::tell_parts;
use super::super::super::definition::{Action, Asked, Effect, ToolDefinition};
use super::super::super::output::{Parts, reply_of};
use super::super::super::reply::Reply;
use super::super::super::schema::input_of;
use super::super::super::{explain, phrase};
use super::super::edit::parse;
use super::{SYNONYMS, prepare};
use crate::document::Expiry;
use crate::request::Annotation;

pub(in super::super) const TOOL: ToolDefinition = ToolDefinition {
    name: "set_ttl",
    title: "Let bullets expire",
    effect: Effect::Edit,
    description: "Says how long bullets of your memory are to be kept: for a time from now on or `since` a date, or until a date. A later clean-up \
        drops them then. Use it for what is true for a while only. What stood there before is replaced. Example: \
        {\"targets\": [{\"contains\": \"in Berlin this week\"}], \"ttl\": \"7d\"}",
    schema: input_of::<Arguments>,
    output: reply_of::<Parts>,
    synonyms: SYNONYMS,
    prepare,
    action: Action::Edit { ask, tell: tell_parts },
    phrase: phrase::bullet,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    #[serde(flatten)]
    marks: super::Arguments,
    /// How long: a number and `s`, `m`, `h`, `d` or `w`, such as `7d`; or until when: a date such as `2026-12-31` or an instant
    /// such as `2026-12-31T18:00:00Z`.
    ttl: String,
    /// For a duration, when it began: a date or an instant, which may lie in the past. Default: now.
    since: Option<String>,
}

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    let Arguments { marks, ttl, since } = parse(tool, arguments)?;
    let expiry: Expiry = ttl.parse().map_err(|error| explain::invalid_value(tool, format!("`ttl`: {error}")))?;
    let Some(since) = since else { return marks.asks(tool, Annotation::SetTtl(expiry)) };
    let start = since.trim().parse().map_err(|error| explain::invalid_value(tool, format!("`since`: {error}")))?;
    let Expiry::After(ttl) = expiry else {
        let message = format!("`since`: expected with a duration such as `7d`, found with the end `{expiry}`");
        return Err(explain::invalid_value(tool, message));
    };
    marks.asks(tool, Annotation::SetTtl(Expiry::Since { ttl, start }))
}
