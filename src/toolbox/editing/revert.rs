//! The end of a session, or of a task in it, whose changes are dropped.

use super::again::is_sent_again;
use super::history::{finished, with_rest};
use super::{no_session, reply};
use crate::session::{TaskNode, TaskStatus};
use crate::toolbox::answer::Refused;
use crate::toolbox::definition::Call;
use crate::toolbox::desk::Desk;
use crate::toolbox::{Reply, Status};

/// Drops what is pending: of the current task, or all.
pub(crate) fn revert(desk: &mut Desk, call: &Call<'_>, reason: &str) -> Result<Reply, Box<Refused>> {
    if is_sent_again(desk) {
        let message = "the task was reverted by this call before; to drop the session around it, send another reason";
        return Ok(reply(Status::AlreadyApplied, desk, call).with_message(message));
    }
    if desk.editing.open.is_none() && desk.editing.tasks.depth() == 0 {
        return Err(no_session(&desk.editing));
    }
    Ok(end(desk, call, reason))
}

/// Ends the current task, or the session, without what it has changed.
fn end(desk: &mut Desk, call: &Call<'_>, reason: &str) -> Reply {
    let editing = &mut desk.editing;
    let (dropped, taken_out) = (editing.own_changes().len(), editing.taken_out());
    let mut over = finished(editing, "reverted", reason);
    over.delta = None;
    match (editing.savepoints.pop().flatten(), editing.open.as_mut()) {
        (Some(savepoint), Some(open)) => {
            open.session.return_to(savepoint);
            open.close_question();
            desk.known.unstage(&open.session);
        }
        _ => editing.open = None,
    }
    editing.landed = None;
    let task = editing.tasks.end(TaskStatus::Reverted, reason);
    let message = said(task.as_ref(), dropped, taken_out);
    desk.editing.finished = Some(with_rest(over, &desk.editing));
    reply(Status::Reverted, desk, call).with_message(message.as_str()).with_member("text", desk.editing.task_text())
}

/// Says what was reverted, how much was dropped, and how much of the outer session is back.
fn said(task: Option<&TaskNode>, dropped: usize, taken_out: usize) -> String {
    let what = task.map_or_else(|| "the session".to_owned(), |task| format!("task #{}", task.task_id));
    let dropped = if dropped == 1 { "1 change was".to_owned() } else { format!("{dropped} changes were") };
    let back = match taken_out {
        0 => String::new(),
        1 => "; 1 change that it had taken out is pending again".to_owned(),
        several => format!("; {several} changes that it had taken out are pending again"),
    };
    format!("{what} is reverted: {dropped} dropped; nothing was written{back}")
}
