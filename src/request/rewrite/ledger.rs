//! The ledger: what became of each bullet, and of each other line, of a text in another one.
//!
//! A new bullet *fits* an old one if it has the same checkbox, tags, block, label and parents, and the same number in a list
//! that does not count. One that keeps its number fits too where its list has come to count, or counts no more.
//!
//! A new bullet stands for an old one that it fits if its content is the same, or if its content consists, split at `;`, of
//! contents of old bullets and of nothing else. It does so in the same section, or in another one if the old section is gone or
//! the new one was not there before: a fact that goes from `Anna` to `Bob` is another fact. Each new bullet is counted once; old
//! bullets that are equal in all of this need one.

use std::collections::{HashMap, HashSet};

use super::report::BulletOutcome;
use crate::document::{BulletRef, MemoryDoc, Paths, SectionRef, attribute, fold_said};
use crate::edit::compose::Lists;
use crate::text::{Lines, Span, Timestamp, fold_name, fold_signs, is_blank};

/// An old bullet, what became of it, and the new bullet that stands for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account<'a> {
    pub(super) bullet: BulletRef<'a>,
    pub(super) outcome: BulletOutcome,
    pub(super) now: Option<BulletRef<'a>>,
}

/// What became of a text in another one. Reserved sections are left out.
pub(super) struct Ledger<'a> {
    /// One for each old bullet, in the order of the old text.
    pub(super) accounts: Vec<Account<'a>>,
    /// The new bullets that stand for no old one.
    pub(super) added: Vec<BulletRef<'a>>,
    /// The lines of the old text that belong to no bullet and are gone.
    pub(super) lines_gone: Vec<Span>,
    /// The lines of the new text that belong to no bullet and are new.
    pub(super) lines_added: Vec<Span>,
}

impl<'a> Ledger<'a> {
    pub(super) fn of(old: &'a MemoryDoc, new: &'a MemoryDoc, now: Timestamp) -> Self {
        let mut sayings = Sayings::default();
        let [old_paths, new_paths] = [old, new].map(|doc| sayings.paths.of(doc).into_iter().collect::<HashSet<_>>());
        // Outside of all sections is one place of both texts.
        let is_gone = |saying: &Saying| saying.section.is_some_and(|section| !new_paths.contains(&section));
        let is_added = |saying: &Saying| saying.section.is_some_and(|section| !old_paths.contains(&section));
        let (olds, news) = (sayings.bullets(old), sayings.bullets(new));
        let mut pairs = Pairs::of(&olds, &news, &is_gone, &is_added);
        let mut outcomes: Vec<_> = olds
            .iter()
            .zip(&pairs.found)
            .map(|(old, found)| {
                let new = news.get((*found)?)?;
                let outcome =
                    if new.saying.section == old.saying.section { BulletOutcome::Kept } else { BulletOutcome::Moved };
                Some((outcome, new.node))
            })
            .collect();
        merge(&olds, &news, &mut outcomes, &mut pairs.is_used);
        let mut firsts: HashMap<_, BulletRef<'a>> = HashMap::new();
        for (old, outcome) in olds.iter().zip(&outcomes) {
            if let Some((_, now)) = outcome {
                firsts.entry((old.saying.unprotected, old.saying.section)).or_insert(*now);
            }
        }
        let accounts = olds.iter().zip(outcomes).map(|(Entry { node, saying }, outcome)| {
            let equal = firsts.get(&(saying.unprotected, saying.section)).filter(|_| !saying.is_step);
            let end = if node.is_expired(now) { BulletOutcome::Expired } else { BulletOutcome::Gone };
            let outcome = outcome.or_else(|| Some((BulletOutcome::Merged, *equal?)));
            let (outcome, now) = outcome.map_or((end, None), |(outcome, now)| (outcome, Some(now)));
            Account { bullet: *node, outcome, now }
        });
        let (lines, new_lines) = (sayings.lines(old), sayings.lines(new));
        let line_pairs = Pairs::of(&lines, &new_lines, &is_gone, &is_added);
        let lines_gone =
            lines.iter().zip(&line_pairs.found).filter(|(_, found)| found.is_none()).map(|(line, _)| line.node);
        Self {
            accounts: accounts.collect(),
            added: pairs.unused(&news).collect(),
            lines_gone: lines_gone.collect(),
            lines_added: line_pairs.unused(&new_lines).collect(),
        }
    }
}

