//! The one renderer of refusals: what was not done, why, and what to send instead.

mod plain;
mod request;

use super::answer::{BadRow, FailureRow, PartName, Refused, SENTENCE, bounded};
use super::arguments::ArgumentError;
use super::definition::{Asked, CallError};
use super::hints::edit_hint;
use super::phrase::HINT;
use super::{ToolDefinition, json, phrase};
use crate::locate::Code;
use crate::memory::journal::Finding;
use crate::memory::{DocName, MemoryError, StoreError, Verification};
use crate::request::RequestError;
use crate::text::{Revision, escaped, excerpt};

pub(super) use plain::plain;

use plain::{MAX_FAILURES, NOTHING};
use request::request_error;

/// The bound of a hint that shows the shape of a call.
const SHAPE: usize = 1_200;

/// Explains why a call is refused.
pub(super) fn call_error(tool: &ToolDefinition, error: CallError) -> Box<Refused> {
    match error {
        CallError::Argument(error) => invalid_arguments(tool, &error),
        CallError::Request(refusal) => request_error(tool, &RequestError::of(0, *refusal)),
        CallError::Memory(error) => memory_error(tool, &error),
        CallError::Refused(refused) => refused,
    }
}

/// Explains a refusal of the memory.
pub(super) fn memory_error(tool: &ToolDefinition, error: &MemoryError) -> Box<Refused> {
    let hint = match error {
        MemoryError::Request { document, error } | MemoryError::NotRebased { document, error, .. } => {
            let mut refused = request_error(tool, error);
            refused.hint = phrase::reading(&refused.hint, document.as_str());
            return refused;
        }
        MemoryError::Several { first, others } => return several(tool, first, others),
        MemoryError::Indeterminate(lost) => {
            let why = bounded(&lost.without_paths(), SENTENCE);
            let hint = "send the same call again: if the change was made, the reply says so".to_owned();
            return Refused::new(error.code(), format!("It is not known whether anything was changed: {why}."), hint);
        }
        MemoryError::Store(failed) => return store_error(failed),
        MemoryError::Edit { error, .. } | MemoryError::NoRoom { error, .. } => edit_hint(error),
        MemoryError::HookFailed { .. } => {
            "send the new text yourself as \"candidate\", or the same call again later".to_owned()
        }
        MemoryError::StaleRevision { document, .. } => phrase::reread(document.as_str()),
        MemoryError::UnknownDocument { known, .. } if known.is_empty() => "use the document `memory`".to_owned(),
        MemoryError::UnknownDocument { known, .. } => one_of(known),
        MemoryError::UnknownBlock { known, .. } => one_of(known),
        MemoryError::NotUndone { .. } => {
            "take back what was done to it later first, or edit the text as it stands now".to_owned()
        }
        MemoryError::Contended { .. } => LATER.to_owned(),
        MemoryError::RefusedByPolicy { .. } => {
            "leave that out; if it is what the user wants, tell them why it was refused".to_owned()
        }
        MemoryError::FolderRefused { .. } => "use a name without `/`".to_owned(),
        MemoryError::NamedTwice { .. } | MemoryError::DocumentExists { .. } => {
            "send all parts of that document together".to_owned()
        }
        MemoryError::UnknownVersion { .. } => "leave out \"version\" for the one that stands".to_owned(),
        MemoryError::UnknownEntry { .. }
        | MemoryError::UnknownRevision { .. }
        | MemoryError::NothingToUndo { .. }
        | MemoryError::Erased { .. } => "take a `seq` that memory_history lists".to_owned(),
        MemoryError::NotSupersedable { .. } => {
            "take a `seq` that memory_recall shows; memory_undo takes an edit back".to_owned()
        }
        MemoryError::TextTooLarge(_) => "shorten the text, or send it in parts".to_owned(),
        MemoryError::NothingToRemember | MemoryError::NothingToRedact | MemoryError::HostOnly => {
            format!("call {}", tool.shape())
        }
        MemoryError::Superseded { by, .. } => format!("supersede {by} instead, or leave that one out"),
        MemoryError::ChainBroken { .. } | MemoryError::Unsound { .. } => {
            "tell the user that the journal of the memory has been changed by other means".to_owned()
        }
    };
    plain(error.code(), &error.to_string(), hint)
}

