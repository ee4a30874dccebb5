//! [`TaskTree`]: what is being done, what it is part of, and what has been done.

use std::fmt::Write as _;

use serde::Serialize;
use thiserror::Error;

use crate::locate::Code;
use crate::text::{Content, Timestamp, displayed_as_held, excerpt, fold_name, visible};

/// How much of a goal or a summary is kept, in characters.
const WORDS: usize = 400;

/// The number of a task, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(u32);

displayed_as_held!(TaskId);

impl TaskId {
    /// Reads a number as it is written, with or without a `#` before it.
    pub fn read(text: &str) -> Option<Self> {
        text.trim().trim_start_matches('#').parse().ok().map(Self)
    }
}

impl Serialize for TaskId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What has become of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskStatus {
    /// It waits to be begun.
    Planned,
    /// It is being done, or one below it is.
    Active,
    /// It is done.
    Completed,
    /// What it did was dropped.
    Reverted,
}

impl TaskStatus {
    /// Returns the sign that it is shown by.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Planned => "⏳",
            Self::Active => "📝",
            Self::Completed => "✅",
            Self::Reverted => "↩",
        }
    }
}

/// A task, and those below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TaskNode {
    /// Its number.
    pub task_id: TaskId,
    /// What is to be done.
    pub goal: Content,
    /// When it was begun; `None` while it is planned.
    pub started_at: Option<Timestamp>,
    /// What has become of it.
    pub status: TaskStatus,
    /// What came of it, or why it was dropped.
    pub summary: Option<Content>,
    /// The tasks below it, in the order in which they were begun or planned.
    pub children: Vec<Self>,
}

/// A task that is not begun.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TaskError {
    /// Tasks would nest too deep.
    #[error("tasks nest {limit} deep at most")]
    TooDeep {
        /// How deep they may nest.
        limit: usize,
    },
    /// Another task is current, or none.
    #[error("`{task}` is not the current task")]
    Unknown {
        /// What was named.
        task: Content,
        /// The task that is current, if there is one.
        current: Option<TaskId>,
    },
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

/// The tasks of a conversation as a tree, and those of them that are open as a stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TaskTree {
    roots: Vec<TaskNode>,
    // Invariant: the indexes, from a root down, of the tasks that are active.
    #[serde(skip)]
    path: Vec<usize>,
    #[serde(skip)]
    numbered: u32,
}

impl TaskTree {
    /// Returns the tasks that are below no other.
    pub fn roots(&self) -> &[TaskNode] {
        &self.roots
    }

    /// Returns the open tasks, outermost first.
    pub fn stack(&self) -> Vec<&TaskNode> {
        let mut below = self.roots.as_slice();
        let mut stack = Vec::with_capacity(self.path.len());
        for at in &self.path {
            let Some(node) = below.get(*at) else { break };
            stack.push(node);
            below = &node.children;
        }
        stack
    }

    /// Returns how many tasks are open.
    pub const fn depth(&self) -> usize {
        self.path.len()
    }

    /// Returns the innermost task that is open.
    pub fn current(&self) -> Option<&TaskNode> {
        self.stack().pop()
    }

    /// Reports whether there has been no task yet.
    pub const fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Begins a task below the current one, or one that was planned there with the same goal.
    ///
    /// # Errors
    ///
    /// It would nest deeper than `limit`; `parent` is named and is not the current task.
    pub fn begin(
        &mut self,
        goal: &str,
        parent: Option<&str>,
        limit: usize,
        now: Timestamp,
    ) -> Result<TaskId, TaskError> {
        self.check_current(parent)?;
        if self.depth() >= limit {
            return Err(TaskError::TooDeep { limit });
        }
        let (new, path) = (TaskNode::new(TaskId(self.numbered + 1), goal), self.path.clone());
        let (at, id) = within(&mut self.roots, &path, |below| begun(below, new, now));
        self.numbered = self.numbered.max(id.0);
        self.path.push(at);
        Ok(id)
    }

    /// Adds a task that waits, below the current one.
    ///
    /// # Errors
    ///
    /// `parent` is named and is not the current task.
    pub fn plan(&mut self, goal: &str, parent: Option<&str>) -> Result<TaskId, TaskError> {
        self.check_current(parent)?;
        self.numbered += 1;
        let id = TaskId(self.numbered);
        within(&mut self.roots, &self.path, |below| below.push(TaskNode::new(id, goal)));
        Ok(id)
    }

    /// Ends the current task, and returns it; `None` if none is open.
    pub fn end(&mut self, status: TaskStatus, summary: &str) -> Option<TaskNode> {
        let at = self.path.pop()?;
        within(&mut self.roots, &self.path, |below| {
            let node = below.get_mut(at)?;
            (node.status, node.summary) = (status, Some(excerpt(summary, WORDS).into()));
            Some(node.clone())
        })
    }

