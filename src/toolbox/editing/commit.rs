//! The end of a session, or of a task in it: what is pending is written, joins the outer session, or is dropped.

use std::collections::BTreeSet;
use std::fmt;
use std::mem;

use serde::Serialize;
use serde_json::Map;

use super::again::is_sent_again;
use super::explain::refused;
use super::history::{finished, with_rest};
use super::opening::unseen;
use super::state::{LastCommit, Open, is_id};
use super::{Editing, current, has_seen, in_session, no_session};
use crate::edit::{PartStatus, Warning};
use crate::locate::Code;
use crate::memory::journal::Seq;
use crate::memory::{Applied, AppliedStatus, DocName, MemoryError};
use crate::request::Known;
use crate::session::{Letter, NotCommitted, TaskStatus};
use crate::text::{excerpt, on_one_line};
use crate::toolbox::answer::{Done, Edited, HistoryDelta, InSession, Places, Quote, Refused, Tell, fmt_places};
use crate::toolbox::definition::Call;
use crate::toolbox::desk::Desk;
use crate::toolbox::refusal::memory_error;
use crate::toolbox::retry::Remedy;
use crate::toolbox::{Status, apply};

/// How long a summary is that is made from the changes, in characters.
const SUMMARY: usize = 200;

/// How a session, or a task in it, is to be committed.
#[derive(Debug)]
pub(crate) struct Committing {
    /// What was done; `None` to have it said by the changes.
    pub(crate) summary: Option<String>,
    /// Whether the current task ends with it.
    pub(crate) ends_task: bool,
    pub(crate) session_id: Option<String>,
}

/// What a commit tells.
#[derive(Clone, Serialize)]
pub(crate) struct Committed {
    #[serde(flatten)]
    pub(crate) edited: Edited,
    #[serde(flatten)]
    pub(crate) session: InSession,
    /// The places that may be meant, if that is asked first.
    #[serde(flatten)]
    pub(crate) places: Option<Places>,
    /// What was said of it.
    pub(crate) summary: Option<String>,
    /// How many changes were written, or have joined the outer session.
    pub(crate) applied_changes: Option<usize>,
    /// How many characters the documents have now that were changed.
    pub(crate) new_length: Option<usize>,
    /// What became of the host's chat, if it was given.
    pub(super) history_delta: Option<HistoryDelta>,
}

impl Tell for Committed {
    fn edited(&self) -> Option<&Edited> {
        Some(&self.edited)
    }

    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.places.as_ref().map_or(Ok(()), |places| fmt_places(places, f))?;
        if let (Some(summary), Some(changes)) = (&self.summary, self.applied_changes) {
            write!(f, "\nsummary: {}\nchanges: {changes}", on_one_line(summary))?;
        }
        if let Some(length) = self.new_length {
            write!(f, "\nlength: {length} characters")?;
        }
        self.session.fmt_own(f)
    }
}

/// Commits the open session, or the task in it.
pub(crate) fn commit(desk: &mut Desk, call: &Call<'_>, asked: &Committing) -> Result<Done<Committed>, Box<Refused>> {
    if let Some(done) = landed(desk, call, asked)?.or_else(|| joined_before(desk, call, asked)) {
        return Ok(done);
    }
    let named = asked.session_id.as_deref();
    let Some(open) = desk.editing.open.as_ref().filter(|open| named.is_none_or(|id| open.is_named(id))) else {
        // One that names no session would mean the open one: there is none.
        return match named.is_none() && desk.editing.tasks.depth() > 0 {
            true => Ok(nothing(desk, call, asked)),
            false => Err(no_session(&desk.editing)),
        };
    };
    let summary = asked.summary.clone().unwrap_or_else(|| said(&desk.editing));
    match desk.editing.savepoint() {
        Some(_) => {
            let (own, taken_out) = (desk.editing.own_changes().len(), desk.editing.taken_out());
            Ok(join(desk, call, asked, Joined { summary, own, taken_out }))
        }
        _ if open.session.changes().is_empty() => Ok(nothing(desk, call, asked)),
        _ => write(desk, call, asked, summary),
    }
}

