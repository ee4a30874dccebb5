//! Notes by key: `write_memory`, `write_session_handoff`, `scratch_note`; and `search_memory`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::document::heading;
use crate::memory::{Applied, Memory, MemoryError, NoteMode, Origin, Unusable};
use crate::recall::SearchQuery;
use crate::text::{excerpt, visible};
use crate::toolbox::keywords::document_of;
use crate::toolbox::tools::check_members;
use crate::toolbox::tools::recall::{NOTHING_FOUND, checked_query};
use crate::toolbox::{Answer, Context, Refused, Reply, Status, Tool, apply, optional};

/// Writes a note, in any Markdown, under a key of your choice: in the place of what it said, or with
/// `mode` `append` behind it. Use it for what you want to keep across tasks and find by a name.
/// Example: {"key": "deploy-log", "content": "Tests were run", "mode": "append"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WriteMemory {
    /// The key of the note, one line.
    #[schemars(extend("aliases" = "name title note_key id label"))]
    key: String,
    /// What to write.
    #[schemars(extend("aliases" = "text value data note body message file_text"))]
    content: String,
    /// `replace` (default) what the note says, or `append` to it on a new line.
    #[schemars(with = "Option<String>", extend("enum" = ["replace", "append"], "aliases" = "action op operation", "words" = "overwrite=replace write=replace add=append"))]
    mode: Option<NoteMode>,
}

impl Tool for WriteMemory {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let is_path = self.key.starts_with('/') && document_of(&self.key).is_some();
        if is_path || heading(&self.key).is_some() {
            return Err(Refused::invalid("`key`: expected a key, without `#`s and without a path before it"));
        }
        let mode = self.mode.unwrap_or_default();
        write(cx, |memory, origin| memory.write_note(&self.key, &self.content, mode, origin))
    }
}

/// Writes a note, and returns the reply to that with the warnings of the activity log.
fn write(cx: &mut Context<'_>, write: impl Fn(&Memory, &Origin) -> Result<Vec<Applied>, MemoryError>) -> Answer {
    let origin = cx.desk.origin_of_keyed(cx.call.tool.name)?;
    apply::check_session(cx.desk, |memory| write(memory, &origin.trial()))?;
    let applied = write(cx.desk.memory(), &origin)?;
    cx.desk.update_known(&applied);
    let (note, log) = applied.split_at_checked(1).unwrap_or_default();
    let plans = log.iter().filter_map(|applied| applied.plan.as_ref());
    let warnings = plans.flat_map(|plan| plan.parts()).flat_map(|part| &part.warnings);
    // The key of a note may be any text: observers do not get it.
    Ok(warnings.fold(apply::applied_reply(note).with_receipt(None), Reply::with_warning))
}

/// Writes the note that whoever goes on in the next session reads first, in the place of the last
/// one. Use it before a session ends: what was done, what is open, what comes next.
/// Example: {"content": "Migration done; next: delete the old table"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WriteSessionHandoff {
    /// What to hand over.
    #[schemars(extend("aliases" = "text value data note notes body message handoff summary"))]
    content: String,
}

impl Tool for WriteSessionHandoff {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        write(cx, |memory, origin| memory.write_handoff(&self.content, origin))
    }
}

/// Writes, reads or clears your scratchpad. Use it for what only the current task needs, such as
/// steps and interim results; clear it when the task is done.
/// Example: {"mode": "append", "content": "Step 2: 41 rows left"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ScratchNote {
    /// `replace` what stands there, `append` to it on a new line, `clear` it, or `read` it.
    #[schemars(extend("enum" = ["replace", "append", "clear", "read"], "aliases" = "action op operation command", "words" = "overwrite=replace add=append view=read get=read reset=clear"))]
    mode: String,
    /// What to write, for `replace` and `append`.
    #[schemars(extend("aliases" = "text value note body message"))]
    content: Option<String>,
}

impl Tool for ScratchNote {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let takes = if matches!(&*self.mode, "read" | "clear") { "mode" } else { "mode content" };
        check_members(&cx.call.arguments, &self.mode, takes)?;
        match &*self.mode {
            "read" => {
                let text = cx.desk.memory().scratchpad()?;
                let message = text.is_empty().then_some("the scratchpad is empty");
                Ok(Reply::new(Status::Ok, ()).with_member("text", text).with_message(message))
            }
            "clear" => write(cx, Memory::clear_scratchpad),
            mode => {
                let content = self.content.unwrap_or_default();
                let mode = if mode == "append" { NoteMode::Append } else { NoteMode::Replace };
                write(cx, |memory, origin| memory.write_scratchpad(&content, mode, origin))
            }
        }
    }
}

/// How many results a call returns at most.
const MOST: i64 = 50;
/// How many unreadable documents are named.
const LISTED: usize = 5;

/// Finds notes, and bullets and prose of your documents, that share a word with the query, the best
/// first. The `key` of a bullet goes straight into an edit of its `document`; that of a note into
/// write_memory. Use it when you do not know where something stands.
/// Example: {"query": "advisor of the thesis"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SearchMemory {
    /// What to look for, in words.
    #[schemars(extend("aliases" = "q text question search keywords"))]
    query: String,
    /// How many results, 1 to 50. Default: 10.
    #[schemars(extend("aliases" = "max_results count n k top_k"))]
    limit: Option<i64>,
    /// `all` (default), `notes`, the name of a document, or `removed`: what once stood there.
    #[schemars(extend("aliases" = "where in document doc document_name"))]
    scope: Option<String>,
}

impl Tool for SearchMemory {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut query = SearchQuery::new(checked_query(&self.query)?);
        query.limit = self.limit.map_or(SearchQuery::LIMIT, |asked| cx.clamped(asked, 1..=MOST));
        let scope = self.scope.as_deref().filter(|scope| *scope != "all");
        if scope == Some("removed") {
            let found = cx.desk.recall.search_removed(&query)?;
            let message = found.is_empty().then_some("nothing that was removed shares a word with that");
            return Ok(Reply::new(Status::Ok, json!({ "results": found })).with_message(message));
        }
        query.document = optional("scope", scope)?;
        let found = cx.desk.recall.search(&query)?;
        for document in found.iter().map(|found| &found.document) {
            if cx.desk.known.latest(document).is_none() {
                let doc = cx.desk.memory().read(document)?;
                cx.desk.known.show_found(document, &doc);
            }
        }
        let message = if found.is_empty() { Some(nothing(cx.desk.memory())?) } else { None };
        Ok(Reply::new(Status::Ok, json!({ "results": found })).with_message(message.as_deref()))
    }
}

/// Returns the message that nothing was found. Names documents that cannot be read.
fn nothing(memory: &Memory) -> Result<String, MemoryError> {
    let named = |unusable: &Unusable| format!("`{}`", visible(&excerpt(unusable.file.trim_end_matches(".md"), 40)));
    let names: Vec<_> = memory.unusable()?.iter().take(LISTED).map(named).collect();
    let unread = if names.is_empty() { "" } else { "; not searched, as they cannot be read: " };
    Ok(format!("{NOTHING_FOUND}{unread}{}", names.join(", ")))
}
