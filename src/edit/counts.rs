//! How many bullets an edit added, removed, changed and moved, counted by the lines that it
//! rewrites.

use std::ops::Range;

use serde::Serialize;

use super::Draft;
use super::line_map::{LineMap, Rewrite};
use crate::document::{BulletRef, MemoryDoc};
use crate::text::{Span, Tally, is_blank};

/// What became of bullets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BulletCounts {
    /// Bullets that are new.
    pub added: usize,
    /// Bullets that are gone.
    pub removed: usize,
    /// Bullets whose text, tags or checkbox are others.
    pub changed: usize,
    /// Bullets that stand elsewhere, with the content they had.
    pub moved: usize,
}

impl BulletCounts {
    pub(super) const fn add(&mut self, other: Self) {
        self.added += other.added;
        self.removed += other.removed;
        self.changed += other.changed;
        self.moved += other.moved;
    }

    pub(super) fn new(draft: &Draft<'_>) -> Self {
        let mut counts = Self::default();
        let (mut removed, mut written) = (Vec::new(), Vec::new());
        let (lines, mut last_changed) = (LineMap::of(draft), None);
        for Rewrite { old, new, .. } in lines.rewrites() {
            let (mut olds, mut news) = (bullets_on(draft.old, old), bullets_on(&draft.new, new));
            cancel(&mut olds, &mut news);
            let paired = olds.len().min(news.len());
            counts.changed += paired;
            removed.extend(olds.into_iter().skip(paired).map(BulletRef::folded_content));
            written.extend(news.into_iter().skip(paired).map(BulletRef::folded_content));
            // A line below the first of a bullet that stays.
            let before = continued(draft.old, old).and_then(|first| lines.survivor(first));
            let after = || continued(&draft.new, new).filter(|first| lines.writer(*first).is_none());
            if let Some(first) = before.or_else(after).filter(|first| last_changed != Some(*first)) {
                counts.changed += 1;
                last_changed = Some(first);
            }
        }
        let mut left: Tally<&str> = removed.iter().map(|content| &**content).collect();
        counts.moved = written.iter().filter(|content| left.take(&***content)).count();
        counts.added = written.len() - counts.moved;
        counts.removed = removed.len() - counts.moved;
        counts
    }
}

/// Returns the bullets that begin on these lines.
fn bullets_on<'d>(doc: &'d MemoryDoc, lines: &Range<usize>) -> Vec<BulletRef<'d>> {
    let start = |line| doc.lines().start(line);
    doc.bullets_within(Span::new(start(lines.start), start(lines.end))).collect()
}

/// Takes out of both lists the bullets that are written as they were.
fn cancel(old: &mut Vec<BulletRef<'_>>, new: &mut Vec<BulletRef<'_>>) {
    fn text<'d>(bullet: &BulletRef<'d>) -> &'d str {
        bullet.line_text().trim_end()
    }
    let (mut before, mut after): (Tally<&str>, Tally<&str>) =
        (old.iter().map(text).collect(), new.iter().map(text).collect());
    old.retain(|bullet| !after.take(text(bullet)));
    new.retain(|bullet| !before.take(text(bullet)));
}

/// Returns the index of the first line of the bullet that the first of these lines which is not
/// blank goes on with.
fn continued(doc: &MemoryDoc, lines: &Range<usize>) -> Option<usize> {
    let text = |line| doc.lines().line(doc.text(), line).text.of(doc.text());
    let first = lines.clone().find(|line| !is_blank(text(*line)))?;
    let bullet = doc.bullet_at(doc.line_start(first))?;
    Some(doc.lines().index_at(bullet.line.start()))
}