fn store_error(error: &StoreError) -> Box<Refused> {
    let is_busy = matches!(error, StoreError::Busy { .. } | StoreError::Unsettled { .. } | StoreError::Held { .. });
    let hint = if is_busy { LATER } else { "tell the user that the memory cannot be written" };
    let mut refused = plain(error.code(), &error.without_paths(), hint.to_owned());
    refused.retryable &= is_busy;
    refused
}

/// Names what there is.
fn one_of(known: &[impl std::fmt::Display]) -> String {
    let names: Vec<_> = known.iter().take(20).map(|name| format!("`{name}`")).collect();
    format!("use one of {}", names.join(", "))
}

/// Says that the journal is not what it was.
pub(super) fn broken_chain(found: &Verification) -> Box<Refused> {
    let bad: Vec<_> = found.findings.iter().filter(|finding| !finding.problem.is_notice()).map(bad).collect();
    let (first, others) =
        (bad.first().map_or_else(String::new, |bad| bad.problem.clone()), bad.len().saturating_sub(1));
    let more = if others == 0 { String::new() } else { format!(", and {others} more findings") };
    let message = format!("The memory is not as its journal was written: {first}{more}.");
    let hint = "tell the user, who can compare it with a copy; what the memory says may have been changed".to_owned();
    let mut refused = Refused::new(Code::ChainBroken, message, hint);
    refused.retryable = false;
    refused.bad = Some(bad);
    refused.fitted()
}

/// Tells a finding as a row.
pub(super) fn bad(finding: &Finding) -> BadRow {
    BadRow { seq: finding.entries.map(|entries| entries.first().get()), problem: bounded(&finding.to_string(), 160) }
}

/// Explains the refusals of several documents: the first in full, and what is wrong with the others.
fn several(tool: &ToolDefinition, first: &MemoryError, others: &[MemoryError]) -> Box<Refused> {
    let mut said = Vec::new();
    let mut failures = Vec::new();
    let mut refused = memory_error(tool, first);
    for (number, error) in [first].into_iter().chain(others).enumerate() {
        let document = error.document().map(ToString::to_string).unwrap_or_default();
        let own = if number == 0 { refused.clone() } else { memory_error(tool, error) };
        let why = own.message.strip_prefix(NOTHING).unwrap_or(&own.message);
        said.push(format!("in `{document}`: {}", why.strip_suffix('.').unwrap_or(why)));
        failures.extend(failures_of(&own, &document));
    }
    failures.truncate(MAX_FAILURES);
    refused.message = format!("{}.", bounded(&format!("{NOTHING}{}", said.join("; ")), SENTENCE));
    refused.failures = Some(failures);
    refused.fitted()
}

/// Names the document that is refused, of several that a call edits.
pub(super) fn name_document(refused: &mut Refused, error: &MemoryError) {
    let (MemoryError::Request { document, .. }
    | MemoryError::NotRebased { document, .. }
    | MemoryError::Edit { document, .. }
    | MemoryError::NoRoom { document, .. }) = error
    else {
        return;
    };
    let why = refused.message.strip_prefix(NOTHING).unwrap_or(&refused.message);
    refused.message = bounded(&format!("{NOTHING}in `{document}`: {why}"), SENTENCE);
    refused.failures = refused.failures.is_some().then(|| failures_of(refused, document.as_str()));
}

/// Returns the failing parts of a refusal, with the document that they belong to.
fn failures_of(refused: &Refused, document: &str) -> Vec<FailureRow> {
    let mut failures = refused.failures.clone().unwrap_or_default();
    let why = refused.message.strip_prefix(NOTHING).unwrap_or(&refused.message);
    if failures.is_empty() {
        failures.push(FailureRow {
            part: PartName::Number(1),
            document: None,
            code: refused.code,
            message: why.strip_suffix('.').unwrap_or(why).to_owned(),
        });
    }
    failures.iter_mut().for_each(|failure| failure.document = Some(document.to_owned()));
    failures
}

/// Why an edit must name its base.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unbased {
    /// The policy asks for it in every edit.
    Strict,
    /// The agent has not been shown the document.
    Unseen,
}

