//! The lines of a patch, what its `***` lines say, and its envelope: what models put around a patch, and how
//! its first and last lines are misspelled.
//!
//! A fence, a heredoc and words around a patch are no part of it. What looks like a part of it, and
//! stands outside, is an error: nothing that was sent is dropped in silence.

use thiserror::Error;

use crate::document::bullet_start;
use crate::text::{Content, Line, Lines, excerpt, is_blank, names, visible};

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
        || Lines::of(text).any(|line| line.ending() == "\r\n");
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

/// A line of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PatchLine<'a> {
    /// Its number, from 1.
    pub(super) number: usize,
    /// Its text, without the ending.
    pub(super) text: &'a str,
}

impl<'a> PatchLine<'a> {
    pub(super) fn is_blank(self) -> bool {
        is_blank(self.text)
    }

    pub(super) fn is_anchor(self) -> bool {
        self.text.starts_with("@@")
    }

    /// Returns what it says, if it is a `***` line that says something.
    pub(super) fn word(self) -> Option<Word> {
        Marker::of(self.text).map(|marker| marker.word)
    }

    /// Returns the error for this line, where something else was expected.
    pub(super) fn error(self, expected: impl Into<Content>) -> PatchError {
        PatchError::new(self.number, expected, self.text)
    }
}

names! {
    /// What a `***` line says.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Word {
        BeginPatch = "begin patch",
        EndPatch = "end patch",
        Update = "update memory",
        EndOfFile = "end of file",
        AddSection = "add section",
        DeleteSection = "delete section",
        RenameSection = "rename section",
        MoveSection = "move section",
        To = "to",
        Before = "before",
        After = "after",
        Under = "under",
        First = "first",
        Last = "last",
        /// None of these.
        Unknown = "",
    }
}

/// A `***` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marker<'a> {
    pub(super) word: Word,
    /// What stands behind the colon; empty without it.
    pub(super) argument: &'a str,
    /// Whether it is written in another way, such as `***Begin Patch` or `*** End Patch ***`.
    pub(super) is_odd: bool,
}

impl<'a> Marker<'a> {
    /// Reads a line; `None` if it does not look like a marker.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let rest = line.strip_prefix("***")?;
        let bare = rest.trim().trim_end_matches("***").trim_end();
        let (word, argument) = bare.split_once(':').unwrap_or((bare, ""));
        let word = match word.trim_end() {
            word if word.eq_ignore_ascii_case("update file") => Word::Update.as_str(),
            word => word,
        };
        match Word::ALL.iter().find(|known| !word.is_empty() && known.as_str().eq_ignore_ascii_case(word)) {
            Some(word) => {
                Some(Self { word: *word, argument: argument.trim(), is_odd: rest.strip_prefix(' ') != Some(bare) })
            }
            None if rest.starts_with(' ') && !bare.is_empty() => {
                Some(Self { word: Word::Unknown, argument: "", is_odd: false })
            }
            None => None,
        }
    }

    /// Returns the name behind the colon of the marker, which is this line.
    pub(super) fn name(&self, line: PatchLine<'_>) -> Result<Content, PatchError> {
        match self.argument {
            "" => Err(line.error("a name behind the colon")),
            name => Ok(name.into()),
        }
    }
}

/// Returns the name of a document by that of its file. No document has one that ends as a file's.
pub(super) fn stem(mut name: &str) -> &str {
    while let Some(stem) = name.strip_suffix(".md") {
        name = stem.trim_end();
    }
    name
}

/// How long a line may be that is shown in the forms in which it could have been sent, in characters.
const SHOWN: usize = 200;

/// A text that is no patch.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the patch: expected {expected}, found {found}")]
pub struct PatchError {
    /// The number of the patch's line, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: Content,
    /// What was found.
    pub found: Content,
}

impl PatchError {
    pub(super) fn new(line: usize, expected: impl Into<Content>, found: &str) -> Self {
        Self { line, expected: expected.into(), found: format!("`{}`", visible(&excerpt(found, 60))).into() }
    }

    /// The error for a patch that ends where more must follow, behind this line.
    pub(super) fn at_end(line: usize, expected: impl Into<Content>) -> Self {
        Self { line, expected: expected.into(), found: "the end of the patch".into() }
    }
}

/// The error for a line that lacks an operator, with the forms that it could have had; `line` is as the patch has it, or what
/// follows the `-` of a bullet's marker that was read as an operator.
pub(super) fn unprefixed(line: PatchLine<'_>) -> PatchError {
    let bullet = if line.text.starts_with(' ') { format!("-{}", line.text) } else { line.text.to_owned() };
    // Behind an operator and a space stands the whole line of a bullet.
    let whole = line.text.strip_prefix(' ').filter(|whole| bullet_start(whole).is_some()).unwrap_or(&bullet);
    let is_literal = whole.chars().count() <= SHOWN && visible(whole) == whole;
    let forms = if is_literal { format!(": ` {whole}`, `-{whole}` or `+{whole}`") } else { String::new() };
    let expected = format!("a line that begins with ` ` (keep), `-` (delete) or `+` (add){forms}");
    PatchError::new(line.number, expected, &bullet)
}

/// The error for a line without a number that joins an ordered list.
pub(super) fn numberless(number: usize, line: &str) -> PatchError {
    let expected = "the number of the item, which a line brings that joins an ordered list, such as `2.`";
    PatchError::new(number, expected, line)
}
