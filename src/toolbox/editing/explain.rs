//! Refusals of sessions and tasks: what was not done, why, and what to send instead.

use super::super::ToolDefinition;
use super::super::answer::{FailureRow, PartName, Refused};
use super::super::definition::Action;
use super::super::desk::Desk;
use super::super::explain::{memory_error, plain};
use super::Editing;
use crate::locate::Code;
use crate::memory::MemoryError;
use crate::session::{Letter, Session, SessionError, TaskError};

/// For how many changes it is told how they are taken out.
const HELPED: usize = 5;

/// Refuses for want of a session, or of the one that was named.
pub(in super::super) fn no_session(editing: &Editing) -> Box<Refused> {
    let (why, hint) = match &editing.open {
        Some(open) => {
            let id = open.id();
            (format!("the open session is `{id}`"), format!("set \"session_id\" to \"{id}\", or leave it out"))
        }
        None => {
            let hint =
                "stage an edit first, with memo_replace, memo_append or memo_stage; before that nothing is pending";
            ("no editing session is open".to_owned(), hint.to_owned())
        }
    };
    plain(Code::NoSession, &why, hint)
}

/// Explains why a change is not staged, or not taken out again.
pub(in super::super) fn session_error(tool: &ToolDefinition, session: &Session, error: &SessionError) -> Box<Refused> {
    let hint = match error {
        SessionError::Refused(error) => return memory_error(tool, error),
        SessionError::NotOpen { .. } => "stage an edit of it first".to_owned(),
        SessionError::TooMany { .. } => "call memo_commit with what is pending, then go on in a new session".to_owned(),
        SessionError::UnknownChange { .. } => "call memo_preview, and take a letter that it lists".to_owned(),
        SessionError::BuiltOn { letter, .. }
        | SessionError::Needed { letter, .. }
        | SessionError::Overlaps { letter } => unstaging(session, &[*letter]),
    };
    let mut refused = plain(error.code(), &error.to_string(), hint);
    let beside = match error {
        SessionError::Overlaps { letter } => Some(*letter),
        _ => None,
    };
    let letters: Vec<_> = error.later().or(beside).into_iter().collect();
    name_letters(&mut refused, &letters);
    refused
}

/// Says how changes are taken out, and what builds on them before.
pub(super) fn unstaging(session: &Session, letters: &[Letter]) -> String {
    let out = session.way_out(letters.get(..HELPED).unwrap_or(letters));
    let calls = out.iter().enumerate().map(|(nth, letter)| match nth {
        0 => format!("call memo_unstage with {{\"change_id\": \"{letter}\"}} first"),
        _ => format!("then with \"{letter}\""),
    });
    calls.collect::<Vec<_>>().join(", ")
}

/// Explains that something is not found because the session stands on an older text, for changes that are in conflict with the one that
/// its agent has been shown; `None` if there are none.
pub(super) fn on_older(session: &Session, conflicts: &[Letter]) -> Option<Box<Refused>> {
    let first = conflicts.first()?;
    let why = format!(
        "what is named is not in the session's draft, which stays on the older text while change {first} is in conflict with what others have written"
    );
    let hint = format!("{}, then send this call again; or call memo_revert", unstaging(session, conflicts));
    let mut refused = plain(Code::Conflict, &why, hint);
    name_letters(&mut refused, conflicts);
    Some(refused)
}

/// Explains which pending change an edit beside the session is not made for.
pub(super) fn in_the_way(desk: &Desk, tool: &ToolDefinition, error: &SessionError) -> Box<Refused> {
    let Some(open) = &desk.editing.open else { return session_error(tool, &Session::default(), error) };
    let mut refused = session_error(tool, &open.session, error);
    if let SessionError::Overlaps { letter } = error {
        let is_in = |session: &Session| session.changes().iter().any(|change| change.letter() == *letter);
        let is_pending = is_in(&open.session);
        if desk.editing.savepoints.iter().flatten().any(is_in) {
            // It comes back with the task's revert: until the task is over, it is out for the task alone.
            refused.hint.push_str(", then memo_commit to end the task");
        }
        refused.hint = match tool.action {
            _ if !is_pending => {
                format!("call memo_commit to end the task that has taken change {letter} out, then send the edit again")
            }
            Action::Edit { .. } => format!("make the edit in the session with memo_stage, or {}", refused.hint),
            Action::Read(_) => format!("{}, then send the edit again", refused.hint),
        };
    }
    refused
}

/// Explains why a task is not begun.
pub(in super::super) fn task_error(error: &TaskError) -> Box<Refused> {
    let hint = match error {
        TaskError::TooDeep { .. } => "end the current task first, with memo_commit or memo_revert".to_owned(),
        TaskError::Unknown { current: Some(current), .. } => {
            format!("set \"parent_task_id\" to \"{current}\", or leave it out")
        }
        TaskError::Unknown { current: None, .. } => "leave \"parent_task_id\" out: no task is open".to_owned(),
        TaskError::NotOnTop { current, .. } => {
            format!(
                "end task {current} first, with memo_commit or memo_revert, or plan this one with \"planned\": true"
            )
        }
    };
    plain(error.code(), &error.to_string(), hint)
}

/// Explains why a session is not committed, naming changes by their letters.
pub(in super::super) fn refused(tool: &ToolDefinition, session: &Session, error: &MemoryError) -> Box<Refused> {
    let mut refused = memory_error(tool, error);
    let letters = session.conflicts(error);
    if !letters.is_empty() && refused.code == Code::Conflict {
        let named: Vec<_> = letters.iter().map(|letter| format!("change {letter}")).collect();
        refused.message = format!(
            "Nothing was changed: others have changed the lines of {}, or what they stand below.",
            named.join(" and of ")
        );
        refused.hint = format!(
            "the session is still open: {}, stage the edit anew, and commit again; or call memo_revert",
            unstaging(session, &letters)
        );
        name_letters(&mut refused, &letters);
    }
    refused
}

/// Tells of failures by the letters of the changes.
fn name_letters(refused: &mut Refused, letters: &[Letter]) {
    if letters.is_empty() {
        return;
    }
    let row = |letter: &Letter| FailureRow {
        part: PartName::Letter(*letter),
        document: None,
        code: refused.code,
        message: format!("change {letter} is in conflict"),
    };
    refused.failures = Some(letters.iter().map(row).collect());
}
