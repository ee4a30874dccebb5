//! The tools and their replies as the SDK has them, and how much of a document one reply holds.

use memdoc::{Dialect, DocName, Reply, Status, Toolbox, toolbox::ToolDefinition};
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, Tool};
use serde_json::{Value, json};

/// The longest text of a reply. What is read of a document is bounded by itself.
const LARGEST: usize = 256 << 10;

/// Describes a tool.
pub(super) fn tool(definition: &ToolDefinition) -> Result<Tool, ErrorData> {
    serde_json::from_value(definition.to_json(Dialect::Mcp))
        .map_err(|error| ErrorData::internal_error(format!("`{}` cannot be described: {error}", definition.name), None))
}

/// Reports what a call came to: JSON for hosts that read it, text for all others. A note stands at the end.
pub(super) fn result(reply: &Reply, note: Option<&str>) -> CallToolResult {
    let (mut text, mut members) = (reply.to_string(), reply.to_json());
    if let (Some(note), Value::Object(members)) = (note, &mut members) {
        text = format!("{}\n({note})", text.trim_end());
        members.insert("message".to_owned(), json!(note));
    }
    if text.len() > LARGEST {
        let note = format!("cut here: the reply has {} bytes; ask for less", text.len());
        text = format!("{}\n({note})", memdoc::text::excerpt(&text, LARGEST / 4));
        members =
            json!({"status": reply.status().as_str(), "code": reply.code().map(memdoc::Code::as_str), "message": note});
    }
    let content = vec![ContentBlock::text(text)];
    let mut result = match reply.status() {
        Status::Error => CallToolResult::error(content),
        _ => CallToolResult::success(content),
    };
    result.structured_content = Some(members);
    result
}

/// Reports that a call was not made.
pub(super) fn refusal(message: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(message)])
}

/// The most bytes of a document in one reply: all of one that a policy allows by default.
pub(super) const LARGEST_PAGE: usize = 64 << 10;

/// How a call is carried out.
pub(super) enum Reading {
    /// As it was made.
    Whole,
    /// With other arguments, which read a page, and a note that says where it ends.
    Part { arguments: Value, note: String },
    /// It is not, for a reason.
    Refused(String),
}

/// Looks whether a call reads more of a document than a reply holds, in which case it reads the first page.
pub(super) fn page(toolbox: &Toolbox, tool: &str, arguments: &Value) -> Reading {
    let member = |name: &str| arguments.get(name).and_then(Value::as_str);
    // An outline is short; what is written in it counts as found, not as shown.
    if tool != "memory_read" || member("view") == Some("outline") {
        return Reading::Whole;
    }
    let name: Option<DocName> = member("document").map_or_else(|| Some(DocName::memory()), |name| name.parse().ok());
    let doc = name.and_then(|name| toolbox.memory().read(&name).ok());
    let Some(doc) = doc.filter(|doc| doc.text().len() > LARGEST_PAGE) else { return Reading::Whole };
    // Reads it at another desk, so that nothing counts as shown.
    let mut other = Toolbox::new(toolbox.memory().clone());
    let reply = other.call(tool, arguments);
    let Some(text) = reply.get("text").and_then(Value::as_str).filter(|_| reply.status() == Status::Ok) else {
        return Reading::Whole;
    };
    if text.len() <= LARGEST_PAGE {
        return Reading::Whole;
    }
    let mut used = 0;
    let fits = |line: &&str| {
        used += line.len();
        used <= LARGEST_PAGE
    };
    let lines = text.split_inclusive('\n').take_while(fits).count();
    let Some(first) = first_line(&mut other, arguments) else { return Reading::Whole };
    if lines == 0 {
        let next = first + 1;
        return Reading::Refused(format!(
            "error too_large: line {first} is longer than a reply holds ({LARGEST_PAGE} bytes)\nhint: read on with `from` {next}"
        ));
    }
    let (last, count) = (first + lines - 1, doc.text().lines().count());
    let mut arguments = arguments.clone();
    if let Value::Object(members) = &mut arguments {
        members.insert("limit".to_owned(), json!(lines));
    }
    let note = format!("lines {first}-{last} of {count} are shown; read on with `from` {}", last + 1);
    Reading::Part { arguments, note }
}

/// Returns the number of the line that a call reads first.
fn first_line(toolbox: &mut Toolbox, arguments: &Value) -> Option<usize> {
    let mut arguments = arguments.clone();
    if let Value::Object(members) = &mut arguments {
        members.insert("view".to_owned(), json!("numbered"));
        members.insert("limit".to_owned(), json!(1));
    }
    let reply = toolbox.call("memory_read", &arguments);
    reply.get("text")?.as_str()?.split_once('|')?.0.trim().parse().ok()
}
