//! Replacing a text of which one place is meant: found at once, chosen by its letter, or by a commit that takes the one recommended.

use serde_json::{Value, json};

use crate::locate::Code;
use crate::memory::{DocName, MemoryError};
use crate::request::{Failure, Place, Refusal, Replace, RequestError};
use crate::session::{Candidates, Intent, Letter, Session, SessionError, Shown};
use crate::text::RevisionPrefix;
use crate::toolbox::definition::Call;
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::opening::{carry, open, session_error, started};
use crate::toolbox::editing::stage::kept;
use crate::toolbox::editing::state::Question;
use crate::toolbox::editing::{Committing, commit, reply};
use crate::toolbox::refusal::{self, memory_error};
use crate::toolbox::refused::Refused;
use crate::toolbox::{Reply, Status};

/// How many candidates have letters.
const LETTERS: usize = 26;

/// A text that is to be replaced in one place.
#[derive(Debug)]
pub(crate) struct Choosing {
    pub(crate) document: DocName,
    pub(crate) base: Option<RevisionPrefix>,
    pub(crate) sought: Replace,
    pub(crate) match_id: Option<String>,
    pub(crate) shows_all: bool,
    pub(crate) is_preview: bool,
}

/// Stages the replacement of the one place, or asks which is meant. A preview shows what that would do, and keeps nothing.
pub(crate) fn choose(desk: &mut Desk, call: &Call<'_>, asked: &Choosing) -> Result<Reply, Box<Refused>> {
    let mut session = started(desk)?;
    open(desk, &mut session, &asked.document, asked.base.as_ref())?;
    let place = match &asked.match_id {
        Some(id) => Some(chosen(desk, &session, asked, id)?),
        None if needs_choice(desk, &session, asked)? => return ask(desk, call, session, asked),
        None => None,
    };
    let (now, before) = (desk.memory().now(), session.changes().len());
    let request = Replace { place, ..asked.sought.clone() };
    let outcome = session.stage(&asked.document, Intent::of(&request), &request, now);
    let outcome = outcome.map_err(|error| session_error(&error))?;
    let Some(letter) = outcome.letter().filter(|_| asked.is_preview) else {
        return Ok(kept(desk, call, session, before, &[outcome]));
    };
    if let Some(question) = desk.editing.question.as_mut().filter(|_| asked.match_id.is_some()) {
        // Its agent has looked at one of its own choice: none is recommended any more.
        question.candidates = question.candidates.clone().unrecommended();
    }
    let mut previews = session.previews(desk.editing.config.editing.preview_max_length);
    let nth = session.changes().iter().position(|change| change.letter == letter);
    Ok(reply(Status::Preview, desk, call)
        .with_message("this is what it would do; nothing is pending for it")
        .with_member("text", nth.map(|nth| previews.swap_remove(nth)))
        .with_member("overview", ()))
}

/// Reports whether the text has several places, or one of which it is to be asked all the same.
fn needs_choice(desk: &Desk, session: &Session, asked: &Choosing) -> Result<bool, Box<Refused>> {
    let intent = Intent::of(&asked.sought);
    match session.clone().stage(&asked.document, intent, &asked.sought, desk.memory().now()) {
        Ok(_) if desk.editing.config.matching.auto_select_single_match => Ok(false),
        Ok(_) => Ok(session.candidates(&asked.document, &asked.sought).is_ok_and(|found| found.count() == 1)),
        Err(SessionError::Refused(MemoryError::Request { error, .. })) if is_choice(error.failures()) => Ok(true),
        Err(error) => Err(session_error(&error)),
    }
}

fn is_choice(failures: &[Failure]) -> bool {
    failures.first().is_some_and(|failure| matches!(failure.refusal, Refusal::CountMismatch { .. }))
}

/// Letters the places, and asks which is meant. A preview opens nothing.
fn ask(desk: &mut Desk, call: &Call<'_>, session: Session, asked: &Choosing) -> Result<Reply, Box<Refused>> {
    let found = candidates(desk, &session, asked);
    let candidates =
        found.map_err(|error| memory_error(&MemoryError::Request { document: asked.document.clone(), error }))?;
    let shown = shown(desk, asked);
    let places = places(&candidates, &session, shown);
    let message = match candidates.count() {
        1 => "the text stands in one place; say that it is meant".to_owned(),
        count => format!("the text stands in {count} places; say which is meant"),
    };
    let mut hint = "send the same call again with \"match_id\" set to the letter".to_owned();
    if candidates.count() > shown && shown < LETTERS {
        hint.push_str("; \"show_all_matches\" set to true shows more, \"search_after\" narrows them down");
    }
    if !asked.is_preview {
        let now = desk.memory().now();
        desk.editing.keep(session, now);
    }
    desk.editing.question = Some(Question { candidates, shown, is_open: !asked.is_preview });
    Ok(reply(Status::NeedsMatch, desk, call)
        .with_message(message.as_str())
        .with(&places)
        .with_member("hint", hint)
        .with_member("overview", ()))
}

