//! [`HistoryCompressor`]: replaces the calls of a finished session or task in a chat by a summary.

use std::collections::HashMap;
use std::ops::Range;

use super::HistoryConfig;
use crate::text::{Content, TokenCounter};

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The host.
    System,
    /// The person.
    User,
    /// The model, with or without calls of tools.
    Assistant,
    /// A tool: the result of a call.
    Tool,
    /// A summary that a compressor has written.
    Summary,
}

/// A message of the host's chat.
///
/// A message that [`summary`](Self::summary) created must return [`Role::Summary`] and the same text, so that a later
/// compression recognizes it.
pub trait ChatMessage: Sized {
    /// Returns the author.
    fn role(&self) -> Role;

    /// Returns the text, or the call with its arguments.
    fn text(&self) -> &str;

    /// Returns the IDs of its calls, or the ID of the call that it answers.
    fn call_ids(&self) -> Vec<&str>;

    /// Returns true if it is a decision, which is never removed.
    fn is_decision(&self) -> bool {
        false
    }

    /// Creates a message from a summary.
    fn summary(text: String) -> Self;
}

/// A finished session or task, as its summary describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finished {
    /// What it was and how it ended: `editing session #3 committed`.
    pub title: Content,
    /// What the model wrote as the summary.
    pub summary: Content,
    /// Its changes, one line each.
    pub changes: Vec<Content>,
    /// By how many characters the text grew; `None` if nothing was written.
    pub delta: Option<i64>,
}

impl Finished {
    /// Creates one without changes.
    pub fn new(title: impl Into<Content>, summary: impl Into<Content>) -> Self {
        Self { title: title.into(), summary: summary.into(), ..Self::default() }
    }

    /// Renders the summary as text.
    pub fn render(&self) -> String {
        let mut lines = vec![format!("[{}]", self.title)];
        lines.extend((!self.summary.is_empty()).then(|| format!("summary: {}", self.summary)));
        lines.extend(self.changes.iter().map(|change| format!("- {change}")));
        lines.extend(self.delta.map(|delta| format!("changes: {}, {delta:+} characters", self.changes.len())));
        lines.join("\n")
    }
}

/// A compressed chat.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompressedHistory<M> {
    /// The messages.
    pub messages: Vec<M>,
    /// The summary in place of the removed messages; empty if none was removed.
    pub summary: String,
    /// The changes of the finished session or task; empty if nothing was removed.
    pub changes: Vec<Content>,
    /// The texts of the decisions in the range.
    pub key_decisions: Vec<String>,
    /// By how many messages the chat is shorter.
    pub messages_removed: usize,
    /// By how many tokens it is shorter.
    pub tokens_saved: usize,
}

/// Replaces the calls and results of a finished session or task by a summary.
///
/// These messages stay: those outside the range, those of the user and the host, decisions (if so configured), and each
/// call whose results do not follow directly, such as the current one. A call and its results are removed together or
/// not at all. Nothing is removed if the range has fewer removable messages than the threshold, or if the summary would
/// not save tokens. So compressing twice is the same as compressing once.
///
/// # Examples
///
/// ```
/// use memdoc::session::{ChatMessage, Finished, HistoryCompressor, HistoryConfig, Role};
/// use memdoc::text::EstimatedTokens;
///
/// #[derive(Clone)]
/// struct Message(Role, String, Option<&'static str>);
///
/// impl ChatMessage for Message {
///     fn role(&self) -> Role {
///         self.0
///     }
///     fn text(&self) -> &str {
///         &self.1
///     }
///     fn call_ids(&self) -> Vec<&str> {
///         self.2.into_iter().collect()
///     }
///     fn summary(text: String) -> Self {
///         Self(Role::Summary, text, None)
///     }
/// }
///
/// let long = "the whole memory, again and again, ".repeat(20);
/// let chat = [(Role::User, "raise the limits"), (Role::Assistant, "call 1"), (Role::Tool, &long), (Role::Assistant, "done")];
/// let ids = [None, Some("call-1"), Some("call-1"), None];
/// let chat: Vec<_> = chat.into_iter().zip(ids).map(|((role, text), id)| Message(role, text.to_owned(), id)).collect();
///
/// let mut config = HistoryConfig::default();
/// config.compression_threshold = 2;
/// let finished = Finished::new("session #1 committed", "limits raised");
/// let compressed = HistoryCompressor::new(config, EstimatedTokens).compress(chat, 0..4, &finished);
/// let texts: Vec<_> = compressed.messages.iter().map(|message| message.text()).collect();
/// assert_eq!(texts, ["raise the limits", "[session #1 committed]\nsummary: limits raised"]);
/// assert_eq!(compressed.messages_removed, 2);
/// ```
pub struct HistoryCompressor<C> {
    config: HistoryConfig,
    counter: C,
}

