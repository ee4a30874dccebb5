//! What the schema of a tool says about the arguments that models send: by which other names and words they are known,
//! and which values fit. The schema has keywords of memdoc's own:
//! - `aliases`: other names of the argument.
//! - `as_text`: the member that is meant if a text is sent in place of the object.
//! - `assumed`: the value of the argument that a retry takes if it is missing.
//! - `beside`: the members of the object may be sent beside it.
//! - `empty`: an empty text is a value; if the argument is required, a retry takes it where the argument is missing.
//! - `fix`: the field of the request that the argument holds; a retry finds it by this.
//! - `hidden`: hosts do not see the argument.
//! - `open`: the tool itself refuses other choices.
//! - `words`: other words for a choice, such as `add=insert`.

use serde_json::{Map, Value, json};

use crate::text::excerpt;

/// The arguments of an object, by name.
pub(super) type Properties = Map<String, Value>;

/// The keywords, which hosts do not see.
pub(super) const KEYWORDS: [&str; 9] =
    ["aliases", "as_text", "assumed", "beside", "empty", "fix", "hidden", "open", "words"];

/// Other names of arguments that all tools have. Those of one tool are in its schema, as `aliases`.
const EVERYWHERE: [(&str, &str); 4] = [
    ("base_revision", "revision_id revision hash base"),
    ("document", "doc document_name label path file filename file_path file_name target_file"),
    ("section", "section_name sections heading"),
    ("block", "block_id memory_id"),
];

/// Returns true if a word is in a row of words.
pub(super) fn is_of(word: &str, row: &str) -> bool {
    row.split(' ').any(|other| other == word)
}

/// Returns true if the members of an argument may be sent beside it: for a list of objects, and an object with `beside`.
pub(super) fn is_nest(property: &Value) -> bool {
    property["items"]["properties"].is_object() || property["beside"] == true
}

/// Iterates over the arguments whose members may be sent beside them.
pub(super) fn nests(properties: &Properties) -> impl Iterator<Item = (&String, &Value)> {
    properties.iter().filter(|(_, property)| is_nest(property))
}

/// Returns the schema of an object, for a list of objects that of its items.
pub(super) fn object_in(property: &Value) -> &Value {
    property.get("items").unwrap_or(property)
}

/// Returns true if a member that was sent beside such an argument belongs into it. `properties` are those around it.
pub(super) fn is_inside(member: &str, property: &Value, properties: &Properties) -> bool {
    canonical(member, properties).is_none() && belongs(member, object_in(property))
}

/// Returns true for the schema of an object that takes any members.
pub(super) fn takes_any(object: &Value) -> bool {
    object["type"] == "object" && object["properties"].is_null()
}

/// Returns true if a member belongs to an object or to a nested one.
pub(super) fn belongs(name: &str, object: &Value) -> bool {
    let Some(properties) = object["properties"].as_object() else { return false };
    canonical(name, properties).is_some() || nests(properties).any(|(_, nest)| belongs(name, object_in(nest)))
}

/// Returns the only item of a list, else the value itself.
pub(super) fn only_item(value: &Value) -> &Value {
    match value.as_array().map(Vec::as_slice) {
        Some([only]) => only,
        _ => value,
    }
}

/// Returns the text of a list of lines. A text inside a list or an object is one line.
pub(super) fn text_of_lines(value: &Value, path: &str) -> Option<Value> {
    let lines = value.as_array().filter(|lines| lines.len() == 1 || !path.contains(['.', '[']))?;
    let lines: Option<Vec<_>> = lines.iter().map(Value::as_str).collect();
    Some(lines?.join("\n").into())
}

/// Returns the object that a text stands for: its only member is the one that `as_text` names.
pub(super) fn object_of_text(value: &Value, schema: &Value) -> Option<Map<String, Value>> {
    let member = schema["as_text"].as_str().filter(|_| value.is_string())?;
    Some(Map::from_iter([(member.to_owned(), value.clone())]))
}

/// Returns the choice that a text stands for, in any letter case or in another word.
fn choice(text: &str, schema: &Value) -> Option<Value> {
    let choice = Value::from(canonical_word(text, schema));
    schema["enum"].as_array()?.contains(&choice).then_some(choice)
}

