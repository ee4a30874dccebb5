//! [`Outline::update`]: of a text that was changed, only what stands around each change is parsed.
//!
//! What a parser knows behind a heading is which sections are open, and how many nodes there are: a heading closes all bullets and
//! blocks, and stands in no fence. Before a block line, a bullet that is nested in no other, and a fence that is not indented it
//! knows also whether a block is open: each of them closes all bullets. So it can go on at the last of them above a change, and stop
//! at the first heading below it, if that is a heading still and the sections open there are of the levels that they were: what follows
//! is as it was, elsewhere, up to the heading above the next change. The nodes between are moved, not read.

use std::ops::Range;

use super::front_matter;
use super::outline::{Block, Bullet, Fence, Label, Link, Outline, Section};
use super::parse::{self, Open, Parser};
use crate::text::{Difference, Line, Span, narrow};

impl Outline {
    /// Returns the outline of `new`, which differs from the text of this one, `old`, in these places; and the sections around them,
    /// each from the line below a heading down, outside of which all nodes are as they were.
    pub(super) fn update(&self, old: &str, new: &str, differences: &[Difference]) -> (Self, Vec<Difference>) {
        let updated = Update { outline: self, old, new, differences }.updated();
        updated.unwrap_or_else(|| (parse::parse(new), vec![Difference::whole(old, new)]))
    }
}

/// Changes of a text, and the outline before them.
struct Update<'a> {
    outline: &'a Outline,
    old: &'a str,
    new: &'a str,
    differences: &'a [Difference],
}

/// What stands below one heading and above another, with the changes in it.
struct Stretch {
    /// From the end of the one line to the start of the other.
    lines: Difference,
    /// Where the first change starts in the old text.
    change: usize,
    /// The index of the section below it.
    below: usize,
}

