//! Calls that are sent again at once, as after an answer that was lost.

use crate::toolbox::Status;
use crate::toolbox::desk::Desk;

/// Reports whether the call before was the same, while a session was open, and was not refused.
pub(super) fn is_sent_again(desk: &Desk) -> bool {
    last_status(desk).is_some_and(|status| status != Status::Error)
}

/// Reports whether the call before was the same, and what it has staged is pending.
pub(super) fn has_staged(desk: &Desk) -> bool {
    last_status(desk).is_some_and(|status| matches!(status, Status::Editing | Status::AlreadyApplied))
}

/// Returns what became of the call before, if that was the same.
fn last_status(desk: &Desk) -> Option<Status> {
    let last = desk.editing.open.as_ref()?.calls.back()?;
    desk.is_sent_again.then(|| last.reply.status())
}
