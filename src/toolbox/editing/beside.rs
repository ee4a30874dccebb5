//! Edits that an agent has made beside its open session: the session follows them.

use super::Editing;
use crate::edit::Edit;
use crate::memory::{Applied, AppliedStatus, DocName};
use crate::session::{Session, SessionError, all_beside};

/// The open session and its savepoints as they are to be once an edit of their own agent is made.
#[derive(Debug)]
pub(in super::super) struct Ahead {
    document: DocName,
    /// The edit, as it was planned.
    plan: Edit,
    // Invariant: one for each session of the desk that it was made for.
    sessions: Vec<Session>,
}

impl Ahead {
    /// Has them follow an edit that is not made yet.
    ///
    /// # Errors
    ///
    /// A pending change is in the way.
    pub(super) fn of(sessions: &[Session], document: &DocName, plan: &Edit) -> Result<Self, SessionError> {
        let sessions = all_beside(document, plan, sessions)?;
        Ok(Self { document: document.clone(), plan: plan.clone(), sessions })
    }

    /// Reports whether the edit was made as it was planned.
    fn is_of(&self, applied: &Applied) -> bool {
        let mut plans = applied.plans();
        applied.document == self.document
            && plans.next().is_some_and(|plan| plan.is_same_change(&self.plan))
            && plans.next().is_none()
    }
}

/// Has the open session, and its savepoints, begin with what edits of its own agent have made of documents. Where a pending change
/// is in the way, the session stays on the older text, which its commit will tell. `ahead` is what was made of the sessions for the
/// first of the edits, before that was made.
pub(in super::super) fn follow(editing: &mut Editing, applied: &[Applied], mut ahead: Option<Ahead>) {
    for applied in applied {
        let ahead = ahead.take().filter(|ahead| ahead.is_of(applied));
        if applied.status != AppliedStatus::Committed {
            continue;
        }
        let followed = ahead.map(|ahead| ahead.sessions).or_else(|| carried(editing, applied));
        for (session, next) in editing.sessions_mut().zip(followed.into_iter().flatten()) {
            *session = next;
        }
    }
}

/// Carries all sessions over an edit; `None` where one of them cannot follow.
fn carried(editing: &Editing, applied: &Applied) -> Option<Vec<Session>> {
    let sessions = editing.sessions().cloned().collect();
    // Of the two plans, that one is followed which is on the text that the session begins with.
    applied.plans().try_fold(sessions, |sessions: Vec<_>, plan| all_beside(&applied.document, plan, &sessions).ok())
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;
    use crate::document::Policy;
    use crate::memory::{InMemoryStore, Memory, Operation, Origin, RequestId};
    use crate::request::{Basis, Known, Replace, Request, View};
    use crate::session::Intent;
    use crate::text::Timestamp;

    /// Has a session follow the replacement of `b` by `made`, for which it was carried over that by `planned` before.
    fn followed(planned: &str, made: &str) -> Result<String, Box<dyn Error>> {
        let (name, now) = (DocName::memory(), Timestamp::default());
        let memory = Memory::new(InMemoryStore::new().with(name.clone(), "- a\n- b\n"), Policy::default())?;
        let doc = memory.read(&name)?;
        let mut editing = Editing::default();
        editing.begin(now);
        let mut session = Session::begin(name.clone(), &doc);
        session.stage(&name, Intent::replace("a", "c"), Replace::new("a", "c"), now)?;
        editing.sessions_mut().for_each(|open| *open = session.clone());
        editing.enter(now);

        let sessions: Vec<_> = editing.sessions().cloned().collect();
        let ahead = Ahead::of(&sessions, &name, &Replace::new("b", planned).plan(&View::current(&doc, now))?)?;
        let (known, request) = (Known::of(&doc), Replace::new("b", made));
        let operation = Operation::edit(name.clone(), Basis::Known(&known), &request);
        let id = RequestId::new("test", &serde_json::json!(made));
        let applied = memory.apply(&[operation], &Origin::host("test"), id)?;
        follow(&mut editing, &applied, Some(ahead));
        let drafts: Vec<_> = editing.sessions().filter_map(|session| session.draft(&name)).collect();
        Ok(drafts.iter().map(|draft| draft.text()).collect())
    }

    #[test]
    fn sessions_follow_what_was_made_and_not_what_was_planned() -> Result<(), Box<dyn Error>> {
        assert_eq!(followed("x", "x")?, "- c\n- x\n- c\n- x\n");
        assert_eq!(followed("x", "y")?, "- c\n- y\n- c\n- y\n");
        Ok(())
    }
}
