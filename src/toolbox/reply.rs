//! [`Reply`]: the answer to a call, as JSON and as text; and the members that every edit has.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::document::MemoryDoc;
use crate::edit::{Commit, MovedSection, Part, PartStatus, Receipt, Warning, WrittenLine};
use crate::locate::{Code, Leniency};
use crate::memory::Applied;
use crate::request::{BulletOutcome, BulletReport, CompactionReport};
use crate::text::{Revision, escaped, excerpt, names, on_one_line, visible};
use crate::toolbox::render;

names! {
    /// The outcome of a call.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Status {
        /// A document was written.
        Committed = "committed",
        /// Something else succeeded.
        Ok = "ok",
        /// Changes are pending in a session; nothing was written.
        Editing = "editing",
        /// Several places match. The call must say which one is meant.
        NeedsMatch = "needs_match",
        /// The edit was planned and rendered, not made.
        Preview = "preview",
        /// The request asks for no change.
        NoChange = "no_change",
        /// The requested state was there before.
        AlreadyApplied = "already_applied",
        /// Pending changes were dropped.
        Reverted = "reverted",
        /// The call was refused; nothing was changed.
        Error = "error",
    }
}

/// The answer to a call: JSON by [`to_json`](Self::to_json), and a text for models by `Display`.
///
/// # Members of a refusal
///
/// A host that reacts to refusals itself reads them from [`to_json`](Self::to_json) or
/// [`get`](Self::get). Each is there only where it applies:
///
/// | member | what it holds |
/// |---|---|
/// | `code`, `message`, `hint` | the [`Code`], what is wrong, and one sentence on what to do |
/// | `candidates` | the places that match; a row has `line`, `section`, `key`, `excerpt` and mostly `change` |
/// | `candidates[n].change` | the arguments that select this place: put them into the same call |
/// | `retry` | the whole call that would be made, as `{"tool": …, "arguments": …}` |
/// | `closest` | the lines most like a text that was not found, each with the reason |
/// | `changes` | what others have changed since the agent saw the document, as a unified diff |
/// | `failures` | each part of the call that failed |
/// | `retryable` | `false` if a corrected call cannot help either, such as for a reserved section |
///
/// [`Status::NeedsMatch`] is no error, and has `candidates` too.
///
/// # Examples
///
/// A refused call is sent again with the change of the second candidate:
///
/// ```
/// use memdoc::{DocName, InMemoryStore, Memory, Policy, Status, Toolbox};
/// use serde_json::json;
///
/// let store = InMemoryStore::new().with(DocName::memory(), "## Home\n- Denver\n\n## Work\n- Denver office\n");
/// let mut toolbox = Toolbox::new(Memory::new(store, Policy::default())?);
/// toolbox.show(&DocName::memory())?;
/// let mut arguments = json!({"old_string": "Denver", "new_string": "Austin"});
/// let refused = toolbox.call("replace_in_memory", &arguments).to_json();
/// for (name, value) in refused["candidates"][1]["change"].as_object().ok_or("no change")? {
///     arguments[name] = value.clone();
/// }
/// assert_eq!(toolbox.call("replace_in_memory", &arguments).status(), Status::Committed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Reply {
    status: Status,
    // Shared: a toolbox keeps its last reply.
    members: Arc<Map<String, Value>>,
    /// The first words of the text in another protocol, in place of the status.
    words: Option<String>,
    receipt: Option<Arc<Receipt>>,
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Reply");
        shown.field("status", &self.status).field("code", &self.code()).field("members", &self.members.keys()).finish()
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        render::write(f, &self.members, self.words.as_deref())
    }
}

impl Reply {
    /// Makes a reply with the members of an object. Nulls are left out, but for `text`: null says that there is no
    /// text.
    pub(crate) fn new(status: Status, own: impl Into<Value>) -> Self {
        let reply = Self { status, members: Arc::default(), words: None, receipt: None };
        reply.with(own).with_status(status)
    }

    /// Adds the members of an object.
    pub(crate) fn with(mut self, own: impl Into<Value>) -> Self {
        if let Value::Object(members) = own.into() {
            let known = members.into_iter().filter(|(name, value)| name == "text" || !value.is_null());
            Arc::make_mut(&mut self.members).extend(known.map(|(name, value)| (name, without_nulls(value))));
        }
        self
    }

