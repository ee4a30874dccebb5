//! [`Editing`]: the open session of an agent, its question, its tasks, and what it did last.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Value, json};

use crate::session::{Candidates, Finished, Intent, Letter, Session, SessionConfig, TaskTree};
use crate::text::Timestamp;
use crate::toolbox::Reply;

/// How many calls of a session are kept for its log.
const LOGGED: usize = 500;

/// What an agent edits, and what it does it for.
#[derive(Clone, Default)]
pub(crate) struct Editing {
    pub(crate) config: SessionConfig,
    pub(crate) open: Option<Open>,
    /// The session that ended last, whose log may still be asked for.
    closed: Option<Open>,
    pub(crate) tasks: TaskTree,
    // Invariant: one for each open task, outermost first; `None` for a task whose end is that of the session.
    pub(super) savepoints: Vec<Option<Session>>,
    pub(super) question: Option<Question>,
    /// How many sessions there have been.
    numbered: u32,
    /// The session that was committed last.
    pub(super) landed: Option<u32>,
    /// What the last call has ended.
    pub(crate) finished: Option<Finished>,
}

/// An open session.
#[derive(Clone)]
pub(crate) struct Open {
    pub(super) number: u32,
    pub(super) started_at: Timestamp,
    pub(crate) session: Session,
    // Invariant: not more than are logged.
    pub(super) calls: VecDeque<Logged>,
    /// How many calls there were before them.
    pub(super) left_out: usize,
}

/// A call that was made while a session was open.
#[derive(Clone)]
pub(crate) struct Logged {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    pub(crate) reply: Reply,
}

/// Candidates as they were shown last.
#[derive(Clone)]
pub(super) struct Question {
    pub(super) candidates: Candidates,
    /// How many of them were.
    pub(super) shown: usize,
    /// Whether a commit may answer it by the candidate that is recommended.
    pub(super) is_open: bool,
}

/// Reports whether a model means the session of this number by `id`.
pub(super) fn is_id(id: &str, number: u32) -> bool {
    id.trim().trim_start_matches("sess-").trim_start_matches('#') == number.to_string()
}

fn letters(session: &Session) -> BTreeSet<Letter> {
    session.changes().iter().map(|change| change.letter).collect()
}

impl Open {
    /// Returns the name of the session.
    pub(crate) fn id(&self) -> String {
        format!("sess-{}", self.number)
    }

    /// Returns what it is called where it is shown.
    pub(crate) fn title(&self) -> String {
        format!("editing session #{} (in progress)", self.number)
    }

    /// Notes a call that was made while the session is open.
    pub(crate) fn log(&mut self, tool: &str, arguments: &Value, reply: Reply) {
        if self.calls.len() == LOGGED {
            self.calls.pop_front();
            self.left_out += 1;
        }
        // The log has the changes themselves.
        let reply = reply.with_member("overview", ());
        self.calls.push_back(Logged { tool: tool.to_owned(), arguments: arguments.clone(), reply });
    }
}

impl Editing {
    /// Describes a session that would be opened now.
    pub(super) fn new_session(&self, now: Timestamp) -> Open {
        Open {
            number: self.numbered + 1,
            started_at: now,
            session: Session::default().with_limit(self.config.editing.max_pending_changes),
            calls: VecDeque::new(),
            left_out: 0,
        }
    }

    /// Keeps a session open, as the one that is or as a new one.
    pub(super) fn keep(&mut self, session: Session, now: Timestamp) {
        let mut open = self.open.take().unwrap_or_else(|| self.new_session(now));
        open.session = session;
        self.numbered = self.numbered.max(open.number);
        self.open = Some(open);
    }

    /// Notes that the session is over.
    pub(super) fn close(&mut self) {
        self.closed = self.open.take().or_else(|| self.closed.take());
    }

    /// Returns the open session, or the one that ended last.
    pub(crate) fn exported(&self) -> Option<&Open> {
        self.open.as_ref().or(self.closed.as_ref())
    }

    /// Notes that the current task was begun: as a savepoint in the open session, or as a session of its own.
    pub(crate) fn enter(&mut self, now: Timestamp) {
        self.close_question();
        self.savepoints.push(self.open.as_ref().map(|open| open.session.clone()));
        if self.open.is_none() {
            self.open = Some(self.new_session(now));
            self.numbered += 1;
        }
    }

    /// Lets no commit answer the question: what it was asked for is over.
    pub(super) fn close_question(&mut self) {
        if let Some(question) = &mut self.question {
            question.is_open = false;
        }
    }

    /// Renders the open tasks and all of them; `None` if there has been none.
    pub(crate) fn task_text(&self) -> Option<String> {
        let tasks = &self.tasks;
        (!tasks.roots().is_empty()).then(|| format!("{}\n{}", tasks.render_stack(), tasks.render_tree()))
    }

    /// Returns the savepoint of the current task, if its changes stay pending when it ends.
    pub(super) fn savepoint(&self) -> Option<&Session> {
        self.savepoints.last().and_then(Option::as_ref)
    }

    /// Returns what each change does that the current task has staged, or the session, where there is none.
    pub(super) fn own_changes(&self) -> BTreeMap<Letter, &Intent> {
        let before = self.savepoint().map(letters).unwrap_or_default();
        let changes = self.open.iter().flat_map(|open| open.session.changes());
        let own = changes.filter(|change| !before.contains(&change.letter));
        own.map(|change| (change.letter, &change.intent)).collect()
    }

    /// Returns true if the current task has staged or taken out anything.
    pub(super) fn has_changed(&self) -> bool {
        self.savepoint().map(letters) != self.open.as_ref().map(|open| letters(&open.session))
    }

    /// Tells whether a session is open, and which.
    pub(crate) fn state(&self) -> Value {
        let state = if self.open.is_some() { "editing" } else { "idle" };
        json!({"state": state, "session_id": self.open.as_ref().map(Open::id)})
    }
}
