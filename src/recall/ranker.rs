//! [`Ranker`]: how relevant texts are to a question, by a host's own measure.

use std::fmt;

/// Tells how relevant texts are to a question; a host that has embeddings supplies one. A closure is one, too.
///
/// # Examples
///
/// ```
/// use memdoc::recall::{Passage, Recall, RecallQuery};
/// use memdoc::{InMemoryStore, Memory, Origin, Policy, memory::Actor, memory::NewMemory};
///
/// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
/// memory.remember(&NewMemory::new("Has a spaniel"), &Origin::new(Actor::default(), "chat"))?;
/// // A model would know that a spaniel is a dog; what it thinks of a text can be kept by the text.
/// let similarity = |_: &str, text: &str| if text.contains("spaniel") { 0.9 } else { 0.0 };
/// let recall = Recall::new(memory).with_ranker(move |question: &str, passages: &[Passage<'_>]| {
///     passages.iter().map(|passage| passage.words + similarity(question, passage.text)).collect()
/// });
/// assert_eq!(recall.recall(&RecallQuery::new("which dog?"))?.memories[0].content, "Has a spaniel");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Ranker: Send + Sync {
    /// Returns the relevance of each passage, in their order: the greater the more. What is 0 or less, no number or not there is
    /// not found. Time, importance and tier are weighed afterwards.
    fn rank(&self, question: &str, passages: &[Passage<'_>]) -> Vec<f64>;
}

impl<F: Fn(&str, &[Passage<'_>]) -> Vec<f64> + Send + Sync> Ranker for F {
    fn rank(&self, question: &str, passages: &[Passage<'_>]) -> Vec<f64> {
        self(question, passages)
    }
}

/// A text that may be what is sought.
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Passage<'a> {
    /// The text.
    pub text: &'a str,
    /// How relevant its words are by BM25; 0 if it shares none with the question.
    pub words: f64,
}

impl fmt::Debug for Passage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passage").field("bytes", &self.text.len()).field("words", &self.words).finish()
    }
}
