//! `validate_memory` (SPEC § 13).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::arguments;
use super::super::definition::{Action, Effect, ToolDefinition};
use super::super::output::reply_of;
use super::super::reply::{Reply, Status};
use super::super::schema::input_of;
use super::super::{Toolbox, explain, phrase};
use super::edit::{document, parse};
use crate::request::{Violation, validate};
use crate::text::excerpt;

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "validate_memory",
    title: "Check memory",
    effect: Effect::Read,
    description: "Checks your memory and lists what is wrong with it, each with its line: size, missing sections, duplicate \
        IDs and bullets, sections of one name, unclosed code fences, malformed tags, invisible characters, look-alikes of \
        reserved headings. It changes nothing. Use it before a clean-up. Example: {}",
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
    /// What is wrong, in the order of the text.
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
}

fn check(toolbox: &mut Toolbox, tool: &ToolDefinition, arguments: &Value) -> Result<Reply, Reply> {
    let arguments: Arguments = parse(tool, arguments)?;
    let name = document(tool, arguments.document.as_deref())?;
    let doc = toolbox.memory.read(&name).map_err(|error| explain::memory_error(tool, &error))?;
    let violations = validate(&doc);
    let message = match violations.len() {
        0 => "nothing is wrong".to_owned(),
        1 => "1 violation".to_owned(),
        count => format!("{count} violations"),
    };
    Ok(Reply::new(Status::Ok)
        .with_revision(doc.revision())
        .with("message", message)
        .with("violations", violations.iter().map(violation_json).collect::<Vec<_>>()))
}

fn violation_json(violation: &Violation) -> Value {
    json!({
        "code": violation.kind.code(),
        "line": violation.line,
        "section": violation.section.as_deref().map(|path| excerpt(path, 80)),
        "key": violation.key,
        "message": excerpt(&violation.kind.to_string(), 300),
    })
}
