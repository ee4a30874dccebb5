//! [`Refused`]: the answer to a refused call, made from the errors of the floors below. It says what is wrong and
//! what to send instead.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::locate::{Candidate, Closest, Code, Fix, NodeKind, Reason};
use crate::memory::journal::Finding;
use crate::memory::{MemoryError, StoreError, Verification};
use crate::request::{Failure, LostLine, Refusal, Rejection, RequestError};
use crate::text::{excerpt, on_one_line, visible};
use crate::toolbox::retry::PartFix;
use crate::toolbox::{Nested, Remedy, Reply, Status, ToolDefinition, json};

/// The longest refusal, in characters, without its retry.
const MAX_CHARS: usize = 2_000;
/// The longest hint that is no call.
pub(crate) const HINT: usize = 1_200;
/// The longest message.
pub(crate) const SENTENCE: usize = 800;

/// The answer to a refused call.
#[derive(Clone)]
pub(crate) struct Refused {
    /// The kind of the error.
    pub(crate) code: Code,
    /// What is wrong: the message without its first words.
    pub(crate) why: String,
    /// The message in the words of another protocol.
    pub(crate) words: Option<String>,
    /// What to send instead; `None` until it is known.
    pub(crate) hint: Option<String>,
    /// Other members of the reply, such as `retry`, `candidates` and `failures`.
    pub(crate) members: Map<String, Value>,
    /// What may make the call succeed.
    pub(crate) remedy: Option<Remedy>,
    /// For each candidate, the fix that chooses it.
    pub(crate) choices: Vec<Option<PartFix>>,
    /// The call inside this one that was refused.
    pub(crate) nested: Option<Nested>,
}

impl Refused {
    /// Refuses with this reason. Invisible characters of it are made visible.
    pub(crate) fn new(code: Code, why: &str) -> Box<Self> {
        let is_final = matches!(code, Code::ReservedSection | Code::UnknownTool | Code::ChainBroken);
        Box::new(Self {
            code,
            why: bounded(why, SENTENCE),
            words: None,
            hint: None,
            members: Map::from_iter([("retryable".to_owned(), Value::Bool(!is_final))]),
            remedy: None,
            choices: Vec::new(),
            nested: None,
        })
    }

    /// Refuses the arguments.
    pub(crate) fn invalid(why: impl std::fmt::Display) -> Box<Self> {
        Self::new(Code::InvalidArguments, &bounded(&why.to_string(), SENTENCE / 2))
    }

