//! Successors: the lines that stand for the heads that an edit rewrites.

use std::collections::HashMap;

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

/// A name of a kind, and the rewrites that remove or write a head which has it.
type Places = HashMap<(OwnerKind, String), (usize, bool)>;

impl Successors {
    pub(super) fn of(draft: &Draft<'_>, lines: &LineMap, owners: [&Owners; 2]) -> Self {
        let [old, new] = owners;
        let heads = |doc: &MemoryDoc, owners: &Owners, range: std::ops::Range<usize>| {
            range.filter_map(|line| Head::at(doc, owners, line)).collect::<Vec<_>>()
        };
        let rewrites = lines.rewrites().iter();
        let pairs: Vec<_> = rewrites
            .map(|rewrite| (heads(draft.old, old, rewrite.old.clone()), heads(&draft.new, new, rewrite.new.clone())))
            .collect();
        let mut places = Places::new();
        for (nth, (removed, written)) in pairs.iter().enumerate() {
            for head in removed.iter().chain(written).filter(|head| !head.name.is_empty()) {
                let key = (head.kind, head.name.clone());
                places
                    .entry(key)
                    .and_modify(|(first, is_elsewhere)| *is_elsewhere |= *first != nth)
                    .or_insert((nth, false));
            }
        }
        let mut successors = Vec::new();
        for (removed, written) in &pairs {
            add(&mut successors, [removed, written], &places);
        }
        successors.sort_unstable();
        let mut new: Vec<_> = successors.iter().map(|(_, new)| *new).collect();
        new.sort_unstable();
        Self { pairs: successors, new }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Iterates over the heads that have a successor: the line of each in the old text, and of its
    /// successor in the new one.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.pairs.iter().copied()
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

/// Adds the successors of the heads of one rewrite.
fn add<'h>(successors: &mut Vec<(usize, usize)>, [removed, written]: [&'h [Head]; 2], places: &Places) {
    // For each kind and name: the only line that has it, or none if several have.
    let by_name = |heads: &[Head]| {
        let mut lines: HashMap<(OwnerKind, String), Option<usize>> = HashMap::new();
        for head in heads {
            let key = (head.kind, head.name.clone());
            lines.entry(key).and_modify(|line| *line = None).or_insert(Some(head.line));
        }
        lines
    };
    // For each kind: the only head of it, or none if there are several.
    let by_kind = |heads: &'h [Head]| {
        let mut only: HashMap<OwnerKind, Option<&'h Head>> = HashMap::new();
        for head in heads {
            only.entry(head.kind).and_modify(|only| *only = None).or_insert(Some(head));
        }
        only
    };
    let (old_kinds, new_kinds) = (by_kind(removed), by_kind(written));
    let (old_names, new_names) = (by_name(removed), by_name(written));
    let is_nameless = |kind| matches!(kind, OwnerKind::Fence | OwnerKind::FrontMatter);
    for head in removed {
        let key = (head.kind, head.name.clone());
        let is_single = old_names.get(&key).is_some_and(Option::is_some);
        if let Some(Some(line)) = new_names.get(&key).filter(|_| is_single && !is_nameless(head.kind)) {
            successors.push((head.line, *line));
            continue;
        }
        let is_only = old_kinds.get(&head.kind).is_some_and(Option::is_some);
        let Some(only) = new_kinds.get(&head.kind).copied().flatten().filter(|_| is_only) else { continue };
        let is_elsewhere =
            |name: &str| places.get(&(head.kind, name.to_owned())).is_some_and(|(_, is_elsewhere)| *is_elsewhere);
        if is_nameless(head.kind) || !(is_elsewhere(&head.name) || is_elsewhere(&only.name)) {
            successors.push((head.line, only.line));
        }
    }
}

impl Head {
    /// Returns the head that begins on a line, if one does.
    fn at(doc: &MemoryDoc, owners: &Owners, line: usize) -> Option<Self> {
        let kind = owners.head(line)?;
        Some(Self { kind, name: Owner { kind, line }.name(doc).into_owned(), line })
    }
}