    /// Adds a member, or removes it if it is null.
    pub(crate) fn with_member(mut self, name: &str, value: impl Into<Value>) -> Self {
        let members = Arc::make_mut(&mut self.members);
        match value.into() {
            Value::Null => members.remove(name),
            value => members.insert(name.to_owned(), without_nulls(value)),
        };
        self
    }

    /// Sets the words of another protocol. If the call succeeded, they are also the member `text`.
    pub(crate) fn in_words(mut self, words: String) -> Self {
        let text = (self.status != Status::Error).then(|| words.clone());
        self.words = Some(words);
        if text.is_some() { self.with_member("text", text) } else { self }
    }

    /// Replaces the status.
    pub(crate) fn with_status(mut self, status: Status) -> Self {
        self.status = status;
        self.with_member("status", status.as_str())
    }

    pub(crate) fn with_revision(self, revision: impl Into<Option<Revision>>) -> Self {
        self.with_member("revision", revision.into().map(|revision| revision.short()))
    }

    /// Sets the message.
    pub(crate) fn with_message<'m>(self, message: impl Into<Option<&'m str>>) -> Self {
        self.with_member("message", message.into().map(on_one_line))
    }

    /// Adds to `healed`, each leniency once.
    pub(crate) fn with_healed<'l>(mut self, leniencies: impl IntoIterator<Item = &'l Leniency>) -> Self {
        leniencies.into_iter().for_each(|leniency| self.push("healed", leniency.as_str().into()));
        self
    }

    /// Adds a warning.
    pub(crate) fn with_warning(mut self, warning: &Warning) -> Self {
        self.push("warnings", json!({"code": warning.code, "message": escaped(&warning.message)}));
        self
    }

    /// Adds a row to a list that does not have it yet.
    fn push(&mut self, list: &str, row: Value) {
        let list = Arc::make_mut(&mut self.members).entry(list).or_insert_with(|| json!([]));
        if let Some(list) = list.as_array_mut().filter(|list| !list.contains(&row)) {
            list.push(row);
        }
    }

    /// Adds `healed` and `warnings` of the parts of plans, even if there are none.
    pub(crate) fn with_notes_of<'p>(self, parts: impl Iterator<Item = &'p Part>) -> Self {
        let noted = self.with_member("healed", json!([])).with_member("warnings", json!([]));
        parts.fold(noted, |noted, part| part.warnings.iter().fold(noted.with_healed(&part.healed), Self::with_warning))
    }

    /// Sets the receipt of the commit.
    pub(crate) fn with_receipt(mut self, receipt: Option<Receipt>) -> Self {
        self.receipt = receipt.map(Arc::new);
        self
    }

    /// Returns the outcome of the call.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Returns the code of an error.
    pub fn code(&self) -> Option<Code> {
        self.get("code").and_then(Value::as_str)?.parse().ok()
    }

    /// Returns the receipt of the commit. Several documents have one receipt together.
    pub fn receipt(&self) -> Option<&Receipt> {
        self.receipt.as_deref()
    }

    /// Returns the reply as JSON.
    pub fn to_json(&self) -> Value {
        Map::clone(&self.members).into()
    }

    /// Returns a member of the reply's JSON, such as `candidates`; `None` if the reply does not have it.
    pub fn get(&self, member: &str) -> Option<&Value> {
        self.members.get(member)
    }
}

/// Removes members that are null, at any depth.
fn without_nulls(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            members.retain(|_, value| !value.is_null());
            members.values_mut().for_each(|value| *value = without_nulls(value.take()));
        }
        Value::Array(rows) => rows.iter_mut().for_each(|row| *row = without_nulls(row.take())),
        _ => {}
    }
    value
}

/// How many written lines are shown, and how many characters of them; the same holds for removed lines.
const MAX_LINES: usize = 8;
const MAX_CHARS: usize = 600;
/// How many bullets of a compaction are listed, and how many characters of each.
const MAX_BULLETS: usize = 20;
const BULLET_CHARS: usize = 100;

/// Returns the counts and sizes of a commit. An edit outside of sections has `front matter` or `block ID` among the
/// changed sections.
pub(crate) fn sizes(receipt: &Receipt) -> Value {
    let sections: Vec<_> = receipt.changed_sections.iter().map(|path| on_one_line(path)).collect();
    let Receipt { bytes, tokens, bullets, .. } = receipt;
    let replacements = receipt.applied_parts;
    json!({"changed_sections": sections, "bytes": bytes, "tokens": tokens, "bullets": bullets, "replacements": replacements})
}

