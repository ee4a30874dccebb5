//! [`Outline::update`]: after a change, only the sections around it are parsed again.
//!
//! After a heading, no bullet, label or fence is open, and no block but that of the heading: the only state of the
//! parser is which sections are open. So it resumes after the last heading above the change, and stops at the first
//! heading below it. If the open sections there have the same levels as before, the nodes from that heading on are
//! moved, not parsed; else the whole text is parsed.

use super::front_matter;
use super::node::Kind;
use super::outline::{Block, Bullet, Fence, Label, Link, Outline, Section};
use super::parse::{self, Parser};
use crate::text::{Difference, Span};

impl Outline {
    /// Returns the outline of `new`. This is the outline of `old`, and both texts differ only in `change`. Also
    /// returns the part that was parsed again: outside of it, all nodes are as they were.
    pub(super) fn update(&self, old: &str, new: &str, change: Difference) -> (Self, Difference) {
        let updated = Update { outline: self, old, new, change }.updated();
        updated.unwrap_or_else(|| (parse::parse(new), Difference::whole(old, new)))
    }
}

/// A change of a text, and the outline before it.
struct Update<'a> {
    outline: &'a Outline,
    old: &'a str,
    new: &'a str,
    change: Difference,
}

impl Update<'_> {
    /// Parses the sections that the change touches; `None` if the whole text is to be parsed.
    fn updated(&self) -> Option<(Outline, Difference)> {
        if !self.keeps_front_matter() {
            return None;
        }
        let start = self.body_above()?;
        let sections = &self.outline.sections;
        let below = sections.partition_point(|section| section.line.start() <= self.change.old.end());
        let first = sections.get(below);
        let parsed = self.change.grown(Span::new(start, first.map_or(self.old.len(), |first| first.line.start())));
        let above = self.chain(Section::before(self.outline, start).checked_sub(1));
        let mut parser = Parser::behind_heading(self.new, self.above(start), above);
        parser.lines(parsed.new);
        let Some(first) = first else { return Some((parser.finish(), parsed)) };
        let (mut outline, open) = parser.until_heading(parsed.new.end(), first.level)?;
        let was_open = self.chain(first.parent.index());
        let level = |outline: &Outline, index: &usize| outline.sections.get(*index).map(|section| section.level);
        let levels = was_open.iter().map(|index| level(self.outline, index));
        if !levels.eq(open.iter().map(|index| level(&outline, index))) {
            return None;
        }
        for (was, is) in was_open.iter().zip(&open) {
            let end = parsed.behind(sections.get(*was)?.extent.end());
            let section = outline.sections.get_mut(*is)?;
            section.extent = Span::new(section.line.start(), end);
        }
        let start = first.line.start();
        let tail = Tail {
            distance: parsed.distance(),
            open: was_open.into_iter().zip(open).collect(),
            sections: outline.sections.len().wrapping_sub(below),
            bullets: outline.bullets.len().wrapping_sub(Bullet::before(self.outline, start)),
        };
        tail.add(self.outline, start, &mut outline);
        Some((outline, parsed))
    }

    /// Reports whether the change can neither alter front matter nor make any.
    fn keeps_front_matter(&self) -> bool {
        let change = self.change.old.start();
        match self.outline.front_matter {
            Some(front) => front.end() <= change && self.ends_line(front),
            None => {
                let (before, after) = (front_matter::first_line(self.old), front_matter::first_line(self.new));
                before.0 == after.0
                    && before.0 <= change
                    && !front_matter::opens(before.1)
                    && !front_matter::opens(after.1)
            }
        }
    }

    /// Reports whether a line ends where `span` does.
    fn ends_line(&self, span: Span) -> bool {
        span.of(self.old).ends_with('\n')
    }

    /// Returns where the last heading above the change ends; without one, where the body starts.
    /// `None` if the line of that heading has no ending.
    fn body_above(&self) -> Option<usize> {
        let change = self.change.old.start();
        let above = self.outline.sections.partition_point(|section| section.line.end() <= change);
        match above.checked_sub(1).and_then(|last| self.outline.sections.get(last)) {
            Some(last) => self.ends_line(last.line).then_some(last.line.end()),
            None => Some(self.outline.body_start),
        }
    }

    /// Returns the outline of what stands above `start`, with room for about as many nodes as there
    /// are in all.
    fn above(&self, start: usize) -> Outline {
        let outline = self.outline;
        Outline {
            front_matter: outline.front_matter,
            slots: outline.slots.clone(),
            body_start: outline.body_start,
            sections: head(outline, start),
            blocks: head(outline, start),
            bullets: head(outline, start),
            labels: head(outline, start),
            fences: head(outline, start),
        }
    }

    /// Returns a section and those that it is a subsection of, outermost first.
    fn chain(&self, section: Option<usize>) -> Vec<usize> {
        let parent = |index: &usize| self.outline.sections.get(*index).and_then(|section| section.parent.index());
        let mut chain: Vec<_> = std::iter::successors(section, parent).collect();
        chain.reverse();
        chain
    }
}

/// How the nodes that are moved differ from those before the change.
struct Tail {
    /// How far they move.
    distance: u32,
    /// The sections that are open above them, before and after the change.
    open: Vec<(usize, usize)>,
    /// How far the indexes of sections and of bullets move, modulo 2⁶⁴ (or 2³²).
    sections: usize,
    bullets: usize,
}

impl Tail {
    /// Adds the nodes of `from` from `start` on to those of `to`.
    fn add(&self, from: &Outline, start: usize, to: &mut Outline) {
        let sections = tail::<Section>(from, start, self.distance);
        to.sections.extend(sections.map(|node| Section { parent: self.parent(node.parent), ..node }));
        to.blocks.extend(tail::<Block>(from, start, self.distance));
        to.bullets.extend(tail(from, start, self.distance).map(|node| self.bullet(node)));
        to.labels.extend(tail::<Label>(from, start, self.distance));
        to.fences.extend(tail::<Fence>(from, start, self.distance));
    }

    /// Returns what a section that is moved is a subsection of.
    fn parent(&self, before: Link) -> Link {
        let open = |parent| self.open.iter().find(|(was, _)| *was == parent).map(|(_, is)| *is);
        Link::to(before.index().map(|parent| open(parent).unwrap_or_else(|| parent.wrapping_add(self.sections))))
    }

    fn bullet(&self, node: Bullet) -> Bullet {
        let parent = node.parent.index().map(|parent| parent.wrapping_add(self.bullets));
        let content_start = node.content_start.wrapping_add(self.distance);
        Bullet { content_start, parent: Link::to(parent), ..node }
    }
}

/// Returns copies of the nodes that start before `offset`, with room for the others and a few more.
fn head<N: Kind>(outline: &Outline, offset: usize) -> Vec<N> {
    let nodes = N::all(outline);
    let mut head = Vec::with_capacity(nodes.len() + 4);
    head.extend_from_slice(nodes.get(..N::before(outline, offset)).unwrap_or(nodes));
    head
}

/// Iterates over the nodes that start at `offset` or behind it, moved by a distance.
fn tail<N: Kind>(outline: &Outline, offset: usize, distance: u32) -> impl Iterator<Item = N> {
    N::all(outline).iter().skip(N::before(outline, offset)).map(move |node| node.moved(distance))
}