/// Answers for a commit that is sent again after it was made, and not for one that was taken back since.
fn landed(desk: &Desk, call: &Call<'_>, asked: &Committing) -> Result<Option<Done<Committed>>, Box<Refused>> {
    let Some(last) = &desk.editing.landed else { return Ok(None) };
    let is_same = match &asked.session_id {
        Some(id) => is_id(id, last.number),
        None if desk.editing.open.is_some() || desk.editing.tasks.depth() > 0 => false,
        None => asked.summary.as_deref().map_or(last.is_automatic, |summary| summary == last.summary.as_str()),
    };
    if !is_same {
        return Ok(None);
    }
    let has_come_back = last.seq.map(|seq| desk.memory().has_come_back(seq)).transpose();
    if has_come_back.map_err(|error| memory_error(&error))?.unwrap_or_default() {
        return Ok(None);
    }
    let edited = Edited { seq: last.seq.map(Seq::get), ..Edited::default() };
    let told = Committed { summary: Some(last.summary.to_string()), ..told(desk, call, edited) };
    let message = "the session was committed before; nothing was written";
    let revision = last.document.as_ref().and_then(|name| desk.known.latest(name)).map(|known| known.revision());
    Ok(Some(Done::new(Status::AlreadyApplied, told).with_message(message).with_revision(revision)))
}

/// Answers for the commit of a task that is sent again after the task has ended: the session around it is not meant.
fn joined_before(desk: &Desk, call: &Call<'_>, asked: &Committing) -> Option<Done<Committed>> {
    let summary = asked.summary.as_deref().filter(|_| asked.ends_task && is_sent_again(desk))?;
    let told = Committed { summary: Some(summary.to_owned()), ..told(desk, call, Edited::default()) };
    let message = "the task was ended by this call before; to commit the session around it, send another summary";
    Some(Done::new(Status::AlreadyApplied, told).with_message(message))
}

pub(super) fn told(desk: &Desk, call: &Call<'_>, edited: Edited) -> Committed {
    let mut session = in_session(desk, call);
    session.text = desk.editing.task_text().map(Quote::Lines);
    Committed {
        edited,
        session,
        places: None,
        summary: None,
        applied_changes: None,
        new_length: None,
        history_delta: None,
    }
}

/// Answers for a session or a task that has changed nothing.
fn nothing(desk: &mut Desk, call: &Call<'_>, asked: &Committing) -> Done<Committed> {
    let summary = asked.summary.as_deref().unwrap_or_default();
    desk.editing.finished = Some(finished(&desk.editing, "ended without a change", summary));
    desk.editing.open = None;
    end_task(desk, asked, asked.summary.as_deref().unwrap_or_default());
    let told =
        Committed { summary: asked.summary.clone(), applied_changes: Some(0), ..told(desk, call, Edited::default()) };
    Done::new(Status::NoChange, told).with_message("nothing was pending; nothing was written")
}

fn end_task(desk: &mut Desk, asked: &Committing, summary: &str) {
    if asked.ends_task {
        desk.editing.savepoints.pop();
        desk.editing.tasks.end(TaskStatus::Completed, summary);
    }
}

/// What a task leaves to the outer session.
struct Joined {
    summary: String,
    /// How many changes it has staged.
    own: usize,
    /// How many changes of the outer session it has taken out.
    taken_out: usize,
}

/// Ends a task whose changes stay pending in the outer session.
fn join(desk: &mut Desk, call: &Call<'_>, asked: &Committing, joined: Joined) -> Done<Committed> {
    let Joined { summary, own, taken_out } = joined;
    if let Some(open) = desk.editing.open.as_mut() {
        open.close_question();
    }
    let over = finished(&desk.editing, "completed", &summary);
    match asked.ends_task {
        true => end_task(desk, asked, &summary),
        false => {
            let session = desk.editing.open.as_ref().map(|open| open.session.clone());
            if let Some(savepoint) = desk.editing.savepoints.last_mut() {
                *savepoint = session;
            }
        }
    }
    desk.editing.finished = Some(with_rest(over, &desk.editing)).filter(|_| asked.ends_task);
    let edited = Edited::default();
    let told = Committed { summary: Some(summary), applied_changes: Some(own), ..told(desk, call, edited) };
    let (status, message) = match own + taken_out {
        0 => (Status::NoChange, "the task has changed nothing"),
        _ => (
            Status::Editing,
            "the task's changes are pending in the outer session; nothing is written before memo_commit",
        ),
    };
    Done::new(status, told).with_message(message)
}

