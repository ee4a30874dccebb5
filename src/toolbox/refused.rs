//! [`Refused`]: the answer of a call that was refused: what was not done, why, and what to send instead.

use serde::Serialize;
use serde_json::{Value, json};

use crate::locate::{Code, Fix};
use crate::text::on_one_line;
use crate::toolbox::retry::{Nested, Remedy, ToolCall};
use crate::toolbox::{Reply, ReplyFormat, Status};

/// The bound of a refusal, in characters, with all that belongs to it.
const MAX_CHARS: usize = 2_000;
/// The bound of a hint that names no call.
pub(crate) const HINT: usize = 1_200;
/// The bound of the sentence that says what is wrong.
pub(crate) const SENTENCE: usize = 800;

/// The answer of a call that was refused. Rows are objects as the reply has them.
#[derive(Clone, Serialize)]
pub(crate) struct Refused {
    /// The kind of the error.
    pub(crate) code: Code,
    /// What is wrong, without the words that every refusal has.
    #[serde(skip)]
    pub(crate) why: String,
    /// What the text begins with, where a vendor's protocol has words of its own.
    #[serde(skip)]
    pub(crate) words: Option<String>,
    /// What to send instead; `None` until that is known.
    #[serde(skip)]
    pub(crate) hint: Option<String>,
    /// The call that would be committed in the place of the refused one.
    pub(crate) retry: Option<ToolCall>,
    /// Whether the same intention, sent in another way or later, may succeed.
    pub(crate) retryable: bool,
    #[serde(flatten)]
    pub(crate) places: Option<Places>,
    /// The lines that are most like what was not found, or that are missing: `line`, `section?`, `text`, `reason`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) closest: Vec<Value>,
    /// The names that there are, where another was sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) known: Vec<String>,
    /// What has changed since the agent saw the document, as a unified diff.
    pub(crate) changes: Option<String>,
    /// If that is too long to be shown, the sections that have changed.
    pub(crate) stale_sections: Option<Vec<String>>,
    /// The parts of the call that were refused: `part`, `document?`, `code`, `message`.
    pub(crate) failures: Option<Vec<Value>>,
    /// What a tool promises in every reply: its operations, its session, what it has verified.
    #[serde(flatten)]
    pub(crate) beside: Option<Value>,
    /// How many places there are, where another number was expected.
    #[serde(skip)]
    pub(crate) count: Option<usize>,
    /// For each of the places, the change of the request that means it.
    #[serde(skip)]
    pub(crate) choices: Vec<Option<Fix>>,
    /// What may be changed in the call.
    #[serde(skip)]
    pub(crate) remedy: Remedy,
    /// The call of another tool that was refused inside of this one.
    #[serde(skip)]
    pub(crate) nested: Option<Nested>,
}

/// The places that may be meant.
#[derive(Clone, Serialize)]
pub(crate) struct Places {
    /// `id` (a letter), `line`, `section?`, `block?`, `key?`, `excerpt`, `recommended?`, and `change?`, the arguments that mean it.
    pub(crate) candidates: Vec<Value>,
    /// How many there are that are not shown.
    pub(crate) more: usize,
}

impl Refused {
    /// Refuses for this reason. Nothing hides in what it quotes.
    pub(crate) fn new(code: Code, why: &str) -> Box<Self> {
        Box::new(Self {
            code,
            why: bounded(why, SENTENCE),
            words: None,
            hint: None,
            retry: None,
            retryable: !matches!(code, Code::ReservedSection | Code::UnknownTool | Code::ChainBroken),
            places: None,
            closest: Vec::new(),
            known: Vec::new(),
            changes: None,
            stale_sections: None,
            failures: None,
            beside: None,
            count: None,
            choices: Vec::new(),
            remedy: Remedy::default(),
            nested: None,
        })
    }

    /// Says what to do instead.
    pub(crate) fn with_hint(mut self: Box<Self>, hint: impl Into<String>) -> Box<Self> {
        self.hint = Some(hint.into());
        self
    }

    /// Says it in the words of a vendor's protocol.
    pub(crate) fn in_words(mut self: Box<Self>, words: impl Into<String>) -> Box<Self> {
        self.words = Some(words.into());
        self
    }

    /// Adds why the same call would be refused on the text as it now stands, if there is room.
    pub(crate) fn refused_now(self: Box<Self>, now: Option<Box<Self>>) -> Box<Self> {
        let Some(now) = now else { return self };
        let why = bounded(&format!("{}; on the text as it now stands: {}", self.why, now.why), SENTENCE);
        let both = Box::new(Self { why, closest: now.closest, ..*self.clone() });
        if both.is_within_bound() { both } else { self }
    }

    pub(crate) fn reply(&self) -> Reply {
        let what = match self.code {
            Code::Indeterminate => "It is not known whether anything was changed",
            _ => "Nothing was changed",
        };
        let message = self.words.clone().unwrap_or_else(|| format!("{what}: {}.", self.why));
        let reply = Reply::new(Status::Error, self)
            .with_member("message", message)
            .with_member("hint", self.hint.as_deref().unwrap_or_default());
        match &self.words {
            Some(words) => reply.in_words(words.clone()),
            None => reply,
        }
    }

    /// Returns true if it is within its bound, both as text and as JSON, to which the retry does not count.
    pub(crate) fn is_within_bound(&self) -> bool {
        let reply = self.reply();
        [ReplyFormat::Text, ReplyFormat::Json].iter().all(|format| reply.render(*format).chars().count() <= MAX_CHARS)
    }

    /// Drops what helps least until the whole is within its bound.
    pub(crate) fn fitted(mut self: Box<Self>) -> Box<Self> {
        let offered = self.retry.take().map(|retry| (retry, self.hint.take()));
        while !self.is_within_bound() && self.drop_one() {}
        if let Some((retry, hint)) = offered {
            (self.retry, self.hint) = (Some(retry), hint);
        }
        self
    }

    /// Drops what helps least; `false` if nothing is left that can go.
    fn drop_one(&mut self) -> bool {
        let candidates = self.places.as_mut().map(|places| &mut places.candidates);
        let mut last_first = candidates.into_iter().flat_map(|rows| rows.iter_mut().rev());
        if last_first.any(|row| row.as_object_mut().is_some_and(|row| row.remove("change").is_some())) {
            return true;
        }
        self.known.pop().is_some()
            || self.closest.pop().is_some()
            || shorten(self.failures.as_mut())
            || shorten(self.places.as_mut().map(|places| &mut places.candidates))
            || self.failures.take().is_some()
            || self.cut_hint()
    }

    fn cut_hint(&mut self) -> bool {
        let hint = self.hint.take().unwrap_or_default();
        let cut = bounded(&hint, hint.chars().count() / 2);
        let is_cut = cut.chars().count() > 100;
        self.hint = Some(if is_cut { cut } else { hint });
        is_cut
    }
}

/// Drops the last row of a list; `false` if only one is left.
fn shorten(rows: Option<&mut Vec<Value>>) -> bool {
    rows.filter(|rows| rows.len() > 1).is_some_and(|rows| rows.pop().is_some())
}

/// Returns a row for a failing part.
pub(crate) fn failure(part: impl Serialize, code: Code, message: &str) -> Value {
    json!({"part": part, "code": code, "message": message})
}

/// Returns a text on one line, nothing hidden in it, cut to so many characters.
pub(crate) fn bounded(text: &str, limit: usize) -> String {
    let text = on_one_line(text);
    if text.chars().take(limit + 1).count() <= limit {
        return text;
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}
