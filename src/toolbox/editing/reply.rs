//! What the tools of sessions reply with: the state, what is pending, what is over, and the log.

use serde_json::{Value, json};

use crate::document::MemoryDoc;
use crate::session::{ChangePlace, Finished, PendingChange, Session, TaskNode};
use crate::text::{Revision, excerpt};
use crate::toolbox::definition::Call;
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::Editing;
use crate::toolbox::editing::state::{Logged, Open};
use crate::toolbox::{Reply, Status};

/// What may be called while a session is open, each by the name of its tool and as it is shown.
const ACTIONS: [(&str, &str); 5] = [
    ("memo_commit", "memo_commit(summary)"),
    ("memo_revert", "memo_revert(reason)"),
    ("memo_replace", "memo_replace(old_text, new_text, match_id?)"),
    ("memo_preview", "memo_preview(format?)"),
    ("memo_unstage", "memo_unstage(change_id)"),
];

/// Tells the state, what is pending, and what may be called next.
pub(crate) fn in_session(desk: &Desk, call: &Call<'_>) -> Value {
    let mut state = desk.editing.state();
    if let Some(open) = &desk.editing.open {
        let actions = ACTIONS.iter().filter(|(tool, _)| call.offers(tool)).map(|(_, words)| *words);
        state["pending_changes"] = rows(open, desk);
        state["next_actions"] = actions.collect();
    }
    state
}

/// Replies with the state and what is pending, in `overview` as a model reads it.
pub(crate) fn reply(status: Status, desk: &Desk, call: &Call<'_>) -> Reply {
    let config = &desk.editing.config.editing;
    let overview = desk.editing.open.as_ref().map(|open| match config.auto_preview {
        true => open.session.render(&open.title(), config.preview_mode, config),
        false => open.session.listed(),
    });
    Reply::new(status, &in_session(desk, call))
        .with_member("overview", overview)
        .with_revision(desk.editing.open.as_ref().and_then(|open| edited(&open.session)))
}

/// Returns the revision that the changes of the document begin with which was edited last; without changes, of the first.
fn edited(session: &Session) -> Option<Revision> {
    let last = session.changes().last().and_then(|change| session.base(&change.document));
    last.or_else(|| session.documents().next().map(|(_, base)| base)).map(MemoryDoc::revision)
}

/// Tells what is pending, in the order of the letters, as it stands in the drafts: lines count from 1, positions in characters from 0.
fn rows(open: &Open, desk: &Desk) -> Value {
    let config = &desk.editing.config.editing;
    let previews = if config.auto_preview { open.session.previews(config.preview_max_length) } else { Vec::new() };
    let changes = open.session.changes().iter().zip(open.session.layout()).enumerate();
    let row = |(nth, (change, place)): (usize, (&PendingChange, ChangePlace))| {
        json!({
            "change_id": place.letter,
            "kind": change.intent.kind(),
            "document": place.document,
            "section": place.section.as_deref().map(|path| excerpt(path, 80)),
            "line": place.line,
            "position": place.position,
            "delta": place.delta(),
            "preview": previews.get(nth),
        })
    };
    changes.map(row).collect()
}

/// Returns the log of an open session as JSON.
pub(crate) fn exported(editing: &Editing, open: &Open) -> Value {
    let bases: Value = open
        .session
        .documents()
        .map(|(name, doc)| {
            let length = doc.text().chars().count();
            (name.to_string(), json!({"revision": doc.revision().to_string(), "length": length}))
        })
        .collect();
    let call = |call: &Logged| json!({"tool": call.tool, "arguments": call.arguments, "reply": call.reply.to_json()});
    json!({
        "session_id": open.id(),
        "started_at": open.started_at,
        "base": bases,
        "changes": open.session.records(),
        "calls_left_out": open.left_out,
        "tasks": editing.tasks.roots(),
        "calls": open.calls.iter().map(call).collect::<Vec<_>>(),
    })
}

/// Where in a chat the open session and the open tasks began.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    session: Option<(String, usize)>,
    tasks: Vec<usize>,
}

impl Marks {
    /// Notes what has begun with the call at index `at` of the chat; returns where that began which has ended with it.
    pub(crate) fn follow(&mut self, editing: &Editing, at: usize) -> Option<usize> {
        let mut ended = None;
        let depth = editing.tasks.depth();
        while self.tasks.len() > depth {
            ended = self.tasks.pop();
        }
        while self.tasks.len() < depth {
            self.tasks.push(at);
        }
        let open = editing.open.as_ref().map(|open| open.id());
        if let Some((_, began)) = self.session.take_if(|(id, _)| open.as_ref() != Some(id)) {
            ended = Some(ended.map_or(began, |task| task.min(began)));
        }
        if self.session.is_none() {
            self.session = open.map(|id| (id, at));
        }
        ended
    }
}

/// Describes what ends: the current task, the open session, or both.
pub(super) fn finished(editing: &Editing, how: &str, summary: &str) -> Finished {
    let task = editing.tasks.current().map(|task: &TaskNode| format!("task #{} ({}) {how}", task.task_id, &*task.goal));
    let is_inner = matches!(editing.savepoints.last(), Some(Some(_)));
    let session =
        editing.open.as_ref().filter(|_| !is_inner).map(|open| format!("editing session {} {how}", open.id()));
    let title: Vec<_> = task.into_iter().chain(session).collect();
    let mut finished = Finished::new(title.join("; "), summary);
    if let Some(open) = &editing.open {
        let letters = editing.own_changes();
        let listed = open.session.listed();
        let rows = listed.split('\n').zip(open.session.layout());
        let own = rows.filter(|(_, place)| letters.contains_key(&place.letter));
        let (changes, deltas): (_, Vec<_>) = own.map(|(line, place)| (line.into(), place.delta())).unzip();
        (finished.changes, finished.delta) = (changes, Some(deltas.iter().sum()));
    }
    finished
}
