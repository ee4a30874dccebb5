//! [`Outline::update`]: after an edit, only the sections around each change are parsed again.
//!
//! Right after a heading, no bullet, label or fence is open, and no block but that of the heading. The only state of
//! the parser there is which sections are open. So the parser resumes after the last heading above a change, and stops
//! at the first heading below it. If the sections that are open there have the same levels as before the edit, the
//! nodes from that heading to the next change are moved, not parsed. Otherwise the whole text is parsed.

use super::front_matter;
use super::node::Kind;
use super::outline::{Block, Bullet, Fence, Label, Outline, Section};
use super::parse::{self, Parser};
use super::syntax;
use crate::text::{Difference, Span};

impl Outline {
    /// Returns the outline of `new`. `self` is the outline of `old`; `changes` are the differences of the two texts.
    /// Also returns the parts that were parsed again: outside of them, all nodes are the same as before.
    pub(super) fn update(&self, old: &str, new: &str, changes: &[Difference]) -> (Self, Vec<Difference>) {
        let updated = Update { outline: self, old, new, changes }.updated();
        updated.unwrap_or_else(|| (parse::parse(new), vec![Difference::whole(old, new)]))
    }
}

/// The changes of a text, and its outline before them.
struct Update<'a> {
    outline: &'a Outline,
    old: &'a str,
    new: &'a str,
    changes: &'a [Difference],
}

impl Update<'_> {
    /// Parses the sections that the changes touch; `None` if the whole text must be parsed.
    fn updated(&self) -> Option<(Outline, Vec<Difference>)> {
        let parts = self.parts()?;
        let mut outline = self.outline_above(parts.first()?.old.start());
        let next_starts = parts.iter().skip(1).map(|next| next.old.start()).chain([self.old.len()]);
        for (part, next_start) in parts.iter().zip(next_starts) {
            let above = with_ancestors(&outline, outline.sections.len().checked_sub(1));
            let mut parser = Parser::after_heading(self.new, outline, above);
            parser.lines(part.new);
            let below = Section::before(self.outline, part.old.end());
            let Some(first) = self.outline.sections.get(below) else {
                outline = parser.finish();
                break;
            };
            let open;
            (outline, open) = parser.until_heading(part.new.end(), first.level)?;
            let was_open = with_ancestors(self.outline, first.parent);
            if was_open.len() != open.len() {
                return None;
            }
            for (was, is) in was_open.iter().zip(&open) {
                let (was, is) = (self.outline.sections.get(*was)?, outline.sections.get_mut(*is)?);
                if was.level != is.level {
                    return None;
                }
                is.extent = Span::new(is.line.start(), part.map_after(was.extent.end()));
            }
            let moved = NodeMove {
                span: Span::new(part.old.end(), next_start),
                distance: part.distance(),
                open: was_open.into_iter().zip(open).collect(),
                sections: outline.sections.len().wrapping_sub(below),
            };
            moved.add(self.outline, &mut outline);
        }
        Some((outline, parts))
    }

    /// Returns the parts to parse: for each change, from the end of the last heading above it to the first heading
    /// below it. Parts that meet are joined. `None` if the whole text must be parsed.
    fn parts(&self) -> Option<Vec<Difference>> {
        if !self.keeps_front_matter() {
            return None;
        }
        let sections = &self.outline.sections;
        let mut parts: Vec<Difference> = Vec::new();
        for change in self.changes {
            let start = self.body_above(change.old.start())?;
            let below = sections.partition_point(|section| section.line.start() <= change.old.end());
            let end = sections.get(below).map_or(self.old.len(), |below| below.line.start());
            let joined = parts.pop_if(|last| start <= last.old.end());
            let alone = || (start, change.new.start() - (change.old.start() - start));
            let (start, new_start) = joined.map_or_else(alone, |last| (last.old.start(), last.new.start()));
            parts.push(Difference { old: Span::new(start, end), new: Span::new(new_start, change.map_after(end)) });
        }
        Some(parts)
    }

    /// Reports whether the changes can neither alter the front matter nor create one.
    fn keeps_front_matter(&self) -> bool {
        let change = self.changes.first().map_or(0, |first| first.old.start());
        match self.outline.front_matter {
            Some(front) => front.end() <= change && self.ends_line(front),
            None => {
                let [start, new_start] = [self.old, self.new].map(syntax::after_bom);
                let may_begin = [self.old, self.new].into_iter().any(front_matter::opens);
                start == new_start && start <= change && !may_begin
            }
        }
    }

    /// Reports whether `span` ends with a line ending.
    fn ends_line(&self, span: Span) -> bool {
        span.of(self.old).ends_with('\n')
    }

    /// Returns the end of the last heading above a change; the start of the body if there is no such heading. `None` if
    /// the line of the heading has no ending: then text after it may become part of it.
    fn body_above(&self, change: usize) -> Option<usize> {
        let above = self.outline.sections.partition_point(|section| section.line.end() <= change);
        match above.checked_sub(1).and_then(|last| self.outline.sections.get(last)) {
            Some(last) => self.ends_line(last.line).then_some(last.line.end()),
            None => Some(self.outline.body_start),
        }
    }

    /// Returns the outline of the text above `start`. Its vectors have capacity for all nodes of the old outline.
    fn outline_above(&self, start: usize) -> Outline {
        let outline = self.outline;
        Outline {
            front_matter: outline.front_matter,
            slots: outline.slots.clone(),
            body_start: outline.body_start,
            sections: nodes_above(outline, start),
            blocks: nodes_above(outline, start),
            bullets: nodes_above(outline, start),
            labels: nodes_above(outline, start),
            fences: nodes_above(outline, start),
        }
    }
}