fn shown(desk: &Desk, asked: &Choosing) -> usize {
    if asked.shows_all { LETTERS } else { desk.editing.config.matching.max_candidates_shown.min(LETTERS) }
}

/// Finds the places that a text may mean.
fn candidates(desk: &Desk, session: &Session, asked: &Choosing) -> Result<Candidates, RequestError> {
    let found = session.candidates(&asked.document, &asked.sought)?;
    Ok(if desk.editing.config.matching.smart_recommendation { found } else { found.unrecommended() })
}

fn places(found: &Candidates, session: &Session, most: usize) -> Value {
    let draft = session.draft(&found.document);
    let rows: Vec<_> = draft.map(|draft| found.shown(draft, most)).unwrap_or_default().into_iter().map(row).collect();
    json!({"more": found.count() - rows.len(), "candidates": rows})
}

fn row(shown: Shown) -> Value {
    let Shown { candidate, context, nearest_to, .. } = shown;
    let mut row = refusal::candidate(&candidate);
    row["recommended"] = json!(nearest_to.is_some().then_some(true));
    row["context"] = json!(context);
    row["reason"] = json!(nearest_to.map(|letter| format!("the nearest to change {letter}")));
    row["match_id"] = json!(candidate.letter);
    row["change"] = json!({"match_id": candidate.letter});
    row
}

/// Returns the place of a letter that was shown for the same text.
fn chosen(desk: &mut Desk, session: &Session, asked: &Choosing, id: &str) -> Result<Place, Box<Refused>> {
    let question = desk.editing.question.as_ref().filter(|question| {
        question.candidates.document == asked.document && question.candidates.sought.seeks_same(&asked.sought)
    });
    let why = match (question, Letter::read(id)) {
        (None, _) => "no candidates have been shown for this text",
        (_, None) => "expected one letter in each call",
        (Some(question), Some(letter)) if letter.index() >= question.shown => "no candidate has that letter",
        (Some(question), Some(letter)) => match question.candidates.place(letter, session) {
            Some(place) => return Ok(place),
            None => "that candidate is not there any more as it was shown",
        },
    };
    Err(stale_match(desk, asked, session, why))
}

/// Refuses a letter that means no place, and shows the candidates as they are in the draft now.
fn stale_match(desk: &mut Desk, asked: &Choosing, session: &Session, why: &str) -> Box<Refused> {
    let shown = shown(desk, asked);
    let Ok(candidates) = candidates(desk, session, asked) else {
        let mut refused = Refused::new(Code::StaleMatch, &format!("{why}; the text stands nowhere else any more"));
        refused.members.extend([("candidates".to_owned(), json!([])), ("more".to_owned(), json!(0))]);
        return refused;
    };
    let mut refused = Refused::new(Code::StaleMatch, why);
    refused.members.extend(places(&candidates, session, shown).as_object().cloned().unwrap_or_default());
    // What was refused is no question that a commit might answer.
    desk.editing.question = Some(Question { candidates, shown, is_open: false });
    refused
}

/// Commits. Where a question is open, takes the candidate first that is recommended; where none is, or it does not stand there as
/// it was shown, asks again instead.
pub(crate) fn commit_auto(desk: &mut Desk, call: &Call<'_>) -> Result<Reply, Box<Refused>> {
    carry(desk)?;
    let question = desk.editing.question.as_ref().filter(|question| question.is_open);
    if let Some((open, question)) = desk.editing.open.as_ref().zip(question) {
        let candidates = &question.candidates;
        let letter = candidates
            .recommended()
            .filter(|letter| letter.index() < question.shown && candidates.place(*letter, &open.session).is_some());
        let asked = Choosing {
            document: candidates.document.clone(),
            base: None,
            sought: candidates.sought.clone(),
            match_id: letter.map(|letter| letter.to_string()),
            shows_all: question.shown == LETTERS,
            is_preview: false,
        };
        let reply = choose(desk, call, &asked)?;
        if reply.status() == Status::NeedsMatch {
            return Ok(reply);
        }
    }
    let ends_task = desk.editing.config.tasks.auto_pop_on_commit;
    commit(desk, call, &Committing { summary: None, ends_task, session_id: None, base: None })
}
