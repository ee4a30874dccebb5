//! The ledger: what became of each bullet, and of each other line, of a text in another one.
//!
//! A new bullet *fits* an old one if it has the same checkbox, tags, block, label and parents, and the same number in a list
//! that does not count. A bullet that keeps its number fits too where its list has come to count, or counts no more. It stands for an old one that it fits if its content is the same, or if its content consists, split at
//! `;`, of contents of old bullets and of nothing else. It does so in the same section, or in another one if the old section
//! is gone or the new one was not there before: a fact that goes from `Anna` to `Bob` is another fact. Each new bullet is
//! counted once; old bullets that are equal in all of this need one.

use std::collections::{HashMap, HashSet};

use crate::document::{BulletRef, MemoryDoc, Paths, SectionRef, attribute, fold_said};
use crate::edit::compose::Lists;
use crate::text::{Lines, Span, Timestamp, fold_name, fold_signs, is_blank};

/// What became of an old bullet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fate<'a> {
    /// This bullet, in the same section, stands for it.
    Kept(BulletRef<'a>),
    /// This bullet, in another section, stands for it.
    Moved(BulletRef<'a>),
    /// This bullet has its content between `;`, or stands for an equal one.
    Merged(BulletRef<'a>),
    /// It had expired, and nothing stands for it.
    Expired,
    /// Nothing stands for it.
    Gone,
}

/// An old bullet and its fate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account<'a> {
    pub(super) bullet: BulletRef<'a>,
    pub(super) fate: Fate<'a>,
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
    /// What each bullet of the old text says, and of the new one.
    pub(super) before: Vec<Reading>,
    pub(super) after: Vec<Reading>,
}

impl<'a> Ledger<'a> {
    pub(super) fn of(old: &'a MemoryDoc, new: &'a MemoryDoc, now: Timestamp) -> Self {
        let mut sayings = Sayings::default();
        let (before, after) = (sayings.read(old), sayings.read(new));
        let shared = Shared::of(&mut sayings.paths, old, new);
        let (olds, news) = (entries(old, &before), entries(new, &after));
        let found = matches(&olds, &news, &shared);
        let mut is_used = vec![false; news.len()];
        let mut fates: Vec<Option<Fate<'a>>> = vec![None; olds.len()];
        for (fate, found) in fates.iter_mut().zip(&found) {
            let Some(Match { index, is_moved }) = *found else { continue };
            if let (Some(entry), Some(is_used)) = (news.get(index), is_used.get_mut(index)) {
                *is_used = true;
                *fate = Some(if is_moved { Fate::Moved(entry.node) } else { Fate::Kept(entry.node) });
            }
        }
        merge(&olds, &news, &mut fates, &mut is_used);
        let mut firsts: HashMap<(usize, Option<usize>), Fate<'a>> = HashMap::new();
        for (entry, fate) in olds.iter().zip(&fates) {
            if let Some(Fate::Kept(now) | Fate::Moved(now) | Fate::Merged(now)) = fate {
                firsts.entry((entry.saying.unprotected, entry.section)).or_insert(Fate::Merged(*now));
            }
        }
        let accounts = olds.iter().zip(fates).map(|(entry, fate)| {
            let equal =
                || firsts.get(&(entry.saying.unprotected, entry.section)).copied().filter(|_| !entry.saying.is_step);
            let end = if entry.node.is_expired(now) { Fate::Expired } else { Fate::Gone };
            Account { bullet: entry.node, fate: fate.or_else(equal).unwrap_or(end) }
        });
        let added = news.iter().zip(&is_used).filter(|(_, used)| !**used).map(|(entry, _)| entry.node);
        let (lines, new_lines) = (sayings.lines(old), sayings.lines(new));
        let found = matches(&lines, &new_lines, &shared);
        let there: HashSet<usize> = found.iter().flatten().map(|found| found.index).collect();
        let lines_gone = lines.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(line, _)| line.node);
        let lines_added = new_lines.iter().enumerate().filter(|(index, _)| !there.contains(index));
        Self {
            accounts: accounts.collect(),
            added: added.collect(),
            lines_gone: lines_gone.collect(),
            lines_added: lines_added.map(|(_, line)| line.node).collect(),
            before,
            after,
        }
    }
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
fn folded(text: &str) -> String {
    let plain: String = fold_signs(text).collect();
    let plain = fold_said(&plain);
    let plain = plain.strip_suffix('.').filter(|rest| !rest.ends_with('.')).unwrap_or(&plain);
    let mut rest = plain.chars();
    let first: String = rest.next().into_iter().flat_map(char::to_lowercase).collect();
    [&first, rest.as_str()].concat()
}

/// What a bullet says and of what, as numbers: equal for equal ones, in any text that was read by the same [`Sayings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Saying {
    /// All that a bullet must have in common with one that fits it.
    pub(super) fit: usize,
    /// That and the content.
    pub(super) whole: usize,
    /// The same without protected tags.
    pub(super) unprotected: usize,
    /// The same as `whole`, with the number of each ordered bullet, in a list that counts too.
    pub(super) marked: usize,
    /// Whether the bullet is a step: an item of a list that counts, of which none repeats another.
    pub(super) is_step: bool,
}

