//! `memory_read`, `validate_memory` and `diff_preview`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::document::{MemoryDoc, TextView};
use crate::edit::PreviewFormat;
use crate::locate::{Leniency, Names, NodeKind};
use crate::memory::{DocName, MemoryError, Unusable};
use crate::request::{Violation, plural, validate};
use crate::text::{Span, excerpt, visible};
use crate::toolbox::definition::Kind;
use crate::toolbox::retry::trial;
use crate::toolbox::{Answer, Context, Mode, Refused, Reply, Status, Tool, ToolCall, ToolDefinition, refusal};

/// Reads your long-term memory, whole or in part, and returns its revision. Use it before the first
/// edit, and with view `keyed` for the keys of bullets.
/// Example: {"section": "Facts", "view": "keyed"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryRead {
    /// The section to read, by title or path (`A > B`). Default: the whole document.
    #[schemars(extend("aliases" = "title"))]
    section: Option<String>,
    /// `text` (default), `numbered`, `keyed`: keys of bullets, `dated`: the day of their last change, `outline`: the headings.
    #[schemars(extend("enum" = ["text", "numbered", "keyed", "dated", "outline"], "aliases" = "format mode", "words" = "line_numbers=numbered keys=keyed"))]
    view: Option<String>,
    /// The first line to read.
    #[schemars(extend("aliases" = "start_line offset"))]
    from: Option<usize>,
    /// How many lines.
    limit: Option<usize>,
}

/// Returns the view of this name; `dated` needs the journal and is not among them.
pub(crate) fn undated(view: Option<&str>) -> TextView<'static> {
    match view {
        Some("numbered") => TextView::Numbered,
        Some("keyed") => TextView::Keyed,
        Some("outline") => TextView::Outline,
        _ => TextView::Text,
    }
}

impl Tool for MemoryRead {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let name = cx.document()?;
        let doc = cx.desk.memory().read(&name)?;
        let (part, healed) = part(&doc, &name, self.section.as_deref())?;
        let part = doc.lines_from(part, self.from.unwrap_or(1), self.limit.unwrap_or(usize::MAX));
        let view = self.view.as_deref();
        let text = match view {
            Some("dated") => {
                let writers = cx.desk.memory().blame_all(&name, &doc, None)?;
                let times: Vec<_> = writers.into_iter().map(|entry| entry.map(|entry| entry.time())).collect();
                doc.render(part, TextView::Dated(&times))
            }
            view => doc.render(part, undated(view)),
        };
        let known = &mut cx.desk.known;
        match view {
            Some("outline") => known.show_found(&name, &doc),
            _ if self.section.is_none() && part == doc.span() => known.show(&name, &doc),
            _ => known.show_lines(&name, &doc, part),
        }
        let policy = doc.policy();
        let bytes = json!({"used": doc.text().len(), "limit": policy.max_bytes});
        let tokens = json!({"used": doc.tokens(), "limit": policy.max_tokens});
        let message = match doc.text().is_empty() {
            true => Some("the document is empty: nothing has been written to it yet"),
            false if part.is_empty() => Some("no line of the document, or of the section, stands there"),
            false => None,
        };
        Ok(Reply::new(Status::Ok, json!({"document": name, "text": text, "bytes": bytes, "tokens": tokens}))
            .with_revision(doc.revision())
            .with_healed(&healed)
            .with_message(message))
    }
}

/// Returns the section of this name, or the whole document, and what was healed.
pub(crate) fn part(
    doc: &MemoryDoc,
    document: &DocName,
    section: Option<&str>,
) -> Result<(Span, Vec<Leniency>), Box<Refused>> {
    let found = section.map(|section| Names::new(doc).scope(NodeKind::Section, section, doc.span())).transpose();
    let found = found.map_err(|error| MemoryError::of(document.clone(), error))?;
    Ok(found.map_or((doc.span(), Vec::new()), |found| (found.at.span(doc), found.healed)))
}

/// How many violations, and how many unusable files, are listed.
const MAX_ROWS: usize = 50;

/// Lists what is wrong with your memory: size, missing sections, duplicates, open code fences,
/// malformed tags, expired bullets, invisible characters, look-alikes. A `retry` is a call that
/// mends it; make it only if you agree. Use it before a clean-up.
/// Example: {}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ValidateMemory {}

