//! How a compaction is reported to a model: how many bullets fared how, and each that is not as it was.

use schemars::JsonSchema;
use serde_json::{Value, json};

use crate::request::{BulletOutcome, CompactionReport};
use crate::text::{excerpt, visible};

/// How many bullets are told one by one.
const TOLD: usize = 20;
/// How much of each, in characters.
const EXCERPT: usize = 100;

/// The report of a compaction.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "replies are built member by member; this is their schema")]
pub(super) struct Report {
    /// Bullets that stand where they stood, verbatim.
    kept: usize,
    /// Bullets with another wording, or other tags.
    changed: usize,
    /// Bullets that another bullet says now.
    merged: usize,
    /// Bullets that stand in another section.
    moved: usize,
    /// Bullets that are gone.
    dropped: usize,
    /// Bullets that had expired, and are gone.
    expired: usize,
    /// Bullets that are new.
    added: usize,
    /// The bullets that are not as they were: those that are gone, then those that are new, then the others.
    bullets: Vec<ReportRow>,
    /// How many more there are.
    more: usize,
    /// Lines of the old text that were no bullets and are gone.
    other_lines: Vec<usize>,
    /// Lines of the new text that are no bullets and are new.
    added_lines: Vec<usize>,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "replies are built member by member; this is their schema")]
struct ReportRow {
    /// What became of it: `changed`, `merged`, `moved`, `dropped`, `expired` or `added`.
    status: String,
    /// Its line in the old text, from 1; of a new one, null.
    line: Option<usize>,
    /// The path of its section.
    section: Option<String>,
    /// Its key in the old text.
    key: Option<String>,
    /// What it said, or says, with its tags.
    text: String,
    /// The line on which it, or what it became, stands now.
    now: Option<usize>,
}

/// Returns a report as a member of a reply.
pub(super) fn report_json(report: &CompactionReport) -> Value {
    let mut told: Vec<_> = report.bullets.iter().filter(|bullet| bullet.outcome != BulletOutcome::Kept).collect();
    told.sort_by_key(|bullet| match bullet.outcome {
        BulletOutcome::Dropped | BulletOutcome::Expired => 0,
        BulletOutcome::Added => 1,
        _ => 2,
    });
    let more = told.len().saturating_sub(TOLD);
    let row = |bullet: &&crate::request::BulletReport| {
        json!({
            "status": bullet.outcome.as_str(),
            "line": bullet.line,
            "section": bullet.section.as_deref().map(|path| excerpt(path, 80)),
            "key": bullet.key,
            "text": visible(&excerpt(&bullet.text, EXCERPT)),
            "now": bullet.now,
        })
    };
    let mut json = json!({
        "bullets": told.iter().take(TOLD).map(row).collect::<Vec<_>>(),
        "more": more,
        "other_lines": report.other_lines.iter().take(TOLD).collect::<Vec<_>>(),
        "added_lines": report.added_lines.iter().take(TOLD).collect::<Vec<_>>(),
    });
    let fates = [
        BulletOutcome::Kept,
        BulletOutcome::Changed,
        BulletOutcome::Merged,
        BulletOutcome::Moved,
        BulletOutcome::Dropped,
        BulletOutcome::Expired,
        BulletOutcome::Added,
    ];
    if let Some(members) = json.as_object_mut() {
        members.extend(fates.map(|outcome| (outcome.as_str().to_owned(), report.count(outcome).into())));
    }
    json
}

/// Writes a report for a model that reads text.
pub(super) fn fmt_report(report: &Value, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    let count = |outcome: &str| report[outcome].as_u64().unwrap_or(0);
    let fates = ["kept", "changed", "merged", "moved", "dropped", "expired", "added"]
        .map(|outcome| format!("{} {outcome}", count(outcome)));
    write!(f, "\nbullets: {}", fates.join(", "))?;
    for row in report["bullets"].as_array().into_iter().flatten() {
        let text = |member: &str| row[member].as_str().unwrap_or_default();
        let place = row["line"].as_u64().map(|line| format!("line {line}, ")).unwrap_or_default();
        write!(f, "\n{}: {place}`{}`", text("status"), text("text"))?;
        if let Some(now) = row["now"].as_u64() {
            write!(f, " => now line {now}")?;
        }
    }
    if let Some(more) = report["more"].as_u64().filter(|more| *more > 0) {
        write!(f, "\n… and {more} more")?;
    }
    for (member, told) in [("other_lines", "gone"), ("added_lines", "new")] {
        let lines: Vec<_> = report[member].as_array().into_iter().flatten().map(ToString::to_string).collect();
        if !lines.is_empty() {
            write!(f, "\nother lines that are {told}: {}", lines.join(", "))?;
        }
    }
    Ok(())
}
