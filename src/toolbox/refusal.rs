//! Refusals: what was not done and why, from the errors of the floors below.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::document::bullet_start;
use crate::locate::{Candidate, Closest, Code, Fix, NodeKind, Reason};
use crate::memory::journal::Finding;
use crate::memory::{DocName, MemoryError, StoreError, Verification};
use crate::request::{Argument, Enough, Failure, LostLine, Refusal, Rejection, RequestError};
use crate::text::{Revision, excerpt, visible};
use crate::toolbox::definition::{Asked, CallError};
use crate::toolbox::refused::{HINT, Places, Refused, SENTENCE, bounded, failure};
use crate::toolbox::retry::Remedy;
use crate::toolbox::{ToolDefinition, json};

/// How many failing parts are listed.
const FAILURES: usize = 5;
/// How many of the names that there are are listed.
const NAMES: usize = 20;
/// How many of the lines that a new text lacks are listed.
const LOST: usize = 5;
/// How many findings about the journal are listed.
const FINDINGS: usize = 8;

/// Explains why a call is refused.
pub(crate) fn call_error(tool: &ToolDefinition, error: CallError) -> Box<Refused> {
    match error {
        CallError::Argument(error) => invalid_arguments(tool, &error),
        CallError::Request(refusal) => request_error(&RequestError::of(0, *refusal)),
        CallError::Memory(error) => memory_error(&error),
        CallError::Refused(refused) => refused,
    }
}

/// Explains a refusal of the memory.
pub(crate) fn memory_error(error: &MemoryError) -> Box<Refused> {
    let why = match error {
        MemoryError::Request { error, .. } | MemoryError::NotRebased { error, .. } => return request_error(error),
        MemoryError::Several { first, others } => return several(first, others),
        MemoryError::Indeterminate(lost) => {
            return Refused::new(error.code(), &lost.without_paths());
        }
        MemoryError::Store(failed) => {
            let is_later =
                matches!(failed, StoreError::Busy { .. } | StoreError::Unsettled { .. } | StoreError::Held { .. });
            let mut refused = Refused::new(error.code(), &failed.without_paths());
            refused.retryable &= is_later;
            return refused;
        }
        MemoryError::UnknownDocument { known, .. } => format!("{error}{}", there_are(known)),
        MemoryError::UnknownBlock { known, .. } => format!("{error}{}", there_are(known)),
        MemoryError::FolderRefused { .. } => format!("{error}: use a name without `/`"),
        _ => error.to_string(),
    };
    Refused::new(error.code(), &why)
}

/// Names what there is.
fn there_are(known: &[impl std::fmt::Display]) -> String {
    let names: Vec<_> = known.iter().take(NAMES).map(|name| format!("`{}`", visible(&name.to_string()))).collect();
    if names.is_empty() { String::new() } else { format!("; there is {}", names.join(", ")) }
}

/// Explains that the journal is not what it was.
pub(crate) fn broken_chain(found: &Verification) -> Box<Refused> {
    let bad: Vec<_> = found.findings.iter().filter(|finding| !finding.problem.is_notice()).map(bad).collect();
    let first = bad.first().and_then(|bad| bad["problem"].as_str()).unwrap_or_default();
    let more = match bad.len().saturating_sub(1) {
        0 => String::new(),
        others => format!(", and {others} more findings"),
    };
    let mut refused =
        Refused::new(Code::ChainBroken, &format!("the memory is not as its journal was written: {first}{more}"));
    refused.beside = Some(json!({"bad": bad.get(..FINDINGS).unwrap_or(&bad)}));
    refused
}

/// Tells a finding as a row.
pub(crate) fn bad(finding: &Finding) -> Value {
    let seq = finding.entries.map(|entries| entries.first().get());
    json!({"seq": seq, "problem": bounded(&finding.to_string(), 160)})
}

/// Explains the refusals of several documents: the first in full, and what is wrong with the others.
fn several(first: &MemoryError, others: &[MemoryError]) -> Box<Refused> {
    let mut refused = in_document(memory_error(first), first);
    for error in others {
        let other = in_document(memory_error(error), error);
        refused.why = bounded(&format!("{}; {}", refused.why, other.why), SENTENCE);
        refused.failures.get_or_insert_default().extend(other.failures.into_iter().flatten());
    }
    refused.failures.get_or_insert_default().truncate(FAILURES);
    refused
}

/// Names the document that is refused, of several that a call edits.
pub(crate) fn in_document(mut refused: Box<Refused>, error: &MemoryError) -> Box<Refused> {
    let document = error.document().map(ToString::to_string).unwrap_or_default();
    let mut failures = refused.failures.take().unwrap_or_else(|| vec![failure(1, refused.code, &refused.why)]);
    failures.iter_mut().for_each(|failure| failure["document"] = document.as_str().into());
    refused.why = bounded(&format!("in `{document}`: {}", refused.why), SENTENCE);
    refused.failures = Some(failures);
    refused.remedy = Remedy::None;
    refused
}

