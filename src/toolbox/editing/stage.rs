//! Staging: changes become pending in a session.

use crate::document::MemoryDoc;
use crate::memory::{DocName, MemoryError};
use crate::request::{Request, View};
use crate::session::{Intent, Letter, Outcome, Session, Wanted};
use crate::toolbox::apply::{check_shown, replaces_unseen};
use crate::toolbox::definition::{Asked, Call, Requested};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::opening::{open, session_error, started};
use crate::toolbox::editing::{no_session, reply};
use crate::toolbox::refusal::{memory_error, missing_revision};
use crate::toolbox::refused::Refused;
use crate::toolbox::retry::Taken;
use crate::toolbox::{Reply, Status};

/// Returns what is to be planned on the draft, and what a rewrite is measured against. What the host's compactor writes is written
/// once, of the draft as it is now.
fn planned(
    desk: &Desk,
    session: &Session,
    document: &DocName,
    request: Requested,
) -> Result<(Box<dyn Request>, Option<MemoryDoc>), MemoryError> {
    let (memory, draft) = (desk.memory(), session.draft(document));
    let (rewrite, draft) = match (request, draft) {
        (Requested::Edit(request), _) => return Ok((request, None)),
        (Requested::Compaction(rewrite), None) => return Ok((Box::new(rewrite), None)),
        (Requested::Compaction(rewrite), Some(draft)) => (rewrite, draft),
    };
    let earlier = memory.window_text(document)?.map(|text| MemoryDoc::with_rules(text, draft.rules().clone()));
    let earlier = earlier.or_else(|| session.text_before_rewrites(document).cloned());
    let view = View::current(draft, memory.now()).since(earlier.as_ref());
    Ok((Box::new(memory.written(document, rewrite, &view)?), earlier))
}

/// Stages changes, all or none, and replies.
pub(crate) fn stage(
    desk: &mut Desk,
    call: &Call<'_>,
    intent: &Intent,
    changes: Vec<Asked>,
) -> Result<Reply, Box<Refused>> {
    let (mut session, mut outcomes) = (started(desk)?, Vec::new());
    let before = session.changes().len();
    let mut letter = None;
    for Asked { document, base, request } in changes {
        open(desk, &mut session, &document, base.as_ref())?;
        let mut known = session.known_draft(&document).map_err(|error| session_error(&error))?;
        let shown = desk.known.in_session(&document, &session);
        if let Some(shown) = &shown {
            known = shown.on_text(known.believed());
        }
        if replaces_unseen(&request, &known) {
            return Err(missing_revision(&document, known.believed().revision(), false));
        }
        let (request, earlier) = planned(desk, &session, &document, request).map_err(|error| memory_error(&error))?;
        let time = desk.memory().now();
        check_shown(&*request, &known, shown.as_ref(), time)?;
        let wanted = Wanted { letter, document, intent: intent.clone(), request: &*request, time, earlier };
        let outcome = session.stage_wanted(wanted, &known);
        let outcome = outcome.map_err(|error| session_error(&error))?;
        letter = letter.or(outcome.letter());
        outcomes.push(outcome);
    }
    Ok(kept(desk, call, session, before, &outcomes))
}

/// Keeps a session in which changes were staged, and answers.
pub(super) fn kept(desk: &mut Desk, call: &Call<'_>, session: Session, before: usize, outcomes: &[Outcome]) -> Reply {
    let Some(letter) = outcomes.iter().find_map(|outcome| outcome.letter()) else {
        let (status, message) = match outcomes.contains(&Outcome::AlreadyThere) {
            true => (Status::AlreadyApplied, "the change is there already; nothing is pending for it"),
            false => (Status::NoChange, "the text would be the same; nothing is pending for it"),
        };
        return reply(status, desk, call).with_message(message);
    };
    let staged = session.changes().get(before..).unwrap_or_default();
    desk.taken = Taken::of(staged.iter().map(|change| &change.edit));
    staged.iter().for_each(|change| desk.known.stage(&change.document, &change.edit));
    let parts: Vec<_> = staged.iter().flat_map(|change| change.edit.parts()).cloned().collect();
    let now = desk.memory().now();
    desk.editing.keep(session, now);
    desk.editing.close_question();
    let message = format!("change {letter} is pending; nothing is written before memo_commit");
    reply(Status::Editing, desk, call).with_notes_of(parts.iter()).with_message(message.as_str())
}

/// Takes a pending change out again, and answers.
pub(crate) fn unstage(desk: &mut Desk, call: &Call<'_>, letter: Letter) -> Result<Reply, Box<Refused>> {
    let Some(open) = desk.editing.open.as_mut() else { return Err(no_session(&desk.editing)) };
    open.session.unstage(letter).map_err(|error| session_error(&error))?;
    let message = format!("change {letter} is no longer pending");
    Ok(reply(Status::Editing, desk, call).with_message(message.as_str()))
}
