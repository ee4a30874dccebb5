//! The content of a bullet that stands in a document: what it takes to write another in its place.

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

/// Returns the lines of a bullet with all that belongs to it, behind another prefix; the rest keeps its place to it.
pub(super) fn moved_lines(bullet: BulletRef<'_>, prefix: &Prefix) -> Vec<String> {
    let text = bullet.doc().text();
    let own = bullet.indentation().of(text);
    let line = |(nth, line): (usize, Line)| {
        let line = line.text.of(text);
        if nth == 0 {
            let rest = bullet_start(line).and_then(|start| line.get(start.rest..)).unwrap_or_default();
            return format!("{prefix}{rest}");
        }
        if is_blank(line) { line.to_owned() } else { reindented(line, own, &prefix.indentation) }
    };
    Lines::within(text, bullet.extent).enumerate().map(line).collect()
}

/// Returns `line` as far from the indentation `new` as it is from `own`, in columns; in the same characters where that comes
/// out right, which tabs may prevent.
fn reindented(line: &str, own: &str, new: &str) -> String {
    let wanted = (columns(new) + columns(line)).saturating_sub(columns(own));
    let same = line.strip_prefix(own).map(|rest| [new, rest].concat());
    let body = line.trim_start_matches([' ', '\t']);
    same.filter(|same| columns(same) == wanted).unwrap_or_else(|| {
        let spaces = " ".repeat(wanted.saturating_sub(columns(new)));
        [new, &spaces, body].concat()
    })
}
