//! Numbers of ordered lists that a patch puts out of sequence: they are written as they were sent, and told of.

use super::by_number::by_number;
use super::{DocumentPatch, Hunk, HunkLine, LineOp, Patch, PatchPart, plan};
use crate::document::{BulletRef, MemoryDoc};
use crate::edit::compose::{out_of_sequence, touches_numbers};
use crate::edit::{Edit, Warning, made};
use crate::text::{Lines, Span};

/// The longest patch that is offered to put numbers right, in characters.
const OFFERED: usize = 500;
/// How many lines it changes at most.
const MOST: usize = 40;
/// How many lines before the first one are shown, where the lines that change do not tell the place.
const CONTEXT: usize = 3;

/// Returns the warning of lists that counted on from 0 or 1 before `edit`, and do not afterwards. Lines that were written behind
/// the place which their numbers name are offered to be moved there: to number them anew would take the error for what was meant.
pub(super) fn warning(doc: &MemoryDoc, edit: &Edit) -> Option<Warning> {
    if !touches_numbers(doc, edit) {
        return None;
    }
    let new = made(doc, edit);
    let moved = out_of_sequence(doc, edit, &new);
    let lines: Vec<usize> = moved.iter().map(|(bullet, _)| bullet.line_number()).collect();
    let is_short = moved.len() <= MOST;
    let sorted = if is_short { by_number(edit, &new, &moved) } else { None };
    let (placed, text) = match sorted {
        Some(sorted) => (sorted.written, Some(sorted.text)),
        None => (Vec::new(), if is_short { numbered(&new, &moved) } else { None }),
    };
    let patch = text.and_then(|text| patch_to(&new, &text)).map(Into::into);
    (!lines.is_empty()).then_some(Warning::Numbering { lines, placed, patch })
}

/// Returns the text in which these bullets have their numbers.
fn numbered(doc: &MemoryDoc, moved: &[(BulletRef<'_>, usize)]) -> Option<String> {
    let mut text = String::with_capacity(doc.text().len());
    let mut read = 0;
    for (bullet, number) in moved {
        let delimiter = bullet.marker().chars().next_back()?;
        text.push_str(Span::new(read, bullet.marker.start()).of(doc.text()));
        text.push_str(&format!("{number}{delimiter}"));
        read = bullet.marker.end();
    }
    text.push_str(Span::new(read, doc.text().len()).of(doc.text()));
    Some(text)
}

/// Returns the patch that makes `text` of a document that has as many lines.
fn patch_to(doc: &MemoryDoc, text: &str) -> Option<String> {
    let lines = Lines::of(doc.text()).zip(Lines::of(text));
    let pairs: Vec<Pair<'_>> = lines.map(|(old, new)| (old.text.of(doc.text()), new.text.of(text))).collect();
    let is_changed = |(old, new): &Pair<'_>| old != new;
    let apart =
        pairs.chunk_by(|a, b| is_changed(a) == is_changed(b)).filter(|run| run.iter().all(is_changed)).collect();
    let first = pairs.iter().position(is_changed)?.saturating_sub(CONTEXT);
    let together = pairs.get(first..=pairs.iter().rposition(is_changed)?)?;
    [apart, vec![together]].into_iter().map(patch_of).find_map(|patch| {
        let reached = plan::plan(patch.documents.first()?, doc).ok()?.apply_to(doc.text());
        Some(patch.to_string()).filter(|patch| reached == text && patch.chars().count() <= OFFERED)
    })
}

/// A line as it is, and as it is to be.
type Pair<'a> = (&'a str, &'a str);

/// Returns the patch with a hunk for each of these runs of lines.
fn patch_of(runs: Vec<&[Pair<'_>]>) -> Patch {
    let line = |op, text: &str| HunkLine { op, text: text.into() };
    let hunk = |run: &[Pair<'_>]| {
        let lines = run.iter().flat_map(|(old, new)| match old == new {
            true => vec![line(LineOp::Context, old)],
            false => vec![line(LineOp::Delete, old), line(LineOp::Add, new)],
        });
        PatchPart::Hunk(Hunk { lines: lines.collect(), ..Hunk::default() })
    };
    let parts = runs.into_iter().map(hunk).collect();
    Patch { documents: vec![DocumentPatch { parts, ..DocumentPatch::default() }], healed: Vec::new() }
}
