//! [`Input`]: what a tool takes, as the schema by which its arguments are read and the one that hosts are shown.

use std::sync::OnceLock;

use schemars::JsonSchema;
use serde_json::Value;

use crate::toolbox::definition::Kind;
use crate::toolbox::schema::{self, Make};

/// What a tool takes.
pub(crate) struct Input {
    /// The name of the tool.
    pub(crate) name: &'static str,
    kind: Kind,
    make: Make,
    full: OnceLock<Value>,
    shown: OnceLock<Value>,
}

impl Input {
    /// Describes the arguments of this type.
    pub(crate) const fn of<T: JsonSchema>(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, make: T::json_schema, full: OnceLock::new(), shown: OnceLock::new() }
    }

    /// Returns the JSON Schema by which arguments are read: with their other names, and with those that hosts are not shown.
    pub(crate) fn full(&self) -> &Value {
        self.full.get_or_init(|| schema::full(self.make, self.kind))
    }

    /// Returns what the type of the arguments says of the tool.
    pub(crate) fn description(&self) -> &str {
        self.full()["description"].as_str().unwrap_or_default()
    }

    /// Returns the JSON Schema that hosts are shown.
    pub(crate) fn shown(&self) -> &Value {
        self.shown.get_or_init(|| schema::of_arguments(self.full()))
    }
}
