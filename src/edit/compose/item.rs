//! [`Item`]: the text of a bullet as a request sends it, read into checkbox, tags and lines, and written for its list.
//! [`Prefix`]: the indentation, marker and space before a bullet's text.
//!
//! These parts of the text are dropped: at its beginning, the view prefix of the line that is replaced, and a marker
//! that clearly stands for the list's own; on later lines, the indentation that such a marker requires.

use std::collections::HashMap;
use std::fmt;

use thiserror::Error;

use super::Tags;
use super::tags::{head, reads_as};
use crate::document::{
    BulletRef, ItemText, block_line, bullet_line, columns, fence_open, heading, is_ordered, is_setext_underline,
    numbered, without_columns,
};
use crate::locate::{Code, Leniency, NodeKind, ViewPrefixes, may_be_signed};
use crate::text::{Content, Line, Span, fold_white_space, is_blank};

/// A bullet that is to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Item {
    /// Its number, in a list whose numbers are content.
    pub(crate) marker: Option<String>,
    /// The checkbox at the beginning of the text.
    pub(crate) checkbox: Option<String>,
    /// The tags at the beginning of the text.
    pub(crate) tags: Tags,
    /// The lines of the content; the first is not empty.
    lines: Vec<String>,
    /// The content with white space folded, in which keys and comparisons use it.
    pub(crate) folded_content: String,
    /// The leniencies for what was dropped from the beginning of the text.
    pub(crate) healed: Vec<Leniency>,
    /// The number at the beginning of the text, in a list whose numbers are not content.
    pub(super) number: Option<usize>,
}

/// What must be known of a place to read the text of a bullet for it.
#[derive(Clone, Debug)]
pub(crate) struct BulletPlace {
    /// The marker that the bullet has or gets.
    pub(crate) marker: String,
    /// The view prefixes of the line that is replaced.
    pub(crate) prefixes: Option<ViewPrefixes>,
    /// Whether the list is ordered but does not count, so that a number at the beginning of the text is content.
    pub(crate) has_own_number: bool,
}

/// Why a text cannot be the content of one bullet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ItemFlaw {
    /// `invalid_text` if the text is not one bullet; `invalid_arguments` if it has two meanings, or a tag has no valid
    /// value.
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

    /// The flaw of a lifetime tag whose value cannot be parsed, or that is one too many.
    pub(crate) fn lifetime(tag: &str) -> Self {
        Self::argument(format!(
            "`[{tag}]`: expected one end, `ttl: 7d` (s, m, h, d or w) or a date such as `expires: 2026-12-31`"
        ))
    }
}

impl BulletPlace {
    /// The place of the first bullet of a list.
    pub(crate) fn plain() -> Self {
        Self { marker: Prefix::plain().marker, prefixes: None, has_own_number: false }
    }

    /// Splits the marker at the beginning of a text from the rest. The marker is returned if it is a number that is
    /// content; otherwise it stands for the list's own marker, and is dropped. `None` if the text begins with no
    /// marker.
    fn marker_of<'t>(&self, text: &'t str) -> Result<Option<(Option<&'t str>, &'t str)>, ItemFlaw> {
        let Some((marker, rest)) = bullet_line(text).map(|line| (line.marker, line.rest)) else { return Ok(None) };
        let number = |marker: &str| numbered(marker).map(|(number, _)| number);
        if is_ordered(marker) {
            let is_own = self.has_own_number || number(marker) == number(&self.marker);
            return Ok(is_own.then(|| (self.has_own_number.then_some(marker), rest)));
        }
        if rest.is_empty() || !may_be_signed(rest) {
            return Ok(Some((None, rest)));
        }
        let is_marker = matches!(marker, "-" | "*") || marker == self.marker;
        let unclear = format!("`{marker}` at the beginning of the text may be a marker, or the sign of a number");
        if is_marker { Err(ItemFlaw::argument(unclear)) } else { Ok(None) }
    }
}

