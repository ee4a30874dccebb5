//! [`carried`]: an edit of one text becomes an edit of another text of the same document, by a merge of lines that checks
//! what each line belongs to.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::compose::Lists;
use super::line_map::{LineMap, Rewrite};
use super::owners::{Owner, OwnerKind, Owners};
use super::{Draft, Edit, PartStatus, Promise, Splice};
use crate::document::MemoryDoc;
use crate::text::{ChangedLines, LineTexts, Merged, Side, Span, Stretch, Texts, fold_name};

/// Lines for which an edit cannot be carried over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// The part of the request that cannot be made.
    pub(crate) part: usize,
    /// The lines of the text that the edit is carried to, by their indexes.
    pub(crate) now: Range<usize>,
}

/// Who has changed the text since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// Others, who did not know of the edit. Lines that both inserted are kept once.
    Others,
    /// Later edits of the same editor, which build on this one: what both inserted is a conflict.
    Session,
    /// One entry of the journal, which builds on this one. It is known what it wrote: a new bullet beside an old one
    /// is not taken for the old one, rewritten.
    Entry,
}

/// Carries `edit`, planned on `seen`, over to `now`, another text of the same document.
///
/// Lines are merged as [`Texts::merged`] does. In the result, each line that either side wrote must
/// stand below the owners, by name and up to the top, that it has in the text of that side. A line
/// that the edit removes or rewrites must have had the same owners in both texts.
///
/// An edit with a part that was `already_applied` in the text seen is a conflict: that part need not be applied in
/// the other text.
///
/// # Errors
///
/// The lines that both changed, or that would get other owners, or that have a twin (a line with the same owners and
/// text) for which they could be taken.
pub(crate) fn carried(seen: &MemoryDoc, edit: &Edit, now: &MemoryDoc, since: Since) -> Result<Edit, Conflict> {
    if seen.revision() == now.revision() {
        return Ok(edit.clone());
    }
    let draft = Draft::new(seen, edit);
    let texts = Texts {
        base: LineTexts::of(seen.text()),
        ours: LineTexts::of(draft.new.text()),
        theirs: LineTexts::of(now.text()),
    };
    let map = LineMap::of(&draft);
    let changed = |Rewrite { old, new, .. }: &Rewrite| {
        texts.base.changes(&texts.ours, &ChangedLines { old: old.clone(), new: new.clone() })
    };
    let ours: Vec<ChangedLines> = map.rewrites.iter().flat_map(changed).collect();
    let theirs = texts.base.changes(&texts.theirs, &texts.base.all(&texts.theirs));
    let mut names = Names::default();
    let [seen, planned, other] = [seen, &draft.new, now].map(|doc| names.read(doc));
    let carrier = Carrier { map: &map, seen, planned, now: other };
    if let Some(part) = edit.parts().iter().position(|part| part.status == PartStatus::AlreadyApplied) {
        return Err(Conflict { part, now: theirs.first().map(|change| change.new.clone()).unwrap_or_default() });
    }
    let merged = |first| {
        let both = |both: ChangedLines| Conflict { part: carrier.part(&both.old), now: both.new };
        texts.merged(&ours, &theirs, first).map_err(both)
    };
    let Merged { text, stretches } = merged(Side::Theirs)?;
    // Both may insert the same, but not change a line in the same way: it may have been moved, or be another one.
    let is_conflict = |stretch: &&Stretch| {
        stretch.side == Side::Both
            && (since != Since::Others || carrier.seen.with_words(&stretch.base).next().is_some())
    };
    if let Some(both) = stretches.iter().find(is_conflict) {
        return Err(carrier.conflict(both, both.theirs.clone()));
    }
    carrier.check_seen(&stretches)?;
    if since != Since::Entry {
        carrier.check_beside(&stretches)?;
    }
    let mut checked = |merged: Merged| {
        let result = MemoryDoc::with_rules(merged.text, now.rules().clone());
        carrier.check_result(&names.read(&result), &merged.stretches)?;
        Ok(carrier.edit(&result, &merged.stretches))
    };
    // Of two insertions at one place, the more deeply nested one must come first: that may be ours.
    let carried = checked(Merged { text, stretches }).or_else(|conflict| match merged(Side::Ours) {
        Ok(ours_first) => checked(ours_first).map_err(|_: Conflict| conflict),
        Err(_) => Err(conflict),
    })?;
    Ok(carried.with_origin(edit.origin().carried()).with_parts(edit.parts().to_vec()))
}

/// Merges two texts that were made of `base`, as [`carried`] does; `None` if both changed a line,
/// or if a line would come to stand below something else.
pub(crate) fn merged_texts(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let [base, ours, theirs] = [base, ours, theirs].map(MemoryDoc::parse);
    let carried = carried(&base, &Edit::between(&base, &ours), &theirs, Since::Others).ok()?;
    Some(carried.apply_to(theirs.text()))
}

