//! Refusals of sessions and tasks, and of edits beside a session that touch the lines of a pending change.

use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::locate::Code;
use crate::memory::{Applied, DocName, MemoryError};
use crate::request::{Basis, Known, Request, View};
use crate::session::{Letter, Session, SessionError, TaskError};
use crate::toolbox::definition::Asked;
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::Editing;
use crate::toolbox::refusal::memory_error;
use crate::toolbox::refused::{Refused, failure};

/// For how many changes it is told how they are taken out.
const HELPED: usize = 5;

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
    let letter = match error {
        SessionError::Refused(error) => return memory_error(error),
        SessionError::BuiltOn { letter, .. } | SessionError::Overlaps { letter } => Some(*letter),
        SessionError::NotOpen { .. } | SessionError::TooMany { .. } | SessionError::UnknownChange { .. } => None,
    };
    let way = letter.map(|letter| format!("; {}", unstaging(session, &[letter]))).unwrap_or_default();
    let mut refused = Refused::new(error.code(), &format!("{error}{way}"));
    let beside = if let SessionError::Overlaps { letter } = error { Some(*letter) } else { None };
    let letters: Vec<_> = error.later().or(beside).into_iter().collect();
    name_letters(&mut refused, &letters);
    refused
}

/// Says which changes are to be taken out, those that build on others first.
fn unstaging(session: &Session, letters: &[Letter]) -> String {
    let out = session.way_out(letters.get(..HELPED).unwrap_or(letters));
    let letters: Vec<_> = out.iter().map(|letter| format!("`{letter}`")).collect();
    format!("to take it out, call memo_unstage for {} first", letters.join(", then for "))
}

/// Explains that something is not found because the session stands on an older text, for changes that are in conflict with the one that
/// its agent has been shown; `None` if there are none.
pub(crate) fn on_older(session: &Session, conflicts: &[Letter]) -> Option<Box<Refused>> {
    let first = conflicts.first()?;
    let why = format!(
        "what is named is not in the session's draft, which stays on the older text while change {first} is in conflict with what \
         others have written; {}",
        unstaging(session, conflicts)
    );
    let mut refused = Refused::new(Code::Conflict, &why);
    name_letters(&mut refused, conflicts);
    Some(refused)
}

/// Explains which pending change an edit beside the session is not made for.
pub(crate) fn in_the_way(desk: &Desk, error: &SessionError) -> Box<Refused> {
    let session = desk.editing.open.as_ref().map(|open| open.session.clone()).unwrap_or_default();
    session_error(&session, error)
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

/// Explains why a session is not committed, naming changes by their letters.
pub(crate) fn refused(session: &Session, error: &MemoryError) -> Box<Refused> {
    let refused = memory_error(error);
    let letters = session.conflicts(error);
    if letters.is_empty() || refused.code != Code::Conflict {
        return refused;
    }
    let named: Vec<_> = letters.iter().map(|letter| format!("change {letter}")).collect();
    let why = format!(
        "others have changed the lines of {}, or what they stand below; the session is still open: {}",
        named.join(" and of "),
        unstaging(session, &letters)
    );
    let mut refused = Refused::new(Code::Conflict, &why);
    name_letters(&mut refused, &letters);
    refused
}

/// Tells of failures by the letters of the changes.
fn name_letters(refused: &mut Refused, letters: &[Letter]) {
    if letters.is_empty() {
        return;
    }
    let row = |letter: &Letter| failure(letter, refused.code, &format!("change {letter} is in conflict"));
    refused.failures = Some(letters.iter().map(row).collect());
}

/// Refuses edits that have to do with the lines of a pending change.
pub(crate) fn check_beside(desk: &Desk, asked: &[Asked]) -> Result<(), Box<Refused>> {
    asked.iter().try_for_each(|asked| check_request_beside(desk, &asked.document, asked.request.as_request()))
}

/// Refuses edits that have to do with the lines of a pending change, planned as they would be `applied` now.
pub(crate) fn check_plans_beside(desk: &Desk, applied: &[Applied]) -> Result<(), Box<Refused>> {
    let mut plans = applied.iter().flat_map(|applied| applied.plans().map(|plan| (&applied.document, plan)));
    plans.try_for_each(|(document, plan)| check_plan_beside(desk, document, plan))
}

/// Refuses an edit that has to do with the lines of a pending change.
pub(crate) fn check_request_beside(desk: &Desk, document: &DocName, request: &dyn Request) -> Result<(), Box<Refused>> {
    let Some(open) = &desk.editing.open else { return Ok(()) };
    let Some(own) = open.session.known(document) else { return Ok(()) };
    let seen = desk.known.latest(document).unwrap_or(own);
    // What cannot be planned is refused by the memory.
    match request.plan(&View::new(seen.believed(), &Basis::Known(seen), desk.memory().now())) {
        Ok(plan) => check_plan_beside(desk, document, &plan),
        Err(_) => Ok(()),
    }
}

/// Refuses a plan that has to do with the lines of a pending change. One on another text than the session begins with, or its
/// agent has been shown since, has not.
fn check_plan_beside(desk: &Desk, document: &DocName, plan: &Edit) -> Result<(), Box<Refused>> {
    let shown = desk.known.latest(document).map(Known::believed).filter(|doc| doc.revision() == plan.base());
    let check = |session: &Session| -> Result<(), SessionError> {
        let is_on_base = session.base(document).map(MemoryDoc::revision) == Some(plan.base());
        match shown.filter(|_| !is_on_base) {
            // What is in conflict already stays as it is.
            Some(shown) => session.on(document, shown).0.beside(document, plan).map(drop),
            None => session.beside(document, plan).map(drop),
        }
    };
    desk.editing.sessions().try_for_each(check).map_err(|error| in_the_way(desk, &error))
}
