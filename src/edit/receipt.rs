//! [`Receipt`]: what a commit did, without content (but for section titles), so that it can be logged; and [`Written`]:
//! the lines that it wrote, so that an editor need not read the document again.

use std::collections::HashSet;
use std::ops::Range;

use litemap::LiteMap;
use serde::Serialize;

use super::line_map::{LineMap, Rewrite};
use super::{Commit, Draft, PartStatus, Warning, guard, named_lines};
use crate::document::{BulletRef, Excess, MemoryDoc, bullet_line, heading};
use crate::locate::Leniency;
use crate::text::{ChangedLines, Revision, Span, Tally, is_blank};

/// How many bullets the warning `near_limit` names.
const LARGEST: usize = 3;

/// A size before and after an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BeforeAfter {
    /// The size before.
    pub before: usize,
    /// The size after.
    pub after: usize,
}

impl BeforeAfter {
    const fn add(&mut self, other: Self) {
        self.before += other.before;
        self.after += other.after;
    }
}

/// The receipt of a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Receipt {
    /// The revision that the edit was made on.
    pub base: Revision,
    /// The revision of the result.
    pub revision: Revision,
    /// The size in bytes.
    pub bytes: BeforeAfter,
    /// The size in tokens.
    pub tokens: BeforeAfter,
    /// The paths of the sections whose text changed, in document order; removed sections come last.
    pub changed_sections: Vec<String>,
    /// How many ranges of text were replaced.
    pub splices: usize,
    /// How many parts of the request were applied.
    pub applied_parts: usize,
    /// How many bullets were added, removed, changed and moved.
    pub bullets: BulletCounts,
    /// The leniencies that the request needed.
    pub healed: Vec<Leniency>,
    /// What the editor should know.
    pub warnings: Vec<Warning>,
}

impl Receipt {
    pub(super) fn new(draft: &Draft<'_>) -> Self {
        let (parts, lines) = (draft.edit.parts(), LineMap::of(draft));
        let mut healed: Vec<_> = parts.iter().flat_map(|part| part.healed.iter().copied()).collect();
        healed.sort_unstable();
        healed.dedup();
        let mut warnings: Vec<_> = parts.iter().flat_map(|part| part.warnings.iter().cloned()).collect();
        let pinned = guard::lost_pins(draft);
        if !pinned.is_empty() {
            let lines: Vec<usize> = pinned.into_iter().map(BulletRef::line_number).collect();
            let named = named_lines(&lines);
            let message = format!("what stood on {named} was pinned, and is changed, moved, unpinned or gone");
            warnings.push(Warning::new("pinned", message).about(lines));
        }
        warnings.extend(near_limit(&draft.new));
        Self {
            base: draft.old.revision(),
            revision: draft.new.revision(),
            bytes: BeforeAfter { before: draft.old.text().len(), after: draft.new.text().len() },
            tokens: BeforeAfter { before: draft.old.tokens(), after: draft.new.tokens() },
            changed_sections: changed_sections(draft, &lines),
            splices: draft.edit.splices().len(),
            applied_parts: parts.iter().filter(|part| part.status == PartStatus::Applied).count(),
            bullets: BulletCounts::new(draft, &lines),
            healed,
            warnings,
        }
    }

    /// Adds the receipt of another document that was committed together with this one. The revisions stay those of this
    /// one.
    pub(crate) fn joined(mut self, other: &Self) -> Self {
        self.bytes.add(other.bytes);
        self.tokens.add(other.tokens);
        self.changed_sections.extend(other.changed_sections.iter().cloned());
        self.splices += other.splices;
        self.applied_parts += other.applied_parts;
        self.bullets.add(other.bullets);
        self.healed.extend(&other.healed);
        self.healed.sort_unstable();
        self.healed.dedup();
        self.warnings.extend(other.warnings.iter().cloned());
        self
    }
}

/// Returns the names of the sections in which a line that is not blank was removed or written, in document order.
/// Removed sections come last.
fn changed_sections(draft: &Draft<'_>, lines: &LineMap) -> Vec<String> {
    let (mut changed, mut removed) = (LiteMap::new_vec(), LiteMap::new_vec());
    let is_place = |now: &usize| place(&draft.new, draft.new.lines().index_at(*now)) == Some(*now);
    for Rewrite { old, new, .. } in &lines.rewrites {
        for place in new.clone().filter_map(|line| place(&draft.new, line)) {
            changed.entry(place).or_insert_with(|| place_name(&draft.new, place));
        }
        for was in old.clone().filter_map(|line| place(draft.old, line)) {
            // A section of the old text is the section of the new text whose heading is at the mapped offset.
            match draft.offsets.survivor(was).filter(is_place) {
                Some(now) => changed.entry(now).or_insert_with(|| place_name(&draft.new, now)),
                None => removed.entry(was).or_insert_with(|| place_name(draft.old, was)),
            };
        }
    }
    let mut known = HashSet::new();
    let names = changed.into_iter().chain(removed).map(|(_, name)| name);
    names.filter(|name| known.insert(name.clone())).collect()
}