impl Update<'_> {
    /// Parses what the changes touch; `None` if that is the whole text.
    fn updated(&self) -> Option<(Outline, Vec<Difference>)> {
        if !self.differences.first().is_none_or(|first| self.keeps_front_matter(first.old().start())) {
            return None;
        }
        let stretches = self.stretches()?;
        let parsed = stretches.iter().map(|stretch| stretch.lines).collect();
        let (mut outline, mut rest) = (self.front(), Rest::whole(self.outline));
        for stretch in &stretches {
            let start = self.last_above(stretch);
            rest.add_to(&mut outline, start);
            let label = outline.labels.len().checked_sub(1).filter(|_| self.label_at(start));
            let (lines, open) = (stretch.lines, Open { label, ..rest.numbers.open(&self.open_at(start)) });
            let mut parser = Parser::before(self.new, outline, open);
            parser.lines(Span::new(lines.behind_start(start), lines.new_span().end()));
            let Some(below) = self.outline.sections.get(stretch.below) else { return Some((parser.finish(), parsed)) };
            let sections;
            (outline, sections) = parser.until_heading(lines.new_span().end(), below.level)?;
            rest = self.behind(stretch, &mut outline, sections)?;
        }
        rest.add_to(&mut outline, self.old.len());
        Some((outline, parsed))
    }

    /// Returns the stretches that hold the changes; `None` if one begins on a line that does not end.
    fn stretches(&self) -> Option<Vec<Stretch>> {
        let mut stretches: Vec<Stretch> = Vec::new();
        for difference in self.differences {
            let change = difference.old().start();
            let (start, below) = (self.body_above(change)?, self.first_below(difference.old().end()));
            let end = self.outline.sections.get(below).map_or(self.old.len(), |section| section.line.start());
            match stretches.last_mut().filter(|last| start <= last.lines.old().end()) {
                Some(last) => {
                    (last.lines, last.below) = (last.lines.until(difference.grown(Span::new(change, end))), below)
                }
                None => stretches.push(Stretch { lines: difference.grown(Span::new(start, end)), change, below }),
            }
        }
        Some(stretches)
    }

    /// Reports whether the front matter, or that there is none, cannot be changed by what begins at `change`.
    fn keeps_front_matter(&self, change: usize) -> bool {
        match self.outline.front_matter {
            Some(front) => self.is_below(front, change),
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

    /// Reports whether a change that begins there begins below a line.
    fn is_below(&self, line: Span, change: usize) -> bool {
        line.end() <= change && self.ends_line(line)
    }

    /// Returns where the last heading that a change which begins there does not touch ends; without one, where the body starts.
    fn body_above(&self, change: usize) -> Option<usize> {
        let sections = &self.outline.sections;
        let above = sections.partition_point(|section| section.line.end() <= change);
        let Some(last) = above.checked_sub(1).and_then(|last| sections.get(last)) else {
            return Some(self.outline.body_start);
        };
        self.ends_line(last.line).then_some(last.line.end())
    }

    /// Returns the last place of a stretch above its first change where nothing but sections and a block is open: its start, if there
    /// is no other.
    fn last_above(&self, stretch: &Stretch) -> usize {
        let (start, change) = (stretch.lines.old().start(), stretch.change);
        let blocks = before(&self.outline.blocks, change, |block| block.line.start());
        let block = blocks.iter().rev().map(|block| block.line).find(|line| self.is_below(*line, change));
        let bullets = before(&self.outline.bullets, change, |bullet| bullet.line.start());
        let mut outer = bullets.iter().rev().take_while(|bullet| bullet.line.start() >= start);
        let bullet =
            outer.find(|bullet| bullet.depth() == 0 && self.is_below(bullet.line, change)).map(|bullet| bullet.line);
        let fences = before(&self.outline.fences, change, |fence| fence.extent.start());
        let openings = fences.iter().rev().map(|fence| Line::starting_at(self.old, fence.extent.start()).full);
        let mut openings = openings.take_while(|line| line.start() >= start);
        let fence =
            openings.find(|line| line.of(self.old).starts_with(['`', '~', '<']) && self.is_below(*line, change));
        let lines = [block, bullet, fence].into_iter().flatten();
        lines.map(Span::start).fold(start, usize::max)
    }

    /// Returns the outline of the front matter alone, with room for about as many nodes as there are in all.
    fn front(&self) -> Outline {
        let outline = self.outline;
        Outline {
            front_matter: outline.front_matter,
            slots: outline.slots.clone(),
            body_start: outline.body_start,
            sections: Vec::with_capacity(outline.sections.len() + 4),
            blocks: Vec::with_capacity(outline.blocks.len() + 4),
            bullets: Vec::with_capacity(outline.bullets.len() + 4),
            labels: Vec::with_capacity(outline.labels.len() + 4),
            fences: Vec::with_capacity(outline.fences.len() + 4),
        }
    }

    /// Returns what is open before the line at `start`.
    fn open_at(&self, start: usize) -> Open {
        let sections = before(&self.outline.sections, start, |section| section.line.start()).len();
        let blocks = before(&self.outline.blocks, start, |block| block.line.start());
        let last = blocks.len().checked_sub(1);
        // One that the line ends is open before it.
        let is_open = blocks.last().is_some_and(|block| block.extent.end() >= start);
        Open { sections: self.chain(sections.checked_sub(1)), block: last.filter(|_| is_open), label: None }
    }

    /// Reports whether the last label above `start` is open before the line there.
    fn label_at(&self, start: usize) -> bool {
        let labels = before(&self.outline.labels, start, |label| label.line.start());
        labels.last().is_some_and(|label| label.extent.end() >= start)
    }

    /// Returns the index of the first section that begins on a line below a change that ends there.
    fn first_below(&self, end: usize) -> usize {
        self.outline.sections.partition_point(|section| section.line.start() <= end)
    }

    /// Returns a section and those that it is a subsection of, outermost first.
    fn chain(&self, section: Option<usize>) -> Vec<usize> {
        let parent = |index: &usize| self.outline.sections.get(*index).and_then(|section| section.parent.index());
        let mut chain: Vec<_> = std::iter::successors(section, parent).collect();
        chain.reverse();
        chain
    }

    /// Ends the sections of `outline`, of what stands up to the end of a stretch, that are open there: `sections`. Returns what
    /// follows; `None` if that stands in other sections now.
    fn behind(&self, stretch: &Stretch, outline: &mut Outline, sections: Vec<usize>) -> Option<Rest<'_>> {
        let first = self.outline.sections.get(stretch.below)?;
        let was_open = self.chain(first.parent.index());
        let level = |outline: &Outline, index: &usize| outline.sections.get(*index).map(|section| section.level);
        let levels = was_open.iter().map(|index| level(self.outline, index));
        if !levels.eq(sections.iter().map(|index| level(outline, index))) {
            return None;
        }
        for (was, is) in was_open.iter().zip(&sections) {
            // Where another stretch is in it, that is not its end yet.
            let end = stretch.lines.behind(self.outline.sections.get(*was)?.extent.end());
            let section = outline.sections.get_mut(*is)?;
            section.extent = Span::new(section.line.start(), end);
        }
        let start = first.line.start();
        let numbers = Numbers {
            open: [was_open, sections],
            sections: Shift { from: stretch.below, to: outline.sections.len() },
            blocks: Shift {
                from: before(&self.outline.blocks, start, |block| block.line.start()).len(),
                to: outline.blocks.len(),
            },
            bullets: Shift { from: first.bullets.start as usize, to: outline.bullets.len() },
        };
        Some(Rest { outline: self.outline, start, distance: stretch.lines.distance(), numbers })
    }
}

