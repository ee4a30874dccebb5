//! [`Lists`]: which bullets form a list, and what the numbers of an ordered list mean.
//!
//! A list is a run of bullets with one owner and one kind of marker, with only blank lines between them. As in
//! CommonMark, another marker or a paragraph at the same level ends it. But if the next number follows after such an
//! interruption, the list continues, and is called *divided*.
//!
//! An ordered list *counts* if it is not divided and its numbers are exactly 0, 1, 2 … or 1, 2, 3 … with one delimiter.
//! It is renumbered when it changes. In any other ordered list, such as one of years, the numbers are content: the list
//! is not renumbered, and a number moves with its bullet.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::document::{BlockRef, BulletRef, LabelRef, MemoryDoc, SectionRef, is_ordered, numbered};
use crate::edit::{Edit, OffsetMap, Warning, named_lines};
use crate::text::{Span, is_blank};

/// The owner of the bullets of one list: the parent bullet, section, block and label.
pub(crate) type ListOwner<'a> =
    (Option<BulletRef<'a>>, Option<SectionRef<'a>>, Option<BlockRef<'a>>, Option<LabelRef<'a>>);

/// The lists of one document, computed on first use.
pub(crate) struct Lists<'a> {
    pub(crate) doc: &'a MemoryDoc,
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
    /// Whether other lines than its bullets and blank lines are between its bullets.
    is_divided: bool,
    /// The first number, if the list counts.
    start: Option<usize>,
}

/// What the numbers of a list mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// The list has no numbers.
    None,
    /// The list counts: a number follows from the bullet's place.
    Counted,
    /// The list does not count: a number is content of its bullet, and a new bullet must bring one.
    Own,
}

impl<'a> Lists<'a> {
    pub(crate) const fn new(doc: &'a MemoryDoc) -> Self {
        Self { doc, all: OnceCell::new() }
    }

    /// Returns what numbers mean in the list of this bullet.
    pub(crate) fn numbers(&self, bullet: BulletRef<'a>) -> Numbers {
        let of_list = || if self.start(bullet).is_some() { Numbers::Counted } else { Numbers::Own };
        if is_ordered(bullet.marker()) { of_list() } else { Numbers::None }
    }

