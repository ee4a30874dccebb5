//! Whether a line of one text is a line of another, where several may read the same.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::displaced::Owners;
use crate::document::MemoryDoc;
use crate::text::{Line, Lines, Span};

/// Two texts, ready for many lines to be compared.
///
/// What reads the same in the same section, block and bullet is told apart by its place among those, and only where all of them
/// are in both texts, in one order and with the same text below them. A line that is alone in reading so may stand anywhere there.
#[derive(Debug)]
pub(crate) struct SameLines<'a> {
    docs: [&'a MemoryDoc; 2],
    alike: OnceCell<[Alike<'a>; 2]>,
    groups: HashMap<[usize; 2], bool>,
    known: HashMap<[usize; 2], bool>,
}

/// Where the lines start that read the same and begin in the same owner, by text and owner.
type Alike<'a> = HashMap<(&'a str, Option<usize>), Vec<usize>>;

impl<'a> SameLines<'a> {
    pub(crate) fn new(docs: [&'a MemoryDoc; 2]) -> Self {
        Self { docs, alike: OnceCell::new(), groups: HashMap::new(), known: HashMap::new() }
    }

    /// Reports whether the line of the first text that starts at the first place is that of the second text which starts at the
    /// second; so are what they are in.
    pub(crate) fn are(&mut self, places: [Option<usize>; 2]) -> bool {
        let (mut at, mut passed) = (places, Vec::new());
        let is_same = loop {
            let [Some(one), Some(other)] = at else { break at == [None, None] };
            if let Some(known) = self.known.get(&[one, other]) {
                break *known;
            }
            passed.push([one, other]);
            if !self.are_at_one_place([one, other]) {
                break false;
            }
            let [old, new] = self.docs;
            at = [owner(old, one), owner(new, other)];
        };
        self.known.extend(passed.into_iter().map(|pair| (pair, is_same)));
        is_same
    }

    /// Reports whether both lines read the same.
    pub(crate) fn read_the_same(&self, places: [Option<usize>; 2]) -> bool {
        let ([old, new], [Some(one), Some(other)]) = (self.docs, places) else { return false };
        line(old, one).of(old.text()) == line(new, other).of(new.text())
    }

    /// Reports whether two lines have the same place among those that read the same beside them.
    pub(crate) fn are_at_one_place(&mut self, at: [usize; 2]) -> bool {
        let docs = self.docs;
        let alike = self.alike.get_or_init(|| docs.map(alike));
        let ([old, new], [one, other]) = (docs, at);
        let [olds, news] = alike;
        let (Some(olds), Some(news)) = (olds.get(&named(old, one)), news.get(&named(new, other))) else { return false };
        if olds.len() != news.len() || olds.binary_search(&one).ok() != news.binary_search(&other).ok() {
            return false;
        }
        let ([first, _, ..], [other, ..]) = (olds.as_slice(), news.as_slice()) else { return true };
        let same = || olds.iter().zip(news).all(|(one, other)| below(old, *one) == below(new, *other));
        *self.groups.entry([*first, *other]).or_insert_with(same)
    }
}

/// Returns what a line reads, and what it is in.
fn named(doc: &MemoryDoc, start: usize) -> (&str, Option<usize>) {
    (line(doc, start).of(doc.text()), owner(doc, start))
}

fn alike(doc: &MemoryDoc) -> Alike<'_> {
    let mut alike = Alike::new();
    for start in Lines::of(doc.text()).map(|line| line.text.start()) {
        alike.entry(named(doc, start)).or_default().push(start);
    }
    alike
}

fn line(doc: &MemoryDoc, start: usize) -> Span {
    Line::starting_at(doc.text(), start).text
}

/// Returns where the line starts that begins the innermost of what a line is in.
fn owner(doc: &MemoryDoc, start: usize) -> Option<usize> {
    Owners::of(doc, start).innermost()
}

/// Returns the text that goes with the line which starts at `start`.
fn below(doc: &MemoryDoc, start: usize) -> &str {
    let bullet = doc.bullet_at(start).filter(|bullet| bullet.line.start() == start).map(|bullet| bullet.extent);
    let section = || doc.section_at(start).filter(|section| section.line.start() == start).map(|own| own.extent);
    bullet.or_else(section).unwrap_or_else(|| line(doc, start)).of(doc.text())
}
