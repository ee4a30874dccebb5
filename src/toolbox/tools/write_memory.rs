//! `write_memory`, and what the tools of notes share.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::query::one_of;
use crate::locate::Leniency;
use crate::memory::{Applied, DocName, NoteMode};
use crate::toolbox::answer::{Done, Edited};
use crate::toolbox::arguments::{ArgumentError, Names, Synonyms, as_text};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::check_request_beside;
use crate::toolbox::{Effect, ToolDefinition, apply};

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "write_memory",
    title: "Write a note",
    effect: Effect::Edit,
    description: "Writes a note, in any Markdown, under a key of your choice; nothing need be read first. Use it for what you want to \
        keep across tasks and find again by a name. Example: {\"key\": \"deploy-steps\", \"content\": \"1. Run the tests\"}",
    synonyms: &[&[("key", "name title note_key id label")], CONTENT, MODE],
    fields: &[],
})
.preparing(content_as_text);

pub(super) const CONTENT: Synonyms = &[("content", "text value note body message")];
pub(super) const MODE: Synonyms = &[("mode", "action op operation")];

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The key of the note, one line.
    key: String,
    /// What to write.
    content: String,
    /// `replace` (default) what the note says, or `append` to it on a new line.
    #[schemars(extend("enum" = ["replace", "append"]))]
    mode: Option<String>,
}

pub(super) fn content_as_text(arguments: &mut Value, names: &Names) -> Result<Vec<Leniency>, ArgumentError> {
    as_text(arguments, names, "content")
}

impl Reads for Arguments {
    type Told = Edited;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Edited>, CallError> {
        let known = [NoteMode::Replace, NoteMode::Append].map(|mode| (mode.as_str(), mode));
        let mode = self.mode.as_deref().map_or(Ok(NoteMode::Replace), |mode| one_of("mode", &known, mode))?;
        check_request_beside(desk, &DocName::notes(), &mode.edit(&self.key, &self.content))?;
        let origin = desk.origin(call.tool.name)?;
        let applied = desk.memory().write_note(&self.key, &self.content, mode, &origin)?;
        Ok(noted(desk, &applied))
    }
}

/// Answers what was written to a note. Of the log, what is wrong is told.
pub(super) fn noted(desk: &mut Desk, applied: &[Applied]) -> Done<Edited> {
    desk.made(applied);
    let (note, log) = applied.split_at_checked(1).unwrap_or_default();
    let plans = log.iter().filter_map(|applied| applied.plan.as_ref());
    let warnings = plans.flat_map(|plan| plan.parts()).flat_map(|part| &part.warnings);
    warnings.fold(apply::done(note), Done::with_warning)
}
