//! The owner rule: a line that an edit does not write keeps its owner, or the successor of its
//! owner.

use super::successors::Successors;
use crate::document::MemoryDoc;
use crate::edit::line_map::{LineMap, Rewrite, is_replaced, line_text, visible_part};
use crate::edit::owners::{Owner, OwnerKind, Owners};
use crate::edit::{Draft, Flaw};
use crate::text::Span;

/// Checks that no line changes hands.
///
/// A line is owned by the innermost section, block, label, bullet, fence, slot or front matter
/// around it. In the result of an edit, each line that the edit does not write has the owner that
/// it had. Where the edit rewrote that owner, the successor counts ([`Successors`]).
pub(super) fn check(draft: &Draft<'_>) -> Result<(), Flaw> {
    let check = Ownership::of(draft);
    check.joined_lines()?;
    check.fences()?;
    check.survivors()?;
    check.heads_with_survivors()?;
    check.written_lines()
}

/// Checks that the result has no open fence but those that were open.
pub(super) fn check_fences(draft: &Draft<'_>) -> Result<(), Flaw> {
    Ownership::of(draft).fences()
}

/// Where each part of a request writes, told by its anchor: a line that it was to write below.
pub(crate) struct Anchors<'a>(Ownership<'a>);

impl<'a> Anchors<'a> {
    pub(crate) fn of(draft: &'a Draft<'a>) -> Self {
        Self(Ownership::of(draft))
    }

    /// Checks that what a part writes belongs to a line of the old text, or to its successor; but
    /// below a bullet, as far as to a heading or block line that it writes.
    pub(crate) fn check(&self, part: usize, anchor: usize) -> Result<(), Flaw> {
        let Ownership { lines, old, new, .. } = &self.0;
        let may_end = old.head(anchor) != Some(OwnerKind::Bullet);
        let at = self.0.follow(anchor).ok_or(Flaw::OutsideAnchor(anchor + 1))?;
        let written = lines.rewrites().iter().filter(|rewrite| rewrite.parts.contains(&part));
        for line in written.flat_map(|rewrite| rewrite.new.clone()).filter(|line| !new.is_blank(*line)) {
            if line == at || new.chain(line).any(|owner| owner.line == at) {
                continue;
            }
            return match new.head(line) {
                Some(OwnerKind::Section | OwnerKind::Block) if may_end => Ok(()),
                _ => Err(Flaw::OutsideAnchor(line + 1)),
            };
        }
        Ok(())
    }
}

struct Ownership<'a> {
    draft: &'a Draft<'a>,
    lines: LineMap,
    old: Owners,
    new: Owners,
    successors: Successors,
    /// Whether the edit closes or removes the fence that was open, so that what it swallowed is
    /// free again.
    frees_open_fence: bool,
}

impl<'a> Ownership<'a> {
    fn of(draft: &'a Draft<'a>) -> Self {
        let lines = LineMap::of(draft);
        let (old, new) = (Owners::of(draft.old), Owners::of(&draft.new));
        let successors = Successors::of(draft, &lines, [&old, &new]);
        let frees_open_fence = open_fences(draft.old).next().is_some() && open_fences(&draft.new).next().is_none();
        Self { draft, lines, old, new, successors, frees_open_fence }
    }

    /// Returns where a line, or its successor, stands in the result.
    fn follow(&self, line: usize) -> Option<usize> {
        self.lines.survivor(line).or_else(|| self.successors.of_line(line))
    }

    /// Reports whether an owner in the result is the one in the old text, or its successor.
    fn is_same(&self, owners: [Option<Owner>; 2]) -> bool {
        match owners {
            [Some(old), Some(new)] => old.kind == new.kind && self.follow(old.line) == Some(new.line),
            [old, new] => old.is_none() && new.is_none(),
        }
    }

    /// Checks that a line of which no visible character is replaced stays a line of its own.
    fn joined_lines(&self) -> Result<(), Flaw> {
        let (old, new) = (self.draft.old, &self.draft.new);
        for line in self.lines.touched() {
            let text = visible_part(old, line);
            if text.is_empty() || is_replaced(self.draft, line) {
                continue;
            }
            let start = self.draft.offsets.survivor(text.start());
            let stands = start.map(|start| line_text(new, new.lines().index_at(start)).trim_end());
            if stands != Some(line_text(old, line).trim_end()) {
                return Err(Flaw::Joined(line + 1));
            }
        }
        Ok(())
    }

