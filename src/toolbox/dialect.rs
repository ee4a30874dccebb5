//! [`Dialect`]: the definition of a tool in the JSON of a host's API.

use serde_json::{Map, Value, json};

use crate::text::names;
use crate::toolbox::keywords::required;
use crate::toolbox::{ToolDefinition, files};

names! {
    /// The form of a tool definition.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Dialect, read as "the dialect `openai`, `anthropic` or `mcp`" {
        /// A strict function of OpenAI's Responses API. For Chat Completions, put all members but `type` into a
        /// member `function`.
        ///
        /// An optional argument is required and may be null. What strict schemas cannot express has another form,
        /// which the toolbox reads, too: an object of any members is a string of JSON. Limits of numbers are in
        /// descriptions only.
        OpenAi = "openai",
        /// A tool of Anthropic's Messages API: `name`, `description`, `input_schema`. A tool that its models are
        /// trained for has `type` and `name` only.
        Anthropic = "anthropic",
        /// A tool of the Model Context Protocol, with the schema of its results and four annotations.
        Mcp = "mcp",
    }
}

impl ToolDefinition {
    /// Returns the definition in the form of a dialect, ready to be sent.
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
        let (name, description, effect) = (self.name, self.description(), self.effect);
        match dialect {
            Dialect::OpenAi => {
                let parameters = strict(&self.shortest_schema());
                json!({"type": "function", "name": name, "description": description, "strict": true, "parameters": parameters})
            }
            // Anthropic's models know its schema and description.
            Dialect::Anthropic if self.name == files::TOOL.name => json!({"type": "memory_20250818", "name": name}),
            Dialect::Anthropic => {
                json!({"name": name, "description": description, "input_schema": self.shortest_schema()})
            }
            Dialect::Mcp => json!({
                "name": name,
                "title": self.title,
                "description": description,
                "inputSchema": self.input_schema(),
                // All tools have the same short one.
                "outputSchema": {"type": "object", "properties": {"status": {"type": "string"}}, "required": ["status"]},
                "annotations": {
                    "readOnlyHint": effect.is_read_only(),
                    "destructiveHint": effect.is_destructive(),
                    "idempotentHint": effect.is_idempotent(),
                    // No tool uses anything but the memory.
                    "openWorldHint": false,
                },
            }),
        }
    }
}

/// Returns a schema for a strict function: all members are required, and optional ones may be null.
fn strict(schema: &Value) -> Value {
    let keyword = |keyword: &str| Some((keyword.to_owned(), schema.get(keyword)?.clone()));
    let mut out: Map<_, _> = ["type", "enum", "description", "$ref"].into_iter().filter_map(keyword).collect();
    if let Some(items) = schema.get("items") {
        out.insert("items".to_owned(), strict(items));
    }
    if let Some(definitions) = schema["$defs"].as_object() {
        let definition = |(name, schema): (&String, &Value)| (name.clone(), strict(schema));
        out.insert("$defs".to_owned(), definitions.iter().map(definition).collect());
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

/// Allows null, too.
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
