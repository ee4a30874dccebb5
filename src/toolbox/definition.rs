//! What a tool is: one definition, from which its schema, its reading of arguments and its hints come.

use schemars::JsonSchema;
use serde_json::Value;

use super::arguments::{self, Arguments};
use super::reply::Reply;
use super::{Toolbox, explain};
use crate::locate::{Fix, Rung};

/// A tool that a model may call.
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name that it is called by.
    pub name: &'static str,
    /// When to use it, for the model.
    pub description: &'static str,
    /// What it does to the memory.
    pub effect: Effect,
    /// The JSON Schema of its arguments.
    pub(super) schema: fn() -> Value,
    /// Names of arguments that models use instead, each with the right one.
    pub(super) synonyms: &'static [(&'static str, &'static str)],
    /// Carries out a call whose arguments have the tool's names and types.
    pub(super) run: fn(&mut Toolbox, &Self, Value) -> Reply,
    /// Words a fix as arguments of the tool; `None` for one that it has no argument for.
    pub(super) phrase: fn(&Fix) -> Option<String>,
}

impl std::fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolDefinition").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a tool does to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// It reads.
    Read,
    /// It edits documents.
    Edit,
}

impl ToolDefinition {
    /// Returns the JSON Schema of the arguments.
    pub fn input_schema(&self) -> Value {
        (self.schema)()
    }

    /// Returns the shape of a call, for a model that got it wrong: names, types, and which may be left out.
    pub fn shape(&self) -> String {
        arguments::shape(self.name, &self.input_schema())
    }

    pub(super) fn call(&self, toolbox: &mut Toolbox, arguments: &Value) -> Reply {
        match arguments::read(self, arguments) {
            Ok(Arguments { value, is_healed }) => {
                let reply = (self.run)(toolbox, self, value);
                if is_healed { reply.with_healed(Rung::Arguments) } else { reply }
            }
            Err(error) => explain::invalid_arguments(self, &error),
        }
    }
}

/// Returns the JSON Schema of an argument type.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    schemars::schema_for!(T).to_value()
}
