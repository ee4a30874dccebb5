//! [`Refused`]: the answer of a call that was refused: what was not done, why, and what to send instead.

use std::fmt::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::super::reply::members;
use super::super::{Reply, Status};
use super::SessionState;
use crate::edit::Part;
use crate::locate::Code;
use crate::session::Letter;
use crate::text::{escaped, on_one_line};

/// The bound of a refusal, in characters, with all that belongs to it.
pub(in super::super) const MAX_CHARS: usize = 2_000;
/// The bound of the sentence that says what is wrong.
pub(in super::super) const SENTENCE: usize = 800;

/// The answer of a call that was refused.
#[derive(Clone, Serialize, JsonSchema)]
pub(in super::super) struct Refused {
    #[schemars(with = "String")]
    status: Status,
    /// The kind of the error.
    #[schemars(with = "String")]
    pub(in super::super) code: Code,
    /// What is wrong: that nothing was changed, unless this is not known.
    pub(in super::super) message: String,
    /// What to send instead.
    pub(in super::super) hint: String,
    /// Whether the same intention, sent in another way or later, may succeed.
    pub(in super::super) retryable: bool,
    #[serde(flatten)]
    pub(in super::super) places: Option<Places>,
    /// The lines that are most like what was not found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Value>")]
    pub(in super::super) closest: Vec<ClosestRow>,
    /// What has changed since the agent saw the document, as a unified diff.
    pub(in super::super) changes: Option<String>,
    /// If that is too long to be shown, the sections that have changed.
    #[schemars(with = "Option<Vec<Value>>")]
    pub(in super::super) stale_sections: Option<Vec<String>>,
    /// The parts of the call that were refused.
    #[schemars(with = "Option<Vec<Value>>")]
    pub(in super::super) failures: Option<Vec<FailureRow>>,
    /// What became of each operation. The tool that has operations promises them.
    #[schemars(skip)]
    pub(in super::super) ops: Option<Vec<OpRow>>,
    /// The open session, and whether one is: for tools of sessions, which promise them.
    #[serde(flatten)]
    #[schemars(skip)]
    pub(in super::super) session: Option<SessionState>,
    /// The entries of the journal that are not what they were. The tool that verifies it promises them.
    #[schemars(skip)]
    pub(in super::super) bad: Option<Vec<BadRow>>,
}

/// An entry of the journal that is not what it was.
#[derive(Clone, Serialize, JsonSchema)]
pub(in super::super) struct BadRow {
    /// Its number, if that can be told.
    pub(in super::super) seq: Option<u64>,
    pub(in super::super) problem: String,
}

/// The places that may be meant.
#[derive(Clone, Serialize, JsonSchema)]
pub(in super::super) struct Places {
    #[schemars(with = "Vec<Value>")]
    pub(in super::super) candidates: Vec<CandidateRow>,
    /// How many there are that are not shown.
    pub(in super::super) more: usize,
}

/// A place that may be meant.
#[derive(Clone, Serialize)]
pub(in super::super) struct CandidateRow {
    /// The letter that names it.
    pub(in super::super) id: String,
    pub(in super::super) line: usize,
    pub(in super::super) section: Option<String>,
    /// The ID of the block that it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) block: Option<String>,
    pub(in super::super) key: Option<String>,
    pub(in super::super) excerpt: String,
    /// Present if it is the likeliest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) recommended: Option<bool>,
    /// Of a session's candidates, the letter once more, under the name of the argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) match_id: Option<String>,
    /// Of a session's candidates, the nearest heading, key or comment above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) context: Option<String>,
    /// Why it is the likeliest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) reason: Option<String>,
    /// What to send to mean this place.
    #[serde(rename = "use", skip_serializing_if = "Option::is_none")]
    pub(in super::super) way: Option<String>,
}

/// A line that is like what was not found.
#[derive(Clone, Serialize)]
pub(in super::super) struct ClosestRow {
    pub(in super::super) line: usize,
    pub(in super::super) section: Option<String>,
    pub(in super::super) excerpt: String,
    /// In what it differs from what was sought.
    pub(in super::super) reason: String,
}

/// A part of a call that was refused.
#[derive(Clone, Serialize)]
pub(in super::super) struct FailureRow {
    /// Which it is.
    pub(in super::super) part: PartName,
    /// For a call that edits several documents, the document of the part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) document: Option<String>,
    pub(in super::super) code: Code,
    pub(in super::super) message: String,
}

/// What a part of a call is told by.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(in super::super) enum PartName {
    /// Its number, from 1.
    Number(usize),
    /// The letter of a pending change.
    Letter(Letter),
}

/// What became of an operation.
#[derive(Clone, Serialize, JsonSchema)]
pub(in super::super) struct OpRow {
    /// `applied`, `already_applied`, `no_change`, `failed`, or `not_applied` because another failed.
    pub(in super::super) status: &'static str,
    /// The ID of the block that it made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(in super::super) memory_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(in super::super) code: Option<Code>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(in super::super) message: Option<String>,
}

