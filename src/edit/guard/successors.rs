//! Successors: the lines that stand for the heads that an edit rewrites.

use std::collections::HashMap;
use std::ops::Range;

use crate::document::MemoryDoc;
use crate::edit::Draft;
use crate::edit::line_map::LineMap;
use crate::edit::owners::{Owner, OwnerKind, Owners};

/// For each head that an edit rewrites, the head that stands for it in the result, if one does.
///
/// The successor of a head is the one head of the same kind and name that the same rewrite writes.
/// Where none is, and the rewrite removes one head of the kind and writes one, it is that one,
/// unless the edit removes or writes either name elsewhere.
#[derive(Debug)]
pub(super) struct Successors {
    // Invariant: lines of the old text ascend.
    pairs: Vec<(usize, usize)>,
    // Invariant: ascending.
    new: Vec<usize>,
}

/// A head: its kind, its name and its line.
struct Head {
    kind: OwnerKind,
    name: String,
    line: usize,
}

/// Of each kind and name: the first rewrite that removes or writes a head which has it, and whether another does, too.
type Places<'h> = HashMap<(OwnerKind, &'h str), (usize, bool)>;

impl Successors {
    pub(super) fn of(draft: &Draft<'_>, lines: &LineMap, owners: [&Owners; 2]) -> Self {
        let [old, new] = owners;
        let heads = |doc: &MemoryDoc, owners: &Owners, range: Range<usize>| {
            range.filter_map(|line| Head::at(doc, owners, line)).collect::<Vec<_>>()
        };
        let rewrites = lines.rewrites.iter();
        let pairs: Vec<[Vec<Head>; 2]> = rewrites
            .map(|rewrite| [heads(draft.old, old, rewrite.old.clone()), heads(&draft.new, new, rewrite.new.clone())])
            .collect();
        let mut places = Places::new();
        for (nth, pair) in pairs.iter().enumerate() {
            for head in pair.iter().flatten().filter(|head| !head.name.is_empty()) {
                let place = places.entry((head.kind, &head.name)).or_insert((nth, false));
                place.1 |= place.0 != nth;
            }
        }
        let mut successors: Vec<_> = pairs.iter().flat_map(|pair| successors_in(pair, &places)).collect();
        successors.sort_unstable();
        let mut new: Vec<_> = successors.iter().map(|(_, new)| *new).collect();
        new.sort_unstable();
        Self { pairs: successors, new }
    }

    /// Returns the heads that have a successor: the line of each in the old text, and of its successor in
    /// the new one.
    pub(super) fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// Returns the line of the successor of the head on a line of the old text.
    pub(super) fn of_line(&self, old: usize) -> Option<usize> {
        let at = self.pairs.binary_search_by_key(&old, |(old, _)| *old).ok()?;
        self.pairs.get(at).map(|(_, new)| *new)
    }

    /// Reports whether a line of the new text is a successor.
    pub(super) fn is_successor(&self, new: usize) -> bool {
        self.new.binary_search(&new).is_ok()
    }
}

/// Returns the heads of one rewrite that have a successor, each with it, by their lines.
fn successors_in([removed, written]: &[Vec<Head>; 2], places: &Places<'_>) -> Vec<(usize, usize)> {
    let (old, new) = (only_ones(removed), only_ones(written));
    // The one head that is written, if one is removed.
    let only = |key: (OwnerKind, Option<&str>)| (*old.get(&key)?).and(*new.get(&key)?);
    let is_elsewhere = |head: &Head| places.get(&(head.kind, head.name.as_str())).is_some_and(|place| place.1);
    let successor = |head: &Head| {
        let other = || only((head.kind, None)).filter(|other| !(is_elsewhere(head) || is_elsewhere(other)));
        Some((head.line, only((head.kind, Some(&head.name))).or_else(other)?.line))
    };
    removed.iter().filter_map(successor).collect()
}

/// Returns for each kind, and for each kind and name, the only head of these that is so; `None` if several are.
fn only_ones(heads: &[Head]) -> HashMap<(OwnerKind, Option<&str>), Option<&Head>> {
    let mut only = HashMap::new();
    for head in heads {
        for name in [None, Some(head.name.as_str())] {
            only.entry((head.kind, name)).and_modify(|only| *only = None).or_insert(Some(head));
        }
    }
    only
}

impl Head {
    /// Returns the head that begins on a line, if one does.
    fn at(doc: &MemoryDoc, owners: &Owners, line: usize) -> Option<Self> {
        let kind = owners.head(line)?;
        Some(Self { kind, name: Owner { kind, line }.name(doc).into_owned(), line })
    }
}
