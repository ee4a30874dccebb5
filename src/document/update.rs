//! [`Outline::update`]: of a text that was changed, only what stands around the change is parsed.
//!
//! What a parser knows behind a heading is which sections are open, and how many nodes there are: a heading closes all bullets and
//! blocks, and stands in no fence. Before a block line, a bullet that is nested in no other, and a fence that is not indented it
//! knows also whether a block is open: each of them closes all bullets. So it can go on at the last of them above a change, and stop
//! at the first heading below it, if that is a heading still and the sections open there are of the levels that they were: what follows
//! is as it was, elsewhere.

use std::ops::Range;

use super::outline::{Block, Bullet, Fence, Link, Outline, Section};
use super::parse::{self, Open, Parser};
use crate::text::{Difference, Line, Span, narrow};

impl Outline {
    /// Returns the outline of `new`, which differs from the text of this one, `old`, in one place; and the sections around it, down
    /// from the line below a heading, outside of which all nodes are as they were.
    pub(super) fn update(&self, old: &str, new: &str, difference: Difference) -> (Self, Difference) {
        let updated = Update { outline: self, old, new, difference }.updated();
        updated.unwrap_or_else(|| (parse::parse(new), Difference::whole(old, new)))
    }
}

/// A change of a text, and the outline before it.
struct Update<'a> {
    outline: &'a Outline,
    old: &'a str,
    new: &'a str,
    difference: Difference,
}