    /// Sets the hint.
    pub(crate) fn with_hint(mut self: Box<Self>, hint: impl Into<String>) -> Box<Self> {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the message in the words of another protocol.
    pub(crate) fn in_words(mut self: Box<Self>, words: impl Into<String>) -> Box<Self> {
        self.words = Some(words.into());
        self
    }

    /// Sets the message to the words of another protocol, followed by the reason.
    pub(crate) fn because(self: Box<Self>, what: &str) -> Box<Self> {
        let words = format!("{what}: {}", self.why);
        self.in_words(words)
    }

    /// Adds a member of the reply, unless it is null or an empty list.
    pub(crate) fn with(mut self: Box<Self>, name: &str, value: impl Serialize) -> Box<Self> {
        let value = json!(value);
        if !value.is_null() && value != json!([]) {
            self.members.insert(name.to_owned(), value);
        }
        self
    }

    pub(crate) fn has(&self, member: &str) -> bool {
        self.members.contains_key(member)
    }

    /// Returns the rows of a member.
    pub(crate) fn rows(&mut self, member: &str) -> &mut [Value] {
        self.members.get_mut(member).and_then(Value::as_array_mut).map(Vec::as_mut_slice).unwrap_or_default()
    }

    pub(crate) fn reply(&self) -> Reply {
        let what = match self.code {
            Code::Indeterminate => "It is not known whether anything was changed",
            _ => "Nothing was changed",
        };
        let message = self.words.clone().unwrap_or_else(|| format!("{what}: {}.", self.why));
        let reply = Reply::new(Status::Error, self.members.clone())
            .with_member("code", self.code.as_str())
            .with_member("message", message)
            .with_member("hint", self.hint.as_deref().unwrap_or_default());
        match &self.words {
            Some(words) => reply.in_words(words.clone()),
            None => reply,
        }
    }

    /// Returns true if text and JSON are both within the bound.
    pub(crate) fn is_within_bound(&self) -> bool {
        let reply = self.reply();
        [reply.to_string(), reply.to_json().to_string()].iter().all(|text| text.chars().count() <= MAX_CHARS)
    }

    /// Shortens the refusal to its bound: drops the `change` of the last candidates first, then the last rows of the
    /// longest lists.
    pub(crate) fn fitted(mut self: Box<Self>) -> Box<Self> {
        let candidates = self.rows("candidates").len();
        while !self.is_within_bound() {
            let mut last_first = self.rows("candidates").iter_mut().rev().filter_map(Value::as_object_mut);
            if last_first.any(|row| row.remove("change").is_some()) {
                continue;
            }
            let lists = self.members.values_mut().filter_map(Value::as_array_mut);
            if lists.max_by_key(|rows| rows.len()).and_then(Vec::pop).is_none() {
                break;
            }
        }
        let gone = u64::try_from(candidates - self.rows("candidates").len()).unwrap_or_default();
        if let Some(more) = self.members.get_mut("more") {
            *more = json!(more.as_u64().unwrap_or_default() + gone);
        }
        self
    }
}

/// Returns the row of a failing part.
pub(crate) fn failure(part: impl Serialize, code: Code, message: &str) -> Value {
    json!({"part": part, "code": code, "message": message})
}

/// Returns a text on one line, cut to `limit` characters, with invisible characters made visible.
pub(crate) fn bounded(text: &str, limit: usize) -> String {
    excerpt(&on_one_line(text), limit)
}

/// How many failing parts are listed.
const FAILURES: usize = 5;
/// How many existing names are listed.
const NAMES: usize = 20;
/// How many findings about the journal are listed.
const FINDINGS: usize = 8;

impl From<MemoryError> for Box<Refused> {
    fn from(error: MemoryError) -> Self {
        memory_error(&error)
    }
}

/// Explains a refusal of the memory.
pub(crate) fn memory_error(error: &MemoryError) -> Box<Refused> {
    let why = match error {
        MemoryError::Request { error, .. } | MemoryError::NotRebased { error, .. } => return request_error(error),
        MemoryError::Several { .. } => {
            let refused = error.of_each_document().into_iter().map(|own| in_document(memory_error(own), own));
            return refused.reduce(joined).unwrap_or_else(|| Refused::invalid("the request is empty"));
        }
        MemoryError::Indeterminate(lost) => lost.without_paths(),
        MemoryError::Store(failed) => {
            let is_later =
                matches!(failed, StoreError::Busy { .. } | StoreError::Unsettled { .. } | StoreError::Held { .. });
            return Refused::new(error.code(), &failed.without_paths()).with("retryable", is_later);
        }
        MemoryError::UnknownDocument { known, .. } => format!("{error}{}", there_are(known)),
        _ => error.to_string(),
    };
    Refused::new(error.code(), &why)
}

/// Lists existing names.
fn there_are(known: &[impl std::fmt::Display]) -> String {
    let names: Vec<_> = known.iter().take(NAMES).map(|name| format!("`{}`", visible(&name.to_string()))).collect();
    if names.is_empty() { String::new() } else { format!("; there is {}", names.join(", ")) }
}

/// Refuses because the journal is broken.
pub(crate) fn broken_chain(found: &Verification) -> Box<Refused> {
    let row = |finding: &Finding| {
        let seq = finding.entries.map(|entries| entries.first().get());
        json!({"seq": seq, "problem": bounded(&finding.to_string(), 160)})
    };
    let bad: Vec<_> = found.findings.iter().filter(|finding| !finding.problem.is_notice()).map(row).collect();
    let first = bad.first().and_then(|bad| bad["problem"].as_str()).unwrap_or_default();
    let why = format!("the memory is not as its journal was written ({} found): {first}", bad.len());
    Refused::new(Code::ChainBroken, &why).with("bad", bad.get(..FINDINGS).unwrap_or(&bad))
}

/// Adds the document to a refusal, for a call that edits several.
pub(crate) fn in_document(mut refused: Box<Refused>, error: &MemoryError) -> Box<Refused> {
    let document = error.document().map(ToString::to_string).unwrap_or_default();
    if !refused.has("failures") {
        let only = failure(1, refused.code, &refused.why);
        refused = refused.with("failures", [only]);
    }
    refused.rows("failures").iter_mut().for_each(|failure| failure["document"] = document.as_str().into());
    refused.why = bounded(&format!("in `{document}`: {}", refused.why), SENTENCE);
    // Parts are numbered per document.
    refused.remedy = None;
    refused
}

/// Adds the refusal of another document.
fn joined(mut refused: Box<Refused>, mut other: Box<Refused>) -> Box<Refused> {
    let mut failures = [refused.rows("failures"), other.rows("failures")].concat();
    failures.truncate(FAILURES);
    refused.why = bounded(&format!("{}; {}", refused.why, other.why), SENTENCE);
    refused.with("failures", failures)
}

/// Refuses arguments that are not JSON.
pub(crate) fn broken_json(error: &serde_json::Error) -> Box<Refused> {
    let flaw = json::flaw(error);
    Refused::new(Code::InvalidArguments, &format!("the arguments are not valid JSON at {flaw}"))
        .with_hint("send one JSON object, without a fence or words around it")
}

/// Refuses an unknown tool. `what` is the kind of tool that was expected.
pub(crate) fn unknown_tool(what: &str, name: &str, tools: &[&'static ToolDefinition]) -> Box<Refused> {
    let names: Vec<_> = tools.iter().map(|tool| tool.name).collect();
    Refused::new(Code::UnknownTool, &format!("there is no {what} `{}`", excerpt(name, 60)))
        .with_hint(bounded(&format!("call one of {}", names.join(", ")), HINT))
}

/// Explains the refusal of a request. If several parts fail, each has a row.
pub(crate) fn request_error(error: &RequestError) -> Box<Refused> {
    let failures = error.failures();
    let Some(first) = failures.first() else { return Refused::invalid("the request is empty") };
    let row = |part: &Failure| failure(part.part + 1, part.refusal.code(), &bounded(&why(&part.refusal), 200));
    let mut refused = Refused::new(error.code(), &sentence(failures))
        .with("closest", closest(failures))
        .with("failures", failures.iter().take(FAILURES).map(row).collect::<Vec<_>>());
    if let Some(Fix::Expect(count)) = first.refusal.fix() {
        let hint = "choose one candidate and put its `change` into the call; if all are meant, set \"expected_replacements\" to";
        refused.hint = Some(format!("{hint} {count}"));
    }
    refused.remedy = failures.iter().map(PartFix::of).collect::<Option<_>>().map(Remedy::Fixes);
    let Some(matches) = first.refusal.matches() else { return refused };
    let candidates = matches.candidates();
    if failures.len() == 1 {
        let choice = |place: &Candidate| place.fix.clone().map(|fix| PartFix::choice(first, fix));
        refused.choices = candidates.iter().map(choice).collect();
    }
    refused.with("more", matches.len() - candidates.len()).with("candidates", candidates)
}

/// Returns the message. Of several failing parts, it names the first.
fn sentence(failures: &[Failure]) -> String {
    if let [only] = failures {
        return why(&only.refusal);
    }
    let part = |failure: &Failure| format!("part {}: {}", failure.part + 1, bounded(&why(&failure.refusal), 130));
    let parts: Vec<_> = failures.iter().take(FAILURES).map(part).collect();
    format!("{} parts are refused; {}", failures.len(), parts.join("; "))
}

/// Returns what is wrong: the refusal, the reasons found for it, and the existing names.
fn why(refusal: &Refusal) -> String {
    let Some(help) = refusal.help() else { return refusal.to_string() };
    let lines: Vec<_> = help.closest.iter().map(|closest| format!("line {}", closest.line)).collect();
    let near = (!lines.is_empty()).then(|| format!("closest: {}", lines.join(", ")));
    let reasons: Vec<_> = help.reasons.iter().map(ToString::to_string).chain(near).collect();
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
    let is_bullet = |reason: &Reason| matches!(reason, Reason::Called { what: NodeKind::Bullet, .. });
    let below = if help.reasons.iter().any(is_bullet) { "; what goes below a bullet names it in `under`" } else { "" };
    format!("{refusal}{reasons}{below}{}", there_are(&help.known))
}

/// Returns the lines that may be meant, or those that a new text has lost. If several parts fail, returns one for each.
fn closest(failures: &[Failure]) -> Vec<Value> {
    let rows = |failure: &Failure| -> Vec<_> {
        match &failure.refusal {
            Refusal::Rejected(Rejection::PinnedLost { lost }) => lost.iter().take(FAILURES).map(lost_row).collect(),
            refusal => refusal.help().into_iter().flat_map(|help| &help.closest).map(closest_row).collect(),
        }
    };
    let of_part = |failure: &Failure| {
        let mut row = rows(failure).into_iter().next()?;
        row["part"] = json!(failure.part + 1);
        Some(row)
    };
    match failures {
        [only] => rows(only),
        several => several.iter().take(FAILURES).filter_map(of_part).collect(),
    }
}

/// Returns the row of a pinned line, whole, so that it can be copied into the new text.
fn lost_row(lost: &LostLine) -> Value {
    json!({"line": lost.line, "text": lost.text, "reason": "is missing"})
}

fn closest_row(closest: &Closest) -> Value {
    let reason = match (closest.sought.as_str(), closest.found.as_str()) {
        ("", "") => closest.reason.to_string(),
        ("", found) => format!("{}: it goes on with `{found}`", closest.reason),
        (sought, found) => format!("{}: sought `{sought}`, found `{found}`", closest.reason),
    };
    let section = closest.section.as_deref().map(|path| excerpt(path, 80));
    json!({"line": closest.line, "section": section, "text": closest.text, "reason": reason})
}
