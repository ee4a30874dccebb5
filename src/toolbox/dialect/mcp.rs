//! Tools of the Model Context Protocol.

use serde_json::{Value, json};

use super::super::ToolDefinition;

pub(super) fn tool(tool: &ToolDefinition) -> Value {
    let effect = tool.effect;
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema(),
        "outputSchema": tool.output_schema(),
        "annotations": {
            "readOnlyHint": effect.is_read_only(),
            "destructiveHint": effect.is_destructive(),
            "idempotentHint": effect.is_idempotent(),
            // No tool reaches beyond the memory.
            "openWorldHint": false,
        },
    })
}
