//! Reading arguments as models write them: other names, other letter case, numbers as text, nulls for what is left out.

use serde_json::{Map, Value};

use super::definition::ToolDefinition;
use super::json;
use crate::locate::Rung;
use crate::text::excerpt;

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

/// Brings arguments into the names and types of the tool's schema, those of nested objects too.
pub(super) fn read(tool: &ToolDefinition, arguments: &Value) -> Result<Arguments, ArgumentError> {
    let mut given = arguments.clone();
    let mut healed = (tool.prepare)(&mut given)?;
    if !given.is_object() {
        return Err(ArgumentError::NotAnObject(kind(&given)));
    }
    let schema = tool.input_schema();
    let mut reader = Reader { tool, is_healed: false, names: Names::default(), wrong_type: None };
    let value = reader.value(&given, &schema, "");
    if let Some(error) = reader.wrong_type {
        return Err(error);
    }
    let Names { missing, unknown, twice } = reader.names;
    if !(missing.is_empty() && unknown.is_empty() && twice.is_empty()) {
        return Err(ArgumentError::Names { missing, unknown, twice });
    }
    if reader.is_healed && !healed.contains(&Rung::Arguments) {
        healed.push(Rung::Arguments);
    }
    Ok(Arguments { value, healed })
}

/// Leaves the arguments as they were given.
pub(super) fn as_given(_: &mut Value) -> Result<Vec<Rung>, ArgumentError> {
    Ok(Vec::new())
}

/// Names that are wrong, each with the path to it.
#[derive(Default)]
struct Names {
    missing: Vec<String>,
    unknown: Vec<String>,
    twice: Vec<String>,
}

/// Reads values by the schemas of their places.
struct Reader<'a> {
    tool: &'a ToolDefinition,
    is_healed: bool,
    names: Names,
    /// The first value of another type.
    wrong_type: Option<ArgumentError>,
}

impl<'a> Reader<'a> {
    fn value(&mut self, given: &Value, schema: &'a Value, path: &str) -> Value {
        let schema = schema_for(given, schema);
        let strict = strict_form(given, schema);
        let given = strict.as_ref().unwrap_or(given);
        match given {
            Value::Object(members) if schema.get("properties").is_some() => self.object(members, schema, path),
            Value::Array(items) if schema.get("items").is_some() => {
                let schema = schema.get("items").unwrap_or(&Value::Null);
                let item = |(at, item)| self.value(item, schema, &format!("{path}[{at}]"));
                Value::Array(items.iter().enumerate().map(item).collect())
            }
            _ => {
                let (value, is_converted) = convert(given, schema);
                // Another word for a choice, which the tool may know.
                let is_synonym = schema["enum"].as_array().is_some_and(|known| !known.contains(&value));
                self.is_healed |= is_converted || is_synonym;
                if let Err(error) = check_type(path, &value, schema) {
                    self.wrong_type.get_or_insert(error);
                }
                value
            }
        }
    }

    fn object(&mut self, given: &Map<String, Value>, schema: &'a Value, path: &str) -> Value {
        let no_properties = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&no_properties);
        let full = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let mut read = Map::new();
        for (name, value) in given {
            let Some(canonical) = canonical_name(name, self.tool, properties) else {
                self.names.unknown.push(full(name));
                continue;
            };
            // OpenAI's strict functions send null for what is left out.
            if value.is_null() {
                continue;
            }
            self.is_healed |= canonical != name;
            let property = schema.get("properties").and_then(|all| all.get(canonical)).unwrap_or(&Value::Null);
            let value = self.value(value, property, &full(canonical));
            if read.insert(canonical.to_owned(), value).is_some() {
                self.names.twice.push(full(canonical));
            }
        }
        let required = required(schema);
        self.names.missing.extend(required.into_iter().filter(|name| !read.contains_key(*name)).map(full));
        Value::Object(read)
    }
}

