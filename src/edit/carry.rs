//! [`carried`]: turns an edit of one text of a document into an edit of another text of it. It merges lines, and checks
//! the owners of each line.
//!
//! Three texts take part: the text *seen*, for which the edit was planned; the text *planned*, its result; and the text
//! *now*, to which the edit is carried. As in [`Texts::merged`], the edit is our side, and the text now is theirs.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::compose::Lists;
use super::line_map::{LineMap, Rewrite};
use super::owners::{Owner, OwnerKind, Owners};
use super::{Draft, Edit, PartStatus, Promise, Splice};
use crate::document::MemoryDoc;
use crate::text::{ChangedRange, LineTexts, Merged, Side, Span, Stretch, Texts, fold_name};

/// Why an edit cannot be carried over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// The part of the request that is in conflict.
    pub(crate) part: usize,
    /// The lines of the text now that are in conflict, by their indexes.
    pub(crate) now: Range<usize>,
}

/// Who made the changes between the text seen and the text now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// Others, who did not know of the edit. If both sides inserted the same lines, they are kept once.
    Others,
    /// Changes of the same session, or direct edits beside it. If both sides inserted the same lines, that is a
    /// conflict.
    Session,
    /// One entry of the journal. Its splices are known, so a bullet that it wrote beside an old one is surely a new
    /// bullet, not the old one in other words.
    Entry,
}

/// Carries `edit`, planned on `seen`, over to `now`, another text of the same document.
///
/// Lines are merged by [`Texts::merged`]. Then owners are compared by name, up to the top. A line that one side wrote
/// must have, in the result, the owners that it has in the text of that side. A line that the edit removes or rewrites
/// must have the same owners in the text seen and in the text now.
///
/// If a part of the edit was `already_applied` in the text seen, that is a conflict, because the text now may lack what
/// that part asks for.
///
/// # Errors
///
/// Both sides changed a line; a line would get other owners; or the edit touches a line with a twin (another line with
/// the same owners and text), so that it is not sure which of them is meant.
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
        texts.base.changes(&texts.ours, &ChangedRange { old: old.clone(), new: new.clone() })
    };
    let ours: Vec<ChangedRange> = map.rewrites.iter().flat_map(changed).collect();
    let theirs = texts.base.changes(&texts.theirs, &texts.base.all(&texts.theirs));
    let mut owner_paths = OwnerPaths::default();
    let [seen, planned, other] = [seen, &draft.new, now].map(|doc| owner_paths.read(doc));
    let carrier = Carrier { map: &map, seen, planned, now: other };
    if let Some(part) = edit.parts().iter().position(|part| part.status == PartStatus::AlreadyApplied) {
        return Err(Conflict { part, now: theirs.first().map(|change| change.new.clone()).unwrap_or_default() });
    }
    let merged = |first| {
        let conflict = |both: ChangedRange| Conflict { part: carrier.part(&both.old), now: both.new };
        texts.merged(&ours, &theirs, first).map_err(conflict)
    };
    let Merged { text, stretches } = merged(Side::Theirs)?;
    // Both sides may insert the same lines. But if both changed a line in the same way, one of them may have meant
    // another line, which was moved.
    let is_conflict = |stretch: &&Stretch| {
        stretch.side == Side::Both && (since != Since::Others || carrier.seen.not_blank(&stretch.base).next().is_some())
    };
    if let Some(both) = stretches.iter().find(is_conflict) {
        return Err(carrier.conflict(both, both.theirs.clone()));
    }
    carrier.check_seen(&stretches)?;
    if since != Since::Entry {
        carrier.check_neighbors(&stretches)?;
    }
    let mut checked = |merged: Merged| {
        let result = MemoryDoc::with_rules(merged.text, now.rules().clone());
        carrier.check_result(&owner_paths.read(&result), &merged.stretches)?;
        Ok(carrier.edit(&result, &merged.stretches))
    };
    // If both sides insert at one place, the more deeply nested insertion must come first. That may be ours: try both
    // orders.
    let carried = checked(Merged { text, stretches }).or_else(|conflict| match merged(Side::Ours) {
        Ok(ours_first) => checked(ours_first).map_err(|_: Conflict| conflict),
        Err(_) => Err(conflict),
    })?;
    Ok(carried.with_origin(edit.origin.carried()).with_parts(edit.parts().to_vec()))
}

