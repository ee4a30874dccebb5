//! Selectors of bullets, as the tools that take them write them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::arguments::{listed, name_of};
use crate::locate::{Rung, Selector};

/// What names one bullet; all that is given must hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct SelectorArguments {
    /// The title or path (`Projects > Alpha`) of its section; a text is sought in subsections too.
    section: Option<String>,
    /// The ID of its block.
    block: Option<String>,
    /// Its place among the section's or block's own bullets, nested ones not counted.
    index: Option<i64>,
    /// Its key, as memory_read shows it.
    key: Option<String>,
    /// One of its tags.
    tag: Option<String>,
    /// A part of its text.
    contains: Option<String>,
    /// The beginning of its text.
    starts_with: Option<String>,
    /// Its whole text.
    equals: Option<String>,
    /// Whether `index` counts nested bullets too. Default: false.
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

/// Names under which a list of selectors is given.
const TARGETS: [&str; 8] = ["targets", "target", "selectors", "selector", "items", "item", "bullets", "bullet"];

/// Names of the arguments of a selector, and the other ones that models use.
const OWN: [&str; 22] = [
    "section",
    "section_name",
    "heading",
    "block",
    "block_id",
    "memory_id",
    "index",
    "position",
    "at",
    "key",
    "id",
    "tag",
    "contains",
    "text",
    "match",
    "starts_with",
    "startswith",
    "prefix",
    "equals",
    "exact",
    "exactly",
    "nested",
];

/// Brings the targets of a tool into a list of selectors: one that stands alone, or at the top level, and texts that stand
/// for what a bullet contains.
pub(super) fn listed_targets(arguments: &mut Value) -> Vec<Rung> {
    let Some(members) = arguments.as_object_mut() else { return Vec::new() };
    let mut is_healed = false;
    if name_of(members, &TARGETS).is_none() {
        let mut target = Map::new();
        while let Some(name) = name_of(members, &OWN) {
            target.extend(members.remove_entry(&name));
        }
        if target.is_empty() {
            return Vec::new();
        }
        members.insert("targets".to_owned(), Value::Object(target));
    }
    let targets = name_of(members, &TARGETS).and_then(|name| members.get_mut(&name));
    let Some(targets) = targets.filter(|targets| !targets.is_null()) else { return Vec::new() };
    is_healed |= listed(targets);
    // A text stands for what a bullet contains.
    if targets.is_string() {
        *targets = Value::Array(vec![targets.take()]);
        is_healed = true;
    }
    if is_healed { vec![Rung::Arguments] } else { Vec::new() }
}
