//! `memo_replace`, `memo_replace_span`, `memo_append`, `memo_stage` and `memo_unstage`: what becomes pending, and no longer is.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::request::{Replace, Within};
use crate::session::{Append, Intent, Letter};
use crate::text::excerpt;
use crate::toolbox::context::{Context, Mode};
use crate::toolbox::definition::{Answer, Asked, Tool};
use crate::toolbox::editing::{Choosing, choose, stage, unstage};
use crate::toolbox::refused::Refused;
use crate::toolbox::retry::{Field, Fields};
use crate::toolbox::tools::preview::editor;

/// Stages the replacement of a text by another in an editing session: nothing is written before
/// memo_commit. Where the text stands in several places, the reply letters them: send the call
/// again with `match_id`.
/// Example: {"old_text": "timeout: 30", "new_text": "timeout: 60", "match_id": "B"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoReplace {
    /// The text to be replaced, exactly as it stands.
    #[schemars(extend("aliases" = "old_string old_str old search find"))]
    old_text: String,
    /// The text to put in its place; empty to delete.
    #[schemars(extend("aliases" = "new_string new_str new replace replacement"))]
    new_text: String,
    /// By title or path.
    section: Option<String>,
    #[serde(flatten)]
    which: Which,
}

/// Stages the replacement of all from the start of one text to the end of another, the nearest
/// behind it, in an editing session.
/// Example: {"start_text": "## Old plan", "end_text": "done.", "new_text": "## Plan"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoReplaceSpan {
    /// The text that the passage begins with.
    #[schemars(extend("aliases" = "start from"))]
    start_text: String,
    /// The text that it ends with.
    #[schemars(extend("aliases" = "end to"))]
    end_text: String,
    /// The text to put in its place; empty to delete.
    #[schemars(extend("aliases" = "new_string new_str new replace replacement"))]
    new_text: String,
    #[serde(flatten)]
    which: Which,
}

/// Which of several places is meant.
#[derive(Debug, Deserialize, JsonSchema)]
struct Which {
    /// A text that stands once, behind which to look.
    #[schemars(extend("aliases" = "after anchor"))]
    search_after: Option<String>,
    /// The letter of the candidate that is meant.
    #[schemars(extend("aliases" = "match candidate letter candidate_id"))]
    match_id: Option<String>,
    /// Shows up to 26 candidates.
    #[schemars(extend("aliases" = "show_all"))]
    show_all_matches: Option<bool>,
    /// Only shows what it would do.
    #[schemars(extend("aliases" = "preview dry_run"))]
    preview_only: Option<bool>,
}

impl Which {
    fn choose(self, cx: &mut Context<'_>, sought: Replace) -> Answer {
        let choosing = Choosing {
            document: cx.document()?,
            base: cx.base()?,
            sought,
            match_id: self.match_id,
            shows_all: self.show_all_matches.unwrap_or_default(),
            is_preview: self.preview_only.unwrap_or_default(),
        };
        choose(cx.desk, cx.call, &choosing)
    }
}

impl Tool for MemoReplace {
    const FIELDS: Fields = &[
        (Field::Text, "/old_text"),
        (Field::NewText, "/new_text"),
        (Field::Section, "/section"),
        (Field::After, "/search_after"),
    ];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut replace = Replace::new(self.old_text, self.new_text);
        replace.after = self.which.search_after.as_deref().map(Into::into);
        replace.within = self.section.map_or(Within::Document, |section| Within::Section(section.into()));
        self.which.choose(cx, replace)
    }
}

impl Tool for MemoReplaceSpan {
    const FIELDS: Fields = &[(Field::After, "/search_after")];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut span = Replace::span(self.start_text, self.end_text, self.new_text);
        span.after = self.which.search_after.as_deref().map(Into::into);
        self.which.choose(cx, span)
    }
}

/// Stages lines at the end of a section, before its subsections, or of the document, in an editing
/// session. Write a bullet with its marker.
/// Example: {"text": "- Likes tea", "section": "Facts"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoAppend {
    /// The lines to add.
    #[schemars(extend("aliases" = "content new_text lines"))]
    text: String,
    /// The title or path of the section. Default: the end of the document.
    section: Option<String>,
}

impl Tool for MemoAppend {
    const FIELDS: Fields = &[(Field::Section, "/section")];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let intent = Intent::Insert(self.text.as_str().into());
        let mut append = Append::new(self.text);
        append.section = self.section.map(Into::into);
        let asked = Asked { document: cx.document()?, base: cx.base()?, request: append.into() };
        stage(cx.desk, cx.call, &intent, vec![asked])
    }
}

/// Stages what any editing tool would do, in an editing session: give its name and its arguments.
/// Example: {"tool": "edit_items", "args": {"edits": [{"op": "delete", "target": {"contains":
/// "old"}}]}}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoStage {
    /// The name of the editing tool.
    #[schemars(extend("aliases" = "tool_name name"))]
    tool: String,
    /// The arguments that it would be called with.
    #[schemars(with = "serde_json::Map<String, Value>", extend("aliases" = "arguments input"))]
    #[serde(rename = "args")]
    _args: Value,
}

impl Tool for MemoStage {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        // Where the agent has no editing tool, any may be named.
        let has_editor = cx.call.offered.iter().any(|tool| tool.is_editor());
        let tools = if has_editor { cx.call.offered } else { cx.call.all };
        let editor = editor(cx.call, tools, &self.tool)?;
        cx.within(editor, "args", Mode::Stage)
    }
}

/// Takes one pending change out of the editing session, by its letter; the others stay.
/// Example: {"change_id": "B"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoUnstage {
    /// The letter of the change.
    #[schemars(extend("aliases" = "change id letter"))]
    change_id: String,
}

impl Tool for MemoUnstage {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let letter = Letter::read(&self.change_id).ok_or_else(|| {
            let found = excerpt(&self.change_id, 20);
            Refused::invalid(format!("`change_id`: expected a letter, found `{found}`"))
        });
        unstage(cx.desk, cx.call, letter?)
    }
}