impl Update<'_> {
    /// Parses what the change touches; `None` if that is the whole text.
    fn updated(&self) -> Option<(Outline, Difference)> {
        if !self.keeps_front_matter() {
            return None;
        }
        let start = self.body_above()?;
        let below = self.first_below();
        let (old_end, new_end) = match self.outline.sections.get(below) {
            Some(section) => (section.line.start(), self.difference.behind(section.line.start())),
            None => (self.old.len(), self.new.len()),
        };
        let parsed = Difference::new(start, old_end, new_end);
        let start = self.last_above(start);
        let mut parser = Parser::before(self.new, self.above(start), self.open_at(start));
        parser.lines(Span::new(start, new_end));
        let Some(heading) = self.outline.sections.get(below) else { return Some((parser.finish(), parsed)) };
        let (outline, open) = parser.until_heading(new_end, heading.level)?;
        Some((self.joined(outline, &open, below)?, parsed))
    }

    /// Reports whether the front matter, or that there is none, cannot be changed by this.
    fn keeps_front_matter(&self) -> bool {
        match self.outline.front_matter {
            Some(front) => front.end() <= self.difference.start() && self.ends_line(front),
            None => {
                let (before, after) = (parse::first_line(self.old), parse::first_line(self.new));
                before.0 == after.0
                    && before.0 <= self.difference.start()
                    && !parse::opens_front_matter(before.1)
                    && !parse::opens_front_matter(after.1)
            }
        }
    }

    /// Reports whether a line ends where `span` does.
    fn ends_line(&self, span: Span) -> bool {
        span.of(self.old).ends_with('\n')
    }

    /// Reports whether the change begins below a line.
    fn is_below(&self, line: Span) -> bool {
        line.end() <= self.difference.start() && self.ends_line(line)
    }

    /// Returns where the last heading that the change does not touch ends; without one, where the body starts.
    fn body_above(&self) -> Option<usize> {
        let sections = &self.outline.sections;
        let above = sections.partition_point(|section| section.line.end() <= self.difference.start());
        let Some(last) = above.checked_sub(1).and_then(|last| sections.get(last)) else {
            return Some(self.outline.body_start);
        };
        self.ends_line(last.line).then_some(last.line.end())
    }

    /// Returns the last place behind `start`, the end of a heading, and above the change, where nothing but sections and a block is
    /// open; `start`, if there is no other.
    fn last_above(&self, start: usize) -> usize {
        let change = self.difference.start();
        let blocks = before(&self.outline.blocks, change, |block| block.line.start());
        let block = blocks.iter().rev().map(|block| block.line).find(|line| self.is_below(*line));
        let bullets = before(&self.outline.bullets, change, |bullet| bullet.line.start());
        let mut outer = bullets.iter().rev().take_while(|bullet| bullet.line.start() >= start);
        let bullet = outer.find(|bullet| bullet.depth() == 0 && self.is_below(bullet.line)).map(|bullet| bullet.line);
        let fences = before(&self.outline.fences, change, |fence| fence.extent.start());
        let openings = fences.iter().rev().map(|fence| Line::starting_at(self.old, fence.extent.start()).full);
        let mut openings = openings.take_while(|line| line.start() >= start);
        let fence = openings.find(|line| line.of(self.old).starts_with(['`', '~']) && self.is_below(*line));
        let lines = [block, bullet, fence].into_iter().flatten();
        lines.map(Span::start).fold(start, usize::max)
    }

    /// Returns what stands before `start`.
    fn above(&self, start: usize) -> Outline {
        let outline = self.outline;
        Outline {
            front_matter: outline.front_matter,
            slots: outline.slots.clone(),
            body_start: outline.body_start,
            sections: taken(&outline.sections, start, |section| section.line.start()),
            blocks: taken(&outline.blocks, start, |block| block.line.start()),
            bullets: taken(&outline.bullets, start, |bullet| bullet.line.start()),
            fences: taken(&outline.fences, start, |fence| fence.extent.start()),
        }
    }

    /// Returns what is open before the line at `start`.
    fn open_at(&self, start: usize) -> Open {
        let sections = before(&self.outline.sections, start, |section| section.line.start()).len();
        let blocks = before(&self.outline.blocks, start, |block| block.line.start());
        let last = blocks.len().checked_sub(1);
        // One that the line ends is open before it.
        let is_open = blocks.last().is_some_and(|block| block.extent.end() >= start);
        Open { sections: self.chain(sections.checked_sub(1)), block: last.filter(|_| is_open) }
    }

    /// Returns the index of the first section that begins on a line below the change.
    fn first_below(&self) -> usize {
        self.outline.sections.partition_point(|section| section.line.start() <= self.difference.old().end())
    }

    /// Returns a section and those that it is a subsection of, outermost first.
    fn chain(&self, section: Option<usize>) -> Vec<usize> {
        let parent = |index: &usize| self.outline.sections.get(*index).and_then(|section| section.parent.index());
        let mut chain: Vec<_> = std::iter::successors(section, parent).collect();
        chain.reverse();
        chain
    }

    /// Adds what stands from section `below` on to what was parsed before it; `None` if it stands in other sections now.
    fn joined(&self, mut outline: Outline, open: &[usize], below: usize) -> Option<Outline> {
        let was_open = self.chain(self.outline.sections.get(below)?.parent.index());
        let level = |outline: &Outline, index: &usize| outline.sections.get(*index).map(|section| section.level);
        let levels = was_open.iter().map(|index| level(self.outline, index));
        if !levels.eq(open.iter().map(|index| level(&outline, index))) {
            return None;
        }
        for (was, is) in was_open.iter().zip(open) {
            let end = self.difference.behind(self.outline.sections.get(*was)?.extent.end());
            let section = outline.sections.get_mut(*is)?;
            section.extent = Span::new(section.line.start(), end);
        }
        let rest = Rest { outline: self.outline, below, distance: self.difference.distance() };
        rest.add_to(&mut outline, [&was_open, open]);
        Some(outline)
    }
}

/// What stands from a section on, below a change.
struct Rest<'a> {
    outline: &'a Outline,
    below: usize,
    /// How far it has moved.
    distance: u32,
}

