//! The rules of each dialect, as functions that return what breaks them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use memdoc::Dialect;
use serde_json::{Map, Value};

/// Writes tools for people: a paragraph for each, with a line for each argument and its members. What replies hold is said once,
/// below all tools, and each tool names it.
pub fn outline(tools: &[Value]) -> String {
    let mut out = String::new();
    let mut replies: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        writeln!(out, "{name}\n  {}", tool["description"].as_str().unwrap().replace('\n', "\n  ")).unwrap();
        for (member, value) in tool.as_object().unwrap() {
            match member.as_str() {
                "name" | "description" => {}
                "inputSchema" | "input_schema" | "parameters" => lines(value, "", &mut out),
                "outputSchema" => {
                    for (member, schema) in value["properties"].as_object().unwrap() {
                        replies.entry(format!("{member}: {schema}")).or_default().push(name);
                    }
                }
                _ => writeln!(out, "  {member}: {value}").unwrap(),
            }
        }
        out.push('\n');
    }
    for (member, of) in replies {
        let of = if of.len() == tools.len() { "all".to_owned() } else { of.join(", ") };
        writeln!(out, "reply.{member}\n  {of}").unwrap();
    }
    out
}

/// Writes a line for a schema, and one for each that it holds.
fn lines(schema: &Value, path: &str, out: &mut String) {
    let nested = ["properties", "$defs", "items", "anyOf"];
    let own: Map<_, _> = schema
        .as_object()
        .unwrap()
        .clone()
        .into_iter()
        .filter(|(keyword, _)| !nested.contains(&keyword.as_str()))
        .collect();
    writeln!(out, "  .{path} {}", Value::Object(own)).unwrap();
    for keyword in ["$defs", "properties"] {
        for (name, inner) in schema[keyword].as_object().into_iter().flatten() {
            let dot = if path.is_empty() { "" } else { "." };
            lines(inner, &format!("{path}{dot}{}{name}", if keyword == "$defs" { "$" } else { "" }), out);
        }
    }
    if let Some(items) = schema.get("items") {
        lines(items, &format!("{path}[]"), out);
    }
    for choice in schema["anyOf"].as_array().into_iter().flatten() {
        lines(choice, &format!("{path}|"), out);
    }
}

/// Returns every rule of the dialect that a tool's description breaks.
pub fn breaches(dialect: Dialect, tool: &Value) -> Vec<String> {
    let mut found = Vec::new();
    match dialect {
        Dialect::OpenAi => openai(tool, &mut found),
        Dialect::Anthropic => anthropic(tool, &mut found),
        Dialect::Mcp => mcp(tool, &mut found),
        _ => found.push("no rules are known".to_owned()),
    }
    let name = tool["name"].as_str().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > 64 || !name.chars().all(is_name) {
        found.push(format!("the name `{name}`"));
    }
    if tool["description"].as_str().is_none_or(|words| words.len() < 40) {
        found.push("the description says little".to_owned());
    }
    found
}

fn members(value: &Value, allowed: &[&str], found: &mut Vec<String>) {
    let Some(members) = value.as_object() else { return found.push(format!("no object: {value}")) };
    let names: Vec<_> = members.keys().map(String::as_str).collect();
    let mut allowed = allowed.to_vec();
    allowed.sort_unstable();
    if names != allowed {
        found.push(format!("members {names:?}, expected {allowed:?}"));
    }
}

/// <https://platform.openai.com/docs/guides/structured-outputs#supported-schemas>
fn openai(tool: &Value, found: &mut Vec<String>) {
    members(tool, &["type", "name", "description", "strict", "parameters"], found);
    if (&tool["type"], &tool["strict"]) != (&Value::from("function"), &Value::from(true)) {
        found.push("no strict function".to_owned());
    }
    let schema = &tool["parameters"];
    if schema["type"] != "object" {
        found.push("the root is no object".to_owned());
    }
    let mut count = Count::default();
    let mut schema = schema.clone();
    for (name, definition) in definitions(&mut schema, found) {
        strict(&definition, &name, 1, &mut count, found);
    }
    strict(&schema, "", 1, &mut count, found);
    if count.depth > 10 || count.properties > 100 || count.choices > 500 {
        found.push(format!("too large: {count:?}"));
    }
}

#[derive(Debug, Default)]
struct Count {
    depth: usize,
    properties: usize,
    choices: usize,
}

