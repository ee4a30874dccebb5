//! Values as models write them, and the few keywords of a schema that they are read by.

use serde_json::{Map, Value, json};

use super::ArgumentError;
use crate::text::excerpt;

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

/// Returns the schema that holds for a value: of several, that of the value's kind is taken.
pub(super) fn schema_for<'a>(value: &Value, schema: &'a Value) -> &'a Value {
    let Some(choices) = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array) else {
        return schema;
    };
    let wanted = match value {
        Value::Object(_) => "object",
        Value::Array(_) => "array",
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        _ => "integer",
    };
    // What no choice is of is read by the first one.
    let mut choices = choices.iter().map(|choice| schema_for(value, choice));
    choices.clone().find(|choice| is_of(choice, wanted)).or_else(|| choices.next()).unwrap_or(schema)
}

/// Reads a number or a flag that was written as text, a text that was written as a number or a flag, and a choice in another letter
/// case.
pub(super) fn converted(value: &Value, schema: &Value) -> Option<Value> {
    let wants = |name| is_of(schema, name);
    match value {
        Value::String(text) if schema["enum"].as_array().is_some_and(|known| !known.contains(value)) => {
            Some(text.trim().to_lowercase().into()).filter(|lower: &Value| lower != value)
        }
        Value::String(text) if !wants("string") => match text.trim().to_ascii_lowercase().as_str() {
            flag @ ("true" | "false") if wants("boolean") => Some(Value::Bool(flag == "true")),
            number if wants("integer") => number.parse::<i64>().ok().map(Value::from),
            _ => None,
        },
        // JSON has one kind of number, and some encoders write `2.0`. What no integer is large enough for is the largest.
        Value::Number(number) if wants("integer") && number.as_i64().is_none() => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0)?;
            let largest = if whole < 0.0 { i64::MIN } else { i64::MAX };
            Some(format!("{whole:.0}").parse().unwrap_or(largest).into())
        }
        Value::Number(_) | Value::Bool(_) if schema["spelled"] == true => Some(value.to_string().into()),
        _ => None,
    }
}

/// Reads the forms in which strict schemas say an object of any members: a map as a list of pairs.
pub(super) fn of_pairs(value: &Value, schema: &Value) -> Option<Value> {
    let pairs = value.as_array().filter(|_| schema["additionalProperties"].is_object())?;
    let pair = |pair: &Value| Some((pair.get("name")?.as_str()?.to_owned(), pair.get("value")?.clone()));
    pairs.iter().map(pair).collect::<Option<Map<_, _>>>().map(Value::Object)
}

/// Returns the text that stands for a selector as that selector.
pub(super) fn selector(text: &str) -> Value {
    json!({"contains": text})
}

/// Refuses a value of a type that the schema does not name, and one that no count has.
pub(super) fn check_type(name: &str, value: &Value, schema: &Value) -> Result<(), ArgumentError> {
    if let Some(least) = value.as_i64().filter(|value| *value < 0).and(schema["minimum"].as_u64()) {
        return Err(ArgumentError::Value(format!("`{name}`: expected {least} or more, found {value}")));
    }
    let choices = schema["enum"].as_array().filter(|known| schema["also"] != true && !known.contains(value));
    if let (Some(known), Some(found)) = (choices, value.as_str()) {
        let known: Vec<_> = known.iter().filter_map(Value::as_str).map(|name| format!("`{name}`")).collect();
        let (last, others) =
            known.split_last().map(|(last, others)| (last.as_str(), others.join(", "))).unwrap_or_default();
        let message = format!("`{name}`: expected {others} or {last}, found `{}`", excerpt(found, 40));
        return Err(ArgumentError::Value(message));
    }
    let fits = |wanted: &str| match value {
        Value::Null => false,
        Value::Bool(_) => wanted == "boolean",
        Value::Number(number) => wanted == "number" || (wanted == "integer" && !number.is_f64()),
        Value::String(_) => wanted == "string",
        Value::Array(_) => wanted == "array",
        Value::Object(_) => wanted == "object",
    };
    let wanted: Vec<_> = types(schema).filter(|name| *name != "null").collect();
    if wanted.is_empty() || wanted.iter().any(|name| fits(name)) {
        return Ok(());
    }
    Err(ArgumentError::Value(format!("`{name}`: expected {}, found {}", wanted.join(" or "), kind(value))))
}
