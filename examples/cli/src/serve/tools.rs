//! The tools as the SDK has them: descriptions, schemas and hints from the toolbox's own definitions.

use memdoc::{Dialect, Reply, Status, toolbox::ToolDefinition};
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
