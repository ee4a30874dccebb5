//! `memo_begin_task`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::memory::DocName;
use crate::session::TaskError;
use crate::text::is_blank;
use crate::toolbox::editing::base::check_current;
use crate::toolbox::{Answer, Context, Refused, Status, Tool};

impl From<TaskError> for Box<Refused> {
    fn from(error: TaskError) -> Self {
        Refused::new(error.code(), &error.to_string())
    }
}

/// Begins a task, inside the current one if there is one; memo_commit completes it, memo_revert
/// drops what it did.
/// Example: {"goal": "check the versions"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoBeginTask {
    /// What is to be done.
    #[schemars(extend("aliases" = "task title name"))]
    goal: String,
    /// The current task, of which this is a part.
    #[schemars(extend("aliases" = "parent parent_id"))]
    parent_task_id: Option<String>,
    /// True to note it for later, without beginning it.
    #[schemars(extend("aliases" = "plan_only"))]
    planned: Option<bool>,
}

impl Tool for MemoBeginTask {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        if is_blank(&self.goal) {
            return Err(Refused::invalid("`goal`: expected what is to be done, found nothing"));
        }
        let (desk, is_planned) = (&mut *cx.desk, self.planned == Some(true));
        if desk.editing.open.is_none() && !is_planned {
            check_current(desk, &DocName::memory())?;
        }
        let (now, parent) = (desk.memory().now(), self.parent_task_id.as_deref());
        let editing = &mut desk.editing;
        let limit = editing.config.tasks.max_stack_depth;
        let (id, message) = match is_planned {
            true => (editing.tasks.plan(&self.goal, parent), "the task is planned"),
            false => (editing.tasks.begin(&self.goal, parent, limit, now), "the task is begun"),
        };
        let task_id = id?.to_string();
        if !is_planned {
            editing.enter(now);
        }
        let tasks = json!(editing.tasks.roots());
        let reply = cx.state(Status::Ok).with_message(message);
        Ok(reply.with_member("task_id", task_id).with_member("tasks", tasks))
    }
}
