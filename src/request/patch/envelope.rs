//! The envelope of a patch: what models put around one, and how its first and last lines are misspelled.
//!
//! A fence, a heredoc and words around a patch are no part of it. What looks like a part of it, and stands outside, is an error:
//! nothing that was sent is dropped in silence.

use std::ops::Range;

use super::marker::{is_section_operation, marker};
use crate::text::{Ending, Lines};

/// A patch's lines between its Begin and its End line.
#[derive(Debug)]
pub(super) struct Envelope<'a> {
    /// Each line's number, from 1, and its text.
    pub(super) lines: Vec<(usize, &'a str)>,
    /// The number of the line behind the last, for errors.
    pub(super) end: usize,
    /// Whether an End line was found: without one the patch was cut off.
    pub(super) is_whole: bool,
    /// A line around the patch that belongs to another one.
    pub(super) stray: Option<(usize, &'a str)>,
    /// Whether anything stood around the patch, or was misspelled.
    pub(super) is_healed: bool,
}

/// Finds the patch in `text`.
pub(super) fn open(text: &str) -> Envelope<'_> {
    let mut all: Vec<(usize, &str)> =
        Lines::of(text).zip(1..).map(|(line, number)| (number, line.text.of(text))).collect();
    // How lines end is no part of them.
    let has_crlf = Lines::of(text).any(|line| line.ending() == Ending::CrLf);
    // Padding may stand around the two; inside, a space before a line means that it is context.
    let says =
        |line: &str, what: &str| marker(line.trim_start()).is_some_and(|(said, _)| said.eq_ignore_ascii_case(what));
    let begin = all.iter().position(|(_, line)| says(line, "Begin Patch"));
    let indented = begin.and_then(|begin| indented(&all, begin));
    if let Some((patch, indentation)) = indented.clone() {
        for (_, line) in all.get_mut(patch).into_iter().flatten() {
            *line = line.strip_prefix(indentation).unwrap_or_default();
        }
    }
    let first = begin.map_or_else(|| first_part(&all), |begin| begin + 1);
    let is_padded_update = pad_taken(all.iter_mut().skip(first).find(|(_, line)| !line.trim().is_empty()));
    let is_end = |(_, line): &(usize, &str)| says(line, "End Patch");
    let is_padded = |line: &&(usize, &str)| line.1.starts_with(' ');
    let last = all.iter().enumerate().skip(first).find(|(_, line)| is_end(line) && !is_padded(line)).map(|(at, _)| at);
    // With a space before it, the line ends the patch only if nothing comes behind it.
    let padded = || all.iter().rposition(|line| !closes_envelope(line.1)).filter(|at| all.get(*at).is_some_and(is_end));
    let last = last.or_else(padded).filter(|last| *last >= first);
    let end = last.unwrap_or(all.len());
    let is_plain =
        |line: Option<&(usize, &str)>| line.is_none_or(|(_, line)| marker(line).is_some_and(|(_, odd)| !odd));
    let is_blank = |(_, line): &(usize, &str)| line.trim().is_empty();
    let around = || all.iter().take(begin.unwrap_or(first)).chain(all.iter().skip(end + 1));
    let is_healed = begin.is_none()
        || indented.is_some()
        || is_padded_update
        || has_crlf
        || !is_plain(begin.and_then(|begin| all.get(begin)))
        || !is_plain(last.and_then(|last| all.get(last)))
        || around().any(|line| !is_blank(line));
    Envelope {
        stray: stray(around().copied()),
        lines: all.get(first..end).unwrap_or_default().to_vec(),
        end: all.get(end).map_or(all.len() + 1, |(number, _)| *number),
        is_whole: last.is_some(),
        is_healed,
    }
}

/// Returns the lines of a patch and the indentation that all of them have from its Begin to its End line, if they are those of a
/// patch without it.
fn indented<'a>(lines: &[(usize, &'a str)], begin: usize) -> Option<(Range<usize>, &'a str)> {
    let (_, line) = lines.get(begin)?;
    let indentation = line.get(..line.len() - line.trim_start().len()).filter(|space| !space.is_empty())?;
    let says_end = |(_, line): &(usize, &str)| {
        let said = line.strip_prefix(indentation).and_then(marker);
        said.is_some_and(|(said, _)| said.eq_ignore_ascii_case("End Patch"))
    };
    let patch = begin..begin + lines.get(begin..)?.iter().position(says_end)? + 1;
    let is_blank = |line: &str| line.trim().is_empty();
    let mut behind = lines.get(patch.clone())?.iter().map(|(_, line)| *line).filter(|line| !is_blank(line));
    let first = behind.clone().nth(1)?.strip_prefix(indentation)?;
    let is_patch =
        (first.starts_with("@@") || first.starts_with("***")) && behind.all(|line| line.starts_with(indentation));
    is_patch.then_some((patch, indentation))
}

/// Takes away the padding of the first line of a patch, if that names a document: no hunk has begun of which it could be context.
fn pad_taken(line: Option<&mut (usize, &str)>) -> bool {
    let Some((_, line)) = line else { return false };
    let bare = line.trim_start();
    let is_padded = bare.len() < line.len() && marker(bare).is_some_and(|(said, _)| said.starts_with("Update "));
    if is_padded {
        *line = bare;
    }
    is_padded
}

/// Returns the first of some lines that belongs to a patch, or that has an operator, if several have.
fn stray<'a>(around: impl Iterator<Item = (usize, &'a str)> + Clone) -> Option<(usize, &'a str)> {
    let has_operator =
        |line: &str| line.starts_with(['+', '-']) && !line.starts_with("---") && !line.starts_with("+++");
    let mut operators = around.clone().filter(|(_, line)| has_operator(line));
    let several = operators.next().filter(|_| operators.next().is_some());
    around.into_iter().find(|(_, line)| is_part_of_patch(line)).or(several)
}

/// Reports whether a line is blank, or closes a fence or a heredoc.
fn closes_envelope(line: &str) -> bool {
    matches!(line.trim(), "" | "```" | "~~~" | "EOF" | "PATCH")
}

/// Reports whether a line belongs to a patch, wherever it stands.
pub(super) fn is_part_of_patch(line: &str) -> bool {
    let is_known = |said: &str| {
        let is_end = ["Begin Patch", "End Patch"].iter().any(|end| said.eq_ignore_ascii_case(end));
        is_end || said.starts_with("Update ") || is_section_operation(said)
    };
    let says = marker(line).filter(|(said, _)| !said.is_empty());
    line.starts_with("@@") || says.is_some_and(|(said, _)| line.starts_with("*** ") || is_known(said))
}

/// Without a Begin line, a patch begins with its first document, operation or hunk, or with the file lines above that.
fn first_part(lines: &[(usize, &str)]) -> usize {
    let begins = |line: &str| {
        line.starts_with("@@")
            || marker(line).is_some_and(|(said, _)| said.starts_with("Update ") || is_section_operation(said))
    };
    let first = lines.iter().position(|(_, line)| begins(line)).unwrap_or(0);
    let above = |nth: usize, sign: &str| {
        first.checked_sub(nth).and_then(|at| lines.get(at)).is_some_and(|(_, line)| line.starts_with(sign))
    };
    if above(2, "--- ") && above(1, "+++ ") { first - 2 } else { first }
}