impl Saying {
    /// Returns the saying of what has this number and nothing that must fit.
    const fn of_line(number: usize) -> Self {
        Self { fit: 0, whole: number, unprotected: number, marked: number, is_step: false }
    }
}

/// All that two bullets that fit have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Fit<'a> {
    block: Option<&'a str>,
    label: Option<String>,
    /// The whole saying of the parent.
    parent: Option<usize>,
    checkbox: Option<String>,
    /// Sorted.
    tags: Vec<String>,
    number: Option<&'a str>,
}

/// Numbers for what bullets say.
pub(super) struct Sayings<'a> {
    paths: Paths<'a>,
    fits: HashMap<Fit<'a>, usize>,
    wholes: HashMap<(usize, String), usize>,
    lines: HashMap<&'a str, usize>,
}

impl Default for Sayings<'_> {
    fn default() -> Self {
        Self {
            paths: Paths::new(|title| fold_name(title).into()),
            fits: HashMap::new(),
            wholes: HashMap::new(),
            lines: HashMap::new(),
        }
    }
}

impl<'a> Sayings<'a> {
    /// Returns what each bullet of a document says.
    pub(super) fn read(&mut self, doc: &'a MemoryDoc) -> Vec<Reading> {
        let sections = self.paths.of(doc);
        let lists = Lists::new(doc);
        let mut readings: Vec<Reading> = Vec::new();
        for bullet in doc.bullets() {
            let parent = bullet.parent().and_then(|parent| readings.get(parent.index()));
            let number = lists.said_number(bullet);
            let fit = Fit {
                block: bullet.block().map(|block| block.id()),
                label: bullet.label().map(|label| fold_name(label.name())),
                parent: parent.map(|parent| parent.saying.whole),
                checkbox: bullet.checkbox().map(str::to_lowercase),
                tags: tags(bullet.tags()),
                number,
            };
            let free = bullet.tags().into_iter().filter(|tag| !doc.policy().protects(tag)).collect();
            let unprotected =
                Fit { tags: tags(free), parent: parent.map(|parent| parent.saying.unprotected), ..fit.clone() };
            let is_ordered = bullet.marker().starts_with(|c: char| c.is_ascii_digit());
            let marked = Fit {
                number: is_ordered.then(|| bullet.marker()),
                parent: parent.map(|parent| parent.saying.marked),
                ..fit.clone()
            };
            let content = folded(&bullet.content());
            let mut number_of = |fit: Fit<'a>| {
                let (next, next_whole) = (self.fits.len(), self.wholes.len());
                let fit = *self.fits.entry(fit).or_insert(next);
                (fit, *self.wholes.entry((fit, content.clone())).or_insert(next_whole))
            };
            let ((fit, whole), (_, unprotected)) = (number_of(fit), number_of(unprotected));
            let (_, marked) = number_of(marked);
            let is_step = number.is_none() && is_ordered;
            let section = bullet.section().and_then(|section| sections.get(section.index()).copied());
            readings.push(Reading { saying: Saying { fit, whole, unprotected, marked, is_step }, section });
        }
        readings
    }

    /// Returns the lines of a document that belong to no bullet, blank ones left out.
    fn lines(&mut self, doc: &'a MemoryDoc) -> Vec<Entry<Span>> {
        let sections = self.paths.of(doc);
        let mut lines = Vec::new();
        for line in Lines::of(doc.text()).map(|line| line.text) {
            let (start, next) = (line.start(), self.lines.len());
            if is_blank(line.of(doc.text()))
                || doc.bullet_at(start).is_some()
                || doc.reserved_section_at(start).is_some()
            {
                continue;
            }
            let number = *self.lines.entry(said_by_line(doc, line)).or_insert(next);
            let section = doc.section_at(start).and_then(|section| sections.get(section.index()).copied());
            lines.push(Entry { node: line, saying: Saying::of_line(number), section });
        }
        lines
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

/// What a bullet says, and the number of the path of its section.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) saying: Saying,
    pub(super) section: Option<usize>,
}

/// A bullet or line with its reading.
struct Entry<N> {
    node: N,
    saying: Saying,
    section: Option<usize>,
}

fn entries<'a>(doc: &'a MemoryDoc, readings: &[Reading]) -> Vec<Entry<BulletRef<'a>>> {
    let read = |node: BulletRef<'a>| {
        let Reading { saying, section } = *readings.get(node.index())?;
        Some(Entry { node, saying, section })
    };
    free_bullets(doc).filter_map(read).collect()
}

/// The sections of both texts, by the numbers of their paths. Outside of all sections is one of both.
struct Shared {
    old: HashSet<usize>,
    new: HashSet<usize>,
}

