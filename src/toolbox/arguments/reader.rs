//! [`Reader`]: values read by the schemas of their places.

use serde_json::{Map, Value, json};

use super::names::{document_of, is_remark, near, says_nothing};
use super::values::{is_of, kind, object_in, types};
use super::{ArgumentError, Input, required};
use crate::toolbox::json::object_of;

/// Arguments whose empty text is a text. Any other that may be left out is left out by an empty one.
const TEXTS: &[&str] = &["text", "new_string", "value", "new_sub_memory"];

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
    /// Whether what was read is not what was sent put right: not all that is wrong can be told.
    pub(super) is_unclear: bool,
}

/// An object that is being read.
struct Object<'a, 'p> {
    schema: &'a Value,
    properties: &'a Map<String, Value>,
    /// Where it stands in the arguments.
    path: &'p str,
    read: Map<String, Value>,
}

impl Object<'_, '_> {
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
        let mut object = Object { schema, properties, path, read: Map::new() };
        let required: Vec<_> = required(schema).collect();
        // A selector that names nothing at all is not the one of any bullet.
        let is_selector_of_nothing = properties.contains_key("contains") && given.values().all(|value| value == "");
        let mut unknown = Vec::new();
        for (name, value) in given {
            let canonical = self.input.names.canonical(name, properties);
            let Some(canonical) = canonical.filter(|canonical| !self.is_file_beside(canonical, name, given)) else {
                unknown.push((name, value));
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
        unknown.retain(|(name, value)| !self.is_needless(name, value, &mut object));
        let missing: Vec<_> = required.into_iter().filter(|name| !object.read.contains_key(*name)).collect();
        self.misnamed.is_unclear |= !self.put_right(&unknown, &missing, &mut object);
        self.misnamed.missing.extend(missing.into_iter().map(|name| object.path_to(name)));
        self.misnamed.unknown.extend(unknown.into_iter().map(|(name, _)| object.path_to(name)));
        Value::Object(object.read)
    }

    /// Reports whether a name that may stand for another argument, which is given as well, is that of the file of the document.
    fn is_file_beside(&self, canonical: &str, name: &str, given: &Map<String, Value>) -> bool {
        let names = &self.input.names;
        let file = given.get(name).and_then(|value| document_of(name, value)).filter(|_| canonical != "document");
        let document = names.given(given, "document").and_then(|name| given.get(&name));
        let document = document.and_then(Value::as_str).unwrap_or("memory");
        file.is_some_and(|file| file == document) && names.given(given, canonical).is_some_and(|first| first != name)
    }

    /// Reads an argument that the tool does not have: one that says nothing, or names the file that the document is taken for.
    fn is_needless(&mut self, name: &str, value: &Value, object: &mut Object<'_, '_>) -> bool {
        let file = document_of(name, value).filter(|_| object.properties.contains_key("document"));
        let is_needless = says_nothing(name, value, self.input.name)
            || file.is_some_and(|file| *object.read.entry("document").or_insert_with(|| file.clone().into()) == *file);
        self.is_healed |= is_needless;
        is_needless
    }

    /// Reads unknown arguments under the names that they are near, under the one that is missing, or in the nested object that has
    /// them, or leaves a remark out, for the hint.
    fn put_right(&self, unknown: &[(&String, &Value)], missing: &[&'a str], object: &mut Object<'a, '_>) -> bool {
        let mut is_right = |(name, value): &(&String, &Value)| {
            let properties = object.properties.keys().map(String::as_str);
            let free: Vec<_> = properties.filter(|name| !object.read.contains_key(*name)).collect();
            let only = if let ([only], 1) = (missing, unknown.len()) { Some(*only) } else { None };
            let Some(meant) = near(name, free.into_iter()).or(only) else {
                return (is_remark(name) && missing.is_empty()) || self.put_inside(name, value, object);
            };
            let guessed = self.guessed(value, property(object.schema, meant), &object.path_to(meant));
            guessed.map(|value| object.read.insert(meant.to_owned(), value)).is_some()
        };
        let count = unknown.iter().filter(|unknown| is_right(unknown)).count();
        count == unknown.len() && missing.iter().all(|name| object.read.contains_key(*name))
    }

    /// Reads an unknown argument in the one nested object that has it; `false` if it cannot be meant there.
    fn put_inside(&self, name: &str, value: &Value, object: &mut Object<'a, '_>) -> bool {
        let nested = object.properties.iter().filter_map(|(outer, schema)| {
            let own = schema.get("properties")?.as_object()?;
            Some((outer, schema, self.input.names.canonical(name, own)?))
        });
        let [(outer, schema, meant)] = nested.collect::<Vec<_>>()[..] else { return false };
        let guessed = self.guessed(value, property(schema, meant), &object.path_to(meant));
        let members = object.read.entry(outer.clone()).or_insert_with(|| json!({})).as_object_mut();
        let members = members.filter(|members| !members.contains_key(meant));
        guessed.zip(members).map(|(value, members)| members.insert(meant.to_owned(), value)).is_some()
    }

    /// Reads a value that may be meant in a place; `None` if anything is wrong with it there.
    fn guessed(&self, value: &Value, schema: &'a Value, path: &str) -> Option<Value> {
        let mut reader = Self::new(self.input);
        let value = reader.value(value, schema, path);
        let Misnamed { missing, unknown, twice, .. } = &reader.misnamed;
        let is_right = missing.is_empty() && unknown.is_empty() && twice.is_empty() && reader.wrong_type.is_none();
        is_right.then_some(value)
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
