//! `write_memory`, `write_session_handoff` and `scratch_note`: notes by their keys.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::memory::{Applied, Memory, MemoryError, NoteMode, Origin};
use crate::toolbox::context::Context;
use crate::toolbox::definition::{Answer, Tool};
use crate::toolbox::refused::Refused;
use crate::toolbox::{Reply, Status, apply};

/// Writes a note, in any Markdown, under a key of your choice; nothing need be read first. Use it
/// for what you want to keep across tasks and find again by a name.
/// Example: {"key": "deploy-steps", "content": "1. Run the tests"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WriteMemory {
    /// The key of the note, one line.
    #[schemars(extend("aliases" = "name title note_key id label"))]
    key: String,
    /// What to write.
    #[schemars(extend("aliases" = "text value note body message"))]
    content: String,
    /// `replace` (default) what the note says, or `append` to it on a new line.
    #[schemars(with = "Option<String>", extend("enum" = ["replace", "append"], "aliases" = "action op operation"))]
    mode: Option<NoteMode>,
}

impl Tool for WriteMemory {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mode = self.mode.unwrap_or_default();
        write(cx, |memory, origin| memory.write_note(&self.key, &self.content, mode, origin))
    }
}

/// Writes a note. Of the log, what is wrong is told.
fn write(cx: &mut Context<'_>, write: impl FnOnce(&Memory, &Origin) -> Result<Vec<Applied>, MemoryError>) -> Answer {
    let origin = cx.desk.origin(cx.call.tool.name)?;
    let applied = write(cx.desk.memory(), &origin)?;
    cx.desk.made(&applied);
    let (note, log) = applied.split_at_checked(1).unwrap_or_default();
    let plans = log.iter().filter_map(|applied| applied.plan.as_ref());
    let warnings = plans.flat_map(|plan| plan.parts()).flat_map(|part| &part.warnings);
    // The key of a note is a title that may say anything: no observer is told of it.
    Ok(warnings.fold(apply::reply(note).with_receipt(None), Reply::with_warning))
}

/// Writes the note that whoever goes on in the next session reads first, in the place of the last
/// one. Use it before a session ends: what was done, what is open, what comes next.
/// Example: {"content": "Migration done; next: delete the old table"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WriteSessionHandoff {
    /// What to hand over.
    #[schemars(extend("aliases" = "text value note body message handoff summary"))]
    content: String,
}

impl Tool for WriteSessionHandoff {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        write(cx, |memory, origin| memory.write_handoff(&self.content, origin))
    }
}

/// Writes, reads or clears your scratchpad. Use it for what only the current task needs, such as
/// steps and interim results; clear it when the task is done.
/// Example: {"mode": "append", "content": "Step 2: 41 rows left"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ScratchNote {
    /// `replace` what stands there, `append` to it on a new line, `clear` it, or `read` it.
    #[schemars(extend("aliases" = "action op operation"))]
    mode: ScratchMode,
    /// What to write, for `replace` and `append`.
    #[schemars(extend("aliases" = "text value note body message"))]
    content: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum ScratchMode {
    Replace,
    Append,
    Clear,
    Read,
}

impl Tool for ScratchNote {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mode = match self.mode {
            ScratchMode::Replace => Some(NoteMode::Replace),
            ScratchMode::Append => Some(NoteMode::Append),
            ScratchMode::Clear => None,
            ScratchMode::Read => {
                let text = cx.desk.memory().scratchpad()?;
                let message = text.is_empty().then_some("the scratchpad is empty");
                return Ok(Reply::new(Status::Ok, &()).with_member("text", text).with_message(message));
            }
        };
        let content = self.content.as_deref();
        if mode.is_some() && content.is_none() {
            let message = "`content`: expected what to write, found nothing; the mode `clear` empties the scratchpad";
            return Err(Refused::invalid(message));
        }
        let content = content.unwrap_or_default();
        write(cx, |memory, origin| match mode {
            None => memory.clear_scratchpad(origin),
            Some(mode) => memory.write_scratchpad(content, mode, origin),
        })
    }
}
