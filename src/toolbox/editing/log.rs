//! The full log of a session: its base, every change with what stood around it, and every call with its reply.

use serde_json::{Value, json};

use super::Editing;
use super::state::{Logged, Open};
use crate::toolbox::json::object_of;

/// Returns the log of an open session as JSON.
pub(crate) fn exported(editing: &Editing, open: &Open) -> Value {
    let bases = open
        .session
        .documents()
        .map(|(name, doc)| {
            let length = doc.text().chars().count();
            (name.to_string(), json!({"revision": doc.revision().to_string(), "length": length}))
        })
        .collect();
    let call = |call: &Logged| json!({"tool": call.tool, "arguments": call.arguments, "reply": call.reply.to_json()});
    json!({
        "session_id": open.id(),
        "started_at": open.started_at,
        "base": object_of(bases),
        "changes": open.session.records(),
        "calls_left_out": open.left_out,
        "tasks": editing.tasks.roots(),
        "calls": open.calls.iter().map(call).collect::<Vec<_>>(),
    })
}