/// Merges two texts that were edited from `base`, as [`carried`] does. `None` if there is a conflict.
pub(crate) fn merged_texts(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let [base, ours, theirs] = [base, ours, theirs].map(MemoryDoc::parse);
    let carried = carried(&base, &Edit::between(&base, &ours), &theirs, Since::Others).ok()?;
    Some(carried.apply_to(theirs.text()))
}

/// A number for the path of a line's owners, up to the top. Equal numbers mean that the owners have the same kinds and
/// names.
type OwnerPath = usize;

/// Assigns numbers to owner paths, the same in all texts.
#[derive(Default)]
struct OwnerPaths {
    numbers: HashMap<(OwnerPath, OwnerKind, String), OwnerPath>,
}

/// A text, and the owner path of each of its lines.
struct OwnedLines<'d> {
    doc: &'d MemoryDoc,
    owners: Owners<'d>,
    paths: Vec<OwnerPath>,
    /// The lines of ordered bullets whose list does not count, so that the number is content.
    numbered: HashSet<usize>,
}

impl OwnerPaths {
    /// Reads the owner paths of all lines of a text.
    fn read<'d>(&mut self, doc: &'d MemoryDoc) -> OwnedLines<'d> {
        let owners = Owners::of(doc);
        let mut known = HashMap::new();
        let paths = (0..owners.len()).map(|line| self.path(doc, &owners, owners.owner(line), &mut known)).collect();
        let lists = Lists::new(doc);
        let numbered = doc.bullets().filter(|bullet| lists.own_number(*bullet).is_some());
        let numbered = numbered.map(|bullet| bullet.line_index()).collect();
        OwnedLines { doc, owners, paths, numbered }
    }

    /// Returns the owner path of the lines that `owner` owns. `known` caches the paths of this text.
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
        let next = self.numbers.len() + 1;
        let path = *self.numbers.entry((around, owner.kind, owner.name(doc).into_owned())).or_insert(next);
        known.insert(owner, path);
        path
    }
}

impl OwnedLines<'_> {
    fn path(&self, line: usize) -> OwnerPath {
        self.paths.get(line).copied().unwrap_or_default()
    }

    /// Iterates over the heads: the lines that begin a section, a bullet or another owner.
    fn heads(&self) -> impl Iterator<Item = usize> {
        (0..self.paths.len()).filter(|line| self.owners.head(*line).is_some())
    }

    /// Returns the owner path of a line, and the kind of owner that it begins.
    fn place(&self, line: usize) -> (OwnerPath, Option<OwnerKind>) {
        (self.path(line), self.owners.head(line))
    }

    /// Iterates over the lines of a range that are not blank.
    fn not_blank(&self, lines: &Range<usize>) -> impl Iterator<Item = usize> + '_ {
        lines.clone().filter(|line| !self.owners.is_blank(*line))
    }

    /// Returns the owner path, kind and name of a line that begins a section, slot or bullet. The name of a bullet is
    /// the text of its line. A merge must not add two lines with the same result.
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

    /// Returns the owner path and the text of a line. Lines for which these are equal are twins.
    fn twin_key(&self, line: usize) -> (OwnerPath, &str) {
        (self.path(line), self.doc.line_text(line).trim())
    }
}

/// The three texts, and the lines that the edit rewrites.
struct Carrier<'c> {
    map: &'c LineMap,
    seen: OwnedLines<'c>,
    planned: OwnedLines<'c>,
    now: OwnedLines<'c>,
}

