//! The dialects in which hosts are told of tools: one definition, adapted to each.

mod anthropic;
mod mcp;
mod openai;
mod shared;

use serde_json::Value;
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::definition::ToolDefinition;
use crate::text::Unreadable;

/// How a host wants to be told of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase", parse_err_ty = Unreadable, parse_err_fn = unknown)]
#[non_exhaustive]
pub enum Dialect {
    /// A strict function of OpenAI's Responses API, whose members stand beside `type`. For Chat Completions, put all but
    /// `type` into a member `function`.
    ///
    /// What may be left out is required and may be null. What strict schemas cannot say is said in another way, which the
    /// toolbox reads as well: a map as a list of objects with `name` and `value`, an object of any members as a string of
    /// JSON. Limits such as the least count are told in descriptions only.
    OpenAi,
    /// A tool of Anthropic's Messages API: `name`, `description`, `input_schema`; of one that its models know, `type` and `name`.
    Anthropic,
    /// A tool of the Model Context Protocol, with the schema of its results and all four hints.
    Mcp,
}

impl Dialect {
    /// All dialects.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Returns the name that it is asked for by.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Says what was expected of a name that is none.
fn unknown(name: &str) -> Unreadable {
    Unreadable::new("the dialect `openai`, `anthropic` or `mcp`", name)
}

impl ToolDefinition {
    /// Describes the tool to a host, ready to be sent.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{Dialect, ToolSet};
    ///
    /// let tools: Vec<_> = ToolSet::Minimal.tools().iter().map(|tool| tool.to_json(Dialect::Anthropic)).collect();
    /// assert_eq!(tools[0]["name"], "memory_read");
    /// assert_eq!(tools[0]["input_schema"]["type"], "object");
    /// ```
    pub fn to_json(&self, dialect: Dialect) -> Value {
        match dialect {
            Dialect::OpenAi => openai::function(self),
            Dialect::Anthropic => anthropic::tool(self),
            Dialect::Mcp => mcp::tool(self),
        }
    }
}
