//! Refusals of requests: which parts fail and why, and the places that may be meant.

use std::collections::HashMap;

use super::super::answer::{CandidateRow, ClosestRow, FailureRow, OpRow, PartName, Places, Refused, SENTENCE, bounded};
use super::super::hints::{Labels, hint};
use super::super::{ToolDefinition, phrase};
use super::plain::{MAX_FAILURES, plain};
use crate::locate::{Candidate, Closest, Code, Matches};
use crate::request::{Failure, Refusal, RequestError};
use crate::text::excerpt;

/// For how many failing parts it is told what to send instead, and in how many characters.
const HINTED: usize = 4;
const HINTS: usize = 600;

/// Explains a refusal of a request: by the reasons and places that were found, and of several parts, by a row for each.
pub(super) fn request_error(tool: &ToolDefinition, error: &RequestError) -> Box<Refused> {
    let Some(first) = error.failures().first() else {
        return plain(Code::InvalidArguments, "the request is empty", format!("call {}", tool.shape()));
    };
    let mut refused = plain(error.code(), &sentence(tool, error), hints(tool, error));
    refused.places = first.refusal.matches().map(|matches| places(tool, matches));
    if let Some(help) = first.refusal.help() {
        refused.closest = help.closest.iter().map(ClosestRow::from).collect();
    }
    let failure = |failure: &Failure| FailureRow {
        part: PartName::Number(failure.part + 1),
        document: None,
        code: failure.refusal.code(),
        message: bounded(&why(&failure.refusal), 200),
    };
    refused.failures = Some(error.failures().iter().take(MAX_FAILURES).map(failure).collect());
    refused.ops = error.parts().map(|parts| ops(error, parts));
    refused.fitted()
}

/// Says what to send instead; with several failing parts, for each of the first that have a way of their own, as far as there is room.
fn hints(tool: &ToolDefinition, error: &RequestError) -> String {
    // The letters of candidates are those of the first.
    let labels = std::iter::once(Labels::Letters).chain(std::iter::repeat(Labels::Lines));
    let failures = error.failures().iter().take(HINTED).zip(labels);
    let ways = failures.map(|(failure, labels)| (failure.part + 1, hint(tool, &failure.refusal, labels)));
    let mut told: Vec<(usize, String)> = Vec::new();
    for (part, way) in ways {
        let length: usize = told.iter().map(|(_, way)| way.chars().count()).sum();
        let is_new = told.iter().all(|(_, known)| *known != way);
        if told.is_empty() || (is_new && length + way.chars().count() <= HINTS) {
            told.push((part, way));
        }
    }
    match error.failures() {
        [_] => told.into_iter().map(|(_, way)| way).collect(),
        _ => told.into_iter().map(|(part, way)| format!("for part {part}, {way}")).collect::<Vec<_>>().join("; "),
    }
}

/// Returns a row for each part of a request that was refused: those that failed, and those that were not applied for it.
fn ops(error: &RequestError, parts: usize) -> Vec<OpRow> {
    // Of a part that has several, the first.
    let failures: HashMap<_, _> = error.failures().iter().rev().map(|failure| (failure.part, failure)).collect();
    let row = |part: usize| {
        let failure = failures.get(&part);
        OpRow {
            status: if failure.is_some() { "failed" } else { "not_applied" },
            memory_id: None,
            code: failure.map(|failure| failure.refusal.code()),
            message: failure.map(|failure| bounded(&why(&failure.refusal), 160)),
        }
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
                let fix = failure.refusal.fix().and_then(|fix| tool.words(fix));
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
    format!("{}{reasons}", phrase::refusal(refusal))
}

fn places(tool: &ToolDefinition, matches: &Matches) -> Places {
    let row = |place: &Candidate| {
        let way = place.fix.as_ref().and_then(|fix| tool.words(fix));
        CandidateRow { way: way.filter(|words| words.chars().count() <= 240), ..CandidateRow::from(place) }
    };
    let candidates: Vec<_> = matches.candidates().iter().map(row).collect();
    Places { more: matches.len() - candidates.len(), candidates }
}

impl From<&Candidate> for CandidateRow {
    fn from(candidate: &Candidate) -> Self {
        Self {
            id: candidate.letter.to_string(),
            line: candidate.line,
            section: candidate.section.as_deref().map(|path| excerpt(path, 80)),
            block: candidate.block.as_deref().map(|id| excerpt(id, 40)),
            key: candidate.key.as_ref().map(ToString::to_string),
            excerpt: candidate.excerpt.to_string(),
            recommended: candidate.is_recommended.then_some(true),
            match_id: None,
            context: None,
            reason: None,
            way: None,
        }
    }
}

impl From<&Closest> for ClosestRow {
    fn from(closest: &Closest) -> Self {
        let difference = &closest.difference;
        let reason = match (difference.sought.as_str(), difference.found.as_str()) {
            (sought, found) if !sought.is_empty() || !found.is_empty() => {
                format!("{}: sought `{sought}`, found `{found}`", difference.reason)
            }
            _ => difference.reason.to_string(),
        };
        Self {
            line: closest.line,
            section: closest.section.as_deref().map(|path| excerpt(path, 80)),
            excerpt: closest.excerpt.to_string(),
            reason,
        }
    }
}
