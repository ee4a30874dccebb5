//! [`Recall`]: a memory that is asked what it knows.

use std::collections::BinaryHeap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::index::Question;
use super::journal::Journal;
use super::packing::{Packing, Scored, best_first};
use super::passages::Documents;
use super::{LeftOut, Passage, Ranker, RecallQuery, Recalled, RecalledMemory, Weights, WhyLeftOut};
use crate::document::InvalidSetting;
use crate::memory::journal::Seq;
use crate::memory::{Memory, MemoryError};

/// A memory that is asked what it knows. It keeps an index of its own, in which each entry of the journal and each document is read
/// once, when it is next asked after they were written, and is kept in memory. Shared by all agents of a memory: wrap it in an [`Arc`].
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
    pub(super) weights: Weights,
    pub(super) ranker: Option<Box<dyn Ranker>>,
    known: Mutex<Known>,
}

impl fmt::Debug for Recall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Recall");
        shown.field("memory", &self.memory).field("weights", &self.weights).finish_non_exhaustive()
    }
}

/// What has been read.
#[derive(Default)]
pub(super) struct Known {
    pub(super) journal: Journal,
    pub(super) documents: Documents,
}

impl Recall {
    /// Asks this memory. Nothing is read yet.
    pub fn new(memory: impl Into<Arc<Memory>>) -> Self {
        Self { memory: memory.into(), weights: Weights::default(), ranker: None, known: Mutex::default() }
    }

    /// Weighs by these.
    ///
    /// # Errors
    ///
    /// One of them is out of its range.
    pub fn with_weights(self, weights: Weights) -> Result<Self, InvalidSetting> {
        weights.check()?;
        Ok(Self { weights, ..self })
    }

    /// Takes relevance from the host. It is asked about all that the filters let through, and must not ask this recall itself.
    #[must_use]
    pub fn with_ranker(self, ranker: impl Ranker + 'static) -> Self {
        Self { ranker: Some(Box::new(ranker)), ..self }
    }

    /// Returns the memory that is asked.
    pub const fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// Recalls what is remembered beside the documents: memories, decisions, consolidations and versions of blocks that share a word
    /// with the text of the query, the best first, among equals the newest. What others stand in the place of, and earlier versions
    /// of a block, are left out in silence unless they are asked for.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn recall(&self, query: &RecallQuery) -> Result<Recalled, MemoryError> {
        let mut known = self.known();
        known.journal.follow(&self.memory)?;
        let (journal, now) = (&known.journal, self.memory.now());
        let mut scored = BinaryHeap::new();
        for (at, relevance) in self.relevance(query, journal) {
            if let Some(item) = journal.items().get(at) {
                scored.push(Scored { score: relevance * self.weights.factor(&item.standing(), now), at });
            }
        }
        Ok(packed(query, journal.items(), scored))
    }

    /// Returns what shares a word with the question, or what the host's ranker finds; without a question, all.
    fn relevance(&self, query: &RecallQuery, journal: &Journal) -> Vec<(usize, f64)> {
        let items = journal.items();
        let is_met = |at: &usize| items.get(*at).is_some_and(|item| query.is_met_by(item));
        if query.text.trim().is_empty() {
            return (0..items.len()).filter(is_met).map(|at| (at, 1.0)).collect();
        }
        let question = Question::new(&query.text, std::iter::once(journal.index()));
        let scores = journal.index().scores(&question);
        let Some(ranker) = &self.ranker else {
            return scores.into_iter().filter(|(at, _)| is_met(at)).collect();
        };
        let met: Vec<usize> = (0..items.len()).filter(is_met).collect();
        let texts = met.iter().filter_map(|at| items.get(*at)).map(|item| item.content.as_str());
        let passages = with_words(met.iter().zip(texts), &scores);
        ranked(&**ranker, &query.text, &passages)
            .map(|(at, relevance)| (met.get(at).copied().unwrap_or(at), relevance))
            .collect()
    }

    /// Returns the last entry that is known to have written a note, as far as was read.
    pub(super) fn note_written(&self, title: &str) -> Option<Seq> {
        self.known().journal.note_written(title)
    }

    /// Returns what has been read, for whoever brings it up to date.
    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Puts texts, by ascending places, beside what their words score.
pub(super) fn with_words<'t>(
    texts: impl Iterator<Item = (&'t usize, &'t str)>,
    scores: &[(usize, f64)],
) -> Vec<Passage<'t>> {
    let mut scores = scores.iter().peekable();
    texts
        .map(|(at, text)| {
            while scores.next_if(|(scored, _)| scored < at).is_some() {}
            let words = scores.next_if(|(scored, _)| scored == at).map_or(0.0, |(_, score)| *score);
            Passage { text, words }
        })
        .collect()
}

/// Asks a ranker, and returns the places of the passages that it finds, each with its relevance.
pub(super) fn ranked(
    ranker: &dyn Ranker,
    question: &str,
    passages: &[Passage<'_>],
) -> impl Iterator<Item = (usize, f64)> + use<> {
    let ranks = ranker.rank(question, passages);
    ranks.into_iter().take(passages.len()).enumerate().filter(|(_, rank)| *rank > 0.0 && rank.is_finite())
}

fn packed(query: &RecallQuery, items: &[RecalledMemory], scored: BinaryHeap<Scored>) -> Recalled {
    let mut packing = Packing::new(query.max_tokens, query.max_results);
    let mut recalled = Recalled { memories: Vec::new(), tokens_used: 0, left_out: Vec::new(), more: 0 };
    let mut rest = scored.len();
    for (Scored { score, .. }, item) in best_first(scored).filter_map(|scored| Some((scored, items.get(scored.at)?))) {
        match packing.take(item.tokens) {
            Ok(()) => recalled.memories.push(RecalledMemory { score, ..item.clone() }),
            Err(reason) if recalled.left_out.len() < Recalled::LISTED => {
                recalled.left_out.push(LeftOut { seq: item.seq, tokens: item.tokens, reason });
            }
            // Nothing that follows is taken or listed.
            Err(WhyLeftOut::MaxResults) => break,
            Err(_) => recalled.more += 1,
        }
        rest -= 1;
    }
    recalled.more += rest;
    recalled.tokens_used = packing.tokens;
    recalled
}
