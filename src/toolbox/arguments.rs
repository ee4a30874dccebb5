//! Reading arguments as models write them: other names, other letter case, numbers as text, nulls for what is left out.

use serde_json::{Map, Value};

use super::definition::ToolDefinition;
use crate::text::excerpt;

/// Arguments under the tool's own names.
#[derive(Debug)]
pub(super) struct Arguments {
    pub(super) value: Value,
    /// Whether a name or a type was another.
    pub(super) is_healed: bool,
}

/// Arguments that are not those of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ArgumentError {
    /// They are no JSON object.
    NotAnObject(&'static str),
    /// Some are missing, some unknown, or given twice under two names.
    Names { missing: Vec<String>, unknown: Vec<String>, twice: Vec<String> },
    /// One has a type or value that does not fit.
    Value(String),
}

impl std::fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotAnObject(found) => write!(f, "expected a JSON object of arguments, found {found}"),
            Self::Value(message) => f.write_str(message),
            Self::Names { missing, unknown, twice } => {
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

/// Names of arguments that mean the same in every tool.
const SYNONYMS: &[(&str, &str)] = &[
    ("revision_id", "base_revision"),
    ("revision", "base_revision"),
    ("hash", "base_revision"),
    ("base", "base_revision"),
    ("doc", "document"),
    ("document_name", "document"),
    ("file", "document"),
    ("section_name", "section"),
    ("heading", "section"),
    ("block_id", "block"),
    ("memory_id", "block"),
];

/// Brings arguments into the names and types of the tool's schema.
pub(super) fn read(tool: &ToolDefinition, arguments: &Value) -> Result<Arguments, ArgumentError> {
    let schema = tool.input_schema();
    let no_properties = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&no_properties);
    let Value::Object(given) = arguments else {
        return Err(ArgumentError::NotAnObject(kind(arguments)));
    };
    let mut read = Map::new();
    let mut is_healed = false;
    let (mut unknown, mut twice) = (Vec::new(), Vec::new());
    for (name, value) in given {
        let Some(canonical) = canonical_name(name, tool, properties) else {
            unknown.push(name.clone());
            continue;
        };
        // OpenAI's strict functions send null for what is left out.
        if value.is_null() {
            continue;
        }
        let property = properties.get(canonical).unwrap_or(&Value::Null);
        let (value, is_converted) = convert(value, property);
        check_type(canonical, &value, property)?;
        is_healed |= is_converted || canonical != name;
        if read.insert(canonical.to_owned(), value).is_some() {
            twice.push(canonical.to_owned());
        }
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let missing: Vec<_> = required.filter(|name| !read.contains_key(*name)).map(str::to_owned).collect();
    if !(missing.is_empty() && unknown.is_empty() && twice.is_empty()) {
        return Err(ArgumentError::Names { missing, unknown, twice });
    }
    Ok(Arguments { value: Value::Object(read), is_healed })
}

/// Returns the tool's own name for an argument.
fn canonical_name<'a>(name: &str, tool: &ToolDefinition, properties: &'a Map<String, Value>) -> Option<&'a str> {
    let own = |name: &str| properties.get_key_value(name).map(|(name, _)| name.as_str());
    let snake = snake_case(name);
    let synonym = || {
        let all = tool.synonyms.iter().chain(SYNONYMS);
        all.filter(|(other, _)| *other == snake).find_map(|(_, canonical)| own(canonical))
    };
    own(name).or_else(|| own(&snake)).or_else(synonym)
}

/// Converts a number or a flag that was written as text, if the schema asks for one.
fn convert(value: &Value, schema: &Value) -> (Value, bool) {
    let wanted = types(schema);
    let parsed = match value {
        Value::String(text) if !wanted.contains(&"string") => {
            let text = text.trim();
            match text {
                "true" | "false" if wanted.contains(&"boolean") => Some(Value::Bool(text == "true")),
                _ if wanted.contains(&"integer") => text.parse::<i64>().ok().map(Value::from),
                _ => None,
            }
        }
        // JSON has one kind of number, and some encoders write `2.0`.
        Value::Number(number) if wanted.contains(&"integer") && number.is_f64() => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9e15);
            whole.and_then(|number| format!("{number:.0}").parse::<i64>().ok()).map(Value::from)
        }
        _ => None,
    };
    let is_converted = parsed.is_some();
    (parsed.unwrap_or_else(|| value.clone()), is_converted)
}

/// Refuses a value of a type that the schema does not name.
fn check_type(name: &str, value: &Value, schema: &Value) -> Result<(), ArgumentError> {
    let wanted: Vec<_> = types(schema).into_iter().filter(|name| *name != "null").collect();
    let fits = |wanted: &&str| match value {
        Value::Null => true,
        Value::Bool(_) => *wanted == "boolean",
        Value::Number(number) => *wanted == "number" || (*wanted == "integer" && !number.is_f64()),
        Value::String(_) => *wanted == "string",
        Value::Array(_) => *wanted == "array",
        Value::Object(_) => *wanted == "object",
    };
    if wanted.is_empty() || wanted.iter().any(fits) {
        return Ok(());
    }
    Err(ArgumentError::Value(format!("`{name}`: expected {}, found {}", wanted.join(" or "), kind(value))))
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Returns the shape of a call: `tool({"a": string, "b"?: integer})`.
pub(super) fn shape(name: &str, schema: &Value) -> String {
    let required: Vec<_> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let (mut needed, optional): (Vec<_>, Vec<_>) = properties.partition(|(name, _)| required.contains(&name.as_str()));
    // The order in which the tool names its arguments.
    needed.sort_by_key(|(name, _)| required.iter().position(|required| required == name));
    let member = |(name, property): (&String, &Value)| {
        let mark = if required.contains(&name.as_str()) { "" } else { "?" };
        let mut names: Vec<_> = types(property).into_iter().filter(|name| *name != "null").collect();
        if names.is_empty() {
            names.push("value");
        }
        format!("\"{name}\"{mark}: {}", names.join(" or "))
    };
    let members: Vec<_> = needed.into_iter().chain(optional).map(member).collect();
    format!("{name}({{{}}})", members.join(", "))
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        if c == '-' || c == ' ' {
            snake.push('_');
        } else {
            snake.extend(c.to_lowercase());
        }
    }
    snake
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_case_becomes_snake_case() {
        assert_eq!(snake_case("oldString"), "old_string");
        assert_eq!(snake_case("old-string"), "old_string");
        assert_eq!(snake_case("OLD"), "o_l_d");
    }
}