impl Tool for ValidateMemory {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let name = cx.document()?;
        let doc = cx.desk.memory().read(&name)?;
        let all = validate(&doc, cx.desk.memory().now());
        let unusable = if cx.call.arguments["document"].is_null() { cx.desk.memory().unusable()? } else { Vec::new() };
        let count = all.len() + unusable.len();
        let message = if count == 0 { "nothing is wrong".to_owned() } else { plural(count, "violation") };
        let more = Some(all.len().saturating_sub(MAX_ROWS)).filter(|more| *more > 0);
        let shown = all.iter().take(MAX_ROWS);
        let rows = shown.map(|violation| row(violation, repair(violation, &name, &doc, cx)));
        let violations: Vec<_> = rows.chain(unusable.iter().take(MAX_ROWS).map(unusable_file)).collect();
        Ok(Reply::new(Status::Ok, json!({"violations": violations, "more": more, "tokens": doc.tokens()}))
            .with_revision(doc.revision())
            .with_message(message.as_str()))
    }
}

/// Returns the row of a file that is no document, although it looks like one. Only a person can mend it.
fn unusable_file(unusable: &Unusable) -> Value {
    let message = format!("the file `{}` is not read: {}", visible(&excerpt(&unusable.file, 80)), unusable.why);
    json!({"code": "unusable_file", "message": message})
}

fn row(violation: &Violation, retry: Option<ToolCall>) -> Value {
    json!({
        "code": violation.kind.code(),
        "line": violation.line,
        "section": violation.section.as_deref().map(|path| excerpt(path, 80)),
        "key": violation.key,
        "message": excerpt(&violation.kind.to_string(), 300),
        "retry": retry,
    })
}

/// Returns the call that deletes the bullet of a violation, if that repairs it and would succeed. If the text was shown, it
/// names no revision, so that several repairs can follow each other. If the key has a number, it needs the revision.
fn repair(violation: &Violation, name: &DocName, doc: &MemoryDoc, cx: &Context<'_>) -> Option<ToolCall> {
    let key = violation.key.as_ref().filter(|_| violation.may_go)?;
    let known = cx.desk.known.latest(name).filter(|_| !doc.policy().strict);
    let is_shown = known.is_some_and(|known| known.believed().revision() == doc.revision());
    let mut arguments = json!({"edits": [{"op": "delete", "target": {"key": key}}]});
    if *name != DocName::memory() {
        arguments["document"] = name.as_str().into();
    }
    if !is_shown || key.contains('#') {
        arguments["base_revision"] = doc.revision().short().into();
    }
    let call = ToolCall { tool: "edit_items", arguments };
    trial(cx.desk, cx.call.offered, &call).map(|_| call)
}

/// Shows as a unified diff what a call of an editing tool would change, without making it. Use it
/// where you are not sure.
/// Example: {"tool": "replace_in_memory", "arguments": {"old_string": "Denver", "new_string":
/// "Austin"}}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DiffPreview {
    /// The name of the editing tool.
    #[schemars(extend("aliases" = "tool_name name"))]
    tool: String,
    /// The arguments of that tool.
    #[schemars(with = "serde_json::Map<String, Value>", extend("aliases" = "args input parameters"))]
    #[serde(rename = "arguments")]
    _arguments: Value,
    /// `compact` (default; three lines around each change), `full` (the whole document) or `stats` (counts).
    #[schemars(with = "Option<String>", extend("enum" = ["compact", "full", "stats"], "aliases" = "mode"))]
    format: Option<PreviewFormat>,
}

impl Tool for DiffPreview {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let editor = editor(cx.call.offered, &self.tool)?;
        cx.within(editor, "arguments", Mode::Preview(self.format.unwrap_or_default()))
    }
}

/// Returns the editing tool of this name.
pub(crate) fn editor(tools: &[&'static ToolDefinition], name: &str) -> Result<&'static ToolDefinition, Box<Refused>> {
    let editors: Vec<_> = tools.iter().copied().filter(|tool| tool.kind == Kind::Editor).collect();
    let editor = editors.iter().copied().find(|tool| tool.name == name);
    editor.ok_or_else(|| refusal::unknown_tool("editing tool", name, &editors))
}
