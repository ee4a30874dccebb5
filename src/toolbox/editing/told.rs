//! What the tools of sessions tell in common.

use super::state::Open;
use crate::document::MemoryDoc;
use crate::session::{ChangePlace, PendingChange, Session};
use crate::text::{Revision, excerpt};
use crate::toolbox::answer::{ChangeRow, InSession};
use crate::toolbox::definition::Call;
use crate::toolbox::desk::Desk;
use crate::toolbox::{Reply, Status};

/// What may be called while a session is open, each by the name of its tool and as it is told.
const ACTIONS: [(&str, &str); 5] = [
    ("memo_commit", "memo_commit(summary)"),
    ("memo_revert", "memo_revert(reason)"),
    ("memo_replace", "memo_replace(old_text, new_text, match_id?)"),
    ("memo_preview", "memo_preview(format?)"),
    ("memo_unstage", "memo_unstage(change_id)"),
];

/// Tells the state, what is pending, and what may be called next.
pub(crate) fn in_session(desk: &Desk, call: &Call<'_>) -> InSession {
    let actions = ACTIONS.iter().filter(|(tool, _)| call.offers(tool)).map(|(_, words)| *words);
    InSession {
        session: desk.editing.state(),
        pending_changes: desk.editing.open.as_ref().map(|open| rows(open, desk)),
        next_actions: desk.editing.open.as_ref().map(|_| actions.collect()),
    }
}

/// Replies with the state and what is pending, in `overview` as a model reads it.
pub(crate) fn reply(status: Status, desk: &Desk, call: &Call<'_>) -> Reply {
    let config = &desk.editing.config.editing;
    let overview = desk.editing.open.as_ref().map(|open| match config.auto_preview {
        true => open.session.render(&open.title(), config),
        false => open.session.listed(),
    });
    Reply::new(status, &in_session(desk, call))
        .with_member("overview", overview)
        .with_revision(desk.editing.open.as_ref().and_then(|open| edited(&open.session)))
}

/// Returns the revision that the changes of the document begin with which was edited last; without changes, of the first.
fn edited(session: &Session) -> Option<Revision> {
    let last = session.changes().last().and_then(|change| session.base(change.document()));
    last.or_else(|| session.documents().next().map(|(_, base)| base)).map(MemoryDoc::revision)
}

fn rows(open: &Open, desk: &Desk) -> Vec<ChangeRow> {
    let config = &desk.editing.config.editing;
    let mut previews = match config.auto_preview {
        true => open.session.previews(config.preview_max_length),
        false => Vec::new(),
    }
    .into_iter();
    let places = open.session.layout();
    let changes = open.session.changes().iter().zip(places);
    let row = |(change, place): (&PendingChange, ChangePlace)| ChangeRow {
        change_id: place.letter.to_string(),
        kind: change.intent().kind(),
        document: place.document.to_string(),
        section: place.section.as_deref().map(|path| excerpt(path, 80)),
        line: place.line,
        position: place.position,
        delta: place.delta(),
        preview: previews.next(),
    };
    changes.map(row).collect()
}
