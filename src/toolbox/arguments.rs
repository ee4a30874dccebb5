//! Reads arguments as models write them: one pass gives them the names and types of the tool's schema. The schema has
//! keywords of memdoc's own:
//! - `aliases`: other names of the argument.
//! - `as_text`: the member that is meant if a text is sent in place of the object.
//! - `beside`: the members of the object may be sent beside it.
//! - `empty`: an empty text is a value.
//! - `fix`: the field of the request that the argument holds; a retry finds it by this.
//! - `hidden`: hosts do not see the argument.
//! - `open`: the tool itself refuses other choices.
//! - `unfolds`: the members of the object belong to the object around it, and are moved there.
//! - `words`: other words for a choice, such as `add=insert`.

use std::iter;

use serde_json::{Map, Value, json};

use crate::locate::Leniency;
use crate::text::excerpt;
use crate::toolbox::{Refused, ToolDefinition, json};

/// The keywords, which hosts do not see.
pub(super) const KEYWORDS: [&str; 9] =
    ["aliases", "as_text", "beside", "empty", "fix", "hidden", "open", "unfolds", "words"];

/// Names of an argument that holds the whole call.
const WRAPPERS: &str = "arguments args input parameters params";
/// Names of the argument beside it that names the tool.
const TOOL_NAMES: &str = "name tool tool_name function";

/// Other names of arguments that all tools have. Those of one tool are in its schema, as `aliases`.
const EVERYWHERE: [(&str, &str); 4] = [
    ("base_revision", "revision_id revision hash base"),
    ("document", "doc document_name label path file filename file_path file_name"),
    ("section", "section_name heading"),
    ("block", "block_id memory_id"),
];

/// Arguments that say why a call is made. Other hosts ask models for them; they are dropped.
const ASIDES: &str =
    "comment description explanation justification purpose rationale reason reasoning thinking thought";

/// Returns true if a word is in a row of words.
pub(super) fn is_of(word: &str, row: &str) -> bool {
    row.split(' ').any(|other| other == word)
}

/// Reads the arguments of a call. Returns them with the names and types of the schema, and what was healed: another
/// name, another type, broken JSON.
///
/// # Errors
///
/// The arguments do not fit: says what is wrong.
pub(crate) fn read(tool: &ToolDefinition, arguments: &Value) -> Result<(Value, Vec<Leniency>), Box<Refused>> {
    let mut reader = Reader::default();
    let mut given = reader.json_in(arguments).unwrap_or_else(|| arguments.clone());
    if let Some(inner) = wrapper(tool, &given).map(|wrapper| given[wrapper].clone()) {
        reader.heal(Leniency::Arguments);
        given = reader.json_in(&inner).unwrap_or(inner);
    }
    let Value::Object(given) = given else {
        return Err(Refused::invalid(format!("expected a JSON object of arguments, found {}", kind(&given))));
    };
    let value = reader.object(given, tool.full_schema(), "");
    let list = |flaw: &str| {
        let names = reader.flaws.iter().filter(|(own, _)| *own == flaw).take(8);
        let names: Vec<_> = names.map(|(_, name)| format!("`{}`", excerpt(name, 40))).collect();
        (!names.is_empty()).then(|| format!("{flaw}: {}", names.join(", ")))
    };
    let flaws: Vec<_> = ["given twice", "missing", "unknown"].into_iter().filter_map(list).collect();
    let wrong = reader.wrong.or_else(|| (!flaws.is_empty()).then(|| format!("arguments {}", flaws.join("; "))));
    wrong.map_or_else(|| Ok((value, reader.healed)), |wrong| Err(Refused::invalid(wrong)))
}

