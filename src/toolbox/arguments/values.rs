//! Values as models write them, and the few keywords of a schema that they are read by.

use serde_json::Value;

use crate::toolbox::json;

/// Reads an object that was sent as a text that holds JSON.
pub(super) fn object_in(value: &Value) -> Option<Value> {
    json::read(value.as_str()?).ok().map(|(value, _)| value).filter(Value::is_object)
}

/// Iterates over the members that a schema requires.
pub(crate) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Iterates over the types that a schema names.
pub(super) fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let (only, several) = match schema.get("type") {
        Some(Value::Array(names)) => (None, names.as_slice()),
        only => (only, [].as_slice()),
    };
    only.into_iter().chain(several).filter_map(Value::as_str)
}

/// Reports whether a schema names a type.
pub(super) fn is_of(schema: &Value, name: &str) -> bool {
    types(schema).any(|known| known == name)
}

/// Names the kind of a value, for people.
pub(super) const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
