//! The end of a session, or of a task in it: what is pending is written, joins the outer session, or is dropped.

use std::collections::BTreeSet;
use std::mem;

use serde_json::Map;

use crate::edit::{PartStatus, Warning};
use crate::locate::Code;
use crate::memory::{Applied, AppliedStatus, DocName, MemoryError};
use crate::request::Known;
use crate::session::{Letter, NotCommitted, Session, TaskNode, TaskStatus};
use crate::text::RevisionPrefix;
use crate::text::excerpt;
use crate::toolbox::apply::show_unseen;
use crate::toolbox::definition::Call;
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::opening::check_base;
use crate::toolbox::editing::opening::{open, refused, started};
use crate::toolbox::editing::reply::{finished, with_rest};
use crate::toolbox::editing::state::{Open, is_id};
use crate::toolbox::editing::{Editing, in_session, no_session, reply};
use crate::toolbox::refusal::memory_error;
use crate::toolbox::refused::Refused;
use crate::toolbox::retry::Remedy;
use crate::toolbox::{Reply, Status, apply};

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
    /// The text of one of its documents that it goes on from.
    pub(crate) base: Option<RevisionPrefix>,
}

/// Commits the open session, or the task in it.
pub(crate) fn commit(desk: &mut Desk, call: &Call<'_>, asked: &Committing) -> Result<Reply, Box<Refused>> {
    if asked.session_id.as_deref().is_some_and(|id| desk.editing.landed.is_some_and(|landed| is_id(id, landed))) {
        let message = "the session was committed before; nothing was written";
        return Ok(told(desk, call, Status::AlreadyApplied).with_message(message));
    }
    let named = asked.session_id.as_deref();
    let Some(open) = desk.editing.open.as_ref().filter(|open| named.is_none_or(|id| open.is_named(id))) else {
        // One that names no session would mean the open one: there is none.
        return match named.is_none() && desk.editing.tasks.depth() > 0 {
            true => Ok(nothing(desk, call, asked)),
            false => Err(no_session(&desk.editing)),
        };
    };
    let summary = asked.summary.clone().unwrap_or_else(|| summary_of(&desk.editing));
    match desk.editing.savepoint() {
        Some(_) => Ok(join(desk, call, asked, summary)),
        _ if open.session.changes().is_empty() => Ok(nothing(desk, call, asked)),
        _ => write(desk, call, asked, summary),
    }
}

/// Replies with the state, what is pending and the tasks.
pub(super) fn told(desk: &Desk, call: &Call<'_>, status: Status) -> Reply {
    Reply::new(status, &in_session(desk, call)).with_member("text", desk.editing.task_text())
}

/// Answers for a session or a task that has changed nothing.
fn nothing(desk: &mut Desk, call: &Call<'_>, asked: &Committing) -> Reply {
    let summary = asked.summary.as_deref().unwrap_or_default();
    desk.editing.finished = Some(finished(&desk.editing, "ended without a change", summary));
    desk.editing.open = None;
    end_task(desk, asked, summary);
    told(desk, call, Status::NoChange)
        .with_member("summary", &asked.summary)
        .with_member("applied_changes", 0)
        .with_message("nothing was pending; nothing was written")
}

fn end_task(desk: &mut Desk, asked: &Committing, summary: &str) {
    if asked.ends_task {
        desk.editing.savepoints.pop();
        desk.editing.tasks.end(TaskStatus::Completed, summary);
    }
}

/// Ends a task whose changes stay pending in the outer session.
fn join(desk: &mut Desk, call: &Call<'_>, asked: &Committing, summary: String) -> Reply {
    let (own, taken_out) = (desk.editing.own_changes().len(), desk.editing.taken_out());
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
    let (status, message) = match own + taken_out {
        0 => (Status::NoChange, "the task has changed nothing"),
        _ => (
            Status::Editing,
            "the task's changes are pending in the outer session; nothing is written before memo_commit",
        ),
    };
    told(desk, call, status).with_member("summary", summary).with_member("applied_changes", own).with_message(message)
}

/// Writes all that is pending, and closes the session. Refused, it stays open.
fn write(desk: &mut Desk, call: &Call<'_>, asked: &Committing, summary: String) -> Result<Reply, Box<Refused>> {
    let is_carried = carry_to_shown(desk)?;
    check_named(desk, asked)?;
    let over = finished(&desk.editing, "committed", &summary);
    let Some(mut open) = desk.editing.open.take() else { return Err(no_session(&desk.editing)) };
    let session = mem::take(&mut open.session);
    let origin = desk.author(call.tool.name).with_reason(summary.as_str());
    let letters: Vec<_> = session.changes().iter().map(|change| (change.document().clone(), change.letter())).collect();
    let known: Vec<_> = session.documents().map(|(name, _)| (name.clone(), session.known(name).cloned())).collect();
    let applied = match session.commit(desk.memory(), &origin) {
        Ok(applied) => applied,
        Err(NotCommitted { session, error, .. }) => {
            desk.editing.keep(Open { session: *session, ..open });
            return Err(not_committed(desk, &error));
        }
    };
    note(desk, &applied, &known);
    let new_length: usize = applied.iter().map(|applied| applied.doc.text().chars().count()).sum();
    desk.editing.landed = Some(open.number);
    end_task(desk, asked, &summary);
    desk.editing.finished = Some(over);
    let written = written(desk, call, &applied);
    let written = if is_carried { written.with_warning(&Warning::Rebased) } else { written };
    let changes: BTreeSet<_> = applied.iter().flat_map(|applied| made(applied, &letters)).collect();
    Ok(written
        .with_member("summary", summary)
        .with_member("applied_changes", changes.len())
        .with_member("new_length", new_length))
}

