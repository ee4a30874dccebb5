//! [`Edited`]: what every tool that edits tells of a commit.

use serde::Serialize;

use super::{Lines, Report};
use crate::edit::{BeforeAfter, BulletCounts, PartStatus, Receipt};
use crate::memory::Applied;
use crate::memory::journal::Seq;
use crate::text::on_one_line;

/// What every tool that edits tells.
#[derive(Clone, Default, Serialize)]
pub(crate) struct Edited {
    /// The number of the entry that records it.
    pub(crate) seq: Option<u64>,
    #[serde(flatten)]
    pub(crate) sizes: Option<Sizes>,
    /// Of one document, what was written.
    #[serde(flatten)]
    pub(crate) lines: Option<Lines>,
    /// For an edit of several documents, what became of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) documents: Vec<DocumentRow>,
    /// If the document was compacted, what became of its bullets; of several, the first that was.
    pub(crate) report: Option<Report>,
}

/// What was changed, in numbers.
#[derive(Clone, Serialize)]
pub(crate) struct Sizes {
    /// The paths of the sections that were changed; `front matter` and `block ID` where no section is.
    changed_sections: Vec<String>,
    bytes: BeforeAfter,
    tokens: BeforeAfter,
    bullets: BulletCounts,
}

impl From<&Receipt> for Sizes {
    fn from(receipt: &Receipt) -> Self {
        Self {
            changed_sections: receipt.changed_sections.iter().map(|path| on_one_line(path)).collect(),
            bytes: receipt.bytes,
            tokens: receipt.tokens,
            bullets: receipt.bullets,
        }
    }
}

/// One of several documents that were edited.
#[derive(Clone, Serialize)]
pub(crate) struct DocumentRow {
    document: String,
    revision: String,
    seq: Option<u64>,
    #[serde(flatten)]
    lines: Option<Lines>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Report>,
}

impl From<&Applied> for DocumentRow {
    fn from(applied: &Applied) -> Self {
        Self {
            document: applied.document.to_string(),
            revision: applied.doc.revision().short(),
            seq: applied.seq.map(Seq::get),
            lines: applied.commit.as_ref().map(Lines::of),
            report: applied.report.as_ref().map(Report::from),
        }
    }
}

/// What became of a part of an edit.
#[derive(Clone, Serialize)]
pub(crate) struct PartRow {
    /// The number of the part, from 1.
    pub(crate) part: usize,
    pub(crate) status: PartStatus,
}
