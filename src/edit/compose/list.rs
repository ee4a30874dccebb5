//! Lists: the bullets of one owner, and whether their numbers count.
//!
//! An ordered list *counts* if its numbers are exactly 0 or 1, 2, 3 … with one delimiter: it is
//! numbered anew when it changes. In any other ordered list, such as one of years, a number is part
//! of what its bullet says: nothing is numbered anew, and the number goes wherever the bullet goes.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use super::super::{Edit, OffsetMap, Warning, made, named_lines};
use crate::document::{BlockRef, BulletRef, LabelRef, MemoryDoc, SectionRef, is_ordered, numbered};
use crate::text::Span;

/// The owner that the bullets of one list share: their parent, else their section with the block or
/// label in it.
type ListKey<'a> = (Option<BulletRef<'a>>, Option<SectionRef<'a>>, Option<BlockRef<'a>>, Option<LabelRef<'a>>);

/// The lists of one document, read when they are asked for.
#[derive(Debug)]
pub(crate) struct Lists<'a> {
    doc: &'a MemoryDoc,
    all: OnceCell<All<'a>>,
}

/// All lists of a document, and for each of its bullets the index of its list.
#[derive(Debug, Default)]
struct All<'a> {
    lists: Vec<List<'a>>,
    list_of: Vec<usize>,
}

#[derive(Debug, Default)]
struct List<'a> {
    /// In document order.
    bullets: Vec<BulletRef<'a>>,
    /// The first number, if the list counts.
    start: Option<usize>,
}

/// What the numbers of a list mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// There are none.
    None,
    /// A number follows from its place in the list.
    Counted,
    /// A number is part of what its bullet says; a new bullet has to bring one.
    Own,
}

impl<'a> Lists<'a> {
    pub(crate) const fn new(doc: &'a MemoryDoc) -> Self {
        Self { doc, all: OnceCell::new() }
    }

    /// Returns what numbers mean for this bullet, and for one written beside it.
    pub(crate) fn numbers(&self, bullet: BulletRef<'a>) -> Numbers {
        match is_ordered(bullet.marker()) {
            false => Numbers::None,
            true if self.start(bullet).is_some() => Numbers::Counted,
            true => Numbers::Own,
        }
    }

