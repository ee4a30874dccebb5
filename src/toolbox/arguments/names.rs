//! Names of arguments as models write them, and those that say nothing.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::text::likeness;

/// Arguments, each with the other names that models use for it, in a row.
pub(crate) type Synonyms = &'static [(&'static str, &'static str)];

/// Those that mean the same in every tool.
const EVERYWHERE: Synonyms = &[
    ("base_revision", "revision_id revision hash base"),
    ("document", "doc document_name file"),
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

/// Arguments that one tool does not have, each with the value that is so in every call of it.
const SO_HERE: &[(&str, &str, &str)] = &[
    ("write_memory", "document", "notes"),
    ("scratch_note", "document", "notes"),
    ("write_session_handoff", "document", "notes"),
    ("write_session_handoff", "mode", "replace"),
    ("block_update", "document", "core"),
    ("block_get", "document", "core"),
];

/// The commands of the memory tool that models know best, each with the tool that does what it says.
const COMMANDS: &[(&str, &str)] = &[("str_replace", "replace_in_memory"), ("view", "memory_read")];

/// The likeness, in percent, from which a name is near another.
const NEAR: u8 = 75;

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

/// Reports whether an argument that the tool does not have says what is so anyway.
pub(super) fn says_nothing(name: &str, value: &Value, tool: &str) -> bool {
    let file = document_of(name, value);
    let name = snake_case(name);
    let is_left_out = value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty());
    let is_of_others =
        || EVERYWHERE.iter().any(|(own, others)| *own == name || others.split(' ').any(|other| other == name));
    if is_left_out && is_of_others() {
        return true;
    }
    let words = match value {
        Value::String(text) => text.trim().to_lowercase(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return false,
    };
    let (argument, said) = file.as_deref().map_or((&*name, words.as_str()), |file| ("document", file));
    let is_tool = matches!(&*name, "tool" | "tool_name" | "name" | "function");
    (is_tool && words == tool)
        || (name == "command" && COMMANDS.contains(&(words.as_str(), tool)))
        || SO_ANYWAY.contains(&(&*name, words.as_str()))
        || SO_HERE.contains(&(tool, argument, said))
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

/// Returns the only one of `names` that a mistyped name is near.
pub(super) fn near<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = snake_case(name);
    let contains = |a: &str, b: &str| a.len() >= 4 && b.contains(a);
    let is_near =
        |known: &&str| contains(known, &name) || contains(&name, known) || likeness(&name, known, NEAR).is_some();
    let mut near = names.filter(is_near);
    near.next().filter(|_| near.next().is_none())
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
