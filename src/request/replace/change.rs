//! What a replacement writes: only lines that differ, with the characters and the endings of the place.

use super::super::graft::graft;
use crate::document::{BulletRef, MemoryDoc, bullet_line, checkbox};
use crate::edit::compose::last_ending_before;
use crate::edit::line_splices;
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
    let (span, written) = with_endings(doc, span, &written);
    let there = span.of(doc.text());
    // By lines, so that lines which stay are not written.
    let splices = line_splices(there, &written).into_iter();
    let splices = splices.map(|(gone, come)| behind_same_line(span.start() + gone.start(), gone.of(there), come));
    Found::exactly(splices.collect())
}

/// Returns the text to write for `written`, with the line endings of the place, and the span that it replaces.
///
/// A line keeps the ending of the line that it [stands for](partners). Another one ends as the line before it, or as
/// the line after if none is before. A line that is divided ends as it did. If the last lines go and nothing comes for
/// them, their ending goes with them, not that of the line above: the span is then longer by it.
fn with_endings(doc: &MemoryDoc, span: Span, written: &str) -> (Span, String) {
    let there = span.of(doc.text()).replace("\r\n", "\n");
    let [first, last] = [span.start(), span.end()].map(|at| doc.lines().index_at(at));
    if !there.contains('\n') {
        // A line without an ending of its own ends as the one before it.
        return (span, written.replace('\n', last_ending_before(doc, doc.line_start(first + 1))));
    }
    // Whole lines are compared.
    let (first_line, last_line) = (doc.line(first), doc.line(last));
    let before = Span::new(first_line.full.start(), span.start()).of(doc.text());
    let mut ending =
        if before.is_empty() { last_ending_before(doc, first_line.full.start()) } else { first_line.ending() };
    let behind = doc.text().get(span.end()..last_line.text.end()).unwrap_or_default();
    let [old, new] = [&*there, written].map(|text| [before, text, behind].concat());
    let partners = partners(&old.split('\n').collect::<Vec<_>>(), &new.split('\n').collect::<Vec<_>>());
    let mut text = String::with_capacity(written.len());
    for (nth, (line, partner)) in written.split('\n').zip(&partners).enumerate() {
        text.push_str(if nth > 0 { ending } else { "" });
        text.push_str(line);
        let own = partner.map_or("", |partner| doc.line(first + partner).ending());
        ending = if own.is_empty() { ending } else { own };
    }
    let is_before_gone = partners.last().is_some_and(|partner| partner.is_some_and(|partner| first + partner < last));
    let is_another = last_line.text.end() == span.end() && !["", ending].contains(&last_line.ending());
    // What begins with an ending may stand there again right behind it.
    if is_before_gone && is_another && !there.starts_with('\n') {
        return (Span::new(span.start(), last_line.full.end()), text + ending);
    }
    (span, text)
}

/// Returns for each new line the old line that it stands for, if there is one. An equal line stands for it. Among lines
/// that differ, each stands for the one in its place if there are as many new as old ones; else the last new one stands
/// for the last old one.
fn partners(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let mut partners = Vec::with_capacity(new.len());
    let mut next = 0;
    for (gone, come) in differing(old, new) {
        partners.extend((next..gone.start).map(Some));
        let (is_alike, last) = (gone.len() == come.len(), gone.clone().last());
        let of_last = |new: usize| last.filter(|_| new + 1 == come.end);
        let pairs = come.clone().zip(gone.start..);
        partners.extend(pairs.map(|(new, old)| if is_alike { Some(old) } else { of_last(new) }));
        next = gone.end;
    }
    partners.extend((next..old.len()).map(Some));
    partners
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
    let line = doc.without_mark(Line::of(doc.text(), bullet.line).text);
    let behind = Span::new(span.end().min(line.end()), line.end());
    let left = [Span::new(line.start(), span.start()).of(doc.text()), behind.of(doc.text())].concat();
    let rest = bullet_line(&left)?.rest;
    let rest = rest.get(checkbox(rest).unwrap_or_default().0..)?;
    (is_blank(rest) && !is_blank(span.of(doc.text()))).then_some(bullet)
}
