//! `replace_in_memory`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::request::{Expected, Replace, Within};
use crate::toolbox::context::Context;
use crate::toolbox::definition::{Answer, Tool};
use crate::toolbox::refused::Refused;
use crate::toolbox::retry::{Field, Fields};

/// Replaces a text by another, in the whole memory, a section (subsections included) or a block.
/// Use it for one phrase; for several edits, a patch. The text must occur exactly once, or as often
/// as you say; copy it as it stands, with lines around it where it might occur twice.
/// Example: {"old_string": "Lives in Denver", "new_string": "Lives in Austin", "section": "Facts"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ReplaceInMemory {
    /// The text to be replaced, exactly as it stands.
    #[schemars(extend("aliases" = "old_str old old_text search find"))]
    old_string: String,
    /// The text in its place; empty to delete.
    #[schemars(extend("aliases" = "new_str new new_text replace replacement"))]
    new_string: String,
    /// How often it must occur; all are replaced. Default: 1.
    #[schemars(range(min = 1), extend("aliases" = "count expected expected_count expected_occurrences"))]
    expected_replacements: Option<i64>,
    /// True to replace all, however many.
    replace_all: Option<bool>,
    /// True to skip what is inside longer words and numbers.
    whole_words: Option<bool>,
    /// The section to look in, by title or path.
    section: Option<String>,
    /// The block to look in, by its ID.
    block: Option<String>,
}

impl Tool for ReplaceInMemory {
    const FIELDS: Fields = &[
        (Field::Text, "/old_string"),
        (Field::NewText, "/new_string"),
        (Field::Count, "/expected_replacements"),
        (Field::WholeWords, "/whole_words"),
        (Field::Section, "/section"),
        (Field::Block, "/block"),
    ];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let expected = match (self.expected_replacements, self.replace_all) {
            (None, Some(true)) => Expected::Any,
            (expected, _) => exactly(expected.unwrap_or(1))?,
        };
        let within = match (self.section, self.block) {
            (None, None) => Within::Document,
            (Some(section), None) => Within::Section(section.into()),
            (None, Some(block)) => Within::Block(block.into()),
            (Some(_), Some(_)) => return Err(Refused::invalid("expected `section` or `block`, found both")),
        };
        let mut request = Replace::new(self.old_string, self.new_string).within(within);
        request.expected = expected;
        request.whole_words = self.whole_words.unwrap_or_default();
        let made = cx.make(request)?;
        let commits = made.applied.iter().filter_map(|applied| applied.commit.as_ref());
        match commits.map(|commit| commit.receipt.applied_parts).sum::<usize>() {
            0 => Ok(made.reply),
            replaced => Ok(made.reply.with_member("replacements", replaced)),
        }
    }
}

fn exactly(expected: i64) -> Result<Expected, Box<Refused>> {
    match usize::try_from(expected) {
        Ok(count) if count > 0 => Ok(Expected::Exactly(count)),
        _ => {
            let name = "expected_replacements";
            Err(Refused::invalid(format!("`{name}`: expected a number of at least 1, found {expected}")))
        }
    }
}
