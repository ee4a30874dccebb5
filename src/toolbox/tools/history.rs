//! `memory_history`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::edit::document;
use super::query::{Clamps, parsed};
use crate::memory::journal::Seq;
use crate::memory::{HistoryQuery, HistoryRow};
use crate::text::{Timestamp, excerpt};
use crate::toolbox::answer::{Done, Tell};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::json::object_of;
use crate::toolbox::{Effect, Status, ToolDefinition};

/// The most entries that one call lists.
const MOST: i64 = 100;

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memory_history",
    title: "List what was done",
    effect: Effect::Read,
    description: "Lists what was done to your memory, latest first: when, by whom, with which tool, in which sections. Use it to \
        see who wrote something, or for the `seq` of an edit to undo. Example: {\"section\": \"Facts\", \"limit\": 5}",
    synonyms: &[&[
        ("limit", "count max n"),
        ("since", "from after"),
        ("until", "to"),
        ("actor", "by author user"),
        ("key", "bullet id"),
    ]],
    fields: &[],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// Only what changed this document.
    document: Option<String>,
    /// Only what changed this section.
    section: Option<String>,
    /// Only what wrote or changed the bullet of this key.
    key: Option<String>,
    /// Only what this actor did.
    actor: Option<String>,
    /// Only what was done with this tool.
    tool: Option<String>,
    /// Only what was done at this date or instant, or later.
    since: Option<String>,
    /// Only what was done up to this date or instant.
    until: Option<String>,
    /// How many, 1 to 100. Default: 20.
    limit: Option<i64>,
    /// Only what has a lower `seq`: the last one of the page before.
    before: Option<u64>,
}

/// What the tool tells.
#[derive(Clone, Serialize)]
struct Listed {
    /// What was done, latest first.
    entries: Vec<Row>,
    /// Whether there is more: call again with `before`.
    more: bool,
}

/// One entry.
#[derive(Clone, Serialize)]
struct Row {
    seq: u64,
    /// `edit`, or what else it records.
    r#type: String,
    time: String,
    actor: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// Where the host has it from.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    sections: Vec<String>,
    counts: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undone_by: Option<u64>,
}

impl From<&HistoryRow> for Row {
    fn from(row: &HistoryRow) -> Self {
        let (header, content) = (row.entry.header(), row.entry.content());
        let counts = content.map(|content| &content.counts).into_iter().flatten();
        Self {
            seq: row.entry.seq().get(),
            r#type: header.kind.to_string(),
            time: row.entry.time().to_string(),
            actor: header.actor.to_string(),
            tool: header.tool.as_deref().map(str::to_owned),
            source: header.source.as_deref().map(|source| excerpt(source, 120)),
            sections: content.into_iter().flat_map(|content| &content.sections).map(|path| excerpt(path, 80)).collect(),
            counts: object_of(counts.map(|(name, count)| (name.to_string(), (*count).into())).collect()),
            reason: content.and_then(|content| content.reason.as_deref()).map(|reason| excerpt(reason, 200)),
            undone_by: row.undone_by.map(Seq::get),
        }
    }
}

impl Tell for Listed {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.entries {
            write!(f, "\n{} {} {}", row.seq, row.time, row.actor)?;
            write!(f, " {}", row.tool.as_deref().unwrap_or(&row.r#type))?;
            if !row.sections.is_empty() {
                write!(f, " in {}", row.sections.join(", "))?;
            }
            for (name, count) in &row.counts {
                write!(f, ", {} {count}", name.strip_prefix("bullets_").unwrap_or(name))?;
            }
            if let Some(source) = &row.source {
                write!(f, ", from {source}")?;
            }
            if let Some(reason) = &row.reason {
                write!(f, ": {reason}")?;
            }
            if let Some(by) = row.undone_by {
                write!(f, " (undone by {by})")?;
            }
        }
        match self.entries.last().filter(|_| self.more) {
            Some(last) => write!(f, "\nmore: call again with before {}", last.seq),
            None => Ok(()),
        }
    }
}

impl Reads for Arguments {
    type Told = Listed;

    fn read(self, desk: &mut Desk, _: &Call<'_>) -> Result<Done<Listed>, CallError> {
        let mut query = HistoryQuery::new();
        query.document = self.document.as_deref().map(|name| document(Some(name))).transpose()?;
        (query.section, query.key) = (self.section.map(Into::into), self.key.map(Into::into));
        query.actor = self.actor.as_deref().map(|actor| parsed("actor", actor)).transpose()?;
        query.tool = self.tool;
        query.since = self.since.as_deref().map(|text| parsed("since", text)).transpose()?;
        query.until = self.until.as_deref().map(last_instant).transpose()?;
        query.before = self.before.map(Seq::new);
        let mut clamps = Clamps::default();
        query.limit = self.limit.map_or(HistoryQuery::LIMIT, |limit| clamps.take(limit, 1..=MOST));
        let page = desk.memory().history(&query)?;
        let told = Listed { entries: page.entries.iter().map(Row::from).collect(), more: page.more };
        let done = clamps.warn(Done::new(Status::Ok, told));
        Ok(if page.entries.is_empty() { done.with_message("nothing was done that fits") } else { done })
    }
}

/// Reads an instant, and a date as its last second.
pub(super) fn last_instant(text: &str) -> Result<Timestamp, CallError> {
    let read: Timestamp = parsed("until", text)?;
    let day = std::time::Duration::from_secs(86_399);
    Ok(if text.contains(['T', 't', ' ']) { read } else { read.after(day) })
}
