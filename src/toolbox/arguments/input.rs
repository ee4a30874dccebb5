//! [`Input`]: what a tool takes.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde_json::Value;

use super::super::schema;
use super::{ArgumentError, Names, Synonyms};
use crate::locate::Rung;

/// Changes arguments before they are read by the schema, and says how.
pub(in super::super) type Prepare = fn(&mut Value, &Names) -> Result<Vec<Rung>, ArgumentError>;

/// What a tool takes: the schema of its arguments, and how else models write them.
pub(in super::super) struct Input {
    /// The name of the tool.
    pub(in super::super) name: &'static str,
    /// The JSON Schema of the arguments.
    pub(in super::super) schema: LazyLock<Value>,
    /// The names that models use for the arguments.
    pub(in super::super) names: Names,
    /// Brings other shapes that models use into that of the schema.
    pub(in super::super) prepare: Option<Prepare>,
}

impl Input {
    /// Describes the arguments of this type.
    pub(in super::super) const fn of<T: JsonSchema>(name: &'static str, synonyms: &'static [Synonyms]) -> Self {
        Self { name, schema: LazyLock::new(schema::input_of::<T>), names: Names::new(synonyms), prepare: None }
    }
}
