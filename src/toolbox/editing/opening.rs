//! Opening: a document in a session, on what its agent has been shown, which the session follows.

use crate::document::{MemoryDoc, OnStale};
use crate::locate::Code;
use crate::memory::{DocName, MemoryError};
use crate::request::Known;
use crate::session::{Letter, Session, SessionError, TaskError};
use crate::text::RevisionPrefix;
use crate::toolbox::apply::stale;
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::Editing;
use crate::toolbox::refusal::{memory_error, missing_revision};
use crate::toolbox::refused::{Refused, failure};

/// Carries the open session over to the texts that its agent has been shown last; returns true if they are others.
pub(crate) fn carry(desk: &mut Desk) -> Result<bool, Box<Refused>> {
    let Some(open) = desk.editing.open.as_mut() else { return Ok(false) };
    let (mut session, mut is_carried) = (open.session.clone(), false);
    for (name, base) in open.session.documents() {
        let seen = desk.known.latest(name).map(Known::believed);
        if let Some(seen) = seen.filter(|seen| seen.revision() != base.revision()) {
            session.carry_to(name, seen).map_err(|error| refused(&open.session, &error))?;
            is_carried = true;
        }
    }
    open.session = session;
    Ok(is_carried)
}

/// Returns the open session on what its agent has been shown last, or a new one; it is not kept yet.
pub(super) fn started(desk: &mut Desk) -> Result<Session, Box<Refused>> {
    carry(desk)?;
    let new = || desk.editing.new_session(desk.memory().now()).session;
    Ok(desk.editing.open.as_ref().map_or_else(new, |open| open.session.clone()))
}

/// Opens a document in a session, if it is not open there, on the text that its agent has been shown last, or names as its base.
pub(super) fn open(
    desk: &mut Desk,
    session: &mut Session,
    document: &DocName,
    base: Option<&RevisionPrefix>,
) -> Result<(), Box<Refused>> {
    if session.base(document).is_none() {
        let current = current(desk, document)?;
        let is_empty = current.text().is_empty();
        if base.is_none() && current.policy().strict && !is_empty {
            return Err(missing_revision(document, current.revision(), true));
        }
        let shown = desk.known.latest(document).map(Known::revision);
        let is_shown = shown.is_some_and(|shown| base.is_none_or(|base| base.matches(&shown)));
        let is_named = base.is_some_and(|base| base.matches(&current.revision()));
        if !is_shown && (is_named || is_empty) {
            desk.known.show(document, &current);
        }
        let Some(known) = desk.known.latest(document).cloned() else {
            return Err(missing_revision(document, current.revision(), false));
        };
        check_begun_on(desk, document)?;
        session.open(document.clone(), known);
    }
    check_base(session, document, base)
}

/// Refuses a call that names another revision of a document as its base than the session goes on from.
pub(super) fn check_base(
    session: &Session,
    document: &DocName,
    base: Option<&RevisionPrefix>,
) -> Result<(), Box<Refused>> {
    match base.zip(session.base(document).map(MemoryDoc::revision)) {
        Some((prefix, own)) if !prefix.matches(&own) => {
            let own = own.short();
            let why = format!(
                "the call is based on revision `{prefix}` of `{document}`, and the session goes on from `{own}`"
            );
            Err(Refused::new(Code::StaleRevision, &why))
        }
        _ => Ok(()),
    }
}

/// Refuses to begin with a text of a document that others have changed since it was shown, unless edits of it may be carried over.
pub(crate) fn check_begun_on(desk: &mut Desk, document: &DocName) -> Result<(), Box<Refused>> {
    let Some(known) = desk.known.latest(document).cloned() else { return Ok(()) };
    let current = current(desk, document)?;
    if known.believed().revision() == current.revision() || current.policy().on_stale == OnStale::Rebase {
        return Ok(());
    }
    Err(stale(desk, document, &known, current))
}

/// Returns a document as it stands; one that may be created is empty.
fn current(desk: &Desk, document: &DocName) -> Result<MemoryDoc, Box<Refused>> {
    let unwritten = desk.memory().unwritten(document).map_err(|error| memory_error(&error))?;
    unwritten.map_or_else(|| desk.memory().read(document).map_err(|error| memory_error(&error)), Ok)
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
pub(crate) fn session_error(error: &SessionError) -> Box<Refused> {
    match error {
        SessionError::Refused(error) => memory_error(error),
        SessionError::BuiltOn { by, .. } => {
            let why = format!("{error}: take change {by} out first, with memo_unstage");
            naming(Code::Conflict, &why, &[*by])
        }
        _ => Refused::new(error.code(), &error.to_string()),
    }
}

/// Explains why a session does not go on from another text, naming changes by their letters.
pub(crate) fn refused(session: &Session, error: &MemoryError) -> Box<Refused> {
    let letters = session.conflicts(error);
    if letters.is_empty() || error.code() != Code::Conflict {
        return memory_error(error);
    }
    let named: Vec<_> = letters.iter().map(|letter| format!("change {letter}")).collect();
    let why = format!(
        "{} and another edit touch the same lines, or what they stand below; the session is still open: take out with memo_unstage \
         what is in conflict, or drop all with memo_revert",
        named.join(", ")
    );
    naming(Code::Conflict, &why, &letters)
}

/// Refuses for the changes of these letters.
fn naming(code: Code, why: &str, letters: &[Letter]) -> Box<Refused> {
    let row = |letter: &Letter| failure(letter, code, &format!("change {letter} is in conflict"));
    Refused::new(code, why).with("failures", letters.iter().map(row).collect::<Vec<_>>())
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