/// What stands behind a stretch, or all of it.
struct Rest<'a> {
    outline: &'a Outline,
    /// Where it starts in the old text.
    start: usize,
    /// How far it has moved.
    distance: u32,
    numbers: Numbers,
}

impl<'a> Rest<'a> {
    /// Returns all of an outline.
    fn whole(outline: &'a Outline) -> Self {
        Self { outline, start: 0, distance: 0, numbers: Numbers::default() }
    }

    /// Adds what of it starts before `end` to the outline of what stands above it.
    fn add_to(&self, to: &mut Outline, end: usize) {
        let (outline, numbers) = (self.outline, &self.numbers);
        let sections =
            before(&outline.sections, end, |section| section.line.start()).iter().skip(numbers.sections.from);
        let blocks = before(&outline.blocks, end, |block| block.line.start()).iter().skip(numbers.blocks.from);
        let bullets = before(&outline.bullets, end, |bullet| bullet.line.start()).iter().skip(numbers.bullets.from);
        let labels = before(&outline.labels, self.start, |label| label.line.start()).len();
        let labels = before(&outline.labels, end, |label| label.line.start()).iter().skip(labels);
        let fences = before(&outline.fences, self.start, |fence| fence.extent.start()).len();
        let fences = before(&outline.fences, end, |fence| fence.extent.start()).iter().skip(fences);
        to.sections.extend(sections.map(|node| self.section(node, numbers)));
        to.blocks.extend(blocks.map(|node| self.block(node, numbers)));
        to.bullets.extend(bullets.map(|node| self.bullet(node, numbers)));
        to.labels.extend(labels.map(|node| Label {
            line: self.moved(node.line),
            name: self.moved(node.name),
            extent: self.moved(node.extent),
        }));
        to.fences.extend(fences.map(|node| Fence { extent: self.moved(node.extent), ..*node }));
    }

    const fn moved(&self, span: Span) -> Span {
        span.moved(self.distance)
    }

    fn section(&self, node: &Section, numbers: &Numbers) -> Section {
        Section {
            line: self.moved(node.line),
            title: self.moved(node.title),
            body: self.moved(node.body),
            extent: self.moved(node.extent),
            level: node.level,
            parent: Link::to(node.parent.index().and_then(|parent| numbers.section(parent))),
            block: numbers.blocks.link(node.block),
            bullets: numbers.bullets.range(&node.bullets),
        }
    }