    /// Refuses a task that is named and is not the current one.
    fn check_current(&self, named: Option<&str>) -> Result<(), TaskError> {
        let current = self.current().map(|node| node.task_id);
        match named.filter(|named| current.is_none() || TaskId::read(named) != current) {
            Some(task) => Err(TaskError::Unknown { task: task.into(), current }),
            None => Ok(()),
        }
    }
}

/// Begins a task, or one of the same goal that waits; returns its index and its number.
fn begun(below: &mut Vec<TaskNode>, new: TaskNode, now: Timestamp) -> (usize, TaskId) {
    let is_meant =
        |node: &TaskNode| node.status == TaskStatus::Planned && fold_name(&node.goal) == fold_name(&new.goal);
    let (planned, mut id) = (below.iter().position(is_meant), new.task_id);
    let at = planned.unwrap_or_else(|| {
        below.push(new);
        below.len() - 1
    });
    if let Some(node) = below.get_mut(at) {
        (node.status, node.started_at, id) = (TaskStatus::Active, Some(now), node.task_id);
    }
    (at, id)
}

/// Does something with the tasks that a path of indexes leads to.
fn within<T>(nodes: &mut Vec<TaskNode>, path: &[usize], act: impl FnOnce(&mut Vec<TaskNode>) -> T) -> T {
    if let Some((at, rest)) = path.split_first()
        && let Some(node) = nodes.get_mut(*at)
    {
        return within(&mut node.children, rest, act);
    }
    act(nodes)
}

impl TaskNode {
    fn new(task_id: TaskId, goal: &str) -> Self {
        let (status, children) = (TaskStatus::Planned, Vec::new());
        Self { task_id, goal: excerpt(goal, WORDS).into(), started_at: None, status, summary: None, children }
    }
}

/// How many lines of tasks are shown.
const LINES: usize = 40;
/// The length of a goal or summary, in characters.
const SHOWN: usize = 80;

impl TaskTree {
    /// Renders the open tasks, each with what is below it, and how deep they nest.
    pub fn render_stack(&self) -> String {
        let stack = self.stack();
        let Some(outermost) = stack.first() else { return "📊 task stack: (empty)\n".to_owned() };
        let mut rows = Vec::new();
        let mark = if stack.len() == 1 { " (current)" } else { "" };
        let mut out =
            format!("📊 task stack:\n┌─ [#{}] {} (in progress){mark}\n", outermost.task_id, words(&outermost.goal));
        self.children(outermost, "│   ", &mut rows);
        write_rows(&rows, &mut out);
        let _ = writeln!(out, "└─ (depth: {})", self.depth());
        out
    }

    /// Renders all tasks of the conversation; of many, the latest.
    pub fn render_tree(&self) -> String {
        let mut rows = Vec::new();
        for root in self.roots() {
            rows.push(format!("- {}", self.node(root)));
            self.children(root, "  ", &mut rows);
        }
        let mut out = "🌳 tasks so far:\n".to_owned();
        if rows.is_empty() {
            out.push_str("(none)\n");
        }
        write_rows(&rows, &mut out);
        out
    }

    fn children(&self, node: &TaskNode, indent: &str, rows: &mut Vec<String>) {
        for (nth, child) in node.children.iter().enumerate() {
            let is_last = nth + 1 == node.children.len();
            let (branch, go_on) = if is_last { ("└─", "    ") } else { ("├─", "│   ") };
            rows.push(format!("{indent}{branch} {}", self.node(child)));
            self.children(child, &format!("{indent}{go_on}"), rows);
        }
    }

    fn node(&self, node: &TaskNode) -> String {
        let is_current = self.current().is_some_and(|current| current.task_id == node.task_id);
        let goal = words(&node.goal);
        let goal = if node.status == TaskStatus::Active { format!("[#{}] {goal}", node.task_id) } else { goal };
        let end = match (&node.summary, node.status) {
            _ if is_current => " (current)".to_owned(),
            (_, TaskStatus::Planned) => " (planned)".to_owned(),
            (Some(summary), _) => format!(" → {}", words(summary)),
            (None, _) => String::new(),
        };
        format!("{} {goal}{end}", node.status.sign())
    }
}

fn words(text: &str) -> String {
    visible(&excerpt(text, SHOWN))
}

/// Writes the last rows, and how many there are before them.
fn write_rows(rows: &[String], out: &mut String) {
    let left_out = rows.len().saturating_sub(LINES);
    if left_out > 0 {
        let _ = writeln!(out, "… ({left_out} lines before these)");
    }
    for row in rows.iter().skip(left_out) {
        let _ = writeln!(out, "{row}");
    }
}
