//! `validate_memory`.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::arguments;
use super::super::definition::{Action, Effect, ToolDefinition};
use super::super::output::reply_of;
use super::super::repair::call_of;
use super::super::reply::{Reply, Status};
use super::super::schema::input_of;
use super::super::{Toolbox, explain, phrase};
use super::edit::{document, parse};
use crate::document::MemoryDoc;
use crate::memory::DocName;
use crate::request::{Known, Violation, validate};
use crate::text::excerpt;

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "validate_memory",
    title: "Check memory",
    effect: Effect::Read,
    description: "Lists what is wrong with your memory, each with its line: size, missing sections, duplicate IDs and bullets, \
        sections of one name, open code fences, malformed tags, TTLs without start, expired bullets, invisible characters, \
        look-alikes of reserved headings. A `fix` is a call that puts it right; make it only if you agree. Changes nothing \
        itself. Use it before a clean-up. Example: {}",
    schema: input_of::<Arguments>,
    output: reply_of::<Answer>,
    synonyms: &[],
    prepare: arguments::as_given,
    action: Action::Read(check),
    phrase: phrase::scope,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The document to check. Default: `memory`.
    document: Option<String>,
}

/// What a call adds to its reply.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "replies are built member by member; this is their schema")]
struct Answer {
    /// What is wrong, kind by kind, each in the order of the text.
    violations: Option<Vec<ViolationRow>>,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "replies are built member by member; this is their schema")]
struct ViolationRow {
    /// The kind of the violation.
    code: String,
    /// The line, from 1, if it has a place.
    line: Option<usize>,
    /// The path of its section.
    section: Option<String>,
    /// The key of its bullet.
    key: Option<String>,
    /// What is wrong.
    message: String,
    /// A call that puts it right.
    fix: Option<FixRow>,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "replies are built member by member; this is their schema")]
struct FixRow {
    /// The name of the tool.
    tool: String,
    /// Its arguments.
    #[schemars(with = "serde_json::Map<String, Value>")]
    arguments: Value,
}

/// How many violations a reply lists, unless there are more kinds than that.
const MAX_ROWS: usize = 100;

fn check(toolbox: &mut Toolbox, tool: &ToolDefinition, arguments: &Value) -> Result<Reply, Reply> {
    let arguments: Arguments = parse(tool, arguments)?;
    let name = document(tool, arguments.document.as_deref())?;
    let doc = toolbox.memory.read(&name).map_err(|error| explain::memory_error(tool, &error))?;
    let violations = validate(&doc, toolbox.memory.now());
    let listed = listed(&violations);
    let message = match (violations.len(), listed.len()) {
        (0, _) => "nothing is wrong".to_owned(),
        (1, _) => "1 violation".to_owned(),
        (count, rows) if rows < count => format!("{count} violations, of which {rows} are listed"),
        (count, _) => format!("{count} violations"),
    };
    let around = around(toolbox, &name, &doc);
    let rows: Vec<_> =
        listed.into_iter().map(|violation| violation_json(violation, toolbox.tools(), &around)).collect();
    let more = violations.len() - rows.len();
    let reply = Reply::new(Status::Ok).with_revision(doc.revision()).with("message", message).with("violations", rows);
    Ok(if more > 0 { reply.with("more", more) } else { reply })
}

/// Returns the violations that are listed: of each kind the first few, so many that a reply holds them.
fn listed(violations: &[Violation]) -> Vec<&Violation> {
    let first = |most: usize| {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut is_among_first = |violation: &&Violation| {
            let count = counts.entry(violation.kind.code()).or_default();
            *count += 1;
            *count <= most
        };
        violations.iter().filter(|violation| is_among_first(violation)).collect::<Vec<_>>()
    };
    let attempts = [usize::MAX, 20, 10].into_iter().map(first);
    attempts.into_iter().find(|listed| listed.len() <= MAX_ROWS).unwrap_or_else(|| first(5))
}

/// Returns the arguments that every fix needs: the document, and the revision where the agent has not been shown it.
fn around(toolbox: &Toolbox, name: &DocName, doc: &MemoryDoc) -> Vec<(&'static str, String)> {
    let mut around = Vec::new();
    if *name != DocName::memory() {
        around.push(("document", name.to_string()));
    }
    let latest = toolbox.known.latest(name).map(Known::revision);
    if doc.policy().strict || latest != Some(doc.revision()) {
        around.push(("base_revision", doc.revision().short()));
    }
    around
}

fn violation_json(violation: &Violation, tools: &[&ToolDefinition], around: &[(&str, String)]) -> Value {
    let mut row = json!({
        "code": violation.kind.code(),
        "line": violation.line,
        "section": violation.section.as_deref().map(|path| excerpt(path, 80)),
        "key": violation.key,
        "message": excerpt(&violation.kind.to_string(), 300),
    });
    let fix = violation.fix.as_ref().and_then(|fix| call_of(fix, around));
    let fix = fix.filter(|fix| tools.iter().any(|tool| tool.name == fix.tool));
    if let (Some(fix), Some(members)) = (fix, row.as_object_mut()) {
        members.insert("fix".to_owned(), json!({"tool": fix.tool, "arguments": fix.arguments}));
    }
    row
}
