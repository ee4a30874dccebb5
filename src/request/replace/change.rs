//! What a replacement writes: only the lines that differ. They keep the characters and line endings of the old text.

use crate::document::{BulletRef, MemoryDoc, bullet_line, checkbox};
use crate::edit::compose::replacing_lines;
use crate::locate::{Found, Leniency};
use crate::request::graft::graft;
use crate::text::{ChangedRange, Line, Span, diff_ranges, is_blank};

/// Replaces the occurrence of `old` at `span` by `new`. Returns the spans that are replaced, each with its new text.
pub(super) fn replaced(doc: &MemoryDoc, span: Span, old: &str, new: &str) -> Found<Vec<(Span, String)>> {
    let there = span.of(doc.text());
    if new.is_empty() {
        // Whole lines are removed with their endings. A bullet that would be left empty is removed as well.
        let lines = whole_lines(doc, span).map(Found::exact);
        let healed = |bullet: BulletRef<'_>| Found { at: bullet.line, healed: vec![Leniency::EmptyBullet] };
        let removed = lines.or_else(|| emptied_bullet(doc, span).map(healed)).unwrap_or(Found::exact(span));
        return removed.map(|removed| vec![(removed, String::new())]);
    }
    let [bare, old, new] = [there, old, new].map(|text| text.replace("\r\n", "\n"));
    // `old` may end in a line break that the document's last line does not have: then none is written either.
    let written = match old.strip_suffix('\n').filter(|_| !there.ends_with('\n')) {
        Some(old) => graft(&bare, old, new.strip_suffix('\n').unwrap_or(&new)),
        None => graft(&bare, &old, &new),
    };
    Found::exact(changes(doc, span, bare, written))
}

/// Returns the changes that turn `old`, the text at `span`, into `new`. Both have LF line endings. Lines that are in both
/// are not written. A new line gets the ending of the line that it replaces, or of the line before it.
fn changes(doc: &MemoryDoc, span: Span, mut old: String, mut new: String) -> Vec<(Span, String)> {
    let [first, last] = [span.start(), span.end()].map(|at| doc.line_index(at));
    let (mut end, last) = (span.end(), doc.line(last));
    let has_lines = old.contains('\n') || new.contains('\n');
    // If the span ends with a whole line, its ending is compared too. Not if `old` begins with a line break: the next
    // occurrence may begin with this ending.
    if has_lines && last.text.end() == end && !last.ending().is_empty() && !old.starts_with('\n') {
        old.push('\n');
        new.push('\n');
        end = last.full.end();
    }
    let [olds, news] = [&old, &new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let at = |line: usize| if line == 0 { span.start() } else { doc.lines().start(first + line).min(end) };
    let change = |ChangedRange { old: removed, new: written }| {
        let written = news.get(written).unwrap_or_default();
        let is_whole = |line: &&str| line.ends_with('\n');
        let goes_on = !olds.get(removed.clone()).unwrap_or_default().last().is_none_or(is_whole);
        let mut lines: Vec<_> = written.iter().map(|line| line.trim_end_matches('\n')).collect();
        // If the last old or new line has no ending here, the text behind it keeps the document's ending.
        let rest = if written.last().is_none_or(is_whole) { None } else { lines.pop() };
        let kept = usize::from(goes_on || rest.is_some() && !removed.is_empty());
        let text = replacing_lines(doc, &(first + removed.start..first + removed.end - kept), &lines);
        let removed = Span::new(at(removed.start), at(removed.end));
        without_same_line(removed, removed.of(doc.text()), &(text + rest.unwrap_or_default()))
    };
    diff_ranges(&olds, &news).into_iter().map(change).collect()
}

/// Returns the change of `old`, the text at `span`, to `new`. If only the ending of the first line differs, that line
/// is left out.
fn without_same_line(span: Span, old: &str, new: &str) -> (Span, String) {
    let [old, first] = [old, new].map(|text| Line::starting_at(text, 0).text.of(text));
    let kept = if old == first { old.len() } else { 0 };
    (Span::new(span.start() + kept, span.end()), new.get(kept..).unwrap_or_default().to_owned())
}

/// Returns the span of the whole lines that an occurrence fills, with their endings; `None` if it does not fill whole
/// lines. The indentation before a bullet's marker does not count.
fn whole_lines(doc: &MemoryDoc, span: Span) -> Option<Span> {
    let first = doc.line_start(doc.line_index(span.start()));
    let last = Line::holding(doc.text(), span.end().saturating_sub(1).max(span.start()));
    let bullet = doc.bullet_at(span.start());
    let begins_line = first == span.start() || bullet.is_some_and(|bullet| bullet.marker.start() == span.start());
    (begins_line && last.text.end() == span.end()).then(|| Span::new(first, last.full.end()))
}

/// Returns the bullet of which only the marker and a checkbox would be left; `None` if it has tags or children.
fn emptied_bullet(doc: &MemoryDoc, span: Span) -> Option<BulletRef<'_>> {
    let is_alone = |bullet: &BulletRef<'_>| bullet.extent == bullet.line && bullet.tags().is_empty();
    let bullet = doc.bullet_at(span.start()).filter(is_alone).filter(|bullet| bullet.line.covers(span))?;
    let line = doc.without_bom(Line::of(doc.text(), bullet.line).text);
    let behind = Span::new(span.end().min(line.end()), line.end());
    let left = [Span::new(line.start(), span.start()).of(doc.text()), behind.of(doc.text())].concat();
    let rest = bullet_line(&left)?.rest;
    let rest = rest.get(checkbox(rest).unwrap_or_default().0..)?;
    (is_blank(rest) && !is_blank(span.of(doc.text()))).then_some(bullet)
}
