//! Anthropic's tools.

use serde_json::{Value, json};

use super::shared::shared;
use crate::toolbox::ToolDefinition;

pub(super) fn tool(tool: &ToolDefinition) -> Value {
    if let Some(kind) = tool.anthropic {
        return json!({"type": kind, "name": tool.name});
    }
    json!({"name": tool.name, "description": tool.description(), "input_schema": shared(tool.input_schema().clone())})
}
