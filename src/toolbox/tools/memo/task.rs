//! `memo_begin_task`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::locate::Leniency;
use crate::memory::DocName;
use crate::session::TaskNode;
use crate::text::is_blank;
use crate::toolbox::answer::{Done, InSession, Quote, Tell};
use crate::toolbox::arguments::{ArgumentError, Names, as_text};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::{check_begun_on, in_session, task_error};
use crate::toolbox::{Effect, Status, ToolDefinition};

/// How many tasks that are below no other are told, the latest.
const TOLD: usize = 8;

pub(crate) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memo_begin_task",
    title: "Begin a task",
    effect: Effect::Stage,
    description: "Begins a task, inside the current one if there is one; memo_commit completes it, memo_revert drops what it did. \
        Example: {\"goal\": \"check the versions\"}",
    synonyms: &[&[("goal", "task title name"), ("parent_task_id", "parent parent_id"), ("planned", "plan_only")]],
    fields: &[],
})
.preparing(parent_as_text);

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// What is to be done.
    goal: String,
    /// The current task, of which this is a part.
    parent_task_id: Option<String>,
    /// True to note it for later, without beginning it.
    planned: Option<bool>,
}

fn parent_as_text(arguments: &mut Value, names: &Names) -> Result<Vec<Leniency>, ArgumentError> {
    as_text(arguments, names, "parent_task_id").map(|_| Vec::new())
}

/// What the tool tells.
#[derive(Clone, Serialize)]
struct Begun {
    /// The number of the task.
    task_id: String,
    #[serde(flatten)]
    session: InSession,
    /// The tasks, each with those below it.
    tasks: Vec<TaskNode>,
}

impl Tell for Begun {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\ntask #{}", self.task_id)?;
        self.session.fmt_own(f)
    }
}

impl Reads for Arguments {
    type Told = Begun;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Begun>, CallError> {
        if is_blank(&self.goal) {
            return Err(CallError::invalid("`goal`: expected what is to be done, found nothing"));
        }
        if desk.editing.open.is_none() && self.planned != Some(true) {
            check_begun_on(desk, &DocName::memory())?;
        }
        let (now, parent) = (desk.memory().now(), self.parent_task_id.as_deref());
        let editing = &mut desk.editing;
        let limit = editing.config.tasks.max_stack_depth;
        let (id, message) = if self.planned == Some(true) {
            (editing.tasks.plan(&self.goal, parent), "the task is planned")
        } else {
            (editing.tasks.begin(&self.goal, parent, limit, now), "the task is begun")
        };
        let id = id.map_err(|error| task_error(&error))?;
        if self.planned != Some(true) {
            editing.enter(now);
        }
        let mut session = in_session(desk, call);
        session.text = desk.editing.task_text().map(Quote::Lines);
        let roots = desk.editing.tasks.roots();
        let tasks = roots.iter().skip(roots.len().saturating_sub(TOLD)).cloned().collect();
        Ok(Done::new(Status::Ok, Begun { task_id: id.to_string(), session, tasks }).with_message(message))
    }
}