/// Writes all that is pending, and closes the session. Refused, it stays open.
fn write(
    desk: &mut Desk,
    call: &Call<'_>,
    asked: &Committing,
    summary: String,
) -> Result<Done<Committed>, Box<Refused>> {
    let carried = carry_to_shown(desk)?;
    let over = finished(&desk.editing, "committed", &summary);
    let Some(mut open) = desk.editing.open.take() else { return Err(no_session(&desk.editing)) };
    let session = mem::take(&mut open.session);
    let origin = desk.author(call.tool.name).with_reason(summary.as_str());
    let known: Vec<_> = session.documents().map(|(name, _)| (name.clone(), session.known(name).cloned())).collect();
    let letters: Vec<_> = session.changes().iter().map(|change| (change.document().clone(), change.letter())).collect();
    let applied = match session.commit(desk.memory(), &origin) {
        Ok(applied) => applied,
        Err(NotCommitted { session, error, .. }) => {
            desk.editing.keep(Open { session: *session, ..open });
            return Err(not_committed(desk, &error));
        }
    };
    note(desk, &applied, &known);
    let new_length = applied.iter().map(|applied| applied.doc.text().chars().count()).sum();
    desk.editing.landed = Some(LastCommit {
        number: open.number,
        summary: summary.as_str().into(),
        is_automatic: asked.summary.is_none(),
        document: applied.first().map(|applied| applied.document.clone()),
        seq: applied.iter().find_map(|applied| applied.seq),
    });
    end_task(desk, asked, &summary);
    desk.editing.finished = Some(over);
    let done = written(desk, call, &applied);
    let done = if let Some(carried) = &carried { done.with_warning(carried) } else { done };
    Ok(done.map(|told| Committed {
        summary: Some(summary),
        applied_changes: Some(
            applied.iter().flat_map(|applied| made(applied, &letters)).collect::<BTreeSet<_>>().len(),
        ),
        new_length: Some(new_length),
        ..told
    }))
}

/// Iterates over the changes of a document that have changed it: not those that it had already.
fn made<'a>(applied: &'a Applied, letters: &'a [(DocName, Letter)]) -> impl Iterator<Item = Letter> + 'a {
    let plan = applied.plan.as_ref().filter(|_| applied.status == AppliedStatus::Committed);
    let parts = plan.into_iter().flat_map(|plan| plan.parts());
    let own = letters.iter().filter(|(document, _)| *document == applied.document);
    own.zip(parts).filter(|(_, part)| part.status == PartStatus::Applied).map(|((_, letter), _)| *letter)
}

/// Notes what the agent now knows of the documents that were written.
fn note(desk: &mut Desk, applied: &[Applied], known: &[(DocName, Option<Known>)]) {
    for applied in applied {
        desk.since = desk.since.max(applied.seq);
        let of_document = known.iter().find(|(name, _)| *name == applied.document);
        let known = of_document.and_then(|(_, known)| known.clone());
        let base = known.as_ref().map_or(applied.doc.revision(), Known::revision);
        desk.known.update(known, applied);
        desk.known.commit_draft(&applied.document, base);
    }
}

fn written(desk: &Desk, call: &Call<'_>, applied: &[Applied]) -> Done<Committed> {
    let receipt = apply::receipt(applied);
    let mut done = apply::done_with(applied, receipt.as_ref()).with_receipt(receipt);
    if applied.iter().all(|applied| applied.status != AppliedStatus::Committed) {
        done = done.with_message("all that was pending comes to nothing, or is there already; nothing was written");
    }
    done.map(|edited| told(desk, call, edited))
}

/// Carries what is pending over to texts that its agent has been shown since.
fn carry_to_shown(desk: &mut Desk) -> Result<Option<Warning>, Box<Refused>> {
    let Some(open) = &desk.editing.open else { return Ok(None) };
    let mut warning = None;
    let mut session = open.session.clone();
    let names: Vec<_> = session.documents().map(|(name, _)| name.clone()).collect();
    for name in names {
        let current = current(desk, &name).map_err(|error| memory_error(&error))?;
        let is_stale = session.base(&name).is_some_and(|base| base.revision() != current.revision());
        if is_stale && has_seen(desk, &name, &current) {
            let carried = session.carry_to(&name, &current);
            carried.map_err(|error| refused(&session, &error))?;
            warning = Some(Warning::Rebased);
        }
    }
    if let Some(open) = desk.editing.open.as_mut() {
        open.session = session;
    }
    Ok(warning)
}

/// Explains why the open session is not committed, and shows what its agent has not seen.
fn not_committed(desk: &mut Desk, error: &MemoryError) -> Box<Refused> {
    let Some(open) = &desk.editing.open else { return memory_error(error) };
    let told = refused(&open.session, error);
    let Some(known) = error.document().and_then(|document| open.session.known(document)).cloned() else { return told };
    let mut told = unseen(desk, &known, error, told);
    if told.changes.is_some() && told.code == Code::StaleRevision {
        told.remedy = Remedy::Again(Map::new());
    }
    told
}

/// Says what the changes of the current task do, or of the session.
fn said(editing: &Editing) -> String {
    let own: Vec<_> = editing.own_changes().into_values().map(ToString::to_string).collect();
    excerpt(&own.join("; "), SUMMARY)
}
