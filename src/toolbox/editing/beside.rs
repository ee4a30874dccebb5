//! Edits that an agent has made beside its open session: the session follows them.

use super::Editing;
use crate::memory::{Applied, AppliedStatus};
use crate::session::Session;

/// Has the open session, and its savepoints, begin with what an edit of its own agent has made of a document. Where a pending change
/// is in the way, the session stays on the older text, which its commit will tell.
pub(in super::super) fn follow(editing: &mut Editing, applied: &Applied) {
    if applied.status != AppliedStatus::Committed {
        return;
    }
    // Of the two plans, that one is followed which is on the text that the session begins with.
    let next = |session: &Session| {
        applied.plans().try_fold(session.clone(), |session, plan| session.beside(&applied.document, plan).ok())
    };
    let open = editing.open.as_mut().map(|open| &mut open.session);
    let sessions: Vec<&mut Session> = open.into_iter().chain(editing.savepoints.iter_mut().flatten()).collect();
    let followed: Option<Vec<_>> = sessions.iter().map(|session| next(session)).collect();
    for (session, next) in sessions.into_iter().zip(followed.into_iter().flatten()) {
        *session = next;
    }
}
