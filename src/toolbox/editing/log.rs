//! The full log of a session: its base, every change with what stood around it, and every call with its reply.

use serde_json::{Map, Value, json};

use super::Editing;
use super::state::{Logged, Open};
use crate::session::Session;

/// Returns the log of an open session as JSON.
pub(in super::super) fn exported(editing: &Editing, open: &Open) -> Value {
    let bases: Map<_, _> = open
        .session
        .documents()
        .map(|(name, doc)| {
            let length = doc.text().chars().count();
            (name.to_string(), json!({"revision": doc.revision().to_string(), "length": length}))
        })
        .collect();
    let call = |call: &Logged| json!({"tool": call.tool, "arguments": call.arguments, "reply": call.reply});
    json!({
        "session_id": open.id(),
        "started_at": open.started_at,
        "base": bases,
        "changes": changes(&open.session),
        "calls_left_out": open.left_out,
        "tasks": editing.tasks.roots(),
        "calls": open.calls.iter().map(call).collect::<Vec<_>>(),
    })
}

fn changes(session: &Session) -> Vec<Value> {
    let records = session.records().into_iter();
    records
        .map(|record| {
            json!({
                "change_id": record.letter,
                "kind": record.kind,
                "document": record.document.as_str(),
                "position": record.position,
                "old_length": record.old_length,
                "new_text": record.new_text,
                "context_before": record.context_before,
                "context_after": record.context_after,
            })
        })
        .collect()
}
