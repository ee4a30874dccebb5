//! [`Input`]: what a tool takes.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde_json::Value;

use super::{ArgumentError, Names, Synonyms};
use crate::locate::Leniency;
use crate::toolbox::schema;

/// Changes arguments before they are read by the schema, and says how.
pub(crate) type Prepare = fn(&mut Value, &Names) -> Result<Vec<Leniency>, ArgumentError>;

/// What a tool takes: the schema of its arguments, and how else models write them.
pub(crate) struct Input {
    /// The name of the tool.
    pub(crate) name: &'static str,
    /// The JSON Schema of the arguments.
    pub(crate) schema: LazyLock<Value>,
    /// The names that models use for the arguments.
    pub(crate) names: Names,
    /// Brings other shapes that models use into that of the schema.
    pub(crate) prepare: Option<Prepare>,
}

impl Input {
    /// Describes the arguments of this type.
    pub(crate) const fn of<T: JsonSchema>(name: &'static str, synonyms: &'static [Synonyms]) -> Self {
        Self { name, schema: LazyLock::new(schema::input_of::<T>), names: Names::new(synonyms), prepare: None }
    }
}
