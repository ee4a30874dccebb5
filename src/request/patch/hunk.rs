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
    /// The number, from 1, of the patch's line on which the first of `lines` stands.
    pub first_line: usize,
}

impl Hunk {
    /// Returns the lines with the texts that `read` returns; where it returns `None`, the text stays.
    pub(super) fn lines_with(&self, read: impl Fn(&HunkLine) -> Option<Content>) -> Vec<HunkLine> {
        let line = |line: &HunkLine| HunkLine { op: line.op, text: read(line).unwrap_or_else(|| line.text.clone()) };
        self.lines.iter().map(line).collect()
    }
}

/// One line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkLine {
    /// Whether it stays, is deleted or is added.
    pub op: LineOp,
    /// Its text, without operator and ending.
    pub text: Content,
}

/// The operator of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOp {
    /// ` `: the line stays.
    Context,
    /// `-`: the line is deleted.
    Delete,
    /// `+`: the line is added.
    Add,
}

impl LineOp {
    /// Returns the operator that a line of a patch begins with.
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
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Request, Timestamp, View, request::patch::Patch};
///
/// let text = "*** Begin Patch\n@@ ## Facts\n-- Lives in Denver\n+- Lives in Austin\n*** End Patch\n";
/// let patch: Patch = text.parse()?;
/// let doc = MemoryDoc::parse("## Facts\n- Lives in Denver\n");
/// let edit = patch.documents[0].plan(&View::current(&doc, Timestamp::default()))?;
/// assert_eq!(doc.commit(&edit, Authority::Agent)?.doc.text(), "## Facts\n- Lives in Austin\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// The leniencies that were needed to read the patch, such as [`Leniency::Envelope`] for a code fence around it.
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
