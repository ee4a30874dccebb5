//! Reading arguments as models write them: other names, other letter case, numbers as text, nulls for what is left out, calls
//! wrapped once more.

mod names;
mod reader;
mod shape;

use serde_json::Value;

use super::definition::ToolDefinition;
use super::json;
use crate::locate::Rung;
use crate::text::excerpt;

pub(super) use names::name_of;
pub(super) use shape::shape;

use names::canonical_name;
use reader::{Names, Reader};

/// Arguments under the tool's own names.
#[derive(Debug)]
pub(super) struct Arguments {
    pub(super) value: Value,
    /// How they were read less exactly than written: another name, another type, broken JSON.
    pub(super) healed: Vec<Rung>,
}

/// Arguments that are not those of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ArgumentError {
    /// They are no JSON object.
    NotAnObject(&'static str),
    /// Some are missing, some unknown, or given twice under two names.
    Names {
        missing: Vec<String>,
        unknown: Vec<String>,
        twice: Vec<String>,
        /// The arguments as they may be meant, where that can be told.
        meant: Option<Value>,
    },
    /// One has a type or value that does not fit.
    Value(String),
}

impl std::fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotAnObject(found) => write!(f, "expected a JSON object of arguments, found {found}"),
            Self::Value(message) => f.write_str(message),
            Self::Names { missing, unknown, twice, .. } => {
                let lists = [("missing", missing), ("unknown", unknown), ("given twice", twice)];
                let list = |names: &[String]| {
                    names.iter().take(8).map(|name| format!("`{}`", excerpt(name, 40))).collect::<Vec<_>>().join(", ")
                };
                let parts: Vec<_> = lists
                    .iter()
                    .filter(|(_, names)| !names.is_empty())
                    .map(|(what, names)| format!("{what}: {}", list(names)))
                    .collect();
                write!(f, "arguments {}", parts.join("; "))
            }
        }
    }
}

impl ArgumentError {
    /// Refuses an argument that is given twice under two names.
    pub(super) fn twice(name: String) -> Self {
        Self::Names { missing: Vec::new(), unknown: Vec::new(), twice: vec![name], meant: None }
    }
}

/// Brings arguments into the names and types of the tool's schema, those of nested objects too.
pub(super) fn read(tool: &ToolDefinition, arguments: &Value) -> Result<Arguments, ArgumentError> {
    let schema = tool.input_schema();
    let mut healed = Vec::new();
    let held = object_in(arguments);
    let arguments = held.as_ref().unwrap_or(arguments);
    let inner = unwrapped(tool, arguments, &schema);
    if held.is_some() || inner.is_some() {
        healed.push(Rung::Arguments);
    }
    let mut given = inner.unwrap_or_else(|| arguments.clone());
    healed.extend((tool.prepare)(&mut given)?);
    if !given.is_object() {
        return Err(ArgumentError::NotAnObject(kind(&given)));
    }
    let mut reader = Reader::new(tool);
    let value = reader.value(&given, &schema, "");
    if let Some(error) = reader.wrong_type {
        return Err(error);
    }
    let Names { missing, unknown, twice, is_unclear } = reader.names;
    if !(missing.is_empty() && unknown.is_empty() && twice.is_empty()) {
        let meant = (!is_unclear && twice.is_empty()).then_some(value);
        return Err(ArgumentError::Names { missing, unknown, twice, meant });
    }
    if reader.is_healed {
        healed.push(Rung::Arguments);
    }
    healed.dedup();
    Ok(Arguments { value, healed })
}

/// Leaves the arguments as they were given.
pub(super) fn as_given(_: &mut Value) -> Result<Vec<Rung>, ArgumentError> {
    Ok(Vec::new())
}

/// Names under which calls are wrapped once more.
const WRAPPERS: [&str; 5] = ["arguments", "args", "input", "parameters", "params"];

/// Returns the arguments of a call that was sent as the only member of an object, with no more than the name of this tool
/// beside it. Where the tool has an argument of that name, what is inside must have all that the tool requires.
fn unwrapped(tool: &ToolDefinition, arguments: &Value, schema: &Value) -> Option<Value> {
    let members = arguments.as_object()?;
    let wrapper = name_of(members, &WRAPPERS)?;
    let is_name = |(name, value): (&String, &Value)| {
        *name == wrapper || (["name", "tool", "tool_name", "function"].contains(&name.as_str()) && value == tool.name)
    };
    let inner = members.get(&wrapper)?;
    let inner = match inner {
        Value::Object(_) => inner.clone(),
        text => object_in(text)?,
    };
    let properties = schema.get("properties")?.as_object()?;
    let is_own = properties.contains_key(&wrapper);
    let has = |name: &str| {
        let names = inner.as_object().into_iter().flat_map(|inner| inner.keys());
        names.filter_map(|given| canonical_name(given, tool, properties)).any(|given| given == name)
    };
    (members.iter().all(is_name) && (!is_own || required(schema).into_iter().all(has))).then_some(inner)
}

/// Reads an object that was sent as a text that holds JSON.
fn object_in(value: &Value) -> Option<Value> {
    json::read(value.as_str()?).ok().map(|(value, _)| value).filter(Value::is_object)
}

/// Brings a list that was sent as a single item, or as a text that holds JSON, into a list; reports whether it did.
pub(super) fn listed(list: &mut Value) -> bool {
    let held = list.as_str().and_then(|text| json::read(text).ok()).map(|(value, _)| value);
    let held = held.filter(|held| held.is_array() || held.is_object());
    let was_text = held.is_some();
    if let Some(held) = held {
        *list = held;
    }
    if list.is_object() {
        *list = Value::Array(vec![list.take()]);
        return true;
    }
    was_text
}

pub(super) fn required(schema: &Value) -> Vec<&str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
