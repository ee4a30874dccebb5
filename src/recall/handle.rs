//! [`Recall`]: finds records by their words, and holds the index that searches use.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::index::{Question, best_first};
use super::journal::Journal;
use super::passages::Documents;
use super::weights::factor;
use super::{LeftOut, Passage, Ranker, RecallQuery, Recalled, RecalledMemory, WhyLeftOut};
use crate::memory::{Followed, Memory, MemoryError};

/// Finds records, and passages of documents, by their words.
///
/// It keeps an index in memory. Each query first reads the entries and documents that are new since the last one, so
/// every entry is read once. Agents of one memory should share a `Recall`: wrap it in an [`Arc`].
///
/// # Examples
///
/// ```
/// use memdoc::memory::{Actor, NewMemory};
/// use memdoc::recall::{Recall, RecallQuery};
/// use memdoc::{InMemoryStore, Memory, Origin, Policy};
///
/// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
/// let origin = Origin::new(Actor::default(), "chat");
/// memory.remember(&NewMemory::new("Prefers dark mode in every editor"), &origin)?;
/// memory.remember(&NewMemory::new("Has a cat"), &origin)?;
///
/// let recall = Recall::new(memory);
/// let recalled = recall.recall(&RecallQuery::new("which mode does the editor have?"))?;
/// assert_eq!(recalled.memories[0].content, "Prefers dark mode in every editor");
/// assert_eq!(recalled.memories.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recall {
    memory: Arc<Memory>,
    pub(super) ranker: Option<Box<dyn Ranker>>,
    known: Mutex<Known>,
}

impl fmt::Debug for Recall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recall").field("memory", &self.memory).finish_non_exhaustive()
    }
}

/// The index of the journal and of the documents.
#[derive(Default)]
pub(super) struct Known {
    pub(super) journal: Followed<Journal>,
    pub(super) documents: Documents,
}

impl Recall {
    /// Creates the recall of a memory. Nothing is read yet.
    pub fn new(memory: impl Into<Arc<Memory>>) -> Self {
        Self { memory: memory.into(), ranker: None, known: Mutex::default() }
    }

    /// Replaces BM25 by the host's own measure of relevance. The ranker is called with every text that passes the
    /// filters of a query. It must not call this `Recall` itself.
    #[must_use]
    pub fn with_ranker(self, ranker: impl Ranker + 'static) -> Self {
        Self { ranker: Some(Box::new(ranker)), ..self }
    }

    /// Returns the memory.
    pub const fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// Finds records (memories, decisions, consolidations and versions of blocks) that share a word with the text of
    /// the query. The best comes first; among records of equal score, the newest. Superseded records, such as earlier
    /// versions of a block, are neither returned nor listed in `left_out`, unless the query has `include_superseded`.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn recall(&self, query: &RecallQuery) -> Result<Recalled, MemoryError> {
        let mut known = self.known();
        known.journal.follow(&self.memory, |journal, entry| journal.entry(&self.memory, entry))?;
        let (journal, now) = (&known.journal.value, self.memory.now());
        let items = &journal.items;
        let text_of = |at: usize| items.get(at).filter(|item| query.is_met_by(item)).map(|item| item.content.as_str());
        let relevant = if query.text.trim().is_empty() {
            (0..items.len()).filter(|at| text_of(*at).is_some()).map(|at| (at, 1.0)).collect()
        } else {
            let question = Question::new(&query.text, &[&journal.index]);
            self.relevant(&query.text, journal.index.scores(&question), items.len(), text_of)
        };
        // The newest comes first among records of equal score.
        let scored = relevant.into_iter().rev().filter_map(|(at, relevance)| {
            let item = items.get(at)?;
            Some((item, relevance * factor(Some(item.time), item.importance, item.tier, now)))
        });
        Ok(packed(query, scored.collect()))
    }

    /// Returns the index and the relevance of each relevant text, in the order of the indexes. The relevance is that of
    /// the host's ranker; without one, that of `scores`. `text_of` returns the text for an index below `count`; `None`
    /// if the query excludes it.
    pub(super) fn relevant<'t>(
        &self,
        question: &str,
        scores: Vec<(usize, f64)>,
        count: usize,
        text_of: impl Fn(usize) -> Option<&'t str>,
    ) -> Vec<(usize, f64)> {
        let Some(ranker) = &self.ranker else {
            return scores.into_iter().filter(|(at, _)| text_of(*at).is_some()).collect();
        };
        let mut scores = scores.into_iter().peekable();
        let (mut places, mut passages) = (Vec::new(), Vec::new());
        for at in 0..count {
            let words = scores.next_if(|(scored, _)| *scored == at).map_or(0.0, |(_, score)| score);
            if let Some(text) = text_of(at) {
                places.push(at);
                passages.push(Passage { text, words });
            }
        }
        let ranks = places.into_iter().zip(ranker.rank(question, &passages));
        ranks.filter(|(_, rank)| *rank > 0.0 && rank.is_finite()).collect()
    }

    /// Locks and returns the index. The caller updates it before use.
    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the best records that fit into the limits of the query, and lists those that do not.
fn packed(query: &RecallQuery, scored: Vec<(&RecalledMemory, f64)>) -> Recalled {
    let (mut memories, mut left_out, mut tokens_used) = (Vec::new(), Vec::new(), 0);
    let found = scored.len();
    for (item, score) in best_first(scored) {
        let reason = if memories.len() >= query.max_results {
            WhyLeftOut::MaxResults
        } else if item.tokens > query.max_tokens.saturating_sub(tokens_used) {
            WhyLeftOut::Budget
        } else {
            tokens_used += item.tokens;
            memories.push(RecalledMemory { score, ..item.clone() });
            continue;
        };
        if left_out.len() < Recalled::LISTED {
            left_out.push(LeftOut { seq: item.seq, tokens: item.tokens, reason });
        } else if reason == WhyLeftOut::MaxResults {
            // The list is full, and all other records are left out, too.
            break;
        }
    }
    Recalled { more: found - memories.len() - left_out.len(), memories, tokens_used, left_out }
}