/// Returns the argument that is meant by one with an unknown name, or with a text that does not fit, and its value:
///
/// - a choice that was sent as a flag: `append: true` is `mode: append`;
/// - a flag or a choice that was sent as a text: `position: last` is `last: true`;
/// - a text that is no choice, where there is a section: `to: Facts`.
///
/// `own` is the argument of that name; `None` if it is unknown.
pub(super) fn meant<'s>(
    own: Option<&'s str>,
    name: &str,
    value: &Value,
    properties: &'s Properties,
) -> Option<(&'s str, Value)> {
    let text = match (own, value) {
        (None, Value::Bool(true)) => name,
        (_, Value::String(text)) => text,
        _ => return None,
    };
    let schema = own.map(|own| &properties[own]);
    if value == "" || schema.is_some_and(|schema| fits(value, schema)) {
        return None;
    }
    let mut choices = properties.iter().filter_map(|(name, schema)| Some((name.as_str(), choice(text, schema)?)));
    let flag = canonical(text, properties).filter(|name| properties[*name]["type"] == "boolean");
    let is_section = properties.contains_key("section") && schema.is_some_and(|schema| schema["enum"].is_array());
    match (choices.next(), choices.next()) {
        (None, _) => flag.map(|name| (name, true.into())).or(is_section.then(|| ("section", value.clone()))),
        (only, None) => only,
        _ => None,
    }
}

/// Returns the choice that a word stands for, else the word in lower case.
fn canonical_word(text: &str, schema: &Value) -> String {
    let word = text.trim().to_lowercase();
    let mut pairs = schema["words"].as_str().unwrap_or_default().split(' ').filter_map(|pair| pair.split_once('='));
    pairs.find(|(other, _)| *other == word).map_or(word, |(_, choice)| choice.to_owned())
}

/// Converts a value to the type of its schema; `None` if it stays as it is.
pub(super) fn converted(given: &Value, schema: &Value) -> Option<Value> {
    match (schema["type"].as_str()?, given) {
        ("string", Value::String(text)) => choice(text, schema).filter(|choice| choice != text),
        // A fraction stays a number: its digits as they were sent are not known.
        ("string", Value::Number(number)) if !number.is_f64() => Some(number.to_string().into()),
        ("boolean", Value::String(text)) => canonical_word(text, schema).parse::<bool>().ok().map(Value::from),
        ("integer", Value::String(text)) => text.trim().parse::<i64>().ok().map(Value::from),
        // To JSON Schema `2.0` is an integer, and some hosts send all numbers so.
        ("integer", Value::Number(number)) if number.is_f64() => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0)?;
            format!("{whole:.0}").parse::<i64>().ok().map(Value::from)
        }
        ("array", item) if !item.is_array() => fits(item, &schema["items"]).then(|| json!([item])),
        ("object", text) => object_of_text(text, schema).map(Value::Object),
        _ => None,
    }
}

/// Returns true for null, false, and what is empty.
pub(super) fn says_nothing(value: &Value) -> bool {
    match value {
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        value => value.is_null() || value == false,
    }
}

/// Returns true if a value fits its schema, as it is or converted.
fn fits(value: &Value, schema: &Value) -> bool {
    mismatch(value, schema).is_none() || converted(value, schema).is_some()
}

/// Says what was expected and found, if a value does not fit its schema.
pub(super) fn mismatch(value: &Value, schema: &Value) -> Option<String> {
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
    let is_whole = value.as_number().is_some_and(|number| !number.is_f64());
    let fits = kind(value).ends_with(wanted) || (wanted == "integer" && is_whole);
    (!fits).then(|| format!("{wanted}, found {}", kind(value)))
}

/// Returns the name of an argument in the schema.
pub(super) fn canonical<'a>(name: &str, properties: &'a Properties) -> Option<&'a str> {
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

/// Returns true for a name of an argument that all tools have.
pub(super) fn is_everywhere(name: &str) -> bool {
    EVERYWHERE.iter().any(|(own, names)| *own == name || is_of(&snake_case(name), names))
}

/// Returns the document of a file name: `memory` for `/memory.md` and `/memories/memory.md`.
pub(super) fn document_of(path: &str) -> Option<&str> {
    let below = path.strip_prefix("/memories/").unwrap_or(path).trim_start_matches('/');
    Some(below.strip_suffix(".md").unwrap_or(below)).filter(|name| *name != path)
}

pub(super) fn snake_case(name: &str) -> String {
    let mut was_lower = false;
    let snake = name.chars().flat_map(|c| {
        let begins_word = c.is_uppercase() && was_lower;
        was_lower = c.is_lowercase() || c.is_numeric();
        begins_word.then_some('_').into_iter().chain(c.to_lowercase())
    });
    snake.collect::<String>().replace(['-', ' '], "_")
}

/// Iterates over the required members of a schema.
pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the kind of a value in words.
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
