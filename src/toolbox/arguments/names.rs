//! Names of arguments as models write them, and those that say nothing.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// The other names of arguments that mean the same in every tool. Those of one tool stand in its schema, as `aliases`.
const EVERYWHERE: [(&str, &str); 4] = [
    ("base_revision", "revision_id revision hash base"),
    ("document", "doc document_name path file filename file_path file_name"),
    ("section", "section_name heading"),
    ("block", "block_id memory_id"),
];

/// Names under which models give the file that they take a document for.
const FILES: [&str; 6] = ["document", "path", "file", "filename", "file_path", "file_name"];

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

/// The tools that work on one document only, which may be named nevertheless.
const HOMES: [(&str, &str); 5] = [
    ("write_memory", "notes"),
    ("scratch_note", "notes"),
    ("write_session_handoff", "notes"),
    ("block_update", "core"),
    ("block_get", "core"),
];

/// Returns the tool's own name for an argument of an object that has these properties.
pub(super) fn canonical<'a>(name: &str, properties: &'a Map<String, Value>) -> Option<&'a str> {
    let own = |name: &str| properties.get_key_value(name).map(|(name, _)| name.as_str());
    let snake = snake_case(name);
    let has = |names: &str| names.split(' ').any(|other| other == snake);
    let is_alias = |(_, property): &(&String, &'a Value)| property["aliases"].as_str().is_some_and(has);
    let alias = || properties.iter().find(is_alias).map(|(name, _)| name.as_str());
    let everywhere = || EVERYWHERE.iter().filter(|(_, others)| has(others)).find_map(|(name, _)| own(name));
    own(name).or_else(|| own(&snake)).or_else(alias).or_else(everywhere)
}

/// Returns true if an argument names the one document that a tool works on.
pub(super) fn is_home(tool: &str, name: &str, value: &Value) -> bool {
    let document = document_of(name, value);
    HOMES.iter().any(|(own, home)| *own == tool && document.as_deref() == Some(*home))
}

/// Reports whether an argument of this name tells why a call is made, not what it is to do.
pub(super) fn is_remark(name: &str) -> bool {
    REMARKS.contains(&&*snake_case(name))
}

/// Returns the document that a file's name stands for: `/memory.md` and `/memories/memory.md` for `memory`.
pub(super) fn document_of(name: &str, value: &Value) -> Option<String> {
    let path = value.as_str().filter(|_| FILES.contains(&&*snake_case(name)))?.trim();
    let path =
        path.strip_prefix("./").or_else(|| path.strip_prefix("/memories/")).unwrap_or(path).trim_start_matches('/');
    Some(path.strip_suffix(".md").or_else(|| path.strip_suffix(".MD")).unwrap_or(path).to_owned())
}

pub(super) fn snake_case(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Cow::Borrowed(name);
    }
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
    Cow::Owned(snake)
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