impl Rest<'_> {
    /// Adds it to the outline of what stands above it. `open` are the sections that it stands in, before and after the change.
    fn add_to(&self, to: &mut Outline, open: [&[usize]; 2]) {
        let Some(first) = self.outline.sections.get(self.below) else { return };
        let start = first.line.start();
        let blocks = self.outline.blocks.partition_point(|block| block.line.start() < start);
        let fences = self.outline.fences.partition_point(|fence| fence.extent.start() < start);
        let bullets = first.bullets.start as usize;
        let numbers = Numbers {
            open,
            sections: Shift { from: self.below, to: to.sections.len() },
            blocks: Shift { from: blocks, to: to.blocks.len() },
            bullets: Shift { from: bullets, to: to.bullets.len() },
        };
        to.sections.extend(self.outline.sections.iter().skip(self.below).map(|node| self.section(node, &numbers)));
        to.blocks.extend(self.outline.blocks.iter().skip(blocks).map(|node| self.block(node, &numbers)));
        to.bullets.extend(self.outline.bullets.iter().skip(bullets).map(|node| self.bullet(node, &numbers)));
        let fence = |node: &Fence| Fence { extent: self.moved(node.extent), ..*node };
        to.fences.extend(self.outline.fences.iter().skip(fences).map(fence));
    }

    const fn moved(&self, span: Span) -> Span {
        span.moved(self.distance)
    }

    fn section(&self, node: &Section, numbers: &Numbers<'_>) -> Section {
        Section {
            line: self.moved(node.line),
            title: self.moved(node.title),
            body: self.moved(node.body),
            extent: self.moved(node.extent),
            level: node.level,
            parent: Link::to(node.parent.index().and_then(|parent| numbers.parent(parent))),
            block: numbers.blocks.link(node.block),
            bullets: numbers.bullets.range(&node.bullets),
        }
    }

    fn block(&self, node: &Block, numbers: &Numbers<'_>) -> Block {
        Block {
            line: self.moved(node.line),
            title: self.moved(node.title),
            id: self.moved(node.id),
            extent: self.moved(node.extent),
            is_section: node.is_section,
            section: numbers.sections.link(node.section),
            bullets: numbers.bullets.range(&node.bullets),
        }
    }

    fn bullet(&self, node: &Bullet, numbers: &Numbers<'_>) -> Bullet {
        Bullet {
            extent: self.moved(node.extent),
            line: self.moved(node.line),
            marker: self.moved(node.marker),
            content_start: node.content_start.wrapping_add(self.distance),
            depth: node.depth,
            parent: numbers.bullets.link(node.parent),
            section: numbers.sections.link(node.section),
            block: numbers.blocks.link(node.block),
        }
    }
}

/// What the nodes below a change are numbered by now.
struct Numbers<'a> {
    /// The sections that they stand in, before and after the change.
    open: [&'a [usize]; 2],
    sections: Shift,
    blocks: Shift,
    bullets: Shift,
}

impl Numbers<'_> {
    /// Returns the index of a section that another one is a subsection of.
    fn parent(&self, parent: usize) -> Option<usize> {
        let [was, is] = self.open;
        match was.iter().position(|open| *open == parent) {
            Some(nth) => is.get(nth).copied(),
            None => Some(self.sections.of(parent)),
        }
    }
}

/// Indexes that begin elsewhere.
#[derive(Clone, Copy)]
struct Shift {
    from: usize,
    to: usize,
}

impl Shift {
    const fn of(self, index: usize) -> usize {
        index - self.from + self.to
    }

    fn link(self, link: Link) -> Link {
        Link::to(link.index().map(|index| self.of(index)))
    }

    const fn range(self, range: &Range<u32>) -> Range<u32> {
        narrow(self.of(range.start as usize))..narrow(self.of(range.end as usize))
    }
}

/// Returns the nodes that start before `offset`.
fn before<T>(nodes: &[T], offset: usize, start: impl Fn(&T) -> usize) -> &[T] {
    nodes.get(..nodes.partition_point(|node| start(node) < offset)).unwrap_or(nodes)
}