fn strict(schema: &Value, path: &str, depth: usize, count: &mut Count, found: &mut Vec<String>) {
    count.depth = count.depth.max(depth);
    if schema.as_object().is_some_and(|members| members.len() == 1 && members.contains_key("$ref")) {
        return;
    }
    let allowed = ["type", "description", "enum", "properties", "required", "additionalProperties", "items", "anyOf"];
    for keyword in schema.as_object().into_iter().flat_map(|members| members.keys()) {
        if !allowed.contains(&keyword.as_str()) {
            found.push(format!("`{path}`: the keyword `{keyword}`"));
        }
    }
    if schema.get("type").is_some() == schema.get("anyOf").is_some() {
        found.push(format!("`{path}`: expected either a type or choices"));
    }
    count.choices += schema["enum"].as_array().map_or(0, Vec::len);
    if schema["type"] == "object" {
        let properties: Vec<_> = schema["properties"].as_object().into_iter().flatten().collect();
        let mut required: Vec<_> = schema["required"].as_array().into_iter().flatten().collect();
        required.sort_unstable_by_key(|name| name.to_string());
        let is_all = required.len() == properties.len()
            && required.iter().zip(&properties).all(|(required, (name, _))| *required == name.as_str());
        if !is_all || schema["additionalProperties"] != false {
            found.push(format!("`{path}`: not all is required, or more is allowed"));
        }
        count.properties += properties.len();
        for (name, property) in properties {
            strict(property, &format!("{path}.{name}"), depth + 1, count, found);
        }
    }
    if schema["type"] == "array" {
        strict(&schema["items"], &format!("{path}[]"), depth + 1, count, found);
    }
    for choice in schema["anyOf"].as_array().into_iter().flatten() {
        strict(choice, path, depth, count, found);
    }
}

fn anthropic(tool: &Value, found: &mut Vec<String>) {
    members(tool, &["name", "description", "input_schema"], found);
    let mut schema = tool["input_schema"].clone();
    for (name, definition) in definitions(&mut schema, found) {
        plain(&definition, &name, found);
    }
    without_references(&mut schema);
    input(&schema, found);
}

/// Takes out what is said once for several places; each must be referred to at least twice.
fn definitions(schema: &mut Value, found: &mut Vec<String>) -> Vec<(String, Value)> {
    let definitions = schema.as_object_mut().and_then(|members| members.remove("$defs"));
    let definitions: Vec<_> =
        definitions.as_ref().and_then(Value::as_object).cloned().unwrap_or_default().into_iter().collect();
    let text = schema.to_string();
    let references = |name: &str| text.matches(&format!("\"#/$defs/{name}\"")).count();
    for (name, _) in definitions.iter().filter(|(name, _)| references(name) < 2) {
        found.push(format!("`{name}` is said apart for fewer than two places"));
    }
    let known: usize = definitions.iter().map(|(name, _)| references(name)).sum();
    if text.matches("\"$ref\"").count() != known {
        found.push("a reference to nothing".to_owned());
    }
    definitions
}

/// Takes references out, which this dialect allows in any place but that of an argument.
fn without_references(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.remove("$ref");
            members.values_mut().for_each(without_references);
        }
        Value::Array(items) => items.iter_mut().for_each(without_references),
        _ => {}
    }
}

fn mcp(tool: &Value, found: &mut Vec<String>) {
    members(tool, &["name", "title", "description", "inputSchema", "outputSchema", "annotations"], found);
    input(&tool["inputSchema"], found);
    let output = &tool["outputSchema"];
    if output["type"] != "object"
        || !output["required"].as_array().is_some_and(|names| names.contains(&"status".into()))
    {
        found.push("results are no object with a status".to_owned());
    }
    plain(output, "reply", found);
    let hints = &tool["annotations"];
    members(hints, &["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"], found);
    if hints["readOnlyHint"] == true && (hints["destructiveHint"] != false || hints["idempotentHint"] != true) {
        found.push("a tool that reads destroys".to_owned());
    }
}

/// Portable input: an object at the root, no unions beside lists, every argument described.
fn input(schema: &Value, found: &mut Vec<String>) {
    if schema["type"] != "object" {
        found.push("the root is no object".to_owned());
    }
    plain(schema, "", found);
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if !property["type"].is_string() {
            found.push(format!("`{name}` may be of several types"));
        }
        if property["description"].as_str().is_none_or(str::is_empty) {
            found.push(format!("`{name}` is not described"));
        }
    }
}

/// What no dialect wants: references, names of types, formats, and descriptions with line breaks.
fn plain(schema: &Value, path: &str, found: &mut Vec<String>) {
    for keyword in ["$schema", "$ref", "$defs", "title", "format", "default", "oneOf", "allOf", "not"] {
        if schema.get(keyword).is_some() {
            found.push(format!("`{path}`: the keyword `{keyword}`"));
        }
    }
    if schema["description"].as_str().is_some_and(|words| words.contains('\n')) {
        found.push(format!("`{path}`: the description has several lines"));
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        plain(property, &format!("{path}.{name}"), found);
    }
    if let Some(items) = schema.get("items") {
        plain(items, &format!("{path}[]"), found);
    }
    for choice in schema["anyOf"].as_array().into_iter().flatten() {
        plain(choice, path, found);
    }
}
