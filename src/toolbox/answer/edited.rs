//! [`Edited`]: what every tool that edits tells of a commit.

use std::fmt;
use std::panic::RefUnwindSafe;

use serde::Serialize;

use super::{Lines, Report};
use crate::edit::{BeforeAfter, BulletCounts, PartStatus, Receipt};
use crate::memory::Applied;
use crate::memory::journal::Seq;
use crate::text::on_one_line;

/// What a tool tells beyond that which every reply has.
pub(crate) trait Tell: Serialize + Send + Sync + RefUnwindSafe + 'static {
    /// Returns what it tells of an edit.
    fn edited(&self) -> Option<&Edited> {
        None
    }

    /// Writes what it tells beyond that.
    fn fmt_own(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

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

impl Edited {
    /// Writes what was written.
    pub(super) fn fmt_written(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sections = self.sizes.as_ref().map(|sizes| sizes.changed_sections.as_slice()).unwrap_or_default();
        if !sections.is_empty() {
            write!(f, "\nchanged sections: {}", sections.join(", "))?;
        }
        if let Some(lines) = &self.lines {
            write!(f, "{lines}")?;
        }
        for row in &self.documents {
            if let Some(lines) = &row.lines {
                write!(f, "\n`{}`, revision {}:{lines}", row.document, row.revision)?;
            }
        }
        Ok(())
    }

    /// Writes what became of bullets where documents were compacted.
    pub(super) fn fmt_reports(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.documents {
            if let Some(report) = &row.report {
                write!(f, "\ncompacted `{}`:{report}", row.document)?;
            }
        }
        match &self.report {
            Some(report) if self.documents.iter().all(|row| row.report.is_none()) => write!(f, "{report}"),
            _ => Ok(()),
        }
    }
}

/// What a tool that edits tells of what was applied.
pub(crate) trait OfEdit: Tell {
    /// Adds to what every such tool tells.
    fn of(edited: Edited, applied: &[Applied]) -> Self;
}

impl Tell for Edited {
    fn edited(&self) -> Option<&Edited> {
        Some(self)
    }
}

impl OfEdit for Edited {
    fn of(edited: Edited, _: &[Applied]) -> Self {
        edited
    }
}

/// What an edit of numbered parts tells.
#[derive(Clone, Serialize)]
pub(crate) struct Parts {
    #[serde(flatten)]
    edited: Edited,
    /// What became of each part, where not all were applied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartRow>,
}

#[derive(Clone, Serialize)]
struct PartRow {
    /// The number of the part, from 1.
    part: usize,
    status: PartStatus,
}

impl OfEdit for Parts {
    fn of(edited: Edited, applied: &[Applied]) -> Self {
        let plans = applied.iter().filter_map(|applied| applied.plan.as_ref());
        let parts = plans.flat_map(|plan| plan.parts()).zip(1..);
        let parts: Vec<_> = parts.map(|(part, number)| PartRow { part: number, status: part.status }).collect();
        let is_told = parts.iter().any(|row| row.status != PartStatus::Applied);
        Self { edited, parts: if is_told { parts } else { Vec::new() } }
    }
}

impl Tell for Parts {
    fn edited(&self) -> Option<&Edited> {
        Some(&self.edited)
    }

    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Of a single part, the status of the reply tells.
        let several = if self.parts.len() > 1 { self.parts.as_slice() } else { &[] };
        several.iter().try_for_each(|row| write!(f, "\npart {}: {}", row.part, row.status.as_str()))
    }
}
