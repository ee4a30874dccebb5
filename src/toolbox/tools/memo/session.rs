//! `memo_read`, `memo_preview`, `memo_commit`, `memo_commit_auto`, `memo_revert`, `memo_begin_task` and the exports: a session as a
//! whole.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::memory::DocName;
use crate::session::PreviewMode;
use crate::text::{escaped, is_blank, printable};
use crate::toolbox::context::Context;
use crate::toolbox::definition::{Answer, Tool};
use crate::toolbox::editing::{
    Committing, carry, check_begun_on, commit, commit_auto, exported, in_session, no_session, reply, revert, task_error,
};
use crate::toolbox::refused::Refused;
use crate::toolbox::retry::{Field, Fields};
use crate::toolbox::tools::read::{View, part};
use crate::toolbox::{Reply, Status};

/// Reads the memory with what is pending in the editing session made, and lists that.
/// Example: {"view": "numbered"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoRead {
    /// The title or path of the section to read. Default: the whole document.
    #[schemars(extend("aliases" = "title"))]
    section: Option<String>,
    /// How: `text` (default), `numbered` with line numbers, `keyed` with the keys of bullets.
    #[schemars(with = "Option<String>", extend("enum" = ["text", "numbered", "keyed"], "aliases" = "format mode"))]
    view: Option<View>,
}

impl Tool for MemoRead {
    const FIELDS: Fields = &[(Field::Section, "/section")];

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
        Ok(Reply::new(Status::Ok, &in_session(desk, cx.call))
            .with_member("text", doc.render(part, self.view.unwrap_or_default().undated()))
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
        extend("enum" = ["compact", "full", "stats", "diff"], "aliases" = "mode view")
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
        Ok(reply(Status::Preview, cx.desk, cx.call).with_member("text", printable(&text)).with_member("overview", ()))
    }
}

/// Writes all that is pending in the editing session as one change, and ends the current task. In a
/// task inside a session its changes stay pending there.
/// Example: {"summary": "all timeouts are 60 s now"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoCommit {
    /// What was done, for people. Default: made from the changes.
    #[schemars(extend("aliases" = "message commit_message reason description"))]
    summary: Option<String>,
    /// Whether the current task ends. Default: true.
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
        let ends_task = self.auto_pop_task.unwrap_or(cx.desk.editing.config.tasks.auto_pop_on_commit);
        let committing = Committing { summary: self.summary, ends_task, session_id: self.session_id, base: cx.base()? };
        commit(cx.desk, cx.call, &committing)
    }
}

/// Commits the editing session with a summary made from its changes; of candidates shown last, the
/// recommended one is taken. Use it for a single simple edit.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoCommitAuto {}

impl Tool for MemoCommitAuto {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        commit_auto(cx.desk, cx.call)
    }
}

/// Drops what is pending: of the current task, or of the whole session where no task is inside it.
/// Nothing is written.
/// Example: {"reason": "wrong section"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoRevert {
    /// Why.
    #[schemars(extend("aliases" = "why message summary"))]
    reason: String,
}

impl Tool for MemoRevert {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        revert(cx.desk, cx.call, &self.reason)
    }
}

/// How many tasks that are below no other are told, the latest.
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
        let task_id = id.map_err(|error| task_error(&error))?.to_string();
        if !is_planned {
            editing.enter(now);
        }
        let roots = editing.tasks.roots();
        let tasks: Vec<_> = roots.iter().skip(roots.len().saturating_sub(MOST_TASKS)).cloned().collect();
        Ok(Reply::new(Status::Ok, &in_session(desk, cx.call))
            .with_member("task_id", task_id)
            .with_member("tasks", tasks)
            .with_member("text", desk.editing.task_text())
            .with_message(message))
    }
}

/// Returns the full log of the editing session as JSON.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoExportSession {}

impl Tool for MemoExportSession {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let desk = &*cx.desk;
        let Some(open) = desk.editing.exported() else { return Err(no_session(&desk.editing)) };
        let log = exported(&desk.editing, open);
        // In JSON, what stands in a string begins no line.
        let lines: Vec<_> = format!("{log:#}").split('\n').map(escaped).collect();
        Ok(Reply::new(Status::Ok, &in_session(desk, cx.call)).with_member("text", lines.join("\n")))
    }
}

/// Returns all that is pending as one unified diff, which `git apply` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoExportDiff {}

impl Tool for MemoExportDiff {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        carry(cx.desk)?;
        let desk = &*cx.desk;
        let Some(open) = desk.editing.exported() else { return Err(no_session(&desk.editing)) };
        let documents = desk.memory().documents()?;
        let diff = open.session.diff(|name| documents.contains(name));
        Ok(Reply::new(Status::Ok, &in_session(desk, cx.call)).with_member("text", diff))
    }
}
