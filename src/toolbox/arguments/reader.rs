//! [`Reader`]: values read by the schemas of their places.

use serde_json::{Map, Value, json};

use super::names::{document_of, is_home, is_remark};
use super::values::{is_of, kind, object_in, types};
use super::{ArgumentError, Input, required};
use crate::toolbox::json::object_of;

/// Arguments whose empty text is a text. Any other that may be left out is left out by an empty one.
const TEXTS: &[&str] = &["text", "new_string", "value", "new_sub_memory", "file_text", "new_str", "insert_text"];

/// Reads values by the schemas of their places.
pub(super) struct Reader<'a> {
    input: &'a Input,
    pub(super) is_healed: bool,
    /// What was read for another name, in words.
    pub(super) misnamed: Misnamed,
    /// The first value of another type.
    pub(super) wrong_type: Option<ArgumentError>,
}

/// Names that are wrong, each with the path to it.
#[derive(Default)]
pub(super) struct Misnamed {
    pub(super) missing: Vec<String>,
    pub(super) unknown: Vec<String>,
    pub(super) twice: Vec<String>,
}

/// An object that is being read.
struct Object<'p> {
    /// Where it stands in the arguments.
    path: &'p str,
    read: Map<String, Value>,
}

impl Object<'_> {
    fn path_to(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(input: &'a Input) -> Self {
        Self { input, is_healed: false, misnamed: Misnamed::default(), wrong_type: None }
    }

    pub(super) fn value(&mut self, given: &Value, schema: &'a Value, path: &str) -> Value {
        let schema = schema_for(given, schema);
        let strict = strict_form(given, schema);
        let selector = if strict.is_none() { selector_of(given, schema) } else { None };
        self.is_healed |= selector.is_some();
        let given = strict.as_ref().or(selector.as_ref()).unwrap_or(given);
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
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Value::Null };
        let mut object = Object { path, read: Map::new() };
        let required: Vec<_> = required(schema).collect();
        // A selector that names nothing at all is not the one of any bullet.
        let is_selector_of_nothing = properties.contains_key("contains") && given.values().all(|value| value == "");
        let mut unknown = Vec::new();
        for (name, value) in given {
            let Some(canonical) = self.input.names.canonical(name, properties) else {
                unknown.push(name);
                continue;
            };
            // OpenAI's strict functions send null for what is left out.
            if value.is_null() {
                continue;
            }
            let full = object.path_to(canonical);
            let says_nothing = is_selector_of_nothing && !["section", "block"].contains(&canonical);
            let is_text = TEXTS.contains(&canonical) || full.contains("neighbors.") || says_nothing;
            if value == "" && !is_text && !required.contains(&canonical) {
                self.is_healed = true;
                continue;
            }
            if canonical != name {
                self.is_healed = true;
            }
            let file = (canonical == "document").then(|| document_of(name, value)).flatten().map(Value::from);
            self.is_healed |= file.as_ref().is_some_and(|file| file != value);
            let value = self.value(file.as_ref().unwrap_or(value), property(schema, canonical), &full);
            let is_document_again = canonical == "document" && object.read.get("document") == Some(&value);
            if object.read.insert(canonical.to_owned(), value).is_some() && !is_document_again {
                self.misnamed.twice.push(full);
            }
        }
        let tool = self.input.name;
        let is_dropped =
            |name: &&String| is_remark(name) || given.get(*name).is_some_and(|value| is_home(tool, name, value));
        self.is_healed |= unknown.iter().any(is_dropped);
        unknown.retain(|name| !is_dropped(name));
        let missing = required.into_iter().filter(|name| !object.read.contains_key(*name));
        self.misnamed.missing.extend(missing.map(|name| object.path_to(name)));
        self.misnamed.unknown.extend(unknown.into_iter().map(|name| object.path_to(name)));
        Value::Object(object.read)
    }
}

fn property<'a>(schema: &'a Value, name: &str) -> &'a Value {
    schema.get("properties").and_then(|all| all.get(name)).unwrap_or(&Value::Null)
}

