//! [`HistoryCompressor`]: a chat without the calls of an editing session that is over.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use super::HistoryConfig;
use crate::text::{EstimatedTokens, TokenCounter};

/// Who says a message.
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
    /// A summary that a compressor has put in the place of messages.
    Summary,
}

/// How long a message is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Importance {
    /// Until what it was for is done.
    #[default]
    Passing,
    /// For good: it decides something.
    Decision,
}

/// A message of the host's chat.
///
/// What [`summary`](Self::summary) makes reads back with [`Role::Summary`] and the same text: that is how it is known later.
pub trait ChatMessage: Sized {
    /// Returns who says it.
    fn role(&self) -> Role;

    /// Returns what it says: text, or a call with its arguments.
    fn text(&self) -> &str;

    /// Returns the IDs of the calls that it makes, or the ID of the call that it is the result of.
    fn call_ids(&self) -> Vec<&str>;

    /// Returns how long it is needed.
    fn importance(&self) -> Importance {
        Importance::Passing
    }

    /// Makes a summary that stands in the place of messages.
    fn summary(text: String) -> Self;
}

/// What is over, as it is told in the place of the messages that led to it.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finished {
    /// What it was, and how it ended: `editing session #3 committed`.
    pub title: String,
    /// What was said of it.
    pub summary: String,
    /// What it changed, a line for each change.
    pub changes: Vec<String>,
    /// By how many characters the text has grown, or shrunk; `None` if nothing was written.
    pub delta: Option<i64>,
}

impl fmt::Debug for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Finished");
        shown.field("changes", &self.changes.len()).field("delta", &self.delta).finish_non_exhaustive()
    }
}

impl Finished {
    /// Describes what is over.
    pub fn new(title: impl Into<String>, summary: impl Into<String>) -> Self {
        Self { title: title.into(), summary: summary.into(), ..Self::default() }
    }

    /// Renders it.
    pub fn render(&self) -> String {
        let mut out = format!("[{}]\n", self.title);
        if !self.summary.is_empty() {
            out.push_str(&format!("summary: {}\n", self.summary));
        }
        for change in &self.changes {
            out.push_str(&format!("- {change}\n"));
        }
        if let Some(delta) = self.delta {
            out.push_str(&format!("changes: {}, {delta:+} characters\n", self.changes.len()));
        }
        out.trim_end_matches('\n').to_owned()
    }
}

/// A chat in which one message stands in the place of those that were removed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompressedHistory<M> {
    /// The messages.
    pub messages: Vec<M>,
    /// What is said in the place of those that were removed; empty if none was.
    pub summary: String,
    /// What was changed.
    pub changes: Vec<String>,
    /// The decisions that stay, as they were said.
    pub key_decisions: Vec<String>,
    /// The IDs of the calls that were removed together with their results.
    pub removed: Vec<String>,
    /// Where the part that was compressed stands now.
    pub range: Range<usize>,
    /// By how many messages the chat is shorter.
    pub messages_removed: usize,
    /// By how many tokens it is shorter.
    pub tokens_saved: usize,
}

/// Puts a summary in the place of the calls and results of a session or a task that is over.
///
/// What stays: messages outside the range, those of the person and of the host, decisions (if so configured), and every call
/// whose result is not there to go with it, such as the one that is being answered. Calls and results go together or not at all.
/// Nothing is done to a range with fewer messages to remove than the threshold, nor where the summary would take more tokens than it
/// saves, so that compressing twice is compressing once.
///
/// # Examples
///
/// ```
/// use memdoc::session::{ChatMessage, Finished, HistoryCompressor, HistoryConfig, Role};
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
/// let compressed = HistoryCompressor::new(config).compress(chat, 0..4, &Finished::new("session #1 committed", "limits raised"));
/// let texts: Vec<_> = compressed.messages.iter().map(|message| message.text()).collect();
/// assert_eq!(texts, ["raise the limits", "[session #1 committed]\nsummary: limits raised"]);
/// assert_eq!((compressed.messages_removed, compressed.removed), (2, vec!["call-1".to_owned()]));
/// ```
pub struct HistoryCompressor<C = EstimatedTokens> {
    config: HistoryConfig,
    counter: C,
}

impl HistoryCompressor {
    /// Creates a compressor that estimates tokens.
    pub const fn new(config: HistoryConfig) -> Self {
        Self { config, counter: EstimatedTokens }
    }
}

