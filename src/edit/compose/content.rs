//! The content of a bullet that stands in a document: what it takes to write another in its place.

use std::collections::HashMap;

use super::super::Promise;
use super::prefix::{Prefix, prefix_of};
use super::{Item, replacing_lines};
use crate::document::{BulletRef, bullet_start, columns};
use crate::text::{Line, Lines, Span, is_blank};

/// Returns the splices that write `item` over the content of a bullet; none if it reads so already.
///
/// Marker and children stay; checkbox and tags too, unless the item brings its own. Lines of the old content behind
/// children go.
pub(super) fn updating(bullet: BulletRef<'_>, item: &Item) -> Vec<(Span, String, Promise)> {
    let text = bullet.doc().text();
    let line = Line::holding(text, bullet.line.start());
    let marks = written_marks(bullet, item);
    let keeps_marks = marks == bullet.marks().of(text);
    let start = if keeps_marks { bullet.first_text().start() } else { bullet.marks().start() };
    let mut gaps = gaps(bullet).into_iter();
    let first = gaps.next().unwrap_or(bullet.line);
    let replaced: Vec<Line> = Lines::within(text, first).collect();
    let last = replaced.iter().rposition(|line| !is_blank(line.text.of(text))).unwrap_or(0);
    let replaced = replaced.get(..=last).unwrap_or_default();
    let lines = item.content_lines(&prefix_of(bullet));
    let written = replacing_lines(bullet.doc(), replaced, &lines);
    let end = replaced.last().map_or(line.text.end(), |line| line.text.end());
    let ending = replaced.last().map_or("", |line| line.ending().as_str());
    let marker_end = bullet.marker.end();
    let space = if start == marker_end { " " } else { "" };
    let marks = if keeps_marks { "" } else { marks.as_str() };
    let written = [space, marks, written.strip_suffix(ending).unwrap_or(&written)].concat();
    let mut splices = Vec::new();
    if let Some(marker) = item.marker.as_ref().filter(|marker| *marker != bullet.marker()) {
        splices.push((bullet.marker, marker.clone(), Promise::Marker));
    }
    if Span::new(start, end).of(text) != written {
        splices.push((Span::new(start, end), written, Promise::Content));
    }
    let is_content = |gap: &Span| !is_blank(gap.of(text).trim());
    splices.extend(gaps.filter(is_content).map(|gap| (gap, String::new(), Promise::Content)));
    splices
}

/// Returns checkbox and tags as they stand behind the marker afterwards, with the white space behind them.
fn written_marks(bullet: BulletRef<'_>, item: &Item) -> String {
    let text = bullet.doc().text();
    let own_end = if bullet.tags_span().is_empty() { bullet.first_text().start() } else { bullet.tags_span().start() };
    let checkbox = match (&item.checkbox, bullet.checkbox_span()) {
        (Some(new), Some(old)) => [new, Span::new(old.end(), own_end).of(text)].concat(),
        (Some(new), None) => format!("{new} "),
        (None, Some(old)) => Span::new(old.start(), own_end).of(text).to_owned(),
        (None, None) => String::new(),
    };
    let spaced = |marks: String| if marks.is_empty() || marks.ends_with([' ', '\t']) { marks } else { marks + " " };
    let tags = match item.has_tags() {
        true => item.written_tags(),
        false if bullet.tags_span().is_empty() => String::new(),
        false => Span::new(bullet.tags_span().start(), bullet.first_text().start()).of(text).to_owned(),
    };
    spaced(spaced(checkbox) + &tags)
}

/// Returns the parts of a bullet that belong to none of its children: from its first line to the first child, between
/// children, behind the last.
fn gaps(bullet: BulletRef<'_>) -> Vec<Span> {
    let children = bullet.children().map(|child| child.extent);
    let starts = std::iter::once(bullet.line.start()).chain(children.clone().map(Span::end));
    let ends = children.map(Span::start).chain(std::iter::once(bullet.extent.end()));
    starts.zip(ends).map(|(start, end)| Span::new(start, end)).collect()
}

/// Returns the lines of a bullet with all that belongs to it, behind another prefix. Each is in the same characters as far from
/// the bullet as it was, where all come out so, which tabs may prevent; else each is set in by spaces below what it belongs to.
pub(super) fn moved_lines(bullet: BulletRef<'_>, prefix: &Prefix) -> Vec<String> {
    let text = bullet.doc().text();
    let first = bullet_start(bullet.line_text()).and_then(|start| bullet.line_text().get(start.rest..));
    let below = Span::new(bullet.line.end(), bullet.extent.end());
    let mut lines = vec![format!("{prefix}{}", first.unwrap_or_default())];
    let shifted = Lines::within(text, below).map(|line| shifted(bullet, line.text.of(text), prefix));
    match shifted.collect::<Option<Vec<_>>>() {
        Some(shifted) => lines.extend(shifted),
        None => lines.extend(set_in(bullet, below, prefix)),
    }
    lines
}

/// Returns a line that belongs to a bullet behind the indentation of another one, if it is then as far from it in columns.
fn shifted(bullet: BulletRef<'_>, line: &str, prefix: &Prefix) -> Option<String> {
    if is_blank(line) {
        return Some(line.to_owned());
    }
    let own = bullet.indentation().of(bullet.doc().text());
    let shifted = [&prefix.indentation, line.strip_prefix(own)?].concat();
    let is_as_far = columns(&shifted) + columns(own) == columns(&prefix.indentation) + columns(line);
    is_as_far.then_some(shifted)
}

/// Returns the lines of `span`, which belong to a bullet, below `prefix`: each by as many spaces farther in than the marker of the
/// innermost bullet that it belongs to as it was by columns, but two at least. A tab that sets a line in may be one column wide.
fn set_in(bullet: BulletRef<'_>, span: Span, prefix: &Prefix) -> Vec<String> {
    let (doc, text) = (bullet.doc(), bullet.doc().text());
    let mut spaces_before = HashMap::new();
    let set_in = |line: Line| {
        let (at, line) = (line.full.start(), line.text.of(text));
        if is_blank(line) {
            return line.to_owned();
        }
        let begun = doc.bullet_at(at).filter(|inner| inner.line.start() == at);
        let owner = begun.map_or_else(|| doc.bullet_at(at), BulletRef::parent).unwrap_or(bullet);
        let deeper = columns(line).saturating_sub(columns(owner.indentation().of(text))).max(2);
        let spaces = spaces_before.get(&owner).copied().unwrap_or(0) + deeper;
        spaces_before.extend(begun.map(|inner| (inner, spaces)));
        [&prefix.indentation, &" ".repeat(spaces), line.trim_start_matches([' ', '\t'])].concat()
    };
    Lines::within(text, span).map(set_in).collect()
}
