//! Names and values as models write them, and the few keywords of a schema that they are read by.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::text::excerpt;
use crate::toolbox::arguments::ArgumentError;

/// The other names of arguments that mean the same in every tool. Those of one tool stand in its schema, as `aliases`.
const EVERYWHERE: [(&str, &str); 4] = [
    ("base_revision", "revision_id revision hash base"),
    ("document", "doc document_name path file filename file_path file_name"),
    ("section", "section_name heading"),
    ("block", "block_id memory_id"),
];

/// Names under which models give the file that they take a document for.
const FILES: [&str; 6] = ["document", "path", "file", "filename", "file_path", "file_name"];

/// Arguments that hosts of other tools ask their models for.
const REMARKS: [&str; 9] = [
    "comment",
    "description",
    "explanation",
    "justification",
    "purpose",
    "rationale",
    "reasoning",
    "thinking",
    "thought",
];

/// The tools that work on one document only, which may be named nevertheless.
const HOMES: [(&str, &str); 5] = [
    ("write_memory", "notes"),
    ("scratch_note", "notes"),
    ("write_session_handoff", "notes"),
    ("block_update", "core"),
    ("block_get", "core"),
];

/// Returns the tool's own name for an argument of an object that has these properties.
pub(super) fn canonical<'a>(name: &str, properties: &'a Map<String, Value>) -> Option<&'a str> {
    let own = |name: &str| properties.get_key_value(name).map(|(name, _)| name.as_str());
    let snake = snake_case(name);
    let has = |names: &str| names.split(' ').any(|other| other == snake);
    let is_alias = |(_, property): &(&String, &'a Value)| property["aliases"].as_str().is_some_and(has);
    let alias = || properties.iter().find(is_alias).map(|(name, _)| name.as_str());
    let everywhere = || EVERYWHERE.iter().filter(|(_, others)| has(others)).find_map(|(name, _)| own(name));
    own(name).or_else(|| own(&snake)).or_else(alias).or_else(everywhere)
}

/// Returns true if an argument names the one document that a tool works on.
pub(super) fn is_home(tool: &str, name: &str, value: &Value) -> bool {
    let document = document_of(name, value);
    HOMES.iter().any(|(own, home)| *own == tool && document.as_deref() == Some(*home))
}

/// Reports whether an argument of this name tells why a call is made, not what it is to do.
pub(super) fn is_remark(name: &str) -> bool {
    REMARKS.contains(&&*snake_case(name))
}

/// Returns the document that a file's name stands for: `/memory.md` and `/memories/memory.md` for `memory`.
pub(super) fn document_of(name: &str, value: &Value) -> Option<String> {
    let path = value.as_str().filter(|_| FILES.contains(&&*snake_case(name)))?.trim();
    let path =
        path.strip_prefix("./").or_else(|| path.strip_prefix("/memories/")).unwrap_or(path).trim_start_matches('/');
    Some(path.strip_suffix(".md").or_else(|| path.strip_suffix(".MD")).unwrap_or(path).to_owned())
}

pub(super) fn snake_case(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Cow::Borrowed(name);
    }
    let mut snake = String::with_capacity(name.len() + 4);
    let mut was_lower = false;
    for c in name.chars() {
        if c.is_uppercase() && was_lower {
            snake.push('_');
        }
        was_lower = c.is_lowercase() || c.is_numeric();
        if c == '-' || c == ' ' {
            snake.push('_');
        } else {
            snake.extend(c.to_lowercase());
        }
    }
    Cow::Owned(snake)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_case_becomes_snake_case() {
        assert_eq!(snake_case("oldString"), "old_string");
        assert_eq!(snake_case("old-string"), "old_string");
        assert_eq!(snake_case("OLD"), "old");
        assert_eq!(snake_case("Memory_ID"), "memory_id");
    }
}
