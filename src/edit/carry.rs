//! [`carried`]: turns an edit of one text of a document into an edit of another text of it. It merges lines, and checks
//! the owners of each line.
//!
//! Three texts take part: the text *seen*, for which the edit was planned; the text *planned*, its result; and the text
//! *now*, to which the edit is carried. As in [`Texts::merged`], the edit is our side, and the text now is theirs.

use std::collections::HashSet;
use std::ops::Range;

use super::owned_lines::{OwnedLines, OwnerPaths, Twins};
use super::owners::{Owner, OwnerKind};
use super::{Draft, Edit, LineMap, PartStatus, Promise, Splice};
use crate::document::MemoryDoc;
use crate::text::{ChangedRange, LineTexts, Merged, Side, Span, Stretch, Texts};

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
    let theirs = texts.base.changes(&texts.theirs, &texts.base.all(&texts.theirs));
    if let Some(part) = edit.parts().iter().position(|part| part.status == PartStatus::AlreadyApplied) {
        return Err(Conflict { part, now: theirs.first().map(|change| change.new.clone()).unwrap_or_default() });
    }
    let map = LineMap::of(&draft);
    let ours = map.rewrites.iter().flat_map(|rewrite| texts.base.changes(&texts.ours, &rewrite.lines));
    let ours: Vec<ChangedRange> = ours.collect();
    let mut owner_paths = OwnerPaths::default();
    let [seen_lines, planned, now_lines] = [seen, &draft.new, now].map(|doc| owner_paths.read(doc));
    let carrier = Carrier { map: &map, seen: seen_lines, planned, now: now_lines };
    let merged = |first| {
        let conflict = |both: ChangedRange| Conflict { part: carrier.part(&both.old), now: both.new };
        texts.merged(&ours, &theirs, first).map_err(conflict)
    };
    let mut checked = |Merged { text, stretches }| {
        let result = MemoryDoc::with_rules(text, now.rules().clone());
        carrier.check_result(&owner_paths.read(&result), &stretches)?;
        Ok(carrier.edit(&result, &stretches))
    };
    let theirs_first = merged(Side::Theirs)?;
    carrier.check_touched(&theirs_first.stretches, since)?;
    // If both sides insert at one place, the more deeply nested insertion must come first. That may be ours: try both
    // orders.
    let mut carried =
        checked(theirs_first).or_else(|conflict| merged(Side::Ours).and_then(checked).map_err(|_| conflict))?;
    carried.origin = edit.origin.carried();
    Ok(carried.with_parts(edit.parts().to_vec()))
}

