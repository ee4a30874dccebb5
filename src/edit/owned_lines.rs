//! [`OwnedLines`]: a text with the owners of each line, in a form in which the lines of several texts are compared.
//! [`Twins`]: lines with the same owners and the same text. If an edit touches one of them, it may not be clear which.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::compose::Lists;
use super::owners::{Owner, OwnerKind, Owners};
use crate::document::MemoryDoc;
use crate::text::{Side, Stretch, fold_name};

/// A number for the path of a line's owners, up to the top. Equal numbers mean that the owners have the same kinds and
/// names.
type OwnerPath = usize;

/// Where a line stands: its owner path, and the kind of owner that it begins.
type LinePlace = (OwnerPath, Option<OwnerKind>);

/// The owner path and the text of a line. Lines for which these are equal are twins.
type TwinKey<'d> = (OwnerPath, &'d str);

/// Assigns numbers to owner paths, the same in all texts.
#[derive(Default)]
pub(super) struct OwnerPaths {
    numbers: HashMap<(OwnerPath, OwnerKind, String), OwnerPath>,
}

/// A text, and the owner path of each of its lines.
pub(super) struct OwnedLines<'d> {
    pub(super) doc: &'d MemoryDoc,
    pub(super) owners: Owners<'d>,
    lists: Lists<'d>,
    paths: Vec<OwnerPath>,
}

impl OwnerPaths {
    /// Reads the owner paths of all lines of a text.
    pub(super) fn read<'d>(&mut self, doc: &'d MemoryDoc) -> OwnedLines<'d> {
        let owners = Owners::of(doc);
        let mut known = HashMap::new();
        let paths = (0..owners.len()).map(|line| self.path(&owners, owners.owner(line), &mut known)).collect();
        OwnedLines { doc, owners, lists: Lists::new(doc), paths }
    }

    /// Returns the owner path of the lines that `owner` owns. `known` caches the paths of this text.
    fn path(&mut self, owners: &Owners<'_>, owner: Option<Owner>, known: &mut HashMap<Owner, OwnerPath>) -> OwnerPath {
        let Some(owner) = owner else { return OwnerPath::default() };
        if let Some(path) = known.get(&owner) {
            return *path;
        }
        let around = self.path(owners, owners.around_owner(owner), known);
        let next = self.numbers.len() + 1;
        let path = *self.numbers.entry((around, owner.kind, owner.name(owners.doc).into_owned())).or_insert(next);
        known.insert(owner, path);
        path
    }
}

impl<'d> OwnedLines<'d> {
    fn path(&self, line: usize) -> OwnerPath {
        self.paths.get(line).copied().unwrap_or_default()
    }

    pub(super) fn place(&self, line: usize) -> LinePlace {
        (self.path(line), self.owners.head(line))
    }

    /// Returns true if a bullet begins on a line whose number is content.
    pub(super) fn has_own_number(&self, line: usize) -> bool {
        let bullet = self.doc.starting_at(self.doc.line_start(line));
        bullet.is_some_and(|bullet| self.lists.own_number(bullet).is_some())
    }

    /// Iterates over the lines of a range that are not blank.
    pub(super) fn not_blank(&self, lines: &Range<usize>) -> impl Iterator<Item = usize> + '_ {
        lines.clone().filter(|line| !self.owners.is_blank(*line))
    }

    /// Returns the text of a line without the white space around it.
    pub(super) fn text(&self, line: usize) -> &'d str {
        self.doc.line_text(line).trim()
    }

    fn twin_key(&self, line: usize) -> TwinKey<'d> {
        (self.path(line), self.text(line))
    }

    /// Returns the owner path, kind and name of a line that begins a section, slot or bullet. The name of a bullet is
    /// the text of its line. A merge must not add two lines with the same result.
    pub(super) fn unique_name(&self, line: usize) -> Option<(OwnerPath, OwnerKind, String)> {
        let kind = self.owners.head(line)?;
        let name = match kind {
            OwnerKind::Section => fold_name(self.doc.section_at(self.doc.line_start(line))?.title()),
            OwnerKind::Slot => fold_name(self.doc.line_text(line).split_once(':')?.0),
            OwnerKind::Bullet => self.text(line).to_owned(),
            _ => return None,
        };
        Some((self.path(line), kind, name))
    }
}

/// The lines of the text seen that may be mistaken for twins of theirs.
pub(super) struct Twins<'t, 'd> {
    seen: &'t OwnedLines<'d>,
    mistakable: HashSet<TwinKey<'d>>,
}

impl<'t, 'd> Twins<'t, 'd> {
    /// Finds the lines with twins, if the number of twins is not the same in the text seen and the text now, or if one of
    /// them owns lines in any of the texts. Others may have removed or added the one that is meant.
    pub(super) fn of(seen: &'t OwnedLines<'d>, planned: &'t OwnedLines<'d>, now: &'t OwnedLines<'d>) -> Self {
        let heads = |text: &'t OwnedLines<'d>| (0..text.paths.len()).filter(|line| text.owners.head(*line).is_some());
        let mut counts: HashMap<TwinKey<'d>, (usize, usize)> = HashMap::new();
        heads(seen).for_each(|line| counts.entry(seen.twin_key(line)).or_default().0 += 1);
        heads(now).for_each(|line| counts.entry(now.twin_key(line)).or_default().1 += 1);
        let owners = |text: &'t OwnedLines<'d>| (0..text.paths.len()).filter_map(|line| text.owners.owner(line));
        let of_owners = [seen, planned, now].into_iter();
        let of_owners: HashSet<_> =
            of_owners.flat_map(|text| owners(text).map(|owner| text.twin_key(owner.line))).collect();
        counts.retain(|key, (seen, now)| *seen.max(now) > 1 && (seen != now || of_owners.contains(key)));
        Self { seen, mistakable: counts.into_keys().collect() }
    }

    /// Returns true if it is not clear which line of the text now is this line of the text seen. If others have changed
    /// nothing in a section, and its heading cannot be mistaken, twins in it are told apart by their order. `stretches`
    /// are those of the merge.
    pub(super) fn are_ambiguous(&self, line: usize, stretches: &[Stretch]) -> bool {
        let doc = self.seen.doc;
        let may_be_mistaken = |line: usize| self.mistakable.contains(&self.seen.twin_key(line));
        let section = doc.section_at(doc.line_start(line));
        let below_heading = doc.line_range(section.map_or_else(|| doc.preamble(), |section| section.body));
        // Others have changed the heading above the line, or a line between that heading and the next one.
        let is_near = |other: &Stretch| {
            matches!(other.side, Side::Theirs | Side::Both)
                && other.base.end >= below_heading.start
                && other.base.start <= below_heading.end
        };
        may_be_mistaken(line)
            && (section.is_some_and(|section| may_be_mistaken(section.line_index())) || stretches.iter().any(is_near))
    }
}
