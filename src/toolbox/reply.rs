//! [`Reply`]: what a call answers, as JSON and as text.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::report::fmt_report;
use super::written::fmt_lines;
use crate::edit::{Receipt, Warning};
use crate::locate::{Code, Rung};
use crate::text::{Lines, Revision, is_hidden, on_one_line};

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// A document was written.
    Committed,
    /// Something else succeeded.
    Ok,
    /// The edit was planned and rendered, not made.
    Preview,
    /// The request asks for no change.
    NoChange,
    /// The wanted state was there already.
    AlreadyApplied,
    /// The call was refused; nothing was changed.
    Error,
}

impl Status {
    /// Returns the name used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Committed => "committed",
            Self::Ok => "ok",
            Self::Preview => "preview",
            Self::NoChange => "no_change",
            Self::AlreadyApplied => "already_applied",
            Self::Error => "error",
        }
    }
}

/// What of a reply is sent back to the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplyFormat {
    /// JSON on one line, for models that are used to structured results.
    Json,
    /// The text of `Display`: shorter, and enough for every model.
    #[default]
    Text,
    /// The text, a blank line, and the JSON on the last line, for a host that reads the one and a model that reads the
    /// other.
    Both,
}

/// The answer to a call: JSON for models with structured results, `Display` for all others.
#[derive(Clone, PartialEq)]
pub struct Reply {
    status: Status,
    members: Map<String, Value>,
    receipt: Option<Box<Receipt>>,
}

impl fmt::Debug for Reply {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members: Vec<_> = self.members.keys().collect();
        f.debug_struct("Reply")
            .field("status", &self.status)
            .field("code", &self.code())
            .field("members", &members)
            .finish()
    }
}

impl Reply {
    pub(super) fn new(status: Status) -> Self {
        Self { status, members: Map::new(), receipt: None }
    }

