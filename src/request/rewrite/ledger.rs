//! The ledger: compares an old text with a new one, and finds the outcome of each bullet and each other line.
//!
//! A new bullet *fits* an old one if it has the same checkbox, tags, block, label and parents, and, if the list does not
//! count 1, 2, 3 …, the same number. It also fits if it keeps its number while the list begins or stops to count.
//!
//! A new bullet is the *successor* of an old one that it fits if one of these is true:
//!
//! - Both have the same content.
//! - The new content, split at `;`, consists only of contents of old bullets.
//!
//! Both must be in the same section. The sections may differ only if the old section is gone or the new one was not
//! there before: a fact that moves from `Anna` to `Bob` is another fact. Each new bullet accounts for at most one old
//! bullet, or for those that are merged in it. Equal old bullets have the same successor.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use crate::document::{BulletRef, MemoryDoc, Paths, SectionRef, attribute, fold_content, is_ordered};
use crate::edit::compose::Lists;
use crate::text::{Line, Span, Timestamp, fold_again, fold_name, fold_signs, is_blank, names};

/// An old bullet, its outcome, and its successor in the new text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account<'a> {
    pub(super) bullet: BulletRef<'a>,
    pub(super) outcome: BulletOutcome,
    pub(super) now: Option<BulletRef<'a>>,
}

/// The outcomes of all bullets and lines of an old text in a new one. Reserved sections are left out.
pub(super) struct Ledger<'a> {
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
        let mut texts = [old, new].map(|doc| Text::new(doc, &mut paths));
        interner.texts.reserve(old.outline().bullets.len());
        let unchanged = unchanged_bullets(&mut texts);
        let [olds, news] = texts.each_ref().map(|text| interner.read(text.doc, text.bullets()));
        let mut bullets = Pairs::of(&olds, &news, &texts);
        bullets.merge();
        bullets.repeat();
        let account = |(old, found): (&Entry<BulletRef<'a>>, &Option<(BulletOutcome, usize)>)| {
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
        Self {
            accounts,
            added: bullets.added().collect(),
            lines_gone: lines.gone().collect(),
            lines_added: lines.added().collect(),
        }
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

/// Iterates over the bullets outside of reserved sections.
pub(super) fn free_bullets(doc: &MemoryDoc) -> impl Iterator<Item = BulletRef<'_>> {
    doc.bullets().filter(|bullet| doc.reserved_section_at(bullet.line.start()).is_none())
}

/// Returns the content of a bullet, [`folded`].
pub(super) fn folded_content(bullet: BulletRef<'_>) -> Cow<'_, str> {
    fold_again(bullet.content(), folded)
}

/// Folds the differences that equal contents may have: white space, Unicode punctuation, the letter case of the first
/// letter, and one full stop at the end.
fn folded(text: &str) -> Cow<'_, str> {
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

/// A document, and the parts of it that the ledger has to read.
struct Text<'a> {
    doc: &'a MemoryDoc,
    /// The numbers of the paths of all sections.
    paths: HashSet<usize>,
    /// The text before the first heading, and each section that is not reserved, without its subsections. Each has the
    /// number of its path.
    parts: Vec<(Option<usize>, Span)>,
}

impl<'a> Text<'a> {
    /// Creates the text of a document. All of it is to be read, without reserved sections.
    fn new(doc: &'a MemoryDoc, paths: &mut Paths<'a>) -> Self {
        let paths = paths.of(doc);
        let first = doc.without_bom(doc.span()).start();
        // A heading right behind a byte order mark belongs to the part before the first heading.
        let start = |section: SectionRef<'_>| match section.line {
            line if first > 0 && line.start() == first => line.end(),
            line => line.start(),
        };
        let preamble = Span::new(0, doc.sections().next().map_or(doc.text().len(), start));
        let is_free = |section: SectionRef<'_>| doc.reserved_section_at(section.line.start()).is_none();
        let free = doc.sections().zip(&paths).filter(|(section, _)| is_free(*section));
        let free = free.map(|(section, path)| (Some(*path), Span::new(start(section), section.body.end())));
        let parts = [(None, preamble)].into_iter().chain(free).collect();
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
fn unchanged_bullets<'a>(texts: &mut [Text<'a>; 2]) -> Vec<(BulletRef<'a>, BulletRef<'a>)> {
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

/// A bullet or line, with numbers for its content and its place. Two entries of the same [`Interner`] have equal numbers if
/// and only if these are equal.
struct Entry<N> {
    node: N,
    whole: EntryKey,
    /// The same as `whole`, but with the number of each ordered bullet, even in a list that counts.
    marked: EntryKey,
    /// The same as `whole`, but without protected tags.
    unprotected: EntryKey,
    /// Whether the bullet is a step: an item of a list that counts. A step is no duplicate of another one.
    is_step: bool,
    /// The path of its section.
    section: Option<usize>,
}

/// The number of an entry's content, and the number of its [`Fit`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct EntryKey {
    fit: usize,
    content: usize,
}

