//! `memory_undo` and `memory_verify`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::memory::journal::Seq;
use crate::memory::{Applied, Memory, Undo, Undone};
use crate::text::excerpt;
use crate::toolbox::answer::{BadRow, Edited};
use crate::toolbox::context::Context;
use crate::toolbox::definition::{About, Answer, CallError, Tool};
use crate::toolbox::editing::check_plans_beside;
use crate::toolbox::{Effect, Reply, Status, apply, refusal};

/// Takes back what an edit did, by its `seq` (every reply to an edit has one, and memory_history
/// lists them), or your own last edit; what was done later stays. Use it when an edit was wrong.
/// Example: {"entry": "last", "reason": "wrong city"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryUndo {
    /// The `seq` of the edit, or `last` for your own last edit that is not taken back yet.
    #[schemars(extend("aliases" = "seq id number entry_seq", "spelled" = true))]
    entry: String,
    /// Why.
    #[schemars(extend("aliases" = "why message"))]
    reason: Option<String>,
}

impl Tool for MemoryUndo {
    const ABOUT: About = About::new("memory_undo", "Undo an edit", Effect::Edit);

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let which = which(&self.entry)?;
        let desk = &mut *cx.desk;
        let mut origin = desk.origin(cx.call.tool.name)?;
        origin.reason = self.reason.map(Into::into);
        // What is refused is refused by the undoing itself.
        let planned = match desk.editing.open {
            Some(_) => desk.memory().would_undo(which, &origin).unwrap_or_default(),
            None => Vec::new(),
        };
        check_plans_beside(desk, &planned)?;
        let told = |status, seq: Option<Seq>, message| {
            Reply::new(status, &Edited { seq: seq.map(Seq::get), ..Edited::default() }).with_message(message)
        };
        Ok(match desk.memory().undo(which, &origin)? {
            Undone::Made(applied) => {
                desk.made(&applied);
                apply::reply(&applied).with_message(taken_back(desk.memory(), &applied).as_deref())
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

/// How many notices are told.
const MOST_NOTICES: usize = 5;

/// Verifies that the journal of your memory is as it was written, entry by entry, and that the
/// documents are what it made. Use it when something in the memory is not what you expect.
/// Example: {}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryVerify {}

#[derive(Serialize)]
struct Verified {
    /// How many entries there are.
    entries: u64,
    /// The number of the last one, and its hash.
    head: String,
    /// What is wrong.
    bad: Vec<BadRow>,
    /// What is worth knowing, though nothing is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<BadRow>,
}

impl Tool for MemoryVerify {
    const ABOUT: About = About::new("memory_verify", "Verify the journal", Effect::Read);

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let verification = cx.desk.memory().verify(None)?;
        if !verification.is_sound() {
            return Err(refusal::broken_chain(&verification).into());
        }
        let (entries, head) = (verification.entries, &verification.head);
        let head = format!("{} {}", Seq::get(head.seq), head.hash);
        let message = format!("the journal is as it was written: {entries} entries, the last of them {head}");
        let notices = verification.findings.iter().map(refusal::bad).take(MOST_NOTICES).collect();
        let verified = Verified { entries, head, bad: Vec::new(), notices };
        Ok(Reply::new(Status::Ok, &verified).with_message(message.as_str()))
    }
}
