//! The three-way merge of lines: from a base and two texts that were edited from it, it makes one text with the changes
//! of both.

use std::ops::Range;

use super::{ChangedRange, Line, diff_ranges};

/// A stretch of lines of a merge: its lines in each of the three texts and in the result, and the side that changed it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) side: Side,
    pub(crate) base: Range<usize>,
    pub(crate) ours: Range<usize>,
    pub(crate) theirs: Range<usize>,
    /// The lines of the result. They are our lines if only our side changed them, else those of the other side.
    pub(crate) result: Range<usize>,
}

/// Which text changed a stretch of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Side {
    #[default]
    Neither,
    Ours,
    Theirs,
    /// Both, in the same way.
    Both,
}

/// The result of a merge: a text with the changes of both sides.
#[derive(Clone, Debug)]
pub(crate) struct Merged {
    pub(crate) text: String,
    // Invariant: in order; together they cover all lines of the three texts.
    pub(crate) stretches: Vec<Stretch>,
}

/// The three texts of a merge, by lines.
pub(crate) struct Texts<'a> {
    pub(crate) base: LineTexts<'a>,
    pub(crate) ours: LineTexts<'a>,
    pub(crate) theirs: LineTexts<'a>,
}

/// The lines of a text: compared without their endings, and written with them.
pub(crate) struct LineTexts<'a> {
    texts: Vec<&'a str>,
    endings: Vec<&'a str>,
}

impl<'a> LineTexts<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let (texts, endings) = Line::all(text).map(|line| (line.text.of(text), line.ending())).unzip();
        Self { texts, endings }
    }

    /// Returns one change that covers all lines of both texts.
    pub(crate) fn all(&self, new: &Self) -> ChangedRange {
        ChangedRange { old: 0..self.texts.len(), new: 0..new.texts.len() }
    }

    /// Returns the changes that lead from this text to `new`. Only the lines of `within` are compared.
    pub(crate) fn changes(&self, new: &Self, within: &ChangedRange) -> Vec<ChangedRange> {
        let shifted = |range: Range<usize>, by: usize| range.start + by..range.end + by;
        let changes = diff_ranges(self.texts(&within.old), new.texts(&within.new)).into_iter();
        let (old, new) = (within.old.start, within.new.start);
        changes.map(|change| ChangedRange { old: shifted(change.old, old), new: shifted(change.new, new) }).collect()
    }

    /// Returns the lines of this range without their endings.
    fn texts(&self, range: &Range<usize>) -> &[&'a str] {
        self.texts.get(range.clone()).unwrap_or_default()
    }

    fn text(&self, index: usize) -> &'a str {
        self.texts.get(index).copied().unwrap_or_default()
    }

    fn ending(&self, index: usize) -> &'a str {
        self.endings.get(index).copied().unwrap_or_default()
    }
}