/// Returns the outcome of each part, if parts have different outcomes or one made a block.
pub(crate) fn parts(applied: &[Applied]) -> Option<Vec<Value>> {
    let parts = applied.iter().filter_map(|applied| applied.plan.as_ref()).flat_map(|plan| plan.parts());
    let row =
        |(part, number): (&Part, usize)| json!({"part": number, "status": part.status, "memory_id": part.made_block});
    let has_made_block = parts.clone().any(|part| part.made_block.is_some());
    let is_mixed = parts.clone().count() > 1 && parts.clone().any(|part| part.status != PartStatus::Applied);
    (has_made_block || is_mixed).then(|| parts.zip(1..).map(row).collect())
}

/// Returns the lines that a commit wrote or moved, as they are now, and those that it removed or rewrote, as they were.
/// With them a model need not read the memory again, and sees what it has replaced.
pub(crate) fn lines(commit: &Commit) -> Value {
    let written = commit.written();
    let mut lines = line_rows(&commit.doc, &written.lines);
    for row in &mut lines {
        let is_own = |moved: &&MovedSection| row["line"] == moved.lines.start + 1;
        row["moved"] = written.moved.iter().find(is_own).map(move_of).into();
    }
    let removed = line_rows(commit.base(), &written.gone);
    json!({
        "more_lines": some(written.lines.len() - lines.len()),
        "lines": lines,
        "removed_lines": some(written.removed),
        "more_removed": some(written.gone.len() - removed.len()),
        "removed": Some(removed).filter(|removed| !removed.is_empty()),
    })
}

/// Returns from where and to where a section was moved, and how many lines it has.
fn move_of(moved: &MovedSection) -> String {
    let [from, to] = [&moved.from, &moved.to].map(|place| visible(&excerpt(place, 80)));
    format!("{from} → {to}, {} lines", moved.lines.len())
}

/// Returns the first lines, as many as there is room for.
fn line_rows(doc: &MemoryDoc, lines: &[WrittenLine]) -> Vec<Value> {
    let (mut room, mut rows) = (MAX_CHARS, Vec::new());
    for line in lines.iter().take(MAX_LINES) {
        let text = line.text.of(doc.text());
        let characters = text.chars().take(room + 1).count();
        if characters > room && !rows.is_empty() {
            break;
        }
        rows.push(json!({"line": line.number, "text": excerpt(text, room)}));
        room -= characters.min(room);
    }
    rows
}

pub(super) fn some(count: usize) -> Option<usize> {
    Some(count).filter(|count| *count > 0)
}

/// Returns the row of one of several documents.
pub(crate) fn document_row(applied: &Applied) -> Value {
    let mut row = applied.commit.as_ref().map_or_else(|| json!({}), lines);
    row["document"] = json!(applied.document);
    row["revision"] = applied.doc.revision().short().into();
    row["report"] = json!(applied.report.as_ref().map(report));
    row
}

/// Returns the report of a compaction: how many bullets had each outcome, and the bullets that were not kept. Those that
/// are gone come first, then moved ones, then added ones, then the others.
pub(crate) fn report(report: &CompactionReport) -> Value {
    let mut listed: Vec<_> = report.bullets.iter().filter(|bullet| bullet.outcome != BulletOutcome::Kept).collect();
    listed.sort_by_key(|bullet| match bullet.outcome {
        BulletOutcome::Gone => 0,
        BulletOutcome::Moved => 1,
        BulletOutcome::Added => 2,
        _ => 3,
    });
    let first = |lines: &[usize]| json!(lines.get(..MAX_BULLETS).unwrap_or(lines));
    let mut row = json!({
        "more": listed.len().saturating_sub(MAX_BULLETS),
        "bullets": listed.into_iter().take(MAX_BULLETS).map(bullet_row).collect::<Value>(),
        "other_lines": first(&report.other_lines),
        "added_lines": first(&report.added_lines),
    });
    BulletOutcome::ALL.iter().for_each(|outcome| row[outcome.as_str()] = report.count(*outcome).into());
    row
}

/// Returns a bullet of the old text, and where it or its replacement is now.
fn bullet_row(bullet: &BulletReport) -> Value {
    json!({
        "status": bullet.outcome,
        "line": bullet.line,
        "section": bullet.section.as_deref().map(|path| excerpt(path, 80)),
        "key": bullet.key,
        "text": visible(&excerpt(&bullet.text, BULLET_CHARS)),
        "now": bullet.now,
        "now_section": bullet.now_section.as_deref().map(|path| excerpt(path, 80)),
    })
}
