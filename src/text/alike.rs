//! How alike two texts are, letter by letter.

use std::collections::HashMap;

/// The length in bytes from which texts are not compared.
const LONGEST: usize = 4_000;

/// The letters of a text, ready to be compared with those of others.
#[derive(Debug)]
pub(crate) struct Letters {
    /// How many bytes the text has.
    bytes: usize,
    count: usize,
    /// The places of each letter, a bit for each, in words of 64.
    places: HashMap<char, Vec<u64>>,
}

impl Letters {
    /// Reads a text. Of a long one, which is like no other, only the length is known.
    pub(crate) fn of(text: &str) -> Self {
        let letters = if text.len() > LONGEST { "" } else { text };
        let count = letters.chars().count();
        let mut places: HashMap<char, Vec<u64>> = HashMap::new();
        for (at, letter) in letters.chars().enumerate() {
            let words = places.entry(letter).or_insert_with(|| vec![0; count.div_ceil(64)]);
            if let Some(word) = words.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
        }
        Self { bytes: text.len(), count, places }
    }

    /// Returns how alike two texts are, of 1, if that is at least so many percent; `None` if it is
    /// not, or one is long.
    ///
    /// It is the share of the letters that both have in the same order.
    pub(crate) fn likeness(&self, other: &str, percent: u8) -> Option<f32> {
        if self.bytes.max(other.len()) > LONGEST {
            return None;
        }
        let others = other.chars().count();
        let letters = self.count + others;
        let is_enough = |shared: usize| 2 * shared * 100 >= letters * usize::from(percent);
        if letters == 0 || !is_enough(self.count.min(others)) {
            return (letters == 0).then_some(1.0);
        }
        let shared = Some(self.in_common(other)).filter(|shared| is_enough(*shared))?;
        #[expect(clippy::cast_precision_loss, reason = "so few letters are exact")]
        Some(2.0 * shared as f32 / letters as f32)
    }

    /// Returns how many letters both have at most in the same order: sixty-four at a time (Allison
    /// and Dix, Hyyrö).
    fn in_common(&self, other: &str) -> usize {
        // A bit is gone for each place behind which one more letter is in common.
        let mut left = vec![u64::MAX; self.count.div_ceil(64)];
        for places in other.chars().filter_map(|letter| self.places.get(&letter)) {
            let mut carry = false;
            for (left, places) in left.iter_mut().zip(places) {
                let there = *left & places;
                let (sum, first) = left.overflowing_add(there);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                (*left, carry) = (sum | (*left & !there), first || second);
            }
        }
        left.iter().map(|left| left.count_zeros() as usize).sum()
    }
}

/// The pairs of neighboring bytes of a text, without regard to the letter case of ASCII: a quick
/// measure of how alike others are.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// For each pair whether the text has it, 1 or 0.
    has: Box<[u8; 1 << 16]>,
    count: usize,
}

impl Pairs {
    pub(crate) fn of(text: &str) -> Self {
        let (text, mut has) = (text.to_ascii_lowercase(), Box::new([0; 1 << 16]));
        for pair in pairs(&text) {
            if let Some(has) = has.get_mut(usize::from(pair)) {
                *has = 1;
            }
        }
        Self { has, count: pairs(&text).count() }
    }

    /// Returns a rank of a text in small letters: the higher, the more pairs of this text the other
    /// has, and the fewer others.
    #[expect(clippy::cast_precision_loss, reason = "so few pairs are exact")]
    pub(crate) fn rank(&self, lower: &str) -> f32 {
        let has = |pair| self.has.get(usize::from(pair)).copied().map_or(0, usize::from);
        let (shared, count) = pairs(lower).fold((0, 0), |(shared, count), pair| (shared + has(pair), count + 1));
        let held = shared.min(self.count) as f32;
        held / self.count.max(1) as f32 + 2.0 * held / (self.count + count).max(1) as f32
    }
}

/// Iterates over the pairs of neighboring bytes, of a long text those at its beginning.
fn pairs(text: &str) -> impl Iterator<Item = u16> + '_ {
    let bytes = text.as_bytes().get(..LONGEST).unwrap_or(text.as_bytes());
    bytes.iter().zip(bytes.iter().skip(1)).map(|(one, other)| u16::from_be_bytes([*one, *other]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(a: &str, b: &str, percent: u8) -> Option<f32> {
        Letters::of(a).likeness(b, percent)
    }
    use proptest::prelude::*;
    use similar::TextDiff;

    #[test]
    fn texts_are_alike_by_the_letters_that_they_have_in_the_same_order() {
        let long = "old_string".repeat(10_000);
        for (name, known) in [
            ("argument12", "old_string"),
            ("old", "old_string"),
            (&*long, "old_string"),
            ("x", "edits"),
            ("abc", "abcdef"),
            ("gnirts_dlo", "old_string"),
            ("new_strings", "old_string"),
            ("memory", "document"),
        ] {
            assert_eq!([likeness(name, known, 75), likeness(known, name, 75)], [None, None], "{name}");
        }
        for (name, known) in
            [("old_strnig", "old_string"), ("old_str", "old_string"), ("edit", "edits"), ("abc", "abcde")]
        {
            assert!(likeness(name, known, 75).is_some_and(|ratio| ratio < 1.0), "{name}");
        }
        assert_eq!((likeness("", "", 75), likeness(&long, &long, 75)), (Some(1.0), None));
    }

    #[test]
    fn what_holds_a_text_has_all_of_its_pairs() {
        let pairs = Pairs::of("Lives in Denver");
        let rank = |other: &str| pairs.rank(&other.to_ascii_lowercase());
        assert!(rank("- LIVES in denver, with Ana") > rank("- Lives in Dover"));
        assert!(rank("- Lives in Dover") > rank("- Likes tea"));
        assert_eq!((rank(""), rank("xq"), Pairs::of("").rank("x")), (0.0, 0.0, 0.0));
    }

    proptest! {
        #[test]
        fn it_is_the_ratio_of_a_diff(a in "[abcdé ]{0,200}", b in "[abcdé ]{0,200}", c in "[a-z ]{0,20}", percent in 0_u8..=100) {
            for (a, b) in [(&*a, &*b), (&*a, &*[&*c, &*a].concat()), (&*c, &*a), (&*a, &*a)] {
                let ratio = Some(TextDiff::from_chars(a, b).ratio()).filter(|ratio| *ratio >= f32::from(percent) / 100.0);
                prop_assert_eq!(likeness(a, b, percent), ratio);
            }
        }
    }
}
