//! `memo_commit`, `memo_commit_auto` and `memo_revert`: the end of a session, or of a task in it.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::edit::Warning;
use crate::memory::MemoryError;
use crate::session::{Finished, Session, TaskNode, TaskStatus};
use crate::text::{RevisionPrefix, excerpt};
use crate::toolbox::apply::{applied_reply, show_unseen};
use crate::toolbox::editing::base::{carry, check_base, refuse_to_carry};
use crate::toolbox::editing::search::take_recommended;
use crate::toolbox::editing::state::{Editing, Ending, is_id, no_session};
use crate::toolbox::{Answer, Context, Desk, NamedText, Refused, Reply, Status, Tool};

/// How long a summary made from the changes is, in characters.
const SUMMARY: usize = 200;

/// Writes all that is pending in the editing session as one change, and ends the session. If a task
/// was begun inside the session, ends only that task: its changes stay pending.
/// Example: {"summary": "all timeouts are 60 s now"}
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct MemoCommit {
    /// What was done, for people. Default: made from the changes.
    #[schemars(extend("aliases" = "message commit_message reason description"))]
    summary: Option<String>,
    /// False to keep the task open. Default: true.
    #[schemars(extend("aliases" = "auto_pop pop_task"))]
    auto_pop_task: Option<bool>,
    /// The session that is meant. Default: the open one.
    session_id: Option<String>,
    #[schemars(extend("hidden" = true))]
    #[serde(rename = "base_revision")]
    _base: Option<String>,
}

impl Tool for MemoCommit {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let (base, editing) = (cx.base()?, &cx.desk.editing);
        if let Some(id) = self.session_id.as_deref() {
            if editing.landed.is_some_and(|landed| is_id(id, landed)) {
                let message = "the session was committed before; nothing was written";
                return Ok(cx.state(Status::AlreadyApplied).with_message(message));
            }
            if editing.open.as_ref().is_none_or(|open| !is_id(id, open.number)) {
                return Err(no_session(editing));
            }
        }
        editing.check_begun()?;
        match editing.savepoint() {
            Some(_) => Ok(self.join(cx)),
            None => self.write(cx, base),
        }
    }
}

impl MemoCommit {
    /// Returns true if the current task ends with the commit.
    fn ends_task(&self, desk: &Desk) -> bool {
        self.auto_pop_task.unwrap_or(desk.editing.config.tasks.auto_pop_on_commit)
    }

    /// Ends a task whose changes stay pending in the outer session.
    fn join(&self, cx: &mut Context<'_>) -> Reply {
        let desk = &mut *cx.desk;
        let (summary, own) = (self.summary(&desk.editing), desk.editing.own_changes().len());
        let (status, message) = match desk.editing.has_changed() {
            false => (Status::NoChange, "the task has changed nothing"),
            true => (
                Status::Editing,
                "the task's changes are pending in the outer session; nothing is written before memo_commit",
            ),
        };
        desk.editing.close_question();
        if self.ends_task(desk) {
            desk.editing.ending = ending(&desk.editing, "completed", &summary);
            desk.editing.end_task(TaskStatus::Completed, &summary);
        } else {
            let session = desk.editing.session();
            desk.editing.savepoints.last_mut().into_iter().for_each(|task| task.session = Some(session.clone()));
        }
        cx.state(status).with_member("summary", summary).with_member("applied_changes", own).with_message(message)
    }

    /// Writes all pending changes and closes the session. If that is refused, it stays open.
    fn write(self, cx: &mut Context<'_>, base: Option<RevisionPrefix>) -> Answer {
        let tool = cx.call.tool.name;
        let desk = &mut *cx.desk;
        let is_carried = carry(desk)?;
        let (session, number) = (desk.editing.session(), desk.editing.open.as_ref().map(|open| open.number));
        let is_base = |base: &RevisionPrefix| session.documents().any(|(_, doc)| base.matches(&doc.revision()));
        if let Some((document, _)) = session.documents().next().filter(|_| !base.as_ref().is_none_or(is_base)) {
            check_base(&session, &NamedText { document: document.clone(), base })?;
        }
        let (summary, own) = (self.summary(&desk.editing), desk.editing.own_changes().len());
        let origin = desk.author(tool).with_reason(summary.as_str());
        let applied = session.commit(desk.memory(), &origin);
        let applied = applied.map_err(|error| not_committed(desk, &session, &error))?;
        for applied in &applied {
            let known = desk.known.latest(&applied.document).cloned();
            desk.known.update(known.as_ref(), applied);
            desk.known.end_draft(&applied.document);
        }
        let how = if applied.is_empty() { "ended without a change" } else { "committed" };
        desk.editing.landed = number.filter(|_| !applied.is_empty()).or(desk.editing.landed);
        desk.editing.ending = ending(&desk.editing, how, &summary);
        desk.editing.close();
        if self.ends_task(desk) {
            desk.editing.end_task(TaskStatus::Completed, &summary);
        }
        let reply = applied_reply(&applied).with(cx.in_session()).with_member("text", cx.desk.editing.task_text());
        let (own, message) = match reply.status() {
            Status::Committed => (own, None),
            _ => (0, Some("nothing that was pending would change a document; nothing was written")),
        };
        let reply = if is_carried { reply.with_warning(&Warning::rebased()) } else { reply };
        let new_length: usize = applied.iter().map(|applied| applied.doc.text().chars().count()).sum();
        Ok(reply
            .with_message(message)
            .with_member("summary", summary)
            .with_member("applied_changes", own)
            .with_member("new_length", (!applied.is_empty()).then_some(new_length)))
    }

