//! `memo_unstage`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::session::Letter;
use crate::text::excerpt;
use crate::toolbox::answer::{Done, InSession};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::unstage;
use crate::toolbox::{Effect, ToolDefinition};

pub(crate) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memo_unstage",
    title: "Take a change out",
    effect: Effect::Stage,
    description: "Takes one pending change out of the editing session, by its letter; the others stay. Example: \
        {\"change_id\": \"B\"}",
    synonyms: &[&[("change_id", "change id letter")]],
    fields: &[],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The letter of the change.
    change_id: String,
}

impl Reads for Arguments {
    type Told = InSession;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<InSession>, CallError> {
        let letter = Letter::read(&self.change_id);
        let found = || excerpt(&self.change_id, 20);
        let letter =
            letter.ok_or_else(|| CallError::invalid(format!("`change_id`: expected a letter, found `{}`", found())));
        Ok(unstage(desk, call, letter?)?)
    }
}
