//! The schemas of a tool as MCP hosts want them: plain objects, for its arguments and for every reply.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// Adapts the schema of a tool's arguments: hosts hand it on to models whose dialects know less of JSON Schema.
pub(crate) fn input(schema: &Value) -> JsonObject {
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    // They name the dialect and a type of the library, and say nothing to a model.
    for member in ["$schema", "title", "description"] {
        schema.remove(member);
    }
    schema.insert("type".to_owned(), "object".into());
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    for (name, property) in properties.as_object_mut().into_iter().flatten() {
        if !required.iter().any(|required| required == name) {
            without_null(property);
        }
    }
    schema.values_mut().for_each(without_formats);
    schema
}

/// What may be left out need not be null: a list of types is more than some dialects read.
fn without_null(property: &mut Value) {
    let Some(property) = property.as_object_mut() else { return };
    if let Some(types) = property.get_mut("type").and_then(Value::as_array_mut) {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = property.get("anyOf") {
        let rest: Vec<_> = choices.iter().filter(|choice| choice["type"] != "null").cloned().collect();
        property.remove("anyOf");
        match <[Value; 1]>::try_from(rest) {
            Ok([only]) => property.extend(only.as_object().cloned().unwrap_or_default()),
            Err(rest) => drop(property.insert("anyOf".to_owned(), rest.into())),
        }
    }
    property.retain(|member, value| member != "default" || !value.is_null());
}

/// Removes the widths of numbers, which strict validators take for formats that they do not know.
fn without_formats(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let is_width = |format: &Value| {
                format.as_str().is_some_and(|name| {
                    name.starts_with("int") || name.starts_with("uint") || matches!(name, "float" | "double")
                })
            };
            members.retain(|member, value| member != "format" || !is_width(value));
            members.values_mut().for_each(without_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(without_formats),
        _ => {}
    }
}

/// Returns the schema of every reply: what they have in common, open to what a tool adds.
pub(crate) fn output() -> JsonObject {
    let text = |description: &str| json!({"type": "string", "description": description});
    let schema = json!({
        "type": "object",
        "properties": {
            "status": {
                "type": "string",
                "description": "What became of the call. After `error` nothing was changed.",
                // Those of SPEC § 19, so that a status that the library gains is promised already.
                "enum": [
                    "committed", "editing", "needs_match", "preview", "ok", "no_change", "already_applied", "reverted",
                    "error",
                ],
            },
            "revision": text("The revision of the document, for `base_revision`."),
            "text": text("What was read, or the rendered change."),
            "code": text("The kind of an error."),
            "message": text("What happened."),
            "hint": text("What to send instead."),
            "retryable": {"type": "boolean", "description": "Whether the same call may succeed later."},
            "candidates": {
                "type": "array",
                "description": "The places that were meant, perhaps, and for each what to send.",
                "items": {"type": "object"},
            },
            "closest": {
                "type": "array",
                "description": "The lines that are most like what was not found.",
                "items": {"type": "object"},
            },
        },
        "required": ["status"],
        "additionalProperties": true,
    });
    match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_library_are_left_out_and_definitions_kept() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Arguments",
            "description": "Of no use to a model.",
            "type": "object",
            "properties": {"ops": {"type": "array", "items": {"$ref": "#/$defs/Op"}}},
            "required": ["ops"],
            "$defs": {"Op": {"type": "object", "properties": {"at": {"type": "integer", "format": "uint32"}}}},
        });
        let expected = json!({
            "type": "object",
            "properties": {"ops": {"type": "array", "items": {"$ref": "#/$defs/Op"}}},
            "required": ["ops"],
            "$defs": {"Op": {"type": "object", "properties": {"at": {"type": "integer"}}}},
        });
        assert_eq!(Value::Object(input(&schema)), expected);
    }

    #[test]
    fn what_may_be_left_out_need_not_be_null() {
        let schema = json!({"type": "object", "properties": {
            "text": {"type": ["string", "null"], "default": null, "description": "A text."},
            "kind": {"anyOf": [{"$ref": "#/$defs/Kind"}, {"type": "null"}], "description": "A kind."},
            "either": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        }});
        let expected = json!({"type": "object", "properties": {
            "text": {"type": "string", "description": "A text."},
            "kind": {"$ref": "#/$defs/Kind", "description": "A kind."},
            "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        }});
        assert_eq!(Value::Object(input(&schema)), expected);
    }

    #[test]
    fn an_argument_may_be_called_as_a_keyword_is() {
        let schema = json!({"type": "object", "properties": {
            "format": {"type": "string"},
            "title": {"type": "string", "format": "date"},
        }});
        assert_eq!(Value::Object(input(&schema)), schema);
    }

    #[test]
    fn a_tool_without_arguments_takes_an_object() {
        assert_eq!(Value::Object(input(&json!(true))), json!({"type": "object", "properties": {}}));
    }
}
