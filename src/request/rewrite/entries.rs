//! [`LedgerEntry`]: a bullet or line in a form in which it is compared with others, of two texts or, as by
//! [`equal_bullets`], of one.
//!
//! A new bullet *fits* an old one if it has the same checkbox, tags, block, label and parents, and, if the list does not
//! count 1, 2, 3 …, the same number. It also fits if it keeps its number while the list begins or stops to count.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::ledger::LedgerText;
use crate::document::{BulletRef, MemoryDoc, attribute, fold_content, is_ordered};
use crate::edit::compose::Lists;
use crate::text::{Line, Span, fold_again, fold_name, fold_signs, is_blank};

/// A bullet or line, with numbers for its content and its place. Two entries of the same [`Interner`] have equal numbers if
/// and only if these are equal.
pub(super) struct LedgerEntry<N> {
    pub(super) node: N,
    pub(super) whole: EntryKey,
    /// The same as `whole`, but with the number of each ordered bullet, even in a list that counts.
    pub(super) marked: EntryKey,
    /// The same as `whole`, but without protected tags.
    pub(super) unprotected: EntryKey,
    /// Whether the bullet is a step: an item of a list that counts. A step is no duplicate of another one.
    pub(super) is_step: bool,
    /// The path of its section.
    pub(super) section: Option<usize>,
}

/// The number of an entry's content, and the number of its [`FitKey`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct EntryKey {
    pub(super) fit: usize,
    content: usize,
}

/// Gives numbers to the contents and fits of bullets and lines: equal ones get the same number.
#[derive(Default)]
pub(super) struct Interner<'a> {
    pub(super) texts: HashMap<Cow<'a, str>, usize>,
    fits: HashMap<FitKey, usize>,
}

/// What two bullets that fit must have in common: the parent; block, label, checkbox and list number; and the tags. All are
/// given as numbers.
type FitKey = (Option<EntryKey>, [Option<usize>; 4], Vec<usize>);

/// Returns the number of a key. A new key gets the next number.
fn number<K: Eq + Hash>(numbers: &mut HashMap<K, usize>, key: K) -> usize {
    let next = numbers.len();
    *numbers.entry(key).or_insert(next)
}

impl<'a> Interner<'a> {
    /// Returns the number of a text.
    fn text(&mut self, text: impl Into<Cow<'a, str>>) -> usize {
        number(&mut self.texts, text.into())
    }

