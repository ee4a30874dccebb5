//! The tools as the SDK has them: descriptions, schemas and hints from the toolbox's own definitions.

use memdoc::{Dialect, Reply, Status, toolbox::ToolDefinition};
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, Tool};

/// Describes a tool.
pub(crate) fn tool(definition: &ToolDefinition) -> Result<Tool, ErrorData> {
    serde_json::from_value(definition.to_json(Dialect::Mcp))
        .map_err(|error| ErrorData::internal_error(format!("`{}` cannot be described: {error}", definition.name), None))
}

/// Reports what a call came to: JSON for hosts that read it, text for all others.
pub(crate) fn result(reply: &Reply) -> CallToolResult {
    let content = vec![ContentBlock::text(reply.to_string())];
    let mut result = match reply.status() {
        Status::Error => CallToolResult::error(content),
        _ => CallToolResult::success(content),
    };
    result.structured_content = Some(reply.to_json());
    result
}
