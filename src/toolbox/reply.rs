//! [`Reply`]: what a call answers, as JSON and as text.

use std::fmt::{self, Write as _};
use std::panic::RefUnwindSafe;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde_json::{Map, Value, json};
use strum::IntoStaticStr;

use super::answer::HistoryDelta;
use crate::edit::Receipt;
use crate::locate::Code;

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// A document was written.
    Committed,
    /// Something else succeeded.
    Ok,
    /// Changes are pending in a session; nothing was written.
    Editing,
    /// Several places match: the same call is to say which is meant.
    NeedsMatch,
    /// The edit was planned and rendered, not made.
    Preview,
    /// The request asks for no change.
    NoChange,
    /// The wanted state was there already.
    AlreadyApplied,
    /// What was pending was dropped.
    Reverted,
    /// The call was refused; nothing was changed.
    Error,
}

impl Status {
    /// Returns the name used in JSON.
    pub fn as_str(self) -> &'static str {
        self.into()
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

/// What a call answers, which says itself as JSON and as text.
pub(super) trait Answer: fmt::Display + Send + Sync + RefUnwindSafe {
    /// Returns its JSON.
    fn members(&self) -> Map<String, Value>;
}

impl<T: Serialize + fmt::Display + Send + Sync + RefUnwindSafe> Answer for T {
    fn members(&self) -> Map<String, Value> {
        members(self)
    }
}

/// Returns the JSON of a value. A member that is null is left out, but for `text`, where it says that there is none; those of rows
/// are not.
pub(super) fn members(value: &impl Serialize) -> Map<String, Value> {
    told(serde_json::to_value(value).unwrap_or_default())
}

/// What of [`members`] is compiled once, not for each type of value.
fn told(value: Value) -> Map<String, Value> {
    let Value::Object(mut members) = value else { return Map::new() };
    members.retain(|name, value| name == "text" || !value.is_null());
    members
}

/// The answer to a call: JSON for models with structured results, `Display` for all others.
#[derive(Clone, derive_more::Debug, derive_more::Display)]
#[debug("Reply {{ status: {status:?}, code: {:?}, members: {:?} }}", self.code(), self.members().keys())]
#[display("{answer}{}", history.map(|delta| delta.to_string()).unwrap_or_default())]
pub struct Reply {
    status: Status,
    answer: Arc<dyn Answer>,
    /// Its JSON, once that is asked for: most hosts send the text.
    members: OnceLock<Map<String, Value>>,
    /// What became of the host's chat.
    history: Option<HistoryDelta>,
    receipt: Option<Box<Receipt>>,
}

impl PartialEq for Reply {
    fn eq(&self, other: &Self) -> bool {
        let whole = |reply: &Self| (reply.status, reply.to_string());
        whole(self) == whole(other) && self.members() == other.members() && self.receipt == other.receipt
    }
}

impl Reply {
    /// Takes the JSON and the text of a value that says all.
    pub(super) fn of(status: Status, answer: impl Answer + 'static) -> Self {
        Self { status, answer: Arc::new(answer), members: OnceLock::new(), history: None, receipt: None }
    }

    pub(super) fn with_receipt(mut self, receipt: Option<Receipt>) -> Self {
        self.receipt = receipt.map(Box::new);
        self
    }

    /// Adds what became of the host's chat to the reply to a commit.
    pub(super) fn with_history_delta(mut self, delta: HistoryDelta) -> Self {
        if self.members().contains_key("applied_changes") {
            self.history = Some(delta);
            self.members.take();
        }
        self
    }

    fn members(&self) -> &Map<String, Value> {
        self.members.get_or_init(|| {
            let mut members = self.answer.members();
            members.extend(self.history.map(|delta| ("history_delta".to_owned(), json!(delta))));
            members
        })
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
        Value::Object(self.members().clone())
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
            ReplyFormat::Text => {
                // Most replies fit.
                let mut text = String::with_capacity(256);
                let _ = write!(text, "{self}");
                text
            }
            ReplyFormat::Both => format!("{self}\n\n{}", self.to_json()),
        }
    }

    /// Returns a member of the reply's JSON.
    pub fn get(&self, member: &str) -> Option<&Value> {
        self.members().get(member)
    }
}
