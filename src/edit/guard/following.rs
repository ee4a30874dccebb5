//! What is neither written nor named belongs to what it belonged to: a line to its bullet, a bullet to its block, both to their section.
//!
//! Behind each splice the lines are followed to where both texts are in step again: at a heading, a block line, or a bullet that is
//! nested in none.

use super::super::carry::Carry;
use super::super::{Draft, Flaw, Node};
use super::heirs::Heirs;
use super::nodes::Nesting;
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::text::{Lines, Span, is_blank};

/// Finds text behind a splice that would belong to another bullet, block or section than before, or to none, though it is not written.
///
/// Where lines may be written that nest bullets anew, this holds for what is not named by the request: it goes on with its bullet, or
/// with the [heir](Heirs) of that. It may come to a heading that is written, and from no block to a block line, if the line right below
/// that is named, or if that is written over a line of prose.
pub(super) fn check(draft: &Draft<'_>, nesting: Nesting) -> Option<Flaw> {
    let splices: Vec<_> = draft.splices().map(|(gone, come, _)| (gone, come)).collect();
    let mut following =
        Following { draft, carry: Carry::of(draft), heirs: Heirs::new(draft), nesting, joined: [None; 2] };
    splices.iter().enumerate().find_map(|(nth, splice)| {
        let end = splices.get(nth + 1).map_or(draft.old.text().len(), |(next, _)| next.start());
        following.behind(*splice, end)
    })
}

/// What a line belonged to and what it comes to, by where their headings or block lines start.
type Change = (Option<usize>, Option<usize>);

/// What belongs to what in both texts.
struct Following<'a> {
    draft: &'a Draft<'a>,
    carry: Carry<'a>,
    heirs: Heirs<'a>,
    nesting: Nesting,
    /// The section, and the block, that what follows has come to with its first line, which is named, or below a title.
    joined: [Option<Change>; 2],
}

impl<'a> Following<'a> {
    /// Looks at the lines behind a splice, up to where the next begins.
    fn behind(&mut self, splice: (Span, Span), end: usize) -> Option<Flaw> {
        let (text, table) = (self.draft.old.text(), self.draft.old.lines());
        let below = splice.0.end().checked_sub(1).map_or(0, |last| table.index_at(last) + 1);
        // The next may begin on the same line.
        let next = table.start(below).max(splice.0.end()).min(end);
        let lines = Lines::within(text, Span::new(next, end)).filter(|line| !is_blank(line.text.of(text)));
        let mut is_first = true;
        for line in lines.map(|line| line.full.start()) {
            let Some(after) = self.carry.survivor(line) else { continue };
            let is_named = self.nesting == Nesting::Free && is_in(self.draft.edit.named(), line);
            let changes = self.changes(line, after);
            let is_first = std::mem::take(&mut is_first);
            if is_first && (is_named || self.is_retitled(splice)) {
                self.join(changes, after);
            }
            let keeps_home =
                changes.iter().zip(&self.joined).all(|(change, joined)| change.is_none() || change == joined);
            let is_kept = is_named || (keeps_home && self.keeps_owner([line, after]));
            if !is_kept {
                return Some(self.flaw(changes, self.draft.new.line_number(after)));
            }
            let is_home = changes == [None; 2];
            if self.nesting == Nesting::Kept || (!is_named && is_home && self.is_in_step(line, after)) {
                break;
            }
        }
        None
    }

    /// Tells of a line that comes to another section or block, or to another bullet.
    fn flaw(&self, [section, block]: [Option<Change>; 2], line: usize) -> Flaw {
        let is_written = |(_, head): Change| head.is_some_and(|head| is_in(&self.draft.written, head));
        match (section, block) {
            (Some(change), _) if is_written(change) => Flaw::Taken(Node::Heading, line),
            (Some(_), _) => Flaw::Unmade(line),
            (None, Some(change)) if is_written(change) => Flaw::Taken(Node::Block, line),
            _ => Flaw::Adopted(line),
        }
    }

    /// Reports whether one line is written over another that is neither bullet nor heading nor block line: a title of what follows, maybe.
    fn is_retitled(&self, (gone, come): (Span, Span)) -> bool {
        let only = |doc: &MemoryDoc, span: Span| {
            let mut lines = Lines::within(doc.text(), span).filter(|line| !is_blank(line.text.of(doc.text())));
            lines.next().filter(|_| lines.next().is_none()).map(|line| line.full.start())
        };
        let doc = self.draft.old;
        let is_prose = |at: usize| doc.bullet_at(at).is_none() && begins(doc, at) == [false; 3];
        only(doc, gone).is_some_and(is_prose) && only(&self.draft.new, come).is_some()
    }

