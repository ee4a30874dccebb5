//! `memo_export_session` and `memo_export_diff`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::text::escaped;
use crate::toolbox::answer::{Done, InSession, Quote};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::{exported, in_session, no_session};
use crate::toolbox::{Effect, Status, ToolDefinition};

pub(crate) static SESSION: ToolDefinition = ToolDefinition::reading::<OfSession>(About {
    name: "memo_export_session",
    title: "Export the session",
    effect: Effect::Read,
    description: "Returns the full log of the editing session as JSON: base, changes with what stands around them, calls and replies.",
    synonyms: &[],
    fields: &[],
});

pub(crate) static DIFF: ToolDefinition = ToolDefinition::reading::<OfDiff>(About {
    name: "memo_export_diff",
    title: "Export a diff",
    effect: Effect::Read,
    description: "Returns all that is pending as one unified diff, which `git apply` takes.",
    synonyms: &[],
    fields: &[],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct OfSession {}

#[derive(Debug, Deserialize, JsonSchema)]
struct OfDiff {}

impl Reads for OfSession {
    type Told = InSession;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<InSession>, CallError> {
        let Some(open) = &desk.editing.open else { return Err(no_session(&desk.editing).into()) };
        let log = exported(&desk.editing, open);
        // In JSON, what stands in a string begins no line.
        let lines: Vec<_> = format!("{log:#}").split('\n').map(escaped).collect();
        told(desk, call, Quote::Lines(lines.join("\n")))
    }
}

impl Reads for OfDiff {
    type Told = InSession;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<InSession>, CallError> {
        let Some(open) = &desk.editing.open else { return Err(no_session(&desk.editing).into()) };
        let documents = desk.memory().documents()?;
        let diff = open.session.diff(|name| documents.contains(name));
        told(desk, call, Quote::Verbatim(diff))
    }
}

fn told(desk: &Desk, call: &Call<'_>, text: Quote) -> Result<Done<InSession>, CallError> {
    let mut session = in_session(desk, call);
    session.text = Some(text);
    Ok(Done::new(Status::Ok, session))
}
