//! Anthropic's tools.

use serde_json::{Value, json};

use super::super::definition::ToolDefinition;

pub(super) fn tool(tool: &ToolDefinition) -> Value {
    json!({"name": tool.name, "description": tool.description, "input_schema": tool.input_schema()})
}
