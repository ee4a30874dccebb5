//! A commit that says itself what was done, and takes the candidate that was shown last as recommended.

use super::super::Status;
use super::super::answer::{Done, Edited, Refused};
use super::super::definition::Call;
use super::super::desk::Desk;
use super::commit::told;
use super::explain::session_error;
use super::search::{candidates, places};
use super::stage::{keep, kept};
use super::state::Question;
use super::{Committed, Committing, commit};
use crate::session::Session;

/// Commits. Where a question is open, takes the candidate that it recommends first; where it recommends none, or that does not
/// stand as it was shown, asks again instead.
pub(in super::super) fn commit_auto(desk: &mut Desk, call: &Call<'_>) -> Result<Done<Committed>, Box<Refused>> {
    let ends_task = desk.editing.config.tasks.auto_pop_on_commit;
    let committing = Committing { summary: None, ends_task, session_id: None };
    let open = desk.editing.open.as_ref().map(|open| (open.session.clone(), open.question.clone()));
    if let Some((session, Some(question))) = open
        && question.is_open
        && let Some(asked) = answered(desk, call, session, &question)?
    {
        return Ok(asked);
    }
    commit(desk, call, &committing)
}

/// Stages what was recommended; asks again where that is nothing, or not there as it was shown.
fn answered(
    desk: &mut Desk,
    call: &Call<'_>,
    mut session: Session,
    question: &Question,
) -> Result<Option<Done<Committed>>, Box<Refused>> {
    let candidates = &question.candidates;
    let place = candidates.recommended().and_then(|letter| candidates.place(letter, &session));
    let Some(place) = place else { return ask_again(desk, call, &session, question).map(Some) };
    let (before, sought) = (session.changes().len(), candidates.sought());
    let now = desk.memory().now();
    let outcome = session.stage_shared(candidates.document(), sought.intent(), sought.request(Some(place)), now);
    let outcome = outcome.map_err(|error| session_error(call.tool, &error))?;
    match outcome.letter() {
        Some(_) => drop(kept(desk, call, session, before, &[outcome])),
        None => keep(desk, session),
    }
    Ok(None)
}

/// Shows the candidates as they are now, and asks which is meant.
fn ask_again(
    desk: &mut Desk,
    call: &Call<'_>,
    session: &Session,
    question: &Question,
) -> Result<Done<Committed>, Box<Refused>> {
    let (asked, shown) = (&question.candidates, question.shown);
    let candidates = candidates(desk, call.tool, session, asked.document(), asked.sought())?;
    let message = match candidates.recommended() {
        None => "no place of the text is recommended; say which is meant",
        Some(_) => "the place that was recommended is not there any more as it was shown; say which is meant",
    };
    let places = Some(places(&candidates, session, shown));
    desk.editing.ask(Question { candidates, shown, is_open: true });
    let mut told = Committed { places, ..told(desk, call, Edited::default()) };
    told.session.hint = Some("send the replacement again with \"match_id\" set to the letter, then commit".to_owned());
    Ok(Done::new(Status::NeedsMatch, told).with_message(message))
}