/// Returns a section and its ancestors, outermost first.
fn with_ancestors(outline: &Outline, section: Option<usize>) -> Vec<usize> {
    let parent = |index: &usize| outline.sections.get(*index).and_then(|section| section.parent);
    let mut sections: Vec<_> = std::iter::successors(section, parent).collect();
    sections.reverse();
    sections
}

/// Nodes that are moved, not parsed, and how their spans and indexes change.
struct NodeMove {
    /// Their place in the old text: whole sections.
    span: Span,
    /// By how many bytes they move.
    distance: u32,
    /// The sections that are open above them: the index in the old outline, and in the new one.
    open: Vec<(usize, usize)>,
    /// By how much the indexes of sections grow, modulo 2⁶⁴.
    sections: usize,
}

impl NodeMove {
    /// Copies the nodes from the outline `from` to the outline `to`.
    fn add(&self, from: &Outline, to: &mut Outline) {
        let section = |node: Section| Section { parent: node.parent.map(|parent| self.parent(parent)), ..node };
        to.sections.extend(self.nodes(from).map(section));
        to.blocks.extend(self.nodes::<Block>(from));
        to.bullets.extend(self.nodes::<Bullet>(from));
        to.labels.extend(self.nodes::<Label>(from));
        to.fences.extend(self.nodes::<Fence>(from));
    }

    fn nodes<N: Kind>(&self, from: &Outline) -> impl Iterator<Item = N> {
        N::within(from, self.span).iter().map(|node| node.moved(self.distance))
    }

    /// Returns the index in the new outline of the section with the index `old` in the old one.
    fn parent(&self, old: usize) -> usize {
        let open = self.open.iter().find(|(was, _)| *was == old);
        open.map_or_else(|| old.wrapping_add(self.sections), |(_, is)| *is)
    }
}

/// Returns copies of the nodes that start before `offset`. The vector has capacity for the other nodes and a few more.
fn nodes_above<N: Kind>(outline: &Outline, offset: usize) -> Vec<N> {
    let nodes = N::all(outline);
    let mut above = Vec::with_capacity(nodes.len() + 4);
    above.extend_from_slice(nodes.get(..N::before(outline, offset)).unwrap_or(nodes));
    above
}
