//! Contents of bullets, and texts that are compared with them, as the rungs of the ladder see both: each is folded once.
//!
//! White space is folded. What is left of a text behind a pasted marker with the checkbox and tags that the bullet has, or
//! behind the prefix that a view shows for its line, must stand at the beginning of the content.

use std::cell::OnceCell;

use super::folded::begins_inside_letter;
use super::ladder::{Rung, Rungs};
use super::marker::{BulletLine, LineLabel, behind_doubled, view_prefix};
use crate::document::{BulletRef, MemoryDoc, checkbox, tag_groups};
use crate::text::{fold_punctuation, fold_white_space};

/// The contents of a document's bullets, folded when they are first asked for.
#[derive(Debug)]
pub(super) struct Contents<'a> {
    doc: &'a MemoryDoc,
    plain: OnceCell<Vec<OnceCell<String>>>,
    without_punctuation: OnceCell<Vec<OnceCell<String>>>,
}

impl<'a> Contents<'a> {
    pub(super) const fn new(doc: &'a MemoryDoc) -> Self {
        Self { doc, plain: OnceCell::new(), without_punctuation: OnceCell::new() }
    }

    fn of(&self, bullet: BulletRef<'_>, rungs: Rungs) -> &str {
        let cells = if rungs.has(Rung::Punctuation) { &self.without_punctuation } else { &self.plain };
        let cells = cells.get_or_init(|| vec![OnceCell::new(); self.doc.outline().bullets().len()]);
        let cell = cells.get(bullet.index());
        cell.map_or("", |cell| cell.get_or_init(|| fold(&bullet.content(), rungs)))
    }
}

/// How a text is compared with a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Contains,
    StartsWith,
    Equals,
}

impl How {
    fn holds(self, content: &str, text: &str) -> bool {
        // No text ends inside a letter.
        let ends_letter = |at: usize| !content.get(at..).is_some_and(begins_inside_letter);
        match self {
            Self::Contains => content.match_indices(text).any(|(at, found)| ends_letter(at + found.len())),
            Self::StartsWith => content.starts_with(text) && ends_letter(text.len()),
            Self::Equals => content == text,
        }
    }
}

/// A text as it is compared with contents on some rungs.
#[derive(Debug)]
pub(super) struct Said<'t> {
    rungs: Rungs,
    text: String,
    readings: Vec<Reading<'t>>,
}

impl PartialEq for Said<'_> {
    /// Reports whether two are compared with the same, and alike.
    fn eq(&self, other: &Self) -> bool {
        let folds = |said: &Self| said.rungs.has(Rung::Punctuation);
        (folds(self), &self.text, &self.readings) == (folds(other), &other.text, &other.readings)
    }
}

impl<'t> Said<'t> {
    pub(super) fn new(sought: &'t str, rungs: Rungs) -> Self {
        let text = sought.trim_start_matches([' ', '\t']);
        let plain = Reading { rest: text, ..Reading::default() };
        let prefixed = view_prefix(text).filter(|_| rungs.has(Rung::ViewPrefix));
        let prefixed = prefixed.map(|(prefix, rest)| Reading {
            prefix: Some(prefix),
            rest: rest.trim_start_matches([' ', '\t']),
            ..Reading::default()
        });
        let texts = [Some(&plain), prefixed.as_ref()].into_iter().flatten();
        let unmarked = texts.filter(|_| rungs.has(Rung::BulletMarker)).flat_map(Reading::without_marker);
        let mut readings: Vec<_> = unmarked.filter_map(Reading::without_marks).chain(prefixed.clone()).collect();
        readings.retain(|reading| reading.rest.len() < sought.len());
        for reading in &mut readings {
            reading.folded = fold(&rungs.read(reading.rest), rungs);
        }
        readings.retain(|reading| !reading.folded.is_empty());
        Self { rungs, text: fold(&rungs.read(sought), rungs), readings }
    }

    /// Reports whether it is what a bullet says.
    pub(super) fn is_of(&self, contents: &Contents<'_>, bullet: BulletRef<'_>, how: How) -> bool {
        let content = contents.of(bullet, self.rungs);
        let reads = |reading: &Reading<'_>| {
            let text = &reading.folded;
            content.starts_with(text) && how.holds(content, text) && reading.may_be_of(bullet)
        };
        how.holds(content, &self.text) || self.readings.iter().any(reads)
    }
}

/// A text without what was pasted along before the content, all of which must be the bullet's own.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reading<'t> {
    prefix: Option<&'t str>,
    marker: Option<BulletLine<'t>>,
    checkbox: Option<&'t str>,
    tags: Vec<&'t str>,
    rest: &'t str,
    folded: String,
}

impl<'t> Reading<'t> {
    /// Returns the ways to read it as the line of a bullet.
    fn without_marker(&self) -> Vec<Self> {
        let brought = BulletLine::read(self.rest).filter(|line| line.indentation.is_empty());
        let brought = brought.map(|line| Self { marker: Some(line), rest: line.rest, ..self.clone() });
        let doubled = behind_doubled(self.rest).map(|rest| Self { rest, ..self.clone() });
        brought.into_iter().chain(doubled).chain([self.clone()]).collect()
    }

    /// Takes checkbox and tags from its beginning.
    fn without_marks(mut self) -> Option<Self> {
        if let Some((length, space)) = checkbox(self.rest) {
            self.checkbox = self.rest.get(..length);
            self.rest = self.rest.get(length + space..)?;
        }
        let (groups, content) = tag_groups(self.rest);
        let tags = groups.into_iter().flat_map(|group| group.tags);
        self.tags = tags.filter_map(|tag| self.rest.get(tag)).collect();
        self.rest = self.rest.get(content..)?;
        Some(self)
    }

    fn may_be_of(&self, bullet: BulletRef<'_>) -> bool {
        self.checkbox.is_none_or(|checkbox| bullet.checkbox() == Some(checkbox))
            && (self.tags.is_empty() || self.tags == bullet.tags())
            && self.marker.is_none_or(|line| line.stands_for(bullet.marker()))
            && self.prefix.is_none_or(|prefix| LineLabel::of_bullet(bullet).is(prefix))
    }
}

fn fold(text: &str, rungs: Rungs) -> String {
    if !rungs.has(Rung::Punctuation) {
        // Other spaces than these are punctuation's.
        return text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    }
    let mut plain = String::with_capacity(text.len());
    fold_punctuation(text, |_, c| plain.push(c));
    fold_white_space(&plain).into_owned()
}
