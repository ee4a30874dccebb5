//! Opening: a document in a session, on what its agent has been shown, which the session follows.

use crate::document::{MemoryDoc, OnStale};
use crate::edit::made;
use crate::locate::Code;
use crate::memory::{Applied, AppliedStatus, DocName, MemoryError};
use crate::request::Known;
use crate::session::{Letter, Session, SessionError, TaskError};
use crate::text::RevisionPrefix;
use crate::toolbox::apply::stale;
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::Editing;
use crate::toolbox::refusal::{memory_error, missing_revision};
use crate::toolbox::refused::{Refused, failure};

/// For how many changes it is told how they are taken out.
const HELPED: usize = 5;

/// Returns the open session, or a new one; it is not kept yet.
pub(super) fn started(desk: &Desk) -> Session {
    let new = || desk.editing.new_session(desk.memory().now()).session;
    desk.editing.open.as_ref().map_or_else(new, |open| open.session.clone())
}

/// Opens a document in a session on the text that its agent has been shown last, or names as its base, or carries its changes over to
/// what was shown.
pub(super) fn open(
    desk: &mut Desk,
    session: &mut Session,
    document: &DocName,
    base: Option<&RevisionPrefix>,
) -> Result<(), Box<Refused>> {
    if session.base(document).is_some() {
        if let Some(seen) = desk.known.latest(document).map(Known::believed) {
            session.carry_to(document, seen).map_err(|error| refused(session, &error))?;
        }
        return check_base(session, document, base);
    }
    let is_written = desk.memory().unwritten(document).map_err(|error| memory_error(&error))?.is_none();
    let current = current(desk, document).map_err(|error| memory_error(&error))?;
    if base.is_none() && is_written && current.policy().strict {
        return Err(missing_revision(document, current.revision(), true));
    }
    let shown = desk.known.latest(document).map(Known::revision);
    let is_named = base.is_some_and(|base| base.matches(&current.revision()));
    let is_shown = |base: &RevisionPrefix| shown.is_some_and(|shown| base.matches(&shown));
    if (shown.is_none() && current.text().is_empty()) || (is_named && !base.is_some_and(is_shown)) {
        desk.known.show(document, &current);
    }
    let Some(known) = desk.known.latest(document).cloned() else {
        return Err(missing_revision(document, current.revision(), false));
    };
    check_begun_on(desk, document)?;
    session.open(document.clone(), known);
    check_base(session, document, base)
}

/// Refuses a call that names another revision of a document as its base than the session goes on from.
pub(super) fn check_base(
    session: &Session,
    document: &DocName,
    base: Option<&RevisionPrefix>,
) -> Result<(), Box<Refused>> {
    let Some((prefix, own)) = base.zip(session.base(document).map(MemoryDoc::revision)) else { return Ok(()) };
    if prefix.matches(&own) {
        return Ok(());
    }
    let own = own.short();
    let why = format!("the call is based on revision `{prefix}` of `{document}`, and the session goes on from `{own}`");
    Err(Refused::new(Code::StaleRevision, &why))
}

/// Returns what the agent knows of the draft of a document that is open.
pub(super) fn known_draft(desk: &Desk, session: &Session, document: &DocName) -> Result<Known, SessionError> {
    let known = session.draft(document).and_then(|draft| desk.known.draft(document, draft));
    known.map_or_else(|| session.known_draft(document), Ok)
}

/// Refuses to begin with a text of a document that others have changed since it was shown, unless edits of it may be carried over.
pub(crate) fn check_begun_on(desk: &mut Desk, document: &DocName) -> Result<(), Box<Refused>> {
    let Some(known) = desk.known.latest(document).cloned() else { return Ok(()) };
    let current = current(desk, document).map_err(|error| memory_error(&error))?;
    if known.believed().revision() == current.revision() || current.policy().on_stale == OnStale::Rebase {
        return Ok(());
    }
    Err(stale(desk, document, &known, current))
}

/// Returns a document as it stands; one that may be created is empty.
fn current(desk: &Desk, document: &DocName) -> Result<MemoryDoc, MemoryError> {
    match desk.memory().unwritten(document)? {
        Some(doc) => Ok(doc),
        None => desk.memory().read(document),
    }
}