impl Item {
    /// Reads the text of a request for its place.
    pub(crate) fn read(text: &str, place: &BulletPlace) -> Result<Self, ItemFlaw> {
        let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        let empty = || ItemFlaw::text("the text has no content");
        let [first, others @ ..] = without_blank_ends(&lines) else { return Err(empty()) };
        let mut item = Self::default();
        let unprefixed = place.prefixes.as_ref().and_then(|prefixes| prefixes.strip(first));
        item.healed.extend(unprefixed.map(|_| Leniency::ViewPrefix));
        let whole = unprefixed.unwrap_or(first);
        let rest = whole.trim_start_matches([' ', '\t']);
        item.number =
            bullet_line(rest).filter(|_| !place.has_own_number).and_then(|line| Some(numbered(line.marker)?.0));
        let (number, unmarked) = place.marker_of(rest)?.unzip();
        item.healed.extend(number.as_ref().filter(|number| number.is_none()).map(|_| Leniency::BulletForm));
        item.marker = number.flatten().map(str::to_owned);
        // The indentation that the marker in the text requires of the lines below it.
        let below = unmarked.map_or(0, |rest| columns(whole) + (place.marker.len() + 1).min(whole.len() - rest.len()));
        let ItemText { checkbox, tags, content } = ItemText::of(unmarked.unwrap_or(rest));
        item.checkbox = Some(checkbox.to_owned()).filter(|checkbox| !checkbox.is_empty());
        item.tags = Tags::read(tags);
        // A marker alone, behind another marker or a checkbox, would be a nested bullet without content.
        if is_blank(bullet_line(content).filter(|line| !is_ordered(line.marker)).map_or(content, |line| line.rest)) {
            return Err(empty());
        }
        item.lines.push(content.to_owned());
        item.lines.extend(others.iter().map(|line| without_columns(line, below).to_owned()));
        item.check()?;
        item.folded_content = fold_white_space(&item.lines.join("\n")).into_owned();
        item.tags.check_lifetime()?;
        Ok(item)
    }

    /// Returns true if the number at the beginning of the text was not read as what it is to a new bullet that gets
    /// `number`: the marker if it is that number, else content.
    pub(super) fn misreads(&self, number: usize) -> bool {
        self.number.is_some_and(|own| (own == number) != self.healed.contains(&Leniency::BulletForm))
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
                return Err(ItemFlaw::text(format!("line {line} of the text, taken alone, would make a {what}")));
            }
        }
        Ok(())
    }

    /// Adds tags that the request gives in an argument of their own.
    pub(crate) fn with_tags(mut self, tags: &[String]) -> Result<Self, ItemFlaw> {
        self.tags.add(tags);
        self.tags.check_lifetime()?;
        let first = self.lines.first().map_or("", String::as_str);
        if reads_as(self.checkbox.as_deref(), &self.tags, first) {
            return Ok(self);
        }
        Err(ItemFlaw::argument("the text would not be read back with its checkbox and tags"))
    }

    /// Returns the number of lines of the content, at least one.
    pub(crate) fn line_count(&self) -> usize {
        self.lines.len().max(1)
    }

    /// Returns the lines of the content. All but the first are indented as lines below `prefix`.
    pub(super) fn content_lines(&self, prefix: &Prefix) -> Vec<String> {
        let indentation = prefix.below();
        let line = |(nth, line): (usize, &String)| match nth {
            0 => line.clone(),
            _ if is_blank(line) => String::new(),
            _ => [&indentation, line.as_str()].concat(),
        };
        self.lines.iter().enumerate().map(line).collect()
    }

    /// Returns the lines of the bullet, the first after `prefix`.
    pub(super) fn bullet_lines(&self, prefix: &Prefix) -> Vec<String> {
        let mut lines = self.content_lines(prefix);
        if let Some(first) = lines.first_mut() {
            *first = [&prefix.to_string(), &head(self.checkbox.as_deref(), &self.tags), first.as_str()].concat();
        }
        lines
    }
}

/// Returns lines without the blank ones at both ends.
pub(crate) fn without_blank_ends<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let start = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !is_blank(line)).map_or(start, |last| last + 1);
    lines.get(start..end).unwrap_or_default()
}

/// The indentation, marker and space before a bullet's checkbox, tags and content.
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
    /// The prefix of the first bullet of a new list.
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