/// Refuses to commit a session that goes on from another revision than the call names.
fn check_named(desk: &Desk, asked: &Committing) -> Result<(), Box<Refused>> {
    let (Some(base), Some(open)) = (&asked.base, &desk.editing.open) else { return Ok(()) };
    let is_one = open.session.documents().any(|(_, doc)| base.matches(&doc.revision()));
    match open.session.documents().next().filter(|_| !is_one) {
        Some((document, _)) => check_base(&open.session, document, Some(base)),
        None => Ok(()),
    }
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

fn written(desk: &Desk, call: &Call<'_>, applied: &[Applied]) -> Reply {
    let is_made = applied.iter().any(|applied| applied.status == AppliedStatus::Committed);
    let nothing = "all that was pending comes to nothing, or is there already; nothing was written";
    apply::reply(applied)
        .with(&in_session(desk, call))
        .with_member("text", desk.editing.task_text())
        .with_message((!is_made).then_some(nothing))
}

/// Carries what is pending over to texts that its agent has been shown since; returns true if there are any.
fn carry_to_shown(desk: &mut Desk) -> Result<bool, Box<Refused>> {
    let mut session = started(desk);
    let bases = |session: &Session| session.documents().map(|(_, base)| base.revision()).collect::<Vec<_>>();
    let before = bases(&session);
    let names: Vec<_> = session.documents().map(|(name, _)| name.clone()).collect();
    names.iter().try_for_each(|name| open(desk, &mut session, name, None))?;
    let is_carried = bases(&session) != before;
    if let Some(open) = desk.editing.open.as_mut() {
        open.session = session;
    }
    Ok(is_carried)
}

/// Explains why the open session is not committed, and shows what its agent has not seen.
fn not_committed(desk: &mut Desk, error: &MemoryError) -> Box<Refused> {
    let Some(open) = &desk.editing.open else { return memory_error(error) };
    let told = refused(&open.session, error);
    let Some(known) = error.document().and_then(|document| open.session.known(document)).cloned() else { return told };
    let mut told = show_unseen(desk, error, &known, told);
    if told.changes.is_some() && told.code == Code::StaleRevision {
        told.remedy = Remedy::Again(Map::new());
    }
    told
}

/// Says what the changes of the current task do, or of the session.
fn summary_of(editing: &Editing) -> String {
    let own: Vec<_> = editing.own_changes().into_values().map(ToString::to_string).collect();
    excerpt(&own.join("; "), SUMMARY)
}

/// Drops what is pending: of the current task, or all.
pub(crate) fn revert(desk: &mut Desk, call: &Call<'_>, reason: &str) -> Result<Reply, Box<Refused>> {
    if desk.editing.open.is_none() && desk.editing.tasks.depth() == 0 {
        return Err(no_session(&desk.editing));
    }
    Ok(end(desk, call, reason))
}

/// Ends the current task, or the session, without what it has changed.
fn end(desk: &mut Desk, call: &Call<'_>, reason: &str) -> Reply {
    let editing = &mut desk.editing;
    let (dropped, taken_out) = (editing.own_changes().len(), editing.taken_out());
    let mut over = finished(editing, "reverted", reason);
    over.delta = None;
    match (editing.savepoints.pop().flatten(), editing.open.as_mut()) {
        (Some(savepoint), Some(open)) => {
            open.session.return_to(savepoint);
            open.close_question();
            desk.known.unstage(&open.session);
        }
        _ => editing.open = None,
    }
    let task = editing.tasks.end(TaskStatus::Reverted, reason);
    let message = reverted(task.as_ref(), dropped, taken_out);
    desk.editing.finished = Some(with_rest(over, &desk.editing));
    reply(Status::Reverted, desk, call).with_message(message.as_str()).with_member("text", desk.editing.task_text())
}

/// Says what was reverted, how much was dropped, and how much of the outer session is back.
fn reverted(task: Option<&TaskNode>, dropped: usize, taken_out: usize) -> String {
    let what = task.map_or_else(|| "the session".to_owned(), |task| format!("task #{}", task.task_id));
    let dropped = if dropped == 1 { "1 change was".to_owned() } else { format!("{dropped} changes were") };
    let back = match taken_out {
        0 => String::new(),
        1 => "; 1 change that it had taken out is pending again".to_owned(),
        several => format!("; {several} changes that it had taken out are pending again"),
    };
    format!("{what} is reverted: {dropped} dropped; nothing was written{back}")
}