/// Returns the start of the section that a line is in; outside of sections, the start of its front matter or block.
/// `None` if there is neither, or if the line is blank.
fn place(doc: &MemoryDoc, line: usize) -> Option<usize> {
    let at = Some(doc.line_start(line)).filter(|_| !is_blank(doc.line_text(line)))?;
    let section = doc.section_at(at).map(|section| section.line.start());
    let front = || doc.outline().front_matter.filter(|front| front.contains(at)).map(Span::start);
    section.or_else(front).or_else(|| doc.block_at(at).map(|block| block.line.start()))
}

/// Returns the name of the section, front matter or block that begins at `start`.
fn place_name(doc: &MemoryDoc, start: usize) -> String {
    match (doc.section_at(start), doc.block_at(start)) {
        (Some(section), _) => section.shown_name(),
        (None, Some(block)) => format!("block {}", block.id()),
        (None, None) => "front matter".to_owned(),
    }
}

/// Returns the warning `near_limit`, if a document is over its soft limit.
fn near_limit(doc: &MemoryDoc) -> Option<Warning> {
    let Excess { unit, used, limit } = doc.over_soft_limit()?;
    let unpinned = doc.bullets().filter(|bullet| !bullet.is_pinned());
    let editable = unpinned.filter(|bullet| doc.reserved_section_at(bullet.line.start()).is_none());
    let mut by_size: Vec<_> = editable.map(|bullet| (bullet.extent.len(), bullet.line.start())).collect();
    by_size.sort_unstable_by_key(|(size, start)| (std::cmp::Reverse(*size), *start));
    let largest: Vec<usize> = by_size.into_iter().take(LARGEST).map(|(_, start)| doc.line_number(start)).collect();
    let named = format!("; its largest unpinned bullets: {}", named_lines(&largest));
    let named = if largest.is_empty() { "" } else { &named };
    let message = format!("the document uses {used} of {limit} {unit}{named}");
    Some(Warning::new("near_limit", message).about(largest))
}

/// How many bullets a commit added, removed, changed and moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BulletCounts {
    /// Bullets that are new.
    pub added: usize,
    /// Bullets that were removed.
    pub removed: usize,
    /// Bullets whose text, tags or checkbox changed.
    pub changed: usize,
    /// Bullets that are at another place, with the same content.
    pub moved: usize,
}

impl BulletCounts {
    pub(super) const fn add(&mut self, other: Self) {
        self.added += other.added;
        self.removed += other.removed;
        self.changed += other.changed;
        self.moved += other.moved;
    }

    fn new(draft: &Draft<'_>, lines: &LineMap) -> Self {
        let mut counts = Self::default();
        let (mut removed, mut written) = (Vec::new(), Vec::new());
        // Bullets whose first line stays while other lines of them are rewritten, by the first line in the new text.
        let mut continued = HashSet::new();
        for Rewrite { old, new, .. } in &lines.rewrites {
            let mut olds = bullets_on(draft.old, old, &mut continued, |first| lines.survivor(first));
            let mut news = bullets_on(&draft.new, new, &mut continued, |first| lines.origin(first).map(|_| first));
            cancel(&mut olds, &mut news);
            let paired = olds.len().min(news.len());
            counts.changed += paired;
            removed.extend(olds.into_iter().skip(paired).map(BulletRef::folded_content));
            written.extend(news.into_iter().skip(paired).map(BulletRef::folded_content));
        }
        counts.changed += continued.len();
        let mut left: Tally<&str> = removed.iter().map(|content| &**content).collect();
        counts.moved = written.iter().filter(|content| left.take(&***content)).count();
        counts.added = written.len() - counts.moved;
        counts.removed = removed.len() - counts.moved;
        counts
    }
}

/// Returns the bullets that begin on these lines. If a bullet began before these lines and its first line stays,
/// `stays` returns that line, which is added to `continued`.
fn bullets_on<'d>(
    doc: &'d MemoryDoc,
    lines: &Range<usize>,
    continued: &mut HashSet<usize>,
    stays: impl Fn(usize) -> Option<usize>,
) -> Vec<BulletRef<'d>> {
    let mut bullets = Vec::new();
    for line in lines.clone().filter(|line| !is_blank(doc.line_text(*line))) {
        let Some(bullet) = doc.bullet_at(doc.line_start(line)) else { continue };
        let first = bullet.line_number() - 1;
        continued.extend(stays(first));
        bullets.extend(Some(bullet).filter(|_| first == line));
    }
    bullets
}

/// Removes from both lists the bullets whose first lines are equal.
fn cancel(old: &mut Vec<BulletRef<'_>>, new: &mut Vec<BulletRef<'_>>) {
    fn text<'d>(bullet: &BulletRef<'d>) -> &'d str {
        bullet.line_text().trim_end()
    }
    let (mut before, mut after): (Tally<&str>, Tally<&str>) =
        (old.iter().map(text).collect(), new.iter().map(text).collect());
    old.retain(|bullet| !after.take(text(bullet)));
    new.retain(|bullet| !before.take(text(bullet)));
}

