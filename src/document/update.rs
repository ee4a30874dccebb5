//! [`Outline::update`]: of a text that was changed, only the sections are parsed that the change touches.
//!
//! What a parser knows behind a heading is which sections are open, and how many nodes there are: a heading closes all bullets and
//! blocks, and stands in no fence. So it can go on behind the last heading above a change, and stop at the first one below it, if
//! that is a heading still and the sections open there are of the levels that they were: what follows is as it was, elsewhere.

use std::ops::Range;

use super::outline::{Block, Bullet, Fence, Link, Outline, Section};
use super::parse::{self, Parser};
use crate::text::{Difference, Span};

impl Outline {
    /// Returns the outline of `new`, which differs from the text of this one, `old`, in one place; and the part that was parsed
    /// again. Outside of it, all nodes are as they were.
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
        let (above, start) = self.above()?;
        let below = self.first_below();
        let (old_end, new_end) = match self.outline.sections.get(below) {
            Some(section) => (section.line.start(), self.difference.behind(section.line.start())),
            None => (self.old.len(), self.new.len()),
        };
        let parsed = Difference::new(start, old_end, new_end);
        let mut parser = Parser::behind(self.new, above, self.open_above(start));
        parser.lines(parsed.new_span());
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

    /// Returns what stands before the change up to the last heading that it does not touch, and where that ends.
    fn above(&self) -> Option<(Outline, usize)> {
        let outline = self.outline;
        let sections = outline.sections.partition_point(|section| section.line.end() <= self.difference.start());
        let mut above = Outline {
            front_matter: outline.front_matter,
            slots: outline.slots.clone(),
            body_start: outline.body_start,
            ..Outline::default()
        };
        let Some(last) = sections.checked_sub(1).and_then(|last| outline.sections.get(last)) else {
            return Some((above, outline.body_start));
        };
        let before = |start: usize| start <= last.line.start();
        let blocks = outline.blocks.partition_point(|block| before(block.line.start()));
        let fences = outline.fences.partition_point(|fence| before(fence.extent.start()));
        above.sections = taken(&outline.sections, sections);
        above.blocks = taken(&outline.blocks, blocks);
        above.bullets = taken(&outline.bullets, last.bullets.start);
        above.fences = taken(&outline.fences, fences);
        self.ends_line(last.line).then_some((above, last.line.end()))
    }

    /// Returns the sections that are open behind the heading that ends at `start`.
    fn open_above(&self, start: usize) -> Vec<usize> {
        let sections = self.outline.sections.partition_point(|section| section.line.end() <= start);
        self.chain(sections.checked_sub(1))
    }

    /// Returns the index of the first section that begins on a line below the change.
    fn first_below(&self) -> usize {
        self.outline.sections.partition_point(|section| section.line.start() <= self.difference.old().end())
    }

    /// Returns a section and those that it is a subsection of, outermost first.
    fn chain(&self, section: Option<usize>) -> Vec<usize> {
        let parent = |index: &usize| self.outline.sections.get(*index).and_then(|section| section.parent);
        let mut chain: Vec<_> = std::iter::successors(section, parent).collect();
        chain.reverse();
        chain
    }

    /// Adds what stands from section `below` on to what was parsed before it; `None` if it stands in other sections now.
    fn joined(&self, mut outline: Outline, open: &[usize], below: usize) -> Option<Outline> {
        let was_open = self.chain(self.outline.sections.get(below)?.parent);
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
        let rest = Rest { outline: self.outline, below, difference: self.difference };
        rest.add_to(&mut outline, [&was_open, open]);
        Some(outline)
    }
}

/// What stands from a section on, below a change.
struct Rest<'a> {
    outline: &'a Outline,
    below: usize,
    difference: Difference,
}

impl Rest<'_> {
    /// Adds it to the outline of what stands above it. `open` are the sections that it stands in, before and after the change.
    fn add_to(&self, to: &mut Outline, open: [&[usize]; 2]) {
        let Some(first) = self.outline.sections.get(self.below) else { return };
        let start = first.line.start();
        let blocks = self.outline.blocks.partition_point(|block| block.line.start() < start);
        let fences = self.outline.fences.partition_point(|fence| fence.extent.start() < start);
        let numbers = Numbers {
            open,
            sections: Shift { from: self.below, to: to.sections.len() },
            blocks: Shift { from: blocks, to: to.blocks.len() },
            bullets: Shift { from: first.bullets.start, to: to.bullets.len() },
        };
        to.sections.extend(self.outline.sections.iter().skip(self.below).map(|node| self.section(node, &numbers)));
        to.blocks.extend(self.outline.blocks.iter().skip(blocks).map(|node| self.block(node, &numbers)));
        to.bullets
            .extend(self.outline.bullets.iter().skip(first.bullets.start).map(|node| self.bullet(node, &numbers)));
        let fence = |node: &Fence| Fence { extent: self.moved(node.extent), ..*node };
        to.fences.extend(self.outline.fences.iter().skip(fences).map(fence));
    }

    const fn moved(&self, span: Span) -> Span {
        self.difference.span_behind(span)
    }

    fn section(&self, node: &Section, numbers: &Numbers<'_>) -> Section {
        Section {
            line: self.moved(node.line),
            title: self.moved(node.title),
            body: self.moved(node.body),
            extent: self.moved(node.extent),
            level: node.level,
            parent: node.parent.and_then(|parent| numbers.parent(parent)),
            block: node.block.map(|block| numbers.blocks.of(block)),
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
            section: node.section.map(|section| numbers.sections.of(section)),
            bullets: numbers.bullets.range(&node.bullets),
        }
    }

    fn bullet(&self, node: &Bullet, numbers: &Numbers<'_>) -> Bullet {
        Bullet {
            extent: self.moved(node.extent),
            line: self.moved(node.line),
            marker: self.moved(node.marker),
            checkbox: node.checkbox.map(|checkbox| self.moved(checkbox)),
            tags: self.moved(node.tags),
            first_text: self.moved(node.first_text),
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

    const fn range(self, range: &Range<usize>) -> Range<usize> {
        self.of(range.start)..self.of(range.end)
    }
}

/// Returns the first nodes of a list, with room for about as many as there are.
fn taken<T: Clone>(nodes: &[T], count: usize) -> Vec<T> {
    let mut taken = Vec::with_capacity(nodes.len() + 4);
    taken.extend_from_slice(nodes.get(..count).unwrap_or(nodes));
    taken
}
