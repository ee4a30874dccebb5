//! What is a word: as Unicode divides text, in compatibility form and lower case.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::text::is_mark;

/// A word by its digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Word(u64);

impl Word {
    pub(super) fn of(word: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        word.hash(&mut hasher);
        Self(hasher.finish())
    }

    /// Returns the words of a text, in its order.
    pub(super) fn all(text: &str) -> Vec<Self> {
        words_of(text).iter().map(|word| Self::of(word)).collect()
    }
}

/// Divides text at the word boundaries of UAX #29, and further at apostrophes, dots and underscores between letters, so that
/// `user` finds `User’s` and `memory` finds `memory_read`. Numbers (`3.5`) stay whole; what has neither letter nor digit is no word.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let plain = text.nfkc().collect::<String>().to_lowercase();
    let mut words = Vec::new();
    for word in plain.unicode_words() {
        if word.contains(char::is_alphabetic) {
            let parts = word.split(|c: char| !c.is_alphanumeric() && !is_mark(c));
            words.extend(parts.filter(|part| !part.is_empty()).map(str::to_owned));
        } else {
            words.push(word.to_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_unicode_in_lower_case() {
        let words = words_of;
        assert_eq!(words("User’s memory_read, v3.5 — 3.5 €!"), ["user", "s", "memory", "read", "v3", "5", "3.5"]);
        assert_eq!(words("ＶＳ Code ÜBER"), ["vs", "code", "über"]);
        assert_eq!(words("住在柏林"), ["住", "在", "柏", "林"]);
        assert_eq!(words("हिन्दी में"), ["हिन्दी", "में"]);
        assert_eq!(words(" ?! 👍 \n"), [""; 0]);
    }

    #[test]
    fn composed_and_decomposed_letters_are_one_word() {
        assert_eq!(Word::all("Caf\u{E9}"), Word::all("cafe\u{301}"));
    }
}
