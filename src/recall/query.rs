//! [`RecallQuery`] and [`Recalled`]: what to recall from a journal, and what was found.

use serde::{Serialize, Serializer};

use super::weights::Standing;

use crate::memory::journal::{EntryKind, Seq, Tier};
use crate::text::{Content, Timestamp, names};

/// What to recall. Without a text: what is new and important.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecallQuery {
    /// What is sought, in words.
    pub text: Content,
    /// How many tokens the memories may have together.
    pub max_tokens: usize,
    /// How many memories at most.
    pub max_results: usize,
    /// Whether records that were replaced by others are found, too. Default: no.
    pub include_superseded: bool,
    /// Whether core blocks that are in every prompt anyway are found, too. Default: yes.
    pub include_core: bool,
    /// Only those of this kind.
    pub kind: Option<EntryKind>,
    /// Only those of this tier.
    pub tier: Option<Tier>,
    /// Only those of this importance or a greater one, 1 to 10.
    pub min_importance: Option<u8>,
    /// Only those of this time or later.
    pub since: Option<Timestamp>,
    /// Only those of this time or earlier.
    pub until: Option<Timestamp>,
}

impl RecallQuery {
    /// How many tokens memories may have together unless a query says otherwise.
    pub const MAX_TOKENS: usize = 2_000;
    /// How many memories are recalled unless a query says otherwise.
    pub const MAX_RESULTS: usize = 10;

    /// Asks for what shares a word with `text`. Whole words are compared: `seat` does not find `seats`.
    pub fn new(text: impl Into<Content>) -> Self {
        Self {
            text: text.into(),
            max_tokens: Self::MAX_TOKENS,
            max_results: Self::MAX_RESULTS,
            include_superseded: false,
            include_core: true,
            kind: None,
            tier: None,
            min_importance: None,
            since: None,
            until: None,
        }
    }

    pub(super) fn is_met_by(&self, item: &RecalledMemory) -> bool {
        (self.include_superseded || item.superseded_by.is_none())
            && (self.include_core || item.is_core != Some(true))
            && self.kind.as_ref().is_none_or(|kind| item.kind == *kind)
            && self.tier.is_none_or(|tier| item.tier == Some(tier))
            && self.min_importance.is_none_or(|least| item.importance >= least)
            && self.since.is_none_or(|since| item.time >= since)
            && self.until.is_none_or(|until| item.time <= until)
    }
}

/// What came to mind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Recalled {
    /// The memories, the best first.
    pub memories: Vec<RecalledMemory>,
    /// How many tokens they have together.
    pub tokens_used: usize,
    /// What was found and left out, the best first; at most [`Recalled::LISTED`] of them.
    pub left_out: Vec<LeftOut>,
    /// How many more were left out.
    pub more: usize,
}

impl Recalled {
    /// How many of those that were left out are listed.
    pub const LISTED: usize = 20;
}

/// A memory that was recalled.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RecalledMemory {
    /// The number of its entry.
    pub seq: Seq,
    /// What it says.
    pub content: Content,
    /// What it is: a memory, a decision, a consolidation or a version of a block.
    #[serde(rename = "type")]
    pub kind: EntryKind,
    /// For how long it is remembered; of memories and decisions only.
    pub tier: Option<Tier>,
    /// How important it is, 1 to 10.
    pub importance: u8,
    /// When it was recorded.
    pub time: Timestamp,
    /// Its score: the relevance of its words, times the factors of [`Weights`](super::Weights).
    #[serde(serialize_with = "rounded")]
    pub score: f64,
    /// How many tokens it has.
    #[serde(skip)]
    pub tokens: usize,
    /// What stands in its place.
    pub superseded_by: Option<Seq>,
    /// The block that it is a version of.
    pub block_label: Option<String>,
    /// Whether that block stands in every prompt.
    pub is_core: Option<bool>,
}

/// Writes a score with three decimals.
pub(super) fn rounded<S: Serializer>(score: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((score.min(1e9) * 1000.0).round() / 1000.0)
}

impl RecalledMemory {
    pub(super) const fn standing(&self) -> Standing {
        Standing { time: Some(self.time), importance: self.importance, tier: self.tier }
    }
}

/// A memory that was found and left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// The number of its entry.
    pub seq: Seq,
    /// How many tokens it has.
    pub tokens: usize,
    /// Why.
    pub reason: WhyLeftOut,
}

names! {
    /// Why something was left out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum WhyLeftOut {
        /// It has more tokens than were left of the budget.
        Budget = "budget",
        /// There were as many results as were asked for.
        MaxResults = "max_results",
    }
}
