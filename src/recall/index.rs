//! [`Index`]: which texts have which words, and the weight of each word in a text.
//!
//! The weights are those of BM25 (Robertson and Zaragoza, 2009). The weight of a word in a text is computed once, when
//! the text is added. It uses a constant as the average length, so it does not depend on other texts. The rarity of a
//! word is computed by each query.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};
use std::iter;

use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::text::is_mark;

/// The average length of a text, in words: about one sentence.
const AVERAGE_LENGTH: f32 = 16.0;
/// `k1` of BM25, at its usual value: how soon a repeated word stops adding weight.
const SATURATION: f32 = 1.2;
/// `b` of BM25, at its usual value: how much the length of a text counts, from 0 to 1.
const LENGTH_SHARE: f32 = 0.75;
/// How many different words of a question count at most. If it has more, the rarest count.
const MOST_WORDS: usize = 64;
/// The factor for a word that is another form of a word in the question.
const OTHER_FORM: f32 = 0.5;
/// Two words are forms of the same word if the longer one begins with the shorter one, the shorter one has at least 4
/// letters, and the longer one has at most 3 more: `seat`, `seats`, `seating`.
const SHORTEST_STEM: usize = 4;
const LONGEST_ENDING: usize = 3;
/// Korean particles, which are appended to a noun. A noun may have several: `서울에서는` is `서울` with two.
const PARTICLES: [&str; 26] = [
    "은", "는", "이", "가", "을", "를", "의", "에", "도", "만", "과", "와", "로", "으로", "에서", "에게", "한테", "께",
    "까지", "부터", "처럼", "보다", "이나", "이랑", "하고", "라고",
];

/// Texts by their words. Texts are numbered from 0 in the order in which they are added. They are never removed: to
/// remove one, build a new index.
#[derive(Default)]
pub(super) struct Index {
    /// The texts that have a word, ascending.
    postings: HashMap<String, Vec<Posting>>,
    /// The words that other forms find, too. They consist of letters only.
    vocabulary: BTreeSet<String>,
    len: usize,
}

/// A text that has a word.
#[derive(Clone, Copy, Debug)]
struct Posting {
    text: u32,
    weight: f32,
}

impl Index {
    /// Adds a text. The time does not depend on the number of texts.
    pub(super) fn add(&mut self, text: &str) {
        let number = u32::try_from(self.len).unwrap_or(u32::MAX);
        let words = words_of(text);
        #[expect(clippy::cast_precision_loss, reason = "a count of words")]
        let length = words.len() as f32 / AVERAGE_LENGTH;
        let mut counts: HashMap<String, f32> = HashMap::new();
        words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1.0);
        for (word, count) in counts {
            let damping = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length);
            let weight = count * (SATURATION + 1.0) / (count + damping);
            self.postings.entry(word).or_default().push(Posting { text: number, weight });
        }
        self.len += 1;
    }

    /// Adds a text whose words can be found by other forms, too: `seats` by `seat`.
    pub(super) fn add_with_forms(&mut self, text: &str) {
        self.add(text);
        self.vocabulary.extend(words_of(text).into_iter().filter(|word| word.chars().all(char::is_alphabetic)));
    }

    /// Returns the other forms of a word.
    fn other_forms<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a String> {
        let longer = self.vocabulary.range(word.to_owned()..).take_while(move |other| other.starts_with(word));
        let shorter = word.char_indices().filter_map(|(end, _)| self.vocabulary.get(word.get(..end)?));
        longer.chain(shorter).filter(move |other| are_forms(word, other))
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
}

/// The words of a question, each with its weight. A word that fewer texts have weighs more.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Question {
    words: Vec<(String, f32)>,
}

impl Question {
    /// Reads a question. The weights are computed over all of these indexes together.
    #[expect(clippy::cast_precision_loss, reason = "counts of texts, for a logarithm")]
    pub(super) fn new(text: &str, indexes: &[&Index]) -> Self {
        let all: usize = indexes.iter().map(|index| index.len).sum();
        let words: HashSet<String> = words_of(text).into_iter().collect();
        let forms = |word: &String| indexes.iter().flat_map(|index| index.other_forms(word)).cloned().collect();
        let others: HashSet<String> = words.iter().flat_map(|word| -> Vec<String> { forms(word) }).collect();
        let others: Vec<String> = others.difference(&words).cloned().collect();
        let shares = words.into_iter().map(|word| (word, 1.0)).chain(others.into_iter().map(|word| (word, OTHER_FORM)));
        let counted = shares.map(|(word, share)| {
            let count: usize = indexes.iter().filter_map(|index| index.postings.get(&word)).map(Vec::len).sum();
            (count, word, share)
        });
        let mut known: Vec<_> = counted.filter(|(count, ..)| *count > 0).collect();
        // A fixed order: the rounding of a sum depends on the order.
        known.sort_unstable_by(|(count, word, _), (other, next, _)| (count, word).cmp(&(other, next)));
        known.truncate(MOST_WORDS);
        let rarity = |count: usize| (1.0 + (all as f32 - count as f32 + 0.5) / (count as f32 + 0.5)).ln();
        Self { words: known.into_iter().map(|(count, word, share)| (word, share * rarity(count))).collect() }
    }

