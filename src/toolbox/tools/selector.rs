//! Selectors of bullets, as the tools that take them write them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::arguments::{ArgumentError, Names, Synonyms, listed};
use crate::locate::{Rung, Selector};

/// What names one bullet; all that is given must hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct SelectorArguments {
    /// Its section, by title or path (`A > B`); a text is sought in subsections too.
    section: Option<String>,
    /// The ID of its block.
    block: Option<String>,
    /// Its place in the section or block, nested bullets not counted.
    index: Option<i64>,
    /// Its key from memory_read.
    key: Option<String>,
    /// One of its tags.
    tag: Option<String>,
    /// A part of its text.
    contains: Option<String>,
    /// How its text begins.
    starts_with: Option<String>,
    /// Its whole text.
    equals: Option<String>,
    /// Whether `index` counts nested bullets too.
    nested: Option<bool>,
}

/// Returns the selector that arguments say.
pub(super) fn selector(arguments: SelectorArguments) -> Selector {
    let mut selector = Selector::default();
    let SelectorArguments { section, block, index, key, tag, contains, starts_with, equals, nested } = arguments;
    selector.section = section.map(Into::into);
    selector.block = block.map(Into::into);
    selector.index = index;
    selector.key = key.map(Into::into);
    selector.tag = tag.map(Into::into);
    selector.contains = contains.map(Into::into);
    selector.starts_with = starts_with.map(Into::into);
    selector.equals = equals.map(Into::into);
    selector.nested = nested.unwrap_or(false);
    selector
}

/// The names that models use for the arguments of a selector.
pub(super) const SELECTOR: Synonyms = &[
    ("contains", "text match"),
    ("starts_with", "startswith prefix"),
    ("equals", "exact exactly"),
    ("key", "id"),
    ("index", "position at"),
];

/// The names that models use for a list of selectors.
pub(super) const TARGETS: Synonyms = &[("targets", "target selectors selector items item bullets bullet")];

/// The arguments of a selector.
const OWN: [&str; 9] = ["section", "block", "index", "key", "tag", "contains", "starts_with", "equals", "nested"];

/// Brings the targets of a tool into a list of selectors: one that stands alone, or at the top level, and texts that stand
/// for what a bullet contains.
pub(super) fn listed_targets(arguments: &mut Value, names: &Names) -> Result<Vec<Rung>, ArgumentError> {
    let Some(members) = arguments.as_object_mut() else { return Ok(Vec::new()) };
    let mut is_healed = false;
    if names.given(members, "targets").is_none() {
        let mut target = Map::new();
        while let Some(name) = OWN.into_iter().find_map(|argument| names.given(members, argument)) {
            target.extend(members.remove_entry(&name));
        }
        if target.is_empty() {
            return Ok(Vec::new());
        }
        members.insert("targets".to_owned(), Value::Object(target));
    }
    let targets = names.given(members, "targets").and_then(|name| members.get_mut(&name));
    let Some(targets) = targets.filter(|targets| !targets.is_null()) else { return Ok(Vec::new()) };
    is_healed |= listed(targets);
    // A text stands for what a bullet contains.
    if targets.is_string() {
        *targets = Value::Array(vec![targets.take()]);
        is_healed = true;
    }
    Ok(if is_healed { vec![Rung::Arguments] } else { Vec::new() })
}
