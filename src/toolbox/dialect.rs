//! The dialects in which hosts are told of tools: one definition, adapted to each.

use serde_json::{Map, Value, json};

use crate::text::names;
use crate::toolbox::ToolDefinition;
use crate::toolbox::arguments::required;

names! {
    /// How a host wants to be told of a tool.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Dialect, read as "the dialect `openai`, `anthropic` or `mcp`" {
        /// A strict function of OpenAI's Responses API, whose members stand beside `type`. For Chat Completions, put all but
        /// `type` into a member `function`.
        ///
        /// What may be left out is required and may be null. What strict schemas cannot say is said in another way, which the
        /// toolbox reads as well: an object of any members as a string of JSON. Limits such as the least count are told in descriptions only.
        OpenAi = "openai",
        /// A tool of Anthropic's Messages API: `name`, `description`, `input_schema`; of one that its models know, `type` and `name`.
        Anthropic = "anthropic",
        /// A tool of the Model Context Protocol, with the schema of its results and all four hints.
        Mcp = "mcp",
    }
}

impl ToolDefinition {
    /// Describes the tool to a host, ready to be sent.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{Dialect, ToolSet};
    ///
    /// let tools: Vec<_> = ToolSet::Minimal.tools().iter().map(|tool| tool.to_json(Dialect::Anthropic)).collect();
    /// assert_eq!(tools[0]["name"], "memory_read");
    /// assert_eq!(tools[0]["input_schema"]["type"], "object");
    /// ```
    pub fn to_json(&self, dialect: Dialect) -> Value {
        match dialect {
            Dialect::OpenAi => function(self),
            Dialect::Anthropic => anthropic(self),
            Dialect::Mcp => mcp(self),
        }
    }
}

fn anthropic(tool: &ToolDefinition) -> Value {
    if let Some(kind) = tool.anthropic {
        return json!({"type": kind, "name": tool.name});
    }
    json!({"name": tool.name, "description": tool.description(), "input_schema": tool.shortest_schema()})
}

fn mcp(tool: &ToolDefinition) -> Value {
    let effect = tool.effect;
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description(),
        "inputSchema": tool.input_schema(),
        // All tools have one in common: a listing stays short.
        "outputSchema": {"type": "object", "properties": {"status": {"type": "string"}}, "required": ["status"]},
        "annotations": {
            "readOnlyHint": effect.is_read_only(),
            "destructiveHint": effect.is_destructive(),
            "idempotentHint": effect.is_idempotent(),
            // No tool reaches beyond the memory.
            "openWorldHint": false,
        },
    })
}

fn function(tool: &ToolDefinition) -> Value {
    let schema = tool.shortest_schema();
    let mut parameters = strict(&schema);
    if let Some(definitions) = schema.get("$defs").and_then(Value::as_object) {
        parameters["$defs"] = definitions.iter().map(|(name, schema)| (name.clone(), strict(schema))).collect();
    }
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description(),
        "strict": true,
        "parameters": parameters,
    })
}

/// Returns a schema as strict functions have it: all members are required, and those that may be left out may be null.
fn strict(schema: &Value) -> Value {
    let keyword = |keyword: &str| Some((keyword.to_owned(), schema.get(keyword)?.clone()));
    let mut out: Map<_, _> = ["type", "enum", "description", "$ref"].into_iter().filter_map(keyword).collect();
    if let Some(items) = schema.get("items") {
        out.insert("items".to_owned(), strict(items));
    }
    if let Some(properties) = schema["properties"].as_object() {
        let required: Vec<_> = required(schema).collect();
        let property = |(name, property): (&String, &Value)| {
            let property = strict(property);
            (name.clone(), if required.contains(&name.as_str()) { property } else { nullable(property) })
        };
        out.insert("properties".to_owned(), properties.iter().map(property).collect());
        out.insert("required".to_owned(), properties.keys().cloned().collect());
        out.insert("additionalProperties".to_owned(), false.into());
    } else if schema["type"] == "object" {
        let words = [schema["description"].as_str().unwrap_or_default(), "A JSON object, in a string."].join(" ");
        out.insert("description".to_owned(), words.trim().into());
        out.insert("type".to_owned(), "string".into());
    }
    Value::Object(out)
}

/// Allows null too, for what may be left out.
fn nullable(mut schema: Value) -> Value {
    let is_plain = !["enum", "properties", "items", "$ref"].iter().any(|keyword| schema.get(keyword).is_some());
    if is_plain {
        schema["type"] = json!([schema["type"], "null"]);
        return schema;
    }
    let description = schema.as_object_mut().and_then(|members| members.remove("description"));
    let mut out = json!({"anyOf": [schema, {"type": "null"}]});
    if let Some(words) = description {
        out["description"] = words;
    }
    out
}
