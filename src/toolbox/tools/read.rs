//! `memory_read`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::arguments;
use super::super::definition::{Action, Effect, ToolDefinition};
use super::super::output::reply_of;
use super::super::reply::{Reply, Status};
use super::super::schema::input_of;
use super::super::{Toolbox, explain, phrase};
use super::edit::{document, parse};
use crate::document::TextView;
use crate::locate::section_by_name;
use crate::memory::MemoryError;
use crate::request::RequestError;
use crate::text::excerpt;

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "memory_read",
    title: "Read memory",
    effect: Effect::Read,
    description: "Reads your long-term memory, whole or one section, and returns its revision. Use it before the first edit, and \
        with view `keyed` for the keys of bullets. Example: {\"section\": \"Facts\", \"view\": \"keyed\"}",
    schema: input_of::<Arguments>,
    output: reply_of::<Answer>,
    synonyms: &[("format", "view"), ("mode", "view"), ("title", "section")],
    prepare: arguments::as_given,
    action: Action::Read(read),
    phrase: phrase::whole_section,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The document to read. Default: `memory`.
    document: Option<String>,
    /// The title or path (`Projects > Alpha`) of the section to read, with its subsections. Default: the whole document.
    section: Option<String>,
    /// How to show it: `text` as it is, `numbered` with line numbers, `keyed` with the keys of bullets. Default: `text`.
    #[schemars(extend("enum" = ["text", "numbered", "keyed"]))]
    view: Option<String>,
}

/// What a call adds to its reply.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "replies are built member by member; this is their schema")]
struct Answer {
    /// The name of the document.
    document: Option<String>,
    /// What was read.
    text: Option<String>,
}

fn read(toolbox: &mut Toolbox, tool: &ToolDefinition, arguments: &Value) -> Result<Reply, Reply> {
    let arguments: Arguments = parse(tool, arguments)?;
    let name = document(tool, arguments.document.as_deref())?;
    let doc = toolbox.memory.read(&name).map_err(|error| explain::memory_error(tool, &error))?;
    let mut span = doc.span();
    let mut healed = Vec::new();
    if let Some(section) = &arguments.section {
        let refused =
            |error| MemoryError::Request { document: name.clone(), error: RequestError::of(0, error), drift: None };
        let found = section_by_name(&doc, section).map_err(|error| explain::memory_error(tool, &refused(error)))?;
        span = found.at.extent;
        healed = found.healed;
    }
    let view = view(tool, arguments.view.as_deref())?;
    toolbox.sights.entry(name.clone()).or_default().show(&doc);
    let reply = Reply::new(Status::Ok)
        .with_revision(doc.revision())
        .with("document", name.as_str())
        .with("text", doc.render(span, view));
    let reply = match doc.text().is_empty() {
        true => reply.with("message", "the document is empty: nothing has been written to it yet"),
        false => reply,
    };
    Ok(healed.into_iter().fold(reply, Reply::with_healed))
}

fn view(tool: &ToolDefinition, name: Option<&str>) -> Result<TextView, Reply> {
    match name {
        None | Some("text") => Ok(TextView::Text),
        Some("numbered") => Ok(TextView::Numbered),
        Some("keyed") => Ok(TextView::Keyed),
        Some(other) => {
            let found = excerpt(other, 40);
            let message = format!("`view`: expected `text`, `numbered` or `keyed`, found `{found}`");
            Err(explain::invalid_value(tool, message))
        }
    }
}
