//! The pairs of letters that stand side by side in a text, to be counted in many others.

/// How many pairs can be met in one word of memory, where each line is soon looked through.
const FEW: usize = 64;

/// The pairs of a text, two bytes each.
pub(super) struct LetterPairs {
    /// For each byte its number among those of the text, from 1, or 0; a capital letter has that of the small one.
    letters: [u8; 256],
    /// For two letters, at the number of the first times 256 plus that of the second, the number of the pair, from 1, or 0.
    numbers: Vec<u16>,
    count: usize,
    /// The pairs that were met in a line, a bit for each number, where there are many.
    met: Vec<u64>,
}

impl LetterPairs {
    /// Reads the pairs of a text in small letters.
    pub(super) fn of(text: &str) -> Self {
        let mut letters = [0; 256];
        // Not every byte stands in a text, so that no number is too large.
        let mut width: u8 = 1;
        for byte in text.bytes() {
            if let Some(number @ 0) = letters.get_mut(usize::from(byte)) {
                (*number, width) = (width, width.saturating_add(1));
            }
        }
        for byte in b'A'..=b'Z' {
            let small = letters.get(usize::from(byte.to_ascii_lowercase())).copied().unwrap_or_default();
            letters.get_mut(usize::from(byte)).into_iter().for_each(|number| *number = small);
        }
        let mut pairs = Self { letters, numbers: vec![0; usize::from(width) * 256], count: 0, met: Vec::new() };
        for pair in text.as_bytes().windows(2) {
            let &[first, second] = pair else { continue };
            let at = place(pairs.letter(first), pairs.letter(second));
            if let Some(number @ 0) = pairs.numbers.get_mut(at) {
                pairs.count += 1;
                *number = u16::try_from(pairs.count).unwrap_or(0);
            }
        }
        pairs.met = vec![0; pairs.count / 64 + 1];
        pairs
    }

    /// Returns how many different pairs there are.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Counts those that stand in a line, in any letter case.
    pub(super) fn shared_with(&mut self, line: &[u8]) -> usize {
        // What is no pair of the text has number 0.
        if self.count < FEW {
            let met = self.numbers_in(line).fold(0_u64, |met, number| met | 1 << (number % 64));
            return (met & !1).count_ones() as usize;
        }
        let mut met = std::mem::take(&mut self.met);
        met.fill(0);
        for number in self.numbers_in(line) {
            met.get_mut(usize::from(number / 64)).into_iter().for_each(|met| *met |= 1 << (number % 64));
        }
        met.first_mut().into_iter().for_each(|met| *met &= !1);
        let shared = met.iter().map(|met| met.count_ones() as usize).sum();
        self.met = met;
        shared
    }

    /// Iterates over the numbers of the pairs of a line.
    fn numbers_in(&self, line: &[u8]) -> impl Iterator<Item = u16> {
        let pair = |before: &mut u8, byte: &u8| {
            let letter = self.letter(*byte);
            let at = place(std::mem::replace(before, letter), letter);
            Some(self.numbers.get(at).copied().unwrap_or_default())
        };
        line.iter().scan(0, pair)
    }

    fn letter(&self, byte: u8) -> u8 {
        self.letters.get(usize::from(byte)).copied().unwrap_or_default()
    }
}

fn place(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn those_are_shared_that_both_have(text in "[a-fé ]{0,60}|[a-zé ]{60,120}", lines in prop::collection::vec("[a-hA-Hé -]{0,60}", 0..4)) {
            let of = |text: &str| -> HashSet<[u8; 2]> {
                text.to_ascii_lowercase().as_bytes().windows(2).map(|pair| [pair[0], pair[1]]).collect()
            };
            let mut pairs = LetterPairs::of(&text);
            prop_assert_eq!(pairs.count(), of(&text).len());
            for line in &lines {
                prop_assert_eq!(pairs.shared_with(line.as_bytes()), of(&text).intersection(&of(line)).count());
            }
        }
    }
}
