//! What lines are read as: enough to tell whether text that is moved still means what it meant.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::document::{MemoryDoc, Paths, SectionRef};
use crate::text::{Line, Lines, Span, is_blank};

/// What a line is: the number of its section's path, that of its block's ID, how deep in bullets it stands, whether it is code,
/// and what it says.
pub(super) type Reading<'t> = (Option<usize>, Option<usize>, Option<usize>, bool, &'t str);

/// The paths of sections and the IDs of blocks by number, the same in all documents: long ones are not compared for each line.
pub(super) struct Numbers<'t> {
    paths: Paths<'t>,
    blocks: HashMap<&'t str, usize>,
}

impl Default for Numbers<'_> {
    fn default() -> Self {
        Self { paths: Paths::new(Cow::Borrowed), blocks: HashMap::new() }
    }
}

/// Iterates over the lines below the front matter that say something, with what each is; of a section that is merged into
/// another, with what it is to be.
pub(super) fn readings<'t>(
    doc: &'t MemoryDoc,
    merged: Option<(SectionRef<'t>, SectionRef<'t>)>,
    numbers: &mut Numbers<'t>,
) -> impl Iterator<Item = (Line, Reading<'t>)> + use<'t> {
    let text = doc.text();
    let of_sections = numbers.paths.of_merged(doc, merged);
    let mut number = |id: &'t str| {
        let next = numbers.blocks.len();
        *numbers.blocks.entry(id).or_insert(next)
    };
    let of_blocks: Vec<usize> = doc.blocks().map(|block| number(block.id())).collect();
    let body = Span::new(doc.outline().body_start().min(text.len()), text.len());
    Lines::within(text, body).filter(|line| !is_blank(line.text.of(text))).map(move |line| {
        let (at, own) = (line.full.start(), line.text.of(text));
        let (section, bullet) = (doc.section_at(at), doc.bullet_at(at));
        let path = section.and_then(|section| of_sections.get(section.index())).copied();
        let block = doc.block_at(at).filter(|block| !block.is_section);
        let block = block.and_then(|block| of_blocks.get(block.index())).copied();
        let said = match (section, bullet) {
            // How deep a heading stands, its path says.
            (Some(section), _) if section.line.start() == at => "",
            (_, Some(bullet)) if bullet.line.start() == at => own.get(bullet.marker.end() - at..).unwrap_or_default(),
            _ => own,
        };
        let depth = bullet.map(|bullet| bullet.depth());
        (line, (path, block, depth, doc.outline().is_fenced(at), said.trim()))
    })
}
