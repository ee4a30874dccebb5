//! [`TaskTree`]: the tasks of a conversation.

use serde::Serialize;
use thiserror::Error;

use crate::locate::Code;
use crate::text::{Content, Timestamp, excerpt, fold_name, visible};

/// The maximum length of a stored goal or summary, in characters.
const WORDS: usize = 400;

/// The status of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskStatus {
    /// It has not begun.
    Planned,
    /// It has begun and has not ended.
    Active,
    /// It is done.
    Completed,
    /// Its changes were dropped.
    Reverted,
}

impl TaskStatus {
    /// Returns the sign for this status.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Planned => "⏳",
            Self::Active => "📝",
            Self::Completed => "✅",
            Self::Reverted => "↩",
        }
    }
}

/// A task and its subtasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TaskNode {
    /// Its number, from 1.
    pub task_id: String,
    /// What is to be done.
    pub goal: Content,
    /// When it was begun; `None` while it is planned.
    pub started_at: Option<Timestamp>,
    /// Its status.
    pub status: TaskStatus,
    /// Its result, or why it was reverted.
    pub summary: Option<Content>,
    /// Its subtasks, in the order in which they were begun or planned.
    pub children: Vec<Self>,
}

/// Why a task was not begun.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TaskError {
    /// Tasks would nest too deep.
    #[error("tasks nest {limit} deep at most")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// The named task is not the current one.
    #[error("`{task}` is not the current task; {}", named(current.as_deref()))]
    Unknown {
        /// The task that was named.
        task: Content,
        /// The current task.
        current: Option<String>,
    },
}

fn named(current: Option<&str>) -> String {
    current.map_or_else(|| "no task is open".to_owned(), |current| format!("the current task is `{current}`"))
}

impl TaskError {
    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::TooDeep { .. } => Code::TaskDepth,
            Self::Unknown { .. } => Code::UnknownTask,
        }
    }
}

/// The tasks of a conversation: a tree, and the stack of the open ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskTree {
    /// Ended and planned tasks without a parent.
    roots: Vec<TaskNode>,
    // Invariant: the open tasks, outermost first. When a task ends, it becomes the last child of the one before it.
    open: Vec<TaskNode>,
    /// The number of the latest task.
    latest: u32,
}

impl TaskTree {
    /// Returns the tasks without a parent, each with its subtasks.
    pub fn roots(&self) -> Vec<TaskNode> {
        let open = self.open.iter().rev().cloned().reduce(|inner, mut outer| {
            outer.children.push(inner);
            outer
        });
        self.roots.iter().cloned().chain(open).collect()
    }

    /// Returns how many tasks are open.
    pub const fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the current task: the innermost open one.
    pub fn current(&self) -> Option<&TaskNode> {
        self.open.last()
    }

    /// Begins a task below the current one. If a task with the same goal was planned there, begins that one.
    ///
    /// # Errors
    ///
    /// The task would nest deeper than `limit`, or `parent` is not the current task.
    pub fn begin(
        &mut self,
        goal: &str,
        parent: Option<&str>,
        limit: usize,
        now: Timestamp,
    ) -> Result<String, TaskError> {
        self.check_current(parent)?;
        if self.depth() >= limit {
            return Err(TaskError::TooDeep { limit });
        }
        let name = fold_name(&excerpt(goal, WORDS));
        let is_meant = |node: &TaskNode| node.status == TaskStatus::Planned && fold_name(&node.goal) == name;
        let planned = self.siblings().iter().position(is_meant).map(|at| self.siblings().remove(at));
        let mut node = planned.unwrap_or_else(|| self.new_task(goal));
        (node.status, node.started_at) = (TaskStatus::Active, Some(now));
        let id = node.task_id.clone();
        self.open.push(node);
        Ok(id)
    }

    /// Adds a planned task below the current one.
    ///
    /// # Errors
    ///
    /// `parent` is not the current task.
    pub fn plan(&mut self, goal: &str, parent: Option<&str>) -> Result<String, TaskError> {
        self.check_current(parent)?;
        let node = self.new_task(goal);
        let id = node.task_id.clone();
        self.siblings().push(node);
        Ok(id)
    }