/// A number for the owners of a line, up to the top: equal numbers mean owners of the same names.
type OwnerPath = usize;

/// The numbers of owners in several texts.
#[derive(Default)]
struct Names {
    paths: HashMap<(OwnerPath, OwnerKind, String), OwnerPath>,
}

/// A text, and what each of its lines stands below.
struct OwnedLines<'d> {
    doc: &'d MemoryDoc,
    owners: Owners<'d>,
    paths: Vec<OwnerPath>,
    /// The lines of bullets whose number is part of what they say: their list does not count.
    numbered: HashSet<usize>,
}

impl Names {
    fn read<'d>(&mut self, doc: &'d MemoryDoc) -> OwnedLines<'d> {
        let owners = Owners::of(doc);
        let mut below = HashMap::new();
        let paths = (0..owners.len()).map(|line| self.path(doc, &owners, owners.owner(line), &mut below)).collect();
        let lists = Lists::new(doc);
        let numbered = doc.bullets().filter(|bullet| lists.said_number(*bullet).is_some());
        let numbered = numbered.map(|bullet| bullet.line_number() - 1).collect();
        OwnedLines { doc, owners, paths, numbered }
    }

    /// Returns the name of what stands below `owner`; `known` holds those that were worked out in this text.
    fn path(
        &mut self,
        doc: &MemoryDoc,
        owners: &Owners<'_>,
        owner: Option<Owner>,
        known: &mut HashMap<Owner, OwnerPath>,
    ) -> OwnerPath {
        let Some(owner) = owner else { return OwnerPath::default() };
        if let Some(path) = known.get(&owner) {
            return *path;
        }
        let around = self.path(doc, owners, owners.around_owner(owner), known);
        let next = self.paths.len() + 1;
        let path = *self.paths.entry((around, owner.kind, owner.name(doc).into_owned())).or_insert(next);
        known.insert(owner, path);
        path
    }
}

impl OwnedLines<'_> {
    fn path(&self, line: usize) -> OwnerPath {
        self.paths.get(line).copied().unwrap_or_default()
    }

    /// Iterates over the lines that begin something.
    fn heads(&self) -> impl Iterator<Item = usize> {
        (0..self.paths.len()).filter(|line| self.owners.head(*line).is_some())
    }

    /// Returns what a line stands below, and what it begins.
    fn place(&self, line: usize) -> (OwnerPath, Option<OwnerKind>) {
        (self.path(line), self.owners.head(line))
    }

    /// Iterates over those of a range of lines that have words.
    fn with_words(&self, lines: &Range<usize>) -> impl Iterator<Item = usize> + '_ {
        lines.clone().filter(|line| !self.owners.is_blank(*line))
    }

    /// Returns the owners, kind and name of a line that begins a section, slot or bullet; the name of a bullet is its
    /// text. A merge must not write two lines of the same value.
    fn unique_name(&self, line: usize) -> Option<(OwnerPath, OwnerKind, String)> {
        let kind = self.owners.head(line)?;
        let name = match kind {
            OwnerKind::Section => fold_name(self.doc.section_at(self.doc.line_start(line))?.title()),
            OwnerKind::Slot => fold_name(self.doc.line_text(line).split_once(':')?.0),
            OwnerKind::Bullet => self.doc.line_text(line).trim().to_owned(),
            _ => return None,
        };
        Some((self.path(line), kind, name))
    }

    /// Returns the name of a line: what it stands below, and its text.
    fn name(&self, line: usize) -> (OwnerPath, &str) {
        (self.path(line), self.doc.line_text(line).trim())
    }
}

/// The texts between which an edit is carried.
struct Carrier<'c> {
    map: &'c LineMap,
    seen: OwnedLines<'c>,
    planned: OwnedLines<'c>,
    now: OwnedLines<'c>,
}

