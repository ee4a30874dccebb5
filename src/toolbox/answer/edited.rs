//! [`Edited`]: what every tool that edits tells of a commit: the lines that were written, and what became of bullets.

use serde::{Serialize, Serializer};
use strum::VariantArray as _;

use crate::document::MemoryDoc;
use crate::edit::{BeforeAfter, BulletCounts, Commit, PartStatus, Receipt, WrittenLine};
use crate::memory::Applied;
use crate::memory::journal::Seq;
use crate::request::{BulletOutcome, BulletReport, CompactionReport};
use crate::text::{Content, excerpt, on_one_line, visible};

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

/// How many lines are shown.
const MAX_LINES: usize = 8;
/// How many characters of them.
const MAX_CHARS: usize = 600;
/// How many removed lines are shown.
const MAX_REMOVED: usize = 3;
/// How many characters of each.
const REMOVED_CHARS: usize = 100;

/// The lines that were written or moved, as they read now.
#[derive(Clone, Serialize)]
pub(crate) struct Lines {
    lines: Vec<LineRow>,
    /// How many more were written.
    #[serde(skip_serializing_if = "is_zero")]
    more_lines: usize,
    /// How many are gone, with none in their place.
    #[serde(skip_serializing_if = "is_zero")]
    removed_lines: usize,
    // The first of them, as they read and were numbered before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    removed: Vec<LineRow>,
    /// How many are gone that are not shown.
    #[serde(skip_serializing_if = "is_zero")]
    more_removed: usize,
}

#[derive(Clone, Serialize)]
struct LineRow {
    // Its number, from 1.
    line: usize,
    // The block that it stands in; of a heading, the section.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    text: String,
}

impl LineRow {
    fn of(doc: &MemoryDoc, line: &WrittenLine, room: usize) -> Self {
        let start = line.text.start();
        let block = || doc.block_at(start).map(|block| format!("block {}", visible(&excerpt(block.id(), 40))));
        let parent = || {
            let section = doc.section_at(start).filter(|section| section.line.start() == start)?;
            section.parent().map(|parent| format!("section {}", visible(&excerpt(&parent.name(), 80))))
        };
        let text = line.text.of(doc.text());
        Self { line: line.number, place: block().or_else(parent), text: excerpt(text, room) }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Lines {
    /// Tells what a commit wrote.
    pub(crate) fn of(commit: &Commit) -> Self {
        let written = commit.written();
        let mut room = MAX_CHARS;
        let mut lines = Vec::new();
        for line in written.lines.iter().take(MAX_LINES) {
            let text = line.text.of(commit.doc.text());
            let is_long = text.chars().take(room + 1).count() > room;
            if is_long && !lines.is_empty() {
                break;
            }
            let row = LineRow::of(&commit.doc, line, room);
            room -= row.text.chars().count().min(room);
            lines.push(row);
        }
        let gone = written.gone.iter().take(MAX_REMOVED);
        let removed: Vec<_> = gone.map(|line| LineRow::of(commit.base(), line, REMOVED_CHARS)).collect();
        Self {
            more_lines: written.lines.len() - lines.len(),
            removed_lines: written.removed,
            more_removed: written.removed.saturating_sub(removed.len()),
            removed,
            lines,
        }
    }
}

/// How many bullets are told one by one.
const TOLD: usize = 20;
/// How much of each, in characters.
const EXCERPT: usize = 100;

/// The report of a compaction.
#[derive(Clone, Serialize)]
pub(crate) struct Report {
    /// How many bullets fared how.
    #[serde(flatten, serialize_with = "as_members")]
    counts: Vec<(BulletOutcome, usize)>,
    /// The bullets that were not kept: those that are gone, then those that moved, then those that are new, then the others.
    bullets: Vec<BulletRow>,
    /// How many more there are.
    more: usize,
    /// Lines of the old text that were no bullets and are gone.
    other_lines: Vec<usize>,
    /// Lines of the new text that are no bullets and are new.
    added_lines: Vec<usize>,
}

#[derive(Clone, Serialize)]
struct BulletRow {
    status: BulletOutcome,
    /// Its line in the old text, from 1; of a new one, none.
    line: Option<usize>,
    section: Option<String>,
    /// Its key in the old text.
    key: Option<String>,
    /// What it said, or says, with its tags.
    text: String,
    /// The line on which it, or what it became, stands now.
    now: Option<usize>,
    /// The section in which that is, if it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    now_section: Option<String>,
}

fn as_members<S: Serializer>(counts: &[(BulletOutcome, usize)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().copied())
}

impl From<&CompactionReport> for Report {
    fn from(report: &CompactionReport) -> Self {
        let mut told: Vec<_> = report.bullets.iter().filter(|bullet| bullet.outcome != BulletOutcome::Kept).collect();
        told.sort_by_key(|bullet| match bullet.outcome {
            BulletOutcome::Gone => 0,
            BulletOutcome::Moved => 1,
            BulletOutcome::Added => 2,
            _ => 3,
        });
        let first = |lines: &[usize]| lines.iter().copied().take(TOLD).collect();
        Self {
            counts: BulletOutcome::VARIANTS.iter().map(|outcome| (*outcome, report.count(*outcome))).collect(),
            more: told.len().saturating_sub(TOLD),
            bullets: told.into_iter().take(TOLD).map(BulletRow::from).collect(),
            other_lines: first(&report.other_lines),
            added_lines: first(&report.added_lines),
        }
    }
}

impl From<&BulletReport> for BulletRow {
    fn from(bullet: &BulletReport) -> Self {
        Self {
            status: bullet.outcome,
            line: bullet.line,
            section: label(&bullet.section),
            key: bullet.key.as_ref().map(ToString::to_string),
            text: visible(&excerpt(&bullet.text, EXCERPT)),
            now: bullet.now,
            now_section: label(&bullet.now_section),
        }
    }
}

fn label(section: &Option<Content>) -> Option<String> {
    section.as_deref().map(|path| excerpt(path, 80))
}
