//! A patch as data.

use super::SectionOp;
use super::anchor::Anchor;
use crate::locate::Leniency;
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
    /// The numbers, from 1, of the patch's lines on which the anchors stand.
    pub anchor_lines: Vec<usize>,
    /// The number, from 1, of the patch's line that the first of the lines stands on.
    pub first_line: usize,
}

impl Hunk {
    /// Returns the lines, with another text where `read` has one.
    pub(super) fn lines_with(&self, read: impl Fn(&HunkLine) -> Option<Content>) -> Vec<HunkLine> {
        let line = |line: &HunkLine| HunkLine { op: line.op, text: read(line).unwrap_or_else(|| line.text.clone()) };
        self.lines.iter().map(line).collect()
    }
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
        match line.chars().next()? {
            ' ' => Some(Self::Context),
            '-' => Some(Self::Delete),
            '+' => Some(Self::Add),
            _ => None,
        }
    }
}

/// A patch: what it changes in each document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patch {
    /// The documents in the order in which the patch names them, each once.
    pub documents: Vec<DocumentPatch>,
}

/// What a patch changes in one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentPatch {
    /// The document's name as the patch writes it; `None` for the default document.
    pub document: Option<Content>,
    /// Hunks and section operations, in the patch's order.
    pub parts: Vec<PatchPart>,
    /// The leniencies that were needed to read the whole patch, such as [`Leniency::Envelope`] if it stood in something that
    /// is no part of it.
    pub healed: Vec<Leniency>,
}

/// One part of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchPart {
    /// Lines that are found and changed.
    Hunk(Hunk),
    /// A section that is added, deleted, renamed or moved.
    Section(SectionOp),
}
