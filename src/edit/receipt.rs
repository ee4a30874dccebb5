//! [`Receipt`]: what a commit did, without content (but for section titles), so that it can be logged.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use litemap::LiteMap;
use serde::Serialize;

use super::guard::pins::lost_pins;
use super::line_map::{LineMap, RewrittenLines};
use super::{Draft, PartStatus, Warning, named_lines};
use crate::document::{BulletRef, Excess, MemoryDoc};
use crate::locate::Leniency;
use crate::text::{ChangedRange, Content, Revision, Span, Tally, is_blank};

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
        let healed: BTreeSet<_> = parts.iter().flat_map(|part| part.healed.iter().copied()).collect();
        let mut warnings: Vec<_> = parts.iter().flat_map(|part| part.warnings.iter().cloned()).collect();
        let pinned = lost_pins(draft);
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
            healed: healed.into_iter().collect(),
            warnings,
        }
    }

    /// Adds the receipt of another document that was committed together with this one. The revisions stay those of this
    /// one.
    pub(crate) fn joined(mut self, other: &Self) -> Self {
        for (own, other) in [(&mut self.bytes, other.bytes), (&mut self.tokens, other.tokens)] {
            *own = BeforeAfter { before: own.before + other.before, after: own.after + other.after };
        }
        self.changed_sections.extend(other.changed_sections.iter().cloned());
        self.splices += other.splices;
        self.applied_parts += other.applied_parts;
        self.bullets.add(other.bullets);
        let healed: BTreeSet<_> = self.healed.iter().chain(&other.healed).copied().collect();
        self.healed = healed.into_iter().collect();
        self.warnings.extend(other.warnings.iter().cloned());
        self
    }

    /// Returns the receipt without the messages of its warnings, which may quote the text.
    pub(crate) fn without_messages(&self) -> Self {
        let mut receipt = self.clone();
        receipt.warnings.iter_mut().for_each(|warning| warning.message = Content::default());
        receipt
    }
}

/// Returns the names of the sections in which a line that is not blank was removed or written, in document order.
/// Removed sections come last.
fn changed_sections(draft: &Draft<'_>, lines: &LineMap) -> Vec<String> {
    let (mut changed, mut removed) = (LiteMap::new_vec(), LiteMap::new_vec());
    let is_place = |now: &usize| place(&draft.new, draft.new.line_index(*now)) == Some(*now);
    for RewrittenLines { lines: ChangedRange { old, new }, .. } in &lines.rewrites {
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
    const fn add(&mut self, other: Self) {
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
        for RewrittenLines { lines: ChangedRange { old, new }, .. } in &lines.rewrites {
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
        let first = bullet.line_index();
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