impl<C: TokenCounter> HistoryCompressor<C> {
    /// Creates a compressor with this token counter.
    pub const fn new(config: HistoryConfig, counter: C) -> Self {
        Self { config, counter }
    }

    /// Compresses the messages of `range`, in which `finished` was done. The range may extend beyond the end of the
    /// chat.
    pub fn compress<M: ChatMessage>(
        &self,
        messages: Vec<M>,
        range: Range<usize>,
        finished: &Finished,
    ) -> CompressedHistory<M> {
        let decisions = messages.iter().take(range.end).skip(range.start).filter(|message| self.is_decision(*message));
        let key_decisions = decisions.map(|message| message.text().to_owned()).collect();
        let goes = self.removable(&messages, &range);
        let removed = || messages.iter().zip(&goes).filter(|(_, goes)| **goes).map(|(message, _)| message);
        let summary = finished.render();
        let cost: usize = removed().map(|message| self.counter.count(message.text())).sum();
        let tokens_saved = cost.saturating_sub(self.counter.count(&summary));
        let count = removed().filter(|message| message.role() != Role::Summary).count();
        let is_long = count >= self.config.compression_threshold.max(1);
        let is_worth_it = self.config.enable_compression && is_long && tokens_saved > 0;
        let (changes, messages_removed, tokens_saved) = match is_worth_it {
            true => (finished.changes.clone(), removed().count() - 1, tokens_saved),
            false => Default::default(),
        };
        let summary = if is_worth_it { summary } else { String::new() };
        // The summary replaces the first removed message.
        let mut in_place = Some(M::summary(summary.clone()));
        let kept = messages.into_iter().zip(goes);
        let kept = kept.filter_map(|(message, goes)| if goes && is_worth_it { in_place.take() } else { Some(message) });
        let messages = kept.collect();
        CompressedHistory { messages, summary, changes, key_decisions, messages_removed, tokens_saved }
    }

    fn is_decision<M: ChatMessage>(&self, message: &M) -> bool {
        self.config.keep_key_decisions && message.is_decision()
    }

    /// Returns for each message whether it can be removed: a call and the results right after it can, if all of them
    /// can.
    fn removable<M: ChatMessage>(&self, messages: &[M], range: &Range<usize>) -> Vec<bool> {
        let may_go = |message: &M| !matches!(message.role(), Role::System | Role::User) && !self.is_decision(message);
        let (everywhere, mut goes) = (counts(messages), Vec::new());
        for exchange in messages.chunk_by(|_, next| next.role() == Role::Tool) {
            let (start, end) = (goes.len(), goes.len() + exchange.len());
            let is_inside = range.start <= start && end <= range.end;
            // A call has at least one result, and all messages with its ID must be in this exchange.
            let is_whole = counts(exchange).iter().all(|(id, count)| *count > 1 && everywhere.get(id) == Some(count));
            goes.resize(end, is_inside && is_whole && exchange.iter().all(may_go));
        }
        goes
    }
}

/// Counts, for each ID of a call, the messages that have it.
fn counts<M: ChatMessage>(messages: &[M]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for id in messages.iter().flat_map(ChatMessage::call_ids) {
        *counts.entry(id).or_default() += 1;
    }
    counts
}
