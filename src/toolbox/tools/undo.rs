//! `memory_undo`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::locate::Leniency;
use crate::memory::journal::Seq;
use crate::memory::{Applied, Memory, Undo, Undone};
use crate::text::excerpt;
use crate::toolbox::answer::{Done, Edited};
use crate::toolbox::arguments::{ArgumentError, Names, as_text};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::check_plans_beside;
use crate::toolbox::{Effect, Status, ToolDefinition, apply};

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memory_undo",
    title: "Undo an edit",
    effect: Effect::Edit,
    description: "Takes back what an edit did, by its `seq` (every reply to an edit has one, and memory_history lists them), or your own \
        last edit; what was done later stays. Use it when an edit was wrong. Example: {\"entry\": \"last\", \"reason\": \"wrong city\"}",
    synonyms: &[&[("entry", "seq id number entry_seq"), ("reason", "why message")]],
    fields: &[],
})
.preparing(entry_as_text);

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The `seq` of the edit, or `last` for your own last edit that is not taken back yet.
    entry: String,
    /// Why.
    reason: Option<String>,
}

fn entry_as_text(arguments: &mut Value, names: &Names) -> Result<Vec<Leniency>, ArgumentError> {
    // A number is what the description asks for.
    as_text(arguments, names, "entry").map(|_| Vec::new())
}

impl Reads for Arguments {
    type Told = Edited;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Edited>, CallError> {
        let which = which(&self.entry)?;
        let mut origin = desk.origin(call.tool.name)?;
        origin.reason = self.reason.map(Into::into);
        // What is refused is refused by the undoing itself.
        let planned = match desk.editing.open {
            Some(_) => desk.memory().would_undo(which, &origin).unwrap_or_default(),
            None => Vec::new(),
        };
        check_plans_beside(desk, &planned)?;
        let told = |status, seq: Option<Seq>, message: &str| {
            Done::new(status, Edited { seq: seq.map(Seq::get), ..Edited::default() }).with_message(message)
        };
        Ok(match desk.memory().undo(which, &origin)? {
            Undone::Made(applied) => {
                desk.made(&applied);
                let done = apply::done(&applied);
                match taken_back(desk.memory(), &applied) {
                    Some(which) => done.with_message(which),
                    None => done,
                }
            }
            Undone::Already(by) => told(Status::AlreadyApplied, Some(by), "it is undone already; nothing was written"),
            Undone::NoChange => told(Status::NoChange, None, "that entry changed no document; nothing was written"),
        })
    }
}

/// Names the edit that was taken back: `last` does not.
fn taken_back(memory: &Memory, applied: &[Applied]) -> Option<String> {
    let undoing = memory.entry(applied.iter().find_map(|applied| applied.seq)?).ok()?;
    let undone = memory.entry(undoing.header().undoes?).ok()?;
    let tool = undone.header().tool.as_deref().map(|tool| format!(" ({tool})"));
    Some(format!("took back edit {}{}", undone.seq(), tool.unwrap_or_default()))
}

fn which(entry: &str) -> Result<Undo, CallError> {
    if entry.trim().eq_ignore_ascii_case("last") {
        return Ok(Undo::Last);
    }
    let number = entry.trim().trim_start_matches('#').parse().ok().map(Seq::new);
    number.map(Undo::Entry).ok_or_else(|| {
        CallError::invalid(format!("`entry`: expected a number or `last`, found `{}`", excerpt(entry, 40)))
    })
}