/// Returns the members to put into `sent`, so that it reads as `wanted` and no longer as `read`. They have the
/// names that were sent.
pub(crate) fn to_send(tool: &ToolDefinition, sent: &Value, read: &Value, wanted: &Value) -> Map<String, Value> {
    match wrapper(tool, sent) {
        Some(wrapper) => json::object(&mut iter::once((wrapper.to_owned(), wanted.clone()))),
        None => differing(sent.as_object().unwrap_or(&Map::new()), tool.full_schema(), read, wanted),
    }
}

/// Returns the name of the member that holds the whole call. It holds no plain text, and is the only member beside the
/// name of the tool.
fn wrapper<'s>(tool: &ToolDefinition, sent: &'s Value) -> Option<&'s str> {
    let (members, properties) = (sent.as_object()?, &tool.full_schema()["properties"]);
    let is_wrapper = |name: &str| properties[name].is_null() && is_of(&snake_case(name), WRAPPERS);
    let is_call = |value: &Value| !value.is_string() || parsed_json(value).is_some();
    let (wrapper, _) = members.iter().find(|(name, value)| is_wrapper(name) && is_call(value))?;
    let is_tool = |name: &str, value: &Value| is_of(name, TOOL_NAMES) && value == tool.name;
    members.iter().all(|(name, value)| name == wrapper || is_tool(name, value)).then_some(wrapper)
}

/// Returns the object or list in a text of JSON, and what was healed.
fn parsed_json(value: &Value) -> Option<(Value, Option<Leniency>)> {
    json::read(value.as_str()?).ok().filter(|(value, _)| value.is_object() || value.is_array())
}

/// Returns the members of `wanted` that differ from `read`, under the names that were sent. If members of a nested
/// object were sent beside it, its own differing members are returned beside it, too.
fn differing(sent: &Map<String, Value>, schema: &Value, read: &Value, wanted: &Value) -> Map<String, Value> {
    let mut differing_members = Map::new();
    let members = [read, wanted].map(Value::as_object);
    let (Some(properties), [Some(read), Some(wanted)]) = (schema["properties"].as_object(), members) else {
        return differing_members;
    };
    for (name, value) in wanted.iter().filter(|(name, value)| read.get(*name) != Some(value)) {
        let nest = nests(properties).find(|nest| nest.name == name);
        if let Some(nest) = nest.filter(|nest| sent.keys().any(|sent| nest.takes(sent, properties))) {
            let object = |value: &Value| value.get(0).unwrap_or(value).clone();
            let (old, new) = (read.get(name).map(object).unwrap_or_default(), object(value));
            differing_members.extend(differing(sent, nest.object, &old, &new));
            continue;
        }
        let names: Vec<_> = sent.keys().filter(|sent| canonical(sent, properties) == Some(name)).collect();
        let names = if names.is_empty() { vec![name] } else { names };
        differing_members.extend(names.into_iter().map(|name| (name.clone(), value.clone())));
    }
    differing_members
}

#[derive(Default)]
struct Reader {
    healed: Vec<Leniency>,
    /// Arguments that are missing, unknown, or given twice.
    flaws: Vec<(&'static str, String)>,
    /// The first value that has a wrong type.
    wrong: Option<String>,
}

impl Reader {
    fn heal(&mut self, rung: Leniency) {
        if !self.healed.contains(&rung) {
            self.healed.push(rung);
        }
    }

    fn flaw(&mut self, flaw: &'static str, path: &str, name: &str) {
        self.flaws.push((flaw, joined(path, name)));
    }

    /// Returns the object or list in a text of JSON, and notes what was healed.
    fn json_in(&mut self, value: &Value) -> Option<Value> {
        let (value, mended) = parsed_json(value)?;
        self.heal(mended.unwrap_or(Leniency::Arguments));
        Some(value)
    }

