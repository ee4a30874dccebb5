//! An open session follows the edits that its agent makes beside it.

use super::Editing;
use crate::memory::{Applied, AppliedStatus};
use crate::session::Session;

/// Has the open session, and its savepoints, begin with what edits of its own agent have made of documents. Where a pending change
/// is in the way, all stay on the older text, which the commit will tell.
pub(crate) fn follow(editing: &mut Editing, applied: &[Applied]) {
    for applied in applied.iter().filter(|applied| applied.status == AppliedStatus::Committed) {
        let follow = |session: &Session| {
            // Of the two plans, that one is followed which is on the text that the session begins with.
            applied.plans().try_fold(session.clone(), |session, plan| session.beside(&applied.document, plan))
        };
        let followed: Result<Vec<_>, _> = editing.sessions().map(follow).collect();
        for (session, next) in editing.sessions_mut().zip(followed.into_iter().flatten()) {
            *session = next;
        }
    }
}
