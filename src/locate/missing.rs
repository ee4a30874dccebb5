//! Help where a name was not found: what else is called so, the name that is near, else those that there are.

use super::closest::{nearest_name, nearest_path};
use super::diagnostic::Diagnostic;
use super::fix::{Fix, NodeKind};
use super::marks;
use super::reason::Reason;
use crate::document::{BlockRef, BulletRef, Case, MemoryDoc, NodeRef, SectionRef};
use crate::text::{Content, excerpt, fold_name, sort};

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
    let block = || only(&blocks).map(|block| Fix::Instead { of: NodeKind::Section, fix: Box::new(name_block(block)) });
    let mut reasons: Vec<_> = blocks.iter().map(|block| called_so(NodeKind::Block, block.line_number())).collect();
    reasons.extend(bullets.iter().map(|bullet| called_so(NodeKind::Bullet, bullet.line_number())));
    reasons.truncate(TOLD);
    let fix = block().or_else(|| only(&bullets).map(under)).or_else(|| Fix::section(near_section(doc, name)));
    let known = listed(doc.sections().map(SectionRef::name));
    Diagnostic { reasons, fix, known, ..Diagnostic::default() }
}

/// Helps where no block has the ID.
pub(super) fn block(doc: &MemoryDoc, id: &str) -> Diagnostic {
    let called = Called::new(doc, marks::block_readings(id));
    let (blocks, sections) = (called.blocks(), called.sections(id));
    let section = || Some(Fix::Instead { of: NodeKind::Block, fix: Box::new(Fix::section(only(&sections))?) });
    // With other digits it is another block; with the same in another order it is mistyped.
    let digits = |id: &str| {
        let mut digits: Vec<char> = id.chars().filter(char::is_ascii_digit).collect();
        sort(&mut digits);
        digits
    };
    let near = || {
        let nth = nearest_name(&marks::bare(id), doc.blocks().map(BlockRef::id))?;
        doc.blocks().nth(nth).filter(|near| digits(near.id()) == digits(id)).map(name_block)
    };
    let reason = |block: &BlockRef<'_>| match called.is_so(block.id()) {
        // It stands in another section than the one that was named.
        true => Reason::OtherSection(block.section().map(|section| section.name().into())),
        false => Reason::TitleOfBlock(block.line_number()),
    };
    let mut reasons: Vec<_> = blocks.iter().map(reason).collect();
    if blocks.is_empty() {
        reasons.extend(sections.iter().map(|section| called_so(NodeKind::Section, section.line_number())));
    }
    reasons.truncate(TOLD);
    let known = listed(doc.blocks().map(|block| block.id().to_owned()));
    let fix = only(&blocks).map(name_block).or_else(section).or_else(near);
    Diagnostic { reasons, fix, known, ..Diagnostic::default() }
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

    fn is_editable(&self, offset: usize) -> bool {
        self.doc.reserved_section_at(offset).is_none()
    }

    /// Returns the blocks of that ID, else of that title.
    fn blocks(&self) -> Vec<BlockRef<'a>> {
        let blocks = || self.doc.blocks().filter(|block| self.is_editable(block.line.start()));
        let identified: Vec<_> = blocks().filter(|block| self.is_so(block.id())).collect();
        if identified.is_empty() { blocks().filter(|block| self.is_so(block.title())).collect() } else { identified }
    }

    /// Returns the bullets that say so.
    fn bullets(&self) -> Vec<BulletRef<'a>> {
        let says_so = |bullet: &BulletRef<'_>| self.is_so(&bullet.folded_content());
        self.doc.bullets().filter(says_so).filter(|bullet| self.is_editable(bullet.line.start())).collect()
    }

    fn sections(&self, name: &str) -> Vec<SectionRef<'a>> {
        let named = marks::readings(name).into_iter().map(|name| self.doc.sections_named(&name, Case::Folded));
        named.into_iter().find(|named| !named.is_empty()).unwrap_or_default()
    }
}

fn only<'a, N>(nodes: &[NodeRef<'a, N>]) -> Option<NodeRef<'a, N>> {
    if let [only] = nodes { Some(*only) } else { None }
}

fn name_block(block: BlockRef<'_>) -> Fix {
    Fix::NameBlock(block.id().into())
}

/// Names a place below a bullet.
fn under(bullet: BulletRef<'_>) -> Fix {
    Fix::Under {
        section: bullet.section().and_then(SectionRef::asked_name).map(Into::into),
        text: bullet.folded_content().into_owned().into(),
    }
}

/// What else than ` > ` is written between the titles of a path.
const SEPARATORS: [&str; 5] = ["/", "→", "»", "::", ":"];

/// Returns the one section that is called nearly so: of a path, one that has its last title, else one whose titles are all near.
fn near_section<'a>(doc: &'a MemoryDoc, called: &str) -> Option<SectionRef<'a>> {
    let name = marks::bare(called);
    let is_one = |name: &str| only(&doc.sections_named(name, Case::Kept)).filter(|_| !name.trim().is_empty());
    let path: Vec<_> = name.split('>').collect();
    let Some(last) = path.last().filter(|_| path.len() > 1) else {
        let with = |separator: &&str| is_one(&name.split(separator).map(str::trim).collect::<Vec<_>>().join(" > "));
        let separated = || SEPARATORS.iter().filter(|separator| name.contains(**separator)).find_map(with);
        let names: Vec<_> = doc.sections().map(SectionRef::title).collect();
        return separated()
            .or_else(|| nearest_name(&name, names.iter().copied()).and_then(|nth| is_one(names.get(nth)?)));
    };
    let paths: Vec<_> = doc.sections().map(|section| section.path_of(path.len())).collect();
    let near = || nearest_path(&path, paths.iter().map(String::as_str)).and_then(|nth| is_one(paths.get(nth)?));
    is_one(last).or_else(near)
}

const fn called_so(what: NodeKind, line: usize) -> Reason {
    Reason::Called { what, line }
}

fn listed(names: impl Iterator<Item = String>) -> Vec<Content> {
    names.filter(|name| !name.is_empty()).take(KNOWN).map(|name| excerpt(&name, LISTED).into()).collect()
}