    /// Reads an object by its schema.
    fn object(&mut self, given: Map<String, Value>, schema: &Value, path: &str) -> Value {
        let Some(properties) = schema["properties"].as_object() else { return Value::Object(given) };
        let mut read = Map::new();
        for (name, value) in self.arrange(given, properties, path) {
            let Some(canonical) = canonical(&name, properties) else {
                match is_of(&snake_case(&name), ASIDES) {
                    true => self.heal(Leniency::Arguments),
                    false => self.flaw("unknown", path, &name),
                }
                continue;
            };
            let property = &properties[canonical];
            let is_text = property["empty"] == true || required(schema).any(|name| name == canonical);
            if value.is_null() || (value == "" && !is_text) {
                // OpenAI's strict functions send null for arguments that are left out.
                if !value.is_null() {
                    self.heal(Leniency::Arguments);
                }
                continue;
            }
            let file = value.as_str().filter(|_| canonical == "document").and_then(document_of).map(Value::from);
            if canonical != name || file.is_some() || property["hidden"] == true {
                self.heal(Leniency::Arguments);
            }
            let value = self.value(file.unwrap_or(value), property, &joined(path, canonical));
            if read.get(canonical).is_some_and(|before| *before != value) {
                self.flaw("given twice", path, canonical);
            }
            read.insert(canonical.to_owned(), value);
        }
        let missing = required(schema).filter(|name| !read.contains_key(*name));
        missing.for_each(|name| self.flaw("missing", path, name));
        Value::Object(read)
    }

    /// Moves members to the object that they belong to. The members of an argument with `unfolds` move up into the object
    /// around it. Members of a list's only item, or of an object with `beside`, move down into it if they were sent
    /// beside it.
    fn arrange(
        &mut self,
        given: Map<String, Value>,
        properties: &Map<String, Value>,
        path: &str,
    ) -> Map<String, Value> {
        let mut members = Map::new();
        for (name, value) in given {
            let unfolds = canonical(&name, properties).is_some_and(|own| properties[own]["unfolds"] == true);
            let moved = match value {
                Value::Object(inner) if unfolds => {
                    self.heal(Leniency::Arguments);
                    inner
                }
                value => json::object(&mut iter::once((name, value))),
            };
            self.join(&mut members, moved, path);
        }
        nests(properties).fold(members, |members, nest| self.move_into(members, &nest, properties, path))
    }

    /// Moves members that were sent beside an argument into it: into the object, or into the only item of the list.
    fn move_into(
        &mut self,
        members: Map<String, Value>,
        nest: &Nest<'_>,
        properties: &Map<String, Value>,
        path: &str,
    ) -> Map<String, Value> {
        let (inner, mut members): (Map<_, _>, Map<_, _>) =
            members.into_iter().partition(|(name, _)| nest.takes(name, properties));
        let Some(first) = inner.keys().next() else { return members };
        let sent_as = members.keys().find(|sent| canonical(sent, properties) == Some(nest.name)).cloned();
        let sent = sent_as.and_then(|name| members.remove(&name));
        // All members of an only item, without the list around it: that is not healed.
        if sent.is_some() || !nest.is_list {
            self.heal(Leniency::Arguments);
        }
        let Some(mut object) = nest.object_of(sent.as_ref().unwrap_or(&Value::Null)) else {
            let (first, name) = (joined(path, first), nest.name);
            self.wrong.get_or_insert_with(|| format!("`{first}`: expected in each of `{name}`, found beside it"));
            return members;
        };
        self.join(&mut object, inner, path);
        members.insert(nest.name.clone(), if nest.is_list { json!([object]) } else { Value::Object(object) });
        members
    }

    /// Adds members. One with two values is a flaw.
    fn join(&mut self, members: &mut Map<String, Value>, more: Map<String, Value>, path: &str) {
        for (name, value) in more {
            if members.get(&name).is_some_and(|own| *own != value) {
                self.flaw("given twice", path, &name);
            }
            members.insert(name, value);
        }
    }

