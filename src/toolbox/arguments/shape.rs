//! The shape of a call, for a model that got it wrong: names, types, and what may be left out, nested members included.

use serde_json::Value;

use crate::toolbox::arguments::required;
use crate::toolbox::arguments::values::types;

/// Returns the shape of a call: `tool({"a": string, "b"?: integer, "c"?: [{"d": string}]})`.
pub(crate) fn shape(name: &str, schema: &Value) -> String {
    format!("{name}({})", Shape::default().object(schema, ""))
}

/// Writes shapes; an object that occurs again is referred to by the name under which it was said first.
#[derive(Default)]
struct Shape<'a> {
    said: Vec<(&'a Value, String)>,
}

impl<'a> Shape<'a> {
    fn object(&mut self, schema: &'a Value, name: &str) -> String {
        let properties = schema.get("properties").unwrap_or(&Value::Null);
        if let Some((_, first)) = self.said.iter().find(|(known, _)| *known == properties) {
            return format!("as \"{first}\"");
        }
        self.said.push((properties, name.to_owned()));
        let required: Vec<_> = required(schema).collect();
        let properties = properties.as_object().into_iter().flatten();
        let (mut needed, optional): (Vec<_>, Vec<_>) =
            properties.partition(|(name, _)| required.contains(&name.as_str()));
        // The order in which the tool names its arguments.
        needed.sort_by_key(|(name, _)| required.iter().position(|required| required == name));
        // A nested object is said before what refers to it.
        let (target, rest): (Vec<_>, Vec<_>) = optional.into_iter().partition(|(name, _)| *name == "target");
        let mut members = Vec::new();
        for (name, property) in needed.into_iter().chain(target).chain(rest) {
            let mark = if required.contains(&name.as_str()) { "" } else { "?" };
            members.push(format!("\"{name}\"{mark}: {}", self.value(property, name)));
        }
        format!("{{{}}}", members.join(", "))
    }

    fn value(&mut self, schema: &'a Value, name: &str) -> String {
        let choices = ["anyOf", "oneOf"].iter().find_map(|name| schema.get(*name)).and_then(Value::as_array);
        if let Some(choices) = choices {
            let not_null = choices.iter().filter(|choice| types(choice).ne(["null"]));
            let shapes: Vec<_> = not_null.map(|choice| self.value(choice, name)).collect();
            return shapes.join(" or ");
        }
        if let Some(names) = schema.get("enum").and_then(Value::as_array) {
            let names: Vec<_> = names.iter().filter(|name| !name.is_null()).map(ToString::to_string).collect();
            return names.join("|");
        }
        if let Some(items) = schema.get("items") {
            return format!("[{}]", self.value(items, name));
        }
        if schema.get("properties").is_some() {
            return self.object(schema, name);
        }
        let mut names: Vec<_> = types(schema).filter(|name| *name != "null").collect();
        if names.is_empty() {
            names.push("value");
        }
        names.join(" or ")
    }
}
