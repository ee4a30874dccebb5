//! [`Reply`]: what a call answers, as JSON and as the text that is made of it.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::edit::{Part, Receipt, Warning};
use crate::locate::{Code, Leniency};
use crate::text::{Revision, escaped, names, on_one_line};
use crate::toolbox::render;

names! {
    /// What became of a call.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Status {
        /// A document was written.
        Committed = "committed",
        /// Something else succeeded.
        Ok = "ok",
        /// Changes are pending in a session; nothing was written.
        Editing = "editing",
        /// Several places match: the same call is to say which is meant.
        NeedsMatch = "needs_match",
        /// The edit was planned and rendered, not made.
        Preview = "preview",
        /// The request asks for no change.
        NoChange = "no_change",
        /// The wanted state was there already.
        AlreadyApplied = "already_applied",
        /// What was pending was dropped.
        Reverted = "reverted",
        /// The call was refused; nothing was changed.
        Error = "error",
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
}

/// The answer to a call: JSON for models with structured results, `Display` for all others.
#[derive(Clone, PartialEq)]
pub struct Reply {
    status: Status,
    members: Map<String, Value>,
    /// What the text begins with, in the place of the status, where a vendor's protocol has words of its own.
    words: Option<String>,
    receipt: Option<Box<Receipt>>,
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Reply");
        shown.field("status", &self.status).field("code", &self.code()).field("members", &self.members.keys()).finish()
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render::text(&self.members, self.words.as_deref()))
    }
}

impl Reply {
    /// Answers with the members of `own`. One that is null is left out, but for `text`, where it says that there is none.
    pub(crate) fn new(status: Status, own: &impl Serialize) -> Self {
        Self { status, members: Map::new(), words: None, receipt: None }.with(own).with_member("status", status)
    }

    /// Adds the members of `own`.
    pub(crate) fn with(mut self, own: &impl Serialize) -> Self {
        if let Ok(Value::Object(members)) = serde_json::to_value(own) {
            let known = members.into_iter().filter(|(name, value)| name == "text" || !value.is_null());
            self.members.extend(known.map(|(name, value)| (name, without_nulls(value))));
        }
        self
    }

    /// Adds a member, or takes it away if it is null.
    pub(crate) fn with_member(mut self, name: &str, value: impl Serialize) -> Self {
        match json!(value) {
            Value::Null => self.members.remove(name),
            value => self.members.insert(name.to_owned(), without_nulls(value)),
        };
        self
    }

    /// Answers in words of another protocol; of what succeeded, they are the text.
    pub(crate) fn in_words(mut self, words: String) -> Self {
        if self.status != Status::Error {
            self.members.insert("text".to_owned(), words.as_str().into());
        }
        self.words = Some(words);
        self
    }

    /// Puts another status in the place of its own.
    pub(crate) fn with_status(mut self, status: Status) -> Self {
        self.status = status;
        self.with_member("status", status)
    }

    pub(crate) fn with_revision(self, revision: impl Into<Option<Revision>>) -> Self {
        match revision.into() {
            Some(revision) => self.with_member("revision", revision.short()),
            None => self,
        }
    }

    /// Says what happened.
    pub(crate) fn with_message<'m>(self, message: impl Into<Option<&'m str>>) -> Self {
        match message.into() {
            Some(message) => self.with_member("message", on_one_line(message)),
            None => self,
        }
    }

    /// Adds leniencies to those reported, each once.
    pub(crate) fn with_healed(self, leniencies: &[Leniency]) -> Self {
        leniencies.iter().fold(self, |mut reply, leniency| {
            let healed = reply.members.entry("healed").or_insert_with(|| json!([]));
            if let Some(healed) = healed.as_array_mut().filter(|healed| !healed.contains(&json!(leniency))) {
                healed.push(json!(leniency));
            }
            reply
        })
    }

    /// Adds what should be known.
    pub(crate) fn with_warning(mut self, warning: &Warning) -> Self {
        let warnings = self.members.entry("warnings").or_insert_with(|| json!([]));
        if let Some(warnings) = warnings.as_array_mut() {
            warnings.push(json!({"code": warning.code, "message": escaped(&warning.message)}));
        }
        self
    }

    /// Reports how an edit was read and what should be known of it, even if that is nothing.
    pub(crate) fn with_notes(self, healed: &[Leniency], warnings: &[Warning]) -> Self {
        let noted = self.with_member("healed", json!([])).with_member("warnings", json!([])).with_healed(healed);
        warnings.iter().fold(noted, Self::with_warning)
    }

    /// Reports how the parts of a plan were read and what should be known of them.
    pub(crate) fn with_notes_of<'p>(self, parts: impl Iterator<Item = &'p Part> + Clone) -> Self {
        let healed: Vec<_> = parts.clone().flat_map(|part| part.healed.clone()).collect();
        let warnings: Vec<_> = parts.flat_map(|part| part.warnings.clone()).collect();
        self.with_notes(&healed, &warnings)
    }

    /// Adds the receipt of what was committed.
    pub(crate) fn with_receipt(mut self, receipt: Option<Receipt>) -> Self {
        self.receipt = receipt.map(Box::new);
        self
    }

    /// Adds what became of the host's chat to the reply to a commit.
    pub(crate) fn with_history_delta(self, messages_removed: usize, tokens_saved: usize) -> Self {
        let delta = json!({"messages_removed": messages_removed, "tokens_saved": tokens_saved});
        match self.members.contains_key("applied_changes") {
            true => self.with_member("history_delta", delta),
            false => self,
        }
    }

    /// Returns what became of the call.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Returns the code of an error.
    pub fn code(&self) -> Option<Code> {
        self.get("code").and_then(Value::as_str)?.parse().ok()
    }

    /// Returns the receipt of what was committed; of several documents, that of all together.
    pub fn receipt(&self) -> Option<&Receipt> {
        self.receipt.as_deref()
    }

    /// Returns the reply as JSON.
    pub fn to_json(&self) -> Value {
        Value::Object(self.members.clone())
    }

    /// Returns the reply as a host sends it back to the model.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{InMemoryStore, Memory, Policy, Toolbox, toolbox::ReplyFormat};
    ///
    /// let mut toolbox = Toolbox::new(Memory::new(InMemoryStore::new(), Policy::default())?);
    /// let reply = toolbox.call_str("validate_memory", "{}");
    /// assert!(reply.render(ReplyFormat::Text).starts_with("ok"));
    /// assert!(reply.render(ReplyFormat::Json).contains(r#""status":"ok""#));
    /// # Ok::<(), memdoc::document::InvalidSetting>(())
    /// ```
    pub fn render(&self, format: ReplyFormat) -> String {
        match format {
            ReplyFormat::Json => self.to_json().to_string(),
            ReplyFormat::Text => self.to_string(),
        }
    }

    /// Returns a member of the reply's JSON.
    pub fn get(&self, member: &str) -> Option<&Value> {
        self.members.get(member)
    }
}

/// Leaves out the members of rows that are null.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let known = members.into_iter().filter(|(_, value)| !value.is_null());
            known.map(|(name, value)| (name, without_nulls(value))).collect()
        }
        Value::Array(rows) => rows.into_iter().map(without_nulls).collect(),
        value => value,
    }
}
