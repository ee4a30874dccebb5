//! What a line belongs to, and whether lines that others have written keep it.

use std::collections::HashMap;
use std::hash::Hash;

use super::carry::Carry;
use super::splice::Edit;
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::text::{Line, Lines, Span, is_blank};

/// How many of the bullets that a line is nested in tell what it belongs to, innermost first.
const PARENTS: usize = 4;

/// The section, the block and the bullet that a line is in; a line that begins one of them is not in it, but in the next above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owners<'a> {
    section: Option<SectionRef<'a>>,
    block: Option<BlockRef<'a>>,
    bullet: Option<BulletRef<'a>>,
}

impl<'a> Owners<'a> {
    /// Returns those of the line that starts at `at`.
    pub(crate) fn of(doc: &'a MemoryDoc, at: usize) -> Self {
        let section = doc.section_at(at);
        let bullet = doc.bullet_at(at);
        Self {
            section: section.filter(|own| own.line.start() != at).or_else(|| section.and_then(SectionRef::parent)),
            block: doc.block_at(at).filter(|own| own.line.start() != at),
            bullet: bullet.filter(|own| own.line.start() != at).or_else(|| bullet.and_then(BulletRef::parent)),
        }
    }

    /// Returns the section, the block, the bullet, each if it is wanted.
    fn only(self, [section, block, bullet]: [bool; 3]) -> Self {
        Self {
            section: self.section.filter(|_| section),
            block: self.block.filter(|_| block),
            bullet: self.bullet.filter(|_| bullet),
        }
    }

    /// Returns where the line of the innermost starts.
    pub(crate) fn innermost(self) -> Option<usize> {
        let bullet = self.bullet.map(|bullet| bullet.line.start());
        let block = self.block.map(|block| block.line.start());
        bullet.max(block).max(self.section.map(|section| section.line.start()))
    }

    /// Returns where they begin.
    pub(crate) fn starts(self) -> [Option<usize>; 3] {
        [
            self.section.map(|section| section.line.start()),
            self.block.map(|block| block.line.start()),
            self.bullet.map(|bullet| bullet.marker.start()),
        ]
    }
}

/// What owners of lines are called, compared for many lines: two of them are once, however many lines they own.
#[derive(Debug)]
pub(crate) struct Namesakes<'a> {
    reach: Reach,
    sections: HashMap<(SectionRef<'a>, SectionRef<'a>), bool>,
    blocks: HashMap<(BlockRef<'a>, BlockRef<'a>), bool>,
    bullets: HashMap<(BulletRef<'a>, BulletRef<'a>), bool>,
}

/// How far out owners count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The nearest, by their titles and what they say.
    Nearest,
    /// All sections and the ID of the block, and the bullets around, innermost first, as far as they tell anything.
    Around,
}

impl<'a> Namesakes<'a> {
    pub(crate) fn new(reach: Reach) -> Self {
        Self { reach, sections: HashMap::new(), blocks: HashMap::new(), bullets: HashMap::new() }
    }

    /// Reports whether these are called the same.
    pub(crate) fn are(&mut self, one: Owners<'a>, other: Owners<'a>) -> bool {
        let is_near = self.reach == Reach::Nearest;
        let sections = self.are_sections(one.section, other.section);
        let blocks = known(&mut self.blocks, (one.block, other.block), |one, other| match is_near {
            true => one.title() == other.title(),
            false => one.id() == other.id(),
        });
        let counted = if is_near { 1 } else { PARENTS };
        let around = |owners: Owners<'a>| owners.bullet.into_iter().flat_map(BulletRef::ancestors).take(counted);
        let (mut own, mut others) = (around(one), around(other));
        let mut bullets = std::iter::from_fn(|| Some((own.next(), others.next())).filter(|pair| *pair != (None, None)));
        let says = |one: BulletRef<'a>, other: BulletRef<'a>| one.content() == other.content();
        sections && blocks && bullets.all(|pair| known(&mut self.bullets, pair, says))
    }

    fn are_sections(&mut self, one: Option<SectionRef<'a>>, other: Option<SectionRef<'a>>) -> bool {
        let (Some(own), Some(others)) = (one, other) else { return one.is_none() && other.is_none() };
        if let Some(known) = self.sections.get(&(own, others)) {
            return *known;
        }
        let is_within_same = self.reach == Reach::Nearest || self.are_sections(own.parent(), others.parent());
        let is_same = is_within_same && own.title() == others.title();
        self.sections.insert((own, others), is_same);
        is_same
    }
}

