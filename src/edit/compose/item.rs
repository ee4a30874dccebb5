//! A bullet as a request words it: read into checkbox, tags and lines, and written for the list it goes into.
//!
//! Nothing that says something is dropped: of the text's beginning one marker that can only stand for the list's own, and
//! the prefix that a view shows before the very line that is replaced; of lines below a marker the indentation that it gave
//! them.

use std::collections::HashSet;

use thiserror::Error;

use super::numbering::is_year;
use super::prefix::Prefix;
use super::tags::{is_mark_group, marks_and_others};
use crate::document::{
    bullet_start, checkbox, columns, fence_open, heading, is_block_line, is_setext_underline, tag_groups,
};
use crate::locate::{BulletLine, LineLabel, NodeKind, Rung, brought_marker};
use crate::text::{fold_white_space, is_blank};

/// A bullet that is to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Item {
    /// The year that it brings in the place of another.
    pub(super) marker: Option<String>,
    /// The checkbox that it brings.
    pub(crate) checkbox: Option<String>,
    /// The groups of tags that it brings.
    pub(crate) groups: Vec<Vec<String>>,
    /// The tags that stood at the beginning of the text.
    tags_in_text: Vec<String>,
    /// Its content, a line each; the first is not empty.
    lines: Vec<String>,
    /// Its content, white space folded.
    folded: String,
    /// What was dropped from the beginning of the text.
    healed: Vec<Rung>,
}

/// What a text is written for: the marker that its bullet has or gets, and what the views show before the line that it
/// replaces.
#[derive(Clone, Debug)]
pub(crate) struct BulletPlace {
    pub(crate) marker: String,
    pub(crate) label: Option<LineLabel>,
    /// Whether its number is no count but says something, as a year does: a text that begins with another year brings that.
    pub(crate) is_said: bool,
}

/// Why a text cannot be the content of one bullet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ItemFlaw {
    /// It says nothing.
    #[error("the text has no content")]
    Empty,
    /// A line behind the first, from 1, would be structure if it stood alone.
    #[error("line {line} of the text, taken alone, would make a {what}")]
    Structure {
        /// The line.
        line: usize,
        /// What it would make.
        what: NodeKind,
    },
    /// A line, from 1, opens a fence.
    #[error("line {line} of the text opens a code fence")]
    Fence {
        /// The line.
        line: usize,
    },
}

impl BulletPlace {
    /// The place of the first bullet of a list.
    pub(crate) fn plain() -> Self {
        Self { marker: Prefix::plain().marker, label: None, is_said: false }
    }

    /// Splits another year from a text that takes the place of one.
    fn other_year<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let line = BulletLine::read(text).filter(|line| self.is_said && line.indentation.is_empty())?;
        let is_alike = is_year(line.marker) && is_year(&self.marker) && line.marker.len() == self.marker.len();
        (is_alike && !line.rest.is_empty()).then_some((line.marker, line.rest))
    }
}

impl Item {
    /// Reads the text of a request for the place that it is written to.
    pub(crate) fn read(text: &str, place: &BulletPlace) -> Result<Self, ItemFlaw> {
        let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        let start = lines.iter().position(|line| !is_blank(line)).ok_or(ItemFlaw::Empty)?;
        let end = lines.iter().rposition(|line| !is_blank(line)).unwrap_or(start);
        let lines = lines.get(start..=end).unwrap_or_default();
        let first = lines.first().copied().unwrap_or_default();
        let mut item = Self::default();
        let unprefixed = place.label.as_ref().and_then(|label| label.strip(first));
        item.healed.extend(unprefixed.map(|_| Rung::ViewPrefix));
        let whole = unprefixed.unwrap_or(first);
        let rest = whole.trim_start_matches([' ', '\t']);
        let unmarked = brought_marker(rest, &place.marker).map(|(_, rest)| rest);
        item.healed.extend(unmarked.map(|_| Rung::BulletMarker));
        let numbered = place.other_year(rest).filter(|_| unmarked.is_none());
        item.marker = numbered.map(|(marker, _)| marker.to_owned());
        let unmarked = unmarked.or(numbered.map(|(_, rest)| rest));
        // What stands below a marker is as far in as its text.
        let below = unmarked.map_or(0, |rest| columns(whole) + (place.marker.len() + 1).min(whole.len() - rest.len()));
        let content = item.read_marks(unmarked.unwrap_or(rest));
        if is_blank(content) {
            return Err(ItemFlaw::Empty);
        }
        item.lines.push(content.to_owned());
        item.lines.extend(lines.iter().skip(1).map(|line| without_columns(line, below).to_owned()));
        item.check()?;
        item.folded = fold_white_space(&item.lines.join("\n")).into_owned();
        Ok(item)
    }

