//! [`Item`]: a bullet as a request words it, read into checkbox, tags and lines, and written for the list it goes
//! into; and [`Prefix`]: the indentation, marker and space before a bullet's text.
//!
//! Only this is dropped from the text: at its beginning, a marker that can only stand for the list's own, and the
//! view prefix of the very line that is replaced; and below a marker, the indentation that it requires.

use std::collections::HashMap;
use std::fmt;

use thiserror::Error;

use super::Tags;
use super::tags::{head, reads_as};
use crate::document::{
    BulletRef, ItemText, block_line, bullet_line, columns, fence_open, heading, is_ordered, is_setext_underline,
    numbered, without_columns,
};
use crate::locate::{Code, Leniency, LineLabel, NodeKind, may_be_signed};
use crate::text::{Content, Line, Span, fold_white_space, is_blank};

/// A bullet that is to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Item {
    /// The number that it brings, where numbers are part of what a list says.
    pub(crate) marker: Option<String>,
    /// The checkbox that it brings.
    pub(crate) checkbox: Option<String>,
    /// The tags that it brings.
    pub(crate) tags: Tags,
    /// Its content, a line each; the first is not empty.
    lines: Vec<String>,
    /// Its content, white space folded.
    folded: String,
    /// What was dropped from the beginning of the text.
    healed: Vec<Leniency>,
}

/// What it takes to read a text for its place: the marker that the bullet has or gets, and the view prefixes of the
/// line that is replaced.
#[derive(Clone, Debug)]
pub(crate) struct BulletPlace {
    pub(crate) marker: String,
    pub(crate) label: Option<LineLabel>,
    /// Whether it stands in an ordered list that does not count: a number at the beginning of the
    /// text is then its own.
    pub(crate) has_own_number: bool,
}

/// Why a text cannot be the content of one bullet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ItemFlaw {
    /// `invalid_text` if the text is not one bullet; `invalid_arguments` if it could be meant in two ways, or a tag
    /// cannot be read.
    pub code: Code,
    /// What is wrong.
    pub message: Content,
}

impl ItemFlaw {
    fn text(message: impl Into<Content>) -> Self {
        Self { code: Code::InvalidText, message: message.into() }
    }

    fn argument(message: impl Into<Content>) -> Self {
        Self { code: Code::InvalidArguments, message: message.into() }
    }

    /// A tag should say how long a bullet lasts, and cannot be read, or is the second that says so.
    pub(crate) fn lifetime(tag: &str) -> Self {
        Self::argument(format!(
            "`[{tag}]`: expected one end, `ttl: 7d` (s, m, h, d or w) or a date such as `expires: 2026-12-31`"
        ))
    }
}

impl BulletPlace {
    /// The place of the first bullet of a list.
    pub(crate) fn plain() -> Self {
        Self { marker: Prefix::plain().marker, label: None, has_own_number: false }
    }

    /// Splits the marker at the beginning of a text from what follows it. The marker is returned only if it is a
    /// number that is part of what the bullet says; else it stands for the list's own, and is dropped. `None` if the
    /// text begins with none.
    fn marker_of<'t>(&self, text: &'t str) -> Result<Option<(Option<String>, &'t str)>, ItemFlaw> {
        let Some(line) = bullet_line(text).filter(|line| !line.rest.is_empty()) else { return Ok(None) };
        let number = |marker: &str| numbered(marker).map(|(number, _)| number);
        let (marker, rest) = (line.marker.to_owned(), line.rest);
        if is_ordered(line.marker) {
            let is_own = self.has_own_number || number(line.marker) == number(&self.marker);
            return Ok(is_own.then(|| (Some(marker).filter(|_| self.has_own_number), rest)));
        }
        if !may_be_signed(rest) {
            return Ok(Some((None, rest)));
        }
        match matches!(line.marker, "-" | "*") || line.marker == self.marker {
            true => Err(ItemFlaw::argument(format!(
                "`{marker}` at the beginning of the text may be a marker, or the sign of a number"
            ))),
            false => Ok(None),
        }
    }
}

