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
    let state = match last.get("seq").and_then(Value::as_u64).map(Seq::new) {
        None => State::AsMade,
        Some(seq) if tool.effect == Effect::Record && memory.is_recalled(seq).unwrap_or(true) => State::AsMade,
        Some(_) if tool.effect == Effect::Record => State::Undone,
        Some(seq) => state_of_edit(memory, seq),
    };
    let ends = matches!(tool.name, "memo_commit" | "memo_commit_auto" | "memo_revert");
    let message = if ends && !desk.editing.is_over() { MESSAGE_WHILE_OPEN } else { MESSAGE };
    let reply = last.clone().with_status(Status::AlreadyApplied).with_message(message).with_receipt(None);
    match state {
        State::AsMade => Some(reply),
        // The lines of the reply may have changed since.
        State::Overwritten if !appends => {
            Some(reply.with_member("lines", ()).with_member("documents", ()).with_member("revision", ()))
        }
        // An appended text may no longer be there: the call is made again.
        State::Overwritten | State::Undone => None,
    }
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

/// The present state of what an entry made.
enum State {
    /// All is as the entry made it.
    AsMade,
    /// One of its texts was changed since.
    Overwritten,
    /// The entry was undone or superseded, or a text before it is back.
    Undone,
}

fn state_of_edit(memory: &Memory, seq: Seq) -> State {
    let query = HistoryQuery { before: Some(seq.plus(1)), limit: 1, ..HistoryQuery::new() };
    let page = memory.history(&query);
    let Some(row) = page.ok().and_then(|page| page.entries.into_iter().next()) else { return State::AsMade };
    let is_as_after = |seq, name: &DocName| {
        let then = memory.text_at(name, &Moment::After(seq));
        let now = memory.read(name).ok();
        then.is_ok_and(|then| then.as_deref() == now.as_ref().map(MemoryDoc::text))
    };
    let mut names = row.changes.iter().map(|changed| &changed.document);
    if row.undone_by.is_some() || names.clone().any(|name| is_as_after(seq.minus(1), name)) {
        return State::Undone;
    }
    // The reply does not show the activity log: a later line in it does not count.
    let is_as_made = names.all(|name| *name == DocName::activity() || is_as_after(seq, name));
    if is_as_made { State::AsMade } else { State::Overwritten }
}
