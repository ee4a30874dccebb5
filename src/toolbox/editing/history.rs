//! What is over, as it is told in the host's chat, and where in the chat it began.

use super::Editing;
use crate::session::{Finished, Session, TaskNode};

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
        let rows = listed(&open.session).into_iter().zip(open.session.layout());
        let own = rows.filter(|(_, place)| letters.contains_key(&place.letter));
        let (changes, deltas): (_, Vec<_>) = own.map(|(line, place)| (line, place.delta())).unzip();
        (finished.changes, finished.delta) = (changes, Some(deltas.iter().sum()));
    }
    finished
}

/// Adds what is still open: the tasks, and what is pending.
pub(super) fn with_rest(mut finished: Finished, editing: &Editing) -> Finished {
    let pending = editing.open.as_ref().map(|open| format!("pending changes:\n{}", open.session.listed()));
    let tasks = editing.tasks.current().map(|_| editing.tasks.render_stack());
    let rest: Vec<_> = tasks.into_iter().chain(pending).collect();
    finished.still_open = Some(rest.join("\n")).filter(|rest| !rest.is_empty());
    finished
}

fn listed(session: &Session) -> Vec<String> {
    session.listed().split('\n').filter(|line| line.starts_with('[')).map(str::to_owned).collect()
}
