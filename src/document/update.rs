//! [`Outline::update`]: of a text that was changed, only the sections around the change are parsed again.
//!
//! Behind a heading no bullet, label or fence is open, and no block but that of the heading: what
//! the parser knows there is which sections are open. So it goes on behind the last heading above
//! the change, and stops at the first heading below it, if the sections that are open there are of
//! the levels that they were of before. The nodes behind that heading are moved, not read.

use super::front_matter;
use super::outline::{Block, Bullet, Fence, Label, Link, Outline, Section};
use super::parse::{self, Parser};
use crate::text::{Difference, Span};

impl Outline {
    /// Returns the outline of `new`, which differs from `old`, the text of this one, in `change`
    /// alone; and what was parsed again: outside of it all nodes are as they were.
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
        let above = before(sections, start, |section| section.line).len();
        let mut parser = Parser::behind_heading(self.new, self.above(start), self.chain(above.checked_sub(1)));
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
            bullets: outline
                .bullets
                .len()
                .wrapping_sub(before(&self.outline.bullets, start, |bullet| bullet.line).len()),
        };
        tail.add(self.outline, start, &mut outline);
        Some((outline, parsed))
    }

    /// Reports whether the front matter, or that there is none, cannot be changed by the change.
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
    /// `None` if that line does not end.
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
            sections: head(&outline.sections, start, |section| section.line),
            blocks: head(&outline.blocks, start, |block| block.line),
            bullets: head(&outline.bullets, start, |bullet| bullet.line),
            labels: head(&outline.labels, start, |label| label.line),
            fences: head(&outline.fences, start, |fence| fence.extent),
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

/// What is other of the nodes that are moved.
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
        to.sections.extend(tail(&from.sections, start, |section| section.line).map(|node| self.section(node)));
        to.blocks.extend(tail(&from.blocks, start, |block| block.line).map(|node| self.block(node)));
        to.bullets.extend(tail(&from.bullets, start, |bullet| bullet.line).map(|node| self.bullet(node)));
        to.labels.extend(tail(&from.labels, start, |label| label.line).map(|node| self.label(node)));
        let fences = tail(&from.fences, start, |fence| fence.extent);
        to.fences.extend(fences.map(|node| Fence { extent: self.moved(node.extent), ..*node }));
    }

    const fn moved(&self, span: Span) -> Span {
        span.moved(self.distance)
    }

    fn section(&self, node: &Section) -> Section {
        let parent = node.parent.index().map(|parent| {
            let open = self.open.iter().find(|(was, _)| *was == parent);
            open.map_or_else(|| parent.wrapping_add(self.sections), |(_, is)| *is)
        });
        let (line, title, body) = (self.moved(node.line), self.moved(node.title), self.moved(node.body));
        Section { line, title, body, extent: self.moved(node.extent), parent: Link::to(parent), ..*node }
    }

    const fn block(&self, node: &Block) -> Block {
        let (line, title, id) = (self.moved(node.line), self.moved(node.title), self.moved(node.id));
        Block { line, title, id, extent: self.moved(node.extent), ..*node }
    }

    fn bullet(&self, node: &Bullet) -> Bullet {
        Bullet {
            extent: self.moved(node.extent),
            line: self.moved(node.line),
            marker: self.moved(node.marker),
            content_start: node.content_start.wrapping_add(self.distance),
            depth: node.depth,
            parent: Link::to(node.parent.index().map(|parent| parent.wrapping_add(self.bullets))),
        }
    }

    const fn label(&self, node: &Label) -> Label {
        Label { line: self.moved(node.line), name: self.moved(node.name), extent: self.moved(node.extent) }
    }
}

/// Returns the nodes that start before `offset`.
fn before<T>(nodes: &[T], offset: usize, line: impl Fn(&T) -> Span) -> &[T] {
    nodes.get(..nodes.partition_point(|node| line(node).start() < offset)).unwrap_or(nodes)
}

/// Returns copies of the nodes that start before `offset`, with room for the others and a few more.
fn head<T: Clone>(nodes: &[T], offset: usize, line: impl Fn(&T) -> Span) -> Vec<T> {
    let mut head = Vec::with_capacity(nodes.len() + 4);
    head.extend_from_slice(before(nodes, offset, line));
    head
}

