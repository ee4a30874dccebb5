//! Contents of bullets, as the rungs of the ladder see them: each is folded once.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::ops::Range;

use memchr::memmem;

use super::ladder::{Rung, Rungs};
use crate::document::{BulletRef, MemoryDoc};
use crate::text::{Span, fold_punctuation, fold_white_space};

/// The contents of a document's bullets, folded when they are first asked for.
#[derive(Debug)]
pub(super) struct Contents<'a> {
    doc: &'a MemoryDoc,
    plain: OnceCell<Folded>,
    without_punctuation: OnceCell<Folded>,
    /// How many were asked for one by one.
    asked: Cell<usize>,
}

/// How many contents are folded one by one, before all are.
const FEW: usize = 32;

/// Folded contents, one behind the other, so that one pass finds all that hold a text.
#[derive(Debug)]
pub(super) struct Folded {
    /// Behind each stands a line feed, which no folded text has.
    joined: String,
    /// Where each starts, in document order, and where one more would.
    starts: Vec<usize>,
}

impl Folded {
    /// Folds contents.
    fn new<'t>(contents: impl Iterator<Item = Cow<'t, str>>, rungs: Rungs) -> Self {
        let (mut joined, mut starts) = (String::new(), vec![0]);
        for content in contents {
            joined.push_str(&fold(&content, rungs));
            joined.push('\n');
            starts.push(joined.len());
        }
        Self { joined, starts }
    }

    /// Returns where the content of this index starts.
    fn start(&self, index: usize) -> usize {
        self.starts.get(index).copied().unwrap_or(self.joined.len())
    }

    fn of(&self, index: usize) -> &str {
        self.joined.get(self.start(index)..self.start(index + 1)).map_or("", |content| content.trim_end_matches('\n'))
    }

    /// Returns the indexes, among those of `within`, of the contents in which a text stands. Each is met at most once.
    pub(super) fn with(&self, text: &str, within: Range<usize>) -> Vec<usize> {
        let finder = memmem::Finder::new(text);
        let (mut next, end) = (self.start(within.start), self.start(within.end));
        let mut found = Vec::new();
        while let Some(at) = self.joined.as_bytes().get(next..end).and_then(|rest| finder.find(rest)) {
            let index = self.starts.partition_point(|start| *start <= next + at).saturating_sub(1);
            if !within.contains(&index) {
                break;
            }
            found.push(index);
            next = self.start(index + 1);
        }
        found
    }
}

impl<'a> Contents<'a> {
    pub(super) const fn new(doc: &'a MemoryDoc) -> Self {
        Self { doc, plain: OnceCell::new(), without_punctuation: OnceCell::new(), asked: Cell::new(0) }
    }

    pub(super) fn folded(&self, rungs: Rungs) -> &Folded {
        self.cell(rungs).get_or_init(|| Folded::new(self.doc.bullets().map(BulletRef::content), rungs))
    }

    fn cell(&self, rungs: Rungs) -> &OnceCell<Folded> {
        if rungs.has(Rung::Punctuation) { &self.without_punctuation } else { &self.plain }
    }

    /// Reports whether all contents are folded already, punctuation apart.
    pub(super) fn are_folded(&self) -> bool {
        self.plain.get().is_some()
    }

    /// Returns the content of a bullet, folded.
    pub(super) fn of(&self, bullet: BulletRef<'_>, rungs: Rungs) -> Cow<'_, str> {
        if self.asked.get() < FEW && self.cell(rungs).get().is_none() {
            self.asked.set(self.asked.get() + 1);
            return Cow::Owned(fold(&bullet.content(), rungs).into_owned());
        }
        Cow::Borrowed(self.folded(rungs).of(bullet.index()))
    }

    /// Returns the indexes of the bullets in whose own lines under `span` a word stands; `None` if that is often.
    pub(super) fn with_word(&self, word: &str, span: Span) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for at in memmem::find_iter(span.of(self.doc.text()).as_bytes(), word) {
            if found.len() == FEW {
                return None;
            }
            found.push(self.doc.bullet_at(span.start() + at).map(BulletRef::index));
        }
        let mut found: Vec<_> = found.into_iter().flatten().collect();
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

/// Folds white space, and on its rung punctuation.
pub(super) fn fold(text: &str, rungs: Rungs) -> Cow<'_, str> {
    if is_folded(text, rungs) {
        return Cow::Borrowed(text);
    }
    if !rungs.has(Rung::Punctuation) {
        let words = text.split(is_folded_space).filter(|word| !word.is_empty());
        return Cow::Owned(words.collect::<Vec<_>>().join(" "));
    }
    let mut plain = String::with_capacity(text.len());
    fold_punctuation(text, |_, c| plain.push(c));
    Cow::Owned(fold_white_space(&plain).into_owned())
}

/// Reports whether a character is folded as white space on every rung; other spaces are punctuation's.
pub(super) const fn is_folded_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Reports whether a text is as it would be folded, as far as that is soon told.
fn is_folded(text: &str, rungs: Rungs) -> bool {
    let stays = |byte: u8| byte >= b' ' && (byte.is_ascii() || !rungs.has(Rung::Punctuation));
    let bytes = text.as_bytes();
    let ends_in_space = text.starts_with(' ') || text.ends_with(' ');
    !ends_in_space && bytes.iter().all(|byte| stays(*byte)) && !bytes.windows(2).any(|pair| pair == b"  ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_pass_meets_each_content_that_has_a_text_once() {
        let texts = ["tea", "", "green tea, black tea", "te", "a tea"];
        let folded = Folded::new(texts.iter().map(|text| Cow::Borrowed(*text)), Rungs::NONE);
        assert_eq!(texts.map(str::len), [0, 1, 2, 3, 4].map(|index| folded.of(index).len()));
        for text in ["tea", "te", "a", "green", "tea\ngreen", "tea, black tea and milk", "none", ""] {
            for within in [0..5, 1..4, 3..5, 2..2] {
                let all = within.clone().filter(|index| folded.of(*index).contains(text)).collect::<Vec<_>>();
                assert_eq!(folded.with(text, within.clone()), if text.contains('\n') { vec![] } else { all }, "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_taken_for_folded_is(text in "[ab \\t\u{A0}\u{B}\u{E9}\u{2019}]{0,6}") {
            for rungs in [Rungs::NONE, Rungs::up_to(Rung::Punctuation)] {
                // A text in front keeps it from being taken for folded.
                let slowly = fold(&format!("  {text}"), rungs).into_owned();
                prop_assert_eq!(fold(&text, rungs), slowly);
            }
        }
    }
}
