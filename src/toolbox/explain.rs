//! The one renderer of refusals: what was not done, why, and what to send instead.

use serde_json::{Value, json};

use super::arguments::ArgumentError;
use super::definition::ToolDefinition;
use super::hints::{HINT, edit_hint, hint};
use super::json;
use super::reply::{Reply, Status};
use super::{phrase, stale};
use crate::locate::{Candidate, Closest, Diagnostic, Matches};
use crate::memory::{MemoryError, StoreError};
use crate::request::{Failure, Refusal, RequestError};
use crate::text::{Revision, excerpt};

/// The bound of a message, in characters, with all that belongs to it.
pub(super) const MAX_CHARS: usize = 2_000;
/// The bound of the sentence that says what is wrong.
const SENTENCE: usize = 800;
/// The bound of a hint that shows the shape of a call.
const SHAPE: usize = 1_200;
/// How many failing parts are listed.
const MAX_FAILURES: usize = 20;

/// Explains a refusal of the memory.
pub(super) fn memory_error(tool: &ToolDefinition, error: &MemoryError) -> Reply {
    match error {
        MemoryError::Request { error, .. } => request_error(tool, error),
        MemoryError::Several { first, others } => several(tool, first, others),
        MemoryError::Edit { error, .. } => refused(error.code(), &error.to_string(), edit_hint(error)),
        MemoryError::NoRoom { error: edit, .. } => refused(error.code(), &error.to_string(), edit_hint(edit)),
        MemoryError::HookFailed { .. } => {
            let hint = "send the new text yourself as \"candidate\", or the same call again later".to_owned();
            refused(error.code(), &error.to_string(), hint)
        }
        MemoryError::StaleRevision { document, .. } => {
            refused(error.code(), &error.to_string(), stale::reread(document.as_str()))
        }
        MemoryError::UnknownDocument { known, .. } => {
            let names: Vec<_> = known.iter().take(20).map(|name| format!("`{name}`")).collect();
            let hint = match names.is_empty() {
                true => "use the document `memory`".to_owned(),
                false => format!("use one of {}", names.join(", ")),
            };
            refused(error.code(), &error.to_string(), hint)
        }
        MemoryError::Indeterminate(lost) => Reply::new(Status::Error)
            .with("code", error.code())
            .with(
                "message",
                format!("It is not known whether anything was changed: {}.", bounded(&lost.to_string(), SENTENCE)),
            )
            .with("hint", "send the same call again: if the change was made, the reply says so")
            .with("retryable", true),
        MemoryError::Contended { .. } | MemoryError::Store(StoreError::Busy { .. }) => {
            refused(error.code(), &error.to_string(), "send the same call again later".to_owned())
        }
        MemoryError::NamedTwice { .. } => {
            refused(error.code(), &error.to_string(), "send all parts of that document together".to_owned())
        }
        MemoryError::Store(_) => {
            let hint = "tell the user that the memory cannot be written".to_owned();
            refused(error.code(), &error.to_string(), hint).with("retryable", false)
        }
    }
}

/// Explains the refusals of several documents: the first in full, and what is wrong with the others.
fn several(tool: &ToolDefinition, first: &MemoryError, others: &[MemoryError]) -> Reply {
    let name = |error: &MemoryError| error.document().map(ToString::to_string).unwrap_or_default();
    let replies: Vec<_> = others.iter().map(|error| (name(error), memory_error(tool, error))).collect();
    let mut reply = memory_error(tool, first);
    let own = |reply: &Reply| {
        let message = reply.get("message").and_then(Value::as_str).unwrap_or_default();
        let message = message.strip_prefix("Nothing was changed: ").unwrap_or(message);
        message.strip_suffix('.').unwrap_or(message).to_owned()
    };
    let mut failures = failures_of(&reply, &name(first));
    let mut message = format!("Nothing was changed: in `{}`: {}", name(first), own(&reply));
    for (document, other) in &replies {
        message.push_str(&format!("; in `{document}`: {}", own(other)));
        failures.extend(failures_of(other, document));
    }
    failures.truncate(MAX_FAILURES);
    reply = reply.with("message", format!("{}.", bounded(&message, SENTENCE)));
    fitted(reply.with("failures", failures))
}

/// Returns the failing parts of a refusal, with the document that they belong to.
fn failures_of(reply: &Reply, document: &str) -> Vec<Value> {
    let mut failures = reply.get("failures").and_then(Value::as_array).cloned().unwrap_or_default();
    if failures.is_empty() {
        failures.push(json!({"part": 1, "code": reply.code(), "message": reply.get("message")}));
    }
    for failure in failures.iter_mut().filter_map(Value::as_object_mut) {
        failure.insert("document".to_owned(), document.into());
    }
    failures
}

