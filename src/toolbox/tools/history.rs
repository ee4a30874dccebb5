//! `memory_history`, `memory_diff`, `memory_undo` and `memory_verify`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::memory::journal::Seq;
use crate::memory::{ChangedDocument, HistoryQuery, HistoryRow, Memory, MemoryError, Moment, StoreError, Undo, Undone};
use crate::text::{Content, excerpt, printable};
use crate::toolbox::reply::some;
use crate::toolbox::tools::recall::last_instant;
use crate::toolbox::{Answer, Context, Refused, Reply, Status, Tool, apply, optional, refusal};

/// How many entries a call lists at most.
const MOST: i64 = 100;

/// Lists what was done to your memory, latest first: when, by whom, with which tool, in which
/// sections. Use it to see who wrote something, or for the `seq` of an edit to undo.
/// Example: {"section": "Facts", "limit": 5}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryHistory {
    /// Only what changed this document.
    document: Option<String>,
    /// Only what changed this section.
    section: Option<String>,
    /// Only what wrote or changed the bullet of this key.
    #[schemars(extend("aliases" = "bullet id"))]
    key: Option<String>,
    /// Only what this actor did.
    #[schemars(extend("aliases" = "by author user"))]
    actor: Option<String>,
    /// Only what was done with this tool.
    tool: Option<String>,
    /// Only what was done at this date or instant, or later.
    #[schemars(extend("aliases" = "from after"))]
    since: Option<String>,
    /// Only what was done up to this date or instant.
    #[schemars(extend("aliases" = "to"))]
    until: Option<String>,
    /// How many, 1 to 100. Default: 20.
    #[schemars(extend("aliases" = "count max n"))]
    limit: Option<i64>,
    /// Only what is below this `seq`, such as the last one listed.
    before: Option<u64>,
}

/// Returns the row of an entry. Sections and counts are those of all its documents.
fn row(row: &HistoryRow) -> Value {
    let (header, content) = (row.entry.header(), row.entry.body());
    let sections = content.into_iter().flat_map(|content| &content.sections).map(|path| excerpt(path, 80));
    json!({
        "seq": row.entry.seq(),
        "type": header.kind,
        "time": row.entry.time(),
        "actor": header.actor.to_string(),
        "tool": header.tool,
        "source": header.source.as_deref().map(|source| excerpt(source, 120)),
        "documents": row.changes.iter().map(changed).collect::<Vec<_>>(),
        "sections": sections.collect::<Vec<_>>(),
        "counts": content.map_or_else(|| json!({}), |content| json!(content.counts)),
        "reason": content.and_then(|content| content.reason.as_deref()).map(|reason| excerpt(reason, 200)),
        "undone_by": row.undone_by,
    })
}

/// Returns the row of a changed document, with the first line removed, the first line added, and how many lines more.
fn changed(changed: &ChangedDocument) -> Value {
    let ChangedDocument { document, removed, added, .. } = changed;
    let first = |lines: &[Content]| lines.first().map(|line| excerpt(line, 80));
    let more = removed.len().saturating_sub(1) + added.len().saturating_sub(1);
    json!({"document": document, "removed": first(removed), "added": first(added), "more_lines": some(more)})
}

impl Tool for MemoryHistory {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut query = HistoryQuery::new();
        query.document = optional("document", self.document.as_deref())?;
        (query.section, query.key) = (self.section.map(Into::into), self.key.map(Into::into));
        query.actor = optional("actor", self.actor.as_deref())?;
        query.tool = self.tool;
        query.since = optional("since", self.since.as_deref())?;
        query.until = last_instant("until", self.until.as_deref())?;
        query.before = self.before.map(Seq::new);
        query.limit = self.limit.map_or(HistoryQuery::LIMIT, |limit| cx.clamped(limit, 1..=MOST));
        let page = cx.desk.memory().history(&query)?;
        let last = page.entries.last().filter(|_| page.more);
        let hint = last.map(|last| format!("for more, call again with \"before\" set to {}", last.entry.seq()));
        let entries: Vec<_> = page.entries.iter().map(row).collect();
        let listed = json!({"entries": entries, "more": page.more, "hint": hint});
        let message = page.entries.is_empty().then_some("nothing was done that fits");
        Ok(Reply::new(Status::Ok, listed).with_message(message))
    }
}

/// Shows what has changed between two moments, as a unified diff: after `from` (the `seq` of an
/// edit, a revision or a time), and after `to`, or now. Use it to see what an edit, or somebody
/// else, has changed.
/// Example: {"from": 12}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryDiff {
    /// A `seq`, a revision or a time.
    #[schemars(extend("aliases" = "from_seq since start base old"))]
    from: String,
    /// The same of the later moment. Default: now.
    #[schemars(extend("aliases" = "to_seq until end new"))]
    to: Option<String>,
    /// Only this document. Default: all that have changed.
    document: Option<String>,
}