/// Explains why an edit needs a revision, and names the current one for a client that keeps no session.
pub(super) fn missing_revision(
    document: &DocName,
    current: Revision,
    asked: &[Asked],
    unbased: Unbased,
) -> Box<Refused> {
    let why = match unbased {
        Unbased::Strict => "this memory asks for `base_revision` in every edit",
        Unbased::Unseen => "you have not been shown the document",
    };
    let (read, base) = (phrase::read(document.as_str()), phrase::base(document, current, asked));
    let base = base.replacen(" set to", " to", 1);
    let hint = format!("{read}, then send the edit again; if you know the text as it stands, set {base}");
    plain(Code::MissingRevision, &format!("{why} (`{document}`)"), hint)
}

/// Explains arguments that are not those of the tool: by the call as it may be meant, and by the shape of a call.
pub(super) fn invalid_arguments(tool: &ToolDefinition, error: &ArgumentError) -> Box<Refused> {
    let shape = format!("call {}", tool.shape());
    let meant = if let ArgumentError::Names { meant, .. } = error { meant.as_ref() } else { None };
    let meant = meant.map(ToString::to_string).filter(|meant| meant.chars().count() <= HINT);
    let hint = match meant {
        Some(meant) => format!("if that is what you mean, send {meant}; else {shape}"),
        None => shape,
    };
    let error = bounded(&error.to_string(), SENTENCE / 2);
    let mut refused = plain(Code::InvalidArguments, &error, String::new());
    refused.hint = bounded(&escaped(&hint), SHAPE);
    refused
}

/// Has the hint of a refusal of `inner`, whose arguments are the `member` of a call of another tool, say so: what to change stands
/// there, and the call of `inner` itself is not meant.
pub(super) fn nested(mut refused: Box<Refused>, outer: &str, member: &str, inner: &ToolDefinition) -> Box<Refused> {
    let (shape, own) = (inner.shape(), format!("call {}", inner.shape()));
    let is_of_arguments = matches!(
        refused.code,
        Code::InvalidArguments
            | Code::NotFound
            | Code::Ambiguous
            | Code::CountMismatch
            | Code::ContextTooThin
            | Code::NeedsAnchor
            | Code::HasChildren
            | Code::InvalidPatch
            | Code::InvalidText
            | Code::OverlappingEdits
            | Code::DuplicateBullet
            | Code::DuplicateSection
    );
    let hint = refused.hint.replace(&own, &format!("call {outer} with \"{member}\" as for {shape}"));
    // What names another tool is not said of the arguments.
    let is_elsewhere =
        hint.starts_with("call ") || hint.contains("memory_read") || hint.contains("with replace_in_memory");
    refused.hint = match is_of_arguments && !is_elsewhere {
        true => format!("in \"{member}\": {hint}"),
        false => hint,
    };
    refused.fitted()
}

/// Explains arguments that are no JSON.
pub(super) fn broken_json(error: &serde_json::Error) -> Box<Refused> {
    let hint = "send one JSON object, without a fence or words around it".to_owned();
    plain(Code::InvalidArguments, &format!("the arguments are not valid JSON at {}", json::flaw(error)), hint)
}

/// Explains the name of a tool that there is not.
pub(super) fn unknown_tool(name: &str, tools: &[&'static ToolDefinition]) -> Box<Refused> {
    let names: Vec<_> = tools.iter().map(|tool| tool.name).collect();
    plain(
        Code::UnknownTool,
        &format!("there is no tool `{}`", excerpt(name, 60)),
        format!("call one of {}", names.join(", ")),
    )
}

/// Words a refusal more firmly, since the model has sent the very same call before: `times` counts its refusals.
pub(super) fn repeated(mut refused: Box<Refused>, tool: &str, times: usize) -> Box<Refused> {
    let why = refused.message.strip_prefix(NOTHING).unwrap_or(&refused.message).trim_end_matches('.');
    let why = bounded(why, SENTENCE);
    let other_way = match tool {
        _ if times < 3 => None,
        "patch_memory" => Some("go another way: make the edits one by one with replace_in_memory"),
        _ => Some("go another way: call memory_read with {}, and write a new call from what it shows"),
    };
    let hint = match other_way {
        Some(way) => format!("{way}; the last hint was: {}", refused.hint),
        None => refused.hint.clone(),
    };
    refused.message =
        format!("Nothing was changed, again: this is the same call that was just refused. The reason: {why}.");
    refused.hint = bounded(&hint, HINT);
    refused.fitted()
}

const LATER: &str = "send the same call again later";
