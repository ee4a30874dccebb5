//! `memo_replace` and `memo_replace_span`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::request::{Replace, ReplaceSpan};
use crate::session::Sought;
use crate::toolbox::answer::{Choice, Done};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::{Choosing, choose};
use crate::toolbox::retry::Field;
use crate::toolbox::tools::edit::document;
use crate::toolbox::{Effect, ToolDefinition};

pub(crate) static REPLACE: ToolDefinition = ToolDefinition::reading::<OfText>(About {
    name: "memo_replace",
    title: "Stage a replacement",
    effect: Effect::Stage,
    description: "Stages the replacement of a text by another in an editing session: nothing is written before memo_commit. \
        Where the text stands in several places, the reply letters them: send the call again with `match_id`. Example: \
        {\"old_text\": \"timeout: 30\", \"new_text\": \"timeout: 60\", \"match_id\": \"B\"}",
    synonyms: &[OLD, NEW, CHOICE],
    fields: &[(Field::Text, "/old_text"), (Field::NewText, "/new_text"), (Field::After, "/search_after")],
});

pub(crate) static REPLACE_SPAN: ToolDefinition = ToolDefinition::reading::<OfSpan>(About {
    name: "memo_replace_span",
    title: "Stage the replacement of a span",
    effect: Effect::Stage,
    description: "Stages the replacement of all from the start of one text to the end of another, in an editing session. Use it for \
        long passages. Example: {\"start_text\": \"## Old plan\", \"end_text\": \"done.\", \"new_text\": \"## Plan\"}",
    synonyms: &[&[("start_text", "start from"), ("end_text", "end to")], NEW, CHOICE],
    fields: &[(Field::After, "/search_after")],
});

const OLD: &[(&str, &str)] = &[("old_text", "old_string old_str old search find")];
const NEW: &[(&str, &str)] = &[("new_text", "new_string new_str new replace replacement")];
const CHOICE: &[(&str, &str)] = &[
    ("match_id", "match candidate letter candidate_id"),
    ("search_after", "after anchor"),
    ("show_all_matches", "show_all"),
    ("preview_only", "preview dry_run"),
];

#[derive(Debug, Deserialize, JsonSchema)]
struct OfText {
    /// The text to be replaced, exactly as it stands.
    old_text: String,
    /// The text to put in its place; empty to delete.
    new_text: String,
    #[serde(flatten)]
    choice: Which,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct OfSpan {
    /// The text that the passage begins with.
    start_text: String,
    /// The text that it ends with.
    end_text: String,
    /// The text to put in its place; empty to delete.
    new_text: String,
    #[serde(flatten)]
    choice: Which,
}

/// Which of several places is meant.
#[derive(Debug, Deserialize, JsonSchema)]
struct Which {
    /// A text that stands once, behind which to look.
    search_after: Option<String>,
    /// The letter of the candidate that is meant.
    match_id: Option<String>,
    /// True to show up to 26 candidates.
    show_all_matches: Option<bool>,
    /// True to see what it would do, and stage nothing.
    preview_only: Option<bool>,
    /// The document. Default: `memory`.
    document: Option<String>,
}

impl Which {
    fn choosing(self, sought: Sought) -> Result<Choosing, CallError> {
        Ok(Choosing {
            document: document(self.document.as_deref())?,
            sought,
            match_id: self.match_id,
            shows_all: self.show_all_matches.unwrap_or_default(),
            is_preview: self.preview_only.unwrap_or_default(),
        })
    }
}

impl Reads for OfText {
    type Told = Choice;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Choice>, CallError> {
        is_given("old_text", &self.old_text)?;
        let mut replace = Replace::new(self.old_text, self.new_text);
        replace.after = self.choice.search_after.as_deref().map(Into::into);
        Ok(choose(desk, call, &self.choice.choosing(Sought::Text(replace))?)?)
    }
}

impl Reads for OfSpan {
    type Told = Choice;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Choice>, CallError> {
        is_given("start_text", &self.start_text)?;
        is_given("end_text", &self.end_text)?;
        let mut span = ReplaceSpan::new(self.start_text, self.end_text, self.new_text);
        span.after = self.choice.search_after.as_deref().map(Into::into);
        Ok(choose(desk, call, &self.choice.choosing(Sought::Span(span))?)?)
    }
}

/// Refuses an empty text.
pub(super) fn is_given(name: &str, text: &str) -> Result<(), CallError> {
    if text.is_empty() {
        return Err(CallError::invalid(format!("`{name}`: expected a text that stands there, found an empty one")));
    }
    Ok(())
}
