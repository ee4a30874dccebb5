//! The size of a text in a model's tokens: the trait [`TokenCounter`], and the default estimate.

use std::sync::Arc;

use super::Difference;

/// Counts the tokens of a text. A host that knows which model reads the text supplies a counter for it. A closure
/// `Fn(&str) -> usize` is one.
pub trait TokenCounter: Send + Sync {
    /// Returns the number of tokens of `text`.
    fn count(&self, text: &str) -> usize;
}

impl<F: Fn(&str) -> usize + Send + Sync> TokenCounter for F {
    fn count(&self, text: &str) -> usize {
        self(text)
    }
}

impl<T: TokenCounter + ?Sized> TokenCounter for Arc<T> {
    fn count(&self, text: &str) -> usize {
        (**self).count(text)
    }
}

/// The default estimate, which needs no vocabulary.
///
/// The estimate guards a limit, so it should rarely be below the real count. It follows `cl100k_base`, the older of two
/// vocabularies of OpenAI's models, which takes more tokens. For the newer one, `o200k_base`, the estimate is too high
/// in languages of which that vocabulary has more words. The table shows its error on memories and prose written for
/// the measurement, and the error of the usual rule of thumb, a quarter of the characters:
///
/// | | characters a token | by `o200k_base` | by `cl100k_base` | quarter, by `o200k_base` | quarter, by `cl100k_base` |
/// |---|---|---|---|---|---|
/// | Chinese | 1.3 | +43 % | +0 % | -67 % | -77 % |
/// | Code | 3.3 | +1 % | +3 % | -16 % | -15 % |
/// | English | 4.1 | +4 % | +3 % | +1 % | +0 % |
/// | German | 3.8 | +25 % | +0 % | -5 % | -24 % |
/// | Japanese | 1.3 | +35 % | -1 % | -68 % | -76 % |
/// | Others | 2.4 | +56 % | -19 % | -39 % | -68 % |
///
/// For no single text of the named languages is the estimate more than 6 % below either real count. *Others* are
/// Russian, Korean, Arabic, Hindi, Thai, Greek and Hebrew together. By `cl100k_base`, Greek, Hebrew and Arabic take up
/// to two and a half times as many tokens as estimated; by both, so do keys in base 64 and the like. For an exact count,
/// use the `TiktokenCounter` of feature `tiktoken`, or a counter of your own.
///
/// `cargo bench --features tiktoken --bench tokens` measures this again, text by text.
///
/// The estimate reads bytes only; its time is a small part of a commit's. Appending text never lowers it, and only the
/// empty text has 0 tokens.
#[derive(Clone, Copy, Debug, Default)]
pub struct EstimatedTokens;

/// What a character is worth, in sixteenths of a token.
mod weight {
    pub(super) const LETTER: usize = 4;
    pub(super) const DIGIT: usize = 16;
    pub(super) const SPACE: usize = 1;
    /// ASCII punctuation, line ends, and the fourth byte of a character: most of these are emoji, which take more tokens
    /// than a letter.
    pub(super) const MARK: usize = 8;
    /// A character of two bytes: Latin with accents, Greek, Cyrillic, Hebrew, Arabic.
    pub(super) const TWO: usize = 8;
    /// What a character of two bytes adds for the ASCII letters around it: their words are not English, and take more
    /// tokens.
    pub(super) const FOREIGN: usize = 64;
    /// The upper bound of what all characters of two bytes add, for each ASCII letter of the text.
    pub(super) const FOREIGN_LETTER: usize = 2;
    /// Kana and Hangul.
    pub(super) const SYLLABLE: usize = 18;
    /// The other characters of three bytes or four: Chinese, the scripts of India, typographic
    /// marks, emoji.
    pub(super) const LARGE: usize = 20;
    pub(super) const TOKEN: usize = 16;
}

