//! Tasks as text: the stack of those that are open, and the tree of all.

use std::fmt::Write as _;

use super::{TaskNode, TaskStatus, TaskTree};
use crate::text::{excerpt, visible};

/// How many lines of tasks are shown.
const LINES: usize = 40;
/// The length of a goal or summary, in characters.
const WORDS: usize = 80;

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
    visible(&excerpt(text, WORDS))
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