    /// Reads a value by its schema.
    fn value(&mut self, given: Value, schema: &Value, path: &str) -> Value {
        let before = self.healed.len();
        let is_nested = ["array", "object"].iter().any(|kind| schema["type"] == *kind);
        let given = is_nested.then(|| self.json_in(&given)).flatten().unwrap_or(given);
        if schema["type"] == "object" && schema["properties"].is_null() {
            // Strict schemas describe such an object as a string: nothing is healed.
            self.healed.truncate(before);
        }
        let value = match converted(&given, schema) {
            Some(value) => {
                self.heal(Leniency::Arguments);
                value
            }
            None => given,
        };
        match value {
            Value::Object(members) if schema["properties"].is_object() => self.object(members, schema, path),
            Value::Array(items) if schema["items"].is_object() => {
                let item = |(at, item)| self.value(item, &schema["items"], &format!("{path}[{at}]"));
                Value::Array(items.into_iter().enumerate().map(item).collect())
            }
            value => {
                let wrong = mismatch(&value, schema).map(|wrong| format!("`{path}`: expected {wrong}"));
                self.wrong = self.wrong.take().or(wrong);
                value
            }
        }
    }
}

/// Returns the path of a member.
fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Converts a value to the type of its schema; `None` if it stays as it is.
fn converted(given: &Value, schema: &Value) -> Option<Value> {
    match (schema["type"].as_str()?, given) {
        ("string", Value::String(text)) => choice(text, schema),
        // A fraction stays a number: its digits as they were sent are not known.
        ("string", Value::Number(number)) if !number.is_f64() => Some(number.to_string().into()),
        ("boolean", Value::String(text)) => canonical_word(text, schema).parse::<bool>().ok().map(Value::from),
        ("integer", Value::String(text)) => text.trim().parse::<i64>().ok().map(Value::from),
        // To JSON Schema `2.0` is an integer, and some hosts send all numbers so.
        ("integer", Value::Number(number)) if number.is_f64() => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0)?;
            format!("{whole:.0}").parse::<i64>().ok().map(Value::from)
        }
        ("array", Value::Object(_)) => Some(json!([given])),
        ("array", Value::String(_)) => {
            let is_text = schema["items"]["type"] == "string" || schema["items"]["as_text"].is_string();
            is_text.then(|| json!([given]))
        }
        ("object", Value::String(_)) => object_of_text(given, schema).map(Value::Object),
        _ => None,
    }
}

/// An argument whose members may be sent beside it: a list of objects, or an object with `beside`.
struct Nest<'s> {
    name: &'s String,
    /// The schema of the object, or of the list's items.
    object: &'s Value,
    is_list: bool,
}

impl Nest<'_> {
    /// Returns true if a member that was sent beside the argument belongs into it. `properties` are those around it.
    fn takes(&self, member: &str, properties: &Map<String, Value>) -> bool {
        canonical(member, properties).is_none() && belongs(member, self.object)
    }

    /// Returns the object that was sent as the argument, or as the only item of the list; an empty one for null. `None` if
    /// something else was sent.
    fn object_of(&self, sent: &Value) -> Option<Map<String, Value>> {
        match (sent, sent.as_array().map(Vec::as_slice)) {
            (Value::Null, _) => Some(Map::new()),
            (Value::Object(object), _) if !self.is_list => Some(object.clone()),
            (Value::String(_), _) if !self.is_list => Some(object_of_text(sent, self.object).unwrap_or_default()),
            (_, Some([Value::Object(only)])) => Some(only.clone()),
            _ => None,
        }
    }
}

/// Iterates over the arguments whose members may be sent beside them.
fn nests(properties: &Map<String, Value>) -> impl Iterator<Item = Nest<'_>> {
    properties.iter().filter_map(|(name, property)| match &property["items"] {
        item if item["properties"].is_object() => Some(Nest { name, object: item, is_list: true }),
        _ => (property["beside"] == true).then_some(Nest { name, object: property, is_list: false }),
    })
}

/// Returns true if a member belongs to an object or to a nested one.
fn belongs(name: &str, object: &Value) -> bool {
    let Some(properties) = object["properties"].as_object() else { return false };
    canonical(name, properties).is_some() || nests(properties).any(|nest| belongs(name, nest.object))
}