/// Iterates over the nodes that start at `offset` or behind it.
fn tail<T>(nodes: &[T], offset: usize, line: impl Fn(&T) -> Span) -> impl Iterator<Item = &T> {
    nodes.iter().skip(before(nodes, offset, line).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts a text in a place of another, compares what is updated with what is read anew, and
    /// returns what was parsed again.
    fn check(old: &str, at: Span, put: &str) -> Difference {
        let new = [Span::new(0, at.start()).of(old), put, Span::new(at.end(), old.len()).of(old)].concat();
        let change = Difference { old: at, new: Span::new(at.start(), at.start() + put.len()) };
        let (updated, parsed) = parse::parse(old).update(old, &new, change);
        assert_eq!(updated, parse::parse(&new), "{old:?} {at:?} {put:?}");
        let (was, is) = (parsed.old, parsed.new);
        assert_eq!(old.get(..was.start()), new.get(..is.start()), "{old:?} {at:?} {put:?}");
        assert_eq!(old.get(was.end()..), new.get(is.end()..), "{old:?} {at:?} {put:?}");
        parsed
    }

    #[test]
    fn only_the_sections_of_a_change_are_parsed_again() {
        let text = "p\n# A\n- a\n## B (id: b)\n- b\n  - c\n# C\nx\n## D\n- d\n## E\n- e\n";
        let parsed =
            |part: &str, put: &str| check(text, Span::at(text.find(part).unwrap_or_default()), put).old.of(text);
        assert_eq!(parsed("p", "q"), "p\n");
        assert_eq!(parsed("- c", "- y\n  "), "- b\n  - c\n");
        assert_eq!(parsed(" D", "#"), "x\n## D\n- d\n");
        assert_eq!(parsed("# A", "x"), text, "sections in others");
        assert_eq!(parsed("- d", "```\n"), text, "a fence that stays open");
    }

    /// Every text of a few lines of each kind, and every change of whole lines, of their beginnings
    /// and of their ends in it.
    #[test]
    fn every_change_of_a_few_lines_is_read_as_the_text_is() {
        let lines = ["## H (ID: h)\n", "B (ID: b)\n", "- a\n", "  - b\n", "```\n", "  ```\n", "x\n", "x"];
        check_each_change_of(&lines, ["x", "```\n"]);
        let lines = ["## H\n", "- a\n", "L:\n", "**L**\n", "--\n", "<!--\n", "-->\n", "  x\n", "\n"];
        check_each_change_of(&lines, [":", "<!--\n"]);
        let lines = ["---\n", "k: v\n", "## H\n", "- a\n", "<!-- x -->\n", "x\n", "\n"];
        check_each_change_of(&lines, ["---\n", "-->"]);
    }

    fn check_each_change_of(lines: &[&str], puts: [&str; 2]) {
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
                    for put in ["", " ", "\n", "- c\n"].into_iter().chain(puts) {
                        check(&text, Span::new(*from, *to), put);
                    }
                }
            }
        }
    }

    /// Every change of whole lines, of their beginnings and of their ends in sections of each kind,
    /// with sections around and below.
    #[test]
    fn every_change_of_a_few_sections_is_read_as_the_text_is() {
        let bodies = ["", "L:\n- a\n", "B (ID: b)\n- a\n  - b\n", "```\nx\n```\n", "<!--\nx\n-->\n"];
        let texts = bodies.iter().flat_map(|first| bodies.map(|second| [*first, second]));
        for (text, level) in texts.flat_map(|bodies| ["#", "##", "###"].map(|level| (bodies, level))) {
            let text = format!("{}## H (ID: h)\n{}{level} I\n## J\n{}### K\n- k\n", text[0], text[1], text[0]);
            let starts: Vec<_> =
                [0].into_iter().chain(text.match_indices('\n').flat_map(|(at, _)| [at, at + 1])).collect();
            for (nth, from) in starts.iter().enumerate() {
                for to in starts.iter().skip(nth).take(6) {
                    for put in ["", "- c\n", "x", "## K\n", "```\n", "# L\n", "C (ID: c)\n", "<!--\n", "M:\n", "  "] {
                        check(&text, Span::new(*from, *to), put);
                    }
                }
            }
        }
    }
}
