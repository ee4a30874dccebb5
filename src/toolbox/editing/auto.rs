//! A commit that says itself what was done, and takes the candidate that was recommended last.

use super::super::Status;
use super::super::answer::{Done, Edited, Refused};
use super::super::definition::Call;
use super::super::desk::Desk;
use super::commit::told;
use super::explain::session_error;
use super::search::places;
use super::stage::{keep, kept};
use super::state::Question;
use super::{Committed, Committing, commit};
use crate::memory::MemoryError;
use crate::session::SessionError;

/// Takes the recommended candidate of an open question, and commits; without one, it asks again.
pub(in super::super) fn commit_auto(desk: &mut Desk, call: &Call<'_>) -> Result<Done<Committed>, Box<Refused>> {
    let ends_task = desk.editing.config.tasks.auto_pop_on_commit;
    let committing = Committing { summary: None, ends_task, session_id: None };
    let open = desk.editing.open.as_ref();
    let question = open.and_then(|open| open.question.clone()).filter(|question| question.is_open);
    match question {
        Some(question) => {
            if let Some(asked) = answered(desk, call, question)? {
                return Ok(asked);
            }
            commit(desk, call, &committing)
        }
        None => commit(desk, call, &committing),
    }
}

/// Stages what is recommended; asks again where nothing is.
fn answered(desk: &mut Desk, call: &Call<'_>, question: Question) -> Result<Option<Done<Committed>>, Box<Refused>> {
    let Some(open) = &desk.editing.open else { return Ok(None) };
    let (document, sought) = (question.candidates.document().clone(), question.candidates.sought().clone());
    let refused = |error: &SessionError| session_error(call.tool, error);
    let mut session = open.session.clone();
    let found = session
        .candidates(&document, &sought)
        .map_err(|error| refused(&SessionError::Refused(MemoryError::Request { document: document.clone(), error })))?;
    let recommends = desk.editing.config.matching.smart_recommendation;
    let letter = found.recommended().filter(|_| recommends);
    let Some(place) = letter.and_then(|letter| found.place(letter, &session)) else {
        let places = Some(places(&found, &session, question.shown));
        let mut told = Committed { places, ..told(desk, call, Edited::default()) };
        told.session.hint =
            Some("send the replacement again with \"match_id\" set to the letter, then commit".to_owned());
        let message = "no place of the text is recommended; say which is meant";
        return Ok(Some(Done::new(Status::NeedsMatch, told).with_message(message)));
    };
    let before = session.changes().len();
    let request = sought.request(Some(place));
    let outcome = session.stage_shared(&document, sought.intent(), request, desk.memory().now());
    let outcome = outcome.map_err(|error| refused(&error))?;
    match outcome.letter() {
        Some(_) => drop(kept(desk, call, session, before, &[outcome])),
        None => keep(desk, session),
    }
    Ok(None)
}