/// Returns whether two are alike as it is known, or is found out by `is_alike` and known from then on.
fn known<T: Copy + Eq + Hash>(
    known: &mut HashMap<(T, T), bool>,
    pair: (Option<T>, Option<T>),
    is_alike: impl FnOnce(T, T) -> bool,
) -> bool {
    match pair {
        (Some(one), Some(other)) => *known.entry((one, other)).or_insert_with(|| is_alike(one, other)),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Finds a line of `now` that was not yet there in `seen`, and that `edit`, which makes `result` of `now`, leaves where it is, but takes
/// away from its section, its block or its bullet, or calls one of these something else: what the line says would be said of another
/// thing. What becomes code, or ceases to be, says another thing, too.
///
/// A line that was there, but has come to another of the three since, is looked at for that one: not even what it belonged to before
/// takes it back. Who makes both may call what they are in something else.
pub(crate) fn displaced(
    seen: &MemoryDoc,
    now: &MemoryDoc,
    edit: &Edit,
    result: &MemoryDoc,
    names: Naming,
) -> Option<Displaced> {
    let (text, carry) = (now.text(), Carry::new(edit));
    let since = Edit::between(seen, now);
    let mut namesakes = Namesakes::new(Reach::Nearest);
    let written =
        since.result_spans().into_iter().flat_map(|span| Lines::within(text, span)).map(|line| (line.text, [true; 3]));
    written.chain(taken_over(seen, now, &since)).find_map(|(whole, looked_at)| {
        let line = Span::new(whole.end() - whole.of(text).trim_start().len(), whole.end());
        let start = carry.survivor(line.start()).filter(|_| !is_blank(line.of(text)))?;
        let line_start = |doc: &MemoryDoc, at: usize| doc.lines().start(doc.lines().index_at(at));
        let before = Owners::of(now, line_start(now, line.start())).only(looked_at);
        let after = Owners::of(result, line_start(result, start)).only(looked_at);
        let mut starts = before.starts().into_iter().zip(after.starts());
        let is_renamed = names == Naming::Kept && !namesakes.are(before, after);
        let is_recoded = now.outline().is_fenced(line.start()) != result.outline().is_fenced(start);
        let is_displaced = is_renamed || is_recoded || starts.any(|(before, after)| !is_same(&carry, before, after));
        is_displaced.then(|| Displaced { line: whole, part: displacer(edit, now, [before, after].map(Owners::starts)) })
    })
}

/// Returns the lines that `since`, which makes `now` of `seen`, leaves, but that belong to another section, block or bullet by now, and
/// to which of these.
///
/// Behind each splice lines are followed to where both texts are in step again: to a heading, or a bullet that is nested in none, which
/// belongs to what it belonged to. From there on only headings may belong to another, where sections of other levels are open above.
fn taken_over(seen: &MemoryDoc, now: &MemoryDoc, since: &Edit) -> Vec<(Span, [bool; 3])> {
    let (carry, mut taken) = (Carry::new(since), Vec::new());
    // Notes the line, if it belongs to another, and reports whether what follows belongs to the same in both texts.
    let mut is_in_step = |line: usize| {
        let Some(start) = carry.survivor(line) else { return false };
        let own = Line::starting_at(now.text(), start).text;
        let ([section, block, bullet], now_in) = (Owners::of(seen, line).starts(), Owners::of(now, start).starts());
        let [in_section, in_block, in_bullet] = now_in;
        let pairs = [(section, in_section), (block, in_block), (bullet, in_bullet)];
        let changed = pairs.map(|(was, is)| !is_same(&carry, was, is));
        if changed != [false; 3] && !is_blank(own.of(now.text())) {
            taken.push((own, changed));
        }
        changed == [false; 3] && begins_anew(seen, line) && begins_anew(now, start)
    };
    let ends = since.splices().iter().skip(1).map(|splice| splice.span.start());
    for (splice, end) in since.splices().iter().zip(ends.chain([seen.text().len()])) {
        let lines = Lines::within(seen.text(), Span::new(splice.span.end(), end)).map(|line| line.full.start());
        let Some(step) = lines.filter(|line| *line >= splice.span.end()).find(|line| is_in_step(*line)) else {
            continue;
        };
        let sections = seen.outline().sections();
        let next = sections.partition_point(|section| section.line.start() <= step);
        let headings = sections.iter().skip(next).map(|section| section.line.start());
        for line in headings.take_while(|line| *line < end) {
            is_in_step(line);
        }
    }
    taken
}

/// Reports whether a section begins on the line at a place, or a bullet that is nested in none.
fn begins_anew(doc: &MemoryDoc, at: usize) -> bool {
    doc.section_at(at).is_some_and(|section| section.line.start() == at)
        || doc.bullet_at(at).is_some_and(|bullet| bullet.line.start() == at && bullet.depth() == 0)
}

/// A line that others have written, and which part of an edit takes it from what it was written in.
pub(crate) struct Displaced {
    pub(crate) line: Span,
    pub(crate) part: usize,
}

/// Returns the part of an edit that writes or takes away the lines of these owners, of the text before it or of the result: the first
/// part if none does.
fn displacer(edit: &Edit, doc: &MemoryDoc, [before, after]: [[Option<usize>; 3]; 2]) -> usize {
    let touched = |start: usize| {
        let line = doc.lines().line(doc.text(), doc.lines().index_at(start)).full;
        edit.splices().iter().position(|splice| splice.span.overlaps(line) || line.contains(splice.span.start()))
    };
    let written = |start: usize| edit.result_spans().iter().position(|span| span.contains(start));
    let nth = before.into_iter().flatten().find_map(touched).or_else(|| after.into_iter().flatten().find_map(written));
    nth.and_then(|nth| edit.splices().get(nth)).map_or(0, |splice| splice.part)
}

/// Whether what lines are in must be called as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// It must.
    Kept,
    /// It may be called anything.
    Free,
}

/// Reports whether an owner is the one that it was: it stands there still, or what replaces it does.
fn is_same(carry: &Carry<'_>, before: Option<usize>, after: Option<usize>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return before == after };
    if let Some(start) = carry.survivor(before) {
        return start == after;
    }
    carry.replacement(before).is_some_and(|written| written.contains(after))
}