impl Carrier<'_> {
    /// Returns the part that rewrites lines of the text seen.
    fn part(&self, seen: &Range<usize>) -> usize {
        let rewrites = &self.map.rewrites;
        let next = rewrites.partition_point(|Rewrite { old, .. }| {
            old.end < seen.start || old.end == seen.start && !(old.is_empty() && seen.is_empty())
        });
        rewrites.get(next).or(rewrites.last()).and_then(|rewrite| rewrite.parts.last().copied()).unwrap_or_default()
    }

    fn conflict(&self, stretch: &Stretch, now: Range<usize>) -> Conflict {
        Conflict { part: self.part(&stretch.base), now }
    }

    /// Checks that what the edit removes or rewrites stood where it does now, and cannot be taken
    /// for another.
    fn check_seen(&self, stretches: &[Stretch]) -> Result<(), Conflict> {
        for stretch in stretches.iter().filter(|stretch| stretch.side == Side::Ours) {
            let lines = stretch.base.clone().zip(stretch.theirs.clone());
            for (old, new) in lines.filter(|(old, _)| !self.seen.owners.is_blank(*old)) {
                if self.seen.place(old) != self.now.place(new) {
                    return Err(self.conflict(stretch, new..new + 1));
                }
            }
        }
        self.check_twins(stretches)
    }

    /// Refuses to write below a bullet that others rewrote, or right beside which they wrote another: the new bullet
    /// may be the old one, rewritten, and the one that reads as before a new one.
    fn check_beside(&self, stretches: &[Stretch]) -> Result<(), Conflict> {
        for stretch in stretches.iter().filter(|stretch| stretch.side == Side::Ours) {
            for owner in self.owners_of_written(stretch).filter(|owner| owner.kind == OwnerKind::Bullet) {
                let Some(now) = now_line(stretches, owner.line) else {
                    return Err(self.conflict(stretch, stretch.theirs.clone()));
                };
                let is_beside = |other: &&Stretch| {
                    let is_next = other.theirs.end == now || other.theirs.start == now + 1;
                    other.side == Side::Theirs
                        && is_next
                        && other.theirs.clone().any(|line| self.now.place(line) == self.now.place(now))
                };
                if stretches.iter().any(|other| is_beside(&other)) {
                    return Err(self.conflict(stretch, now..now + 1));
                }
            }
        }
        Ok(())
    }

    /// Refuses to remove, rewrite or write below a line with twins (lines with the same owners and text), if a twin
    /// owns lines, or if their number has changed: others may have removed or added the one that is meant.
    fn check_twins(&self, stretches: &[Stretch]) -> Result<(), Conflict> {
        let mut twins: HashMap<(OwnerPath, &str), (usize, usize)> = HashMap::new();
        self.seen.heads().for_each(|line| twins.entry(self.seen.name(line)).or_default().0 += 1);
        self.now.heads().for_each(|line| twins.entry(self.now.name(line)).or_default().1 += 1);
        let mut owners = HashSet::new();
        for side in [&self.seen, &self.planned, &self.now] {
            owners.extend((0..side.paths.len()).filter_map(|line| Some(side.name(side.owners.owner(line)?.line))));
        }
        let is_twin = |line: &usize| {
            let name = self.seen.name(*line);
            let (seen, now) = twins.get(&name).copied().unwrap_or_default();
            seen.max(now) > 1 && (seen != now || owners.contains(&name))
        };
        let is_heading = |line: &usize| self.seen.owners.head(*line) == Some(OwnerKind::Section);
        let headings: Vec<usize> = (0..self.seen.owners.len()).filter(is_heading).collect();
        // Where others have changed no line of a section's own, up to the next heading, it is as the editor saw it.
        let is_as_seen = |line: usize| {
            let next = headings.partition_point(|heading| *heading <= line);
            let heading = next.checked_sub(1).and_then(|at| headings.get(at));
            let end = headings.get(next).copied().unwrap_or(self.seen.owners.len());
            let is_near =
                |lines: &Range<usize>| heading.is_none_or(|heading| lines.end > *heading) && lines.start <= end;
            let mut others = stretches.iter().filter(|other| matches!(other.side, Side::Theirs | Side::Both));
            !heading.is_some_and(is_twin) && !others.any(|other| is_near(&other.base))
        };
        for stretch in stretches.iter().filter(|stretch| matches!(stretch.side, Side::Ours | Side::Both)) {
            // What our change removes, rewrites or writes below.
            let owners = self.owners_of_written(stretch).map(|owner| owner.line);
            let mut named = self.seen.with_words(&stretch.base).chain(owners).filter(is_twin);
            if named.any(|line| !is_as_seen(line)) {
                return Err(self.conflict(stretch, stretch.theirs.clone()));
            }
        }
        Ok(())
    }

    /// Iterates over the owners, up to the top, of the lines that our change of a stretch writes:
    /// those of the text seen.
    fn owners_of_written(&self, stretch: &Stretch) -> impl Iterator<Item = Owner> {
        let owners = &self.planned.owners;
        let mut lines: Vec<usize> = self.planned.with_words(&stretch.ours).collect();
        lines.dedup_by_key(|line| owners.owner(*line));
        let chains = lines.into_iter().flat_map(|line| owners.chain(line));
        chains.filter_map(|owner| Some(Owner { line: self.map.origin(owner.line)?, ..owner }))
    }

    /// Checks that what each side wrote stands below the same owners in the result.
    fn check_result(&self, result: &OwnedLines<'_>, stretches: &[Stretch]) -> Result<(), Conflict> {
        self.check_names(stretches)?;
        let (mut at, mut last_own, mut ours) = (0, None, 0..0);
        for stretch in stretches {
            let own = matches!(stretch.side, Side::Ours | Side::Both).then_some((&self.planned, &stretch.ours));
            let others = (stretch.side != Side::Ours).then_some((&self.now, &stretch.theirs));
            last_own = own.map(|_| stretch).or(last_own);
            let mut length = 0;
            for (side, lines) in own.into_iter().chain(others) {
                length = lines.len();
                for (line, written) in lines.clone().zip(at..).filter(|(line, _)| !side.owners.is_blank(*line)) {
                    let is_kept = match stretch.side {
                        Side::Neither => self.is_kept(stretch, line - stretch.theirs.start, (result, written)),
                        _ => side.place(line) == result.place(written),
                    };
                    // No line comes to stand directly below a bullet that we wrote.
                    let is_below_ours = stretch.side != Side::Ours && ours.end == written && !ours.is_empty();
                    let is_pushed = is_below_ours && result.owners.is_below_bullet(written);
                    let is_own = stretch.side == Side::Neither
                        && self.planned.numbered.contains(&(stretch.ours.start + line - stretch.theirs.start));
                    // If a list counts 1, 2, 3 … on both sides, it must do so in the merge.
                    let is_counted = is_own || side.numbered.contains(&line) || !result.numbered.contains(&written);
                    if !is_kept || is_pushed || !is_counted {
                        let now = if others.is_some() { line..line + 1 } else { stretch.theirs.clone() };
                        return Err(self.conflict(last_own.unwrap_or(stretch), now));
                    }
                }
            }
            if stretch.side == Side::Ours {
                ours = at..at + length;
            }
            at += length;
        }
        Ok(())
    }

    /// Reports whether a line that neither side wrote has the right owners: if one side changed its owners, those of
    /// that side.
    fn is_kept(&self, stretch: &Stretch, nth: usize, (result, written): (&OwnedLines<'_>, usize)) -> bool {
        let seen = self.seen.place(stretch.base.start + nth);
        let planned = self.planned.place(stretch.ours.start + nth);
        let now = self.now.place(stretch.theirs.start + nth);
        let expected = if planned == seen { now } else { planned };
        result.place(written) == expected && (planned == seen || now == seen || planned == now)
    }

    /// Refuses to write a section, a slot or a bullet of a name for which others have written one in the same place.
    fn check_names(&self, stretches: &[Stretch]) -> Result<(), Conflict> {
        let of_side = |side| stretches.iter().filter(move |stretch| stretch.side == side);
        let theirs = of_side(Side::Theirs).flat_map(|stretch| self.now.with_words(&stretch.theirs));
        let theirs: HashSet<_> = theirs.filter_map(|line| self.now.unique_name(line)).collect();
        let is_taken = |line| self.planned.unique_name(line).is_some_and(|name| theirs.contains(&name));
        match of_side(Side::Ours).find(|stretch| self.planned.with_words(&stretch.ours).any(is_taken)) {
            Some(stretch) => Err(self.conflict(stretch, stretch.theirs.clone())),
            None => Ok(()),
        }
    }

    /// Returns the edit of the text now that makes `result`.
    fn edit(&self, result: &MemoryDoc, stretches: &[Stretch]) -> Edit {
        let now = self.now.doc;
        let (mut splices, mut at): (Vec<Splice>, usize) = (Vec::new(), 0);
        let mut put = |span: Span, text: &str, part| match splices.last_mut() {
            // The ending that completes a last line, and the line behind it, are one insertion.
            Some(last) if last.span == span && span.is_empty() => last.text = [&last.text, text].concat().into(),
            _ => splices.push(Splice::new(span, text.to_owned(), Promise::Lines, part)),
        };
        for stretch in stretches {
            let length = if stretch.side == Side::Ours { stretch.ours.len() } else { stretch.theirs.len() };
            let written = at..at + length;
            at = written.end;
            match stretch.side {
                Side::Ours => {
                    let text = result.lines().span(&written).of(result.text());
                    put(now.lines().span(&stretch.theirs), text, self.part(&stretch.base));
                }
                Side::Neither | Side::Theirs | Side::Both => {
                    for (line, new) in stretch.theirs.clone().zip(written) {
                        let (old, new) = (now.line(line), result.line(new));
                        if old.ending() != new.ending() {
                            let ending = Span::new(old.text.end(), old.full.end());
                            put(ending, new.ending(), self.part(&stretch.base));
                        }
                    }
                }
            }
        }
        Edit::from_sorted(now.revision(), splices, Vec::new())
    }
}

/// Returns where a line of the text seen stands in the text now.
fn now_line(stretches: &[Stretch], seen: usize) -> Option<usize> {
    let stretch = stretches.get(stretches.partition_point(|stretch| stretch.base.end <= seen))?;
    let stays = matches!(stretch.side, Side::Neither | Side::Ours);
    stays.then(|| stretch.theirs.start + seen - stretch.base.start)
}