    /// Checks that each fence that is open in the result was open before.
    fn fences(&self) -> Result<(), Flaw> {
        let lines = |doc: &'a MemoryDoc| open_fences(doc).map(|fence| doc.lines().index_at(fence.start()));
        let before: Vec<_> = lines(self.draft.old).filter_map(|line| self.follow(line)).collect();
        let opened = lines(&self.draft.new).find(|line| !before.contains(line));
        opened.map_or(Ok(()), |line| Err(Flaw::OpenFence(line + 1)))
    }

    /// Checks that each line that stays has the owner that it had.
    fn survivors(&self) -> Result<(), Flaw> {
        // Lines of one owner stand together: most have the owners of the line above.
        let mut last = None;
        for (old, new) in self.lines.survivors() {
            if self.old.is_blank(old) && self.new.is_blank(new) {
                continue;
            }
            let owners = [self.old.owner(old), self.new.owner(new)];
            if last == Some(owners) || self.is_freed(old) {
                continue;
            }
            if !self.is_same(owners) {
                return Err(Flaw::ChangesHands(old + 1));
            }
            last = Some(owners);
        }
        Ok(())
    }

    /// Reports whether a line was in a fence that nothing closed, and the result has no such fence:
    /// to close it is a repair.
    fn is_freed(&self, old: usize) -> bool {
        // A fence behind a marker is a part of what the bullet says.
        let is_fenced = |owner: Owner| self.old.head(owner.line) == Some(OwnerKind::Fence);
        self.frees_open_fence && self.old.owner(old).is_some_and(is_fenced)
    }

    /// Checks that a rewritten head below which lines stay has the owner that it had: else they
    /// would move with it.
    fn heads_with_survivors(&self) -> Result<(), Flaw> {
        if self.successors.is_empty() {
            return Ok(());
        }
        let mut holds = vec![false; self.old.len()];
        for line in (0..self.old.len()).rev() {
            let stays = self.lines.survivor(line).is_some() && !self.old.is_blank(line);
            let holds_more = stays || holds.get(line).copied().unwrap_or(false);
            let owner = self.old.owner(line).filter(|_| holds_more);
            if let Some(entry) = owner.and_then(|owner| holds.get_mut(owner.line)) {
                *entry = true;
            }
        }
        for (old, new) in self.successors.iter() {
            let keeps_owner = self.is_same([self.old.owner(old), self.new.owner(new)]);
            if holds.get(old).copied().unwrap_or(false) && !keeps_owner {
                return Err(Flaw::ChangesHands(old + 1));
            }
        }
        Ok(())
    }

    /// Checks that each line that is written belongs to a line that was there, to a successor, or
    /// to one that the same part writes; and that no prose is written directly below a bullet,
    /// whose text it would go on with in Markdown.
    fn written_lines(&self) -> Result<(), Flaw> {
        for rewrite in self.lines.rewrites() {
            let may_be_prose = rewrite.is_note || rewrite.old.clone().any(|line| self.was_prose(line));
            for line in rewrite.new.clone() {
                if self.new.is_blank(line) {
                    continue;
                }
                let writer = self.new.owner(line).and_then(|owner| self.lines.writer(owner.line).zip(Some(owner.line)));
                let is_of_others = writer.is_some_and(|(writer, owner)| {
                    !self.successors.is_successor(owner) && !shares_part(writer, rewrite)
                });
                if is_of_others {
                    return Err(Flaw::Between(line + 1));
                }
                if !may_be_prose && self.goes_on_with_bullet(line) {
                    return Err(Flaw::BelowBullet(line + 1));
                }
            }
        }
        Ok(())
    }

    /// Reports whether a line of the old text is prose or a label.
    fn was_prose(&self, line: usize) -> bool {
        self.old.is_prose(line) || self.old.head(line) == Some(OwnerKind::Label)
    }

    /// Reports whether a line of prose stands directly below a bullet or the text of one.
    fn goes_on_with_bullet(&self, line: usize) -> bool {
        let Some(above) = line.checked_sub(1).filter(|_| self.new.is_prose(line)) else { return false };
        let of_bullet = |owner: Owner| owner.kind == OwnerKind::Bullet;
        let is_of_bullet = self.new.head(above) == Some(OwnerKind::Bullet)
            || (self.new.head(above).is_none() && self.new.owner(above).is_some_and(of_bullet));
        is_of_bullet && !self.new.is_blank(above) && !ends_paragraph(line_text(&self.draft.new, line))
    }
}

