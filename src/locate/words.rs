//! Words that no rung of the ladder overlooks: a text does not stand, however it is read, where one of its words does not.

use memchr::memmem;

use super::ladder::Rungs;
use super::line_core::lookup_key;

/// How many words are looked for.
const MOST: usize = 32;
/// The length from which a word tells anything, in bytes.
const SHORTEST: usize = 2;

/// Reports whether `there` holds the words of all these lines, read on `rungs`: if not, they do not stand there. Costs a pass over
/// `there` for each word, of which there is a most.
pub(super) fn may_hold<'t>(there: &str, lines: impl Iterator<Item = &'t str>, rungs: Rungs) -> bool {
    let mut left = MOST;
    for line in lines {
        let read = rungs.read(line);
        let key = lookup_key(&read, rungs);
        let mut words = words(&key).take(left).inspect(|_| left -= 1);
        if !words.all(|word| memmem::find(there.as_bytes(), word.as_bytes()).is_some()) {
            return false;
        }
        if left == 0 {
            break;
        }
    }
    true
}

/// Iterates over the runs of letters and digits that stand in a text only if they stand in what it was folded from, too. A letter
/// at the end of a text may be part of one that has a mark: it is left out.
fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split_inclusive(|c| !is_kept(c)).filter_map(|piece| {
        let word = piece.trim_end_matches(|c| !is_kept(c));
        let is_whole = word.len() < piece.len() && piece.is_ascii();
        let word = if is_whole { word } else { word.get(..word.len().checked_sub(1)?)? };
        (word.len() >= SHORTEST).then_some(word)
    })
}

/// Reports whether a folded text has this letter or digit, without a mark, only from itself. The sign of the kelvin is folded to `K`.
const fn is_kept(c: char) -> bool {
    c.is_ascii_alphanumeric() && c != 'K'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold_punctuation;
    use proptest::prelude::*;

    #[test]
    fn letters_that_folding_makes_have_marks() {
        for c in ('\u{80}'..=char::MAX).filter(|c| *c != '\u{212A}') {
            let mut folded = String::new();
            fold_punctuation(&c.to_string(), |_, part| folded.push(part));
            let has_mark = !folded.rsplit(is_kept).next().unwrap_or_default().is_ascii();
            assert!(has_mark || !folded.contains(is_kept), "{c:?} becomes {folded:?}");
        }
    }

    #[test]
    fn words_end_before_what_may_be_marked() {
        let words = |text| words(text).collect::<Vec<_>>();
        assert_eq!(words("The dog, cafe\u{301} blaKe at 12"), ["The", "dog", "caf", "bla", "at"]);
        assert_eq!(words("\u{E9}tude no"), ["tude"]);
    }

    proptest! {
        #[test]
        fn a_text_that_stands_somewhere_has_its_words_there(
            text in "([a-c]|e|\u{E9}|e\u{301}|K|\u{212A}|\u{2019}| |- |1\\| |\n){0,30}",
            needle in "([a-c]|e|\u{E9}|e\u{301}|K|\u{212A}|'| |- |1\\| ){0,4}",
            part in any::<[prop::sample::Index; 2]>(),
        ) {
            for rungs in Rungs::climb() {
                let folded: Vec<_> = text.split('\n').map(|line| rungs.fold_line(line)).collect();
                let letters: Vec<_> = folded.concat().chars().collect();
                let [from, to] = part.map(|index| index.index(letters.len() + 1));
                let copied: String = letters.iter().skip(from).take(to).collect();
                for needle in [&needle, &copied] {
                    let stands = folded.iter().any(|line| line.contains(&*rungs.fold_line(needle)));
                    prop_assert!(!stands || may_hold(&text, std::iter::once(&**needle), rungs), "{needle:?} {rungs:?}");
                }
            }
        }
    }
}
