//! A hunk: anchors that name its scope, and lines that stay, go and come.

use super::anchor::Anchor;
use crate::text::Content;

/// A hunk of a patch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hunk {
    /// The anchors, outermost first; each narrows the scope of the one before it.
    pub anchors: Vec<Anchor>,
    /// The lines.
    pub lines: Vec<HunkLine>,
    /// Whether the hunk's last line is the document's last.
    pub is_at_end_of_file: bool,
    /// Whether the hunk came with line numbers, which are ignored.
    pub has_line_numbers: bool,
    /// The number, from 1, of the patch's line that the first of the lines stands on.
    pub first_line: usize,
}

/// One line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkLine {
    /// What becomes of it.
    pub op: LineOp,
    /// Its text, without operator and ending.
    pub text: Content,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOp {
    /// It stays.
    Context,
    /// It goes.
    Delete,
    /// It comes.
    Add,
}

impl LineOp {
    /// Returns what the first character of a patch's line says.
    pub(super) fn of(line: &str) -> Option<Self> {
        [Self::Context, Self::Delete, Self::Add].into_iter().find(|op| line.starts_with(op.as_char()))
    }

    /// Returns the character that stands before the line.
    pub const fn as_char(self) -> char {
        match self {
            Self::Context => ' ',
            Self::Delete => '-',
            Self::Add => '+',
        }
    }
}
