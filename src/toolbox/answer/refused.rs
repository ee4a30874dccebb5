//! [`Refused`]: the answer of a call that was refused: what was not done, why, and what to send instead.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::edit::Part;
use crate::locate::{Code, Fix};
use crate::session::Letter;
use crate::text::on_one_line;
use crate::toolbox::retry::{Nested, Remedy, ToolCall};
use crate::toolbox::{Reply, ReplyFormat, Status};

/// The bound of a refusal, in characters, with all that belongs to it.
pub(crate) const MAX_CHARS: usize = 2_000;
/// The bound of a hint that names no call.
pub(crate) const HINT: usize = 1_200;
/// The bound of the sentence that says what is wrong.
pub(crate) const SENTENCE: usize = 800;
/// How every message begins, unless it is not known whether anything was changed.
const NOTHING: &str = "Nothing was changed: ";

/// The answer of a call that was refused.
#[derive(Clone, Serialize)]
pub(crate) struct Refused {
    pub(crate) status: Status,
    /// The kind of the error.
    pub(crate) code: Code,
    /// What is wrong: that nothing was changed, unless this is not known.
    pub(crate) message: String,
    /// What to send instead.
    pub(crate) hint: String,
    /// The call that would be committed in the place of the refused one.
    pub(crate) retry: Option<ToolCall>,
    /// Whether the same intention, sent in another way or later, may succeed.
    pub(crate) retryable: bool,
    #[serde(flatten)]
    pub(crate) places: Option<Places>,
    /// The lines that are most like what was not found, or that are missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) closest: Vec<ClosestRow>,
    /// The names that there are, where another was sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) known: Vec<String>,
    /// What has changed since the agent saw the document, as a unified diff.
    pub(crate) changes: Option<String>,
    /// If that is too long to be shown, the sections that have changed.
    pub(crate) stale_sections: Option<Vec<String>>,
    /// The parts of the call that were refused.
    pub(crate) failures: Option<Vec<FailureRow>>,
    /// What became of each operation. The tool that has operations promises them.
    pub(crate) ops: Option<Vec<OpRow>>,
    /// The open session, and whether one is: for tools of sessions, which promise them.
    #[serde(flatten)]
    pub(crate) session: Option<Value>,
    /// The entries of the journal that are not what they were. The tool that verifies it promises them.
    pub(crate) bad: Option<Vec<BadRow>>,
    /// How many places there are, where another number was expected.
    #[serde(skip)]
    pub(crate) count: Option<usize>,
    /// What may be changed in the call.
    #[serde(skip)]
    pub(crate) remedy: Remedy,
    /// The call of another tool that was refused inside of this one.
    #[serde(skip)]
    pub(crate) nested: Option<Nested>,
}

/// An entry of the journal that is not what it was.
#[derive(Clone, Serialize)]
pub(crate) struct BadRow {
    /// Its number, if that can be told.
    pub(crate) seq: Option<u64>,
    pub(crate) problem: String,
}

/// The places that may be meant.
#[derive(Clone, Serialize)]
pub(crate) struct Places {
    pub(crate) candidates: Vec<CandidateRow>,
    /// How many there are that are not shown.
    pub(crate) more: usize,
}

/// A place that may be meant.
#[derive(Clone, Serialize)]
pub(crate) struct CandidateRow {
    /// The letter that names it.
    pub(crate) id: String,
    pub(crate) line: usize,
    pub(crate) section: Option<String>,
    /// The ID of the block that it stands in.
    pub(crate) block: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) excerpt: String,
    /// Present if it is the likeliest one.
    pub(crate) recommended: Option<bool>,
    /// Of a session's candidates, the letter once more, under the name of the argument.
    pub(crate) match_id: Option<String>,
    /// Of a session's candidates, the nearest heading, key or comment above.
    pub(crate) context: Option<String>,
    /// Why it is the likeliest.
    pub(crate) reason: Option<String>,
    /// The arguments of the call that mean this place.
    pub(crate) change: Option<Map<String, Value>>,
    /// The change of the request that means it.
    #[serde(skip)]
    pub(crate) fix: Option<Fix>,
}

/// A line that is like what was not found.
#[derive(Clone, Serialize)]
pub(crate) struct ClosestRow {
    pub(crate) line: usize,
    pub(crate) section: Option<String>,
    /// What stands there, whole, to be copied.
    pub(crate) text: String,
    /// In what it differs from what was sought.
    pub(crate) reason: String,
}

/// A part of a call that was refused.
#[derive(Clone, Serialize)]
pub(crate) struct FailureRow {
    /// Which it is.
    pub(crate) part: PartName,
    /// For a call that edits several documents, the document of the part.
    pub(crate) document: Option<String>,
    pub(crate) code: Code,
    pub(crate) message: String,
}