impl Texts<'_> {
    /// Merges `ours`, the changes from the base to our text, with `theirs`, the changes from the base to their text. If
    /// both sides insert at one place, the insertion of the side `first` comes first. A change that both sides made is
    /// made once.
    ///
    /// # Errors
    ///
    /// Both sides changed the same lines, in different ways. The error is these lines of the base, and the lines of
    /// their text that replace them.
    pub(crate) fn merged(
        &self,
        ours: &[ChangedRange],
        theirs: &[ChangedRange],
        first: Side,
    ) -> Result<Merged, ChangedRange> {
        let own = ours.iter().map(|change| (Side::Ours, change));
        let mut changes: Vec<_> = own.chain(theirs.iter().map(|change| (Side::Theirs, change))).collect();
        changes.sort_by_key(|(side, change)| (change.old.start, change.old.end, *side != first));
        changes.dedup_by(|(next_side, next), (side, last)| {
            let (own, other) = if *side == Side::Ours { (&last.new, &next.new) } else { (&next.new, &last.new) };
            let is_same = side != next_side && last.old == next.old && self.ours.texts(own) == self.theirs.texts(other);
            *side = if is_same { Side::Both } else { *side };
            is_same
        });
        let (mut stretches, mut last) = (Vec::new(), Stretch::default());
        let mut push = |side, base: usize, ours: usize, theirs: usize| {
            let next = |last: &Range<usize>, length| last.end..last.end + length;
            let result = next(&last.result, if side == Side::Ours { ours } else { theirs });
            let (base, ours) = (next(&last.base, base), next(&last.ours, ours));
            last = Stretch { side, base, ours, theirs: next(&last.theirs, theirs), result };
            stretches.push(last.clone());
        };
        let (mut last_new, mut read) = (&(0..0), 0);
        for (side, ChangedRange { old, new }) in changes {
            let Some(kept) = old.start.checked_sub(read) else {
                let new = if side == Side::Theirs { new } else { last_new };
                return Err(ChangedRange { old: old.start..old.end.min(read), new: new.clone() });
            };
            push(Side::Neither, kept, kept, kept);
            let length = |other| if side == other { old.len() } else { new.len() };
            push(side, old.len(), length(Side::Theirs), length(Side::Ours));
            (last_new, read) = (new, old.end);
        }
        let kept = self.base.texts.len() - read;
        push(Side::Neither, kept, kept, kept);
        Ok(Merged { text: self.text(&stretches), stretches })
    }

    /// Returns the text of the result. Our lines adapt their endings: if a line of ours ends like the line before it in
    /// our text, it gets the ending of the line before it in the result. So a line written among LF lines gets CRLF if
    /// the other side has changed all lines to CRLF. Before the first line there is no line: there, the ending of the
    /// base's first line stands for ours, and that of their first line for the result's.
    fn text(&self, stretches: &[Stretch]) -> String {
        // The text so far, and the last line ending in it.
        let (mut text, mut last_ending) = (String::new(), "");
        for Stretch { side, base, ours, theirs, result } in stretches {
            for nth in 0..result.len() {
                let [kept, own, other] = [base, ours, theirs].map(|lines| lines.start + nth);
                let (line, ending) = match side {
                    Side::Neither => {
                        let (own, other) = (self.ours.ending(own), self.theirs.ending(other));
                        (self.base.text(kept), if own == self.base.ending(kept) { other } else { own })
                    }
                    Side::Ours => {
                        let ending = self.ours.ending(own);
                        let before = own.checked_sub(1).map_or(self.base.ending(0), |before| self.ours.ending(before));
                        let around = if last_ending.is_empty() { self.theirs.ending(0) } else { last_ending };
                        let is_as_around = ending == before && !around.is_empty();
                        (self.ours.text(own), if is_as_around { around } else { ending })
                    }
                    Side::Theirs | Side::Both => (self.theirs.text(other), self.theirs.ending(other)),
                };
                // A last line without an ending gets one when another line follows.
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push_str(if last_ending.is_empty() { "\n" } else { last_ending });
                }
                text.push_str(line);
                text.push_str(ending);
                last_ending = if ending.is_empty() { last_ending } else { ending };
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn merged(base: &str, ours: &str, theirs: &str) -> Result<Merged, ChangedRange> {
        merged_from(Side::Theirs, base, ours, theirs)
    }

    fn merged_from(first: Side, base: &str, ours: &str, theirs: &str) -> Result<Merged, ChangedRange> {
        let texts = Texts { base: LineTexts::of(base), ours: LineTexts::of(ours), theirs: LineTexts::of(theirs) };
        let changes = |new: &LineTexts<'_>| texts.base.changes(new, &texts.base.all(new));
        texts.merged(&changes(&texts.ours), &changes(&texts.theirs), first)
    }

    fn text_of(base: &str, ours: &str, theirs: &str) -> Option<String> {
        merged(base, ours, theirs).ok().map(|merged| merged.text)
    }

    #[test]
    fn only_changes_of_one_line_are_refused() {
        let base = "a\nb\nc\nd\n";
        let cases = [
            ("A\nb\nc\nd\n", "a\nb\nc\nd\ne\n", Some("A\nb\nc\nd\ne\n")),
            ("a\nB\nc\nd\n", "a\nb\nC\nd\n", Some("a\nB\nC\nd\n")),
            ("a\nb\nc\nd\nx\n", "a\nb\nc\nd\ny\n", Some("a\nb\nc\nd\ny\nx\n")),
            ("a\nb\nc\nd\nx\n", "a\nb\nc\nd\nx\n", Some("a\nb\nc\nd\nx\n")),
            ("a\nx\nb\nc\nd\n", "a\nd\n", Some("a\nx\nd\n")),
            ("A\nb\nc\nd\n", "1\nb\nc\nd\n", None),
            ("a\nb\nx\nc\nd\n", "a\nd\n", None),
        ];
        for (ours, theirs, expected) in cases {
            assert_eq!(text_of(base, ours, theirs).as_deref(), expected, "{ours:?} {theirs:?}");
        }
        let both = |new| Some(ChangedRange { old: 1..2, new });
        assert_eq!(merged(base, "A\nB\nc\nd\n", "a\n2\nc\nd\n").err(), both(1..2));
        assert_eq!(merged(base, "A\nB\nc\nd\n", "a\n2\n3\nd\n").err(), both(1..3));
        assert_eq!(merged(base, "a\nB\nc\nd\n", "1\n2\nc\nd\n").err(), both(0..2));
    }

    #[test]
    fn a_line_that_both_sides_insert_is_inserted_once() {
        for first in [Side::Theirs, Side::Ours] {
            for (ours, theirs) in [("a\nx\n", "z\na\nx\n"), ("z\na\nx\n", "a\nx\n")] {
                let merged = merged_from(first, "a\n", ours, theirs).ok();
                assert_eq!(merged.map(|merged| merged.text).as_deref(), Some("z\na\nx\n"));
            }
        }
    }

    #[test]
    fn written_lines_end_as_those_around_them() {
        assert_eq!(text_of("a\nb\n", "a\nx\nb\n", "a\r\nb\r\n").as_deref(), Some("a\r\nx\r\nb\r\n"));
        assert_eq!(text_of("a\nb\nc\n", "a\nb\nx\nc\n", "a\nb\r\nc\r\n").as_deref(), Some("a\nb\r\nx\r\nc\r\n"));
        assert_eq!(text_of("a\nb\n", "x\na\nb\n", "a\r\nb\n").as_deref(), Some("x\r\na\r\nb\n"));
        assert_eq!(text_of("a\nb\r\n", "x\na\nb\r\n", "a\r\nb\r\n").as_deref(), Some("x\r\na\r\nb\r\n"));
        assert_eq!(text_of("a\nb", "a\nB", "a\nb\nc\n").as_deref(), Some("a\nB\nc\n"));
        assert_eq!(text_of("a", "a\nb", "a\nc").as_deref(), Some("a\nc\nb"));
        assert_eq!(text_of("", "a", "b").as_deref(), Some("b\na"));
    }

    proptest! {
        #[test]
        fn what_only_one_side_changed_is_what_it_made(base in "[ab\r\n]{0,12}", new in "[ab\r\n]{0,12}") {
            prop_assert_eq!(text_of(&base, &new, &base), Some(new.clone()));
            prop_assert_eq!(text_of(&base, &base, &new), Some(new.clone()));
            prop_assert_eq!(text_of(&base, &new, &new), Some(new));
        }

        #[test]
        fn stretches_cover_the_lines_of_all_texts(base in "[ab\n]{0,12}", ours in "[ab\n]{0,12}", theirs in "[ab\n]{0,12}") {
            if let Ok(merged) = merged(&base, &ours, &theirs) {
                let (mut at, lines) = ((0, 0, 0), |text: &str| Line::all(text).count());
                for stretch in &merged.stretches {
                    prop_assert_eq!((stretch.base.start, stretch.ours.start, stretch.theirs.start), at);
                    at = (stretch.base.end, stretch.ours.end, stretch.theirs.end);
                }
                prop_assert_eq!(at, (lines(&base), lines(&ours), lines(&theirs)));
            }
        }
    }
}