impl Item {
    /// Reads the text of a request for the place that it is written to.
    pub(crate) fn read(text: &str, place: &BulletPlace) -> Result<Self, ItemFlaw> {
        let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        let empty = || ItemFlaw::text("the text has no content");
        let start = lines.iter().position(|line| !is_blank(line)).ok_or_else(empty)?;
        let end = lines.iter().rposition(|line| !is_blank(line)).unwrap_or(start);
        let lines = lines.get(start..=end).unwrap_or_default();
        let first = lines.first().copied().unwrap_or_default();
        let mut item = Self::default();
        let unprefixed = place.label.as_ref().and_then(|label| label.strip(first));
        item.healed.extend(unprefixed.map(|_| Leniency::ViewPrefix));
        let whole = unprefixed.unwrap_or(first);
        let rest = whole.trim_start_matches([' ', '\t']);
        let (number, unmarked) = place.marker_of(rest)?.unzip();
        item.healed.extend(number.as_ref().filter(|number| number.is_none()).map(|_| Leniency::BulletForm));
        item.marker = number.flatten();
        // What stands below a marker is as far in as its text.
        let below = unmarked.map_or(0, |rest| columns(whole) + (place.marker.len() + 1).min(whole.len() - rest.len()));
        let ItemText { checkbox, tags, content } = ItemText::of(unmarked.unwrap_or(rest));
        item.checkbox = Some(checkbox.to_owned()).filter(|checkbox| !checkbox.is_empty());
        item.tags = Tags::read(tags);
        if is_blank(content) {
            return Err(empty());
        }
        item.lines.push(content.to_owned());
        item.lines.extend(lines.iter().skip(1).map(|line| without_columns(line, below).to_owned()));
        item.check()?;
        item.folded = fold_white_space(&item.lines.join("\n")).into_owned();
        match item.tags.flawed() {
            Some(tag) => Err(ItemFlaw::lifetime(tag)),
            None => Ok(item),
        }
    }

    /// Returns what was dropped from the beginning of the text.
    pub(crate) fn healed(&self) -> &[Leniency] {
        &self.healed
    }

    fn check(&self) -> Result<(), ItemFlaw> {
        for (nth, line) in self.lines.iter().enumerate() {
            let alone = line.trim_start_matches([' ', '\t']);
            let line = nth + 1;
            if fence_open(alone).is_some() {
                return Err(ItemFlaw::text(format!("line {line} of the text opens a code fence")));
            }
            let kinds = [
                (NodeKind::Section, heading(alone).is_some() || is_setext_underline(alone)),
                (NodeKind::Block, block_line(alone).is_some()),
                (NodeKind::Bullet, bullet_line(alone).is_some()),
            ];
            if let Some((what, _)) = kinds.into_iter().find(|(_, is_it)| nth > 0 && *is_it) {
                let message = format!("line {line} of the text, taken alone, would make a {what}");
                return Err(ItemFlaw::text(message));
            }
        }
        Ok(())
    }

    /// Adds tags that the request gives beside the text.
    pub(crate) fn with_tags(mut self, tags: &[String]) -> Result<Self, ItemFlaw> {
        self.tags.add(tags);
        let first = self.lines.first().map_or("", String::as_str);
        if let Some(tag) = self.tags.flawed() {
            return Err(ItemFlaw::lifetime(tag));
        }
        match reads_as(self.checkbox.as_deref(), &self.tags, first) {
            true => Ok(self),
            false => Err(ItemFlaw::argument("the text would not be read back with its checkbox and tags")),
        }
    }

    /// Returns how many lines the content has: one at least.
    pub(crate) fn line_count(&self) -> usize {
        self.lines.len().max(1)
    }

    /// Returns the content as keys and comparisons see it.
    pub(crate) fn folded_content(&self) -> &str {
        &self.folded
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
            *first = [&prefix.to_string(), &head(self.checkbox.as_deref(), &self.tags), first.as_str()].concat();
        }
        lines
    }
}

/// What stands before a bullet's checkbox, tags and content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prefix {
    pub(crate) indentation: String,
    pub(crate) marker: String,
    pub(super) space: String,
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.indentation, self.marker, self.space)
    }
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

/// Returns what stands before the content of a bullet.
pub(crate) fn prefix_of(bullet: BulletRef<'_>) -> Prefix {
    let space = bullet_line(bullet.line_text()).map_or("", |line| line.space);
    Prefix {
        indentation: bullet.indentation().of(bullet.doc().text()).to_owned(),
        marker: bullet.marker().to_owned(),
        // As in CommonMark: five spaces behind a marker are one, and indented code.
        space: if (1..=4).contains(&space.len()) { space.to_owned() } else { " ".to_owned() },
    }
}

