//! The envelope of a patch: what models put around one, and how its first and last lines are misspelled.
//!
//! A fence, a heredoc and words around a patch are no part of it. What looks like a part of it, and
//! stands outside, is an error: nothing that was sent is dropped in silence.

use super::error::PatchError;
use super::marker::{Marker, PatchLine, Word};
use crate::text::{Ending, Line, Lines};

/// The lines of a patch between its Begin and its End line.
#[derive(Debug)]
pub(super) struct Envelope<'a> {
    pub(super) lines: Vec<PatchLine<'a>>,
    /// The number of the line behind the last, for errors.
    pub(super) end: usize,
    /// Whether anything stood around the patch, or a `***` line was misspelled.
    pub(super) is_healed: bool,
}

/// Finds the patch in `text`.
pub(super) fn open(text: &str) -> Result<Envelope<'_>, PatchError> {
    let line = |(line, number): (Line, usize)| PatchLine { number, text: line.text.of(text) };
    let all: Vec<PatchLine<'_>> = Lines::of(text).zip(1..).map(line).collect();
    if let Some(line) = all.iter().find(|line| begins_search_block(line.text)) {
        return Err(line.error(
            "a patch of hunks, not search/replace blocks: the search lines with `-` before them, then the replace \
            lines with `+`",
        ));
    }
    let (begin, end) = (only(&all, Word::BeginPatch)?, only(&all, Word::EndPatch)?);
    if begin.is_some_and(|begin| end.is_none_or(|end| end < begin)) {
        let expected = "`*** End Patch`: without it the patch was cut off, and is not applied";
        return Err(PatchError::at_end(all.len() + 1, expected));
    }
    let opening = all.iter().take_while(|line| is_wrapping(line.text)).count();
    let closing = all.iter().rev().take_while(|line| is_wrapping(line.text)).count();
    let first = begin.map_or(opening, |begin| begin + 1);
    let last = end.unwrap_or(all.len().saturating_sub(closing)).max(first);
    let around = || all.iter().take(begin.unwrap_or(0)).chain(all.iter().skip(end.map_or(all.len(), |end| end + 1)));
    if let Some(line) = around().find(|line| is_part(line.text)) {
        return Err(stray(*line));
    }
    let is_odd = |line: &PatchLine<'_>| Marker::of(line.text).is_some_and(|marker| marker.is_odd);
    let is_healed = begin.is_none()
        || around().any(|line| !line.is_blank())
        || all.iter().any(is_odd)
        || Lines::of(text).any(|line| line.ending() == Ending::CrLf);
    let end = all.get(last).map_or(all.len() + 1, |line| line.number);
    Ok(Envelope { lines: all.get(first..last).unwrap_or_default().to_vec(), end, is_healed })
}

/// Returns the index of the one line that says this, if there is one; refuses a second.
fn only(lines: &[PatchLine<'_>], word: Word) -> Result<Option<usize>, PatchError> {
    let mut places = lines.iter().zip(0..).filter(|(line, _)| line.word() == Some(word));
    let first = places.next();
    places.next().map_or(Ok(first.map(|(_, at)| at)), |(second, _)| Err(stray(*second)))
}

/// Reports whether a line is what models put around a patch without Begin and End.
fn is_wrapping(line: &str) -> bool {
    let bare = line.trim();
    bare.is_empty() || ["```", "cat <<", "apply_patch"].iter().any(|wrapping| bare.starts_with(wrapping))
}

/// Reports whether a line looks like one of a patch.
fn is_part(line: &str) -> bool {
    ["+", "-", "@@", "***"].iter().any(|sign| line.starts_with(sign))
}

fn begins_search_block(line: &str) -> bool {
    let rest = line.trim_start_matches('<');
    line.len() >= rest.len() + 5 && rest.trim_start().starts_with("SEARCH")
}

fn stray(line: PatchLine<'_>) -> PatchError {
    line.error("one patch, from `*** Begin Patch` to `*** End Patch`, and nothing of another around it")
}
