//! What a replacement writes: only lines that differ, with the characters and the endings of the place.

use crate::document::{BulletRef, MemoryDoc, bullet_line, checkbox};
use crate::edit::compose::last_ending_before;
use crate::edit::line_splices;
use crate::locate::{Found, Leniency, graft};
use crate::text::{Line, Span, is_blank};

/// Replaces the occurrence of `old` at `span` by `new`: returns the bytes that go, each with what comes for them.
pub(super) fn replaced(doc: &MemoryDoc, span: Span, mut old: &str, mut new: &str) -> Found<Vec<(Span, String)>> {
    let there = span.of(doc.text());
    if new.is_empty() {
        return removed(doc, span).map(|gone| vec![(gone, String::new())]);
    }
    // As the last line ends that is replaced; one without an ending as the one before it.
    let ending = last_ending_before(doc, doc.line_start(doc.lines().index_at(span.end().saturating_sub(1)) + 1));
    // Where the last line's ending is not there, none is written in its place either.
    if let Some(rest) = old.strip_suffix('\n').filter(|_| !there.ends_with('\n')) {
        (old, new) = (rest, new.strip_suffix('\n').unwrap_or(new));
    }
    let written = graft(there, old, new, ending);
    // By lines, so that lines which stay are not written.
    let splices = line_splices(there, &written).into_iter();
    let splices = splices.map(|(gone, come)| behind_same_line(span.start() + gone.start(), gone.of(there), come));
    Found::exactly(splices.collect())
}

/// Returns the bytes that go with an occurrence for which nothing comes: whole lines, or a bullet that would be left empty.
fn removed(doc: &MemoryDoc, span: Span) -> Found<Span> {
    if let Some(lines) = whole_lines(doc, span) {
        return Found::exactly(lines);
    }
    match emptied_bullet(doc, span) {
        Some(bullet) => Found { at: bullet.line, healed: vec![Leniency::EmptyBullet] },
        None => Found::exactly(span),
    }
}

/// Leaves out a line at the beginning of both that differs in its ending only.
fn behind_same_line(start: usize, gone: &str, come: &str) -> (Span, String) {
    let length = gone.chars().zip(come.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum::<usize>();
    let (gone_rest, come_rest) = (gone.get(length..).unwrap_or_default(), come.get(length..).unwrap_or_default());
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n");
    let kept = if is_end(gone_rest) && is_end(come_rest) { length } else { 0 };
    (Span::new(start + kept, start + gone.len()), come.get(kept..).unwrap_or_default().to_owned())
}

/// Returns the whole lines, endings included, that an occurrence takes up; what stands before a bullet's marker is no text.
fn whole_lines(doc: &MemoryDoc, span: Span) -> Option<Span> {
    let (table, text) = (doc.lines(), doc.text());
    let first = doc.line_start(table.index_at(span.start()));
    let last = table.line(text, table.index_at(span.end().saturating_sub(1).max(span.start())));
    let bullet = doc.bullet_at(span.start());
    let begins_line = first == span.start() || bullet.is_some_and(|bullet| bullet.marker.start() == span.start());
    (begins_line && last.text.end() == span.end()).then(|| Span::new(first, last.full.end()))
}

/// Returns the bullet, without tags and children, of which nothing but the marker and a checkbox would be left.
fn emptied_bullet(doc: &MemoryDoc, span: Span) -> Option<BulletRef<'_>> {
    let is_alone = |bullet: &BulletRef<'_>| bullet.extent == bullet.line && bullet.tags().is_empty();
    let bullet = doc.bullet_at(span.start()).filter(is_alone).filter(|bullet| bullet.line.covers(span))?;
    let line = doc.without_mark(Line::of(doc.text(), bullet.line).text);
    let behind = Span::new(span.end().min(line.end()), line.end());
    let left = [Span::new(line.start(), span.start()).of(doc.text()), behind.of(doc.text())].concat();
    let rest = bullet_line(&left)?.rest;
    let rest = rest.get(checkbox(rest).unwrap_or_default().0..)?;
    (is_blank(rest) && !is_blank(span.of(doc.text()))).then_some(bullet)
}