impl From<&Part> for OpRow {
    fn from(part: &Part) -> Self {
        let status = part.status.as_str();
        Self { status, memory_id: part.made_block.as_ref().map(ToString::to_string), code: None, message: None }
    }
}

/// Tells what became of each operation; what failed is told by its message.
pub(in super::super) fn fmt_ops(ops: &[OpRow], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (row, number) in ops.iter().zip(1..) {
        write!(f, "\nop {number}: {}", row.status)?;
        if let Some(id) = &row.memory_id {
            write!(f, " (memory_id `{id}`)")?;
        }
    }
    Ok(())
}

impl Refused {
    /// Refuses without help; `message` is whole. Nothing hides in what it and the hint quote.
    pub(in super::super) fn new(code: Code, message: String, hint: String) -> Box<Self> {
        Box::new(Self {
            status: Status::Error,
            code,
            message: on_one_line(&message),
            hint: escaped(&hint),
            retryable: !matches!(code, Code::ReservedSection | Code::UnknownTool),
            places: None,
            closest: Vec::new(),
            changes: None,
            stale_sections: None,
            failures: None,
            ops: None,
            session: None,
            bad: None,
        })
    }

    pub(in super::super) fn into_reply(self) -> Reply {
        Reply::of(self.status, self)
    }

    /// Returns the JSON of its reply.
    pub(in super::super) fn to_json(&self) -> Value {
        Value::Object(members(self))
    }

    /// Reports whether it is within its bound, both as text and as JSON.
    pub(in super::super) fn is_within_bound(&self) -> bool {
        write!(Room(MAX_CHARS), "{self}").is_ok() && write!(Room(MAX_CHARS), "{}", self.to_json()).is_ok()
    }

    /// Drops what helps least until the whole is within its bound.
    pub(in super::super) fn fitted(mut self: Box<Self>) -> Box<Self> {
        while !self.is_within_bound() && shorten(self.failures.as_mut()) {}
        while !self.is_within_bound() && shorten(self.bad.as_mut()) {}
        while !self.is_within_bound() && shorten(Some(&mut self.closest)) {}
        while !self.is_within_bound() && shorten(self.places.as_mut().map(|places| &mut places.candidates)) {}
        self
    }
}

/// Room for so many characters, in which nothing is kept: what is written beyond it fails.
struct Room(usize);

impl Write for Room {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.checked_sub(text.chars().count()).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// Drops the last item of a list; `false` if only one is left.
fn shorten<T>(list: Option<&mut Vec<T>>) -> bool {
    list.filter(|list| list.len() > 1).is_some_and(|list| list.pop().is_some())
}

/// Returns a text on one line, nothing hidden in it, cut to so many characters.
pub(in super::super) fn bounded(text: &str, limit: usize) -> String {
    let text = on_one_line(text);
    if text.chars().take(limit + 1).count() <= limit {
        return text;
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error {}: {}", self.code, self.message)?;
        fmt_ops(self.ops.as_deref().unwrap_or_default(), f)?;
        self.places.as_ref().map_or(Ok(()), |places| fmt_places(places, f))?;
        self.closest.iter().try_for_each(|row| write!(f, "\n{row}"))?;
        self.bad.iter().flatten().try_for_each(|row| write!(f, "\n{}", row.problem))?;
        if let Some(changes) = &self.changes {
            write!(f, "\nchanges:\n{}", changes.trim_end_matches('\n'))?;
        }
        if let Some(sections) = self.stale_sections.as_ref().filter(|sections| !sections.is_empty()) {
            write!(f, "\nchanged sections: {}", sections.join(", "))?;
        }
        write!(f, "\nhint: {}", self.hint)
    }
}

/// Writes the places that may be meant, a line for each.
pub(in super::super) fn fmt_places(places: &Places, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    places.candidates.iter().try_for_each(|row| write!(f, "\n{row}"))?;
    if places.more > 0 {
        write!(f, "\n… and {} more", places.more)?;
    }
    Ok(())
}

impl fmt::Display for CandidateRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}) line {}", self.id, self.line)?;
        for (name, value) in [("section", &self.section), ("block", &self.block), ("key", &self.key)] {
            if let Some(value) = value {
                write!(f, ", {name} `{value}`")?;
            }
        }
        write!(f, ": {}", self.excerpt)?;
        if let Some(context) = &self.context {
            write!(f, " (under `{context}`)")?;
        }
        match &self.reason {
            Some(reason) => write!(f, " (recommended: {reason})")?,
            None if self.recommended.is_some() => f.write_str(" (recommended)")?,
            None => {}
        }
        match &self.way {
            Some(way) => write!(f, " => {way}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ClosestRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "closest: line {}", self.line)?;
        if let Some(section) = &self.section {
            write!(f, ", section `{section}`")?;
        }
        write!(f, ": {} ({})", self.excerpt, self.reason)
    }
}