    /// Returns the sum of the weights of the words that a text shares with the question.
    pub(super) fn weight_of(&self, text: &str) -> f32 {
        let words: HashSet<String> = words_of(text).into_iter().collect();
        self.words.iter().filter(|(word, _)| words.contains(word)).map(|(_, rarity)| rarity).sum()
    }

    /// Returns the offset of the first word of a line that is in the question.
    pub(super) fn offset_in(&self, line: &str) -> Option<usize> {
        let mut words = line.unicode_word_indices();
        words.find(|(_, word)| self.weight_of(word) > 0.0).map(|(offset, _)| offset)
    }
}

/// Returns true if the lengths of two words, of which one begins with the other, allow that they are forms of one word.
fn are_forms(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|word| word.chars().count());
    let (stem, whole) = (one.min(other), one.max(other));
    stem >= SHORTEST_STEM && whole - stem <= LONGEST_ENDING
}

/// Divides a text into words, in compatibility form and lower case.
///
/// The boundaries are those of UAX #29. A word with letters is divided further at apostrophes, dots and underscores, so
/// that `user` finds `User’s` and `memory` finds `memory_read`. Numbers (`3.5`) stay whole. A Korean word is followed
/// by its stems without particles.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let plain = text.nfkc().collect::<String>().to_lowercase();
    let mut words = Vec::new();
    for word in plain.unicode_words() {
        if word.contains(char::is_alphabetic) {
            let parts = word.split(|c: char| !c.is_alphanumeric() && !is_mark(c));
            let forms = parts.flat_map(|part| iter::successors(Some(part), |word| without_particle(word)));
            words.extend(forms.filter(|word| !word.is_empty()).map(str::to_owned));
        } else {
            words.push(word.to_owned());
        }
    }
    words
}

/// Returns a Korean word without its last particle; `None` if it has none.
fn without_particle(word: &str) -> Option<&str> {
    let stems = PARTICLES.iter().filter_map(|particle| word.strip_suffix(particle));
    stems.filter(|stem| !stem.is_empty()).min_by_key(|stem| stem.len())
}

/// Iterates over scored items, the best first; items with the same score stay in order. It uses a heap, because only
/// the first few of many items are needed.
pub(super) fn best_first<T: Copy>(scored: Vec<(T, f64)>) -> impl Iterator<Item = (T, f64)> {
    // The bits of non-negative floats have the same order as the numbers.
    let places = scored.iter().enumerate().map(|(at, (_, score))| (score.to_bits(), Reverse(at)));
    let mut heap: BinaryHeap<_> = places.collect();
    iter::from_fn(move || heap.pop().and_then(|(_, Reverse(at))| scored.get(at).copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_in_its_other_forms_and_counts_less_then() {
        let mut index = Index::default();
        for text in ["two seats", "a seat", "the carpet", "a car", "note"] {
            index.add_with_forms(text);
        }
        let scores = |text: &str| index.scores(&Question::new(text, &[&index]));
        let found = |text: &str| scores(text).into_iter().map(|(at, _)| at).collect::<Vec<_>>();
        assert_eq!(
            (found("seat"), found("seats"), found("car"), found("not")),
            (vec![0, 1], vec![0, 1], vec![3], vec![])
        );
        assert!(scores("seat")[1].1 > scores("seat")[0].1);
        let mut exact = Index::default();
        exact.add("two seats");
        assert!(exact.scores(&Question::new("seat", &[&exact])).is_empty());
    }

    #[test]
    fn words_are_those_of_unicode_in_lower_case() {
        let words = words_of;
        assert_eq!(words("User’s memory_read, v3.5 — 3.5 €!"), ["user", "s", "memory", "read", "v3", "5", "3.5"]);
        assert_eq!(words("ＶＳ Code ÜBER"), ["vs", "code", "über"]);
        assert_eq!(words("住在柏林"), ["住", "在", "柏", "林"]);
        assert_eq!(words("हिन्दी में"), ["हिन्दी", "में"]);
        assert_eq!(words("서울에서는 고양이"), ["서울에서는", "서울에서", "서울", "고양이", "고양"]);
        assert_eq!(words(" ?! 👍 \n"), [""; 0]);
    }

    #[test]
    fn composed_and_decomposed_letters_are_one_word() {
        assert_eq!(words_of("Caf\u{E9}"), words_of("cafe\u{301}"));
    }
}
