//! `memo_read`, `memo_preview` and the exports; and the members that every reply of a session tool has.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::document::MemoryDoc;
use crate::memory::DocName;
use crate::session::{ChangePlace, PendingChange, PreviewMode};
use crate::text::{escaped, excerpt, printable};
use crate::toolbox::editing::base::carry;
use crate::toolbox::editing::state::{Open, no_session};
use crate::toolbox::keywords::is_of;
use crate::toolbox::tools::{part, undated};
use crate::toolbox::{Answer, Context, Desk, Reply, Status, Tool};

/// The tools that an open session suggests.
const ACTIONS: &str = "memo_commit memo_revert memo_replace memo_preview memo_unstage";

/// Reads the memory as the editing session would leave it, and lists what is pending.
/// Example: {"view": "numbered"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoRead {
    /// The title or path of the section to read. Default: the whole document.
    #[schemars(extend("aliases" = "title"))]
    section: Option<String>,
    /// How: `text` (default), `numbered` with line numbers, `keyed` with the keys of bullets.
    #[schemars(extend("enum" = ["text", "numbered", "keyed"], "aliases" = "format mode"))]
    view: Option<String>,
}

impl Tool for MemoRead {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let name = cx.document()?;
        let desk = &mut *cx.desk;
        carry(desk)?;
        let session = desk.editing.open.as_ref().map(|open| &open.session);
        let draft = session.and_then(|session| Some((session, session.draft(&name)?, session.base(&name)?.revision())));
        let doc = draft.map_or_else(|| desk.memory().read(&name), |(_, draft, _)| Ok(draft.clone()))?;
        let (part, healed) = part(&doc, &name, self.section.as_deref())?;
        match (draft, &self.section) {
            (Some((session, draft, _)), _) => desk.known.show_draft(&name, session, draft, part),
            (None, None) => desk.known.show(&name, &doc),
            (None, Some(_)) => desk.known.show_lines(&name, &doc, part),
        }
        let listed = session.map(|session| format!("pending changes:\n{}", session.listed()));
        let revision = draft.map_or_else(|| doc.revision(), |(.., base)| base);
        Ok(Reply::new(Status::Ok, cx.in_session())
            .with_member("text", doc.render(part, undated(self.view.as_deref())))
            .with_member("overview", listed)
            .with_revision(revision)
            .with_healed(&healed))
    }
}

/// Shows what is pending in the editing session. Use it before memo_commit.
/// Example: {"format": "diff"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoPreview {
    /// `compact` (default) with lines around each change, `full`, `stats` with counts only, `diff` as a unified diff.
    #[schemars(
        with = "Option<String>",
        extend("enum" = ["compact", "full", "stats", "diff"], "aliases" = "mode view", "words" = "unified=diff")
    )]
    format: Option<PreviewMode>,
}

impl Tool for MemoPreview {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        carry(cx.desk)?;
        let editing = &cx.desk.editing;
        let config = &editing.config.editing;
        let mode = self.format.unwrap_or(config.preview_mode);
        let Some(open) = &editing.open else { return Err(no_session(editing)) };
        let text = match mode {
            PreviewMode::Stats | PreviewMode::Diff => open.session.preview(mode, config),
            PreviewMode::Compact | PreviewMode::Full => open.session.render(&open.title(), mode, config),
        };
        Ok(cx.reply(Status::Preview).with_member("text", printable(&text)).with_member("overview", ()))
    }
}

/// Returns the full log of the editing session as JSON.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoExportSession {}

impl Tool for MemoExportSession {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let desk = &*cx.desk;
        let Some(open) = desk.editing.latest() else { return Err(no_session(&desk.editing)) };
        let base = |(name, doc): (&DocName, &MemoryDoc)| {
            let length = doc.text().chars().count();
            (name.to_string(), json!({"revision": doc.revision().to_string(), "length": length}))
        };
        let log = json!({
            "session_id": open.id(),
            "started_at": open.started_at,
            "base": open.session.documents().map(base).collect::<Map<_, _>>(),
            "changes": open.session.records(),
            "tasks": desk.editing.tasks.roots(),
            "calls": open.calls,
        });
        // Line ends inside strings are escaped already.
        let lines: Vec<_> = format!("{log:#}").split('\n').map(escaped).collect();
        Ok(Reply::new(Status::Ok, cx.in_session()).with_member("text", lines.join("\n")))
    }
}

/// Returns all that is pending as one unified diff, which `git apply` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoExportDiff {}

impl Tool for MemoExportDiff {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        carry(cx.desk)?;
        let desk = &*cx.desk;
        let Some(open) = desk.editing.latest() else { return Err(no_session(&desk.editing)) };
        let documents = desk.memory().documents()?;
        let diff = open.session.diff(|name| documents.contains(name));
        Ok(Reply::new(Status::Ok, cx.in_session()).with_member("text", diff))
    }
}

impl Context<'_> {
    /// Returns the state, the pending changes and the next actions.
    pub(super) fn in_session(&self) -> Value {
        let mut state = self.desk.editing.state();
        if let Some(open) = &self.desk.editing.open {
            let actions = self.call.offered.iter().filter(|tool| is_of(tool.name, ACTIONS)).map(|tool| tool.shape());
            state["pending_changes"] = rows(open, self.desk);
            state["next_actions"] = actions.collect();
        }
        state
    }

    /// Makes a reply with the state, the pending changes, and the tasks as text.
    pub(super) fn state(&self, status: Status) -> Reply {
        Reply::new(status, self.in_session()).with_member("text", self.desk.editing.task_text())
    }

    /// Makes a reply with the state, the pending changes, a preview as `overview`, and the first base.
    pub(super) fn reply(&self, status: Status) -> Reply {
        let (config, open) = (&self.desk.editing.config.editing, self.desk.editing.open.as_ref());
        let overview = open.map(|open| match config.auto_preview {
            true => open.session.render(&open.title(), config.preview_mode, config),
            false => open.session.listed(),
        });
        let base = open.and_then(|open| open.session.documents().next());
        Reply::new(status, self.in_session())
            .with_member("overview", overview)
            .with_revision(base.map(|(_, base)| base.revision()))
    }
}

/// Returns a row for each pending change. Lines count from 1 and positions from 0, in characters of the draft.
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
