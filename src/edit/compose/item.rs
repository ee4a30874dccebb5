//! A bullet as a request words it: read into checkbox, tags and lines, and written for the list it goes into (SPEC § 9).

use thiserror::Error;

use crate::document::{bullet_start, checkbox, fence_open, heading, is_block_line, is_setext_underline, tag_groups};
use crate::locate::strip_view_prefix;
use crate::text::{fold_white_space, is_blank};

/// A bullet that is to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Item {
    /// The checkbox that it brings.
    pub(crate) checkbox: Option<String>,
    /// The groups of tags that it brings.
    pub(crate) groups: Vec<Vec<String>>,
    /// The tags that stood at the beginning of the text.
    tags_in_text: Vec<String>,
    /// Its content, a line each; the first is not empty.
    lines: Vec<String>,
}

/// Why a text cannot be the content of one bullet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ItemFlaw {
    /// It says nothing.
    #[error("`text` has no content")]
    Empty,
    /// A line behind the first, from 1, would be structure if it stood alone.
    #[error("line {line} of `text`, taken alone, would be {what}")]
    Structure {
        /// The line.
        line: usize,
        /// What it would be.
        what: &'static str,
    },
    /// A line, from 1, opens a fence.
    #[error("line {line} of `text` opens a code fence")]
    Fence {
        /// The line.
        line: usize,
    },
}

impl Item {
    /// Reads the text of a request.
    ///
    /// One copied view prefix and one marker are dropped, and the indentation that all lines behind the first share.
    pub(crate) fn read(text: &str) -> Result<Self, ItemFlaw> {
        let mut lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        let content = |lines: &[&str]| lines.iter().position(|line| !is_blank(line));
        lines.drain(..content(&lines).ok_or(ItemFlaw::Empty)?);
        while lines.last().is_some_and(|line| is_blank(line)) {
            lines.pop();
        }
        let lines = without_view_prefixes(lines);
        let first = lines.first().copied().unwrap_or_default();
        let mut item = Self::default();
        let mut rest = match bullet_start(first) {
            Some(start) => first.get(start.rest..).unwrap_or_default(),
            None => first.trim_start_matches([' ', '\t']),
        };
        if let Some((length, space)) = checkbox(rest) {
            item.checkbox = rest.get(..length).map(str::to_owned);
            rest = rest.get(length + space..).unwrap_or_default();
        }
        let (groups, content) = tag_groups(rest);
        let tags = |tags: Vec<std::ops::Range<usize>>| {
            tags.into_iter().filter_map(|tag| rest.get(tag)).map(str::to_owned).collect()
        };
        item.groups = groups.into_iter().map(|group| tags(group.tags)).collect();
        item.tags_in_text = item.groups.concat();
        rest = rest.get(content..).unwrap_or_default();
        if is_blank(rest) {
            return Err(ItemFlaw::Empty);
        }
        let behind = lines.get(1..).unwrap_or_default();
        let shared = behind.iter().filter(|line| !is_blank(line)).map(|line| indentation(line)).min().unwrap_or(0);
        item.lines.push(rest.to_owned());
        item.lines.extend(behind.iter().map(|line| line.get(shared..).unwrap_or_default().to_owned()));
        item.check()?;
        Ok(item)
    }

    fn check(&self) -> Result<(), ItemFlaw> {
        for (nth, line) in self.lines.iter().enumerate() {
            let alone = line.trim_start_matches([' ', '\t']);
            let line = nth + 1;
            if fence_open(alone).is_some() {
                return Err(ItemFlaw::Fence { line });
            }
            let kinds: [(&str, bool); 4] = [
                ("a heading", heading(alone).is_some()),
                ("the header of a block", is_block_line(alone)),
                ("an underline of a heading", is_setext_underline(alone)),
                ("a bullet", bullet_start(alone).is_some()),
            ];
            if let Some((what, _)) = kinds.into_iter().find(|(_, is_it)| nth > 0 && *is_it) {
                return Err(ItemFlaw::Structure { line, what });
            }
        }
        Ok(())
    }

    /// Adds tags that the request gives beside the text; those that the text brings are not doubled.
    #[must_use]
    pub(crate) fn with_tags(mut self, tags: &[String]) -> Self {
        let is_new = |tag: &&String| !self.groups.iter().flatten().any(|own| own == *tag);
        let new: Vec<_> = tags.iter().filter(is_new).cloned().collect();
        match self.groups.last_mut().filter(|group| !super::tags::is_mark_group(group.iter().map(String::as_str))) {
            Some(last) => last.extend(new),
            None if new.is_empty() => {}
            None => self.groups.push(new),
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

    /// Returns the content as keys and comparisons see it.
    pub(crate) fn folded_content(&self) -> String {
        fold_white_space(&self.lines.join("\n")).into_owned()
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

/// What stands before a bullet's checkbox, tags and content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    pub(super) indentation: String,
    pub(super) marker: String,
    pub(super) space: String,
}

impl Prefix {
    /// The prefix of a list that has no bullet yet.
    pub(super) fn plain() -> Self {
        Self { indentation: String::new(), marker: "-".to_owned(), space: " ".to_owned() }
    }

    /// Returns the indentation of the lines below the first.
    pub(super) fn below(&self) -> String {
        let space = if self.space.bytes().all(|byte| byte == b' ') { self.space.len() } else { 1 };
        let width = (self.marker.len() + space).max(2);
        [self.indentation.as_str(), &" ".repeat(width)].concat()
    }
}

impl std::fmt::Display for Prefix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.indentation, self.marker, self.space)
    }
}

/// Drops the prefixes of a view, if the first line has one before a bullet's marker.
fn without_view_prefixes(lines: Vec<&str>) -> Vec<&str> {
    let first = lines.first().and_then(|line| strip_view_prefix(line)).filter(|rest| bullet_start(rest).is_some());
    if first.is_none() {
        return lines;
    }
    lines.into_iter().map(|line| strip_view_prefix(line).unwrap_or(line)).collect()
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_bullet_is_read_as_its_parts() {
        let Ok(item) = Item::read("k7f3a2| - [x] [a, b] one\n    two\n      three\n") else {
            unreachable!("the text has a content");
        };
        assert_eq!(item.checkbox.as_deref(), Some("[x]"));
        assert_eq!(item.groups, [["a", "b"]]);
        assert_eq!(item.lines, ["one", "two", "  three"]);
        assert_eq!(item.bullet_lines(&Prefix::plain()), ["- [x] [a, b] one", "  two", "    three"]);
    }

    #[test]
    fn a_text_that_is_more_than_one_bullet_is_refused() {
        assert_eq!(Item::read(" \n"), Err(ItemFlaw::Empty));
        assert_eq!(Item::read("- [a]"), Err(ItemFlaw::Empty));
        assert_eq!(Item::read("```"), Err(ItemFlaw::Fence { line: 1 }));
        for line in ["# a", "- a", "2. a", "---", "A: (ID: b)"] {
            assert!(matches!(Item::read(&format!("x\n{line}")), Err(ItemFlaw::Structure { line: 2, .. })), "{line}");
        }
    }
}
