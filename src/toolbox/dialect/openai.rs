//! OpenAI's strict functions: every property required, no others allowed, and few keywords.

use serde_json::{Map, Value, json};

use super::shared::shared;
use crate::toolbox::ToolDefinition;
use crate::toolbox::arguments::required;
use crate::toolbox::json::object_of;

pub(super) fn function(tool: &ToolDefinition) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description(),
        "strict": true,
        "parameters": shared(strict(tool.input_schema())),
    })
}

fn strict(schema: &Value) -> Value {
    if schema["type"] == "object" {
        return object(schema);
    }
    let mut out = Map::new();
    for keyword in ["type", "enum", "description"] {
        if let Some(value) = schema.get(keyword) {
            out.insert(keyword.to_owned(), value.clone());
        }
    }
    if let Some(items) = schema.get("items") {
        out.insert("items".to_owned(), strict(items));
    }
    if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
        out.insert("anyOf".to_owned(), choices.iter().map(strict).collect());
    }
    Value::Object(out)
}

fn object(schema: &Value) -> Value {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return match schema.get("additionalProperties").filter(|values| values.is_object()) {
            Some(values) => list_of_pairs(schema, values),
            None => described(json!({"type": "string"}), schema, "A JSON object, in a string."),
        };
    };
    let required: Vec<_> = required(schema).collect();
    let property = |(name, property): (&String, &Value)| {
        let property = strict(property);
        (name.clone(), if required.contains(&name.as_str()) { property } else { nullable(property) })
    };
    let object = json!({
        "type": "object",
        "properties": object_of(properties.iter().map(property).collect()),
        "required": properties.keys().collect::<Vec<_>>(),
        "additionalProperties": false,
    });
    described(object, schema, "")
}

/// Says a map, whose names a strict schema cannot leave open, as a list.
fn list_of_pairs(schema: &Value, values: &Value) -> Value {
    let pair = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "value": strict(values)},
        "required": ["name", "value"],
        "additionalProperties": false,
    });
    described(json!({"type": "array", "items": pair}), schema, "A list of names and values.")
}

/// Adds the description of `schema`, and how its value is to be written here.
fn described(mut out: Value, schema: &Value, form: &str) -> Value {
    let words = [schema["description"].as_str().unwrap_or_default(), form].join(" ");
    if let (Some(members), false) = (out.as_object_mut(), words.trim().is_empty()) {
        members.insert("description".to_owned(), words.trim().into());
    }
    out
}

/// Allows null too, for what may be left out.
fn nullable(schema: Value) -> Value {
    let Value::Object(mut members) = schema else { return schema };
    let is_plain = !["enum", "properties", "items", "anyOf"].iter().any(|keyword| members.contains_key(*keyword));
    if let (true, Some(name)) = (is_plain, members.get("type").cloned()) {
        members.insert("type".to_owned(), json!([name, "null"]));
        return Value::Object(members);
    }
    let description = members.remove("description");
    let mut choices = match members.remove("anyOf") {
        Some(Value::Array(choices)) => choices,
        _ => vec![Value::Object(members)],
    };
    choices.push(json!({"type": "null"}));
    let mut out = object_of(vec![("anyOf".to_owned(), Value::Array(choices))]);
    out.extend(description.map(|words| ("description".to_owned(), words)));
    Value::Object(out)
}
