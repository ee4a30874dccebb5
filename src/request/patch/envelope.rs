//! The envelope of a patch: what models put around one, and how its first and last lines are misspelled.
//!
//! A fence, a heredoc and words around a patch are no part of it. What looks like a part of it, and stands outside, is an
//! error: nothing that was sent is dropped in silence.

use super::error::PatchError;
use super::marker::{Marker, Word};
use crate::text::{Ending, Lines};

/// The lines of a patch between its Begin and its End line.
#[derive(Debug)]
pub(super) struct Envelope<'a> {
    /// Each line's number, from 1, and its text.
    pub(super) lines: Vec<(usize, &'a str)>,
    /// The number of the line behind the last, for errors.
    pub(super) end: usize,
    /// Whether anything stood around the patch, or was misspelled.
    pub(super) is_healed: bool,
}

/// Finds the patch in `text`.
pub(super) fn open(text: &str) -> Result<Envelope<'_>, PatchError> {
    let all: Vec<(usize, &str)> = Lines::of(text).zip(1..).map(|(line, number)| (number, line.text.of(text))).collect();
    let has_crlf = Lines::of(text).any(|line| line.ending() == Ending::CrLf);
    let places = |word| {
        let lines = all.iter().enumerate().filter(move |(_, (_, line))| Marker::word(line) == word);
        lines.map(|(at, _)| at).collect::<Vec<usize>>()
    };
    let (begins, ends) = (places(Word::BeginPatch), places(Word::EndPatch));
    if let Some((number, line)) = all.iter().find(|(_, line)| is_search_block(line)) {
        let expected = "a patch of hunks, not search/replace blocks: the search lines with `-` before them, then the replace lines with `+`";
        return Err(PatchError::new(*number, expected, line));
    }
    let second = [&begins, &ends].into_iter().find_map(|places| places.get(1)).and_then(|at| all.get(*at));
    if let Some((number, line)) = second {
        return Err(stray(*number, line));
    }
    let (begin, end) = (begins.first().copied(), ends.first().copied());
    if begin.is_some_and(|begin| end.is_none_or(|end| end < begin)) {
        let expected = "`*** End Patch`: without it the patch was cut off, and is not applied";
        return Err(PatchError::at_end(all.len() + 1, expected));
    }
    let is_around = |(_, line): &&(usize, &str)| {
        let bare = line.trim();
        bare.is_empty() || bare.starts_with("```") || bare.starts_with("cat <<") || bare.starts_with("apply_patch")
    };
    let opening = all.iter().take_while(is_around).count();
    let closing = all.iter().rev().take_while(is_around).count();
    let first = begin.map_or(opening, |begin| begin + 1);
    let last = end.unwrap_or(all.len().saturating_sub(closing)).max(first);
    let around = || all.iter().take(begin.unwrap_or(0)).chain(all.iter().skip(end.map_or(all.len(), |end| end + 1)));
    let is_part = |line: &str| line.starts_with(['+', '-']) || line.starts_with("@@") || line.starts_with("***");
    if let Some((number, line)) = around().find(|(_, line)| is_part(line)) {
        return Err(stray(*number, line));
    }
    let is_plain = |at: Option<usize>| {
        let marker = at.and_then(|at| all.get(at)).and_then(|(_, line)| Marker::of(line));
        marker.is_some_and(|marker| !marker.is_odd)
    };
    Ok(Envelope {
        lines: all.get(first..last).unwrap_or_default().to_vec(),
        end: all.get(last).map_or(all.len() + 1, |(number, _)| *number),
        is_healed: has_crlf
            || !is_plain(begin)
            || !(end.is_none() || is_plain(end))
            || around().any(|(_, line)| !line.trim().is_empty()),
    })
}

fn is_search_block(line: &str) -> bool {
    let signs = line.len() - line.trim_start_matches('<').len();
    signs >= 5 && line.trim_start_matches('<').trim_start().starts_with("SEARCH")
}

fn stray(number: usize, line: &str) -> PatchError {
    let expected = "one patch, from `*** Begin Patch` to `*** End Patch`, and nothing of another around it";
    PatchError::new(number, expected, line)
}