    fn block(&self, node: &Block, numbers: &Numbers) -> Block {
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

    fn bullet(&self, node: &Bullet, numbers: &Numbers) -> Bullet {
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

/// What the nodes behind a stretch are numbered by now.
#[derive(Default)]
struct Numbers {
    /// The sections that are open at its end, before and after the change.
    open: [Vec<usize>; 2],
    sections: Shift,
    blocks: Shift,
    bullets: Shift,
}

impl Numbers {
    /// Returns the index of a section that stands behind the stretch, or is open at its end.
    fn section(&self, section: usize) -> Option<usize> {
        let [was, is] = &self.open;
        match was.iter().position(|open| *open == section) {
            Some(nth) => is.get(nth).copied(),
            None => Some(self.sections.of(section)),
        }
    }

    /// Returns what is open at a place behind the stretch.
    fn open(&self, was: &Open) -> Open {
        Open {
            sections: was.sections.iter().filter_map(|section| self.section(*section)).collect(),
            block: was.block.map(|block| self.blocks.of(block)),
            label: None,
        }
    }
}

/// Indexes that begin elsewhere.
#[derive(Clone, Copy, Default)]
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts texts in the places of a text, compares what is updated with what is read anew, and returns what was parsed again.
    fn check_all(old: &str, places: &[(Span, &str)]) -> Vec<Difference> {
        let (mut new, mut read, mut differences) = (String::new(), 0, Vec::new());
        for (at, put) in places {
            new += Span::new(read, at.start()).of(old);
            differences.push(Difference::new(*at, Span::new(new.len(), new.len() + put.len())));
            new += put;
            read = at.end();
        }
        new += Span::new(read, old.len()).of(old);
        let (updated, parsed) = parse::parse(old).update(old, &new, &differences);
        assert_eq!(updated, parse::parse(&new), "{old:?} {places:?}");
        let (mut outside, mut stays, mut same) = (0, 0, true);
        for parsed in &parsed {
            let (old_span, new_span) = (parsed.old(), parsed.new_span());
            same &= Span::new(outside, old_span.start()).of(old) == Span::new(stays, new_span.start()).of(&new);
            (outside, stays) = (old_span.end(), new_span.end());
        }
        same &= Span::new(outside, old.len()).of(old) == Span::new(stays, new.len()).of(&new);
        assert!(same, "{old:?} {places:?} {parsed:?}");
        parsed
    }

    #[test]
    fn only_the_sections_of_several_changes_are_parsed_again() {
        let text = "p\n# A\n- a\n## B (id: b)\n- b\n  - c\n# C\nx\n## D\n- d\n## E\n- e\n";
        let at = |part: &str| Span::at(text.find(part).unwrap_or_default());
        let parsed = |places: &[(Span, &str)]| {
            check_all(text, places).iter().map(|parsed| parsed.old().of(text)).collect::<Vec<_>>()
        };
        assert_eq!(parsed(&[]), [""; 0]);
        assert_eq!(parsed(&[(at("p"), "q"), (at("- d"), "- x\n")]), ["p\n", "- d\n"]);
        assert_eq!(
            parsed(&[(at("- a"), "- x\n"), (at("- c"), "- y\n  "), (at("- e"), "  ")]),
            ["- a\n", "- b\n  - c\n", "- e\n"]
        );
        assert_eq!(parsed(&[(at("x"), "y"), (at(" D"), "#"), (at("- d"), "z\n")]), ["x\n## D\n- d\n"]);
        assert_eq!(parsed(&[(at("# A"), "x"), (at("- e"), "- x\n")]), [text], "sections in others");
    }

    /// Every pair of changes of whole lines, of their beginnings and of their ends in texts of a few lines of each kind.
    #[test]
    fn every_two_changes_of_a_few_sections_are_read_as_the_text_is() {
        let bodies = ["", "L:\n- a\n", "B (ID: b)\n- a\n  - b\n", "```\nx\n```\n", "<!--\nx\n-->\n"];
        let texts = bodies.iter().flat_map(|first| bodies.map(|second| [*first, second]));
        for (text, level) in texts.flat_map(|bodies| ["#", "##", "###"].map(|level| (bodies, level))) {
            let text = format!("{}## H (ID: h)\n{}{level} I\n## J\n{}", text[0], text[1], text[0]);
            let ends = text.match_indices('\n').flat_map(|(at, _)| [at, at + 1]);
            let starts: Vec<_> = [0].into_iter().chain(ends).collect();
            let spans = starts
                .iter()
                .enumerate()
                .flat_map(|(nth, from)| starts.iter().skip(nth).take(2).map(|to| Span::new(*from, *to)));
            let spans: Vec<_> = spans.collect();
            for (first, second) in spans.iter().flat_map(|first| spans.iter().map(move |second| (*first, *second))) {
                for puts in [["", ""], ["- c\n", ""], ["x", "## K\n"], ["```\n", "```\n"], ["# L\n", "x"]] {
                    if first.end() < second.start() {
                        check_all(&text, &[(first, puts[0]), (second, puts[1])]);
                    }
                }
            }
        }
    }

    /// Changes a text in one place, compares what is updated with what is read anew, and returns where parsing went on.
    fn check(old: &str, at: Span, put: &str) -> usize {
        let before = Span::new(0, at.start()).of(old);
        let new = format!("{before}{put}{}", Span::new(at.end(), old.len()).of(old));
        let (outline, differences) =
            (parse::parse(old), [Difference::at(at.start(), at.end(), at.start() + put.len())]);
        let (updated, parsed) = outline.update(old, &new, &differences);
        assert_eq!(updated, parse::parse(&new), "{old:?} {at:?} {put:?}");
        let update = Update { outline: &outline, old, new: &new, differences: &differences };
        let body = update.body_above(at.start()).unwrap_or_default();
        if !update.keeps_front_matter(at.start()) {
            return 0;
        }
        // What is told to be parsed again is never less than a section.
        let is_around = |parsed: &Difference| parsed.old().covers(at) && [0, body].contains(&parsed.old().start());
        assert!(parsed.len() == 1 && parsed.iter().all(is_around), "{old:?} {at:?} {put:?}");
        let stretches = update.stretches().unwrap_or_default();
        stretches.first().map_or(0, |stretch| update.last_above(stretch))
    }

    #[test]
    fn parsing_goes_on_at_the_last_line_that_leaves_no_bullet_open() {
        let text = "# H\n\nx\n  - a\n    - b\n  y\nB (ID: b)\n- c\n  - d\n```\nz\n```\nw\n~~~\nv\n~~~\n- e";
        // What stands where the change begins, and where parsing goes on.
        let places = [
            ("# H", "# H"),
            ("  - a", "\nx\n"),
            ("    - b", "  - a"),
            ("- c", "B (ID"),
            ("```\nz", "- c"),
            ("w\n", "```\nz"),
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
}