/// The lines that a commit wrote and removed. Blank lines do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The lines of the new text that were written or moved, in document order.
    pub lines: Vec<WrittenLine>,
    /// How many lines were removed without a line in their place.
    pub removed: usize,
    /// The lines of the old text that were removed or rewritten. Lines that were moved, and lines of which only the
    /// number in a list or the level of a heading changed, do not count.
    pub gone: Vec<WrittenLine>,
}

/// A line that was written, moved or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrittenLine {
    /// Its number, from 1.
    pub number: usize,
    /// Its text, without the ending.
    pub text: Span,
}

impl Commit {
    /// Returns the document before the commit, whose lines [`Written::gone`] are.
    pub const fn base(&self) -> &MemoryDoc {
        &self.base
    }

    /// Returns the lines that were written or moved. A line that a splice writes unchanged does not count, unless its
    /// heading was replaced, so that it is in another section now. A line of which only the number in a list changed
    /// counts.
    pub fn written(&self) -> Written {
        let changes = self.changes();
        let new = changes.iter().flat_map(|change| change.new.clone());
        let lines = new.map(|index| WrittenLine { number: index + 1, text: self.doc.line_span(index) });
        let lines = lines.filter(|line| !is_blank(line.text.of(self.doc.text()))).collect();
        let (removed, gone) = self.gone(&changes);
        Written { lines, removed, gone }
    }

    /// Returns the lines that the commit changes. At both ends of a change, lines that differ only in their ending are
    /// left out.
    fn changes(&self) -> Vec<ChangedLines> {
        let (old, new) = (&self.base, &self.doc);
        // The inverse leads from the new text to the old one.
        let back = Draft::between(new, &self.inverse, old.clone());
        // A line is moved if its old heading was replaced and its new heading was not written together with it.
        let is_moved = |touched: &ChangedLines, to: usize, from: usize| {
            heading_of(old, from).is_some_and(|heading| touched.new.contains(&heading))
                && heading_of(new, to).is_none_or(|heading| !touched.old.contains(&heading))
        };
        let is_same = |to, from| old.line_text(from) == new.line_text(to);
        let stays = |touched: &ChangedLines, to, from| is_same(to, from) && !is_moved(touched, to, from);
        let changes = LineMap::of(&back).changes(new, stays).into_iter();
        changes.map(|ChangedLines { old, new }| ChangedLines { old: new, new: old }).collect()
    }

    /// Returns [`Written::removed`] and [`Written::gone`]. A removed line that was written again elsewhere does not
    /// count.
    fn gone(&self, changes: &[ChangedLines]) -> (usize, Vec<WrittenLine>) {
        fn texts(doc: &MemoryDoc, lines: Range<usize>) -> impl Iterator<Item = &str> {
            lines.map(|index| recognized_part(doc.line_text(index)))
        }
        let old = |change: &ChangedLines| texts(&self.base, change.old.clone());
        let new = |change: &ChangedLines| texts(&self.doc, change.new.clone());
        let (mut written, mut removed): (Tally<&str>, Tally<&str>) =
            (changes.iter().flat_map(new).collect(), changes.iter().flat_map(old).collect());
        let (mut count, mut gone) = (0, Vec::new());
        for change in changes {
            let lost = unmatched(old(change), &mut written);
            let gained = unmatched(new(change), &mut removed).count();
            let lost: Vec<_> = lost.map(|nth| change.old.start + nth).collect();
            count += lost.len().saturating_sub(gained);
            gone.extend(lost.iter().map(|at| WrittenLine { number: at + 1, text: self.base.line_span(*at) }));
        }
        (count, gone)
    }
}

/// Returns the part of a line by which a moved line is recognized: a heading without its level, an item without its
/// number and indentation.
fn recognized_part(line: &str) -> &str {
    match bullet_line(line).filter(|item| item.marker.len() > 1) {
        Some(item) => item.rest,
        None => line.trim_start_matches(|c: char| c.is_whitespace() || (c == '#' && heading(line).is_some())),
    }
}

/// Iterates over the indexes of the texts that are not blank and not in `others`. Each text in `others` matches once.
fn unmatched<'t>(texts: impl Iterator<Item = &'t str>, others: &mut Tally<&'t str>) -> impl Iterator<Item = usize> {
    texts.enumerate().filter(|(_, text)| !others.take(text) && !is_blank(text)).map(|(nth, _)| nth)
}

/// Returns the index of the line of the last heading above a line, or of the line itself if it is a heading.
fn heading_of(doc: &MemoryDoc, index: usize) -> Option<usize> {
    let section = doc.section_at(doc.line_span(index).start())?;
    Some(doc.lines().index_at(section.line.start()))
}