    /// Reads the checkbox and the tags that a text begins with, and returns what is behind them.
    fn read_marks<'t>(&mut self, text: &'t str) -> &'t str {
        let mut rest = text;
        if let Some((length, space)) = checkbox(rest) {
            self.checkbox = rest.get(..length).map(str::to_owned);
            rest = rest.get(length + space..).unwrap_or_default();
        }
        let (groups, content) = tag_groups(rest);
        let tags = |tags: Vec<std::ops::Range<usize>>| {
            tags.into_iter().filter_map(|tag| rest.get(tag)).map(str::to_owned).collect()
        };
        self.groups = groups.into_iter().map(|group| tags(group.tags)).collect();
        self.tags_in_text = self.groups.concat();
        rest.get(content..).unwrap_or_default()
    }

    /// Returns what was dropped from the beginning of the text.
    pub(crate) fn healed(&self) -> &[Rung] {
        &self.healed
    }

    /// Counts the number that it was read behind as brought, not as dropped.
    #[must_use]
    pub(crate) fn with_its_number(mut self) -> Self {
        self.healed.clear();
        self
    }

    fn check(&self) -> Result<(), ItemFlaw> {
        for (nth, line) in self.lines.iter().enumerate() {
            let alone = line.trim_start_matches([' ', '\t']);
            let line = nth + 1;
            if fence_open(alone).is_some() {
                return Err(ItemFlaw::Fence { line });
            }
            let kinds = [
                (NodeKind::Section, heading(alone).is_some() || is_setext_underline(alone)),
                (NodeKind::Block, is_block_line(alone)),
                (NodeKind::Bullet, bullet_start(alone).is_some()),
            ];
            if let Some((what, _)) = kinds.into_iter().find(|(_, is_it)| nth > 0 && *is_it) {
                return Err(ItemFlaw::Structure { line, what });
            }
        }
        Ok(())
    }

    /// Adds tags that the request gives beside the text, pin and lifetime in a group before the others; those that the text
    /// brings are not doubled.
    #[must_use]
    pub(crate) fn with_tags(mut self, tags: &[String]) -> Self {
        let brought = self.groups.concat();
        let own: Vec<_> = brought.iter().map(String::as_str).collect();
        let known: HashSet<_> = own.iter().copied().collect();
        let new = tags.iter().map(String::as_str).filter(|tag| !known.contains(tag)).collect();
        let (marks, others) = marks_and_others(&own, new);
        let owned = |tags: Vec<&str>| tags.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let is_marks = |group: &&mut Vec<String>| is_mark_group(group.iter().map(String::as_str));
        match self.groups.first_mut().filter(is_marks) {
            Some(first) => first.extend(owned(marks)),
            None if marks.is_empty() => {}
            None => self.groups.insert(0, owned(marks)),
        }
        match self.groups.last_mut().filter(|group| !is_marks(group)) {
            Some(last) => last.extend(owned(others)),
            None if others.is_empty() => {}
            None => self.groups.push(owned(others)),
        }
        self
    }

    /// Returns the tags that stood at the beginning of the text.
    pub(crate) fn tags_in_text(&self) -> &[String] {
        &self.tags_in_text
    }

    /// Reports whether it brings tags.
    pub(crate) fn has_tags(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Returns how many lines the content has: one at least.
    pub(crate) fn line_count(&self) -> usize {
        self.lines.len().max(1)
    }

    /// Returns the content as keys and comparisons see it.
    pub(crate) fn folded_content(&self) -> &str {
        &self.folded
    }

    /// Returns the groups of tags as they are written, each with a space behind it.
    pub(super) fn written_tags(&self) -> String {
        self.groups.iter().map(|group| format!("[{}] ", group.join(", "))).collect()
    }

    /// Returns the lines of the content; those behind the first stand below `prefix`.
    pub(super) fn content_lines(&self, prefix: &Prefix) -> Vec<String> {
        let indentation = prefix.below();
        let line = |(nth, line): (usize, &String)| match nth {
            0 => line.clone(),
            _ if is_blank(line) => String::new(),
            _ => [&indentation, line.as_str()].concat(),
        };
        self.lines.iter().enumerate().map(line).collect()
    }

    /// Returns the lines of the bullet behind `prefix`.
    pub(super) fn bullet_lines(&self, prefix: &Prefix) -> Vec<String> {
        let mut lines = self.content_lines(prefix);
        if let Some(first) = lines.first_mut() {
            let checkbox = self.checkbox.as_ref().map(|checkbox| format!("{checkbox} ")).unwrap_or_default();
            *first = [prefix.to_string(), checkbox, self.written_tags(), std::mem::take(first)].concat();
        }
        lines
    }
}

/// Drops up to `limit` columns of spaces from the start of `line`; a tab stays.
fn without_columns(line: &str, limit: usize) -> &str {
    let spaces = line.bytes().take(limit).take_while(|byte| *byte == b' ').count();
    line.get(spaces..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Item, ItemFlaw> {
        Item::read(text, &BulletPlace::plain())
    }

    #[test]
    fn a_pasted_bullet_is_read_as_its_parts() {
        let item = read("- [x] [a, b] one\n  two\n    three\n").unwrap_or_default();
        assert_eq!(item.checkbox.as_deref(), Some("[x]"));
        assert_eq!(item.groups, [["a", "b"]]);
        assert_eq!(item.lines, ["one", "two", "  three"]);
        assert_eq!(item.bullet_lines(&Prefix::plain()), ["- [x] [a, b] one", "  two", "    three"]);
    }

    #[test]
    fn what_only_begins_like_a_marker_or_a_prefix_is_content() {
        for text in ["12. März: Umzug", "1. FC Köln", "+ 5 %", "-5 °C", "12| - x", "coffee|tea"] {
            assert_eq!(read(text).map(|item| item.lines), Ok(vec![text.to_owned()]), "{text}");
        }
        assert_eq!(read("- - 5 °C").map(|item| item.lines), Ok(vec!["- 5 °C".to_owned()]));
        assert_eq!(
            read("f:\n\tg\n    h").map(|item| item.lines),
            Ok(["f:", "\tg", "    h"].map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn a_text_that_is_more_than_one_bullet_is_refused() {
        assert_eq!(read(" \n"), Err(ItemFlaw::Empty));
        assert_eq!(read("- [a]"), Err(ItemFlaw::Empty));
        assert_eq!(read("```"), Err(ItemFlaw::Fence { line: 1 }));
        for line in ["# a", "- a", "2. a", "---", "A: (ID: b)"] {
            assert!(matches!(read(&format!("x\n{line}")), Err(ItemFlaw::Structure { line: 2, .. })), "{line}");
        }
    }
}