    /// Returns the summary of the call, else one made from the changes.
    fn summary(&self, editing: &Editing) -> String {
        self.summary.clone().unwrap_or_else(|| {
            let own: Vec<_> = editing.own_changes().iter().map(|(_, intent)| intent.to_string()).collect();
            excerpt(&own.join("; "), SUMMARY)
        })
    }
}

/// Describes what has ended: the current task, the open session, or both. `None` if it did not begin in a chat.
fn ending(editing: &Editing, how: &str, summary: &str) -> Option<Ending> {
    let task = editing.tasks.current().map(|task: &TaskNode| format!("task #{} ({}) {how}", task.task_id, &*task.goal));
    let session = editing.open.as_ref().filter(|_| editing.savepoint().is_none());
    let began = [editing.savepoints.last().and_then(|task| task.began), session.and_then(|open| open.began)];
    let began = began.into_iter().flatten().min()?;
    let session = session.map(|open| format!("editing session {} {how}", open.id()));
    let title: Vec<_> = task.into_iter().chain(session).collect();
    let mut finished = Finished::new(title.join("; "), summary);
    if let Some(open) = &editing.open {
        let own = editing.own_changes();
        let listed = open.session.listed();
        let rows = listed.split('\n').zip(open.session.layout());
        let own = rows.filter(|(_, place)| own.iter().any(|(letter, _)| *letter == place.letter));
        let (changes, deltas): (_, Vec<_>) = own.map(|(line, place)| (line.into(), place.delta())).unzip();
        (finished.changes, finished.delta) = (changes, Some(deltas.iter().sum()));
    }
    Some(Ending { began, finished })
}

/// Refuses a commit of the session, and shows what the agent has not seen.
fn not_committed(desk: &mut Desk, session: &Session, error: &MemoryError) -> Box<Refused> {
    let refused = refuse_to_carry(session, error);
    let Some(known) = error.document().and_then(|document| session.known(document)) else { return refused };
    show_unseen(desk, error, known, refused)
}

/// As memo_commit, with a summary made from the changes. If candidates were shown last, takes the
/// recommended one first. Use it for one simple edit.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoCommitAuto {}

impl Tool for MemoCommitAuto {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let before = cx.desk.editing.clone();
        let taken = take_recommended(cx)?.filter(|reply| reply.status() == Status::NeedsMatch);
        let answer = taken.map_or_else(|| MemoCommit::default().run(cx), Ok);
        if answer.is_err() {
            cx.desk.editing = before;
        }
        answer
    }
}

/// Drops what is pending: of the current task, or of the whole session where no task is inside it.
/// Nothing is written.
/// Example: {"reason": "wrong section"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoRevert {
    /// Why.
    #[schemars(extend("aliases" = "why message summary", "empty" = true))]
    reason: String,
}

impl Tool for MemoRevert {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let editing = &mut cx.desk.editing;
        editing.check_begun()?;
        let dropped = editing.own_changes().len();
        let ended = ending(editing, "reverted", &self.reason);
        editing.ending =
            ended.map(|Ending { began, finished }| Ending { began, finished: Finished { delta: None, ..finished } });
        editing.close_question();
        match (editing.savepoint().cloned(), editing.open.as_mut()) {
            (Some(savepoint), Some(open)) => open.session.return_to(savepoint),
            _ => editing.close(),
        }
        let task = editing.end_task(TaskStatus::Reverted, &self.reason);
        let what = task.map_or_else(|| "the session".to_owned(), |task| format!("task #{}", task.task_id));
        let dropped = if dropped == 1 { "1 change was".to_owned() } else { format!("{dropped} changes were") };
        let message = format!("{what} is reverted: {dropped} dropped; nothing was written");
        let reply = cx.reply(Status::Reverted).with_member("text", cx.desk.editing.task_text());
        Ok(reply.with_message(message.as_str()))
    }
}
