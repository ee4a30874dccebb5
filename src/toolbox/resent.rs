//! A call that is sent again right after an equal one that changed something: it is answered, and not made once more.

use serde_json::Value;

use crate::document::MemoryDoc;
use crate::memory::journal::Seq;
use crate::memory::{DocName, HistoryQuery, Memory, Moment, RequestId};
use crate::toolbox::definition::Kind;
use crate::toolbox::{Call, Desk, Effect, Reply, Status, ToolDefinition};

const MESSAGE: &str = "this very call was made just before; nothing more was done";
const MESSAGE_WHILE_OPEN: &str = "this very call was made just before; nothing more was done: what is open is not written yet, and ends by \
    memo_commit with another `summary`, or memo_revert with another `reason`";

/// Answers a call that equals the last one and names no base; `None` if it is to be made.
pub(super) fn answer(desk: &Desk, call: &Call<'_>, request: RequestId) -> Option<Reply> {
    let (tool, memory) = (call.tool, desk.memory());
    let appends = call.arguments.get("mode").is_some_and(|mode| mode == "append");
    if desk.is_trial || call.arguments.get("base_revision").is_some() || (tool.kind == Kind::Plain && !appends) {
        return None;
    }
    let (_, last) =
        desk.previous.as_ref().filter(|(previous, last)| *previous == request && has_changed(tool, last))?;
    let seq = last.get("seq").and_then(Value::as_u64).map(Seq::new);
    let is_recalled = |seq| memory.is_recalled(seq).unwrap_or(true);
    let is_gone = |seq| if tool.effect == Effect::Record { !is_recalled(seq) } else { is_gone(memory, seq, appends) };
    if seq.is_some_and(is_gone) {
        return None;
    }
    let ends = matches!(tool.name, "memo_commit" | "memo_commit_auto" | "memo_revert");
    let message = if ends && !desk.editing.is_over() { MESSAGE_WHILE_OPEN } else { MESSAGE };
    let reply = last.clone().with_status(Status::AlreadyApplied).with_message(message).with_receipt(None);
    // The lines may have changed since.
    Some(["lines", "documents", "revision"].into_iter().fold(reply, |reply, name| reply.with_member(name, ())))
}

/// Returns true if a call of this tool with this reply has changed something.
fn has_changed(tool: &ToolDefinition, reply: &Reply) -> bool {
    match reply.status() {
        Status::Editing | Status::Committed | Status::Reverted | Status::AlreadyApplied => true,
        Status::Ok => tool.effect == Effect::Record,
        // A commit without changes has ended a session or a task.
        Status::NoChange => tool.is_of_sessions() && tool.effect == Effect::Edit,
        _ => false,
    }
}

/// Returns true if an entry was undone, or if a text before it is back. Where a text was appended, which others may have
/// removed, returns true if anything has changed since.
fn is_gone(memory: &Memory, seq: Seq, appends: bool) -> bool {
    let query = HistoryQuery { before: Some(seq.plus(1)), limit: 1, ..HistoryQuery::new() };
    let page = memory.history(&query);
    let Some(row) = page.ok().and_then(|page| page.entries.into_iter().next()) else { return false };
    let is_as_after = |seq, name: &DocName| {
        let then = memory.text_at(name, &Moment::After(seq));
        let now = memory.read(name).ok();
        then.is_ok_and(|then| then.as_deref() == now.as_ref().map(MemoryDoc::text))
    };
    let is_changed = |name: &DocName| appends && *name != DocName::activity() && !is_as_after(seq, name);
    let mut names = row.changes.iter().map(|changed| &changed.document);
    row.undone_by.is_some() || names.any(|name| is_as_after(seq.minus(1), name) || is_changed(name))
}