    /// Returns the marker of a bullet if its number is content.
    pub(crate) fn own_number(&self, bullet: BulletRef<'a>) -> Option<&'a str> {
        (self.numbers(bullet) == Numbers::Own).then(|| bullet.marker())
    }

    /// Returns the first number of a bullet's list, if the list counts.
    pub(super) fn start(&self, bullet: BulletRef<'a>) -> Option<usize> {
        self.list(bullet)?.start
    }

    /// Returns the bullets of a numbered bullet's list, in document order; none for a bullet without a number.
    pub(super) fn siblings(&self, bullet: BulletRef<'a>) -> &[BulletRef<'a>] {
        self.list(bullet).map_or(&[], |list| &list.bullets)
    }

    fn list(&self, bullet: BulletRef<'a>) -> Option<&List<'a>> {
        let All { lists, list_of } = is_ordered(bullet.marker()).then(|| self.all.get_or_init(|| All::of(self.doc)))?;
        lists.get(*list_of.get(bullet.index())?)
    }
}

impl<'a> All<'a> {
    fn of(doc: &'a MemoryDoc) -> Self {
        let mut all = Self::default();
        let kind = |bullet: BulletRef<'a>| bullet.marker().chars().next_back();
        let number = |bullet: BulletRef<'a>| numbered(bullet.marker()).map(|(number, _)| number);
        let mut last: HashMap<_, BulletRef<'a>> = HashMap::new();
        for bullet in doc.bullets() {
            let before = last.insert((owner(bullet), kind(bullet)), bullet);
            let between = before.map_or(Span::at(0), |before| Span::new(before.extent.end(), bullet.extent.start()));
            let is_divided = !is_blank(between.of(doc.text()));
            let continues = |before: &BulletRef<'a>| {
                !is_divided || number(bullet).is_some_and(|next| number(*before) == next.checked_sub(1))
            };
            let list = before.filter(continues).and_then(|before| all.list_of.get(before.index()).copied());
            let nth = list.unwrap_or(all.lists.len());
            all.lists.resize_with(all.lists.len().max(nth + 1), List::default);
            if let Some(list) = all.lists.get_mut(nth) {
                list.is_divided |= is_divided && !list.bullets.is_empty();
                list.bullets.push(bullet);
            }
            all.list_of.push(nth);
        }
        all.lists.iter_mut().filter(|list| !list.is_divided).for_each(|list| list.start = start(&list.bullets));
        all
    }
}

/// Returns the first number of the bullets, if they count from 0 or 1 without a gap and with one delimiter.
fn start(bullets: &[BulletRef<'_>]) -> Option<usize> {
    let (start, delimiter) = numbered(bullets.first()?.marker()).filter(|(start, _)| *start <= 1)?;
    let counts = bullets.iter().zip(start..).all(|(bullet, number)| bullet.marker() == format!("{number}{delimiter}"));
    counts.then_some(start)
}

/// Returns true if two bullets have one owner.
pub(crate) fn are_siblings(one: BulletRef<'_>, other: BulletRef<'_>) -> bool {
    owner(one) == owner(other)
}

/// Returns what owns a bullet: two bullets with the same owner are siblings.
pub(crate) fn owner(bullet: BulletRef<'_>) -> ListOwner<'_> {
    (bullet.parent(), bullet.section(), bullet.block(), bullet.label())
}

/// Adds a warning to an edit if a list that counts would not count after it. The warning names the lines whose number
/// is wrong. The text is written as it was sent.
pub(crate) fn with_numbering(doc: &MemoryDoc, edit: Edit) -> Edit {
    let misplaced = misplaced_numbers(doc, &edit);
    if misplaced.is_empty() {
        return edit;
    }
    let message = format!("the list does not count: {} should have another number", named_lines(&misplaced));
    let warning = Warning::new("numbering", message).about(misplaced);
    let mut parts = edit.parts().to_vec();
    if let Some(first) = parts.first_mut() {
        first.warnings.push(warning);
    }
    edit.with_parts(parts)
}

/// Returns the numbers of these lines of the result, ascending.
fn misplaced_numbers(doc: &MemoryDoc, edit: &Edit) -> Vec<usize> {
    let mut around = edit.splices().iter().flat_map(|splice| doc.bullets_within(doc.lines().around(splice.span)));
    if !around.any(|bullet| is_ordered(bullet.marker())) {
        return Vec::new();
    }
    let new = edit.result(doc);
    let (before, after, offsets) = (Lists::new(doc), All::of(&new), OffsetMap::of(edit));
    let stays = |bullet: &BulletRef<'_>| {
        let old = offsets.origin(bullet.line.start()).and_then(|start| doc.starting_at(start));
        old.is_some_and(|old| before.numbers(old) == Numbers::Counted)
    };
    let uncounted = after.lists.iter().filter(|list| list.start.is_none() && list.bullets.iter().any(stays));
    let mut lines: Vec<usize> = uncounted.flat_map(|list| misplaced(&list.bullets)).collect();
    lines.sort_unstable();
    lines
}

/// Iterates over the lines of a list whose number is not that of their place.
fn misplaced(bullets: &[BulletRef<'_>]) -> impl Iterator<Item = usize> {
    let ordered = bullets.iter().filter_map(|bullet| Some((bullet.line_number(), numbered(bullet.marker())?.0)));
    let start = ordered.clone().next().map_or(1, |(_, first)| first.min(1));
    ordered.zip(start..).filter(|((_, number), place)| number != place).map(|((line, _), _)| line)
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
        for other in ["2019. a\n2020. b\n", "1. a\n1. b\n", "1. a\n3. b\n", "01. a\n02. b\n"] {
            assert!(numbers(other).iter().all(|numbers| *numbers == Numbers::Own), "{other}");
        }
        assert_eq!(
            numbers("1. a\n2. b\n- x\n1. c\n3) d\n").get(2..),
            Some(&[Numbers::None, Numbers::Counted, Numbers::Own][..])
        );
        for divided in ["1. a\n\nb\n\n2. c\n", "1. a\n```\n```\n2. c\n3. d\n"] {
            assert!(numbers(divided).iter().all(|numbers| *numbers == Numbers::Own), "{divided}");
        }
        assert_eq!(numbers("1. a\n2. b\n\nc\n\n1. d\n2. e\n"), [Numbers::Counted; 4], "a paragraph ends a list");
        assert_eq!(numbers("Ann:\n1. a\n\nBob:\n1. b\n2. c\n"), [Numbers::Counted; 3]);
        assert_eq!(numbers("1. a\n   1. b\n   2. c\n2. d\n"), [Numbers::Counted; 4]);
    }
}
