//! What a replacement writes: only lines that differ, with the characters and the endings of the place.

use std::ops::Range;

use super::super::graft::graft;
use crate::document::{BulletRef, MemoryDoc, bullet_line, checkbox};
use crate::edit::compose::replacing_lines;
use crate::locate::{Found, Leniency};
use crate::text::{Line, Span, differing, is_blank};

/// Replaces the occurrence of `old` at `span` by `new`: returns the bytes that go, each with what comes for them.
pub(super) fn replaced(doc: &MemoryDoc, span: Span, old: &str, new: &str) -> Found<Vec<(Span, String)>> {
    let there = span.of(doc.text());
    if new.is_empty() {
        // Whole lines go, or a bullet that would be left empty.
        let lines = whole_lines(doc, span).map(Found::exactly);
        let healed = |bullet: BulletRef<'_>| Found { at: bullet.line, healed: vec![Leniency::EmptyBullet] };
        let gone = lines.or_else(|| emptied_bullet(doc, span).map(healed)).unwrap_or(Found::exactly(span));
        return gone.map(|gone| vec![(gone, String::new())]);
    }
    let [bare, old, new] = [there, old, new].map(|text| text.replace("\r\n", "\n"));
    // Where the last line's ending is not there, none is written in its place either.
    let written = match old.strip_suffix('\n').filter(|_| !there.ends_with('\n')) {
        Some(old) => graft(&bare, old, new.strip_suffix('\n').unwrap_or(&new)),
        None => graft(&bare, &old, &new),
    };
    Found::exactly(changes(doc, span, bare, written))
}

/// Returns the changes that write `new` over `old`, which stands at `span`; lines end at LF in both. Lines that stay are not
/// written, and the others end as those that they replace, or as the one before them.
fn changes(doc: &MemoryDoc, span: Span, mut old: String, mut new: String) -> Vec<(Span, String)> {
    let [first, last] = [span.start(), span.end()].map(|at| doc.lines().index_at(at));
    let (mut end, last) = (span.end(), doc.line(last));
    let has_lines = old.contains('\n') || new.contains('\n');
    // A whole last line is compared with its ending. What begins with an ending may stand there again right behind it.
    if has_lines && last.text.end() == end && !last.ending().is_empty() && !old.starts_with('\n') {
        old.push('\n');
        new.push('\n');
        end = last.full.end();
    }
    let [olds, news] = [&old, &new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let at = |line: usize| if line == 0 { span.start() } else { doc.lines().start(first + line).min(end) };
    let change = |(gone, come): (Range<usize>, Range<usize>)| {
        let come = news.get(come).unwrap_or_default();
        let is_whole = |line: &&str| line.ends_with('\n');
        let goes_on = !olds.get(gone.clone()).unwrap_or_default().last().is_none_or(is_whole);
        let mut lines: Vec<_> = come.iter().map(|line| line.trim_end_matches('\n')).collect();
        // What goes on behind the last line keeps the ending.
        let rest = if come.last().is_none_or(is_whole) { None } else { lines.pop() };
        let kept = usize::from(goes_on || rest.is_some() && !gone.is_empty());
        let written = replacing_lines(doc, &(first + gone.start..first + gone.end - kept), &lines);
        let gone = Span::new(at(gone.start), at(gone.end));
        behind_same_line(gone.start(), gone.of(doc.text()), &(written + rest.unwrap_or_default()))
    };
    differing(&olds, &news).into_iter().map(change).collect()
}

/// Leaves out a line at the beginning of both that differs in its ending only.
fn behind_same_line(start: usize, gone: &str, come: &str) -> (Span, String) {
    let [line, new] = [gone, come].map(|text| Line::starting_at(text, 0).text.of(text));
    let kept = if line == new { line.len() } else { 0 };
    (Span::new(start + kept, start + gone.len()), come.get(kept..).unwrap_or_default().to_owned())
}

/// Returns the whole lines, endings included, that an occurrence takes up; what stands before a bullet's marker is no text.
fn whole_lines(doc: &MemoryDoc, span: Span) -> Option<Span> {
    let first = doc.line_start(doc.lines().index_at(span.start()));
    let last = Line::holding(doc.text(), span.end().saturating_sub(1).max(span.start()));
    let bullet = doc.bullet_at(span.start());
    let begins_line = first == span.start() || bullet.is_some_and(|bullet| bullet.marker.start() == span.start());
    (begins_line && last.text.end() == span.end()).then(|| Span::new(first, last.full.end()))
}

/// Returns the bullet, without tags and children, of which nothing but the marker and a checkbox would be left.
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
