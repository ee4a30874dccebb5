//! How alike two texts are, letter by letter.

/// The length in bytes from which texts are not compared.
const LONGEST: usize = 4_000;

/// Returns how alike two texts are, of 1, if that is at least so many percent; `None` if it is not, or one is long.
///
/// It is the share of the letters that both have in the same order.
pub(crate) fn likeness(a: &str, b: &str, percent: u8) -> Option<f32> {
    if a.len().max(b.len()) > LONGEST {
        return None;
    }
    let [a, b]: [Vec<char>; 2] = [a, b].map(|text| text.chars().collect());
    let letters = a.len() + b.len();
    let is_enough = |shared: usize| 2 * shared * 100 >= letters * usize::from(percent);
    if letters == 0 || !is_enough(a.len().min(b.len())) {
        return (letters == 0).then_some(1.0);
    }
    let shared = Some(in_common(&a, &b)).filter(|shared| is_enough(*shared))?;
    #[expect(clippy::cast_precision_loss, reason = "so few letters are exact")]
    Some(2.0 * shared as f32 / letters as f32)
}

/// Returns how many letters two texts have in common at most, in the same order: sixty-four at a time (Allison and Dix, Hyyrö).
fn in_common(a: &[char], b: &[char]) -> usize {
    let words = a.len().div_ceil(64);
    let mut known = a.to_vec();
    known.sort_unstable();
    known.dedup();
    // For each letter the places in `a` where it stands.
    let mut places = vec![0_u64; known.len() * words];
    for (at, letter) in a.iter().enumerate() {
        let row = known.partition_point(|known| known < letter) * words;
        places.get_mut(row + at / 64).into_iter().for_each(|place| *place |= 1 << (at % 64));
    }
    // A bit is gone for each place behind which one more letter is in common.
    let mut left = vec![u64::MAX; words];
    for row in b.iter().filter_map(|letter| known.binary_search(letter).ok()) {
        let mut carry = false;
        for (left, places) in left.iter_mut().zip(places.iter().skip(row * words)) {
            let there = *left & places;
            let (sum, first) = left.overflowing_add(there);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*left, carry) = (sum | (*left & !there), first || second);
        }
    }
    left.iter().map(|left| left.count_zeros() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
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
