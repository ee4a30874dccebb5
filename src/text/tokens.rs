//! How many tokens a text costs a model.

/// Counts the tokens of a text for the model that reads it; a host that knows its model supplies one.
pub trait TokenCounter: Send + Sync {
    /// Returns the number of tokens of `text`.
    fn count(&self, text: &str) -> usize;
}

/// The default estimate, which needs no vocabulary.
///
/// It takes a token for four bytes of ASCII, for two characters of the other alphabets (Latin with accents, Greek,
/// Cyrillic, Hebrew, Arabic: two bytes each), and for each character of all other scripts. It reads bytes only, so that
/// a commit is not slower for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct EstimatedTokens;

impl TokenCounter for EstimatedTokens {
    fn count(&self, text: &str) -> usize {
        let (mut ascii, mut two, mut more) = (0_usize, 0_usize, 0_usize);
        // Short runs keep the inner counters small enough for the compiler to use vectors of bytes.
        for run in text.as_bytes().chunks(255) {
            let (mut run_ascii, mut run_two, mut run_more) = (0_u8, 0_u8, 0_u8);
            for &byte in run {
                run_ascii += u8::from(byte < 0x80);
                run_two += u8::from(byte & 0xE0 == 0xC0);
                run_more += u8::from(byte >= 0xE0);
            }
            ascii += usize::from(run_ascii);
            two += usize::from(run_two);
            more += usize::from(run_more);
        }
        ascii.div_ceil(4) + two.div_ceil(2) + more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_counts_characters_of_dense_scripts_one_by_one() {
        assert_eq!(EstimatedTokens.count(""), 0);
        assert_eq!(EstimatedTokens.count("abcde"), 2);
        assert_eq!(EstimatedTokens.count("日本語"), 3);
        assert_eq!(EstimatedTokens.count("éé"), 1);
    }
}
