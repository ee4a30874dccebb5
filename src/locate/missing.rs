//! Help where a name was not found: what else is called so, the name that is near, else those that there are.

use super::closest::{Reason, nearest_name};
use super::diagnostic::{Diagnostic, Fix};
use super::marks;
use crate::document::{BlockId, BulletId, Case, MemoryDoc, SectionId};
use crate::text::{Content, Span, excerpt, fold_name};

/// How many names are listed.
const KNOWN: usize = 8;
/// How many characters of a name are listed.
const LISTED: usize = 60;
/// How many things that are called as another was sought are told of.
const TOLD: usize = 3;

/// Helps where no section has the name.
pub(super) fn section(doc: &MemoryDoc, name: &str) -> Diagnostic {
    let called = Called::new(doc, marks::block_readings(name));
    let (blocks, mut bullets) = (called.blocks(), called.bullets());
    if let Some((_, last)) = name.rsplit_once('>').filter(|_| bullets.is_empty()) {
        // A path may go on to a bullet.
        bullets = Called::new(doc, marks::block_readings(last.trim())).bullets();
    }
    let block = || match blocks.as_slice() {
        [only] => Some(Fix::Instead { of: "section", fix: Box::new(Fix::NameBlock(doc.block_id(*only).into())) }),
        _ => None,
    };
    let bullet = || match bullets.as_slice() {
        [only] => Some(under(doc, *only)),
        _ => None,
    };
    let mut reasons: Vec<_> = blocks.iter().map(|id| called_so(doc, "block", block_line(doc, *id))).collect();
    reasons.extend(bullets.iter().map(|id| called_so(doc, "bullet", bullet_line(doc, *id))));
    reasons.truncate(TOLD);
    let fix = block().or_else(bullet).or_else(|| near_section(doc, name).map(|name| Fix::NameSection(name.into())));
    let known = listed(doc.outline().section_ids().map(|id| doc.section_name(id)));
    Diagnostic { reasons, fix, known, ..Diagnostic::default() }
}

/// Helps where no block has the ID.
pub(super) fn block(doc: &MemoryDoc, id: &str) -> Diagnostic {
    let called = Called::new(doc, marks::block_readings(id));
    let (blocks, sections) = (called.blocks(), called.sections(id));
    let name_block = |id: &BlockId| Fix::NameBlock(doc.block_id(*id).into());
    let titled = || if let [only] = blocks.as_slice() { Some(name_block(only)) } else { None };
    let section = || match sections.as_slice() {
        [only] => {
            Some(Fix::Instead { of: "block", fix: Box::new(Fix::NameSection(doc.unique_section_name(*only)?.into())) })
        }
        _ => None,
    };
    // With other digits it is another block; with the same in another order it is mistyped.
    let digits = |id: &str| {
        let mut digits: Vec<char> = id.chars().filter(char::is_ascii_digit).collect();
        digits.sort_unstable();
        digits
    };
    let near = || nearest_name(&marks::bare(id), doc.outline().block_ids().map(|id| doc.block_id(id)));
    let near = || doc.outline().block_ids().nth(near()?).filter(|near| digits(doc.block_id(*near)) == digits(id));
    let near = || near().as_ref().map(name_block);
    let reason = |block: &BlockId| match called.is_so(doc.block_id(*block)) {
        true => elsewhere(doc, *block),
        false => called_so(doc, "title", block_line(doc, *block)),
    };
    let mut reasons: Vec<_> = blocks.iter().map(reason).collect();
    if blocks.is_empty() {
        reasons.extend(sections.iter().map(|id| called_so(doc, "section", section_line(doc, *id))));
    }
    reasons.truncate(TOLD);
    let known = listed(doc.outline().block_ids().map(|id| doc.block_id(id).to_owned()));
    Diagnostic { reasons, fix: titled().or_else(section).or_else(near), known, ..Diagnostic::default() }
}

/// Helps where no slot has the name.
pub(super) fn slot(doc: &MemoryDoc, name: &str) -> Diagnostic {
    let slots = || doc.outline().slots().iter().map(|slot| slot.name.of(doc.text()));
    let fix = nearest_name(&marks::bare(name), slots())
        .and_then(|nth| slots().nth(nth))
        .map(|name| Fix::NameSlot(name.into()));
    Diagnostic { fix, known: listed(slots().map(str::to_owned)), ..Diagnostic::default() }
}

