//! Selectors of bullets, as the tools that take them write them.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::locate::{BulletTest, CheckboxState, Selector};
use crate::toolbox::arguments::Synonyms;

/// What names one bullet; all that is given must hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct SelectorArguments {
    /// Its section, by title or path (`A > B`); a text is sought in subsections too.
    section: Option<String>,
    /// The ID of its block.
    block: Option<String>,
    /// Its place among the list's top-level bullets.
    index: Option<i64>,
    /// Its key from memory_read.
    key: Option<String>,
    /// One of its tags.
    tag: Option<String>,
    /// The state of its checkbox.
    checkbox: Option<Checkbox>,
    /// Whole words of its text.
    contains: Option<String>,
    /// How its text begins.
    starts_with: Option<String>,
    /// Its whole text.
    equals: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Checkbox {
    Open,
    Done,
}

impl From<Checkbox> for CheckboxState {
    fn from(checkbox: Checkbox) -> Self {
        match checkbox {
            Checkbox::Open => Self::Open,
            Checkbox::Done => Self::Done,
        }
    }
}

/// Returns the selector that arguments say.
pub(super) fn selector(arguments: SelectorArguments) -> Selector {
    let mut selector = Selector::default();
    let SelectorArguments { section, block, index, key, tag, checkbox, contains, starts_with, equals } = arguments;
    selector.section = section.map(Into::into);
    selector.block = block.map(Into::into);
    selector.index = index;
    let said = [
        key.map(|key| BulletTest::Key(key.into())),
        tag.map(|tag| BulletTest::Tag(tag.into())),
        checkbox.map(|checkbox| BulletTest::Checkbox(checkbox.into())),
        contains.map(|text| BulletTest::Contains(text.into())),
        starts_with.map(|text| BulletTest::StartsWith(text.into())),
        equals.map(|text| BulletTest::Equals(text.into())),
    ];
    selector.says = said.into_iter().flatten().collect();
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