impl Shared {
    fn of<'a>(paths: &mut Paths<'a>, old: &'a MemoryDoc, new: &'a MemoryDoc) -> Self {
        Self { old: paths.of(old).into_iter().collect(), new: paths.of(new).into_iter().collect() }
    }

    /// Returns true if the section of the old text is not in the new one.
    fn is_gone(&self, section: Option<usize>) -> bool {
        section.is_some_and(|section| !self.new.contains(&section))
    }

    /// Returns true if the section of the new text is not in the old one.
    fn is_added(&self, section: Option<usize>) -> bool {
        section.is_some_and(|section| !self.old.contains(&section))
    }
}

/// The new entry that stands for an old one.
#[derive(Clone, Copy)]
struct Match {
    index: usize,
    is_moved: bool,
}

/// Finds for each old entry a new one that says the same: in the same section, else in another where its own is gone or the
/// other is new. Each new one is found once.
fn matches<N>(olds: &[Entry<N>], news: &[Entry<N>], shared: &Shared) -> Vec<Option<Match>> {
    let mut found: Vec<Option<Match>> = olds.iter().map(|_| None).collect();
    let mut left: Vec<usize> = (0..news.len()).rev().collect();
    for says in [|saying: &Saying| saying.marked, |saying: &Saying| saying.whole] {
        // The new ones by what they say and where, the first last.
        let mut here: HashMap<(usize, Option<usize>), Vec<usize>> = HashMap::new();
        for (index, entry) in left.into_iter().filter_map(|index| Some((index, news.get(index)?))) {
            here.entry((says(&entry.saying), entry.section)).or_default().push(index);
        }
        for (entry, found) in olds.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let index = here.get_mut(&(says(&entry.saying), entry.section)).and_then(Vec::pop);
            *found = index.map(|index| Match { index, is_moved: false });
        }
        left = here.into_values().flatten().collect();
        left.sort_unstable_by(|a, b| b.cmp(a));
    }
    let (mut in_added, mut elsewhere): (HashMap<usize, Vec<usize>>, HashMap<usize, Vec<usize>>) = Default::default();
    for index in left {
        let Some(entry) = news.get(index) else { continue };
        let pool = if shared.is_added(entry.section) { &mut in_added } else { &mut elsewhere };
        pool.entry(entry.saying.whole).or_default().push(index);
    }
    // Those whose section stays have less to choose from, and choose first.
    for is_gone in [false, true] {
        for (entry, found) in olds.iter().zip(&mut found) {
            if found.is_some() || shared.is_gone(entry.section) != is_gone {
                continue;
            }
            let take = |pool: &mut HashMap<usize, Vec<usize>>| pool.get_mut(&entry.saying.whole)?.pop();
            let index =
                if is_gone { take(&mut elsewhere).or_else(|| take(&mut in_added)) } else { take(&mut in_added) };
            *found = index.map(|index| Match { index, is_moved: true });
        }
    }
    found
}

/// Finds the new bullets that consist, split at `;`, of contents of old bullets that nothing else stands for.
fn merge<'a>(
    olds: &[Entry<BulletRef<'a>>],
    news: &[Entry<BulletRef<'a>>],
    fates: &mut [Option<Fate<'a>>],
    is_used: &mut [bool],
) {
    let mut pieces = Pieces::default();
    for (index, entry) in olds.iter().enumerate() {
        if fates.get(index).is_some_and(Option::is_none) {
            pieces.add(entry, index);
        }
    }
    for (entry, is_used) in news.iter().zip(is_used).filter(|(_, is_used)| !**is_used) {
        let content = entry.node.content();
        let Some(members) = Some(&content).filter(|content| content.contains(';')).and_then(|_| pieces.take(entry))
        else {
            continue;
        };
        *is_used = true;
        for member in members {
            if let Some(fate) = fates.get_mut(member) {
                *fate = Some(Fate::Merged(entry.node));
            }
        }
    }
}

/// How many pieces between `;` an old content has at most that a new bullet may hold among others.
const PIECES: usize = 16;

/// Contents of old bullets that no new bullet holds yet, by what a bullet must fit, its section, and the pieces, joined by `;`.
#[derive(Default)]
struct Pieces {
    contents: HashMap<(usize, Option<usize>, String), usize>,
}

impl Pieces {
    fn add(&mut self, entry: &Entry<BulletRef<'_>>, index: usize) {
        let pieces = split(&entry.node.content());
        if pieces.len() <= PIECES {
            self.contents.entry((entry.saying.fit, entry.section, pieces.join(";"))).or_insert(index);
        }
    }

    /// Takes the old bullets of which a new one consists; `None` if it consists of anything else.
    fn take(&mut self, entry: &Entry<BulletRef<'_>>) -> Option<Vec<usize>> {
        let pieces = split(&entry.node.content());
        let mut rest = pieces.as_slice();
        let mut taken = Vec::new();
        while !rest.is_empty() {
            let longest = (1..=rest.len().min(PIECES)).rev().find_map(|length| {
                let run = rest.get(..length)?.join(";");
                Some((length, self.contents.remove_entry(&(entry.saying.fit, entry.section, run))?))
            });
            let Some((length, content)) = longest else {
                self.contents.extend(taken);
                return None;
            };
            taken.push(content);
            rest = rest.get(length..)?;
        }
        Some(taken.into_iter().map(|(_, index)| index).collect())
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