/// Explains a refusal that comes before any document is looked at.
pub(super) fn refusal(tool: &ToolDefinition, refusal: impl Into<Refusal>) -> Reply {
    request_error(tool, &RequestError::of(0, refusal))
}

/// Explains why an edit needs a revision, and names the current one for a client that keeps no session.
pub(super) fn missing_revision(document: &str, current: Revision, is_strict: bool) -> Reply {
    let why = match is_strict {
        true => "this memory asks for `base_revision` in every edit",
        false => "you have not been shown the document",
    };
    let read = phrase::read(document);
    let hint = format!(
        "{read}, then send the edit again; if you know the text as it stands, set \"base_revision\" to \"{}\"",
        current.short()
    );
    refused("missing_revision", &format!("{why} (`{document}`)"), hint)
}

/// Explains arguments that are not those of the tool: by the call as it may be meant, and by the shape of a call.
pub(super) fn invalid_arguments(tool: &ToolDefinition, error: &ArgumentError) -> Reply {
    let shape = format!("call {}", tool.shape());
    let meant = if let ArgumentError::Names { meant, .. } = error { meant.as_ref() } else { None };
    let meant = meant.map(ToString::to_string).filter(|meant| meant.chars().count() <= HINT);
    let hint = match meant {
        Some(meant) => format!("if that is what you mean, send {meant}; else {shape}"),
        None => shape,
    };
    let error = bounded(&error.to_string(), SENTENCE / 2);
    refused("invalid_arguments", &error, String::new()).with("hint", bounded(&hint, SHAPE))
}

/// Explains one argument whose value does not fit.
pub(super) fn invalid_value(tool: &ToolDefinition, message: impl std::fmt::Display) -> Reply {
    invalid_arguments(tool, &ArgumentError::Value(message.to_string()))
}

/// Explains arguments that are no JSON.
pub(super) fn broken_json(error: &serde_json::Error) -> Reply {
    let hint = "send one JSON object, without a fence or words around it".to_owned();
    refused("invalid_arguments", &format!("the arguments are not valid JSON at {}", json::flaw(error)), hint)
}

/// Explains the name of a tool that there is not.
pub(super) fn unknown_tool(name: &str, tools: &[&ToolDefinition]) -> Reply {
    let names: Vec<_> = tools.iter().map(|tool| tool.name).collect();
    refused(
        "unknown_tool",
        &format!("there is no tool `{}`", excerpt(name, 60)),
        format!("call one of {}", names.join(", ")),
    )
}

/// Words a refusal more firmly, since the model has sent the very same call before: `times` counts its refusals.
pub(super) fn repeated(reply: Reply, tool: &str, times: usize) -> Reply {
    let text = |member| reply.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (message, hint) = (text("message"), text("hint"));
    let why = message.strip_prefix("Nothing was changed: ").unwrap_or(&message).trim_end_matches('.');
    let why = bounded(why, SENTENCE);
    let again = "Nothing was changed, again: this is the same call that was just refused.";
    let other_way = match tool {
        _ if times < 3 => None,
        "patch_memory" => Some("go another way: make the edits one by one with replace_in_memory"),
        _ => Some("go another way: call memory_read with {}, and write a new call from what it shows"),
    };
    let hint = match other_way {
        Some(way) => format!("{way}; the last hint was: {hint}"),
        None => hint,
    };
    fitted(reply.with("message", format!("{again} The reason: {why}.")).with("hint", bounded(&hint, HINT)))
}

fn refused(code: &str, why: &str, hint: String) -> Reply {
    Reply::new(Status::Error)
        .with("code", code)
        .with("message", format!("Nothing was changed: {}.", bounded(why, SENTENCE)))
        .with("hint", bounded(&hint, HINT))
        .with("retryable", is_retryable(code))
}

/// Reports whether the same intention, sent again in another way or later, may succeed.
fn is_retryable(code: &str) -> bool {
    !matches!(code, "reserved_section" | "unknown_tool")
}

