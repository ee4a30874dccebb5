//! Stretches: lines that belong to no bullet, such as `Anna:` and `Bob:`, set the bullets of one list apart. What stands on either
//! side of one may be said of different things.

use std::borrow::Cow;
use std::collections::HashMap;

use super::numbering::{is_year, number_of};
use super::renumber::{ListKey, Lists, list_key};
use crate::document::{BulletRef, MemoryDoc};
use crate::text::{Span, is_blank};

/// The stretches of all lists of a document: bullets of one list between which nothing but blank lines and their own children
/// stand.
#[derive(Debug)]
pub(crate) struct Stretches<'a> {
    lists: Lists<'a>,
    /// Of each bullet, how often other lines stand above it in its list.
    numbers: Vec<usize>,
}

impl<'a> Stretches<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let text = doc.text();
        let mut lasts: HashMap<ListKey<'a>, (usize, usize)> = HashMap::new();
        let number = |bullet: BulletRef<'a>| {
            let (end, number) = lasts.entry(list_key(bullet)).or_insert_with(|| (start(bullet), 0));
            let above = Span::new(*end, bullet.line.start().max(*end)).of(text);
            *number += usize::from(!is_blank(above));
            *end = bullet.extent.end();
            *number
        };
        Self { lists: Lists::new(doc), numbers: doc.bullets().map(number).collect() }
    }

    /// Returns in which stretch of its list a bullet stands, from 0: in 0 stands nothing but bullets above it. `None` for an
    /// item of an ordered list, which is a step of its own, whatever the others say; a year is no such number.
    pub(crate) fn number(&self, bullet: BulletRef<'a>) -> Option<usize> {
        let is_step = number_of(bullet).is_some() && !self.lists.said_number(bullet).is_some_and(is_year);
        self.numbers.get(bullet.index()).copied().filter(|_| !is_step)
    }

    /// Returns the content of a bullet, behind its number if that says something.
    pub(crate) fn said(&self, bullet: BulletRef<'a>) -> Cow<'a, str> {
        self.lists.said(bullet)
    }
}

/// Returns where the list of a bullet may begin.
fn start(bullet: BulletRef<'_>) -> usize {
    let above = bullet.parent().map(|parent| parent.line.end());
    let above = above.or_else(|| bullet.block().map(|block| block.line.end()));
    let above = above.or_else(|| bullet.section().map(|section| section.line.end()));
    above.unwrap_or_else(|| bullet.doc().outline().body_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<Option<usize>> {
        let doc = MemoryDoc::parse(text);
        let stretches = Stretches::new(&doc);
        doc.bullets().map(|bullet| stretches.number(bullet)).collect()
    }

    #[test]
    fn other_lines_set_bullets_of_a_list_apart() {
        assert_eq!(numbers("- a\n\n- b\n  more\n  - c\n- d\n"), [0, 0, 1, 0].map(Some));
        assert_eq!(numbers("Anna:\n- a\n\nBob:\n- b\n- c\n"), [1, 2, 2].map(Some));
        assert_eq!(numbers("## A\n- a\n## B\nBob\n---\n- b\n"), [0, 1].map(Some));
        assert_eq!(numbers("- a\nB (ID: b)\n- b\n"), [0, 0].map(Some));
        assert_eq!(numbers("---\nname: Eve\n---\n- a\n  - b\n  then\n  - c\n"), [0, 0, 1].map(Some));
    }

    #[test]
    fn items_of_ordered_lists_are_in_none_but_for_years() {
        assert_eq!(numbers("1. a\n2) b\n- c\n2019. d\n"), [None, None, Some(0), Some(0)]);
    }
}