    pub(super) fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.members.insert(member.to_owned(), value.into());
        self
    }

    pub(super) fn with_revision(self, revision: Revision) -> Self {
        self.with("revision", revision.short())
    }

    pub(super) fn with_receipt(mut self, receipt: &Receipt) -> Self {
        self.receipt = Some(Box::new(receipt.clone()));
        self.with_revision(receipt.revision)
            .with("changed_sections", receipt.changed_sections.clone())
            .with("bytes", json!({"before": receipt.bytes.before, "after": receipt.bytes.after}))
            .with("tokens", json!({"before": receipt.tokens.before, "after": receipt.tokens.after}))
            .with(
                "bullets",
                json!({
                    "added": receipt.bullets.added,
                    "removed": receipt.bullets.removed,
                    "changed": receipt.bullets.changed,
                    "moved": receipt.bullets.moved,
                }),
            )
            .with("healed", receipt.healed.iter().map(|rung| rung.code()).collect::<Vec<_>>())
            .with_warnings(&receipt.warnings)
    }

    pub(super) fn with_warnings(self, warnings: &[Warning]) -> Self {
        let warning = |warning: &Warning| json!({"code": warning.code(), "message": warning.to_string()});
        self.with("warnings", warnings.iter().map(warning).collect::<Vec<_>>())
    }

    /// Adds a rung to those reported; refusals report none.
    pub(super) fn with_healed(mut self, rung: Rung) -> Self {
        if self.status != Status::Error {
            let healed = self.members.entry("healed").or_insert_with(|| json!([]));
            if let Some(healed) = healed.as_array_mut().filter(|healed| healed.iter().all(|code| code != rung.code())) {
                healed.push(rung.code().into());
            }
        }
        self
    }

    /// Returns what became of the call.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Returns the code of an error.
    pub fn code(&self) -> Option<Code> {
        self.text("code")?.parse().ok()
    }

    /// Returns the receipt of what was committed; of several documents, that of all together.
    pub fn receipt(&self) -> Option<&Receipt> {
        self.receipt.as_deref()
    }

    /// Returns the reply as JSON.
    pub fn to_json(&self) -> Value {
        let mut json = Map::new();
        json.insert("status".to_owned(), self.status.as_str().into());
        json.extend(self.members.clone());
        Value::Object(json)
    }

    /// Returns the reply as a host sends it back to the model.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{InMemoryStore, Memory, Policy, ReplyFormat, Toolbox};
    ///
    /// let mut toolbox = Toolbox::new(Memory::new(InMemoryStore::new(), Policy::default()).into());
    /// let reply = toolbox.call_str("validate_memory", "{}");
    /// assert!(reply.render(ReplyFormat::Text).starts_with("ok"));
    /// assert!(reply.render(ReplyFormat::Json).contains(r#""status":"ok""#));
    /// ```
    pub fn render(&self, format: ReplyFormat) -> String {
        match format {
            ReplyFormat::Json => self.to_json().to_string(),
            ReplyFormat::Text => self.to_string(),
            ReplyFormat::Both => format!("{self}\n\n{}", self.to_json()),
        }
    }

    /// Returns a member of the reply.
    pub fn get(&self, member: &str) -> Option<&Value> {
        self.members.get(member)
    }

    /// Drops the last item of a list; `false` if only one is left.
    pub(super) fn shorten(&mut self, member: &str) -> bool {
        let list = self.members.get_mut(member).and_then(Value::as_array_mut);
        list.filter(|list| list.len() > 1).is_some_and(|list| list.pop().is_some())
    }

    /// Reports whether it has at most so many characters, both as JSON and as text.
    pub(super) fn is_within(&self, limit: usize) -> bool {
        self.to_string().chars().count().max(self.to_json().to_string().chars().count()) <= limit
    }

    fn text(&self, member: &str) -> Option<&str> {
        self.get(member).and_then(Value::as_str)
    }

    fn list(&self, member: &str) -> &[Value] {
        self.get(member).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// Tells what became of each operation; what failed is told by its message.
    fn fmt_rows(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, row) in self.list("ops").iter().enumerate() {
            write!(f, "\nop {}: {}", number + 1, plain(&row["status"]))?;
            if let Some(id) = row["memory_id"].as_str() {
                write!(f, " (memory_id `{id}`)")?;
            }
        }
        Ok(())
    }

    fn fmt_error(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error {}: {}", self.text("code").unwrap_or_default(), self.text("message").unwrap_or_default())?;
        self.fmt_rows(f)?;
        for candidate in self.list("candidates") {
            write!(f, "\n{}) line {}", plain(&candidate["id"]), candidate["line"])?;
            for member in ["section", "key"] {
                if let Some(value) = candidate[member].as_str() {
                    write!(f, ", {member} `{value}`")?;
                }
            }
            write!(f, ": {}", plain(&candidate["excerpt"]))?;
            if candidate["recommended"] == true {
                f.write_str(" (recommended)")?;
            }
            if let Some(way) = candidate["use"].as_str() {
                write!(f, " => {way}")?;
            }
        }
        if let Some(more) = self.get("more").and_then(Value::as_u64).filter(|more| *more > 0) {
            write!(f, "\n… and {more} more")?;
        }
        for closest in self.list("closest") {
            write!(f, "\nclosest: line {}", closest["line"])?;
            if let Some(section) = closest["section"].as_str() {
                write!(f, ", section `{section}`")?;
            }
            write!(f, ": {} ({})", plain(&closest["excerpt"]), plain(&closest["reason"]))?;
        }
        let changes = self.text("changes").unwrap_or_default();
        for line in Lines::of(changes) {
            write!(f, "\n{}", on_one_line(line.text.of(changes)))?;
        }
        let sections: Vec<_> = self.list("stale_sections").iter().map(plain).collect();
        if !sections.is_empty() {
            write!(f, "\nchanged sections: {}", sections.join(", "))?;
        }
        match self.text("hint") {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

fn plain(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Writes JSON in which no character is invisible.
fn escaped(value: &Value) -> String {
    let mut written = String::new();
    for c in value.to_string().chars() {
        if is_hidden(c) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| written.push_str(&format!("\\u{unit:04x}")));
        } else {
            written.push(c);
        }
    }
    written
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.status == Status::Error {
            return self.fmt_error(f);
        }
        f.write_str(self.status.as_str())?;
        if let Some(revision) = self.text("revision") {
            write!(f, " (revision {revision})")?;
        }
        if let Some(message) = self.text("message") {
            write!(f, ": {message}")?;
        }
        let sections: Vec<_> = self.list("changed_sections").iter().map(plain).collect();
        if !sections.is_empty() {
            write!(f, "\nchanged sections: {}", sections.join(", "))?;
        }
        fmt_lines(&self.members, f)?;
        let rows = self.list("documents").iter().filter_map(Value::as_object);
        for row in rows.filter(|row| row.contains_key("lines")) {
            write!(f, "\n`{}`, revision {}:", plain(&row["document"]), plain(&row["revision"]))?;
            fmt_lines(row, f)?;
        }
        let healed: Vec<_> = self.list("healed").iter().map(plain).collect();
        if !healed.is_empty() {
            write!(f, "\nread less exactly than written: {}", healed.join(", "))?;
        }
        for warning in self.list("warnings") {
            write!(f, "\nwarning {}: {}", plain(&warning["code"]), plain(&warning["message"]))?;
        }
        self.fmt_rows(f)?;
        let of_documents = self.list("documents").iter().filter(|row| row["report"].is_object());
        for row in of_documents.clone() {
            write!(f, "\ncompacted `{}`:", plain(&row["document"]))?;
            fmt_report(&row["report"], f)?;
        }
        if let Some(report) = self.get("report").filter(|_| of_documents.count() == 0) {
            fmt_report(report, f)?;
        }
        for violation in self.list("violations") {
            write!(f, "\n{}", plain(&violation["code"]))?;
            if let Some(line) = violation["line"].as_u64() {
                write!(f, ", line {line}")?;
            }
            write!(f, ": {}", plain(&violation["message"]))?;
            if let Some(tool) = violation["fix"]["tool"].as_str() {
                write!(f, "\n  fix: {tool} {}", escaped(&violation["fix"]["arguments"]))?;
            }
        }
        match self.text("text") {
            Some(text) => write!(f, "\n{text}"),
            None => Ok(()),
        }
    }
}