fn request_error(tool: &ToolDefinition, error: &RequestError) -> Reply {
    let Some(first) = error.failures().first() else {
        return refused("invalid_arguments", "the request is empty", format!("call {}", tool.shape()));
    };
    let fix = hint(tool, &first.refusal);
    let fix = if error.failures().len() > 1 { format!("for part {}, {fix}", first.part + 1) } else { fix };
    let mut reply = refused(error.code(), &sentence(tool, error), fix);
    if let Some(matches) = first.refusal.matches() {
        reply = with_matches(tool, reply, matches);
    }
    if let Some(help) = first.refusal.help() {
        reply = with_help(reply, help);
    }
    let failure = |failure: &Failure| json!({"part": failure.part + 1, "code": failure.refusal.code(), "message": bounded(&why(&failure.refusal), 200)});
    let failures: Vec<_> = error.failures().iter().take(MAX_FAILURES).map(failure).collect();
    reply = reply.with("failures", failures);
    if let Some(parts) = error.parts() {
        reply = reply.with("ops", rows(error, parts));
    }
    fitted(reply)
}

/// Returns a row for each part of a request that was refused: those that failed, and those that were not applied for it.
fn rows(error: &RequestError, parts: usize) -> Vec<Value> {
    let row = |part: usize| match error.failures().iter().find(|failure| failure.part == part) {
        Some(failure) => {
            let message = bounded(&why(&failure.refusal), 160);
            json!({"status": "failed", "code": failure.refusal.code(), "message": message})
        }
        None => json!({"status": "not_applied"}),
    };
    (0..parts).map(row).collect()
}

/// Says what is wrong, in one sentence; with several failing parts, of each, the shorter the more there are.
fn sentence(tool: &ToolDefinition, error: &RequestError) -> String {
    match error.failures() {
        [only] => why(&only.refusal),
        several => {
            let limit = (SENTENCE / several.len().max(1)).clamp(60, 280) - 10;
            let part = |failure: &Failure| {
                let fix = failure.refusal.fix().and_then(|fix| (tool.phrase)(fix));
                let fix = fix.filter(|words| words.chars().count() <= 120).map(|words| format!(", {words}"));
                let said = format!("{}{}", bounded(&why(&failure.refusal), 160), fix.unwrap_or_default());
                format!("part {}: {}", failure.part + 1, bounded(&said, limit))
            };
            several.iter().map(part).collect::<Vec<_>>().join("; ")
        }
    }
}

/// Says what is wrong: the refusal, and the reasons that were found for it.
fn why(refusal: &Refusal) -> String {
    let reasons: Vec<_> =
        refusal.help().map(|help| help.reasons.iter().map(ToString::to_string).collect()).unwrap_or_default();
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
    format!("{refusal}{reasons}")
}

fn with_matches(tool: &ToolDefinition, reply: Reply, matches: &Matches) -> Reply {
    let shown = matches.candidates();
    let candidates: Vec<_> = shown.iter().map(|candidate| candidate_json(tool, candidate)).collect();
    reply.with("candidates", candidates).with("more", matches.len() - shown.len())
}

fn with_help(reply: Reply, help: &Diagnostic) -> Reply {
    match help.closest.is_empty() {
        true => reply,
        false => reply.with("closest", help.closest.iter().map(closest_json).collect::<Vec<_>>()),
    }
}

fn candidate_json(tool: &ToolDefinition, candidate: &Candidate) -> Value {
    let mut json = json!({
        "id": candidate.letter.to_string(),
        "line": candidate.line,
        "section": candidate.section.as_deref().map(|path| excerpt(path, 80)),
        "key": candidate.key.as_ref().map(ToString::to_string),
        "excerpt": candidate.excerpt,
    });
    if let Some(members) = json.as_object_mut() {
        if candidate.is_recommended {
            members.insert("recommended".to_owned(), true.into());
        }
        let words = candidate.fix.as_ref().and_then(|fix| (tool.phrase)(fix));
        if let Some(words) = words.filter(|words| words.chars().count() <= 240) {
            members.insert("use".to_owned(), words.into());
        }
    }
    json
}

fn closest_json(closest: &Closest) -> Value {
    let difference = &closest.difference;
    let reason = match (difference.sought.as_str(), difference.found.as_str()) {
        (sought, found) if !sought.is_empty() || !found.is_empty() => {
            format!("{}: sought `{sought}`, found `{found}`", difference.reason)
        }
        _ => difference.reason.to_string(),
    };
    json!({
        "line": closest.line,
        "section": closest.section.as_deref().map(|path| excerpt(path, 80)),
        "excerpt": closest.excerpt,
        "reason": reason,
    })
}

/// Drops what helps least until the whole text is within its bound.
fn fitted(mut reply: Reply) -> Reply {
    for member in ["failures", "closest", "candidates"] {
        while !reply.is_within(MAX_CHARS) && reply.shorten(member) {}
    }
    reply
}

fn bounded(text: &str, limit: usize) -> String {
    if text.chars().take(limit + 1).count() <= limit {
        return text.to_owned();
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}