/// Explains why an edit needs a revision, and names the current one for a client that keeps no session.
pub(crate) fn missing_revision(document: &DocName, current: Revision, is_strict: bool) -> Box<Refused> {
    let why = match is_strict {
        true => "this memory asks for `base_revision` in every edit",
        false => "you have not been shown the document, or not all that this would replace",
    };
    Refused::new(Code::MissingRevision, &format!("{why} (`{document}`, now at revision `{}`)", current.short()))
}

/// Names the argument that gives a revision of a document as the base of an edit, with what it is to be; of an edit of several
/// documents, with the bases of the others.
pub(crate) fn base(document: &DocName, revision: Revision, asked: &[Asked]) -> Map<String, Value> {
    let others = asked.iter().filter(|asked| asked.document != *document);
    let is_default = *document == DocName::memory() && others.clone().all(|other| other.base.is_none());
    let revision = Value::from(revision.short());
    if is_default || asked.len() < 2 {
        return Map::from_iter([("base_revision".to_owned(), revision)]);
    }
    let named = others.filter_map(|asked| Some((asked.document.to_string(), asked.base.as_ref()?.as_str().into())));
    let bases: Map<String, Value> = named.chain([(document.to_string(), revision)]).collect();
    Map::from_iter([("base_revisions".to_owned(), Value::Object(bases))])
}

/// Explains arguments that are not those of the tool, by the shape of a call.
pub(crate) fn invalid_arguments(tool: &ToolDefinition, error: &str) -> Box<Refused> {
    Refused::new(Code::InvalidArguments, &bounded(error, SENTENCE / 2)).with_hint(tool.call_shape())
}

/// Explains arguments that are no JSON.
pub(crate) fn broken_json(error: &serde_json::Error) -> Box<Refused> {
    let flaw = json::flaw(error);
    Refused::new(Code::InvalidArguments, &format!("the arguments are not valid JSON at {flaw}"))
        .with_hint("send one JSON object, without a fence or words around it")
}

