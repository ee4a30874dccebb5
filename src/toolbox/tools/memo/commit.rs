//! `memo_commit` and `memo_commit_auto`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::toolbox::answer::Done;
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::{Committed, Committing, commit, commit_auto};
use crate::toolbox::{Effect, ToolDefinition};

pub(crate) static COMMIT: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memo_commit",
    title: "Commit the session",
    effect: Effect::Edit,
    description: "Writes all that is pending in the editing session as one change, and ends the current task. In a task inside a \
        session its changes stay pending there. Example: {\"summary\": \"all timeouts are 60 s now\"}",
    synonyms: &[&[("summary", "message reason description"), ("auto_pop_task", "auto_pop pop_task")]],
    fields: &[],
});

pub(crate) static AUTO: ToolDefinition = ToolDefinition::reading::<Nothing>(About {
    name: "memo_commit_auto",
    title: "Commit with a summary made",
    effect: Effect::Edit,
    description: "Commits the editing session with a summary made from its changes; of candidates shown last, the recommended one is \
        taken. Use it for a single simple edit.",
    synonyms: &[],
    fields: &[],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// What was done, for people. Default: made from the changes.
    summary: Option<String>,
    /// Whether the current task ends. Default: true.
    auto_pop_task: Option<bool>,
    /// The session that is meant. Default: the open one.
    session_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Nothing {}

impl Reads for Arguments {
    type Told = Committed;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Committed>, CallError> {
        let ends_task = self.auto_pop_task.unwrap_or(desk.editing.config.tasks.auto_pop_on_commit);
        let asked = Committing { summary: self.summary, ends_task, session_id: self.session_id };
        Ok(commit(desk, call, &asked)?)
    }
}

impl Reads for Nothing {
    type Told = Committed;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Committed>, CallError> {
        Ok(commit_auto(desk, call)?)
    }
}