/// Reports whether a value is read as it stands: its names are the schema's own, its types are those that it names, and nothing is
/// left out by null or an empty text.
pub(super) fn is_as_told(value: &Value, schema: &Value) -> bool {
    let schema = schema_for(value, schema);
    match value {
        Value::Object(members) => {
            let own = schema.get("properties");
            // A document may be named as its file.
            let is_name =
                |name: &str, value: &Value| name != "document" || document_of(name, value).as_deref() == value.as_str();
            let fits = |(name, value): (&String, &Value)| {
                is_name(name, value) && own.and_then(|own| own.get(name)).is_some_and(|own| is_as_told(value, own))
            };
            own.is_some() && members.iter().all(fits) && required(schema).all(|name| members.contains_key(name))
        }
        Value::Array(items) => {
            schema.get("items").is_some_and(|schema| items.iter().all(|item| is_as_told(item, schema)))
        }
        Value::String(text) => {
            let is_choice = schema["enum"].as_array().is_none_or(|known| known.contains(value));
            !text.is_empty() && is_choice && is_of(schema, "string")
        }
        Value::Bool(_) => is_of(schema, "boolean"),
        Value::Number(number) => number.is_i64() && is_of(schema, "integer") && least_above(value, schema).is_none(),
        Value::Null => false,
    }
}

/// Reads a text in the place of a selector as what its bullet contains, or as the selector that it holds as JSON.
fn selector_of(given: &Value, schema: &Value) -> Option<Value> {
    let text = given.as_str().filter(|_| schema["properties"].get("contains").is_some())?;
    let held = object_in(given);
    Some(held.unwrap_or_else(|| json!({"contains": text})))
}

/// Reads the forms in which strict schemas say an object of any members: a map as a list of pairs, and JSON in a string.
fn strict_form(given: &Value, schema: &Value) -> Option<Value> {
    if schema["type"] != "object" || schema.get("properties").is_some() {
        return None;
    }
    match (given, schema["additionalProperties"].is_object()) {
        (Value::Array(pairs), true) => {
            let pair = |pair: &Value| Some((pair.get("name")?.as_str()?.to_owned(), pair.get("value")?.clone()));
            pairs.iter().map(pair).collect::<Option<_>>().map(|members| Value::Object(object_of(members)))
        }
        (text, false) => object_in(text),
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
    let first = choices.clone().find(|choice| is_of(choice, wanted));
    // A number written as text, where no text is asked for, is read by the first choice.
    first.or_else(|| choices.next()).unwrap_or(schema)
}

/// Converts a number or a flag that was written as text, if the schema asks for one, and a choice in another letter case.
fn convert(value: &Value, schema: &Value) -> (Value, bool) {
    let is_wanted = |name| is_of(schema, name);
    let is_choice = |name: &str| schema["enum"].as_array().is_some_and(|known| known.iter().any(|known| known == name));
    let parsed = match value {
        Value::String(name) if schema["enum"].is_array() && !is_choice(name) => {
            Some(name.trim().to_lowercase()).filter(|lower| lower != name).map(Value::from)
        }
        Value::String(text) if !is_wanted("string") => {
            let text = text.trim();
            match text.to_ascii_lowercase().as_str() {
                flag @ ("true" | "false") if is_wanted("boolean") => Some(Value::Bool(flag == "true")),
                _ if is_wanted("integer") => text.parse::<i64>().ok().map(Value::from),
                _ => None,
            }
        }
        // JSON has one kind of number, and some encoders write `2.0`. What no integer is large enough for is the largest.
        Value::Number(number) if is_wanted("integer") && number.as_i64().is_none() => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0);
            let largest = |number: f64| if number < 0.0 { i64::MIN } else { i64::MAX };
            whole.map(|number| format!("{number:.0}").parse().unwrap_or(largest(number)).into())
        }
        _ => None,
    };
    let is_converted = parsed.is_some();
    (parsed.unwrap_or_else(|| value.clone()), is_converted)
}

/// Returns the least number of a count, or of a number of something, where a value is less than nothing.
fn least_above(value: &Value, schema: &Value) -> Option<u64> {
    value.as_i64().filter(|value| *value < 0).and(schema["minimum"].as_u64())
}

/// Refuses a value of a type that the schema does not name, and one that no count has.
fn check_type(name: &str, value: &Value, schema: &Value) -> Result<(), ArgumentError> {
    let fits = |wanted| match value {
        Value::Null => wanted == "null",
        Value::Bool(_) => wanted == "boolean",
        Value::Number(number) => wanted == "number" || (wanted == "integer" && !number.is_f64()),
        Value::String(_) => wanted == "string",
        Value::Array(_) => wanted == "array",
        Value::Object(_) => wanted == "object",
    };
    let wanted = || types(schema).filter(|name| *name != "null");
    if let Some(least) = least_above(value, schema) {
        return Err(ArgumentError::Value(format!("`{name}`: expected {least} or more, found {value}")));
    }
    if types(schema).any(fits) || wanted().next().is_none() {
        return Ok(());
    }
    let wanted: Vec<_> = wanted().collect();
    Err(ArgumentError::Value(format!("`{name}`: expected {}, found {}", wanted.join(" or "), kind(value))))
}