/// Returns the object that a text stands for: its only member is the one that `as_text` names.
fn object_of_text(text: &Value, schema: &Value) -> Option<Map<String, Value>> {
    Some(json::object(&mut iter::once((schema["as_text"].as_str()?.to_owned(), text.clone()))))
}

/// Returns the choice that another word or letter case stands for.
fn choice(text: &str, schema: &Value) -> Option<Value> {
    let choices = schema["enum"].as_array()?;
    let choice = Value::from(canonical_word(text, schema));
    (choices.contains(&choice) && choice != text).then_some(choice)
}

/// Returns the choice that a word stands for, else the word in lower case.
fn canonical_word(text: &str, schema: &Value) -> String {
    let word = text.trim().to_lowercase();
    let mut pairs = schema["words"].as_str().unwrap_or_default().split(' ').filter_map(|pair| pair.split_once('='));
    pairs.find(|(other, _)| *other == word).map_or(word, |(_, choice)| choice.to_owned())
}

/// Says what was expected and found, if a value does not fit its schema.
fn mismatch(value: &Value, schema: &Value) -> Option<String> {
    if let Some(least) = schema["minimum"].as_i64().filter(|least| value.as_i64().is_some_and(|value| value < *least)) {
        return Some(format!("a number of at least {least}, found {value}"));
    }
    let choices = schema["enum"].as_array().filter(|known| schema["open"] != true && !known.contains(value));
    if let (Some(known), Some(found)) = (choices, value.as_str()) {
        let known: Vec<_> = known.iter().filter_map(Value::as_str).map(|name| format!("`{name}`")).collect();
        let (last, others) = known.split_last()?;
        return Some(format!("{} or {last}, found `{}`", others.join(", "), excerpt(found, 40)));
    }
    let wanted = schema["type"].as_str()?;
    let text = value.as_str().filter(|_| wanted == "array");
    if let Some(Err(error)) = text.map(json::read) {
        return Some(format!("a JSON array, found broken JSON at {}", json::flaw(&error)));
    }
    let is_whole = value.as_number().is_some_and(|number| !number.is_f64());
    let fits = kind(value).ends_with(wanted) || (wanted == "integer" && is_whole);
    (!fits).then(|| format!("{wanted}, found {}", kind(value)))
}

/// Returns the name of an argument in the schema.
fn canonical<'a>(name: &str, properties: &'a Map<String, Value>) -> Option<&'a str> {
    let own = |name: &str| properties.get_key_value(name).map(|(name, _)| name.as_str());
    let other = || {
        let snake = snake_case(name);
        let is_alias = |property: &Value| property["aliases"].as_str().is_some_and(|names| is_of(&snake, names));
        let alias = || properties.iter().find(|(_, property)| is_alias(property)).map(|(name, _)| name.as_str());
        let everywhere = || EVERYWHERE.iter().filter(|(_, names)| is_of(&snake, names)).find_map(|(name, _)| own(name));
        own(&snake).or_else(alias).or_else(everywhere)
    };
    own(name).or_else(other)
}

/// Returns the document of a file name: `memory` for `/memory.md` and `/memories/memory.md`.
fn document_of(path: &str) -> Option<&str> {
    let below = path.strip_prefix("/memories/").unwrap_or(path).trim_start_matches('/');
    Some(below.strip_suffix(".md").unwrap_or(below)).filter(|name| *name != path)
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut was_lower = false;
    for c in name.chars() {
        if c.is_uppercase() && was_lower {
            snake.push('_');
        }
        was_lower = c.is_lowercase() || c.is_numeric();
        match c {
            '-' | ' ' => snake.push('_'),
            c => snake.extend(c.to_lowercase()),
        }
    }
    snake
}

/// Iterates over the required members of a schema.
pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the kind of a value in words.
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
