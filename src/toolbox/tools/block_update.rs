//! `block_update`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::block_get::LABEL;
use super::write_memory::{CONTENT, content_as_text};
use crate::memory::{AppliedStatus, BlockUpdate, DocName};
use crate::request::NoteEdit;
use crate::toolbox::answer::{Done, Edited, Tell};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::check_request_beside;
use crate::toolbox::{Effect, Status, ToolDefinition, apply};

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "block_update",
    title: "Update a core block",
    effect: Effect::Settle,
    description: "Gives a core block (`persona`, `user_profile`, `goals`, `knowledge`) a new text, as its next version; earlier ones \
        stay. Use it for what you need in every conversation, and send the whole text. Example: {\"label\": \"goals\", \"content\": \
        \"Ship 1.0\"}",
    synonyms: &[LABEL, CONTENT, &[("is_core", "core always_in_prompt")]],
    fields: &[],
})
.preparing(content_as_text);

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The label of the block.
    label: String,
    /// Its whole new text.
    content: String,
    /// Whether it stands in every prompt; else it is recalled only. Default: as before.
    is_core: Option<bool>,
}

/// What the tool tells.
#[derive(Clone, Serialize)]
struct Told {
    #[serde(flatten)]
    edited: Edited,
    /// The version that the block is at.
    version: u64,
    /// Whether it stands in every prompt; else it is recalled only.
    is_core: bool,
}

impl Tell for Told {
    fn edited(&self) -> Option<&Edited> {
        Some(&self.edited)
    }

    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\nversion {}, {}", self.version, if self.is_core { "in every prompt" } else { "recalled only" })
    }
}

impl Reads for Arguments {
    type Told = Told;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Told>, CallError> {
        let edit = NoteEdit::set(self.label.as_str(), self.content.as_str());
        check_request_beside(desk, &DocName::core(), &edit)?;
        let origin = desk.origin(call.tool.name)?;
        let mut update = BlockUpdate::new(self.label, self.content);
        update.is_core = self.is_core;
        let updated = desk.memory().update_block(&update, &origin)?;
        let applied = std::slice::from_ref(&updated.applied);
        desk.made(applied);
        let mut done = apply::done(applied);
        if updated.applied.status == AppliedStatus::Committed && updated.applied.commit.is_none() {
            // No document was written.
            done.head.status = Status::Ok;
        }
        Ok(done.map(|edited| Told { edited, version: updated.version, is_core: updated.is_core }))
    }
}
