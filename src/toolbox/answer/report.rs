//! [`Report`]: how many bullets fared how in a compaction, and each that is not as it was.

use serde::{Serialize, Serializer};
use strum::VariantArray as _;

use crate::request::{BulletOutcome, BulletReport, CompactionReport};
use crate::text::{Content, excerpt, visible};

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