    /// Lets what follows come to the section, and from none to the block, whose lines are written right above a place.
    fn join(&mut self, [section, block]: [Option<Change>; 2], at: usize) {
        let doc = &self.draft.new;
        let is_right_below = |change: &Change| {
            change.1.is_some_and(|head| {
                let end = doc.lines().line(doc.text(), doc.lines().index_at(head)).full.end();
                is_in(&self.draft.written, head) && is_blank(Span::new(end.min(at), at).of(doc.text()))
            })
        };
        let block = block.filter(|change| change.0.is_none());
        for (joined, change) in self.joined.iter_mut().zip([section, block]) {
            *joined = change.filter(is_right_below).or(*joined);
        }
    }

    /// Reports whether what follows a line is the same in both texts.
    fn is_in_step(&self, line: usize, after: usize) -> bool {
        begins(self.draft.old, line).into_iter().zip(begins(&self.draft.new, after)).any(|(old, new)| old && new)
    }

    /// Reports whether a line, which stands at these places of both texts, belongs to the bullet that it belonged to.
    fn keeps_owner(&self, [line, after]: [usize; 2]) -> bool {
        let is_free = self.nesting == Nesting::Free;
        fn owner(doc: &MemoryDoc, at: usize, is_free: bool) -> Option<BulletRef<'_>> {
            let bullet = doc.bullet_at(at)?;
            if is_free && bullet.line.contains(at) { bullet.parent() } else { Some(bullet) }
        }
        let (old, new) = (owner(self.draft.old, line, is_free), owner(&self.draft.new, after, is_free));
        let Some(old) = old else { return new.is_none() };
        match self.carry.survivor(old.marker.start()) {
            Some(start) => new.is_some_and(|new| new.marker.start() == start),
            None => !is_free || new.is_some_and(|new| self.heirs.of_bullet(old, new)),
        }
    }

    /// Returns the section and the block that a line, which stands at these places of both texts, does not keep.
    ///
    /// Where a heading goes with nothing in its place, what follows comes to the section above, as it is written.
    fn changes(&self, line: usize, after: usize) -> [Option<Change>; 2] {
        let (old, new) = (home(self.draft.old, line), home(&self.draft.new, after));
        let keeps_section = match (old, new) {
            (Some(old), Some(new)) => self.heirs.of_section(old, new),
            _ => old.is_none() && new.is_none(),
        };
        let is_written = new.is_some_and(|new| is_in(&self.draft.written, new.line.start()))
            || old.is_some_and(|old| self.is_unmade(old));
        let (own, its) = (self.draft.old.block_at(line), self.draft.new.block_at(after));
        // What belongs to a heading goes on with it, be it a block or not.
        let stays = |block: BlockRef<'_>, section: Option<SectionRef<'_>>| {
            keeps_section && section.is_some_and(|section| section.line.start() == block.line.start())
        };
        let keeps_block = match (own, its) {
            (Some(own), Some(its)) => self.heirs.of_block(own, its),
            (Some(own), None) => stays(own, old),
            (None, Some(its)) => stays(its, new),
            (None, None) => true,
        };
        let section = (old.map(|old| old.line.start()), new.map(|new| new.line.start()));
        let block = (own.map(|own| own.line.start()), its.map(|its| its.line.start()));
        [(!keeps_section && is_written).then_some(section), (!keeps_block).then_some(block)]
    }

    /// Reports whether text is written in the place of a section's heading that nothing requires.
    fn is_unmade(&self, section: SectionRef<'_>) -> bool {
        let is_required = || self.draft.old.policy().required_sections.iter().any(|title| *title == section.title());
        let text = self.carry.replacement(section.line.start()).map(|come| come.of(self.draft.new.text()));
        text.is_some_and(|text| !is_blank(text)) && !is_required()
    }
}

/// Reports whether a section, a block, a bullet that is nested in none begins on the line at a place.
fn begins(doc: &MemoryDoc, at: usize) -> [bool; 3] {
    [
        doc.section_at(at).is_some_and(|section| section.line.start() == at),
        doc.block_at(at).is_some_and(|block| block.line.start() == at),
        doc.bullet_at(at).is_some_and(|bullet| bullet.line.start() == at && bullet.depth() == 0),
    ]
}

/// Returns the section that a line belongs to: a heading to the section that its own is part of.
fn home(doc: &MemoryDoc, at: usize) -> Option<SectionRef<'_>> {
    let section = doc.section_at(at)?;
    if section.line.start() == at { section.parent() } else { Some(section) }
}

/// Reports whether one of `spans`, which are sorted, holds a place.
fn is_in(spans: &[Span], at: usize) -> bool {
    spans.get(spans.partition_point(|span| span.end() <= at)).is_some_and(|span| span.contains(at))
}
