//! A commit that says itself what was done, and takes the candidate that is recommended by what is pending.

use super::commit::told;
use super::explain::session_error;
use super::search::{candidates, places};
use super::stage::{keep, kept};
use super::state::Question;
use super::{Committing, commit};
use crate::session::Session;
use crate::toolbox::answer::Refused;
use crate::toolbox::definition::Call;
use crate::toolbox::desk::Desk;
use crate::toolbox::{Reply, Status};

/// Commits. Where a question is open, takes the candidate first that is recommended; where none is, or it does not stand there as
/// it was shown, or another was looked at since, asks again instead.
pub(crate) fn commit_auto(desk: &mut Desk, call: &Call<'_>) -> Result<Reply, Box<Refused>> {
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

/// Stages what is recommended; asks again where that is nothing, or not there as it was shown.
fn answered(
    desk: &mut Desk,
    call: &Call<'_>,
    mut session: Session,
    question: &Question,
) -> Result<Option<Reply>, Box<Refused>> {
    let asked = &question.candidates;
    let recommended = asked.recommended();
    let is_meant = question.looked_at.is_none() || question.looked_at == recommended;
    let place = recommended.and_then(|letter| asked.place(letter, &session));
    let Some(place) = place.filter(|_| is_meant) else {
        let why = match (recommended, question.looked_at) {
            (None, _) => "no place of the text is recommended",
            (Some(_), Some(_)) => "another place was looked at than the one that is recommended",
            (Some(_), None) => "the place that is recommended does not stand there as it was shown",
        };
        let candidates = candidates(desk, &session, asked.document(), asked.sought())?;
        let asked = Question { candidates, shown: question.shown, is_open: true, looked_at: None };
        return Ok(Some(
            ask_again(desk, call, &session, asked).with_message(format!("{why}; say which is meant").as_str()),
        ));
    };
    let (before, sought) = (session.changes().len(), asked.sought());
    let now = desk.memory().now();
    let outcome = session.stage(asked.document(), sought.intent(), &*sought.request(Some(place)), now);
    let outcome = outcome.map_err(|error| session_error(&session, &error))?;
    match outcome.letter() {
        Some(_) => drop(kept(desk, call, session, before, &[outcome])),
        None => keep(desk, session),
    }
    Ok(None)
}

/// Shows the candidates as they are now, and asks which is meant.
fn ask_again(desk: &mut Desk, call: &Call<'_>, session: &Session, question: Question) -> Reply {
    let places = places(&question.candidates, session, question.shown);
    desk.editing.ask(question);
    let hint = "send the replacement again with \"match_id\" set to the letter, then commit";
    told(desk, call, Status::NeedsMatch).with(&places).with_member("hint", hint)
}