/// Refuses edits of documents, planned as they would be applied, that the changes of the open session, or of its savepoints, cannot
/// follow.
pub(crate) fn check_beside(desk: &Desk, planned: &[Applied]) -> Result<(), Box<Refused>> {
    for (document, plan) in planned.iter().flat_map(|applied| applied.plans().map(|plan| (&applied.document, plan))) {
        let seen = desk.known.latest(document).map(Known::believed).filter(|seen| seen.revision() == plan.base());
        for session in desk.editing.sessions() {
            let mut session = session.clone();
            // What is in conflict with that already stays so.
            let _ = seen.map(|seen| session.carry_to(document, seen));
            if let Some(base) = session.base(document).filter(|base| base.revision() == plan.base()) {
                let after = made(base, plan);
                session.carry_to(document, &after).map_err(|error| refused(&session, &error))?;
            }
        }
    }
    Ok(())
}

/// Has the open session, and its savepoints, go on from what edits of its own agent have made of documents. One whose changes are
/// in the way stays on the older text, which the next call tells.
pub(crate) fn follow(desk: &mut Desk, applied: &[Applied]) {
    for applied in applied.iter().filter(|applied| applied.status == AppliedStatus::Committed) {
        let document = &applied.document;
        let Some(seen) = desk.known.latest(document).map(|known| known.believed().clone()) else { continue };
        for session in desk.editing.sessions_mut() {
            let base = session.base(document).map(MemoryDoc::revision);
            if applied.plans().any(|plan| Some(plan.base()) == base) {
                let _ = session.carry_to(document, &seen);
            }
        }
    }
}

/// Returns a session on the texts that its agent has been shown last, without what is in conflict there, and what is to be said of
/// that.
pub(crate) fn on_seen(desk: &Desk, session: &Session) -> (Session, Option<String>) {
    let (mut on, mut message) = (session.clone(), None);
    for (name, base) in session.documents() {
        let Some(seen) = desk.known.latest(name).map(Known::believed) else { continue };
        if seen.revision() != base.revision() {
            let (next, left_out) = on.on(name, seen);
            on = next;
            let on_this =
                "this is how it stands on the text that you were shown last, which is not the one it began with";
            let letters: Vec<_> = left_out.iter().map(ToString::to_string).collect();
            message = Some(match letters.as_slice() {
                [] => on_this.to_owned(),
                letters => format!("{on_this}, without what is in conflict: {}", letters.join(", ")),
            });
        }
    }
    (on, message)
}

/// Refuses for want of a session, or of the one that was named.
pub(crate) fn no_session(editing: &Editing) -> Box<Refused> {
    let why = match &editing.open {
        Some(open) => format!("the open session is `{}`", open.id()),
        None => "no editing session is open".to_owned(),
    };
    Refused::new(Code::NoSession, &why)
}

/// Explains why a change is not staged, or not taken out again.
pub(crate) fn session_error(session: &Session, error: &SessionError) -> Box<Refused> {
    match error {
        SessionError::Refused(error) => memory_error(error),
        SessionError::BuiltOn { letter, by } => {
            let why = format!("{error}; {}", unstaging(session, &[*letter]));
            naming(Refused::new(error.code(), &why), &[*by])
        }
        _ => Refused::new(error.code(), &error.to_string()),
    }
}

/// Says which changes are to be taken out, those that build on others first.
fn unstaging(session: &Session, letters: &[Letter]) -> String {
    let out = session.way_out(letters.get(..HELPED).unwrap_or(letters));
    let letters: Vec<_> = out.iter().map(|letter| format!("`{letter}`")).collect();
    format!("to take it out, call memo_unstage for {} first", letters.join(", then for "))
}

/// Explains why a session does not go on from another text, naming changes by their letters.
pub(crate) fn refused(session: &Session, error: &MemoryError) -> Box<Refused> {
    let refused = memory_error(error);
    let letters = session.conflicts(error);
    if letters.is_empty() || refused.code != Code::Conflict {
        return refused;
    }
    let named: Vec<_> = letters.iter().map(|letter| format!("change {letter}")).collect();
    let why = format!(
        "{} and another edit touch the same lines, or what they stand below; the session is still open: {}",
        named.join(", "),
        unstaging(session, &letters)
    );
    naming(Refused::new(Code::Conflict, &why), &letters)
}

/// Tells of failures by the letters of the changes.
fn naming(mut refused: Box<Refused>, letters: &[Letter]) -> Box<Refused> {
    let row = |letter: &Letter| failure(letter, refused.code, &format!("change {letter} is in conflict"));
    refused.failures = Some(letters.iter().map(row).collect());
    refused
}

/// Explains why a task is not begun.
pub(crate) fn task_error(error: &TaskError) -> Box<Refused> {
    let current = match error {
        TaskError::Unknown { current: Some(current), .. } => format!("; the current task is `{current}`"),
        TaskError::Unknown { current: None, .. } => "; no task is open".to_owned(),
        TaskError::TooDeep { .. } => String::new(),
    };
    Refused::new(error.code(), &format!("{error}{current}"))
}
