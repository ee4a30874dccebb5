//! `replace_in_memory`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::Target;
use crate::memory::Applied;
use crate::request::{Expected, Replace, Within};
use crate::toolbox::answer::{Edited, OfEdit, Tell};
use crate::toolbox::definition::{About, Asked, CallError, Edits};
use crate::toolbox::retry::Field;
use crate::toolbox::{Effect, ToolDefinition};

pub(super) static TOOL: ToolDefinition = ToolDefinition::editing::<Arguments>(About {
    name: "replace_in_memory",
    title: "Replace in memory",
    effect: Effect::Edit,
    description: "Replaces a text by another, in the whole memory, a section (subsections included) or a block. Use it to change one phrase; for several edits, use a patch. The text must occur exactly once, or \
        as often as you say; copy it as it stands, with lines around it where it might occur twice. Example: \
        {\"old_string\": \"Lives in Denver\", \"new_string\": \"Lives in Austin\", \"section\": \"Facts\"}",
    synonyms: &[&[
        ("old_string", "old_str old old_text search find"),
        ("new_string", "new_str new new_text replace replacement"),
        ("expected_replacements", "count expected expected_count expected_occurrences"),
    ]],
    fields: &[
        (Field::Text, "/old_string"),
        (Field::NewText, "/new_string"),
        (Field::Count, "/expected_replacements"),
        (Field::WholeWords, "/whole_words"),
        (Field::Section, "/section"),
        (Field::Block, "/block"),
    ],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The text to be replaced, exactly as it stands.
    old_string: String,
    /// The text in its place; empty to delete.
    new_string: String,
    /// How often it must occur; all are replaced. Default: 1.
    #[schemars(range(min = 1))]
    expected_replacements: Option<i64>,
    /// True to replace all, however many.
    replace_all: Option<bool>,
    /// True to skip what is inside longer words and numbers.
    whole_words: Option<bool>,
    /// The section to look in, by title or path.
    section: Option<String>,
    /// The block to look in, by its ID.
    block: Option<String>,
    #[serde(flatten)]
    target: Target,
}

impl Edits for Arguments {
    type Told = Replaced;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        let expected = match (self.expected_replacements, self.replace_all) {
            (None, Some(true)) => Expected::Any,
            (expected, _) => exactly(expected.unwrap_or(1))?,
        };
        let within = match (self.section, self.block) {
            (None, None) => Within::Document,
            (Some(section), None) => Within::Section(section.into()),
            (None, Some(block)) => Within::Block(block.into()),
            (Some(_), Some(_)) => return Err(CallError::invalid("expected `section` or `block`, found both")),
        };
        let mut request = Replace::new(self.old_string, self.new_string).within(within);
        request.expected = expected;
        request.whole_words = self.whole_words.unwrap_or_default();
        self.target.asks(request)
    }
}

fn exactly(expected: i64) -> Result<Expected, CallError> {
    match usize::try_from(expected) {
        Ok(count) if count > 0 => Ok(Expected::Exactly(count)),
        _ => {
            let name = "expected_replacements";
            Err(CallError::invalid(format!("`{name}`: expected a number of at least 1, found {expected}")))
        }
    }
}

/// What the tool tells.
#[derive(Clone, Serialize)]
struct Replaced {
    #[serde(flatten)]
    edited: Edited,
    /// How many occurrences were replaced.
    replacements: Option<usize>,
}

impl OfEdit for Replaced {
    fn of(edited: Edited, applied: &[Applied]) -> Self {
        let commits = applied.iter().filter_map(|applied| applied.commit.as_ref());
        let replaced = commits.map(|commit| commit.receipt.applied_parts).sum();
        Self { edited, replacements: Some(replaced).filter(|count| *count > 0) }
    }
}

impl Tell for Replaced {
    fn edited(&self) -> Option<&Edited> {
        Some(&self.edited)
    }
}
