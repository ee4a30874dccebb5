//! What lines are read as: enough to tell whether text that is moved still means what it meant.

use std::collections::HashMap;

use crate::document::{MemoryDoc, SectionRef};
use crate::text::{Line, Lines, Span, is_blank};

/// What a line is: the number of its section's path, that of its block's ID, how deep in bullets it stands, whether it is code,
/// and what it says.
pub(super) type Reading<'t> = (usize, Option<usize>, Option<usize>, bool, &'t str);

/// The paths of sections and the IDs of blocks by number, the same in all documents: long ones are not compared for each line.
///
/// A path is numbered by that of what is above, 0 at the top, and a title; an ID stands beside none.
#[derive(Default)]
pub(super) struct Paths<'t>(HashMap<(Option<usize>, &'t str), usize>);

impl<'t> Paths<'t> {
    fn below(&mut self, above: usize, title: &'t str) -> usize {
        self.number((Some(above), title))
    }

    fn number(&mut self, named: (Option<usize>, &'t str)) -> usize {
        let next = self.0.len() + 1;
        *self.0.entry(named).or_insert(next)
    }

    /// Returns the number of each section's path; for that of the source of a merge, the first of two sections, the number of
    /// the target's, the second.
    fn of(&mut self, doc: &'t MemoryDoc, merged: Option<(SectionRef<'t>, SectionRef<'t>)>) -> Vec<usize> {
        let mut above: Vec<_> = merged.into_iter().flat_map(|(_, target)| target.ancestors()).collect();
        above.reverse();
        let target = above.into_iter().fold(0, |above, section| self.below(above, section.title()));
        let mut numbers: Vec<usize> = Vec::new();
        for section in doc.sections() {
            let above = section.parent().and_then(|parent| numbers.get(parent.index())).copied().unwrap_or_default();
            let is_source = merged.is_some_and(|(source, _)| source == section);
            numbers.push(if is_source { target } else { self.below(above, section.title()) });
        }
        numbers
    }
}

/// Iterates over the lines below the front matter that say something, with what each is; of a section that is merged into
/// another, with what it is to be.
pub(super) fn readings<'t>(
    doc: &'t MemoryDoc,
    merged: Option<(SectionRef<'t>, SectionRef<'t>)>,
    paths: &mut Paths<'t>,
) -> impl Iterator<Item = (Line, Reading<'t>)> + use<'t> {
    let text = doc.text();
    let of_sections = paths.of(doc, merged);
    let of_blocks: Vec<usize> = doc.blocks().map(|block| paths.number((None, block.id()))).collect();
    let body = Span::new(doc.outline().body_start().min(text.len()), text.len());
    Lines::within(text, body).filter(|line| !is_blank(line.text.of(text))).map(move |line| {
        let (at, own) = (line.full.start(), line.text.of(text));
        let (section, bullet) = (doc.section_at(at), doc.bullet_at(at));
        let path = section.and_then(|section| of_sections.get(section.index())).copied().unwrap_or_default();
        let block = doc.block_at(at).filter(|block| !block.is_section);
        let block = block.and_then(|block| of_blocks.get(block.index())).copied();
        let said = match (section, bullet) {
            // How deep a heading stands, its path says.
            (Some(section), _) if section.line.start() == at => "",
            (_, Some(bullet)) if bullet.line.start() == at => own.get(bullet.marker.end() - at..).unwrap_or_default(),
            _ => own,
        };
        let depth = bullet.map(|bullet| bullet.depth);
        (line, (path, block, depth, doc.outline().is_fenced(at), said.trim()))
    })
}