impl Carrier<'_> {
    /// Returns the part of the request that rewrites these lines of the text seen.
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

    /// Checks that the lines that the edit removes or rewrites have the same owners in the text seen and the text now,
    /// and that they have no ambiguous [twins](Self::check_twins).
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

    /// Refuses to write below a bullet that others rewrote, or right before or after which they wrote another bullet.
    /// That other bullet may be the old one in new words, and the bullet with the old text a new one.
    fn check_neighbors(&self, stretches: &[Stretch]) -> Result<(), Conflict> {
        for stretch in stretches.iter().filter(|stretch| stretch.side == Side::Ours) {
            for owner in self.owners_of_written(stretch).filter(|owner| owner.kind == OwnerKind::Bullet) {
                let Some(now) = now_line(stretches, owner.line) else {
                    return Err(self.conflict(stretch, stretch.theirs.clone()));
                };
                let is_neighbor = |other: &Stretch| {
                    let is_next = other.theirs.end == now || other.theirs.start == now + 1;
                    other.side == Side::Theirs
                        && is_next
                        && other.theirs.clone().any(|line| self.now.place(line) == self.now.place(now))
                };
                if stretches.iter().any(is_neighbor) {
                    return Err(self.conflict(stretch, now..now + 1));
                }
            }
        }
        Ok(())
    }

    /// Refuses to remove, rewrite or write below a line with twins (lines with the same owners and text) if the number
    /// of twins has changed, or if one of them owns lines. Others may have removed or added the one that is meant.
    ///
    /// Refuses to remove or rewrite a bullet if others have removed an equal one, wherever it was: they may have left this
    /// one for both.
    fn check_twins(&self, stretches: &[Stretch]) -> Result<(), Conflict> {
        let mut twins: HashMap<(OwnerPath, &str), (usize, usize)> = HashMap::new();
        self.seen.heads().for_each(|line| twins.entry(self.seen.twin_key(line)).or_default().0 += 1);
        self.now.heads().for_each(|line| twins.entry(self.now.twin_key(line)).or_default().1 += 1);
        let mut owners = HashSet::new();
        for side in [&self.seen, &self.planned, &self.now] {
            owners.extend((0..side.paths.len()).filter_map(|line| Some(side.twin_key(side.owners.owner(line)?.line))));
        }
        let is_ambiguous = |line: &usize| {
            let key = self.seen.twin_key(*line);
            let (seen, now) = twins.get(&key).copied().unwrap_or_default();
            seen.max(now) > 1 && (seen != now || owners.contains(&key))
        };
        let is_heading = |line: &usize| self.seen.owners.head(*line) == Some(OwnerKind::Section);
        let headings: Vec<usize> = (0..self.seen.owners.len()).filter(is_heading).collect();
        // A section is as the editor saw it if others have changed no line from its heading to the next heading. Then
        // twins in it are told apart by their order.
        let is_as_seen = |line: usize| {
            let next = headings.partition_point(|heading| *heading <= line);
            let heading = next.checked_sub(1).and_then(|at| headings.get(at));
            let end = headings.get(next).copied().unwrap_or(self.seen.owners.len());
            let is_near =
                |lines: &Range<usize>| heading.is_none_or(|heading| lines.end > *heading) && lines.start <= end;
            let mut others = stretches.iter().filter(|other| matches!(other.side, Side::Theirs | Side::Both));
            !heading.is_some_and(is_ambiguous) && !others.any(|other| is_near(&other.base))
        };
        let is_shorter = |other: &&Stretch| other.side == Side::Theirs && other.theirs.len() < other.base.len();
        let removed = stretches.iter().filter(is_shorter).flat_map(|other| self.seen.not_blank(&other.base));
        let removed: HashSet<_> = removed.map(|line| self.seen.twin_key(line).1).collect();
        let is_left = |line| {
            self.seen.owners.head(line) == Some(OwnerKind::Bullet) && removed.contains(self.seen.twin_key(line).1)
        };
        for stretch in stretches.iter().filter(|stretch| matches!(stretch.side, Side::Ours | Side::Both)) {
            // The lines that our change removes, rewrites, or writes below.
            let owners = self.owners_of_written(stretch).map(|owner| owner.line);
            let mut touched = self.seen.not_blank(&stretch.base).chain(owners).filter(is_ambiguous);
            if touched.any(|line| !is_as_seen(line)) || self.seen.not_blank(&stretch.base).any(is_left) {
                return Err(self.conflict(stretch, stretch.theirs.clone()));
            }
        }
        Ok(())
    }

    /// Iterates over the owners, up to the top, of the lines that our change of a stretch writes. Only owners that are
    /// in the text seen are returned, with their line there.
    fn owners_of_written(&self, stretch: &Stretch) -> impl Iterator<Item = Owner> {
        let owners = &self.planned.owners;
        let mut lines: Vec<usize> = self.planned.not_blank(&stretch.ours).collect();
        lines.dedup_by_key(|line| owners.owner(*line));
        let chains = lines.into_iter().flat_map(|line| owners.chain(line));
        chains.filter_map(|owner| Some(Owner { line: self.map.origin(owner.line)?, ..owner }))
    }

    /// Checks that each line that one side wrote has the same owners in the result as in the text of that side.
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
                    // No line of theirs may follow directly below a bullet that we wrote, as if it continued its text.
                    let is_below_ours = stretch.side != Side::Ours && ours.end == written && !ours.is_empty();
                    let is_pushed = is_below_ours && result.owners.is_below_bullet(written);
                    let is_own = stretch.side == Side::Neither
                        && self.planned.numbered.contains(&(stretch.ours.start + line - stretch.theirs.start));
                    // If a list counts 1, 2, 3 … on both sides, it must count in the result, too.
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

    /// Reports whether a line that neither side wrote has the right owners in the result. If one side gave it other
    /// owners, those are right.
    fn is_kept(&self, stretch: &Stretch, nth: usize, (result, written): (&OwnedLines<'_>, usize)) -> bool {
        let seen = self.seen.place(stretch.base.start + nth);
        let planned = self.planned.place(stretch.ours.start + nth);
        let now = self.now.place(stretch.theirs.start + nth);
        let expected = if planned == seen { now } else { planned };
        result.place(written) == expected && (planned == seen || now == seen || planned == now)
    }

    /// Refuses to write a section, slot or bullet if others have written one with the same name below the same owners.
    fn check_names(&self, stretches: &[Stretch]) -> Result<(), Conflict> {
        let of_side = |side| stretches.iter().filter(move |stretch| stretch.side == side);
        let theirs = of_side(Side::Theirs).flat_map(|stretch| self.now.not_blank(&stretch.theirs));
        let theirs: HashSet<_> = theirs.filter_map(|line| self.now.unique_name(line)).collect();
        let is_taken = |line| self.planned.unique_name(line).is_some_and(|name| theirs.contains(&name));
        let taken = of_side(Side::Ours).find(|stretch| self.planned.not_blank(&stretch.ours).any(is_taken));
        taken.map_or(Ok(()), |stretch| Err(self.conflict(stretch, stretch.theirs.clone())))
    }

    /// Returns the edit that turns the text now into `result`.
    fn edit(&self, result: &MemoryDoc, stretches: &[Stretch]) -> Edit {
        let now = self.now.doc;
        let (mut splices, mut at): (Vec<Splice>, usize) = (Vec::new(), 0);
        let mut put = |span: Span, text: &str, part| match splices.last_mut() {
            // The ending that completes the last line, and the line after it, are one insertion.
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

/// Returns the line of the text now that a line of the text seen has become; `None` if others have changed it.
fn now_line(stretches: &[Stretch], seen: usize) -> Option<usize> {
    let stretch = stretches.get(stretches.partition_point(|stretch| stretch.base.end <= seen))?;
    let stays = matches!(stretch.side, Side::Neither | Side::Ours);
    stays.then(|| stretch.theirs.start + seen - stretch.base.start)
}
