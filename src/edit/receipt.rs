//! [`Receipt`]: what a commit did, with no content but section titles, so that it can be logged; and [`Written`]: the
//! lines that it wrote, so that an editor need not read the document again.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

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
    /// The revision that it made.
    pub revision: Revision,
    /// The size in bytes.
    pub bytes: BeforeAfter,
    /// The size in tokens.
    pub tokens: BeforeAfter,
    /// The paths of the sections whose text changed, in document order; sections that are gone come
    /// last.
    pub changed_sections: Vec<String>,
    /// How many ranges of text were replaced.
    pub splices: usize,
    /// How many parts of the request were applied.
    pub applied_parts: usize,
    /// What became of bullets.
    pub bullets: BulletCounts,
    /// What was healed.
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
            let message = format!("what stood on {named} was pinned, and is changed, unpinned or gone");
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

    /// Adds up the receipts of two documents that were committed together; the revisions are those
    /// of the first.
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

/// Names the sections in which a line that is not blank was removed or written, in document order. Those that are gone
/// come last.
fn changed_sections(draft: &Draft<'_>, lines: &LineMap) -> Vec<String> {
    let (mut changed, mut gone) = (BTreeMap::new(), BTreeMap::new());
    for Rewrite { old, new, .. } in &lines.rewrites {
        for place in new.clone().filter_map(|line| place(&draft.new, line)) {
            changed.entry(place).or_insert_with(|| place_name(&draft.new, place));
        }
        for was in old.clone().filter_map(|line| place(draft.old, line)) {
            // A section of the old text is found in the new one by where its heading stands now.
            match draft
                .offsets
                .survivor(was)
                .filter(|now| place(&draft.new, draft.new.lines().index_at(*now)) == Some(*now))
            {
                Some(now) => changed.entry(now).or_insert_with(|| place_name(&draft.new, now)),
                None => gone.entry(was).or_insert_with(|| place_name(draft.old, was)),
            };
        }
    }
    let mut known = HashSet::new();
    let names = changed.into_values().chain(gone.into_values());
    names.filter(|name| known.insert(name.clone())).collect()
}

/// Returns where the section of a line begins; outside of sections, where its front matter or block begins. `None` if
/// there is neither, or the line is blank.
fn place(doc: &MemoryDoc, line: usize) -> Option<usize> {
    let at = Some(doc.line_start(line)).filter(|_| !is_blank(doc.line_text(line)))?;
    let section = doc.section_at(at).map(|section| section.line.start());
    let front = || doc.outline().front_matter.filter(|front| front.contains(at)).map(Span::start);
    section.or_else(front).or_else(|| doc.block_at(at).map(|block| block.line.start()))
}

/// Returns the name of the section, the front matter or the block that begins there.
fn place_name(doc: &MemoryDoc, start: usize) -> String {
    match (doc.section_at(start), doc.block_at(start)) {
        (Some(section), _) => section.shown_name(),
        (None, Some(block)) => format!("block {}", block.id()),
        (None, None) => "front matter".to_owned(),
    }
}

/// Warns of a document that has crossed its soft limit.
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

    fn new(draft: &Draft<'_>, lines: &LineMap) -> Self {
        let mut counts = Self::default();
        let (mut removed, mut written) = (Vec::new(), Vec::new());
        // The first lines, in the new text, of bullets that stay and of which other lines are rewritten.
        let mut continued = BTreeSet::new();
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

/// Returns the bullets that begin on these lines. Bullets that began before and go on here are added to `continued`,
/// by what `stays` returns for their first line.
fn bullets_on<'d>(
    doc: &'d MemoryDoc,
    lines: &Range<usize>,
    continued: &mut BTreeSet<usize>,
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

/// Removes from both lists the bullets that read the same in both.
fn cancel(old: &mut Vec<BulletRef<'_>>, new: &mut Vec<BulletRef<'_>>) {
    fn text<'d>(bullet: &BulletRef<'d>) -> &'d str {
        bullet.line_text().trim_end()
    }
    let (mut before, mut after): (Tally<&str>, Tally<&str>) =
        (old.iter().map(text).collect(), new.iter().map(text).collect());
    old.retain(|bullet| !after.take(text(bullet)));
    new.retain(|bullet| !before.take(text(bullet)));
}