/// Returns what stands before the content of the first child of a bullet: two columns more, or as
/// many as the marker takes; the marker is the parent's, or `-` where that is a number, which would
/// begin a count that nobody asked for.
pub(crate) fn below(parent: BulletRef<'_>) -> Prefix {
    let parent = prefix_of(parent);
    Prefix {
        indentation: parent.below(),
        marker: if is_ordered(&parent.marker) { "-".to_owned() } else { parent.marker },
        space: " ".to_owned(),
    }
}

/// Returns the lines of a bullet with all that belongs to it, with another prefix. The lines below keep their white
/// space if each then stands as many columns from the bullet as before. Tabs may prevent that: then all of them are
/// indented by spaces.
pub(super) fn moved_lines(bullet: BulletRef<'_>, prefix: &Prefix) -> Vec<String> {
    let text = bullet.doc().text();
    let first = bullet_line(bullet.line_text()).map_or("", |line| line.rest);
    let below = Span::new(bullet.line.end(), bullet.extent.end());
    let mut lines = vec![format!("{prefix}{first}")];
    let shifted = Line::all_within(text, below).map(|line| shifted(bullet, line.text.of(text), prefix));
    match shifted.collect::<Option<Vec<_>>>() {
        Some(shifted) => lines.extend(shifted),
        None => lines.extend(set_in(bullet, below, prefix)),
    }
    lines
}

/// Returns a line that belongs to a bullet, with the indentation of `prefix` in place of the bullet's; `None` if it
/// would then stand more or fewer columns from the bullet.
fn shifted(bullet: BulletRef<'_>, line: &str, prefix: &Prefix) -> Option<String> {
    if is_blank(line) {
        return Some(line.to_owned());
    }
    let own = bullet.indentation().of(bullet.doc().text());
    let shifted = [&prefix.indentation, line.strip_prefix(own)?].concat();
    let is_as_far = columns(&shifted) + columns(own) == columns(&prefix.indentation) + columns(line);
    is_as_far.then_some(shifted)
}

/// Returns the lines of `span`, which belong to a bullet, below `prefix`, indented by spaces. Each keeps its distance
/// in columns from the marker of its innermost bullet, but stands at least two columns deeper: a tab may be only one
/// column wide.
fn set_in(bullet: BulletRef<'_>, span: Span, prefix: &Prefix) -> Vec<String> {
    let (doc, text) = (bullet.doc(), bullet.doc().text());
    let mut spaces_before = HashMap::new();
    let set_in = |line: Line| {
        let (at, line) = (line.full.start(), line.text.of(text));
        if is_blank(line) {
            return line.to_owned();
        }
        let begun: Option<BulletRef<'_>> = doc.starting_at(at);
        let owner = begun.map_or_else(|| doc.bullet_at(at), BulletRef::parent).unwrap_or(bullet);
        let deeper = columns(line).saturating_sub(columns(owner.indentation().of(text))).max(2);
        let spaces = spaces_before.get(&owner).copied().unwrap_or(0) + deeper;
        spaces_before.extend(begun.map(|inner| (inner, spaces)));
        [&prefix.indentation, &" ".repeat(spaces), line.trim_start_matches([' ', '\t'])].concat()
    };
    Line::all_within(text, span).map(set_in).collect()
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
        assert_eq!(item.tags.iter().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(item.lines, ["one", "two", "  three"]);
        assert_eq!(item.bullet_lines(&Prefix::plain()), ["- [x] [a, b] one", "  two", "    three"]);
    }

    #[test]
    fn what_only_begins_like_a_marker_or_a_prefix_is_content() {
        for text in ["12. März: Umzug", "1. FC Köln", "+ 5 %", "-5 °C", "12| - x", "coffee|tea"] {
            assert_eq!(read(text).map(|item| item.lines), Ok(vec![text.to_owned()]), "{text}");
        }
        for text in ["- 5 °C", "- - 5 °C", "* ~5"] {
            assert_eq!(read(text).map_err(|flaw| flaw.code), Err(Code::InvalidArguments), "{text}");
        }
        assert_eq!(
            read("f:\n\tg\n    h").map(|item| item.lines),
            Ok(["f:", "\tg", "    h"].map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn a_text_that_is_more_than_one_bullet_is_refused() {
        for text in [" \n", "- [a]", "```", "x\n# a", "x\n- a", "x\n2. a", "x\n---", "x\nA: (ID: b)"] {
            assert_eq!(read(text).map_err(|flaw| flaw.code), Err(Code::InvalidText), "{text}");
        }
    }
}
