//! `scratch_note`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::query::one_of;
use super::write_memory::{CONTENT, MODE, content_as_text, noted};
use crate::memory::{DocName, NoteMode, SCRATCHPAD_KEY};
use crate::request::NoteEdit;
use crate::toolbox::answer::{Done, Edited, Quote, Tell};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::check_request_beside;
use crate::toolbox::{Effect, Status, ToolDefinition};

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "scratch_note",
    title: "Use the scratchpad",
    effect: Effect::Edit,
    description: "Writes, reads or clears your scratchpad. Use it for what only the current task needs, such as steps and interim \
        results; clear it when the task is done. Example: {\"mode\": \"append\", \"content\": \"Step 2: 41 rows left\"}",
    synonyms: &[CONTENT, MODE],
    fields: &[],
})
.preparing(content_as_text);

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// `replace` what stands there, `append` to it on a new line, `clear` it, or `read` it.
    #[schemars(extend("enum" = ["replace", "append", "clear", "read"]))]
    mode: String,
    /// What to write, for `replace` and `append`.
    content: Option<String>,
}

/// What the tool tells.
#[derive(Clone, Default, Serialize)]
struct Scratch {
    #[serde(flatten)]
    edited: Edited,
    /// What stands in the scratchpad, if it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Quote>,
}

impl Tell for Scratch {
    fn edited(&self) -> Option<&Edited> {
        Some(&self.edited)
    }

    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.as_ref().map_or(Ok(()), |text| write!(f, "{text}"))
    }
}

impl Reads for Arguments {
    type Told = Scratch;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Scratch>, CallError> {
        let known = ["replace", "append", "clear", "read"].map(|name| (name, name));
        let mode = match one_of("mode", &known, &self.mode)? {
            "read" => return read(desk),
            "clear" => None,
            "append" => Some(NoteMode::Append),
            _ => Some(NoteMode::Replace),
        };
        let edit = match mode {
            None => NoteEdit::clear(SCRATCHPAD_KEY),
            Some(mode) => mode.edit(SCRATCHPAD_KEY, self.content.as_deref().unwrap_or_default()),
        };
        check_request_beside(desk, &DocName::notes(), &edit)?;
        let origin = desk.origin(call.tool.name)?;
        let applied = match (mode, self.content) {
            (None, _) => desk.memory().clear_scratchpad(&origin)?,
            (Some(mode), Some(content)) => desk.memory().write_scratchpad(&content, mode, &origin)?,
            (Some(_), None) => {
                let message =
                    "`content`: expected what to write, found nothing; the mode `clear` empties the scratchpad";
                return Err(CallError::invalid(message));
            }
        };
        Ok(noted(desk, &applied).map(|edited| Scratch { edited, text: None }))
    }
}

fn read(desk: &Desk) -> Result<Done<Scratch>, CallError> {
    let text = desk.memory().scratchpad()?;
    let message = text.is_empty().then_some("the scratchpad is empty");
    let told = Scratch { text: Some(Quote::Verbatim(text)), ..Scratch::default() };
    Ok(Done::new(Status::Ok, told).with_message_if_any(message))
}
