//! [`Weights`]: how recency, importance and tier change a score; and [`Ranker`]: the host's own measure of relevance.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::document::InvalidSetting;
use crate::memory::journal::Tier;
use crate::text::Timestamp;

/// The seconds of a day.
const DAY: f64 = 86_400.0;
/// The importance at which the factor is 1. It is also the distance from there to the greatest importance.
const MIDDLE: f64 = 5.0;

/// The weights of recency, importance and tier. A score is the relevance of the words multiplied by three factors, so a
/// text with relevance 0 is never found. In JSON, a missing member has its default, and an unknown member is refused.
///
/// | factor | value |
/// |---|---|
/// | recency | 1 + `recency` · 2^(-age / `half_life_days`) |
/// | importance | 1 + `importance` · (importance - 5) / 5, for an importance from 1 to 10 |
/// | tier | `relationship` or `ephemeral` for a record of that tier, else 1 |
///
/// A pinned bullet of a document has the importance 10, any other passage 5. The age of a bullet counts from its tag
/// `since`; a passage without one has the recency factor 1.
///
/// # Examples
///
/// ```
/// use memdoc::recall::Weights;
///
/// let weights: Weights = serde_json::from_str(r#"{"recency": 0.5, "half_life_days": 7}"#)?;
/// assert!(weights.check().is_ok() && weights.importance == Weights::default().importance);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Weights {
    /// The bonus of a new text, 0 or more. With 0.5, a new text has the factor 1.5.
    pub recency: f64,
    /// After how many days half of the bonus is left; more than 0.
    pub half_life_days: f64,
    /// The weight of importance, 0 to 1. With 0.3, importance 10 has the factor 1.3, and importance 1 has 0.76.
    pub importance: f64,
    /// The factor of the tier `relationship`, 0 or more.
    pub relationship: f64,
    /// The factor of the tier `ephemeral`, 0 or more.
    pub ephemeral: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { recency: 0.5, half_life_days: 30.0, importance: 0.3, relationship: 1.1, ephemeral: 0.8 }
    }
}

impl Weights {
    /// The weights with which only words count.
    pub const NONE: Self =
        Self { recency: 0.0, half_life_days: 30.0, importance: 0.0, relationship: 1.0, ephemeral: 1.0 };

    /// Checks that every value is in its range.
    ///
    /// # Errors
    ///
    /// The first weight that is out of range.
    pub fn check(&self) -> Result<(), InvalidSetting> {
        let is_count = |value: f64| value.is_finite() && value >= 0.0;
        let half_life = self.half_life_days;
        let checks = [
            ("recency", self.recency, "0 or more", is_count(self.recency)),
            ("relationship", self.relationship, "0 or more", is_count(self.relationship)),
            ("ephemeral", self.ephemeral, "0 or more", is_count(self.ephemeral)),
            ("half_life_days", half_life, "more than 0", half_life.is_finite() && half_life > 0.0),
            ("importance", self.importance, "a share from 0 to 1", (0.0..=1.0).contains(&self.importance)),
        ];
        match checks.into_iter().find(|(.., is_right)| !is_right) {
            Some((setting, found, expected, _)) => Err(InvalidSetting { setting, expected, found: found.to_string() }),
            None => Ok(()),
        }
    }

    /// Returns the factor by which a relevance is multiplied.
    pub(super) fn factor(&self, standing: &Standing, now: Timestamp) -> f64 {
        let recency = standing.time.map_or(0.0, |time| {
            let age = std::time::Duration::from_secs(now.as_seconds().saturating_sub(time.as_seconds()));
            self.recency * (-age.as_secs_f64() / DAY / self.half_life_days).exp2()
        });
        let importance = self.importance * (f64::from(standing.importance) - MIDDLE) / MIDDLE;
        let tier = match standing.tier {
            Some(Tier::Relationship) => self.relationship,
            Some(Tier::Ephemeral) => self.ephemeral,
            Some(Tier::Committed | Tier::Unknown) | None => 1.0,
        };
        (1.0 + recency) * (1.0 + importance) * tier
    }
}

/// What the weights need to know of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) time: Option<Timestamp>,
    pub(super) importance: u8,
    pub(super) tier: Option<Tier>,
}

/// Measures how relevant texts are to a question. A host with embeddings supplies one. A closure is one, too.
///
/// # Examples
///
/// ```
/// use memdoc::recall::{Passage, Recall, RecallQuery};
/// use memdoc::{InMemoryStore, Memory, Origin, Policy, memory::Actor, memory::NewMemory};
///
/// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
/// memory.remember(&NewMemory::new("Has a spaniel"), &Origin::new(Actor::default(), "chat"))?;
/// // An embedding model would know that a spaniel is a dog. Its results can be cached by text.
/// let similarity = |_: &str, text: &str| if text.contains("spaniel") { 0.9 } else { 0.0 };
/// let recall = Recall::new(memory).with_ranker(move |question: &str, passages: &[Passage<'_>]| {
///     passages.iter().map(|passage| passage.words + similarity(question, passage.text)).collect()
/// });
/// assert_eq!(recall.recall(&RecallQuery::new("which dog?"))?.memories[0].content, "Has a spaniel");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Ranker: Send + Sync {
    /// Returns the relevance of each passage, in the same order. A greater number is more relevant. A passage is not
    /// found if its number is 0 or less, not finite, or missing. The [`Weights`] are applied afterwards.
    fn rank(&self, question: &str, passages: &[Passage<'_>]) -> Vec<f64>;
}

impl<F: Fn(&str, &[Passage<'_>]) -> Vec<f64> + Send + Sync> Ranker for F {
    fn rank(&self, question: &str, passages: &[Passage<'_>]) -> Vec<f64> {
        self(question, passages)
    }
}

/// A text to be ranked.
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Passage<'a> {
    /// The text.
    pub text: &'a str,
    /// Its relevance by BM25; 0 if it shares no word with the question.
    pub words: f64,
}

impl fmt::Debug for Passage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passage").field("bytes", &self.text.len()).field("words", &self.words).finish()
    }
}
