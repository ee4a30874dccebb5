//! `block_get` and `block_update`: what is to be known in every conversation.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::memory::{AppliedStatus, BlockUpdate};
use crate::toolbox::context::Context;
use crate::toolbox::definition::{Answer, Tool};
use crate::toolbox::{Reply, Status, apply};

/// Reads a core block: `persona` (who you are), `user_profile`, `goals` or `knowledge`, as it
/// stands or at an earlier version. Use it before you update one.
/// Example: {"label": "persona"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct BlockGet {
    /// The label of the block.
    #[schemars(extend("aliases" = "block block_label name key"))]
    label: String,
    /// The version, from 1. Default: the latest.
    #[schemars(extend("aliases" = "rev number"))]
    version: Option<u64>,
}

impl Tool for BlockGet {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let block = cx.desk.memory().block(&self.label, self.version)?;
        let text = block.text.map(|text| text.to_string());
        let message = match text.as_deref() {
            None => Some("the block has no text"),
            Some("") => Some("the block is empty"),
            Some(_) => None,
        };
        let version = Some(block.version).filter(|version| *version > 0);
        let block = json!({"label": block.label, "version": version, "text": text, "is_core": block.is_core});
        Ok(Reply::new(Status::Ok, &block).with_message(message))
    }
}

/// Gives a core block (`persona`, `user_profile`, `goals`, `knowledge`) a new text, as its next
/// version; earlier ones stay. Use it for what you need in every conversation, and send the whole
/// text.
/// Example: {"label": "goals", "content": "Ship 1.0"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct BlockUpdateArguments {
    /// The label of the block.
    #[schemars(extend("aliases" = "block block_label name key"))]
    label: String,
    /// Its whole new text.
    #[schemars(extend("aliases" = "text value note body message"))]
    content: String,
    /// Whether it stands in every prompt; else it is recalled only. Default: as before.
    #[schemars(extend("aliases" = "core always_in_prompt"))]
    is_core: Option<bool>,
}

impl Tool for BlockUpdateArguments {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let origin = cx.desk.origin(cx.call.tool.name)?;
        let mut update = BlockUpdate::new(self.label, self.content);
        update.is_core = self.is_core;
        let updated = cx.desk.memory().update_block(&update, &origin)?;
        let applied = std::slice::from_ref(&updated.applied);
        cx.desk.made(applied);
        let reply =
            apply::reply(applied).with_member("version", updated.version).with_member("is_core", updated.is_core);
        // It may be that no document was written.
        let is_of_prompt = updated.applied.status == AppliedStatus::Committed && updated.applied.commit.is_none();
        Ok(if is_of_prompt { reply.with_status(Status::Ok) } else { reply })
    }
}
