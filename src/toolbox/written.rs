//! What every tool that edits tells of a commit: the lines that were written, what was changed in numbers, and what became of
//! bullets.

use serde_json::{Map, Value, json};

use crate::document::MemoryDoc;
use crate::edit::{Commit, Receipt, WrittenLine};
use crate::memory::Applied;
use crate::request::{BulletOutcome, BulletReport, CompactionReport};
use crate::text::{excerpt, on_one_line, visible};

/// How many written lines are shown, and how many characters of them.
const MAX_LINES: usize = 8;
const MAX_CHARS: usize = 600;
/// How many removed lines are shown, and how many characters of each.
const MAX_REMOVED: usize = 3;
const REMOVED_CHARS: usize = 100;
/// How many bullets of a compaction are told one by one, and how many characters of each.
const MAX_BULLETS: usize = 20;
const BULLET_CHARS: usize = 100;

/// Returns what was changed, in numbers. Where no section is changed, `front matter` or `block ID` stands among the paths.
pub(crate) fn sizes(receipt: &Receipt) -> Value {
    let sections: Vec<_> = receipt.changed_sections.iter().map(|path| on_one_line(path)).collect();
    let Receipt { bytes, tokens, bullets, .. } = receipt;
    json!({"changed_sections": sections, "bytes": bytes, "tokens": tokens, "bullets": bullets})
}

/// Returns the lines that a commit wrote or moved, as they read now, and the first of those that are gone: what a model would
/// otherwise read the memory again for.
pub(crate) fn lines(commit: &Commit) -> Value {
    let written = commit.written();
    let mut room = MAX_CHARS;
    let mut lines = Vec::new();
    for line in written.lines.iter().take(MAX_LINES) {
        let characters = line.text.of(commit.doc.text()).chars().take(room + 1).count();
        if characters > room && !lines.is_empty() {
            break;
        }
        lines.push(line_row(&commit.doc, line, room));
        room -= characters.min(room);
    }
    let gone = written.gone.iter().take(MAX_REMOVED);
    let removed: Vec<_> = gone.map(|line| line_row(commit.base(), line, REMOVED_CHARS)).collect();
    json!({
        "more_lines": some(written.lines.len() - lines.len()),
        "lines": lines,
        "removed_lines": some(written.removed),
        "more_removed": some(written.removed.saturating_sub(removed.len())),
        "removed": Some(removed).filter(|removed| !removed.is_empty()),
    })
}

/// Returns a line with the block that it stands in; of a heading, with the section.
fn line_row(doc: &MemoryDoc, line: &WrittenLine, room: usize) -> Value {
    let start = line.text.start();
    let block = doc.block_at(start).map(|block| format!("block {}", visible(&excerpt(block.id(), 40))));
    let section = || {
        let section = doc.section_at(start).filter(|section| section.line.start() == start)?;
        section.parent().map(|parent| format!("section {}", visible(&excerpt(&parent.name(), 80))))
    };
    json!({"line": line.number, "in": block.or_else(section), "text": excerpt(line.text.of(doc.text()), room)})
}

fn some(count: usize) -> Option<usize> {
    Some(count).filter(|count| *count > 0)
}

/// Returns what became of one of several documents.
pub(crate) fn document(applied: &Applied) -> Value {
    let mut row = json!({
        "document": applied.document,
        "revision": applied.doc.revision().short(),
        "seq": applied.seq,
        "report": applied.report.as_ref().map(report),
    });
    if let (Some(row), Some(Value::Object(lines))) = (row.as_object_mut(), applied.commit.as_ref().map(lines)) {
        row.extend(lines);
    }
    row
}

/// Returns how many bullets fared how in a compaction, and those that were not kept: those that are gone, then those that moved,
/// then those that are new, then the others.
pub(crate) fn report(report: &CompactionReport) -> Value {
    let mut told: Vec<_> = report.bullets.iter().filter(|bullet| bullet.outcome != BulletOutcome::Kept).collect();
    told.sort_by_key(|bullet| match bullet.outcome {
        BulletOutcome::Gone => 0,
        BulletOutcome::Moved => 1,
        BulletOutcome::Added => 2,
        _ => 3,
    });
    let counts = BulletOutcome::ALL.iter().map(|outcome| (outcome.to_string(), report.count(*outcome).into()));
    let mut row = Map::from_iter(counts);
    row.extend([
        ("more".to_owned(), told.len().saturating_sub(MAX_BULLETS).into()),
        ("bullets".to_owned(), told.into_iter().take(MAX_BULLETS).map(bullet_row).collect()),
        ("other_lines".to_owned(), report.other_lines.iter().copied().take(MAX_BULLETS).collect()),
        ("added_lines".to_owned(), report.added_lines.iter().copied().take(MAX_BULLETS).collect()),
    ]);
    Value::Object(row)
}

/// Returns a bullet as it was in the old text, and where it, or what it became, stands now.
fn bullet_row(bullet: &BulletReport) -> Value {
    json!({
        "status": bullet.outcome,
        "line": bullet.line,
        "section": bullet.section.as_deref().map(|path| excerpt(path, 80)),
        "key": bullet.key,
        "text": visible(&excerpt(&bullet.text, BULLET_CHARS)),
        "now": bullet.now,
        "now_section": bullet.now_section.as_deref().map(|path| excerpt(path, 80)),
    })
}
