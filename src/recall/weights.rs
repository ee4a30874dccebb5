//! How recency, importance and tier change a score, as the documentation of the module says; and [`Ranker`]: the host's
//! own measure of relevance.

use std::fmt;

use crate::memory::journal::Tier;
use crate::text::Timestamp;

/// The bonus of a new text.
const RECENCY: f64 = 0.5;
/// After how many seconds half of that bonus is left: 30 days.
const HALF_LIFE: f64 = 30.0 * 86_400.0;
/// The weight of importance.
const IMPORTANCE: f64 = 0.3;
/// The importance at which the factor is 1. It is also the distance from there to the greatest importance.
const MIDDLE: f64 = 5.0;

/// Returns the factor by which the relevance of a text is multiplied.
pub(super) fn factor(time: Option<Timestamp>, importance: u8, tier: Option<Tier>, now: Timestamp) -> f64 {
    let recency = time.map_or(0.0, |time| {
        let age = std::time::Duration::from_secs(now.as_seconds().saturating_sub(time.as_seconds()));
        RECENCY * (-age.as_secs_f64() / HALF_LIFE).exp2()
    });
    let importance = IMPORTANCE * (f64::from(importance) - MIDDLE) / MIDDLE;
    let tier = match tier {
        Some(Tier::Relationship) => 1.1,
        Some(Tier::Ephemeral) => 0.8,
        Some(Tier::Committed | Tier::Unknown) | None => 1.0,
    };
    (1.0 + recency) * (1.0 + importance) * tier
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
    /// found if its number is 0 or less, not finite, or missing. Recency, importance and tier are applied afterwards.
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