/// What a commit did to lines that are not blank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The lines of the new text that were written or moved, in its order.
    pub lines: Vec<WrittenLine>,
    /// How many lines are gone, with none in their place.
    pub removed: usize,
    /// The lines of the old text that stand nowhere now, where the commit wrote fewer lines than it removed.
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

    /// Returns the lines that were written or moved, as the splices have them. A line that a splice writes as it was
    /// does not count, unless its heading was replaced and it is now in another section. A line that only got another
    /// number, in an ordered list, counts.
    pub fn written(&self) -> Written {
        let changes = self.changes();
        let new = changes.iter().flat_map(|change| change.new.clone());
        let lines = new.map(|index| WrittenLine { number: index + 1, text: self.doc.line_span(index) });
        let lines = lines.filter(|line| !is_blank(line.text.of(self.doc.text()))).collect();
        let (removed, gone) = self.gone(&changes);
        Written { lines, removed, gone }
    }

    /// Returns the lines that the commit changes; those at both ends of a change stay that differ by their ending at most.
    fn changes(&self) -> Vec<ChangedLines> {
        let (old, new) = (&self.base, &self.doc);
        // The inverse leads from the new text to the old one.
        let back = Draft::between(new, &self.inverse, old.clone());
        // Below a heading that was replaced along with them, they stay.
        let is_moved = |touched: &ChangedLines, to: usize, from: usize| {
            heading_of(old, from).is_some_and(|heading| touched.new.contains(&heading))
                && heading_of(new, to).is_none_or(|heading| !touched.old.contains(&heading))
        };
        let is_same = |to, from| old.line_text(from) == new.line_text(to);
        let stays = |touched: &ChangedLines, to, from| is_same(to, from) && !is_moved(touched, to, from);
        let changes = LineMap::of(&back).changes(new, stays).into_iter();
        changes.map(|ChangedLines { old, new }| ChangedLines { old: new, new: old }).collect()
    }

    /// Counts the lines that are gone: those that stand nowhere else now, and in whose place no
    /// other was written. Returns the lines that stand nowhere else of changes that have written fewer.
    fn gone(&self, changes: &[ChangedLines]) -> (usize, Vec<WrittenLine>) {
        fn texts(doc: &MemoryDoc, lines: Range<usize>) -> impl Iterator<Item = &str> {
            lines.map(|index| recognized_part(doc.line_text(index)))
        }
        let old = |change: &ChangedLines| texts(&self.base, change.old.clone());
        let new = |change: &ChangedLines| texts(&self.doc, change.new.clone());
        let (mut come, mut went): (Tally<&str>, Tally<&str>) =
            (changes.iter().flat_map(new).collect(), changes.iter().flat_map(old).collect());
        let (mut count, mut gone) = (0, Vec::new());
        for change in changes {
            let lost = unmatched(old(change), &mut come);
            let made = unmatched(new(change), &mut went).count();
            let lost: Vec<_> = lost.map(|nth| change.old.start + nth).collect();
            if lost.len() > made {
                count += lost.len() - made;
                gone.extend(lost.iter().map(|at| WrittenLine { number: at + 1, text: self.base.line_span(*at) }));
            }
        }
        (count, gone)
    }
}

/// Returns the part of a line by which it is found again: a heading without its level, an item without its number and
/// indentation.
fn recognized_part(line: &str) -> &str {
    match bullet_line(line).filter(|item| item.marker.len() > 1) {
        Some(item) => item.rest,
        None => line.trim_start_matches(|c: char| c.is_whitespace() || (c == '#' && heading(line).is_some())),
    }
}

/// Iterates over the indices of the texts that are not blank and cannot be taken from `others`.
fn unmatched<'t>(texts: impl Iterator<Item = &'t str>, others: &mut Tally<&'t str>) -> impl Iterator<Item = usize> {
    texts.enumerate().filter(|(_, text)| !others.take(text) && !is_blank(text)).map(|(nth, _)| nth)
}

/// Returns the index of the heading that a line stands below, or is.
fn heading_of(doc: &MemoryDoc, index: usize) -> Option<usize> {
    let section = doc.section_at(doc.line_span(index).start())?;
    Some(doc.lines().index_at(section.line.start()))
}
