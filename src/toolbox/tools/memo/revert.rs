//! `memo_revert`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::super::answer::{Done, InSession};
use super::super::super::definition::{About, Call, CallError, Reads};
use super::super::super::desk::Desk;
use super::super::super::editing::revert;
use super::super::super::{Effect, ToolDefinition, phrase};

pub(in super::super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memo_revert",
    title: "Revert the session",
    effect: Effect::Stage,
    description: "Drops what is pending: of the current task, or of the whole session where no task is inside it. Nothing is \
        written. Example: {\"reason\": \"wrong section\"}",
    synonyms: &[&[("reason", "why message summary")]],
    phrase: phrase::nothing,
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// Why.
    reason: String,
}

impl Reads for Arguments {
    type Told = InSession;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<InSession>, CallError> {
        Ok(revert(desk, call, &self.reason)?)
    }
}
