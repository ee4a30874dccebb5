//! Names of arguments as models write them, and those that say nothing.

use serde_json::{Map, Value};
use similar::TextDiff;

use super::super::definition::ToolDefinition;

/// Names of arguments that mean the same in every tool.
const SYNONYMS: &[(&str, &str)] = &[
    ("revision_id", "base_revision"),
    ("revision", "base_revision"),
    ("hash", "base_revision"),
    ("base", "base_revision"),
    ("doc", "document"),
    ("document_name", "document"),
    ("file", "document"),
    ("section_name", "section"),
    ("heading", "section"),
    ("block_id", "block"),
    ("memory_id", "block"),
];

/// Names under which models give the file that they take a document for.
const FILES: &[&str] = &["path", "file", "filename", "file_path", "file_name"];

/// Arguments that hosts of other tools ask their models for.
const REMARKS: [&str; 9] = [
    "comment",
    "description",
    "explanation",
    "justification",
    "purpose",
    "rationale",
    "reasoning",
    "thinking",
    "thought",
];
/// Arguments of other tools, each with the value that is so in every call.
const SO_ANYWAY: &[(&str, &str)] = &[
    ("expected_replacements", "1"),
    ("replace_all", "false"),
    ("allow_duplicate", "false"),
    ("allow_duplicates", "false"),
    ("nested", "false"),
    ("regex", "false"),
    ("is_regex", "false"),
    ("use_regex", "false"),
    ("dry_run", "false"),
    ("preview", "false"),
    ("preview_only", "false"),
    ("case_sensitive", "true"),
    ("atomic", "true"),
    ("encoding", "utf-8"),
];

/// The character ratio from which a name is near another.
const NEAR: f32 = 0.75;

/// Returns the tool's own name for an argument.
pub(super) fn canonical_name<'a>(
    name: &str,
    tool: &ToolDefinition,
    properties: &'a Map<String, Value>,
) -> Option<&'a str> {
    let own = |name: &str| properties.get_key_value(name).map(|(name, _)| name.as_str());
    let snake = snake_case(name);
    let synonym = || {
        let all = tool.synonyms.iter().chain(SYNONYMS);
        all.filter(|(other, _)| *other == snake).find_map(|(_, canonical)| own(canonical))
    };
    own(name).or_else(|| own(&snake)).or_else(synonym)
}

/// Reports whether an argument that the tool does not have says what is so anyway.
pub(super) fn says_nothing(name: &str, value: &Value, tool: &ToolDefinition) -> bool {
    let name = snake_case(name);
    let words = match value {
        Value::String(text) => text.trim().to_lowercase(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return false,
    };
    let is_tool = matches!(name.as_str(), "tool" | "tool_name" | "name" | "function");
    (is_tool && words == tool.name) || SO_ANYWAY.contains(&(name.as_str(), words.as_str()))
}

/// Reports whether an argument of this name tells why a call is made, not what it is to do.
pub(super) fn is_remark(name: &str) -> bool {
    REMARKS.contains(&snake_case(name).as_str())
}

/// Returns the document that a file's name stands for: `/memory.md` for `memory`.
pub(super) fn document_of(name: &str, value: &Value) -> Option<String> {
    let path = value.as_str().filter(|_| FILES.contains(&snake_case(name).as_str()))?.trim();
    let path = path.strip_prefix("./").unwrap_or_else(|| path.trim_start_matches('/'));
    Some(path.strip_suffix(".md").unwrap_or(path).to_owned())
}

/// Returns the only one of `names` that a mistyped name is near.
pub(super) fn near<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = snake_case(name);
    let contains = |a: &str, b: &str| a.len() >= 4 && b.contains(a);
    let is_near = |known: &&str| {
        contains(known, &name) || contains(&name, known) || TextDiff::from_chars(name.as_str(), *known).ratio() >= NEAR
    };
    let mut near = names.filter(is_near);
    near.next().filter(|_| near.next().is_none())
}

/// Returns the name under which `members` hold one of `names`, in any way of writing it.
pub(in super::super) fn name_of(members: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| members.keys().find(|key| snake_case(key) == *name)).cloned()
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut was_lower = false;
    for c in name.chars() {
        if c.is_uppercase() && was_lower {
            snake.push('_');
        }
        was_lower = c.is_lowercase() || c.is_numeric();
        if c == '-' || c == ' ' {
            snake.push('_');
        } else {
            snake.extend(c.to_lowercase());
        }
    }
    snake
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
