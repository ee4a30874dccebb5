//! How alike two texts are, letter by letter.

use similar::TextDiff;

/// The length in bytes from which texts are not compared.
const LONGEST: usize = 4_000;

/// Returns how alike two texts are, of 1, if that is at least so many percent; `None` if it is not, or one is long.
pub(crate) fn likeness(a: &str, b: &str, percent: u8) -> Option<f32> {
    if a.len().max(b.len()) > LONGEST || !may_be_alike(a, b, percent) {
        return None;
    }
    Some(TextDiff::from_chars(a, b).ratio()).filter(|ratio| *ratio >= f32::from(percent) / 100.0)
}

/// Reports whether two texts are alike if the order of their letters does not count: most are not, which is soon told.
fn may_be_alike(a: &str, b: &str, percent: u8) -> bool {
    let letters = a.chars().count() + b.chars().count();
    let is_enough = |shared: usize| 2 * shared * 100 >= letters * usize::from(percent);
    if !is_enough(a.chars().count().min(b.chars().count())) {
        return false;
    }
    let (mut a, mut b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    a.sort_unstable();
    b.sort_unstable();
    let (mut shared, mut rest) = (0, b.as_slice());
    for letter in a {
        rest = rest.get(rest.partition_point(|other| *other < letter)..).unwrap_or_default();
        if let Some(behind) = rest.strip_prefix(&[letter]) {
            (shared, rest) = (shared + 1, behind);
        }
    }
    is_enough(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_of_the_same_letters_are_compared_in_full() {
        let long = "old_string".repeat(10_000);
        for (name, known) in [
            ("argument12", "old_string"),
            ("old", "old_string"),
            (&*long, "old_string"),
            ("x", "edits"),
            ("abc", "abcdef"),
        ] {
            assert!(!may_be_alike(name, known, 75) && !may_be_alike(known, name, 75), "{name}");
        }
        for (name, known) in
            [("old_strnig", "old_string"), ("old_str", "old_string"), ("edit", "edits"), ("abc", "abcde")]
        {
            assert!(likeness(name, known, 75).is_some_and(|ratio| ratio < 1.0), "{name}");
        }
        for (name, known) in [("gnirts_dlo", "old_string"), ("new_strings", "old_string"), ("memory", "document")] {
            assert_eq!(likeness(name, known, 75), None, "{name}");
        }
        assert_eq!((likeness("", "", 75), likeness(&long, &long, 75)), (Some(1.0), None));
    }
}
