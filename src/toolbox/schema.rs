//! [`Input`]: what a tool takes, as a JSON Schema that every dialect reads: without references, names of types, and nulls.

use std::sync::OnceLock;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use crate::toolbox::arguments::KEYWORDS;
use crate::toolbox::definition::Kind;

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
        self.full.get_or_init(|| full(self.make, self.kind, true))
    }

    /// Returns what the type of the arguments says of the tool.
    pub(crate) fn description(&self) -> &str {
        self.full()["description"].as_str().unwrap_or_default()
    }

    /// Returns the JSON Schema that hosts are shown.
    pub(crate) fn shown(&self) -> &Value {
        self.shown.get_or_init(|| of_arguments(self.full().clone()))
    }

    /// Returns the same, with each type of its members once, in `$defs`, where that is shorter.
    pub(crate) fn shortest(&self) -> Value {
        let with_definitions = of_arguments(full(self.make, self.kind, false));
        let length = |schema: &Value| schema.to_string().len();
        if length(&with_definitions) < length(self.shown()) { with_definitions } else { self.shown().clone() }
    }
}

/// What makes the schema of a type: [`JsonSchema::json_schema`](schemars::JsonSchema::json_schema). All else that is done is compiled
/// once, not for each tool.
type Make = fn(&mut SchemaGenerator) -> Schema;

/// Returns the schema by which the arguments of a tool are read. What may be left out need not be null.
fn full(make: Make, kind: Kind, is_inlined: bool) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = is_inlined;
    let mut generator = settings.into_generator();
    let mut schema = make(&mut generator);
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), definitions.into());
    }
    RecursiveTransform(drop_rust).transform(&mut schema);
    RecursiveTransform(drop_null).transform(&mut schema);
    // A tool without arguments takes an object all the same.
    let members = schema.ensure_object();
    members.entry("type").or_insert_with(|| "object".into());
    let properties = members.entry("properties").or_insert_with(|| json!({}));
    if matches!(kind, Kind::Reader | Kind::Stager | Kind::Editor) {
        properties["document"] = json!({"type": "string", "description": "Default: `memory`."});
    }
    if matches!(kind, Kind::Stager | Kind::Editor) {
        properties["base_revision"] = json!({"type": "string", "description": "Default: last shown."});
        if kind == Kind::Stager {
            properties["base_revision"]["hidden"] = true.into();
        }
    }
    schema.to_value()
}

/// Returns the schema of arguments that hosts are shown, who are told elsewhere what the tool does.
fn of_arguments(full: Value) -> Value {
    let mut schema = shown(full);
    if let Some(members) = schema.as_object_mut() {
        members.remove("description");
    }
    schema
}

/// Returns a schema without the keywords that are memdoc's own, and without arguments that are not shown.
fn shown(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) => {
            for keyword in KEYWORDS {
                members.remove(keyword);
            }
            members.retain(|_, value| value["hidden"] != true);
            for value in members.values_mut() {
                *value = shown(value.take());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = shown(item.take())),
        _ => {}
    }
    schema
}

/// Removes what tells of Rust types, and nothing to a model.
fn drop_rust(schema: &mut Schema) {
    for keyword in ["title", "format"] {
        schema.remove(keyword);
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        // Where a line ends in the source means nothing, but for one of an example in a fence.
        let (text, example) = description.split_once("\n\n```text").unwrap_or((description, ""));
        *description = text.replace('\n', " ") + example.trim_end_matches("\n```");
    }
}

/// Takes null out of what a value may be.
fn drop_null(schema: &mut Schema) {
    let Some(members) = schema.as_object_mut() else { return };
    if members.get("default").is_some_and(Value::is_null) {
        members.remove("default");
    }
    for keyword in ["type", "enum"] {
        if let Some(Value::Array(values)) = members.get_mut(keyword) {
            values.retain(|value| !value.is_null() && value != "null");
        }
    }
    if let Some([only]) = members.get("type").and_then(Value::as_array).map(Vec::as_slice) {
        let only = only.clone();
        members.insert("type".to_owned(), only);
    }
    if let Some(Value::Array(choices)) = members.remove("anyOf") {
        // What is said of the place goes before what is said of the type.
        let only = choices.into_iter().find(|choice| choice["type"] != "null");
        for (keyword, value) in only.iter().filter_map(Value::as_object).flatten() {
            members.entry(keyword).or_insert_with(|| value.clone());
        }
    }
}
