//! Definitions of tools as a person reads them: what fits on a line is on one line, and what was told already is not told again.

use std::collections::HashMap;

use serde_json::Value;

/// How many columns a line has.
const WIDTH: usize = 160;
/// A value that takes fewer columns is told as often as it occurs.
const SHORT: usize = 60;

/// What has been told, each value with the name of its member, and by which tool.
#[derive(Default)]
pub(crate) struct Told(HashMap<(String, String), String>);

impl Told {
    /// Returns a tool's definition with `"as for TOOL"` in the place of each member that another tool has just so.
    pub(crate) fn shorten(&mut self, tool: &str, value: &Value) -> Value {
        match value {
            Value::Object(members) => members
                .iter()
                .map(|(name, value)| {
                    let whole = value.to_string();
                    if whole.len() <= SHORT {
                        return (name.clone(), value.clone());
                    }
                    match self.0.get(&(name.clone(), whole.clone())) {
                        Some(other) if other != tool => (name.clone(), format!("as for {other}").into()),
                        _ => {
                            let shortened = self.shorten(tool, value);
                            self.0.insert((name.clone(), whole), tool.to_owned());
                            (name.clone(), shortened)
                        }
                    }
                })
                .collect(),
            Value::Array(items) => items.iter().map(|item| self.shorten(tool, item)).collect(),
            other => other.clone(),
        }
    }
}

/// Writes a value with each part on one line that fits there.
pub(crate) fn laid_out(value: &Value) -> String {
    let mut text = String::new();
    lay_out(value, 0, 0, &mut text);
    text
}

/// `taken` columns of the line are taken already.
fn lay_out(value: &Value, indent: usize, taken: usize, text: &mut String) {
    let whole = value.to_string();
    let parts: Vec<(String, &Value)> = match value {
        _ if indent + taken + whole.chars().count() < WIDTH => Vec::new(),
        Value::Object(members) => members.iter().map(|(name, value)| (format!("{name}: "), value)).collect(),
        Value::Array(items) => items.iter().map(|item| (String::new(), item)).collect(),
        _ => Vec::new(),
    };
    if parts.is_empty() {
        text.push_str(&whole);
        return;
    }
    let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
    text.push(open);
    for (name, part) in parts {
        text.push_str(&format!("\n{:1$}{name}", "", indent + 2));
        lay_out(part, indent + 2, name.chars().count(), text);
    }
    text.push_str(&format!("\n{:indent$}{close}", ""));
}
