//! What a commit did, without content but section titles, so that it can be logged.

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;

use super::line_map::{LineMap, Rewrite};
use super::{Draft, PartStatus, Warning, guard};
use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::locate::Leniency;
use crate::text::{Excess, Revision, Span, Tally, is_blank};

/// How many bullets a [`Warning::NearLimit`] names.
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
        let parts = draft.edit.parts();
        let mut healed: Vec<_> = parts.iter().flat_map(|part| part.healed.iter().copied()).collect();
        healed.sort_unstable();
        healed.dedup();
        let mut warnings: Vec<_> = parts.iter().flat_map(|part| part.warnings.iter().cloned()).collect();
        let pinned = guard::pins::lost(draft);
        if !pinned.is_empty() {
            let lines = pinned.iter().map(|bullet| draft.old.line_number(bullet.line.start())).collect();
            warnings.push(Warning::Pinned { lines });
        }
        warnings.extend(near_limit(&draft.new));
        Self {
            base: draft.old.revision(),
            revision: draft.new.revision(),
            bytes: BeforeAfter { before: draft.old.text().len(), after: draft.new.text().len() },
            tokens: BeforeAfter { before: draft.old.tokens(), after: draft.new.tokens() },
            changed_sections: changed_sections(draft),
            splices: draft.edit.splices().len(),
            applied_parts: parts.iter().filter(|part| part.status == PartStatus::Applied).count(),
            bullets: BulletCounts::new(draft),
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

/// Names the sections in which a line that is not blank was removed or written.
fn changed_sections(draft: &Draft<'_>) -> Vec<String> {
    let mut sections = touched_sections(&draft.new, draft.splices().map(|(_, written, _)| written));
    let mut gone = Vec::new();
    for section in touched_sections(draft.old, draft.splices().map(|(removed, ..)| removed)) {
        // A section of the old text is found in the new one by where its heading stands now.
        match survivor(draft, section) {
            Some(survivor) => sections.push(survivor),
            None => gone.push(section.shown_name()),
        }
    }
    sections.sort_unstable();
    sections.dedup();
    let names = sections.into_iter().map(SectionRef::shown_name).chain(gone);
    distinct(before_sections(draft).into_iter().chain(names))
}

/// Returns the first of each name, in their order.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut known: HashSet<String> = HashSet::new();
    names.filter(|name| known.insert(name.clone())).collect()
}

/// Returns the sections that hold a line under `spans` that is not blank; some more than once.
fn touched_sections(doc: &MemoryDoc, spans: impl Iterator<Item = Span>) -> Vec<SectionRef<'_>> {
    let mut sections = Vec::new();
    for span in spans {
        for section in touched_lines(doc, span).filter_map(|at| doc.section_at(at)) {
            if sections.last() != Some(&section) {
                sections.push(section);
            }
        }
    }
    sections
}

/// Names what was touched where no section is: the front matter, and blocks of the preamble.
fn before_sections(draft: &Draft<'_>) -> Vec<String> {
    let name = |doc: &MemoryDoc, at: usize| {
        let is_front = doc.outline().front_matter().is_some_and(|front| front.contains(at));
        let block = doc.block_at(at).filter(|_| doc.section_at(at).is_none());
        if is_front { Some("front matter".to_owned()) } else { block.map(|block| format!("block {}", block.id())) }
    };
    distinct(draft.splices().flat_map(|(removed, written, _)| {
        let new = touched_lines(&draft.new, written).filter_map(|at| name(&draft.new, at));
        new.chain(touched_lines(draft.old, removed).filter_map(|at| name(draft.old, at)))
    }))
}

/// Iterates over where the parts of lines under `span` begin that are not blank.
fn touched_lines(doc: &MemoryDoc, span: Span) -> impl Iterator<Item = usize> + '_ {
    let mut at = span.start();
    span.of(doc.text()).split_inclusive('\n').filter_map(move |part| {
        let start = at;
        at += part.len();
        (!is_blank(part)).then_some(start)
    })
}

/// Finds the section that stands in the new text where this one of the old text stood.
fn survivor<'d>(draft: &'d Draft<'_>, old: SectionRef<'_>) -> Option<SectionRef<'d>> {
    draft.new.starting_at(draft.offsets.survivor(old.line.start())?)
}

/// Warns of a document that has crossed its soft limit.
fn near_limit(doc: &MemoryDoc) -> Option<Warning> {
    let Excess { unit, used, limit } = doc.over_soft_limit()?;
    let unpinned = doc.bullets().filter(|bullet| !bullet.is_pinned());
    let editable = unpinned.filter(|bullet| doc.reserved_section_at(bullet.line.start()).is_none());
    let mut by_size: Vec<_> = editable.map(|bullet| (bullet.extent.len(), bullet.line.start())).collect();
    by_size.sort_unstable_by_key(|(size, start)| (std::cmp::Reverse(*size), *start));
    let largest = by_size.into_iter().take(LARGEST).map(|(_, start)| doc.line_number(start)).collect();
    Some(Warning::NearLimit { unit, used, limit, largest })
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

    pub(super) fn new(draft: &Draft<'_>) -> Self {
        let mut counts = Self::default();
        let (mut removed, mut written) = (Vec::new(), Vec::new());
        let (lines, mut last_changed) = (LineMap::of(draft), None);
        for Rewrite { old, new, .. } in &lines.rewrites {
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
    let first = lines.clone().find(|line| !is_blank(doc.line_text(*line)))?;
    let bullet = doc.bullet_at(doc.line_start(first))?;
    Some(doc.lines().index_at(bullet.line.start()))
}