/// Copies the nodes that start before `offset`, with room for about as many as there are in all.
fn taken<T: Clone>(nodes: &[T], offset: usize, start: impl Fn(&T) -> usize) -> Vec<T> {
    let mut taken = Vec::with_capacity(nodes.len() + 4);
    taken.extend_from_slice(before(nodes, offset, start));
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Changes a text in one place, compares what is updated with what is read anew, and returns where parsing went on.
    fn check(old: &str, at: Span, put: &str) -> usize {
        let before = Span::new(0, at.start()).of(old);
        let new = format!("{before}{put}{}", Span::new(at.end(), old.len()).of(old));
        let (outline, difference) = (parse::parse(old), Difference::new(at.start(), at.end(), at.start() + put.len()));
        let (updated, parsed) = outline.update(old, &new, difference);
        assert_eq!(updated, parse::parse(&new), "{old:?} {at:?} {put:?}");
        let update = Update { outline: &outline, old, new: &new, difference };
        let body = update.body_above().unwrap_or_default();
        // What is told to be parsed again is never less than a section.
        assert!(parsed.old().covers(at) && [0, body].contains(&parsed.start()), "{old:?} {at:?} {put:?}");
        update.last_above(body)
    }

    #[test]
    fn parsing_goes_on_at_the_last_line_that_leaves_no_bullet_open() {
        let text = "# H\n\nx\n  - a\n    - b\n  y\nB (ID: b)\n- c\n  - d\n```\nz\n```\nw\n~~~\nv\n~~~\n- e";
        // What stands where the change begins, and where parsing goes on.
        let places = [
            ("# H", "# H"),
            ("x\n", "\nx\n"),
            ("  - a", "\nx\n"),
            ("    - b", "  - a"),
            ("  y", "  - a"),
            ("B (ID", "  - a"),
            ("\n- c", "  - a"),
            ("- c", "B (ID"),
            ("  - d", "- c"),
            ("```\nz", "- c"),
            ("z\n", "```\nz"),
            ("w\n", "```\nz"),
            ("~~~", "```\nz"),
            ("- e", "~~~\nv"),
            ("e", "~~~\nv"),
        ];
        let starts = |part: &str| text.find(part).unwrap_or(text.len());
        for (change, place) in places {
            assert_eq!(check(text, Span::at(starts(change)), "f"), starts(place), "{change:?}");
        }
        assert_eq!(check(text, Span::at(text.len()), "f"), starts("~~~\nv"), "the last line ends nowhere");
    }

    #[test]
    fn a_block_line_that_becomes_another_no_longer_ends_the_block_above() {
        let text = "A (ID: a)\n- a\nB (ID: b)\n- b\n## D\n";
        let line = Span::new(text.find("B").unwrap_or_default(), text.rfind("- b").unwrap_or_default());
        for put in ["- c\n", "```\n", "  c\n", "\n", "", "c\n", "C (ID: c)\n", "## C\n"] {
            check(text, line, put);
            check(text, Span::new(line.start(), line.end() - 1), put);
            check(text, Span::new(line.start() - 1, line.end()), put);
            check(text, Span::at(line.end() - 1), put);
            check(text, Span::at(line.start()), put);
        }
    }

    /// Every text of a few lines of each kind, and every change of whole lines, of their beginnings and of their ends in it.
    #[test]
    fn every_change_of_a_few_lines_is_read_as_the_text_is() {
        let lines = ["## H (ID: h)\n", "B (ID: b)\n", "- a\n", "  - b\n", "```\n", "  ```\n", "x\n", "x"];
        let mut texts = vec![vec![]];
        for nth in 0.. {
            let Some(text) = texts.get(nth).filter(|text| text.len() < 3).cloned() else { break };
            texts.extend(lines.iter().map(|line| [&text[..], &[*line]].concat()));
        }
        for lines in texts {
            let text = lines.concat();
            let ends = (0..=lines.len()).map(|count| lines.iter().take(count).map(|line| line.len()).sum::<usize>());
            let places: Vec<_> = ends.flat_map(|end| end.saturating_sub(1)..=(end + 1).min(text.len())).collect();
            for (nth, from) in places.iter().enumerate() {
                for to in places.iter().skip(nth).filter(|to| *to >= from) {
                    for put in ["", "x", " ", "\n", "- c\n"] {
                        check(&text, Span::new(*from, *to), put);
                    }
                }
            }
        }
    }
}
