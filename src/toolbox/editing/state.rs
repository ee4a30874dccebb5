//! [`Editing`]: the open session of an agent, its tasks, and the question that it was asked last.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::locate::Code;
use crate::session::{
    Candidates, Finished, Intent, Letter, PendingChange, Session, SessionConfig, TaskNode, TaskStatus, TaskTree,
};
use crate::text::Timestamp;
use crate::toolbox::{Refused, Reply};

/// How many calls the log of a session has.
const LOGGED: usize = 500;

/// The editing session and the tasks of an agent.
#[derive(Clone, Default)]
pub(crate) struct Editing {
    pub(crate) config: SessionConfig,
    pub(crate) open: Option<Open>,
    /// The session that ended last; its log can still be exported.
    closed: Option<Open>,
    pub(crate) tasks: TaskTree,
    // Invariant: one for each open task, outermost first.
    pub(super) savepoints: Vec<Savepoint>,
    pub(super) question: Option<Question>,
    /// The number of the session that was committed last.
    pub(super) landed: Option<u32>,
    /// The index of the message in the host's chat that makes the call.
    pub(crate) at: Option<usize>,
    /// The session or task that the call has ended, if it began in the host's chat.
    pub(crate) ending: Option<Ending>,
}

/// The end of a session or task that began in the host's chat.
#[derive(Clone)]
pub(crate) struct Ending {
    /// The index of the message with which it began.
    pub(crate) began: usize,
    pub(crate) finished: Finished,
}

/// The state when a task was begun.
#[derive(Clone)]
pub(super) struct Savepoint {
    /// The session that the changes of the task join; `None` if the session ends with the task.
    pub(super) session: Option<Session>,
    pub(super) began: Option<usize>,
}

/// An open session.
#[derive(Clone, Default)]
pub(crate) struct Open {
    pub(super) number: u32,
    pub(super) started_at: Timestamp,
    /// The index of the message in the host's chat with which it began.
    pub(super) began: Option<usize>,
    pub(crate) session: Session,
    /// The calls since it was opened, as rows of its log.
    // Invariant: at most `LOGGED`.
    pub(super) calls: VecDeque<Value>,
}

/// The candidates that were shown last.
#[derive(Clone)]
pub(super) struct Question {
    pub(super) candidates: Candidates,
    /// How many of them were shown.
    pub(super) shown: usize,
    /// Whether `memo_commit_auto` may answer it.
    pub(super) is_open: bool,
}

/// Returns true if `id` names the session of this number.
pub(super) fn is_id(id: &str, number: u32) -> bool {
    id.trim().trim_start_matches("sess-").trim_start_matches('#') == number.to_string()
}

impl Open {
    /// Returns the ID of the session.
    pub(crate) fn id(&self) -> String {
        format!("sess-{}", self.number)
    }

    /// Returns the title of the session for a preview.
    pub(crate) fn title(&self) -> String {
        format!("editing session #{} (in progress)", self.number)
    }

    /// Adds a call to the log.
    pub(crate) fn log(&mut self, tool: &str, arguments: &Value, reply: Reply) {
        if self.calls.len() == LOGGED {
            self.calls.pop_front();
        }
        // The log has the changes without the preview.
        let reply = reply.with_member("overview", ());
        self.calls.push_back(json!({"tool": tool, "arguments": arguments, "reply": reply.to_json()}));
    }
}

impl Editing {
    /// Returns a copy of the open session, or a new one.
    pub(super) fn session(&self) -> Session {
        let new = || Session::default().with_limit(self.config.editing.max_pending_changes);
        self.open.as_ref().map_or_else(new, |open| open.session.clone())
    }

    /// Keeps a session: as the open one, or as a new one that is opened now.
    pub(super) fn keep(&mut self, session: Session, now: Timestamp) {
        let number = self.latest().map_or(1, |latest| latest.number + 1);
        let new = Open { number, started_at: now, began: self.at, ..Open::default() };
        self.open.get_or_insert(new).session = session;
    }

    /// Closes the session.
    pub(super) fn close(&mut self) {
        self.closed = self.open.take().or_else(|| self.closed.take());
    }

    /// Returns the open session, or the one that ended last.
    pub(crate) fn latest(&self) -> Option<&Open> {
        self.open.as_ref().or(self.closed.as_ref())
    }

    /// Records that a task was begun, with a savepoint in the open session. Without one, opens a session that ends
    /// with the task.
    pub(crate) fn enter(&mut self, now: Timestamp) {
        self.close_question();
        let session = self.open.is_some().then(|| self.session());
        self.savepoints.push(Savepoint { session, began: self.at });
        self.keep(self.session(), now);
    }

    /// Ends the current task, and returns it.
    pub(super) fn end_task(&mut self, status: TaskStatus, summary: &str) -> Option<TaskNode> {
        self.savepoints.pop();
        self.tasks.end(status, summary)
    }

    /// Closes the question: `memo_commit_auto` no longer answers it.
    pub(super) fn close_question(&mut self) {
        if let Some(question) = &mut self.question {
            question.is_open = false;
        }
    }

    /// Renders the open tasks and the tree of all; `None` if there are none.
    pub(crate) fn task_text(&self) -> Option<String> {
        let tasks = &self.tasks;
        (!tasks.roots().is_empty()).then(|| format!("{}\n{}", tasks.render_stack(), tasks.render_tree()))
    }

    /// Returns the savepoint of the current task, if its changes join an outer session.
    pub(super) fn savepoint(&self) -> Option<&Session> {
        self.savepoints.last().and_then(|savepoint| savepoint.session.as_ref())
    }

    /// Returns the letters and intents of the changes of the current task, or of the session if no task is open.
    pub(super) fn own_changes(&self) -> Vec<(Letter, &Intent)> {
        let before = self.savepoint().map(Session::changes).unwrap_or_default();
        let is_own = |change: &&PendingChange| before.iter().all(|earlier| earlier.letter != change.letter);
        let own = self.open.iter().flat_map(|open| open.session.changes()).filter(is_own);
        let mut own: Vec<_> = own.map(|change| (change.letter, &change.intent)).collect();
        // A change of several documents has one letter.
        own.dedup_by_key(|(letter, _)| *letter);
        own
    }

    /// Returns true if the current task has staged or unstaged a change.
    pub(super) fn has_changed(&self) -> bool {
        let letters = |session: &Session| session.changes().iter().map(|change| change.letter).collect::<Vec<_>>();
        self.savepoint().map(letters) != self.open.as_ref().map(|open| letters(&open.session))
    }

    /// Returns true if neither a session nor a task is open.
    pub(crate) fn is_over(&self) -> bool {
        self.open.is_none() && self.tasks.depth() == 0
    }

    /// Refuses if neither a session nor a task is open.
    pub(super) fn check_begun(&self) -> Result<(), Box<Refused>> {
        if self.is_over() { Err(no_session(self)) } else { Ok(()) }
    }

    /// Returns the state and the ID of the open session.
    pub(crate) fn state(&self) -> Value {
        let state = if self.open.is_some() { "editing" } else { "idle" };
        json!({"state": state, "session_id": self.open.as_ref().map(Open::id)})
    }
}

/// Refuses a call that needs an open session, or names another one.
pub(crate) fn no_session(editing: &Editing) -> Box<Refused> {
    match &editing.open {
        Some(open) => Refused::new(Code::NoSession, &format!("the open session is `{}`", open.id()))
            .with_hint("name that session, or none"),
        None => Refused::new(Code::NoSession, "no editing session is open"),
    }
}
