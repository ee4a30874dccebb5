//! Anthropic's tools.

use serde_json::{Value, json};

use super::super::ToolDefinition;
use super::shared::shared;

pub(super) fn tool(tool: &ToolDefinition) -> Value {
    json!({"name": tool.name, "description": tool.description, "input_schema": shared(tool.input_schema().clone())})
}
