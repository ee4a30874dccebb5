//! Pins and TTLs: a file for each tool.

mod clear_ttl;
mod pin;
mod set_ttl;
mod unpin;

pub(super) use clear_ttl::TOOL as CLEAR_TTL;
pub(super) use pin::TOOL as PIN;
pub(super) use set_ttl::TOOL as SET_TTL;
pub(super) use unpin::TOOL as UNPIN;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::arguments::ArgumentError;
use super::super::definition::{Asked, ToolDefinition};
use super::super::reply::Reply;
use super::edit::Target;
use super::selector::{SelectorArguments, listed_targets, selector};
use crate::locate::Rung;
use crate::request::{Annotate, Annotation};

/// What models write for the arguments, each with the right name.
const SYNONYMS: &[(&str, &str)] = &[
    ("target", "targets"),
    ("selectors", "targets"),
    ("selector", "targets"),
    ("items", "targets"),
    ("item", "targets"),
    ("bullets", "targets"),
    ("bullet", "targets"),
    ("text", "contains"),
    ("match", "contains"),
    ("startswith", "starts_with"),
    ("prefix", "starts_with"),
    ("exact", "equals"),
    ("exactly", "equals"),
    ("id", "key"),
    ("position", "index"),
    ("at", "index"),
    ("start", "since"),
    ("start_date", "since"),
    ("starting", "since"),
    ("from", "since"),
    ("duration", "ttl"),
    ("time_to_live", "ttl"),
    ("lifetime", "ttl"),
    ("for", "ttl"),
    ("until", "ttl"),
    ("expires", "ttl"),
    ("expires_at", "ttl"),
    ("expires_in", "ttl"),
    ("expires_on", "ttl"),
    ("expiry", "ttl"),
    ("expiration", "ttl"),
    ("date", "ttl"),
    ("start", "since"),
    ("starting", "since"),
    ("from", "since"),
];

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The bullets, all of them or none. Name each by a part of its text (`contains`), its `key`, its `tag`, or its section or
    /// block and `index`.
    targets: Vec<SelectorArguments>,
    #[serde(flatten)]
    target: Target,
}

fn prepare(arguments: &mut Value) -> Result<Vec<Rung>, ArgumentError> {
    Ok(listed_targets(arguments))
}

impl Arguments {
    fn asks(self, tool: &ToolDefinition, mark: Annotation) -> Result<Vec<Asked>, Reply> {
        self.target.asks(tool, Annotate::new(mark, self.targets.into_iter().map(selector)))
    }
}
