//! Calls of a session that are sent again, as after an answer that was lost.

use super::super::Status;
use super::super::answer::{Done, InSession, Refused};
use super::super::arguments;
use super::super::definition::Call;
use super::super::desk::Desk;
use super::super::shown::KnownDocuments;
use super::done;
use super::opening::Opened;
use super::state::{Made, Open};
use crate::memory::DocName;
use crate::request::Request;
use crate::session::Letter;

/// Answers for a call that has staged what is still pending, if what it asks for now stands nowhere else. What it names by its place or
/// its number counts in the text shown, which is the same as then.
pub(super) fn staged_before(
    desk: &mut Desk,
    call: &Call<'_>,
    requests: &[(&DocName, &dyn Request)],
) -> Result<Option<Done<InSession>>, Box<Refused>> {
    let Some(letters) = letters(desk, call) else { return Ok(None) };
    for (document, request) in requests {
        let session = Opened::of(desk, call.tool, document, *request)?.session;
        if !request.depends_on_places() && !session.has_made(document, *request, &letters, desk.memory().now()) {
            return Ok(None);
        }
    }
    let message = format!(
        "this call has staged {} before, and nothing more; where another place is meant, name that by more of its text",
        named(&letters)
    );
    Ok(Some(done(Status::AlreadyApplied, desk, call).with_message(message)))
}

/// Names the changes that the same call has staged last, if they are pending.
pub(super) fn letters_of(desk: &Desk, call: &Call<'_>) -> Option<String> {
    Some(named(&letters(desk, call)?))
}

fn named(letters: &[Letter]) -> String {
    let names: Vec<_> = letters.iter().map(ToString::to_string).collect();
    format!("{} {}", if names.len() == 1 { "change" } else { "changes" }, names.join(", "))
}

/// Returns the letters of the changes that the same call has staged last, if all are still pending, and their documents have not been
/// shown since.
fn letters(desk: &Desk, call: &Call<'_>) -> Option<Vec<Letter>> {
    let open = desk.editing.open.as_ref()?;
    let is_same = |made: &&Made| made.tool == call.tool.name && made.arguments == *call.arguments;
    let made = open.made.iter().rev().find(is_same)?;
    let is_pending = |letter: &Letter| open.session.changes().iter().any(|change| change.letter() == *letter);
    let is_unread = times_shown(&desk.known, open, &made.letters) == made.shown;
    (is_unread && made.letters.iter().all(is_pending)).then(|| made.letters.clone())
}

/// Counts how often the documents of these changes have been shown.
pub(super) fn times_shown(known: &KnownDocuments, open: &Open, letters: &[Letter]) -> usize {
    let changes = open.session.changes().iter().filter(|change| letters.contains(&change.letter()));
    changes.map(|change| known.times_shown(change.document())).sum()
}

/// Reports whether the call before was the same, and has ended a task: the session around that is not meant.
pub(super) fn has_ended_task(desk: &Desk, call: &Call<'_>) -> bool {
    let Some(last) = desk.editing.open.as_ref().and_then(|open| open.calls.back()) else { return false };
    let is_done = last.reply.status() != Status::Error && last.tool == call.tool.name;
    is_done && arguments::read(&call.tool.input, &last.arguments).is_ok_and(|read| read.value == call.arguments)
}
