//! Selectors of bullets, as the tools that take them write them.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::locate::{BulletTest, CheckboxState, Selector};

/// One bullet; all that is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[schemars(rename = "selector", extend("as_text" = "contains"))]
pub(super) struct SelectorArguments {
    /// By title or path (`A > B`).
    pub(super) section: Option<String>,
    /// By ID.
    pub(super) block: Option<String>,
    /// Its place among top-level bullets.
    #[schemars(extend("aliases" = "position at"))]
    pub(super) index: Option<i64>,
    /// From memory_read.
    #[schemars(extend("aliases" = "id"))]
    pub(super) key: Option<String>,
    /// One of its tags.
    tag: Option<String>,
    /// Its state.
    #[schemars(with = "Option<String>", extend("enum" = ["open", "done"]))]
    checkbox: Option<CheckboxState>,
    /// Whole words of it.
    #[schemars(extend("aliases" = "text match"))]
    pub(super) contains: Option<String>,
    /// Its beginning.
    #[schemars(extend("aliases" = "startswith prefix"))]
    pub(super) starts_with: Option<String>,
    /// Its whole text.
    #[schemars(extend("aliases" = "exact exactly"))]
    pub(super) equals: Option<String>,
}

impl From<SelectorArguments> for Selector {
    fn from(arguments: SelectorArguments) -> Self {
        let SelectorArguments { section, block, index, key, tag, checkbox, contains, starts_with, equals } = arguments;
        let tests = [
            key.map(|key| BulletTest::Key(key.into())),
            tag.map(|tag| BulletTest::Tag(tag.into())),
            checkbox.map(BulletTest::Checkbox),
            contains.map(|text| BulletTest::Contains(text.into())),
            starts_with.map(|text| BulletTest::StartsWith(text.into())),
            equals.map(|text| BulletTest::Equals(text.into())),
        ];
        Self {
            section: section.map(Into::into),
            block: block.map(Into::into),
            index,
            says: tests.into_iter().flatten().collect(),
        }
    }
}