/// What a part of a call is told by.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(crate) enum PartName {
    /// Its number, from 1.
    Number(usize),
    /// The letter of a pending change.
    Letter(Letter),
}

/// What became of an operation.
#[derive(Clone, Serialize)]
pub(crate) struct OpRow {
    /// `applied`, `already_applied`, `no_change`, `failed`, or `not_applied` because another failed.
    pub(crate) status: &'static str,
    /// The ID of the block that it made.
    pub(crate) memory_id: Option<String>,
    pub(crate) code: Option<Code>,
    pub(crate) message: Option<String>,
}

impl From<&Part> for OpRow {
    fn from(part: &Part) -> Self {
        let status = part.status.as_str();
        Self { status, memory_id: part.made_block.as_ref().map(ToString::to_string), code: None, message: None }
    }
}

impl Refused {
    /// Refuses without help; `message` is whole. Nothing hides in what it quotes.
    pub(crate) fn new(code: Code, message: &str) -> Box<Self> {
        Box::new(Self {
            status: Status::Error,
            code,
            message: on_one_line(message),
            hint: String::new(),
            retry: None,
            retryable: !matches!(code, Code::ReservedSection | Code::UnknownTool),
            places: None,
            closest: Vec::new(),
            known: Vec::new(),
            changes: None,
            stale_sections: None,
            failures: None,
            ops: None,
            session: None,
            bad: None,
            count: None,
            remedy: Remedy::default(),
            nested: None,
        })
    }

    /// Refuses for this reason; nothing was changed.
    pub(crate) fn plain(code: Code, why: &str) -> Box<Self> {
        Self::new(code, &format!("{NOTHING}{}.", bounded(why, SENTENCE)))
    }

    /// Returns why it is refused, without the words that every refusal has.
    pub(crate) fn why(&self) -> &str {
        let why = self.message.strip_prefix(NOTHING).unwrap_or(&self.message);
        why.strip_suffix('.').unwrap_or(why)
    }

    /// Notes that a call of another tool was refused, which stands in the arguments of this one.
    pub(crate) fn inside(mut self: Box<Self>, nested: Nested) -> Box<Self> {
        self.nested = Some(nested);
        self
    }

    pub(crate) fn reply(&self) -> Reply {
        Reply::new(self.status, self)
    }

    /// Returns true if it is within its bound, both as text and as JSON, to which the retry does not count.
    pub(crate) fn is_within_bound(&self) -> bool {
        let reply = self.reply();
        [ReplyFormat::Text, ReplyFormat::Json].iter().all(|format| reply.render(*format).chars().count() <= MAX_CHARS)
    }

    /// Drops what helps least until the whole is within its bound.
    pub(crate) fn fitted(mut self: Box<Self>) -> Box<Self> {
        let offered = self.retry.take().map(|retry| (retry, std::mem::take(&mut self.hint)));
        while !self.is_within_bound() && self.drop_one() {}
        if let Some((retry, hint)) = offered {
            (self.retry, self.hint) = (Some(retry), hint);
        }
        self
    }

    fn cut_hint(&mut self) -> bool {
        let cut = bounded(&self.hint, self.hint.chars().count() / 2);
        let is_cut = cut.chars().count() > 100;
        self.hint = if is_cut { cut } else { std::mem::take(&mut self.hint) };
        is_cut
    }

    /// Drops what helps least; `false` if nothing is left that can go.
    fn drop_one(&mut self) -> bool {
        let candidates = || self.places.iter().flat_map(|places| &places.candidates);
        if candidates().any(|row| row.change.is_some()) {
            let last = self.places.iter_mut().flat_map(|places| &mut places.candidates).rev();
            return last.filter_map(|row| row.change.take()).next().is_some();
        }
        if self.known.pop().is_some() || self.closest.pop().is_some() {
            return true;
        }
        shorten(self.failures.as_mut())
            || shorten(self.bad.as_mut())
            || shorten(self.places.as_mut().map(|places| &mut places.candidates))
            || self.failures.take().is_some()
            || self.cut_hint()
    }
}

/// Drops the last item of a list; `false` if only one is left.
fn shorten<T>(list: Option<&mut Vec<T>>) -> bool {
    list.filter(|list| list.len() > 1).is_some_and(|list| list.pop().is_some())
}

/// Returns a text on one line, nothing hidden in it, cut to so many characters.
pub(crate) fn bounded(text: &str, limit: usize) -> String {
    let text = on_one_line(text);
    if text.chars().take(limit + 1).count() <= limit {
        return text;
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}
