//! Names of arguments as models write them, and those that say nothing.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// Arguments, each with the other names that models use for it, in a row.
pub(crate) type Synonyms = &'static [(&'static str, &'static str)];

/// Those that mean the same in every tool.
const EVERYWHERE: Synonyms = &[
    ("base_revision", "revision_id revision hash base"),
    ("document", "doc document_name path file filename file_path file_name"),
    ("section", "section_name heading"),
    ("block", "block_id memory_id"),
];

/// Names under which models give the file that they take a document for.
const FILES: &[&str] = &["document", "path", "file", "filename", "file_path", "file_name"];

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

/// The names that models use for the arguments of a tool.
#[derive(Debug)]
pub(crate) struct Names {
    own: &'static [Synonyms],
}

impl Names {
    pub(super) const fn new(own: &'static [Synonyms]) -> Self {
        Self { own }
    }

    /// Iterates over the arguments, each with its other names; what the tool says goes first.
    fn rows(&self) -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
        self.own.iter().copied().flatten().chain(EVERYWHERE).copied()
    }

    /// Returns the tool's own name for an argument of an object that has these properties.
    pub(super) fn canonical<'a>(&self, name: &str, properties: &'a Map<String, Value>) -> Option<&'a str> {
        let own = |name: &str| properties.get_key_value(name).map(|(name, _)| name.as_str());
        let synonym = |snake: &str| {
            let mut all = self.rows().filter(|(_, others)| others.split(' ').any(|other| other == snake));
            all.find_map(|(canonical, _)| own(canonical))
        };
        let otherwise = |snake: &str| own(snake).or_else(|| synonym(snake));
        own(name).or_else(|| otherwise(&snake_case(name)))
    }

    /// Returns the name under which `members` hold an argument, its own before all others.
    pub(crate) fn given(&self, members: &Map<String, Value>, argument: &str) -> Option<String> {
        self.entry(members, argument).map(|(name, _)| name.clone())
    }

    /// Returns the argument that `members` hold, under its own name before all others.
    pub(crate) fn value<'m>(&self, members: &'m Map<String, Value>, argument: &str) -> Option<&'m Value> {
        self.entry(members, argument).map(|(_, value)| value)
    }

    fn entry<'m>(&self, members: &'m Map<String, Value>, argument: &str) -> Option<(&'m String, &'m Value)> {
        let rows = self.rows().filter(|(canonical, _)| *canonical == argument);
        first_of(members, [argument].into_iter().chain(rows.flat_map(|(_, others)| others.split(' '))))
    }
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

/// Returns the name under which `members` hold one of `names`, in any way of writing it.
pub(crate) fn name_of(members: &Map<String, Value>, names: &[&str]) -> Option<String> {
    first_of(members, names.iter().copied()).map(|(name, _)| name.clone())
}

fn first_of<'m, 'n>(
    members: &'m Map<String, Value>,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Option<(&'m String, &'m Value)> {
    let ranked = members.iter().filter_map(|member| {
        let snake = snake_case(member.0);
        Some((names.clone().position(|name| name == snake)?, member))
    });
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, member)| member)
}

fn snake_case(name: &str) -> Cow<'_, str> {
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