/// What else than what was sought has the called name.
struct Called<'a> {
    doc: &'a MemoryDoc,
    /// The ways to read the name, folded.
    readings: Vec<String>,
}

impl<'a> Called<'a> {
    fn new(doc: &'a MemoryDoc, readings: Vec<String>) -> Self {
        Self { doc, readings: readings.iter().map(|name| fold_name(name)).filter(|name| !name.is_empty()).collect() }
    }

    fn is_so(&self, name: &str) -> bool {
        self.readings.contains(&fold_name(name))
    }

    /// Returns the blocks of that ID, else of that title.
    fn blocks(&self) -> Vec<BlockId> {
        let doc = self.doc;
        let is_editable = |id: &BlockId| doc.reserved_section_at(block_line(doc, *id).start()).is_none();
        let blocks = || doc.outline().block_ids().filter(is_editable);
        let identified: Vec<_> = blocks().filter(|id| self.is_so(doc.block_id(*id))).collect();
        if identified.is_empty() {
            blocks().filter(|id| self.is_so(doc.block_title(*id))).collect()
        } else {
            identified
        }
    }

    /// Returns the bullets that say so.
    fn bullets(&self) -> Vec<BulletId> {
        let doc = self.doc;
        let is_editable = |id: &BulletId| doc.reserved_section_at(bullet_line(doc, *id).start()).is_none();
        let says_so = |id: &BulletId| self.is_so(&doc.folded_content(*id));
        doc.outline().bullets_within(doc.span()).filter(says_so).filter(is_editable).collect()
    }

    fn sections(&self, name: &str) -> Vec<SectionId> {
        let named = marks::readings(name).into_iter().map(|name| self.doc.sections_named(&name, Case::Folded));
        named.into_iter().find(|named| !named.is_empty()).unwrap_or_default()
    }
}

/// Names a place below a bullet.
fn under(doc: &MemoryDoc, id: BulletId) -> Fix {
    let section = doc.outline().bullet(id).and_then(|bullet| bullet.section);
    Fix::Under {
        section: section.and_then(|id| doc.unique_section_name(id)).map(Into::into),
        text: doc.folded_content(id).into_owned().into(),
    }
}

/// Returns the name of the one section that is called nearly so. A path is compared with paths as long.
fn near_section(doc: &MemoryDoc, called: &str) -> Option<String> {
    let name = marks::bare(called);
    let path: Vec<_> = name.split('>').collect();
    let names = |id: SectionId| {
        let ancestors = doc.outline().ancestors(id).take(path.len());
        let mut titles: Vec<_> = ancestors.map(|ancestor| doc.section_title(ancestor)).collect();
        titles.reverse();
        titles.join(" > ")
    };
    let names: Vec<_> = doc.outline().section_ids().map(names).collect();
    let last = path.last().filter(|_| path.len() > 1).copied().unwrap_or_default();
    let is_one =
        |name: &str| if let [only] = doc.sections_named(name, Case::Kept).as_slice() { Some(*only) } else { None };
    let near = nearest_name(&name, names.iter().map(String::as_str)).and_then(|nth| is_one(names.get(nth)?));
    let near = near.or_else(|| is_one(last).filter(|_| !last.trim().is_empty()))?;
    doc.unique_section_name(near)
}

fn called_so(doc: &MemoryDoc, what: &'static str, line: Span) -> Reason {
    Reason::Called { what, line: doc.line_number(line.start()) }
}

/// Says where the block stands that was sought in another section.
fn elsewhere(doc: &MemoryDoc, id: BlockId) -> Reason {
    let section = doc.outline().block(id).and_then(|block| block.section);
    Reason::OtherSection(section.map(|section| doc.section_name(section)).map(Into::into))
}

fn section_line(doc: &MemoryDoc, id: SectionId) -> Span {
    doc.outline().section(id).map_or(Span::at(0), |section| section.line)
}

fn block_line(doc: &MemoryDoc, id: BlockId) -> Span {
    doc.outline().block(id).map_or(Span::at(0), |block| block.line)
}

fn bullet_line(doc: &MemoryDoc, id: BulletId) -> Span {
    doc.outline().bullet(id).map_or(Span::at(0), |bullet| bullet.line)
}

fn listed(names: impl Iterator<Item = String>) -> Vec<Content> {
    names.filter(|name| !name.is_empty()).take(KNOWN).map(|name| excerpt(&name, LISTED).into()).collect()
}
