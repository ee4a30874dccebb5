//! [`RecallQuery`] and [`Recalled`]: a query for records, and its result.

use serde::{Serialize, Serializer};

use crate::memory::journal::{EntryKind, Seq, Tier};
use crate::text::{Content, Timestamp, names};

/// A query for records. With an empty text, it finds the newest and most important ones.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecallQuery {
    /// The question. A record must share a word with it.
    pub text: Content,
    /// How many tokens the results may have together.
    pub max_tokens: usize,
    /// The most results.
    pub max_results: usize,
    /// Whether superseded records are found, too. Default: no.
    pub include_superseded: bool,
    /// Whether core blocks are found, too, which are in every prompt anyway. Default: yes.
    pub include_core: bool,
    /// Finds only records of this kind.
    pub kind: Option<EntryKind>,
    /// Finds only records of this tier.
    pub tier: Option<Tier>,
    /// Finds only records of at least this importance, 1 to 10.
    pub min_importance: Option<u8>,
    /// Finds only records of this time or later.
    pub since: Option<Timestamp>,
    /// Finds only records of this time or earlier.
    pub until: Option<Timestamp>,
}

impl RecallQuery {
    /// The default of [`max_tokens`](Self::max_tokens).
    pub const MAX_TOKENS: usize = 2_000;
    /// The default of [`max_results`](Self::max_results).
    pub const MAX_RESULTS: usize = 10;

    /// Creates a query for records that share a word with `text`. Whole words are compared: `seat` does not find
    /// `seats`.
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

/// The result of a recall.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Recalled {
    /// The records, the best first.
    pub memories: Vec<RecalledMemory>,
    /// How many tokens they have together.
    pub tokens_used: usize,
    /// Records that match but did not fit, the best first; at most [`Recalled::LISTED`].
    pub left_out: Vec<LeftOut>,
    /// How many more records match and did not fit.
    pub more: usize,
}

impl Recalled {
    /// How many records [`left_out`](Self::left_out) lists at most.
    pub const LISTED: usize = 20;
}

/// A recalled record.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RecalledMemory {
    /// The number of its entry.
    pub seq: Seq,
    /// Its text.
    pub content: Content,
    /// Its kind: a memory, a decision, a consolidation or a version of a block.
    #[serde(rename = "type")]
    pub kind: EntryKind,
    /// For how long it matters; only memories and decisions have a tier.
    pub tier: Option<Tier>,
    /// How important it is, 1 to 10.
    pub importance: u8,
    /// When it was recorded.
    pub time: Timestamp,
    /// Its score: the relevance of its words, times the factors for recency, importance and tier.
    #[serde(serialize_with = "rounded")]
    pub score: f64,
    /// How many tokens it has.
    #[serde(skip)]
    pub tokens: usize,
    /// The entry that superseded it.
    pub superseded_by: Option<Seq>,
    /// The label of the block that it is a version of.
    pub block_label: Option<String>,
    /// Whether that block is in every prompt.
    pub is_core: Option<bool>,
}

/// Writes a score with three decimals.
pub(super) fn rounded<S: Serializer>(score: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((score.min(1e9) * 1000.0).round() / 1000.0)
}

/// A record that matches but did not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// The number of its entry.
    pub seq: Seq,
    /// How many tokens it has.
    pub tokens: usize,
    /// Why it was left out.
    pub reason: WhyLeftOut,
}

names! {
    /// Why something was left out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum WhyLeftOut {
        /// It has more tokens than the budget had left.
        Budget = "budget",
        /// The maximum number of results was reached.
        MaxResults = "max_results",
    }
}
