//! Merging two texts that were made of one, line by line.

use std::ops::Range;

use crate::text::{differing, sort_by_key};

/// What stands in the place of some lines of the base.
struct Hunk {
    base: Range<usize>,
    new: Range<usize>,
    is_one: bool,
}

/// Returns the text that has what `one` and `other` each changed of `base`; `None` if two changes touch: then a line that both
/// left as it was does not stand between them.
pub(super) fn merged(base: &str, one: &str, other: &str) -> Option<String> {
    let [base, one, other] = [lines(base), lines(one), lines(other)];
    let hunks = |new: &[&str], is_one| {
        let hunk = move |(base, new)| Hunk { base, new, is_one };
        differing(&base, new).into_iter().map(hunk).collect::<Vec<_>>()
    };
    let mut all: Vec<Hunk> = hunks(&one, true).into_iter().chain(hunks(&other, false)).collect();
    sort_by_key(&mut all, |hunk| (hunk.base.start, hunk.base.end));
    let mut text = String::new();
    let mut copied = 0;
    let mut last: Option<&Hunk> = None;
    for hunk in &all {
        if last.is_some_and(|last| last.is_one != hunk.is_one && last.base.end >= hunk.base.start) {
            return None;
        }
        let new = if hunk.is_one { &one } else { &other };
        text.extend(base.get(copied..hunk.base.start)?.iter().copied());
        text.extend(new.get(hunk.new.clone())?.iter().copied());
        copied = hunk.base.end;
        last = Some(hunk);
    }
    text.extend(base.get(copied..)?.iter().copied());
    Some(text)
}

/// Returns the lines, with their ends.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn changes_that_do_not_touch_are_both_made() {
        let base = "a\nb\nc\nd\n";
        assert_eq!(merged(base, "A\nb\nc\nd\n", "a\nb\nc\nd\ne\n").as_deref(), Some("A\nb\nc\nd\ne\n"));
        assert_eq!(merged(base, "b\nc\nd\n", "a\nb\nc\nX\nY\n").as_deref(), Some("b\nc\nX\nY\n"));
        assert_eq!(merged(base, "a\nb\nc\nd\nx\n", "a\nb\nc\nd\ny\n"), None);
        assert_eq!(merged(base, "A\nb\nc\nd\n", "a\nB\nc\nd\n"), None);
        assert_eq!(merged("", "x\n", "y\n"), None);
    }

    proptest! {
        #[test]
        fn what_only_one_changed_is_what_that_made(base in "[ab\n]{0,12}", new in "[ab\n]{0,12}") {
            prop_assert_eq!(merged(&base, &new, &base), Some(new.clone()));
            prop_assert_eq!(merged(&base, &base, &new), Some(new.clone()));
        }

        #[test]
        fn both_changes_are_there_and_nothing_else(
            base in prop::collection::vec(0..1000_u32, 0..12), at in 0..12_usize, other in 0..12_usize,
        ) {
            let text = |lines: &[String]| lines.concat();
            let lines: Vec<String> = base.iter().enumerate().map(|(index, n)| format!("{index} {n}\n")).collect();
            let (at, other) = (at.min(lines.len()), other.min(lines.len()));
            let with = |at: usize, line: &str| { let mut lines = lines.clone(); lines.insert(at, line.to_owned()); lines };
            let result = merged(&text(&lines), &text(&with(at, "one\n")), &text(&with(other, "other\n")));
            if at == other {
                prop_assert_eq!(result, None);
            } else {
                let mut both = with(at.max(other), if at > other { "one\n" } else { "other\n" });
                both.insert(at.min(other), if at > other { "other\n" } else { "one\n" }.to_owned());
                prop_assert_eq!(result, Some(text(&both)));
            }
        }
    }
}
