//! The ledger: compares an old text with a new one, and finds the outcome of each bullet and each other line.

use std::collections::{HashMap, HashSet};

use super::entries::{Interner, LedgerEntry};
use super::pairs::Pairs;
use crate::document::{BulletRef, MemoryDoc, Paths, SectionRef};
use crate::text::{Span, Timestamp, fold_name, names};

/// An old bullet, its outcome, and its successor in the new text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account<'a> {
    pub(super) bullet: BulletRef<'a>,
    pub(super) outcome: BulletOutcome,
    pub(super) now: Option<BulletRef<'a>>,
}

/// The outcomes of all bullets and lines of an old text in a new one. Reserved sections are left out.
pub(super) struct Ledger<'a> {
    pub(super) old: &'a MemoryDoc,
    pub(super) new: &'a MemoryDoc,
    /// The accounts of all old bullets, in the order of the old text.
    pub(super) accounts: Vec<Account<'a>>,
    /// The new bullets that are the successor of no old one.
    pub(super) added: Vec<BulletRef<'a>>,
    /// The lines of the old text outside of bullets that are gone.
    pub(super) lines_gone: Vec<Span>,
    /// The lines of the new text outside of bullets that are new.
    pub(super) lines_added: Vec<Span>,
}

impl<'a> Ledger<'a> {
    pub(super) fn of(old: &'a MemoryDoc, new: &'a MemoryDoc, now: Timestamp) -> Self {
        let (mut interner, mut paths) = (Interner::default(), Paths::new(|title| fold_name(title).into()));
        interner.texts.reserve(old.outline().bullets.len());
        let mut texts = [old, new].map(|doc| LedgerText::new(doc, &mut paths));
        let unchanged = unchanged_bullets(&mut texts);
        let [olds, news] = texts.each_ref().map(|text| interner.read(text.doc, text.bullets()));
        let mut bullets = Pairs::of(&olds, &news, &texts);
        bullets.merge();
        bullets.repeat();
        let account = |(old, found): (&LedgerEntry<BulletRef<'a>>, &Option<(BulletOutcome, usize)>)| {
            let end = if old.node.is_expired(now) { BulletOutcome::Expired } else { BulletOutcome::Gone };
            let now = found.and_then(|(_, index)| news.get(index)).map(|new| new.node);
            Account { bullet: old.node, outcome: found.map_or(end, |(outcome, _)| outcome), now }
        };
        let kept = |(bullet, new)| Account { bullet, outcome: BulletOutcome::Kept, now: Some(new) };
        let mut accounts: Vec<_> = unchanged.into_iter().map(kept).collect();
        accounts.extend(olds.iter().zip(&bullets.found).map(account));
        accounts.sort_by_key(|account| account.bullet.index());
        let [old_lines, new_lines] = texts.each_ref().map(|text| interner.lines(text));
        let lines = Pairs::of(&old_lines, &new_lines, &texts);
        let (lines_gone, lines_added) = (lines.gone().collect(), lines.added().collect());
        Self { old, new, accounts, added: bullets.added().collect(), lines_gone, lines_added }
    }
}

/// Iterates over the bullets outside of reserved sections.
pub(super) fn free_bullets(doc: &MemoryDoc) -> impl Iterator<Item = BulletRef<'_>> {
    doc.bullets().filter(|bullet| doc.reserved_section_at(bullet.line.start()).is_none())
}

/// A document, and the parts of it that the ledger has to read.
pub(super) struct LedgerText<'a> {
    pub(super) doc: &'a MemoryDoc,
    /// The numbers of the paths of all sections.
    pub(super) paths: HashSet<usize>,
    /// The text before the first heading, and each section that is not reserved, without its subsections. Each has the
    /// number of its path.
    pub(super) parts: Vec<(Option<usize>, Span)>,
}

impl<'a> LedgerText<'a> {
    /// Creates the text of a document. All of it is to be read, without reserved sections.
    fn new(doc: &'a MemoryDoc, paths: &mut Paths<'a>) -> Self {
        let paths = paths.of(doc);
        let is_free = |section: SectionRef<'_>| doc.reserved_section_at(section.line.start()).is_none();
        let free = doc.sections().zip(&paths).filter(|(section, _)| is_free(*section));
        let free = free.map(|(section, path)| (Some(*path), Span::new(section.line.start(), section.body.end())));
        let parts = [(None, doc.without_bom(doc.preamble()))].into_iter().chain(free).collect();
        Self { doc, paths: paths.into_iter().collect(), parts }
    }

    /// Iterates over the bullets that are to be read, each with the number of the path of its section.
    fn bullets(&self) -> impl Iterator<Item = (Option<usize>, BulletRef<'a>)> {
        self.parts.iter().flat_map(|&(path, part)| self.doc.bullets_within(part).map(move |bullet| (path, bullet)))
    }
}

/// Takes out the parts that are unchanged: both texts have them once, with the same bytes, apart from line endings at
/// the end. Their lines are all kept, so that they need not be read. This does not change how the rest is paired: other
/// parts have other paths, and bullets of the same path are paired first. Returns the bullets of the parts that are
/// taken out, each with its successor.
fn unchanged_bullets<'a>(texts: &mut [LedgerText<'a>; 2]) -> Vec<(BulletRef<'a>, BulletRef<'a>)> {
    let [old, new] = texts.each_ref().map(|text| text.doc);
    let [olds, news] = texts.each_ref().map(|text| {
        let mut only: HashMap<Option<usize>, Option<Span>> = HashMap::new();
        for (path, part) in &text.parts {
            only.entry(*path).and_modify(|known| *known = None).or_insert(Some(*part));
        }
        only
    });
    let pairs = olds.into_iter().filter_map(|(path, part)| Some((path, (part?, (*news.get(&path)?)?))));
    let bytes = |doc: &'a MemoryDoc, part: Span| part.of(doc.text()).trim_end_matches(['\r', '\n']);
    let same: HashMap<_, _> = pairs.filter(|(_, (was, is))| bytes(old, *was) == bytes(new, *is)).collect();
    texts.iter_mut().for_each(|text| text.parts.retain(|(path, _)| !same.contains_key(path)));
    same.into_values().flat_map(|(was, is)| old.bullets_within(was).zip(new.bullets_within(is))).collect()
}

names! {
    /// The outcome of a bullet in a compaction.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum BulletOutcome {
        /// It is in the same section, with the same content, checkbox, tags, label and parents.
        Kept = "kept",
        /// It is in another section, because its own is gone or the other one is new.
        Moved = "moved",
        /// A new bullet at the same place has its content between `;`, or is the successor of an equal bullet.
        Merged = "merged",
        /// It had expired, and is gone.
        Expired = "expired",
        /// It is gone.
        Gone = "gone",
        /// It is new.
        Added = "added",
    }
}
