//! A patch as data, and as the text that the parser reads back as the same patch.

use std::fmt;

use super::anchor::Anchor;
use super::{SectionOp, SectionPlace};
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

/// A patch: what it changes in each document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patch {
    /// The documents in the order in which the patch names them, each once.
    pub documents: Vec<DocumentPatch>,
    /// [`Leniency::Envelope`] if the patch stood in something that is no part of it.
    pub healed: Vec<Leniency>,
}

/// What a patch changes in one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentPatch {
    /// The document's name as the patch writes it; `None` for the default document.
    pub document: Option<Content>,
    /// Hunks and section operations, in the patch's order.
    pub parts: Vec<PatchPart>,
    /// The leniencies that were needed to read the patch.
    pub healed: Vec<Leniency>,
}

impl DocumentPatch {
    /// Notes the leniencies that were needed to read the patch, so that the receipt tells of them.
    #[must_use]
    pub fn with_healed(mut self, healed: &[Leniency]) -> Self {
        self.healed.extend(healed);
        self
    }
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

impl fmt::Display for Patch {
    /// Writes the patch. A CR at the end of a line's text would be read as part of its ending, so that a patch which has one
    /// is written with CRLF: then the last CR alone is the ending's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let documents: String = self.documents.iter().map(ToString::to_string).collect();
        let patch = format!("*** Begin Patch\n{documents}*** End Patch\n");
        if patch.contains("\r\n") { f.write_str(&patch.replace('\n', "\r\n")) } else { f.write_str(&patch) }
    }
}

impl fmt::Display for DocumentPatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.document {
            Some(name) => writeln!(f, "*** Update Memory: {name}")?,
            None => writeln!(f, "*** Update Memory")?,
        }
        self.parts.iter().try_for_each(|part| match part {
            PatchPart::Hunk(hunk) => hunk.fmt(f),
            PatchPart::Section(operation) => operation.fmt(f),
        })
    }
}

impl fmt::Display for Hunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_line_numbers {
            writeln!(f, "@@ -0,0 +0,0 @@")?;
        } else if self.anchors.is_empty() {
            writeln!(f, "@@")?;
        }
        self.anchors.iter().try_for_each(|anchor| writeln!(f, "{anchor}"))?;
        self.lines.iter().try_for_each(|line| writeln!(f, "{}{}", line.op.as_char(), line.text))?;
        if self.is_at_end_of_file {
            writeln!(f, "*** End of File")?;
        }
        Ok(())
    }
}

impl fmt::Display for SectionOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add { title, lines, place } => {
                writeln!(f, "*** Add Section: {title}")?;
                lines.iter().try_for_each(|line| writeln!(f, "+{line}"))?;
                place.as_ref().map_or(Ok(()), |place| place.fmt(f))
            }
            Self::Delete { section } => writeln!(f, "*** Delete Section: {section}"),
            Self::Rename { section, title } => writeln!(f, "*** Rename Section: {section}\n*** To: {title}"),
            Self::Move { section, place } => {
                writeln!(f, "*** Move Section: {section}")?;
                place.fmt(f)
            }
        }
    }
}

impl fmt::Display for SectionPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(name) => writeln!(f, "*** Before: {name}"),
            Self::After(name) => writeln!(f, "*** After: {name}"),
            Self::First => writeln!(f, "*** First"),
            Self::Last => writeln!(f, "*** Last"),
            Self::FirstUnder(name) => writeln!(f, "*** Under: {name}\n*** First"),
            Self::LastUnder(name) => writeln!(f, "*** Under: {name}"),
        }
    }
}