/// Returns the groups of equal bullets among some of a document, given in its order: the ledger reads the same in them, but for
/// protected tags, and nothing but bullets stands between them. Steps of a list that counts repeat none.
pub(crate) fn equal_bullets<'d>(
    doc: &'d MemoryDoc,
    bullets: impl Iterator<Item = BulletRef<'d>>,
) -> Vec<Vec<BulletRef<'d>>> {
    let (sayings, stretches) = (Sayings::default().read(doc), stretches(doc));
    let mut groups: Vec<Vec<BulletRef<'d>>> = Vec::new();
    let mut numbers: HashMap<_, usize> = HashMap::new();
    // Of each bullet the number of its group: what is nested in equal bullets stands in one list.
    let mut group_of: HashMap<usize, usize> = HashMap::new();
    for bullet in bullets {
        let Some(saying) = sayings.get(bullet.index()) else { continue };
        if saying.is_step || bullet.content().trim().is_empty() {
            continue;
        }
        let parent = bullet.parent().map(|parent| group_of.get(&parent.index()).copied().ok_or(parent.index()));
        let list = (parent, stretches.get(bullet.index()));
        let number = *numbers.entry((saying.unprotected, list)).or_insert(groups.len());
        group_of.insert(bullet.index(), number);
        match groups.get_mut(number) {
            Some(group) => group.push(bullet),
            None => groups.push(vec![bullet]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Returns of each bullet how many times other lines stand between the bullets before it that have its parent, and it:
/// they may set apart what is said of different things.
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

/// Iterates over the bullets outside reserved sections.
pub(super) fn free_bullets(doc: &MemoryDoc) -> impl Iterator<Item = BulletRef<'_>> {
    let is_reserved = |section: &SectionRef<'_>| section.ancestors().any(|around| around.reserved_name().is_some());
    let reserved: Vec<bool> = doc.sections().map(|section| is_reserved(&section)).collect();
    let is_free = move |section: SectionRef<'_>| reserved.get(section.index()) != Some(&true);
    doc.bullets().filter(move |bullet| bullet.section().is_none_or(&is_free))
}

/// Folds what two contents may differ in and be the same: white space, Unicode punctuation, the letter case of the first
/// letter, and one full stop at the end.
pub(super) fn folded(text: &str) -> String {
    let plain: String = fold_signs(text).collect();
    let plain = fold_said(&plain);
    let plain = plain.strip_suffix('.').filter(|rest| !rest.ends_with('.')).unwrap_or(&plain);
    let mut rest = plain.chars();
    let first: String = rest.next().into_iter().flat_map(char::to_lowercase).collect();
    [&first, rest.as_str()].concat()
}

/// What a bullet says, of what and where, as numbers: equal for equal ones, in any text that was read by the same [`Sayings`].
#[derive(Clone, Copy, Debug)]
struct Saying {
    /// All that a bullet must have in common with one that fits it.
    fit: usize,
    /// That and the content.
    whole: usize,
    /// The same without protected tags.
    unprotected: usize,
    /// The same as `whole`, with the number of each ordered bullet, in a list that counts too.
    marked: usize,
    /// Whether the bullet is a step: an item of a list that counts, of which none repeats another.
    is_step: bool,
    /// The path of its section.
    section: Option<usize>,
}

/// A bullet or line with what it says.
struct Entry<N> {
    node: N,
    saying: Saying,
}

/// Numbers for what bullets and lines say.
struct Sayings<'a> {
    paths: Paths<'a>,
    numbers: HashMap<String, usize>,
}

impl Default for Sayings<'_> {
    fn default() -> Self {
        Self { paths: Paths::new(|title| fold_name(title).into()), numbers: HashMap::new() }
    }
}

