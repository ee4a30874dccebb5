//! The tools as MCP has them: descriptions, hints and results, all from the toolbox's own definitions.

use std::sync::Arc;

use memdoc::{Effect, Reply, Status, ToolDefinition, Toolbox};
use rmcp::model::{CallToolResult, ContentBlock, Tool, ToolAnnotations};

use crate::schema;

/// Which tools are offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolSet {
    /// `memory_read`, `patch_memory` and `replace_in_memory`.
    Minimal,
    /// All that there are.
    #[default]
    All,
}

impl ToolSet {
    /// Returns the set of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "minimal" => Some(Self::Minimal),
            "all" => Some(Self::All),
            _ => None,
        }
    }

    /// Returns the definitions of the tools in it.
    pub fn definitions(self) -> impl Iterator<Item = &'static ToolDefinition> {
        Toolbox::definitions().iter().copied().filter(move |tool| self.has(tool.name))
    }

    fn has(self, name: &str) -> bool {
        self == Self::All || matches!(name, "memory_read" | "patch_memory" | "replace_in_memory")
    }
}

/// Describes a tool.
pub(crate) fn tool(definition: &'static ToolDefinition) -> Tool {
    Tool::new(definition.name, definition.description, Arc::new(schema::input(&definition.input_schema())))
        .with_raw_output_schema(Arc::new(schema::output()))
        .with_annotations(annotations(definition.effect()))
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

/// An edit may delete what stands there, and sent twice it may be made twice. No tool reaches beyond the memory.
fn annotations(effect: Effect) -> ToolAnnotations {
    let is_read = effect == Effect::Read;
    ToolAnnotations::new().read_only(is_read).destructive(!is_read).idempotent(is_read).open_world(false)
}