/// How many bytes of each kind a text has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByteCounts {
    /// All bytes.
    bytes: usize,
    letters: usize,
    digits: usize,
    spaces: usize,
    /// First bytes of characters of two bytes.
    two: usize,
    /// First bytes of kana and Hangul.
    syllables: usize,
    /// First bytes of characters of three bytes or four.
    large: usize,
}

impl ByteCounts {
    /// How many bytes are counted in one run: fewer than 256, so that a `u8` can count them, and a multiple of the
    /// length of a vector register.
    const RUN: usize = 224;

    pub(crate) fn of(text: &str) -> Self {
        let mut counts = Self::default();
        counts.count(text, usize::wrapping_add);
        counts
    }

    /// Counts the bytes of `text` and adds them to the totals, or subtracts them, as `change` does.
    fn count(&mut self, text: &str, change: impl Fn(usize, usize) -> usize) {
        let update = |total: &mut usize, found| *total = change(*total, found);
        update(&mut self.bytes, text.len());
        for run in text.as_bytes().chunks(Self::RUN) {
            update(&mut self.letters, count(run, |byte| (byte | 0x20).wrapping_sub(b'a') < 26));
            update(&mut self.digits, count(run, |byte| byte.wrapping_sub(b'0') < 10));
            update(&mut self.spaces, count(run, |byte| byte == b' '));
            update(&mut self.two, count(run, |byte| byte & 0xE0 == 0xC0));
            update(&mut self.syllables, count(run, |byte| (byte == 0xE3) | (byte.wrapping_sub(0xEA) < 4)));
            update(&mut self.large, count(run, |byte| byte >= 0xE0));
        }
    }

    /// Returns the counts of `new`. `self` holds the counts of `old`; `changes` are the differences of the two texts.
    pub(crate) fn next(mut self, old: &str, new: &str, changes: &[Difference]) -> Self {
        for change in changes {
            self.count(change.old.of(old), usize::wrapping_sub);
            self.count(change.new.of(new), usize::wrapping_add);
        }
        self
    }

    /// Returns the estimate of tokens.
    pub(crate) fn tokens(self) -> usize {
        let Self { bytes, letters, digits, spaces, two, syllables, large } = self;
        // The bytes of no other kind. A string is valid UTF-8, so the second and third bytes of characters follow from
        // the counts of their first bytes.
        let marks = bytes - letters - digits - spaces - two * 2 - large * 3;
        let sixteenths = letters * weight::LETTER
            + digits * weight::DIGIT
            + spaces * weight::SPACE
            + marks * weight::MARK
            + two * weight::TWO
            + (two * weight::FOREIGN).min(letters * weight::FOREIGN_LETTER)
            + syllables * weight::SYLLABLE
            + (large - syllables) * weight::LARGE;
        sixteenths.div_ceil(weight::TOKEN)
    }
}

/// Returns how many bytes of `run` are in a class. It counts in a `u8` and without branches, so that the compiler can
/// vectorize it.
fn count(run: &[u8], is_in: impl Fn(u8) -> bool) -> usize {
    usize::from(run.iter().map(|&byte| u8::from(is_in(byte))).sum::<u8>())
}

impl TokenCounter for EstimatedTokens {
    fn count(&self, text: &str) -> usize {
        ByteCounts::of(text).tokens()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_character_has_its_weight() {
        let sixteen = |text: &str| EstimatedTokens.count(&text.repeat(16));
        assert_eq!(EstimatedTokens.count(""), 0);
        assert_eq!(["a", "Z", "7", " ", "-", "\n"].map(sixteen), [4, 4, 16, 1, 8, 8]);
        assert_eq!(["é", "ж", "か", "カ", "한", "漢", "”", "ก", "😀"].map(sixteen), [8, 8, 18, 18, 18, 20, 20, 20, 28]);
    }

    #[test]
    fn accents_among_letters_cost_more_but_at_most_half_of_the_letters() {
        let with_accents = |count: usize| EstimatedTokens.count(&("a".repeat(64) + &"é".repeat(count)));
        assert_eq!([0, 1, 2, 4, 16].map(with_accents), [16, 21, 25, 26, 32]);
    }
}