/// Reports whether one part of the request makes both rewrites.
fn shares_part(one: &Rewrite, other: &Rewrite) -> bool {
    one.parts.iter().any(|part| other.parts.binary_search(part).is_ok())
}

/// Reports whether a line of prose ends the paragraph above it in Markdown: a table row or a rule.
fn ends_paragraph(line: &str) -> bool {
    let line = line.trim_end();
    let is_rule = |sign: char| line.len() >= 3 && line.chars().all(|c| c == sign);
    line.starts_with('|') || ['-', '*', '_'].into_iter().any(is_rule)
}

/// Iterates over the fences that nothing closes.
fn open_fences(doc: &MemoryDoc) -> impl Iterator<Item = Span> + '_ {
    doc.outline().fences().iter().filter(|fence| !fence.is_closed).map(|fence| fence.extent)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::edit::{Authority, EditBuilder, Part, PartStatus, Promise};

    const LINES: [&str; 16] = [
        "# A",
        "## B",
        "## C",
        "### D",
        "M: (ID: m)",
        "Anna:",
        "Bob:",
        "- a",
        "- b",
        "  - c",
        "    - d",
        "  goes on",
        "prose",
        "",
        "```",
        "key: v",
    ];

    /// Replaces the lines of a range by others.
    #[derive(Clone, Debug)]
    struct Change {
        first: usize,
        removed: usize,
        lines: Vec<&'static str>,
    }

    fn change() -> impl Strategy<Value = Change> {
        let lines = vec(select(&LINES[..]), 0..3);
        (0..12_usize, 0..3_usize, lines).prop_map(|(first, removed, lines)| Change { first, removed, lines })
    }

    /// Returns the edit that makes the changes, each as a part of its own, and where each line that
    /// stays stands afterwards.
    fn edit(doc: &MemoryDoc, changes: &[Change]) -> Option<(crate::edit::Edit, Vec<(usize, usize)>)> {
        let count = doc.lines().len();
        let mut edit = EditBuilder::new(doc);
        let (mut stays, mut old, mut new) = (Vec::new(), 0, 0);
        for change in changes {
            if change.first < old || change.first + change.removed > count {
                return None;
            }
            stays.extend((old..change.first).zip(new..));
            let lines: String = change.lines.iter().map(|line| format!("{line}\n")).collect();
            let span = Span::new(doc.lines().start(change.first), doc.lines().start(change.first + change.removed));
            edit.part(Part::new(PartStatus::Applied)).replace(span, lines, Promise::Lines);
            new += change.first - old + change.lines.len();
            old = change.first + change.removed;
        }
        stays.extend((old..count).zip(new..));
        Some((edit.finish().ok()?, stays))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn what_stays_keeps_all_owners_that_stay(lines in vec(select(&LINES[..]), 0..12), mut changes in vec(change(), 1..3)) {
            let doc = MemoryDoc::parse(lines.iter().map(|line| format!("{line}\n")).collect::<String>());
            changes.sort_by_key(|change| change.first);
            let Some((edit, stays)) = edit(&doc, &changes) else { return Ok(()) };
            let Ok(draft) = doc.draft(&edit, Authority::Agent) else { return Ok(()) };
            let (old, new) = (Owners::of(draft.old), Owners::of(&draft.new));
            let place = |old: usize| stays.iter().find(|(line, _)| *line == old).map(|(_, new)| *new);
            let was_open = open_fences(draft.old).next().is_some();
            for (before, after) in stays.iter().copied().filter(|(line, _)| !was_open && !old.is_blank(*line)) {
                let [before_chain, after_chain] = [old.chain(before).collect::<Vec<_>>(), new.chain(after).collect()];
                let kinds = |chain: &[Owner]| chain.iter().map(|owner| owner.kind).collect::<Vec<_>>();
                prop_assert_eq!(kinds(&before_chain), kinds(&after_chain), "line {}", before + 1);
                for (was, is) in before_chain.iter().zip(&after_chain) {
                    let is_same = place(was.line).is_none_or(|line| line == is.line);
                    prop_assert!(is_same, "line {} came from line {} to line {}", before + 1, was.line + 1, is.line + 1);
                }
            }
        }
    }
}