/// Merges two texts that were edited from `base`, as [`carried`] does. `None` if there is a conflict.
pub(crate) fn merged_texts(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let [base, ours, theirs] = [base, ours, theirs].map(MemoryDoc::parse);
    let carried = carried(&base, &Edit::between(&base, &ours), &theirs, Since::Others).ok()?;
    Some(carried.apply_to(theirs.text()))
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
        let next = rewrites.partition_point(|rewrite| {
            let old = &rewrite.lines.old;
            old.end < seen.start || old.end == seen.start && !(old.is_empty() && seen.is_empty())
        });
        rewrites.get(next).or(rewrites.last()).and_then(|rewrite| rewrite.parts.last().copied()).unwrap_or_default()
    }

    fn conflict(&self, stretch: &Stretch, now: Range<usize>) -> Conflict {
        Conflict { part: self.part(&stretch.base), now }
    }

    /// Checks the lines that the edit touches: it must be clear which line of the text now each of them is.
    fn check_touched(&self, stretches: &[Stretch], since: Since) -> Result<(), Conflict> {
        // Both sides may insert the same lines. But if both changed a line in the same way, one of them may have meant
        // another line, which was moved.
        let has_lines = |stretch: &Stretch| self.seen.not_blank(&stretch.base).next().is_some();
        let mut both = stretches.iter().filter(|stretch| stretch.side == Side::Both);
        if let Some(both) = both.find(|both| since != Since::Others || has_lines(both)) {
            return Err(self.conflict(both, both.theirs.clone()));
        }
        self.check_owners(stretches)?;
        self.check_twins(stretches)?;
        if since == Since::Entry { Ok(()) } else { self.check_neighbors(stretches) }
    }

    /// Checks that the lines that the edit removes or rewrites have the same owners in the text seen and the text now.
    fn check_owners(&self, stretches: &[Stretch]) -> Result<(), Conflict> {
        for stretch in stretches.iter().filter(|stretch| stretch.side == Side::Ours) {
            let lines = stretch.base.clone().zip(stretch.theirs.clone());
            let mut lines = lines.filter(|(seen, _)| !self.seen.owners.is_blank(*seen));
            if let Some((_, now)) = lines.find(|(seen, now)| self.seen.place(*seen) != self.now.place(*now)) {
                return Err(self.conflict(stretch, now..now + 1));
            }
        }
        Ok(())
    }

    /// Refuses to remove, rewrite or write below a line if it is not clear which of several [`Twins`] it is; and to remove
    /// or rewrite a bullet if others have removed an equal one with its section.
    fn check_twins(&self, stretches: &[Stretch]) -> Result<(), Conflict> {
        let twins = Twins::of(&self.seen, &self.planned, &self.now);
        let removed = self.removed_with_sections(stretches);
        let is_left =
            |line| self.seen.owners.head(line) == Some(OwnerKind::Bullet) && removed.contains(self.seen.text(line));
        let is_unclear = |own: &&Stretch| {
            let owners = self.owners_of_written(own).map(|owner| owner.line);
            self.seen.not_blank(&own.base).chain(owners).any(|line| twins.are_ambiguous(line, stretches))
                || self.seen.not_blank(&own.base).any(is_left)
        };
        let mut own = stretches.iter().filter(|stretch| matches!(stretch.side, Side::Ours | Side::Both));
        own.find(is_unclear).map_or(Ok(()), |own| Err(self.conflict(own, own.theirs.clone())))
    }

    /// Returns the texts of the lines that others have removed together with the heading above them. If they merged that
    /// section into another, they left one bullet for two equal ones.
    fn removed_with_sections(&self, stretches: &[Stretch]) -> HashSet<&str> {
        // Others have rewritten a line, not removed it, if they wrote a new one in its place.
        let old: HashSet<&str> = (0..self.seen.owners.len()).map(|line| self.seen.text(line)).collect();
        let is_new = |line: &usize| !old.contains(self.now.text(*line));
        let is_removal = |other: &&Stretch| {
            let new = self.now.not_blank(&other.theirs).filter(is_new).count();
            other.side == Side::Theirs && new < self.seen.not_blank(&other.base).count()
        };
        let removed = stretches.iter().filter(is_removal).flat_map(|other| self.seen.not_blank(&other.base));
        let removed: HashSet<usize> = removed.collect();
        let goes_with_section = |line: &&usize| {
            let section = self.seen.doc.section_at(self.seen.doc.line_start(**line));
            section.is_some_and(|section| removed.contains(&section.line_index()))
        };
        removed.iter().filter(goes_with_section).map(|line| self.seen.text(*line)).collect()
    }

    /// Refuses to write below a bullet that others rewrote, or right before or after which they wrote another bullet.
    /// That other bullet may be the old one in new words, and the bullet with the old text a new one.
    fn check_neighbors(&self, stretches: &[Stretch]) -> Result<(), Conflict> {
        for stretch in stretches.iter().filter(|stretch| stretch.side == Side::Ours) {
            for owner in self.owners_of_written(stretch).filter(|owner| owner.kind == OwnerKind::Bullet) {
                let Some(now) = now_line(stretches, owner.line) else {
                    return Err(self.conflict(stretch, stretch.theirs.clone()));
                };
                let is_neighbor = |line: usize| self.now.place(line) == self.now.place(now);
                let theirs = stretches.iter().filter(|other| other.side == Side::Theirs).map(|other| &other.theirs);
                let mut beside = theirs.filter(|lines| lines.end == now || lines.start == now + 1);
                if beside.any(|lines| lines.clone().any(is_neighbor)) {
                    return Err(self.conflict(stretch, now..now + 1));
                }
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

    /// Checks each line of the result: it has the owners of the text that it comes from; it is not text directly below
    /// a bullet that the edit wrote, which it would seem to continue; and if its list counts 1, 2, 3 … on both sides,
    /// the list still counts.
    fn check_result(&self, result: &OwnedLines<'_>, stretches: &[Stretch]) -> Result<(), Conflict> {
        self.check_names(stretches)?;
        // The last stretch that our side changed, and the end of the last lines that only our side wrote.
        let (mut own, mut end_of_own) = (None, None);
        for stretch in stretches {
            let is_only_ours = stretch.side == Side::Ours;
            own = if is_only_ours || stretch.side == Side::Both { Some(stretch) } else { own };
            let (text, lines) =
                if is_only_ours { (&self.planned, &stretch.ours) } else { (&self.now, &stretch.theirs) };
            let is_wrong = |line: &usize| {
                let written = stretch.result.start + line - lines.start;
                let is_below_ours = !is_only_ours && end_of_own == Some(written);
                (is_below_ours && result.owners.is_below_bullet(written)) || !self.is_kept(stretch, result, written)
            };
            if let Some(line) = text.not_blank(lines).find(is_wrong) {
                let now = if is_only_ours { stretch.theirs.clone() } else { line..line + 1 };
                return Err(self.conflict(own.unwrap_or(stretch), now));
            }
            if is_only_ours {
                end_of_own = (!stretch.result.is_empty()).then_some(stretch.result.end);
            }
        }
        Ok(())
    }

    /// Returns true if a line of the result is in its place, and if the merge does not make content of its number. If one
    /// side gave a line that stays another place, that is its place; if both did, it must be the same place.
    fn is_kept(&self, stretch: &Stretch, result: &OwnedLines<'_>, written: usize) -> bool {
        let nth = written - stretch.result.start;
        let [base, ours, theirs] = [&stretch.base, &stretch.ours, &stretch.theirs].map(|lines| lines.start + nth);
        let [seen, planned, now] = [self.seen.place(base), self.planned.place(ours), self.now.place(theirs)];
        let numbers = [self.planned.has_own_number(ours), self.now.has_own_number(theirs)];
        let (place, has_number) = match (stretch.side, numbers) {
            (Side::Ours, [own, _]) => (Some(planned), own),
            (Side::Theirs, [_, other]) => (Some(now), other),
            (Side::Both, [own, other]) => (Some(now).filter(|_| planned == now), own && other),
            (Side::Neither, [own, other]) if planned == seen || planned == now => (Some(now), own || other),
            (Side::Neither, [own, other]) => (Some(planned).filter(|_| now == seen), own || other),
        };
        place == Some(result.place(written)) && (has_number || !result.has_own_number(written))
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
        let mut splices: Vec<Splice> = Vec::new();
        let mut put = |span: Span, text: &str, part| match splices.last_mut() {
            // The ending that completes the last line, and the line after it, are one insertion.
            Some(last) if last.span == span && span.is_empty() => last.text = [&last.text, text].concat().into(),
            _ => splices.push(Splice::new(span, text.to_owned(), Promise::Lines, part)),
        };
        for stretch in stretches {
            let part = self.part(&stretch.base);
            if stretch.side == Side::Ours {
                let written = result.lines().span(&stretch.result).of(result.text());
                put(now.lines().span(&stretch.theirs), written, part);
                continue;
            }
            // Their lines stay, but the merge may give them other endings.
            for (old, new) in stretch.theirs.clone().zip(stretch.result.clone()) {
                let (old, new) = (now.line(old), result.line(new).ending());
                if old.ending() != new {
                    put(Span::new(old.text.end(), old.full.end()), new, part);
                }
            }
        }
        Edit::from_sorted(now.revision(), splices, Vec::new())
    }
}

/// Returns the line of the text now that a line of the text seen has become; `None` if others have changed it. The edit
/// itself does not change the line.
fn now_line(stretches: &[Stretch], seen: usize) -> Option<usize> {
    let stretch = stretches.get(stretches.partition_point(|stretch| stretch.base.end <= seen))?;
    (stretch.side == Side::Neither).then(|| stretch.theirs.start + seen - stretch.base.start)
}