    /// Returns the marker of a bullet whose number is part of what it says.
    pub(crate) fn said_number(&self, bullet: BulletRef<'a>) -> Option<&'a str> {
        (self.numbers(bullet) == Numbers::Own).then(|| bullet.marker())
    }

    /// Returns the first number of a bullet's list, if that counts.
    pub(super) fn start(&self, bullet: BulletRef<'a>) -> Option<usize> {
        self.list(bullet)?.start
    }

    /// Returns the index of the list that a bullet stands in.
    pub(crate) fn index(&self, bullet: BulletRef<'a>) -> Option<usize> {
        let all = self.all.get_or_init(|| All::of(self.doc));
        all.list_of.get(bullet.index()).copied()
    }

    /// Returns the bullets of the list that a bullet stands in, in document order.
    pub(super) fn siblings(&self, bullet: BulletRef<'a>) -> &[BulletRef<'a>] {
        self.list(bullet).map_or(&[], |list| &list.bullets)
    }

    fn list(&self, bullet: BulletRef<'a>) -> Option<&List<'a>> {
        let index = self.index(bullet)?;
        self.all.get()?.lists.get(index)
    }
}

impl<'a> All<'a> {
    fn of(doc: &'a MemoryDoc) -> Self {
        let mut all = Self::default();
        let mut known: HashMap<ListKey<'a>, usize> = HashMap::new();
        for bullet in doc.bullets() {
            let nth = *known.entry(list_key(bullet)).or_insert(all.lists.len());
            if nth == all.lists.len() {
                all.lists.push(List::default());
            }
            if let Some(list) = all.lists.get_mut(nth) {
                list.bullets.push(bullet);
            }
            all.list_of.push(nth);
        }
        all.lists.iter_mut().for_each(|list| list.start = start(&list.bullets));
        all
    }
}

/// Returns the first number of bullets that count from 0 or 1 without a gap, with one delimiter.
fn start(bullets: &[BulletRef<'_>]) -> Option<usize> {
    let (start, delimiter) = numbered(bullets.first()?.marker()).filter(|(start, _)| *start <= 1)?;
    let counts = bullets.iter().zip(start..).all(|(bullet, number)| bullet.marker() == format!("{number}{delimiter}"));
    counts.then_some(start)
}

/// Returns the list that a bullet stands in.
fn list_key(bullet: BulletRef<'_>) -> ListKey<'_> {
    (bullet.parent(), bullet.section(), bullet.block(), bullet.label())
}

/// Returns true if two bullets are in one list.
pub(crate) fn are_siblings(one: BulletRef<'_>, other: BulletRef<'_>) -> bool {
    list_key(one) == list_key(other)
}

/// Adds a warning to an edit after which a list that counted does not count: it names the lines with a number that
/// does not follow. The text is written as it was sent.
pub(crate) fn with_numbering(doc: &MemoryDoc, edit: Edit) -> Edit {
    let lines = uncounted_lines(doc, &edit);
    if lines.is_empty() {
        return edit;
    }
    let message = format!("the numbers of the list do not count on {}", named_lines(&lines));
    edit.with_warning(Warning::new("numbering", message).about(lines))
}

fn uncounted_lines(doc: &MemoryDoc, edit: &Edit) -> Vec<usize> {
    let mut around = edit.splices().iter().flat_map(|splice| bullets_around(doc, splice.span));
    if !around.any(|bullet| is_ordered(bullet.marker())) {
        return Vec::new();
    }
    let new = made(doc, edit);
    let (before, after, offsets) = (Lists::new(doc), Lists::new(&new), OffsetMap::of(edit));
    let counted = |bullet| before.numbers(bullet) == Numbers::Counted;
    let stays = |bullet: &BulletRef<'_>| {
        let old = offsets.origin(bullet.line.start()).and_then(|start| doc.starting_at(start));
        old.is_some_and(counted)
    };
    let mut there: Vec<_> = new.bullets().filter(stays).collect();
    for (splice, written) in edit.splices_in_result() {
        if bullets_on(doc, splice.span).any(counted) {
            there.extend(bullets_on(&new, written));
        }
    }
    there.retain(|bullet| after.numbers(*bullet) == Numbers::Own);
    let lists: BTreeSet<_> = there.iter().filter_map(|bullet| after.siblings(*bullet).first().copied()).collect();
    let uncounted = lists.into_iter().flat_map(|first| misplaced(after.siblings(first)));
    let mut lines: Vec<_> = uncounted.map(BulletRef::line_number).collect();
    lines.sort_unstable();
    lines
}

/// Iterates over the bullets that begin inside `span`, or on the lines right before and behind it.
fn bullets_around(doc: &MemoryDoc, span: Span) -> impl Iterator<Item = BulletRef<'_>> {
    doc.bullets_within(doc.lines().around(span))
}

/// Iterates over the bullets that begin on the lines of which `span` holds a part.
fn bullets_on(doc: &MemoryDoc, span: Span) -> impl Iterator<Item = BulletRef<'_>> {
    let start = if span.is_empty() { span.start() } else { doc.line_start(doc.lines().index_at(span.start())) };
    doc.bullets_within(Span::new(start, span.end()))
}

/// Iterates over the numbered bullets of a list that have another number than their place.
fn misplaced<'a>(bullets: &[BulletRef<'a>]) -> impl Iterator<Item = BulletRef<'a>> {
    let ordered = bullets.iter().filter_map(|bullet| Some((*bullet, numbered(bullet.marker())?.0)));
    let start = ordered.clone().next().map_or(1, |(_, first)| first.min(1));
    ordered.zip(start..).filter(|((_, number), place)| number != place).map(|((bullet, _), _)| bullet)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<Numbers> {
        let doc = MemoryDoc::parse(text);
        let lists = Lists::new(&doc);
        doc.bullets().map(|bullet| lists.numbers(bullet)).collect()
    }

    #[test]
    fn a_list_counts_if_its_numbers_are_exactly_zero_or_one_and_so_on() {
        for counting in ["1. a\n2. b\n", "0) a\n1) b\n", "1. a\n", "1. a\n\n2. b\n"] {
            assert!(numbers(counting).iter().all(|numbers| *numbers == Numbers::Counted), "{counting}");
        }
        for other in ["2019. a\n2020. b\n", "1. a\n1. b\n", "1. a\n2) b\n", "1. a\n3. b\n", "01. a\n02. b\n"] {
            assert!(numbers(other).iter().all(|numbers| *numbers == Numbers::Own), "{other}");
        }
        assert_eq!(numbers("- a\n1. b\n"), [Numbers::None, Numbers::Own]);
        assert_eq!(numbers("Ann:\n1. a\n\nBob:\n1. b\n2. c\n"), [Numbers::Counted; 3]);
        assert_eq!(numbers("1. a\n   1. b\n   2. c\n2. d\n"), [Numbers::Counted; 4]);
    }
}