/// Explains the name of a tool that there is not.
pub(crate) fn unknown_tool(name: &str, tools: &[&'static ToolDefinition]) -> Box<Refused> {
    let names: Vec<_> = tools.iter().map(|tool| tool.name).collect();
    Refused::new(Code::UnknownTool, &format!("there is no tool `{}`", excerpt(name, 60)))
        .with_hint(bounded(&format!("call one of {}", names.join(", ")), HINT))
}

/// Explains a refusal of a request: by the reasons and places that were found, and of several parts, by a row for each.
pub(crate) fn request_error(error: &RequestError) -> Box<Refused> {
    let Some(first) = error.failures().first() else {
        return Refused::new(Code::InvalidArguments, "the request is empty");
    };
    let mut refused = Refused::new(error.code(), &sentence(error));
    if let Some(matches) = first.refusal.matches() {
        let candidates: Vec<_> = matches.candidates().iter().map(candidate).collect();
        refused.places = Some(Places { more: matches.len() - candidates.len(), candidates });
        refused.choices = matches.candidates().iter().map(|candidate| candidate.fix.clone()).collect();
    }
    if first.refusal.code() == Code::HasChildren {
        let rows = [("A", "the nested bullets go, too"), ("B", "the nested bullets stay, a level higher")];
        let candidates = rows.map(|(id, excerpt)| json!({"id": id, "excerpt": excerpt})).to_vec();
        refused.places = Some(Places { more: 0, candidates });
        refused.choices = vec![Some(Fix::DeleteChildren), Some(Fix::KeepChildren)];
    }
    refused.closest = closest(&first.refusal);
    let known = first.refusal.help().into_iter().flat_map(|help| &help.known).take(NAMES);
    refused.known = known.map(|name| excerpt(name, 80)).collect();
    let row = |part: &Failure| failure(part.part + 1, part.refusal.code(), &bounded(&why(&part.refusal), 200));
    refused.failures = Some(error.failures().iter().take(FAILURES).map(row).collect());
    refused.beside = error.parts().map(|parts| json!({"ops": ops(error, parts)}));
    refused.remedy = Remedy::of(error);
    if let Some(Fix::Expect(count)) = first.refusal.fix() {
        refused.count = Some(*count);
    }
    refused
}

/// Returns a row for each part of a request that was refused: those that failed, and those that were not applied for it.
fn ops(error: &RequestError, parts: usize) -> Vec<Value> {
    // Of a part that has several, the first.
    let failures: HashMap<_, _> = error.failures().iter().rev().map(|failure| (failure.part, failure)).collect();
    let row = |part: usize| match failures.get(&part) {
        None => json!({"status": "not_applied"}),
        Some(Failure { refusal, .. }) => {
            json!({"status": "failed", "code": refusal.code(), "message": bounded(&why(refusal), 160)})
        }
    };
    (0..parts).map(row).collect()
}

/// Says what is wrong, in one sentence; with several failing parts, of each, the shorter the more there are.
fn sentence(error: &RequestError) -> String {
    let failures = error.failures();
    if let [only] = failures {
        return why(&only.refusal);
    }
    let limit = SENTENCE / failures.len().clamp(1, FAILURES) - 20;
    let part = |failure: &Failure| format!("part {}: {}", failure.part + 1, bounded(&why(&failure.refusal), limit));
    let parts: Vec<_> = failures.iter().take(FAILURES).map(part).collect();
    let more = match failures.len().saturating_sub(FAILURES) {
        0 => String::new(),
        more => format!("; and {more} more parts"),
    };
    format!("{}{more}", parts.join("; "))
}

/// Says what is wrong: the refusal, the reasons that were found for it, and the names that there are.
fn why(refusal: &Refusal) -> String {
    let mut why = match refusal {
        Refusal::InvalidArgument { argument, .. } => format!("{}: {refusal}", name(*argument)),
        Refusal::ContextTooThin { enough: Enough::TextBesideIndex(argument) } => {
            format!("{refusal}, as {}", name(*argument))
        }
        _ => refusal.to_string(),
    };
    let help = match refusal {
        Refusal::NeedsAnchor { help, .. } => Some(&**help),
        other => other.help(),
    };
    let Some(help) = help else { return why };
    let reasons: Vec<_> = help.reasons.iter().map(ToString::to_string).collect();
    if !reasons.is_empty() {
        why.push_str(&format!(" ({})", reasons.join("; ")));
    }
    if help.reasons.iter().any(|reason| matches!(reason, Reason::Called { what: NodeKind::Bullet, .. })) {
        why.push_str("; what is to go below a bullet names it in `under`");
    }
    why.push_str(&there_are(&help.known));
    why
}

/// Returns the lines that may be meant, or that a new text lacks, whole.
fn closest(refusal: &Refusal) -> Vec<Value> {
    let missing = |lost: &LostLine| {
        // One whose number is no count is told with that number as its marker.
        let has_marker = bullet_start(&lost.text).is_some_and(|start| start.marker.len() > 1);
        let text = if has_marker { lost.text.to_string() } else { format!("- {}", lost.text) };
        let under = lost.under.as_deref().map(|under| format!(" below `{}`", visible(&excerpt(under, 80))));
        let reason = format!("is missing{}", under.unwrap_or_default());
        json!({"line": lost.line, "text": text, "reason": reason})
    };
    match refusal {
        Refusal::Rejected(Rejection::PinnedLost { lost }) => lost.iter().take(LOST).map(missing).collect(),
        _ => refusal.help().into_iter().flat_map(|help| &help.closest).map(closest_row).collect(),
    }
}

/// Tells a place that may be meant as a row.
pub(crate) fn candidate(candidate: &Candidate) -> Value {
    json!({
        "id": candidate.letter,
        "line": candidate.line,
        "section": candidate.section.as_deref().map(|path| excerpt(path, 80)),
        "block": candidate.block.as_deref().map(|id| excerpt(id, 40)),
        "key": candidate.key.as_ref().map(ToString::to_string),
        "excerpt": candidate.excerpt,
        "recommended": candidate.is_recommended.then_some(true),
    })
}

fn closest_row(closest: &Closest) -> Value {
    let difference = &closest.difference;
    let reason = match (difference.sought.as_str(), difference.found.as_str()) {
        ("", "") => difference.reason.to_string(),
        (sought, found) => format!("{}: sought `{sought}`, found `{found}`", difference.reason),
    };
    let section = closest.section.as_deref().map(|path| excerpt(path, 80));
    json!({"line": closest.line, "section": section, "text": closest.text, "reason": reason})
}

/// Names an argument as the tools do that have it.
const fn name(argument: Argument) -> &'static str {
    match argument {
        Argument::OldText => "`old_string`",
        Argument::NewText => "`text`",
        Argument::Count => "`expected_replacements`",
        Argument::Index => "`index`",
        Argument::Contains => "`contains`",
        Argument::StartsWith => "`starts_with`",
        Argument::Edits => "`edits`",
        Argument::Bullet | Argument::IntoSection => "`target`",
        Argument::List => "`target` (the place goes into `to`)",
        Argument::Place => "`to`",
        Argument::Tags => "`tags`",
        Argument::Bullets => "`targets`",
        Argument::Lifetime => "`ttl`",
        Argument::Operations => "`ops`",
        Argument::Block => "`memory_id` or `category`",
        Argument::BlockText => "`sub_memory`",
        Argument::OldBlockText => "`old_sub_memory`",
        Argument::SectionPlace => "the place",
        Argument::Parent => "`under`",
        Argument::Budget => "`budget_tokens`",
        Argument::Candidate => "`candidate`",
        Argument::SortedList => "`section` or `block`",
        Argument::SortKey => "`by`",
        Argument::Ties => "`keep_ties`",
        Argument::NoteKey => "`key`",
    }
}
