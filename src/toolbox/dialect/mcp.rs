//! Tools of the Model Context Protocol.

use serde_json::{Value, json};

use crate::toolbox::ToolDefinition;

/// Returns the one schema that all tools have in common for their replies: a listing stays short.
fn result() -> Value {
    json!({"type": "object", "properties": {"status": {"type": "string"}}, "required": ["status"]})
}

pub(super) fn tool(tool: &ToolDefinition) -> Value {
    let effect = tool.effect;
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description(),
        "inputSchema": tool.input_schema(),
        "outputSchema": result(),
        "annotations": {
            "readOnlyHint": effect.is_read_only(),
            "destructiveHint": effect.is_destructive(),
            "idempotentHint": effect.is_idempotent(),
            // No tool reaches beyond the memory.
            "openWorldHint": false,
        },
    })
}
