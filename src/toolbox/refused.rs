//! [`Refused`]: the answer of a call that was refused: what was not done, why, and what to send instead.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::locate::Code;
use crate::text::{Revision, on_one_line};
use crate::toolbox::retry::{Nested, PartFix};
use crate::toolbox::{Reply, ReplyFormat, Status};

/// The bound of a refusal, in characters, with all that belongs to it.
const MAX_CHARS: usize = 2_000;
/// The bound of a hint that names no call.
pub(crate) const HINT: usize = 1_200;
/// The bound of the sentence that says what is wrong.
pub(crate) const SENTENCE: usize = 800;

/// The answer of a call that was refused.
#[derive(Clone)]
pub(crate) struct Refused {
    /// The kind of the error.
    pub(crate) code: Code,
    /// What is wrong, without the words that every refusal has.
    pub(crate) why: String,
    /// What the text begins with, where a vendor's protocol has words of its own.
    pub(crate) words: Option<String>,
    /// What to send instead; `None` until that is known.
    pub(crate) hint: Option<String>,
    /// The other members of the reply: `retry`, `candidates`, `closest`, `changes`, `failures` and those of single tools.
    pub(crate) members: Map<String, Value>,
    /// The changes that mend all failing parts of the call, if each has one.
    pub(crate) fixes: Option<Vec<PartFix>>,
    /// For each of the candidates, the change of the call that means it.
    pub(crate) choices: Vec<Option<PartFix>>,
    /// The revision on which the same call may be right, once its agent has seen what has changed.
    pub(crate) again: Option<Revision>,
    /// The call of another tool that was refused inside of this one.
    pub(crate) nested: Option<Nested>,
}

impl Refused {
    /// Refuses for this reason. Nothing hides in what it quotes.
    pub(crate) fn new(code: Code, why: &str) -> Box<Self> {
        let is_final = matches!(code, Code::ReservedSection | Code::UnknownTool | Code::ChainBroken);
        Box::new(Self {
            code,
            why: bounded(why, SENTENCE),
            words: None,
            hint: None,
            members: Map::from_iter([("retryable".to_owned(), Value::Bool(!is_final))]),
            fixes: None,
            choices: Vec::new(),
            again: None,
            nested: None,
        })
    }

    /// Refuses arguments that do not fit.
    pub(crate) fn invalid(why: impl std::fmt::Display) -> Box<Self> {
        Self::new(Code::InvalidArguments, &bounded(&why.to_string(), SENTENCE / 2))
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
        let reply = Reply::new(Status::Error, &self.members)
            .with_member("code", self.code)
            .with_member("message", message)
            .with_member("hint", self.hint.as_deref().unwrap_or_default());
        match &self.words {
            Some(words) => reply.in_words(words.clone()),
            None => reply,
        }
    }

    /// Returns true if it is within its bound, both as text and as JSON.
    pub(crate) fn is_within_bound(&self) -> bool {
        let reply = self.reply();
        [ReplyFormat::Text, ReplyFormat::Json].iter().all(|format| reply.render(*format).chars().count() <= MAX_CHARS)
    }

    /// Drops what helps least until the whole is within its bound, to which the retry does not count.
    pub(crate) fn fitted(mut self: Box<Self>) -> Box<Self> {
        let retry = self.members.remove("retry").map(|retry| (retry, self.hint.take()));
        while !self.is_within_bound() && self.drop_one() {}
        match retry {
            Some((retry, hint)) => Box::new(Self { hint, ..*self }).with("retry", retry),
            None => self,
        }
    }

    /// Drops what helps least; `false` if nothing is left that can go.
    fn drop_one(&mut self) -> bool {
        let mut last_first = self.rows("candidates").iter_mut().rev().filter_map(Value::as_object_mut);
        if last_first.any(|row| row.remove("change").is_some()) {
            return true;
        }
        [("closest", 0), ("failures", 1), ("candidates", 1), ("failures", 0)]
            .iter()
            .any(|(member, kept)| self.shorten(member, *kept))
            || self.cut_hint()
    }

    /// Drops the last of more rows than are kept.
    fn shorten(&mut self, member: &str, kept: usize) -> bool {
        let Some(Value::Array(rows)) = self.members.get_mut(member) else { return false };
        if rows.len() <= kept {
            return false;
        }
        rows.pop();
        if rows.is_empty() {
            self.members.remove(member);
        }
        true
    }

    fn cut_hint(&mut self) -> bool {
        let hint = self.hint.take().unwrap_or_default();
        let cut = bounded(&hint, hint.chars().count() / 2);
        let is_cut = cut.chars().count() > 100;
        self.hint = Some(if is_cut { cut } else { hint });
        is_cut
    }
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