impl Tool for MemoryDiff {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let memory = cx.desk.memory();
        let only = optional("document", self.document.as_deref())?;
        let from = moment("from", &self.from)?;
        let to = self.to.as_deref().map(|to| moment("to", to)).transpose()?;
        let changes = match only {
            Some(document) => memory.diff(&document, &from, to.as_ref())?,
            None => all(memory, &from, to.as_ref())?,
        };
        let message = changes.is_empty().then_some("nothing has changed between them");
        Ok(Reply::new(Status::Ok, ()).with_member("changes", printable(&changes)).with_message(message))
    }
}

/// Compares all documents. A revision stands for the entry that made it.
fn all(memory: &Memory, from: &Moment, to: Option<&Moment>) -> Result<String, MemoryError> {
    let (from, to) = (memory.last_entry(from)?, to.map(|to| memory.last_entry(to)).transpose()?);
    let (first, last) = (to.map_or(from, |to| from.min(to)), to.map(|to| from.max(to)));
    let (old, new) = (Moment::After(from), to.map(Moment::After));
    let changed = memory.changed_between(first, last)?;
    let diff = |document| match memory.diff(document, &old, new.as_ref()) {
        // One damaged file must not hide the diffs of the others.
        Err(MemoryError::Store(error @ StoreError::Unusable { .. })) => {
            Ok(format!("--- {document}\n{}\n", error.without_paths()))
        }
        diff => diff,
    };
    changed.iter().map(diff).collect()
}

/// Reads a moment. A text of digits only counts as a `seq`: nearly all revisions have a letter, too.
fn moment(name: &str, text: &str) -> Result<Moment, Box<Refused>> {
    let text = text.trim().trim_start_matches('#');
    if let Some(seq) = text.parse().ok().filter(|_| text.len() < 12) {
        return Ok(Moment::After(Seq::new(seq)));
    }
    if let Ok(revision) = text.parse() {
        return Ok(Moment::At(revision));
    }
    let time = if name == "from" { optional(name, Some(text)) } else { last_instant(name, Some(text)) };
    time.ok().flatten().map(Moment::Time).ok_or_else(|| {
        let found = excerpt(text, 40);
        Refused::invalid(format!("`{name}`: expected the `seq` of an entry, a revision or a time, found `{found}`"))
    })
}

/// Takes back what an edit did, by its `seq` (every reply to an edit has one, and memory_history
/// lists them), or your own last edit; what was done later stays. Use it when an edit was wrong.
/// Example: {"entry": "last", "reason": "wrong city"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryUndo {
    /// The `seq` of the edit, or `last` for your own last edit that is not taken back yet.
    #[schemars(extend("aliases" = "seq id number entry_seq", "assumed" = "last"))]
    entry: String,
    /// Why.
    #[schemars(extend("aliases" = "why message"))]
    reason: Option<String>,
}

impl Tool for MemoryUndo {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let which = which(&self.entry)?;
        let desk = &mut *cx.desk;
        let mut origin = desk.origin_of_keyed(cx.call.tool.name)?;
        origin.reason = self.reason.map(Into::into);
        apply::check_session(desk, |memory| memory.would_undo(which, &origin))?;
        let reply = |status, seq: Option<Seq>, message| Reply::new(status, json!({"seq": seq})).with_message(message);
        Ok(match desk.memory().undo(which, &origin)? {
            Undone::Made(applied) => {
                desk.update_known(&applied);
                apply::applied_reply(&applied)
            }
            Undone::Already(by) => reply(Status::AlreadyApplied, Some(by), "it is undone already; nothing was written"),
            Undone::NoChange => reply(Status::NoChange, None, "that entry changed no document; nothing was written"),
        })
    }
}

fn which(entry: &str) -> Result<Undo, Box<Refused>> {
    if ["last", "latest"].iter().any(|last| entry.trim().eq_ignore_ascii_case(last)) {
        return Ok(Undo::Last);
    }
    let number = entry.trim().trim_start_matches('#').parse().ok().map(Seq::new);
    number.map(Undo::Entry).ok_or_else(|| {
        Refused::invalid(format!("`entry`: expected a number or `last`, found `{}`", excerpt(entry, 40)))
    })
}

/// Verifies that the journal of your memory is as it was written, entry by entry, and that the
/// documents are what it made. Use it when something in the memory is not what you expect.
/// Example: {}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryVerify {}

impl Tool for MemoryVerify {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let verification = cx.desk.memory().verify(None)?;
        if !verification.is_sound() {
            return Err(refusal::broken_chain(&verification));
        }
        let (entries, head) = (verification.entries, &verification.head);
        let head = format!("{} {}", Seq::get(head.seq), head.hash);
        let message = format!("the journal is as it was written: {entries} entries, the last of them {head}");
        let verified = json!({"entries": entries, "head": head, "bad": []});
        Ok(Reply::new(Status::Ok, verified).with_message(message.as_str()))
    }
}