    /// Returns the entries of bullets. The bullets are in document order, parents included. Each is given with the
    /// number of the path of its section.
    pub(super) fn read(
        &mut self,
        doc: &'a MemoryDoc,
        bullets: impl Iterator<Item = (Option<usize>, BulletRef<'a>)>,
    ) -> Vec<LedgerEntry<BulletRef<'a>>> {
        let lists = Lists::new(doc);
        let mut entries: Vec<LedgerEntry<BulletRef<'a>>> = Vec::new();
        for (section, node) in bullets {
            let parent = node.parent().and_then(|parent| {
                let index = entries.binary_search_by_key(&parent.index(), |entry| entry.node.index());
                entries.get(index.ok()?)
            });
            let block = node.block().map(|block| self.text(block.id()));
            let label = node.label().map(|label| self.text(fold_name(label.name())));
            let checkbox = node.checkbox().map(|checkbox| self.text(checkbox.to_lowercase()));
            let (content, tags) = (self.text(folded_content(node)), node.tags());
            let mut key = |parent: Option<EntryKey>, tags: &[&'a str], marker: Option<&'a str>| {
                let tags = sorted(tags).into_iter().map(|tag| self.text(tag)).collect();
                let marker = marker.map(|marker| self.text(marker));
                let fit = number(&mut self.fits, (parent, [block, label, checkbox, marker], tags));
                EntryKey { fit, content }
            };
            let any_number = Some(node.marker()).filter(|marker| is_ordered(marker));
            let own_number = lists.own_number(node);
            let free_tags: Vec<_> = tags.iter().copied().filter(|tag| !doc.policy().protects(tag)).collect();
            let whole = key(parent.map(|parent| parent.whole), &tags, own_number);
            // In most cases all three are the same.
            let (mut marked, mut unprotected) = (whole, whole);
            if any_number != own_number || parent.is_some_and(|parent| parent.marked != parent.whole) {
                marked = key(parent.map(|parent| parent.marked), &tags, any_number);
            }
            if free_tags.len() < tags.len() || parent.is_some_and(|parent| parent.unprotected != parent.whole) {
                unprotected = key(parent.map(|parent| parent.unprotected), &free_tags, own_number);
            }
            let is_step = any_number.is_some() && own_number.is_none();
            entries.push(LedgerEntry { node, whole, marked, unprotected, is_step, section });
        }
        entries
    }

    /// Returns the entries of the lines outside of bullets that are to be read, without blank ones.
    pub(super) fn lines(&mut self, text: &LedgerText<'a>) -> Vec<LedgerEntry<Span>> {
        let doc = text.doc;
        let is_free = |line: &Span| !is_blank(line.of(doc.text())) && doc.bullet_at(line.start()).is_none();
        let mut entries = Vec::new();
        for (section, part) in text.parts.iter().copied() {
            for node in Line::all_within(doc.text(), part).map(|line| line.text).filter(is_free) {
                let whole = EntryKey { fit: 0, content: self.text(line_content(doc, node)) };
                entries.push(LedgerEntry { node, whole, marked: whole, unprotected: whole, is_step: false, section });
            }
        }
        entries
    }
}

/// Returns the groups of equal bullets among `bullets`, which are in document order. Equal bullets have the same content,
/// checkbox, tags (without protected ones), block, label and parents, and only siblings and blank lines are between them.
/// Items of a list that counts 1, 2, 3 … are never equal.
pub(crate) fn equal_bullets<'d>(
    doc: &'d MemoryDoc,
    bullets: impl Iterator<Item = BulletRef<'d>>,
) -> Vec<Vec<BulletRef<'d>>> {
    let bullets: Vec<BulletRef<'d>> = bullets.collect();
    // Fast path: in most documents no two bullets have the same content.
    let mut contents = HashSet::with_capacity(bullets.len());
    if bullets.iter().all(|bullet| contents.insert(folded_content(*bullet))) {
        return Vec::new();
    }
    let all = doc.bullets().map(|bullet| (None, bullet));
    let (entries, stretches) = (Interner::default().read(doc, all), stretches(doc));
    let mut groups: Vec<Vec<BulletRef<'d>>> = Vec::new();
    let mut numbers: HashMap<_, usize> = HashMap::new();
    // The number of each bullet's group. The children of equal bullets count as one list.
    let mut group_of: HashMap<usize, usize> = HashMap::new();
    for bullet in bullets {
        let Some(entry) = entries.get(bullet.index()) else { continue };
        if entry.is_step || bullet.content().trim().is_empty() {
            continue;
        }
        let parent = bullet.parent().map(|parent| group_of.get(&parent.index()).copied().ok_or(parent.index()));
        let list = (parent, stretches.get(bullet.index()));
        let number = *numbers.entry((entry.unprotected, list)).or_insert(groups.len());
        group_of.insert(bullet.index(), number);
        match groups.get_mut(number) {
            Some(group) => group.push(bullet),
            None => groups.push(vec![bullet]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Returns, for each bullet, how often other lines than siblings interrupt its list before it. Bullets on both sides of
/// such lines may be about different things.
fn stretches(doc: &MemoryDoc) -> Vec<usize> {
    let mut lasts: HashMap<_, (usize, usize)> = HashMap::new();
    let stretch = |bullet: BulletRef<'_>| {
        let parent = bullet.parent().map(BulletRef::index);
        let (end, stretch) = lasts.entry(parent).or_insert((bullet.line.start(), 0));
        *stretch += usize::from(!is_blank(Span::new(*end, bullet.line.start()).of(doc.text())));
        *end = bullet.extent.end();
        *stretch
    };
    doc.bullets().map(stretch).collect()
}

/// Returns the text of a line outside of bullets, to be compared. In code, its indentation counts.
fn line_content(doc: &MemoryDoc, line: Span) -> &str {
    let text = line.of(doc.text());
    if doc.outline().is_fenced(line.start()) { text.trim_end() } else { text.trim() }
}

/// Returns tags as they are compared: sorted, attributes as `name: value`.
fn sorted<'t>(tags: &[&'t str]) -> Vec<Cow<'t, str>> {
    let written = |tag: &&'t str| match attribute(tag) {
        Some((name, value)) => format!("{}: {value}", name.to_lowercase()).into(),
        None => Cow::Borrowed(*tag),
    };
    let mut tags: Vec<_> = tags.iter().map(written).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

/// Returns the content of a bullet, [`folded`].
pub(super) fn folded_content(bullet: BulletRef<'_>) -> Cow<'_, str> {
    fold_again(bullet.content(), folded)
}

/// Folds the differences that equal contents may have: white space, Unicode punctuation, the letter case of the first
/// letter, and one full stop at the end.
pub(super) fn folded(text: &str) -> Cow<'_, str> {
    fold_again(fold_again(fold_signs(text), fold_content), fold_sentence)
}

/// Folds the letter case of the first letter, and one full stop at the end.
fn fold_sentence(text: &str) -> Cow<'_, str> {
    let text = text.strip_suffix('.').unwrap_or(text);
    let mut rest = text.chars();
    match rest.next().filter(|first| first.to_lowercase().ne([*first])) {
        Some(capital) => {
            let mut small = String::with_capacity(text.len());
            small.extend(capital.to_lowercase());
            small.push_str(rest.as_str());
            small.into()
        }
        None => Cow::Borrowed(text),
    }
}
