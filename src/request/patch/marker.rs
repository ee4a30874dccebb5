//! The lines of a patch, and what its `***` lines say.

use super::error::PatchError;
use crate::text::{Content, is_blank, names};

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