    /// Ends the current task, and returns it; `None` if none is open.
    pub fn end(&mut self, status: TaskStatus, summary: &str) -> Option<TaskNode> {
        let mut node = self.open.pop()?;
        (node.status, node.summary) = (status, Some(excerpt(summary, WORDS).into()));
        self.siblings().push(node.clone());
        Some(node)
    }

    /// Returns the subtasks of the current task that are not open.
    fn siblings(&mut self) -> &mut Vec<TaskNode> {
        self.open.last_mut().map_or(&mut self.roots, |current| &mut current.children)
    }

    fn new_task(&mut self, goal: &str) -> TaskNode {
        self.latest += 1;
        TaskNode {
            task_id: self.latest.to_string(),
            goal: excerpt(goal, WORDS).into(),
            started_at: None,
            status: TaskStatus::Planned,
            summary: None,
            children: Vec::new(),
        }
    }

    /// Checks that the task that a call names, if it names one, is the current one.
    fn check_current(&self, named: Option<&str>) -> Result<(), TaskError> {
        let current = self.current().map(|node| node.task_id.clone());
        let other = named.filter(|named| Some(named.trim().trim_start_matches('#')) != current.as_deref());
        other.map_or(Ok(()), |task| Err(TaskError::Unknown { task: task.into(), current }))
    }
}

/// The most lines of tasks that are shown.
const LINES: usize = 40;
/// The maximum length of a goal or summary that is shown, in characters.
const SHOWN: usize = 80;

impl TaskTree {
    /// Renders the open tasks, outermost first.
    pub fn render_stack(&self) -> String {
        let row = |(depth, node)| format!("{}└─ {}", "   ".repeat(depth), self.row(node));
        let rows: Vec<_> = self.open.iter().enumerate().map(row).collect();
        format!("📊 task stack (depth {}):\n{}", rows.len(), shown(&rows))
    }

    /// Renders all tasks; if there are many, the latest.
    pub fn render_tree(&self) -> String {
        let mut rows = Vec::new();
        for root in self.roots() {
            rows.push(format!("- {}", self.row(&root)));
            self.add_rows(&root.children, "  ", &mut rows);
        }
        format!("🌳 tasks so far:\n{}", shown(&rows))
    }

    fn add_rows(&self, nodes: &[TaskNode], indent: &str, rows: &mut Vec<String>) {
        for (nth, node) in nodes.iter().enumerate() {
            let is_last = nth + 1 == nodes.len();
            let (branch, below) = if is_last { ("└─", "    ") } else { ("├─", "│   ") };
            rows.push(format!("{indent}{branch} {}", self.row(node)));
            self.add_rows(&node.children, &format!("{indent}{below}"), rows);
        }
    }

    fn row(&self, node: &TaskNode) -> String {
        let is_current = self.current().is_some_and(|current| current.task_id == node.task_id);
        let id = if node.status == TaskStatus::Active { format!("[#{}] ", node.task_id) } else { String::new() };
        let end = match (&node.summary, node.status) {
            _ if is_current => " (current)".to_owned(),
            (_, TaskStatus::Planned) => " (planned)".to_owned(),
            (Some(summary), _) => format!(" → {}", words(summary)),
            (None, _) => String::new(),
        };
        format!("{} {id}{}{end}", node.status.sign(), words(&node.goal))
    }
}

fn words(text: &str) -> String {
    visible(&excerpt(text, SHOWN))
}

/// Returns the last rows, after a line that says how many rows are left out.
fn shown(rows: &[String]) -> String {
    if rows.is_empty() {
        return "(none)\n".to_owned();
    }
    let (left_out, last) = rows.split_at(rows.len().saturating_sub(LINES));
    let more = (!left_out.is_empty()).then(|| format!("… ({} lines before these)\n", left_out.len()));
    more.into_iter().chain(last.iter().map(|row| format!("{row}\n"))).collect()
}