impl<'a> Sayings<'a> {
    fn number(&mut self, text: String) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(text).or_insert(next)
    }

    /// Returns what each bullet of a document says.
    fn read(&mut self, doc: &'a MemoryDoc) -> Vec<Saying> {
        let (sections, lists) = (self.paths.of(doc), Lists::new(doc));
        let mut sayings: Vec<Saying> = Vec::new();
        for bullet in doc.bullets() {
            let parent = bullet.parent().and_then(|parent| sayings.get(parent.index())).copied();
            let block = bullet.block().map(|block| block.id());
            let label = bullet.label().map(|label| fold_name(label.name()));
            let checkbox = bullet.checkbox().map(str::to_lowercase);
            let content = folded(&bullet.content());
            let mut said = |parent: Option<usize>, tags: &[String], number: Option<&str>| {
                let fit = self.number(format!("{:?}", (block, &label, &checkbox, parent, tags, number)));
                (fit, self.number(format!("{fit} {content}")))
            };
            let all = tags(bullet.tags());
            let free = tags(bullet.tags().into_iter().filter(|tag| !doc.policy().protects(tag)).collect());
            let number = lists.said_number(bullet);
            let is_ordered = bullet.marker().starts_with(|c: char| c.is_ascii_digit());
            let marker = is_ordered.then(|| bullet.marker());
            let (fit, whole) = said(parent.map(|parent| parent.whole), &all, number);
            let (_, unprotected) = said(parent.map(|parent| parent.unprotected), &free, number);
            let (_, marked) = said(parent.map(|parent| parent.marked), &all, marker);
            let is_step = number.is_none() && is_ordered;
            let section = bullet.section().and_then(|section| sections.get(section.index()).copied());
            sayings.push(Saying { fit, whole, unprotected, marked, is_step, section });
        }
        sayings
    }

    /// Returns the bullets of a document outside reserved sections.
    fn bullets(&mut self, doc: &'a MemoryDoc) -> Vec<Entry<BulletRef<'a>>> {
        let sayings = self.read(doc);
        let entry = |node: BulletRef<'a>| Some(Entry { node, saying: *sayings.get(node.index())? });
        free_bullets(doc).filter_map(entry).collect()
    }

    /// Returns the lines of a document that belong to no bullet, blank ones left out.
    fn lines(&mut self, doc: &'a MemoryDoc) -> Vec<Entry<Span>> {
        let sections = self.paths.of(doc);
        let is_free = |line: &Span| {
            let (text, start) = (line.of(doc.text()), line.start());
            !is_blank(text) && doc.bullet_at(start).is_none() && doc.reserved_section_at(start).is_none()
        };
        let entry = |node: Span| {
            let whole = self.number(said_by_line(doc, node).to_owned());
            let section = doc.section_at(node.start()).and_then(|section| sections.get(section.index()).copied());
            let saying = Saying { fit: 0, whole, unprotected: whole, marked: whole, is_step: false, section };
            Entry { node, saying }
        };
        Lines::of(doc.text()).map(|line| line.text).filter(is_free).map(entry).collect()
    }
}

/// Returns what a line says that belongs to no bullet: in code its indentation counts.
fn said_by_line(doc: &MemoryDoc, line: Span) -> &str {
    let text = line.of(doc.text());
    if doc.outline().is_fenced(line.start()) { text.trim_end() } else { text.trim() }
}

