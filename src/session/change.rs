//! [`PendingChange`]: a staged change.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::memory::{DocName, REWRITE_TOOL};
use crate::request::Replace;
use crate::text::{Content, Line, display_inner, excerpt, visible};

/// How much of a text is shown, in characters.
const EXCERPT: usize = 40;

/// The letter of a pending change, or of a candidate: `A` to `Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Letter(char);

display_inner!(Letter);

impl Letter {
    /// How many letters there are.
    pub(crate) const COUNT: usize = 26;

    /// Returns the letter of an index from 0; `None` after `Z`.
    pub fn nth(index: usize) -> Option<Self> {
        ('A'..='Z').nth(index).map(Self)
    }

    /// Parses a letter: in either case, with or without brackets.
    pub fn read(text: &str) -> Option<Self> {
        let inner = text.trim().trim_start_matches('[').trim_end_matches([']', ')']);
        let mut letters = inner.chars();
        let letter = letters.next()?.to_ascii_uppercase();
        (letters.next().is_none() && letter.is_ascii_uppercase()).then_some(Self(letter))
    }

    /// Returns its index, from 0.
    pub fn index(self) -> usize {
        ('A'..self.0).count()
    }
}

/// What a change is meant to do, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Intent {
    /// Replaces a text.
    Replace {
        /// The old text, as it was sent.
        old: Content,
        /// The new text.
        new: Content,
    },
    /// Adds a text.
    Insert(Content),
    /// Removes a text.
    Delete(Content),
    /// Runs the tool of this name.
    Tool(String),
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replace { old, new } => {
                write!(f, "replace {} → {}", quoted(from_difference(old, new)), quoted(from_difference(new, old)))
            }
            Self::Insert(text) => write!(f, "insert {}", quoted(text)),
            Self::Delete(text) => write!(f, "delete {}", quoted(text)),
            Self::Tool(name) => f.write_str(name),
        }
    }
}

impl Intent {
    /// Creates the intent to replace `old` by `new`; to delete `old` if `new` is empty.
    pub fn replace(old: impl Into<Content>, new: impl Into<Content>) -> Self {
        let (old, new) = (old.into(), new.into());
        if new.is_empty() { Self::Delete(old) } else { Self::Replace { old, new } }
    }

    /// Returns the intent of a request to replace.
    pub fn of(replace: &Replace) -> Self {
        match &replace.until {
            Some(end) => {
                Self::replace(format!("{} … {}", excerpt(&replace.old, 20), excerpt(end, 20)), replace.new.clone())
            }
            None => Self::replace(replace.old.clone(), replace.new.clone()),
        }
    }

    /// Returns the name of the kind of intent.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Replace { .. } => "replace",
            Self::Insert(_) => "insert",
            Self::Delete(_) => "delete",
            Self::Tool(_) => "stage",
        }
    }
}

/// A staged change of one document: its intent, its edit, and the texts before and after.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PendingChange {
    /// Its letter.
    pub letter: Letter,
    /// The document that it changes.
    pub document: DocName,
    /// What it is meant to do.
    pub intent: Intent,
    /// The document with all earlier changes.
    pub before: MemoryDoc,
    /// The document with all earlier changes and this one.
    pub after: MemoryDoc,
    /// The edit from `before` to `after`, as a single part.
    pub edit: Edit,
}

impl PendingChange {
    /// Returns true if it was made by `rewrite_memory`, which rewrites the document or a section.
    pub(super) fn is_rewrite(&self) -> bool {
        matches!(&self.intent, Intent::Tool(tool) if tool == REWRITE_TOOL)
    }
}

/// Returns `text` without the lines at its start that `other` has, too; all of it if nothing else is left.
fn from_difference<'t>(text: &'t str, other: &str) -> &'t str {
    let lines = Line::all(text).map(|line| line.full).zip(Line::all(other).map(|line| line.full));
    let same = lines.take_while(|(own, others)| own.of(text) == others.of(other)).last();
    let rest = same.and_then(|(last, _)| text.get(last.end()..)).unwrap_or(text);
    if rest.is_empty() { text } else { rest }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(&excerpt(text, EXCERPT)))
}
