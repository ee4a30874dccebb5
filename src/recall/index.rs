//! [`Index`]: which texts have which words, and how much each weighs there.
//!
//! The weights are those of BM25 (Robertson and Zaragoza, 2009). Those of a text are worked out once, when it is added, against an
//! average length that is a constant, so that they never depend on what else is there. How rare a word is, is worked out when it is
//! asked for.

use std::collections::{HashMap, HashSet};

use super::words::Word;

/// How many words a text is taken to have on average: about those of one sentence.
const AVERAGE_LENGTH: f32 = 16.0;
/// How soon more of one word stops to count: the usual value.
const SATURATION: f32 = 1.2;
/// How much the length of a text counts, of 1: the usual value.
const LENGTH_SHARE: f32 = 0.75;
/// How many different words of a question count: the rarest.
const MOST_WORDS: usize = 64;

/// Texts by their words. They are numbered from 0 as they are added, and never taken out: an index whose texts go is made anew.
#[derive(Default, derive_more::Debug)]
#[debug("Index {{ len: {len}, .. }}")]
pub(super) struct Index {
    /// The texts that have a word, ascending.
    postings: HashMap<Word, Vec<Posting>>,
    len: usize,
}

/// A text that has a word.
#[derive(Clone, Copy, Debug)]
struct Posting {
    text: u32,
    weight: f32,
}

impl Index {
    /// Adds a text, whose number is the count of those before it. The time it takes depends on the text alone.
    pub(super) fn add(&mut self, text: &str) {
        let number = u32::try_from(self.len).unwrap_or(u32::MAX);
        let words = Word::all(text);
        #[expect(clippy::cast_precision_loss, reason = "a count of words")]
        let length = words.len() as f32 / AVERAGE_LENGTH;
        let mut counts: HashMap<Word, f32> = HashMap::new();
        words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1.0);
        for (word, count) in counts {
            let damping = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length);
            let weight = count * (SATURATION + 1.0) / (count + damping);
            self.postings.entry(word).or_default().push(Posting { text: number, weight });
        }
        self.len += 1;
    }

    /// Returns the score of each text that shares a word with the question, in the order in which they were added.
    pub(super) fn scores(&self, question: &Question) -> Vec<(usize, f64)> {
        let mut scores = vec![0.0_f32; self.len];
        for (word, rarity) in &question.words {
            for posting in self.postings.get(word).into_iter().flatten() {
                if let Some(score) = usize::try_from(posting.text).ok().and_then(|at| scores.get_mut(at)) {
                    *score += rarity * posting.weight;
                }
            }
        }
        let scored = scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0);
        scored.map(|(at, score)| (at, f64::from(score))).collect()
    }

    fn frequency(&self, word: Word) -> usize {
        self.postings.get(&word).map_or(0, Vec::len)
    }
}

/// What is asked, as words: each with how much it says, which is the more the fewer texts have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Question {
    words: Vec<(Word, f32)>,
}

impl Question {
    /// Reads a question that these indexes are asked together.
    #[expect(clippy::cast_precision_loss, reason = "counts of texts, for a logarithm")]
    pub(super) fn new<'i>(text: &str, indexes: impl Iterator<Item = &'i Index> + Clone) -> Self {
        let all: usize = indexes.clone().map(|index| index.len).sum();
        let words: HashSet<Word> = Word::all(text).into_iter().collect();
        let counted = words.into_iter().map(|word| {
            let count: usize = indexes.clone().map(|index| index.frequency(word)).sum();
            (count, word)
        });
        let mut known: Vec<_> = counted.filter(|(count, _)| *count > 0).collect();
        // In one order, whatever a set's is: sums of fractions depend on it.
        known.sort_unstable();
        known.truncate(MOST_WORDS);
        let rarity = |count: usize| (1.0 + (all as f32 - count as f32 + 0.5) / (count as f32 + 0.5)).ln();
        Self { words: known.into_iter().map(|(count, word)| (word, rarity(count))).collect() }
    }

    /// Returns how much the words of a text say to the question, each once.
    pub(super) fn weight_of(&self, text: &str) -> f32 {
        let words: HashSet<Word> = Word::all(text).into_iter().collect();
        self.words.iter().filter(|(word, _)| words.contains(word)).map(|(_, rarity)| rarity).sum()
    }

    /// Returns the first word of a line that the question has, as the offset at which it may be found.
    pub(super) fn offset_in(&self, line: &str) -> Option<usize> {
        use unicode_segmentation::UnicodeSegmentation as _;
        let mut words = line.unicode_word_indices();
        words.find(|(_, word)| self.weight_of(word) > 0.0).map(|(offset, _)| offset)
    }
}
