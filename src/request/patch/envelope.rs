//! The envelope of a patch: what models put around one, and how its first and last lines are misspelled (SPEC § 7.7).

use crate::text::{Ending, Line, Lines};

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

/// What a `***` line says, without its stars.
///
/// `***Begin Patch` and a trailing ` ***` are understood; the flag tells that they were.
pub(super) fn marker(line: &str) -> Option<(&str, bool)> {
    let rest = line.strip_prefix("***")?;
    let said = rest.strip_prefix(' ');
    let text = said.unwrap_or(rest).trim_end();
    let stripped = text.strip_suffix("***").filter(|text| text.ends_with(' ')).map(str::trim_end);
    Some((stripped.unwrap_or(text), said.is_none() || stripped.is_some()))
}

/// Finds the patch in `text`.
pub(super) fn open(text: &str) -> Envelope<'_> {
    let mut all: Vec<(usize, &str)> = Vec::new();
    let has_crlf = has_crlf_lines(text);
    for (line, number) in Lines::of(text).zip(1..) {
        // In a patch whose own lines end in CRLF, every CR is an ending's; else it belongs to the line's text.
        let bare = line.full.of(text).strip_suffix('\n').unwrap_or(line.full.of(text));
        all.push((number, if has_crlf { line.text.of(text) } else { bare }));
    }
    let says = |line: &str, what: &str| marker(line).is_some_and(|(said, _)| said.eq_ignore_ascii_case(what));
    let begin = all.iter().position(|(_, line)| says(line, "Begin Patch"));
    let first = begin.map_or_else(|| first_document(&all), |begin| begin + 1);
    let last = all.iter().skip(first).position(|(_, line)| says(line, "End Patch")).map(|at| first + at);
    let end = last.unwrap_or(all.len());
    let is_spaced = |line: Option<&(usize, &str)>| line.and_then(|(_, line)| marker(line)).is_none_or(|(_, odd)| !odd);
    let is_blank = |(_, line): &(usize, &str)| line.trim().is_empty();
    let around = all.iter().take(begin.unwrap_or(first)).chain(all.iter().skip(end + 1));
    let is_healed = begin.is_none()
        || has_crlf
        || !is_spaced(begin.and_then(|begin| all.get(begin)))
        || !is_spaced(last.and_then(|last| all.get(last)))
        || around.clone().any(|line| !is_blank(line));
    let is_patch = |(_, line): &&(usize, &str)| {
        marker(line).is_some_and(|(said, _)| said.eq_ignore_ascii_case("Begin Patch") || said.starts_with("Update "))
    };
    Envelope {
        stray: around.clone().find(is_patch).copied(),
        lines: all.get(first..end).unwrap_or_default().to_vec(),
        end: all.get(end).map_or(all.len() + 1, |(number, _)| *number),
        is_whole: last.is_some(),
        is_healed,
    }
}

/// Without a Begin line, a patch begins where it names its first document.
fn first_document(lines: &[(usize, &str)]) -> usize {
    let names_document = |line: &str| marker(line).is_some_and(|(said, _)| said.starts_with("Update "));
    lines.iter().position(|(_, line)| names_document(line)).unwrap_or(0)
}

/// Reports whether the lines of the patch itself end in CRLF: its first, or all others.
fn has_crlf_lines(text: &str) -> bool {
    let is_marker = |line: &Line| line.text.of(text).starts_with("***");
    let mut lines = Lines::of(text).skip_while(|line| !is_marker(line)).map(|line| line.ending());
    let is_first = lines.next() == Some(Ending::CrLf);
    let mut others = lines.filter(|ending| *ending != Ending::None).peekable();
    is_first || (others.peek().is_some() && others.all(|ending| ending == Ending::CrLf))
}