/// Returns tags as they are compared: sorted, attributes as `name: value`.
fn tags(tags: Vec<&str>) -> Vec<String> {
    let written = |tag: &str| match attribute(tag) {
        Some((name, value)) => format!("{}: {value}", name.to_lowercase()),
        None => tag.to_owned(),
    };
    let mut tags: Vec<String> = tags.into_iter().map(written).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

/// Which new entry stands for which old one as a whole.
struct Pairs {
    /// Of each old entry the index of the new one.
    found: Vec<Option<usize>>,
    /// Of each new entry whether it stands for an old one.
    is_used: Vec<bool>,
}

impl Pairs {
    /// Pairs what says the same in the same section, then what says the same where the section of the old entry is gone or that of
    /// the new one was added.
    fn of<N>(
        olds: &[Entry<N>],
        news: &[Entry<N>],
        is_gone: &dyn Fn(&Saying) -> bool,
        is_added: &dyn Fn(&Saying) -> bool,
    ) -> Self {
        let mut pairs = Self { found: vec![None; olds.len()], is_used: vec![false; news.len()] };
        let marked = |saying: &Saying| Some((saying.marked, saying.section));
        pairs.add(olds, news, &marked, &marked);
        let whole = |saying: &Saying| Some((saying.whole, saying.section));
        pairs.add(olds, news, &whole, &whole);
        // Those whose section stays have less to choose from, and choose first.
        for (of_gone, of_added) in [(false, true), (true, false), (true, true)] {
            let old_key = |old: &Saying| (is_gone(old) == of_gone).then_some((old.whole, None));
            let new_key = |new: &Saying| (is_added(new) == of_added).then_some((new.whole, None));
            pairs.add(olds, news, &old_key, &new_key);
        }
        pairs
    }

    /// Pairs the entries of equal keys that are left, in their order.
    fn add<N>(
        &mut self,
        olds: &[Entry<N>],
        news: &[Entry<N>],
        old_key: &dyn Fn(&Saying) -> Option<Key>,
        new_key: &dyn Fn(&Saying) -> Option<Key>,
    ) {
        let mut pool: HashMap<Key, Vec<usize>> = HashMap::new();
        for (index, new) in news.iter().enumerate().rev().filter(|(index, _)| self.is_used.get(*index) == Some(&false))
        {
            if let Some(key) = new_key(&new.saying) {
                pool.entry(key).or_default().push(index);
            }
        }
        for (old, found) in olds.iter().zip(&mut self.found).filter(|(_, found)| found.is_none()) {
            *found = old_key(&old.saying).and_then(|key| pool.get_mut(&key)?.pop());
            if let Some(is_used) = found.and_then(|index| self.is_used.get_mut(index)) {
                *is_used = true;
            }
        }
    }

    /// Iterates over the new entries that stand for no old one.
    fn unused<N: Copy>(&self, news: &[Entry<N>]) -> impl Iterator<Item = N> {
        news.iter().zip(&self.is_used).filter(|(_, is_used)| !**is_used).map(|(entry, _)| entry.node)
    }
}

/// What two entries have in common of which one stands for the other: what they say, and where, if that matters.
type Key = (usize, Option<usize>);

/// How many pieces between `;` an old content has at most that a new bullet may hold among others.
const PIECES: usize = 16;

/// Finds the new bullets that consist, split at `;`, of contents of old bullets that nothing else stands for.
fn merge<'a>(
    olds: &[Entry<BulletRef<'a>>],
    news: &[Entry<BulletRef<'a>>],
    outcomes: &mut [Option<(BulletOutcome, BulletRef<'a>)>],
    is_used: &mut [bool],
) {
    // By what a bullet must fit, its section, and the pieces, joined by `;`.
    let mut contents: HashMap<(usize, Option<usize>, String), usize> = HashMap::new();
    for (index, old) in olds.iter().enumerate().filter(|(index, _)| outcomes.get(*index).is_some_and(Option::is_none)) {
        let pieces = split(&old.node.content());
        if pieces.len() <= PIECES {
            contents.entry((old.saying.fit, old.saying.section, pieces.join(";"))).or_insert(index);
        }
    }
    for (new, is_used) in news.iter().zip(is_used).filter(|(_, is_used)| !**is_used) {
        let content = new.node.content();
        let pieces = if content.contains(';') { split(&content) } else { continue };
        let (mut rest, mut taken) = (pieces.as_slice(), Vec::new());
        while let Some((length, content)) = (1..=rest.len().min(PIECES)).rev().find_map(|length| {
            let run = rest.get(..length)?.join(";");
            Some((length, contents.remove_entry(&(new.saying.fit, new.saying.section, run))?))
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
            if let Some(outcome) = outcomes.get_mut(index) {
                *outcome = Some((BulletOutcome::Merged, new.node));
            }
        }
    }
}

/// Returns the pieces of a content between `;`, folded; a last one that is empty is none.
fn split(content: &str) -> Vec<String> {
    let mut pieces: Vec<String> = content.split(';').map(folded).collect();
    if pieces.len() > 1 && pieces.last().is_some_and(String::is_empty) {
        pieces.pop();
    }
    pieces
}