/// Gives numbers to the contents and fits of bullets and lines: equal ones get the same number.
#[derive(Default)]
struct Interner<'a> {
    texts: HashMap<Cow<'a, str>, usize>,
    fits: HashMap<Fit, usize>,
}

/// What two bullets that fit must have in common: the parent; block, label, checkbox and list number; and the tags. All are
/// given as numbers.
type Fit = (Option<EntryKey>, [Option<usize>; 4], Vec<usize>);

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
    fn read(
        &mut self,
        doc: &'a MemoryDoc,
        bullets: impl Iterator<Item = (Option<usize>, BulletRef<'a>)>,
    ) -> Vec<Entry<BulletRef<'a>>> {
        let lists = Lists::new(doc);
        let mut entries: Vec<Entry<BulletRef<'a>>> = Vec::new();
        for (section, node) in bullets {
            let index =
                |parent: BulletRef<'a>| entries.binary_search_by_key(&parent.index(), |entry| entry.node.index());
            let parent = node.parent().and_then(|parent| entries.get(index(parent).ok()?));
            let of_parent = |whole: fn(&Entry<BulletRef<'a>>) -> EntryKey| parent.map(whole);
            let [whole_parent, marked_parent, free_parent] =
                [of_parent(|entry| entry.whole), of_parent(|entry| entry.marked), of_parent(|entry| entry.unprotected)];
            let block = node.block().map(|block| self.text(block.id()));
            let label = node.label().map(|label| self.text(fold_name(label.name())));
            let checkbox = node.checkbox().map(|checkbox| self.text(checkbox.to_lowercase()));
            let (content, tags) = (self.text(folded_content(node)), node.tags());
            let mut number_of = |parent: Option<EntryKey>, tags: &[&'a str], marker: Option<&'a str>| {
                let tags = sorted(tags).into_iter().map(|tag| self.text(tag)).collect();
                let marker = marker.map(|marker| self.text(marker));
                let fit = number(&mut self.fits, (parent, [block, label, checkbox, marker], tags));
                EntryKey { fit, content }
            };
            let any_number = Some(node.marker()).filter(|marker| is_ordered(marker));
            let own_number = lists.own_number(node);
            let free_tags: Vec<_> = tags.iter().copied().filter(|tag| !doc.policy().protects(tag)).collect();
            let whole = number_of(whole_parent, &tags, own_number);
            // In most cases all three are the same.
            let marked = match (marked_parent, any_number) == (whole_parent, own_number) {
                true => whole,
                false => number_of(marked_parent, &tags, any_number),
            };
            let unprotected = match (free_parent, free_tags.len()) == (whole_parent, tags.len()) {
                true => whole,
                false => number_of(free_parent, &free_tags, own_number),
            };
            let is_step = any_number.is_some() && own_number.is_none();
            entries.push(Entry { node, whole, marked, unprotected, is_step, section });
        }
        entries
    }

    /// Returns the entries of the lines outside of bullets that are to be read, without blank ones.
    fn lines(&mut self, text: &Text<'a>) -> Vec<Entry<Span>> {
        let doc = text.doc;
        let is_free = |line: &Span| !is_blank(line.of(doc.text())) && doc.bullet_at(line.start()).is_none();
        let mut entries = Vec::new();
        for (section, part) in text.parts.iter().copied() {
            for node in Line::all_within(doc.text(), part).map(|line| line.text).filter(is_free) {
                let whole = EntryKey { fit: 0, content: self.text(line_content(doc, node)) };
                entries.push(Entry { node, whole, marked: whole, unprotected: whole, is_step: false, section });
            }
        }
        entries
    }
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

/// What two entries must have in common to be paired: their content and fit and, if it matters, their section.
type PairKey = (EntryKey, Option<usize>);

/// The pairs of old entries and their successors.
struct Pairs<'e, N> {
    olds: &'e [Entry<N>],
    news: &'e [Entry<N>],
    /// For each old entry, its outcome and the index of its successor.
    found: Vec<Option<(BulletOutcome, usize)>>,
    /// For each new entry, whether it is the successor of an old one.
    is_used: Vec<bool>,
}

impl<'e, N: Copy> Pairs<'e, N> {
    /// Pairs equal entries in the same section; then equal entries of different sections, if the old section is gone or the
    /// new one was added. Entries outside of all sections count as in one section.
    fn of(olds: &'e [Entry<N>], news: &'e [Entry<N>], [old_text, new_text]: &[Text<'_>; 2]) -> Self {
        let is_gone = |old: &Entry<N>| old.section.is_some_and(|section| !new_text.paths.contains(&section));
        let is_added = |new: &Entry<N>| new.section.is_some_and(|section| !old_text.paths.contains(&section));
        let mut pairs = Self { olds, news, found: vec![None; olds.len()], is_used: vec![false; news.len()] };
        let keys: [fn(&Entry<N>) -> EntryKey; 2] = [|entry| entry.marked, |entry| entry.whole];
        for key_of in keys {
            let in_section = |entry: &Entry<N>| Some((key_of(entry), entry.section));
            pairs.add(BulletOutcome::Kept, &in_section, &in_section);
        }
        // Entries whose section stays have fewer possible successors, so they are paired first.
        for of_gone in [false, true] {
            let old_key = |old: &Entry<N>| (is_gone(old) == of_gone).then_some((old.whole, None));
            let new_key = |new: &Entry<N>| (of_gone || is_added(new)).then_some((new.whole, None));
            pairs.add(BulletOutcome::Moved, &old_key, &new_key);
        }
        pairs
    }

    /// Pairs the remaining entries of equal keys, in their order.
    fn add(
        &mut self,
        outcome: BulletOutcome,
        old_key: &dyn Fn(&Entry<N>) -> Option<PairKey>,
        new_key: &dyn Fn(&Entry<N>) -> Option<PairKey>,
    ) {
        if self.is_used.iter().all(|is_used| *is_used) {
            return;
        }
        // The first new entry of each key, and for each entry the next one of the same key.
        let (mut firsts, mut nexts) = (HashMap::with_capacity(self.news.len()), vec![None; self.news.len()]);
        let left = self.news.iter().enumerate().zip(&mut nexts).zip(&self.is_used).rev().filter(|(_, used)| !**used);
        for (((index, new), next), _) in left {
            *next = new_key(new).and_then(|key| firsts.insert(key, Some(index))).flatten();
        }
        for (old, found) in self.olds.iter().zip(&mut self.found).filter(|(_, found)| found.is_none()) {
            let first = old_key(old).and_then(|key| firsts.get_mut(&key));
            let index = first.and_then(|first| std::mem::replace(first, *nexts.get((*first)?)?));
            *found = index.map(|index| (outcome, index));
            if let Some(is_used) = index.and_then(|index| self.is_used.get_mut(index)) {
                *is_used = true;
            }
        }
    }

    /// Iterates over the old entries without a successor.
    fn gone(&self) -> impl Iterator<Item = N> {
        self.olds.iter().zip(&self.found).filter(|(_, found)| found.is_none()).map(|(old, _)| old.node)
    }

    /// Iterates over the new entries that are the successor of no old one.
    fn added(&self) -> impl Iterator<Item = N> {
        self.news.iter().zip(&self.is_used).filter(|(_, is_used)| !**is_used).map(|(new, _)| new.node)
    }
}

/// The most pieces, split at `;`, that an old content may have to be found in a merged bullet.
const PIECES: usize = 16;

impl Pairs<'_, BulletRef<'_>> {
    /// Finds the merged bullets: new bullets that consist, split at `;`, of contents of old bullets without a successor.
    fn merge(&mut self) {
        // The old bullets without a successor, by fit, section, and pieces joined by `;`.
        let mut contents: HashMap<(usize, Option<usize>, String), usize> = HashMap::new();
        for (index, old) in self.olds.iter().enumerate().filter(|(index, _)| self.found.get(*index) == Some(&None)) {
            let content = old.node.content();
            let pieces = split(&content);
            if pieces.len() <= PIECES {
                contents.entry((old.whole.fit, old.section, pieces.join(";"))).or_insert(index);
            }
        }
        for ((nth, new), is_used) in self.news.iter().enumerate().zip(&mut self.is_used).filter(|(_, used)| !**used) {
            let content = new.node.content();
            let pieces = if content.contains(';') { split(&content) } else { continue };
            let (mut rest, mut taken) = (pieces.as_slice(), Vec::new());
            while let Some((length, content)) = (1..=rest.len().min(PIECES)).rev().find_map(|length| {
                let run = rest.get(..length)?.join(";");
                Some((length, contents.remove_entry(&(new.whole.fit, new.section, run))?))
            }) {
                taken.push(content);
                rest = rest.get(length..).unwrap_or_default();
            }
            if !rest.is_empty() {
                contents.extend(taken);
                continue;
            }
            *is_used = true;
            for (_, index) in taken {
                if let Some(found) = self.found.get_mut(index) {
                    *found = Some((BulletOutcome::Merged, nth));
                }
            }
        }
    }

    /// Gives each remaining old bullet the successor of an equal old bullet. Steps are left out.
    fn repeat(&mut self) {
        let mut firsts: HashMap<PairKey, usize> = HashMap::new();
        for (old, found) in self.olds.iter().zip(&self.found) {
            if let Some((_, index)) = found {
                firsts.entry((old.unprotected, old.section)).or_insert(*index);
            }
        }
        for (old, found) in self.olds.iter().zip(&mut self.found).filter(|(old, _)| !old.is_step) {
            let equal = || Some((BulletOutcome::Merged, *firsts.get(&(old.unprotected, old.section))?));
            *found = found.or_else(equal);
        }
    }
}

/// Returns the pieces of a content between `;`, folded. An empty piece at the end does not count.
fn split(content: &str) -> Vec<Cow<'_, str>> {
    let mut pieces: Vec<_> = content.split(';').map(folded).collect();
    if pieces.last().is_some_and(|piece| piece.is_empty()) {
        pieces.pop();
    }
    pieces
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
