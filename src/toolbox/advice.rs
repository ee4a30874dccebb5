//! Hints: the call to send instead of a refused one, else one sentence for each code.

use serde_json::Value;

use crate::locate::Code;
use crate::text::escaped;
use crate::toolbox::ToolDefinition;
use crate::toolbox::refused::Refused;
use crate::toolbox::retry::ToolCall;

/// The hint of a refusal that shows what has changed, if no call is known to be right.
pub(crate) const ON_CHANGES: &str = "look at `changes`, then send an edit of the text as it now stands";

/// Says to send this call.
pub(crate) fn send(call: &ToolCall) -> String {
    format!("send {} {}", call.tool, json(&call.arguments))
}

/// Says what to do about a refusal, where no call is known that would be made.
pub(crate) fn advice(refused: &Refused, offered: &[&'static ToolDefinition]) -> String {
    let advice = match refused.code {
        Code::StaleRevision | Code::Conflict if refused.has("changes") => ON_CHANGES,
        Code::NotFound if refused.has("candidates") => {
            "if that place is meant, put the `change` of the candidate into the call; else call {read}"
        }
        Code::NotFound if refused.has("closest") => {
            "if a line of `closest` is meant, copy its text as it stands (in a patch behind the ` `, `-`, `+` or `@@ ` of its line); \
             else call {read}"
        }
        Code::HasChildren if refused.has("candidates") => "choose one candidate and put its `change` into the call",
        code => of_code(code),
    };
    advice.replace("{read}", reader(offered))
}

/// Returns JSON in which nothing hides.
pub(crate) fn json(value: &Value) -> String {
    escaped(&value.to_string())
}

/// Returns the tool that shows the text as it stands, of those that are offered.
fn reader(offered: &[&'static ToolDefinition]) -> &'static str {
    let readers = [("memory_read", "memory_read"), ("memo_read", "memo_read"), ("memory", "memory with `view`")];
    let mut offered = readers.into_iter().filter(|(name, _)| offered.iter().any(|tool| tool.name == *name));
    offered.next().map_or("your reading tool", |(_, reader)| reader)
}

const fn of_code(code: Code) -> &'static str {
    match code {
        Code::Ambiguous => {
            "choose one candidate and put its `change` into the call, or send more of the text around the place"
        }
        Code::Busy => "send the same call again later",
        Code::ChainBroken => "tell the user that the journal of the memory has been changed by other means",
        Code::Conflict => "call {read}, then send an edit of the text as it now stands",
        Code::ContextTooThin => "say more of the place: the key or the text of the bullet, or the lines around it",
        Code::CountMismatch => {
            "choose one candidate and put its `change` into the call, or send the count that is right if all are meant"
        }
        Code::DuplicateBullet | Code::DuplicateId | Code::DuplicateSection => {
            "change the one that is there, or choose another name"
        }
        Code::HasChildren => "delete the nested bullets first",
        Code::HookFailed => "send the new text yourself as `candidate`, or the same call again later",
        Code::Indeterminate => "send the same call again: if the change was made, the reply says so",
        Code::InvalidArguments => "send the call with these arguments corrected",
        Code::InvalidPatch => {
            "send the whole patch again: `*** Begin Patch`, `*** Update Memory`, under each `@@ section: NAME` lines that begin \
             with ` `, `-` or `+`, then `*** End Patch`"
        }
        Code::InvalidText => {
            "send the text so that this does not happen: with `- ` in front if it is a bullet, else with the lines it belongs to"
        }
        Code::LossTooHigh => {
            "keep more of the text word for word, allow a larger `budget_tokens`, or name in `may_drop` the sections whose bullets your \
             user no longer needs"
        }
        Code::MissingRevision => "call {read}, then send the edit again",
        Code::NeedsAnchor => {
            "put `@@ section: NAME` above the lines to add them at its end, begin the hunk with the line before them behind a \
             space, or put `*** End of File` below them"
        }
        Code::NoSession => "stage an edit first, with memo_replace, memo_append or memo_stage",
        Code::NotFound => "call {read} and use what stands there: what you mean may stand elsewhere, or not at all",
        Code::LostIds | Code::MissingSection | Code::PinnedLost => {
            "keep in the new text what the message names, word for word and where it stands"
        }
        Code::OmissionPlaceholder => "send the whole new text: what it leaves out is gone from the memory",
        Code::OverlappingEdits => "send the parts that touch the same text as one, or in calls of their own",
        Code::Pinned => "leave that bullet as it is, or ask the user to have it unpinned",
        Code::Redacted => "take another entry: what this one said was erased",
        Code::RefusedByPolicy => "leave that out; if it is what the user wants, tell them why it was refused",
        Code::ReservedSection => "leave the reserved section as it is: no tool can change it; tell your user",
        Code::StaleMatch => "look at `candidates`, then send the call again with the letter of the one that is meant",
        Code::StaleRevision => "call {read}, then send the edit again if it is still right",
        Code::Store => "send the same call again; if that fails, too, tell the user that the memory cannot be used now",
        Code::Superseded => "supersede the entry that stands in its place, or leave it out",
        Code::TaskDepth => "end the current task first, with memo_commit or memo_revert",
        Code::OverBudget | Code::TooLarge => {
            "shorten or remove something, in the same edit or before it, or allow more"
        }
        Code::TooManyChanges => "call memo_commit with what is pending, then go on in a new session",
        Code::UnknownTask => "leave `parent_task_id` out, or name the current task",
        Code::UnknownChange | Code::UnknownDocument | Code::UnknownEntry | Code::UnknownTool => {
            "name one that is there"
        }
    }
}