/// Reads the forms in which strict schemas say an object of any members: a map as a list of pairs, and JSON in a string.
fn strict_form(given: &Value, schema: &Value) -> Option<Value> {
    if schema["type"] != "object" || schema.get("properties").is_some() {
        return None;
    }
    match (given, schema["additionalProperties"].is_object()) {
        (Value::Array(pairs), true) => {
            let pair = |pair: &Value| Some((pair.get("name")?.as_str()?.to_owned(), pair.get("value")?.clone()));
            pairs.iter().map(pair).collect::<Option<Map<_, _>>>().map(Value::Object)
        }
        (Value::String(text), false) => json::read(text).ok().map(|(value, _)| value).filter(Value::is_object),
        _ => None,
    }
}

/// Returns the schema that holds for a value: of several, that of the value's kind is taken.
fn schema_for<'a>(value: &Value, schema: &'a Value) -> &'a Value {
    let Some(choices) = ["anyOf", "oneOf"].iter().find_map(|name| schema.get(*name)).and_then(Value::as_array) else {
        return schema;
    };
    let mut choices = choices.iter().map(|choice| schema_for(value, choice));
    let wanted = match value {
        Value::Object(_) => "object",
        Value::Array(_) => "array",
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        _ => "integer",
    };
    let first = choices.clone().find(|choice| types(choice).contains(&wanted));
    // A number written as text, where no text is asked for, is read by the first choice.
    first.or_else(|| choices.next()).unwrap_or(schema)
}

pub(super) fn required(schema: &Value) -> Vec<&str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
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
        Value::Null => false,
        Value::Bool(_) => *wanted == "boolean",
        Value::Number(number) => *wanted == "number" || (*wanted == "integer" && !number.is_f64()),
        Value::String(_) => *wanted == "string",
        Value::Array(_) => *wanted == "array",
        Value::Object(_) => *wanted == "object",
    };
    let is_null = value.is_null() && types(schema).contains(&"null");
    if wanted.is_empty() || is_null || wanted.iter().any(fits) {
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

/// Returns the shape of a call: `tool({"a": string, "b"?: integer, "c"?: [{"d": string}]})`.
pub(super) fn shape(name: &str, schema: &Value) -> String {
    format!("{name}({})", object_shape(schema, 0))
}

/// How deep a shape goes into nested objects.
const SHAPE_DEPTH: usize = 2;

fn object_shape(schema: &Value, depth: usize) -> String {
    let required = required(schema);
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let (mut needed, optional): (Vec<_>, Vec<_>) = properties.partition(|(name, _)| required.contains(&name.as_str()));
    // The order in which the tool names its arguments.
    needed.sort_by_key(|(name, _)| required.iter().position(|required| required == name));
    let member = |(name, property): (&String, &Value)| {
        let mark = if required.contains(&name.as_str()) { "" } else { "?" };
        format!("\"{name}\"{mark}: {}", value_shape(property, depth))
    };
    let members: Vec<_> = needed.into_iter().chain(optional).map(member).collect();
    format!("{{{}}}", members.join(", "))
}

fn value_shape(schema: &Value, depth: usize) -> String {
    let choices = ["anyOf", "oneOf"].iter().find_map(|name| schema.get(*name)).and_then(Value::as_array);
    if let Some(choices) = choices {
        let not_null = choices.iter().filter(|choice| types(choice) != ["null"]);
        let shapes: Vec<_> = not_null.map(|choice| value_shape(choice, depth)).collect();
        return shapes.join(" or ");
    }
    if let Some(names) = schema.get("enum").and_then(Value::as_array) {
        let names: Vec<_> = names.iter().filter(|name| !name.is_null()).map(ToString::to_string).collect();
        return names.join("|");
    }
    if let (Some(items), true) = (schema.get("items"), depth < SHAPE_DEPTH) {
        return format!("[{}]", value_shape(items, depth + 1));
    }
    if schema.get("properties").is_some() && depth < SHAPE_DEPTH {
        return object_shape(schema, depth + 1);
    }
    let mut names: Vec<_> = types(schema).into_iter().filter(|name| *name != "null").collect();
    if names.is_empty() {
        names.push("value");
    }
    names.join(" or ")
}

/// Returns the name under which `members` hold one of `names`, in any way of writing it.
pub(super) fn name_of(members: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| members.keys().find(|key| snake_case(key) == *name)).cloned()
}

fn snake_case(name: &str) -> String {
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
        assert_eq!(snake_case("OLD"), "old");
        assert_eq!(snake_case("Memory_ID"), "memory_id");
    }
}
