//! The pairs of letters that stand side by side in a text, to be counted in many others.

/// The pairs of a text, two bytes each.
pub(super) struct LetterPairs {
    /// For each byte its number among those of the text, from 1, or 0; a capital letter has that of the small one.
    letters: Vec<usize>,
    /// How many numbers of letters there are.
    width: usize,
    /// For two letters, by their numbers, the number of the pair, from 1, or 0.
    numbers: Vec<usize>,
    count: usize,
    /// The pairs that were met in a line, a bit for each number.
    met: Vec<u64>,
}

impl LetterPairs {
    /// Reads the pairs of a text in small letters.
    pub(super) fn of(text: &str) -> Self {
        let mut letters = vec![0; 256];
        let mut width = 1;
        for byte in text.bytes() {
            if let Some(number @ 0) = letters.get_mut(usize::from(byte)) {
                (*number, width) = (width, width + 1);
            }
        }
        for byte in b'A'..=b'Z' {
            let small = letters.get(usize::from(byte.to_ascii_lowercase())).copied().unwrap_or_default();
            letters.get_mut(usize::from(byte)).into_iter().for_each(|number| *number = small);
        }
        let mut pairs = Self { letters, width, numbers: vec![0; width * width], count: 0, met: Vec::new() };
        for pair in text.as_bytes().windows(2) {
            let &[first, second] = pair else { continue };
            let at = pairs.place(pairs.letter(first), pairs.letter(second));
            if let Some(number @ 0) = pairs.numbers.get_mut(at) {
                pairs.count += 1;
                *number = pairs.count;
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
        self.met.fill(0);
        let mut before = 0;
        for byte in line {
            let letter = self.letter(*byte);
            let number = self.numbers.get(self.place(before, letter)).copied().unwrap_or_default();
            self.met.get_mut(number / 64).into_iter().for_each(|met| *met |= 1 << (number % 64));
            before = letter;
        }
        // What is no pair of the text has number 0.
        self.met.first_mut().into_iter().for_each(|met| *met &= !1);
        self.met.iter().map(|met| met.count_ones() as usize).sum()
    }

    fn letter(&self, byte: u8) -> usize {
        self.letters.get(usize::from(byte)).copied().unwrap_or_default()
    }

    const fn place(&self, first: usize, second: usize) -> usize {
        first * self.width + second
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn those_are_shared_that_both_have(text in "[a-fé ]{0,60}", lines in prop::collection::vec("[a-hA-Hé -]{0,60}", 0..4)) {
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