impl<C: TokenCounter> HistoryCompressor<C> {
    /// Counts tokens with the host's own counter.
    pub fn with_counter<D: TokenCounter>(self, counter: D) -> HistoryCompressor<D> {
        HistoryCompressor { config: self.config, counter }
    }

    /// Compresses the part `range` of a chat, in which `finished` was done. What lies behind the end of the chat is no part of it.
    pub fn compress<M: ChatMessage>(
        &self,
        messages: Vec<M>,
        range: Range<usize>,
        finished: &Finished,
    ) -> CompressedHistory<M> {
        let end = range.end.min(messages.len());
        let range = range.start.min(end)..end;
        let decisions = messages.iter().take(end).skip(range.start).filter(|message| self.is_decision(*message));
        let key_decisions = decisions.map(|message| message.text().to_owned()).collect();
        let goes = self.removable(&messages, &range);
        let gone = || messages.iter().zip(&goes).filter(|(_, goes)| **goes).map(|(message, _)| message);
        let summary = finished.render();
        let cost: usize = gone().map(|message| self.counter.count(message.text())).sum();
        let tokens_saved = cost.saturating_sub(self.counter.count(&summary));
        let passing = gone().filter(|message| message.role() != Role::Summary).count();
        let is_long = passing >= self.config.compression_threshold.max(1);
        if !self.config.enable_compression || !is_long || tokens_saved == 0 {
            return CompressedHistory {
                messages,
                summary: String::new(),
                changes: Vec::new(),
                key_decisions,
                removed: Vec::new(),
                range,
                messages_removed: 0,
                tokens_saved: 0,
            };
        }
        let mut known = HashSet::new();
        let removed =
            gone().flat_map(ChatMessage::call_ids).filter(|id| known.insert(*id)).map(str::to_owned).collect();
        let messages_removed = gone().count().saturating_sub(1);
        // The summary takes the place of the first of the messages that go.
        let mut in_place = Some(M::summary(summary.clone()));
        let pairs = messages.into_iter().zip(goes);
        let messages = pairs.filter_map(|(message, goes)| if goes { in_place.take() } else { Some(message) });
        CompressedHistory {
            messages: messages.collect(),
            summary,
            changes: finished.changes.clone(),
            key_decisions,
            removed,
            range: range.start..range.end - messages_removed,
            messages_removed,
            tokens_saved,
        }
    }

    fn is_decision<M: ChatMessage>(&self, message: &M) -> bool {
        self.config.keep_key_decisions && message.importance() == Importance::Decision
    }

    /// Returns of each message whether it goes: those of a range which are not kept, and which no call ties to one that is.
    fn removable<M: ChatMessage>(&self, messages: &[M], range: &Range<usize>) -> Vec<bool> {
        let mut of_call: HashMap<&str, Vec<usize>> = HashMap::new();
        for (nth, message) in messages.iter().enumerate() {
            message.call_ids().into_iter().for_each(|id| of_call.entry(id).or_default().push(nth));
        }
        let stays = |nth: usize, message: &M| {
            let is_kept = match message.role() {
                Role::System | Role::User => true,
                Role::Assistant | Role::Tool | Role::Summary => self.is_decision(message),
            };
            // A call and its result are two messages at least.
            let is_open = || message.call_ids().iter().any(|id| of_call.get(id).is_none_or(|tied| tied.len() < 2));
            !range.contains(&nth) || is_kept || is_open()
        };
        let mut kept: Vec<bool> = messages.iter().enumerate().map(|(nth, message)| stays(nth, message)).collect();
        let mut open: Vec<usize> = (0..messages.len()).filter(|nth| kept.get(*nth) == Some(&true)).collect();
        let mut followed: HashSet<&str> = HashSet::new();
        while let Some(nth) = open.pop() {
            for id in messages.get(nth).map(ChatMessage::call_ids).unwrap_or_default() {
                if !followed.insert(id) {
                    continue;
                }
                for tied in of_call.get(id).into_iter().flatten() {
                    if let Some(is_kept) = kept.get_mut(*tied).filter(|is_kept| !**is_kept) {
                        *is_kept = true;
                        open.push(*tied);
                    }
                }
            }
        }
        kept.into_iter().map(|is_kept| !is_kept).collect()
    }
}
