//! `memo_revert`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::toolbox::answer::{Done, InSession};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::revert;
use crate::toolbox::{Effect, ToolDefinition};

pub(crate) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memo_revert",
    title: "Revert the session",
    effect: Effect::Stage,
    description: "Drops what is pending: of the current task, or of the whole session where no task is inside it. Nothing is \
        written. Example: {\"reason\": \"wrong section\"}",
    synonyms: &[&[("reason", "why message summary")]],
    fields: &[],
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
