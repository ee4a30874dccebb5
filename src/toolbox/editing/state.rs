//! [`Editing`]: the open session of an agent, its tasks, and the question that it was asked last. A session edits
//! the texts that the agent has been shown last: it is carried over when a newer one is shown.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::document::{MemoryDoc, OnStale};
use crate::locate::Code;
use crate::memory::{DocName, MemoryError};
use crate::request::Known;
use crate::session::{
    Candidates, Finished, Intent, Letter, Session, SessionConfig, SessionError, TaskError, TaskNode, TaskStatus,
    TaskTree,
};
use crate::text::{RevisionPrefix, Timestamp, is_blank};
use crate::toolbox::apply::{known, missing_revision, stale};
use crate::toolbox::{Answer, Context, Desk, Refused, Reply, Status, Tool, failure, memory_error};

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
    /// What the call has ended, and the index of the message with which that began.
    pub(crate) finished: Option<(Option<usize>, Finished)>,
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
    /// How many earlier calls the log has dropped.
    pub(super) left_out: usize,
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

fn letters(session: &Session) -> Vec<Letter> {
    session.changes().iter().map(|change| change.letter).collect()
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
            self.left_out += 1;
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
        let before = self.savepoint().map(letters).unwrap_or_default();
        let changes = self.open.iter().flat_map(|open| open.session.changes());
        let own = changes.filter(|change| !before.contains(&change.letter));
        let mut own: Vec<_> = own.map(|change| (change.letter, &change.intent)).collect();
        // A change of several documents has one letter.
        own.dedup_by_key(|(letter, _)| *letter);
        own
    }

    /// Returns true if the current task has staged or unstaged a change.
    pub(super) fn has_changed(&self) -> bool {
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

/// Carries the open session over to the texts that the agent was shown last. Returns true if one of them is new.
pub(crate) fn carry(desk: &mut Desk) -> Result<bool, Box<Refused>> {
    let Some(open) = desk.editing.open.as_mut() else { return Ok(false) };
    let (mut session, mut is_carried) = (open.session.clone(), false);
    for (name, base) in open.session.documents() {
        let seen = desk.known.latest(name).map(Known::believed);
        if let Some(seen) = seen.filter(|seen| seen.revision() != base.revision()) {
            session.carry_to(name, seen).map_err(|error| refused(&open.session, &error))?;
            is_carried = true;
        }
    }
    open.session = session;
    Ok(is_carried)
}

/// Returns a copy of the open session on the texts that the agent was shown last, or a new session.
pub(super) fn current_session(desk: &mut Desk) -> Result<Session, Box<Refused>> {
    carry(desk)?;
    Ok(desk.editing.session())
}

/// Opens a document in a session: the text that the agent was shown last, or whose revision the call names.
pub(super) fn open(
    desk: &mut Desk,
    session: &mut Session,
    document: &DocName,
    base: Option<&RevisionPrefix>,
) -> Result<(), Box<Refused>> {
    if session.base(document).is_none() {
        let known = known(desk, document, base)?;
        let current = current(desk, document)?;
        let is_named = base.is_some_and(|base| base.matches(&current.revision()));
        if known.is_none() && (is_named || desk.memory().unwritten(document)?.is_some()) {
            desk.known.show(document, &current);
        }
        check_begun_on(desk, document)?;
        let latest = desk.known.latest(document).cloned();
        session.open(document.clone(), latest.ok_or_else(|| missing_revision(desk, document, base))?);
    }
    check_base(session, document, base)
}

/// Refuses a call whose base is not that of the session.
pub(super) fn check_base(
    session: &Session,
    document: &DocName,
    base: Option<&RevisionPrefix>,
) -> Result<(), Box<Refused>> {
    match base.zip(session.base(document).map(MemoryDoc::revision)) {
        Some((prefix, own)) if !prefix.matches(&own) => {
            let own = own.short();
            let why = format!(
                "the call is based on revision `{prefix}` of `{document}`, and the session goes on from `{own}`"
            );
            Err(Refused::new(Code::StaleRevision, &why))
        }
        _ => Ok(()),
    }
}

/// Refuses to begin with a stale text, unless the policy allows rebasing.
pub(crate) fn check_begun_on(desk: &mut Desk, document: &DocName) -> Result<(), Box<Refused>> {
    let Some(known) = desk.known.latest(document).cloned() else { return Ok(()) };
    let current = current(desk, document)?;
    if known.believed().revision() == current.revision() || current.policy().on_stale == OnStale::Rebase {
        return Ok(());
    }
    Err(stale(desk, document, &known, current))
}

/// Returns the current document; an empty one if it may be created.
fn current(desk: &Desk, document: &DocName) -> Result<MemoryDoc, Box<Refused>> {
    let unwritten = desk.memory().unwritten(document)?;
    Ok(unwritten.map_or_else(|| desk.memory().read(document), Ok)?)
}

/// Refuses a call that needs an open session, or names another one.
pub(crate) fn no_session(editing: &Editing) -> Box<Refused> {
    let why = match &editing.open {
        Some(open) => format!("the open session is `{}`", open.id()),
        None => "no editing session is open".to_owned(),
    };
    Refused::new(Code::NoSession, &why)
}

impl From<SessionError> for Box<Refused> {
    fn from(error: SessionError) -> Self {
        match &error {
            SessionError::Refused(error) => memory_error(error),
            SessionError::BuiltOn { by, .. } => {
                let why = format!("{error}: take change {by} out first, with memo_unstage");
                naming(&why, &[*by])
            }
            _ => Refused::new(error.code(), &error.to_string()),
        }
    }
}

/// Refuses to carry a session over. Names the changes in conflict by their letters.
pub(crate) fn refused(session: &Session, error: &MemoryError) -> Box<Refused> {
    let letters = session.conflicts(error);
    if letters.is_empty() || error.code() != Code::Conflict {
        return memory_error(error);
    }
    let named: Vec<_> = letters.iter().map(|letter| format!("change {letter}")).collect();
    let why = format!(
        "{} and another edit touch the same lines, or what they stand below; the session is still open: take out with memo_unstage \
         what is in conflict, or drop all with memo_revert",
        named.join(", ")
    );
    naming(&why, &letters)
}

/// Refuses because of changes in conflict.
fn naming(why: &str, letters: &[Letter]) -> Box<Refused> {
    let row = |letter: &Letter| failure(letter, Code::Conflict, &format!("change {letter} is in conflict"));
    Refused::new(Code::Conflict, why).with("failures", letters.iter().map(row).collect::<Vec<_>>())
}

impl From<TaskError> for Box<Refused> {
    fn from(error: TaskError) -> Self {
        Refused::new(error.code(), &error.to_string())
    }
}

/// How many root tasks a reply has at most, the latest ones.
const MOST_TASKS: usize = 8;

/// Begins a task, inside the current one if there is one; memo_commit completes it, memo_revert
/// drops what it did.
/// Example: {"goal": "check the versions"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoBeginTask {
    /// What is to be done.
    #[schemars(extend("aliases" = "task title name"))]
    goal: String,
    /// The current task, of which this is a part.
    #[schemars(extend("aliases" = "parent parent_id"))]
    parent_task_id: Option<String>,
    /// True to note it for later, without beginning it.
    #[schemars(extend("aliases" = "plan_only"))]
    planned: Option<bool>,
}

impl Tool for MemoBeginTask {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        if is_blank(&self.goal) {
            return Err(Refused::invalid("`goal`: expected what is to be done, found nothing"));
        }
        let (desk, is_planned) = (&mut *cx.desk, self.planned == Some(true));
        if desk.editing.open.is_none() && !is_planned {
            check_begun_on(desk, &DocName::memory())?;
        }
        let (now, parent) = (desk.memory().now(), self.parent_task_id.as_deref());
        let editing = &mut desk.editing;
        let limit = editing.config.tasks.max_stack_depth;
        let (id, message) = match is_planned {
            true => (editing.tasks.plan(&self.goal, parent), "the task is planned"),
            false => (editing.tasks.begin(&self.goal, parent, limit, now), "the task is begun"),
        };
        let task_id = id?.to_string();
        if !is_planned {
            editing.enter(now);
        }
        let roots = editing.tasks.roots();
        let tasks: Vec<_> = roots.iter().skip(roots.len().saturating_sub(MOST_TASKS)).cloned().collect();
        let reply = cx.state(Status::Ok).with_message(message);
        Ok(reply.with_member("task_id", task_id).with_member("tasks", json!(tasks)))
    }
}