/// Returns the prefix of a bullet.
pub(crate) fn prefix_of(bullet: BulletRef<'_>) -> Prefix {
    let space = bullet_line(bullet.line_text()).map_or("", |line| line.space);
    Prefix {
        indentation: bullet.indentation().of(bullet.doc().text()).to_owned(),
        marker: bullet.marker().to_owned(),
        // As in CommonMark: five or more spaces after a marker count as one space and indented code.
        space: if (1..=4).contains(&space.len()) { space.to_owned() } else { " ".to_owned() },
    }
}

/// Returns the prefix for the first child of a bullet. It is indented by the width of the parent's marker, at least two
/// columns. The marker is the parent's; `-` if that is a number, because nobody asked for a numbered list.
pub(crate) fn below(parent: BulletRef<'_>) -> Prefix {
    let parent = prefix_of(parent);
    Prefix {
        indentation: parent.below(),
        marker: if is_ordered(&parent.marker) { "-".to_owned() } else { parent.marker },
        space: " ".to_owned(),
    }
}

/// Returns the lines of a bullet and its children, with another prefix. The lines below the first keep their white
/// space, if each of them then has the same distance in columns from the bullet as before. If tabs prevent that, all of
/// them are indented by spaces.
pub(super) fn moved_lines(bullet: BulletRef<'_>, prefix: &Prefix) -> Vec<String> {
    let text = bullet.doc().text();
    let first = bullet_line(bullet.line_text()).map_or("", |line| line.rest);
    let below = Span::new(bullet.line.end(), bullet.extent.end());
    let mut lines = vec![format!("{prefix}{first}")];
    let shifted = Line::texts_within(text, below).map(|line| shifted(bullet, line, prefix));
    match shifted.collect::<Option<Vec<_>>>() {
        Some(shifted) => lines.extend(shifted),
        None => lines.extend(indented_by_spaces(bullet, below, prefix)),
    }
    lines
}

/// Returns a line of a bullet with the indentation of `prefix` in place of the bullet's. `None` if its distance in
/// columns from the bullet would change.
fn shifted(bullet: BulletRef<'_>, line: &str, prefix: &Prefix) -> Option<String> {
    if is_blank(line) {
        return Some(line.to_owned());
    }
    let own = bullet.indentation().of(bullet.doc().text());
    let shifted = [&prefix.indentation, line.strip_prefix(own)?].concat();
    let is_as_far = columns(&shifted) + columns(own) == columns(&prefix.indentation) + columns(line);
    is_as_far.then_some(shifted)
}

/// Returns the lines of `span`, which belong to a bullet, indented by spaces below `prefix`. Each keeps its distance in
/// columns from the marker of its innermost bullet, but is at least two columns deeper: with a tab, it may have been
/// only one.
fn indented_by_spaces(bullet: BulletRef<'_>, span: Span, prefix: &Prefix) -> Vec<String> {
    let (doc, text) = (bullet.doc(), bullet.doc().text());
    let mut spaces_before = HashMap::new();
    let indented = |line: Line| {
        let (at, line) = (line.full.start(), line.text.of(text));
        if is_blank(line) {
            return line.to_owned();
        }
        let child: Option<BulletRef<'_>> = doc.starting_at(at);
        let owner = child.map_or_else(|| doc.bullet_at(at), BulletRef::parent).unwrap_or(bullet);
        let deeper = columns(line).saturating_sub(columns(owner.indentation().of(text))).max(2);
        let spaces = spaces_before.get(&owner).copied().unwrap_or(0) + deeper;
        spaces_before.extend(child.map(|child| (child, spaces)));
        [&prefix.indentation, &" ".repeat(spaces), line.trim_start_matches([' ', '\t'])].concat()
    };
    Line::all_within(text, span).map(indented).collect()
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
    fn a_marker_alone_is_no_content() {
        for text in ["- ", "-", "*", "[ ] -", "-\nx"] {
            assert_eq!(read(text).map_err(|flaw| flaw.code), Err(Code::InvalidText), "{text}");
        }
        for text in ["12.", "C++", "–"] {
            assert_eq!(read(text).map(|item| item.lines), Ok(vec![text.to_owned()]), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_more_than_one_bullet_is_refused() {
        for text in [" \n", "- [a]", "```", "x\n# a", "x\n- a", "x\n2. a", "x\n---", "x\nA: (ID: b)"] {
            assert_eq!(read(text).map_err(|flaw| flaw.code), Err(Code::InvalidText), "{text}");
        }
    }
}
