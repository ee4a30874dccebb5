//! The end of a session, or of a task in it: what is pending is written, joins the outer session, or is dropped.

use crate::edit::Warning;
use crate::session::{NotCommitted, TaskStatus};
use crate::text::{RevisionPrefix, excerpt};
use crate::toolbox::apply::show_unseen;
use crate::toolbox::definition::Call;
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::opening::{carry, check_base, refused};
use crate::toolbox::editing::reply::finished;
use crate::toolbox::editing::state::{Editing, is_id};
use crate::toolbox::editing::{in_session, no_session, reply};
use crate::toolbox::refused::Refused;
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
    let editing = &desk.editing;
    if let Some(id) = asked.session_id.as_deref() {
        if editing.landed.is_some_and(|landed| is_id(id, landed)) {
            let message = "the session was committed before; nothing was written";
            return Ok(state(desk, call, Status::AlreadyApplied).with_message(message));
        }
        if editing.open.as_ref().is_none_or(|open| !is_id(id, open.number)) {
            return Err(no_session(editing));
        }
    }
    if editing.open.is_none() && editing.tasks.depth() == 0 {
        return Err(no_session(editing));
    }
    let changes = editing.open.as_ref().map_or(0, |open| open.session.changes().len());
    match (editing.savepoint(), changes) {
        (Some(_), _) => Ok(join(desk, call, asked)),
        (None, 0) => Ok(nothing(desk, call, asked)),
        (None, _) => write(desk, call, asked),
    }
}

/// Replies with the state, what is pending and the tasks.
fn state(desk: &Desk, call: &Call<'_>, status: Status) -> Reply {
    Reply::new(status, &in_session(desk, call)).with_member("text", desk.editing.task_text())
}

/// Answers for a session that has changed nothing.
fn nothing(desk: &mut Desk, call: &Call<'_>, asked: &Committing) -> Reply {
    let summary = asked.summary.as_deref().unwrap_or_default();
    desk.editing.finished = Some(finished(&desk.editing, "ended without a change", summary));
    desk.editing.close();
    end_task(desk, asked, summary);
    state(desk, call, Status::NoChange)
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
fn join(desk: &mut Desk, call: &Call<'_>, asked: &Committing) -> Reply {
    let (summary, own) = (summary(&desk.editing, asked), desk.editing.own_changes().len());
    let (status, message) = match desk.editing.has_changed() {
        false => (Status::NoChange, "the task has changed nothing"),
        true => (
            Status::Editing,
            "the task's changes are pending in the outer session; nothing is written before memo_commit",
        ),
    };
    desk.editing.close_question();
    if asked.ends_task {
        desk.editing.finished = Some(finished(&desk.editing, "completed", &summary));
        end_task(desk, asked, &summary);
    } else {
        let session = desk.editing.open.as_ref().map(|open| open.session.clone());
        desk.editing.savepoints.pop();
        desk.editing.savepoints.push(session);
    }
    state(desk, call, status).with_member("summary", summary).with_member("applied_changes", own).with_message(message)
}

/// Writes all that is pending, and closes the session. Refused, it stays open.
fn write(desk: &mut Desk, call: &Call<'_>, asked: &Committing) -> Result<Reply, Box<Refused>> {
    let is_carried = carry(desk)?;
    let Some(open) = &desk.editing.open else { return Err(no_session(&desk.editing)) };
    let (session, number) = (open.session.clone(), open.number);
    let is_base = |base: &RevisionPrefix| session.documents().any(|(_, doc)| base.matches(&doc.revision()));
    if let Some((document, _)) = session.documents().next().filter(|_| !asked.base.as_ref().is_none_or(is_base)) {
        check_base(&session, document, asked.base.as_ref())?;
    }
    let (summary, own) = (summary(&desk.editing, asked), desk.editing.own_changes().len());
    let origin = desk.author(call.tool.name).with_reason(summary.as_str());
    let applied = session.commit(desk.memory(), &origin).map_err(|error| not_committed(desk, &error))?;
    for applied in &applied {
        let known = desk.known.latest(&applied.document).cloned();
        desk.known.update(known.as_ref(), applied);
        desk.known.end_draft(&applied.document);
    }
    desk.editing.finished = Some(finished(&desk.editing, "committed", &summary));
    desk.editing.landed = Some(number);
    desk.editing.close();
    end_task(desk, asked, &summary);
    let reply = apply::reply(&applied).with(&in_session(desk, call)).with_member("text", desk.editing.task_text());
    let (own, message) = match reply.status() {
        Status::Committed => (own, None),
        _ => (0, Some("all that was pending comes to nothing, or is there already; nothing was written")),
    };
    let reply = if is_carried { reply.with_warning(&Warning::rebased()) } else { reply };
    let new_length: usize = applied.iter().map(|applied| applied.doc.text().chars().count()).sum();
    Ok(reply
        .with_message(message)
        .with_member("summary", summary)
        .with_member("applied_changes", own)
        .with_member("new_length", new_length))
}

/// Explains why the open session is not committed, and shows what its agent has not seen.
fn not_committed(desk: &mut Desk, NotCommitted { session, error, .. }: &NotCommitted) -> Box<Refused> {
    let refused = refused(session, error);
    match error.document().and_then(|document| session.known(document)) {
        Some(known) => show_unseen(desk, error, known, refused),
        None => refused,
    }
}

/// Returns what is said of the current task, or of the session: what its changes do, if nothing else was given.
fn summary(editing: &Editing, asked: &Committing) -> String {
    asked.summary.clone().unwrap_or_else(|| {
        let own: Vec<_> = editing.own_changes().into_values().map(ToString::to_string).collect();
        excerpt(&own.join("; "), SUMMARY)
    })
}

/// Drops what is pending: of the current task, or all.
pub(crate) fn revert(desk: &mut Desk, call: &Call<'_>, reason: &str) -> Result<Reply, Box<Refused>> {
    let editing = &mut desk.editing;
    if editing.open.is_none() && editing.tasks.depth() == 0 {
        return Err(no_session(editing));
    }
    let dropped = editing.own_changes().len();
    let mut over = finished(editing, "reverted", reason);
    over.delta = None;
    editing.finished = Some(over);
    editing.close_question();
    match (editing.savepoints.pop().flatten(), editing.open.as_mut()) {
        (Some(savepoint), Some(open)) => open.session.return_to(savepoint),
        _ => editing.close(),
    }
    let task = editing.tasks.end(TaskStatus::Reverted, reason);
    let what = task.map_or_else(|| "the session".to_owned(), |task| format!("task #{}", task.task_id));
    let dropped = if dropped == 1 { "1 change was".to_owned() } else { format!("{dropped} changes were") };
    let message = format!("{what} is reverted: {dropped} dropped; nothing was written");
    Ok(reply(Status::Reverted, desk, call).with_message(message.as_str()).with_member("text", desk.editing.task_text()))
}
