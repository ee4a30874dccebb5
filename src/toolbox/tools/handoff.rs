//! `write_session_handoff`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::write_memory::{CONTENT, content_as_text, noted};
use crate::memory::{DocName, SESSION_HANDOFF_KEY};
use crate::request::NoteEdit;
use crate::toolbox::answer::{Done, Edited};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::check_request_beside;
use crate::toolbox::{Effect, ToolDefinition};

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "write_session_handoff",
    title: "Hand over",
    effect: Effect::Settle,
    description: "Writes the note that whoever goes on in the next session reads first, in the place of the last one. Use it before a \
        session ends: what was done, what is open, what comes next. Example: {\"content\": \"Migration done; next: delete the old \
        table\"}",
    synonyms: &[CONTENT, &[("content", "handoff summary")]],
    fields: &[],
})
.preparing(content_as_text);

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// What to hand over.
    content: String,
}

impl Reads for Arguments {
    type Told = Edited;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Edited>, CallError> {
        let edit = NoteEdit::set(SESSION_HANDOFF_KEY, &*self.content);
        check_request_beside(desk, &DocName::notes(), &edit)?;
        let origin = desk.origin(call.tool.name)?;
        let applied = desk.memory().write_handoff(&self.content, &origin)?;
        Ok(noted(desk, &applied))
    }
}
