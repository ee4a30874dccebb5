//! Help where a name was not found: other nodes of this name, the same name in another form, and the names that
//! exist.

use super::diagnostic::{Diagnostic, Fix, NodeKind, Reason};
use super::names::{bare, block_readings, readings};
use crate::document::{BlockRef, BulletRef, Case, Kind, MemoryDoc, NodeRef, SectionRef};
use crate::text::{Content, excerpt, fold_name};

/// How many names are listed.
const KNOWN: usize = 8;
/// How many characters of a name are listed.
const LISTED: usize = 60;
/// How many other nodes of the sought name are reported.
const TOLD: usize = 3;

/// Helps where no section has the name, nor a label or a block.
pub(super) fn section(doc: &MemoryDoc, name: &str) -> Diagnostic {
    let bullets = called_so(doc, name);
    let reasons = bullets.iter().take(TOLD).map(|bullet| reason(NodeKind::Bullet, *bullet)).collect();
    let fix = if bullets.is_empty() { Fix::section(near_section(doc, name)) } else { None };
    let known = listed(doc.sections().map(SectionRef::name));
    Diagnostic { reasons, fix, known, ..Diagnostic::default() }
}

/// Helps where no block has the ID in the section that was named, or none has it, nor a label or
/// the title of a block.
pub(super) fn block<'a>(doc: &'a MemoryDoc, id: &str) -> Diagnostic {
    let readings = folded(block_readings(id));
    let is_open = |block: &BlockRef<'a>| doc.reserved_section_at(block.line.start()).is_none();
    let called = |name: fn(BlockRef<'a>) -> &'a str| -> Vec<BlockRef<'a>> {
        doc.blocks().filter(is_open).filter(|block| readings.contains(&fold_name(name(*block)))).collect()
    };
    let (blocks, titled) = (called(BlockRef::id), called(BlockRef::title));
    let written_so = || in_another_form(&bare(id), doc.blocks().map(BlockRef::id)).map(|id| Fix::NameBlock(id.into()));
    let elsewhere = |block: &BlockRef<'_>| Reason::elsewhere(block.line_number(), block.section());
    let mut reasons: Vec<_> = match (blocks.as_slice(), titled.as_slice()) {
        ([], []) => sections_called(doc, id).into_iter().map(|section| reason(NodeKind::Section, section)).collect(),
        ([], titled) => titled.iter().map(|block| reason(NodeKind::Block, *block)).collect(),
        (blocks, _) => blocks.iter().map(elsewhere).collect(),
    };
    reasons.truncate(TOLD);
    let known = listed(doc.blocks().map(|block| block.id().to_owned()));
    let fix = only(&blocks).or_else(|| only(&titled)).map(name_block).or_else(written_so);
    Diagnostic { reasons, fix, known, ..Diagnostic::default() }
}

/// Helps where no slot has the name.
pub(super) fn slot(doc: &MemoryDoc, name: &str) -> Diagnostic {
    let slots = || doc.outline().slots.iter().map(|slot| slot.name.of(doc.text()));
    let fix = in_another_form(&bare(name), slots()).map(|name| Fix::NameSlot(name.into()));
    Diagnostic { fix, known: listed(slots().map(str::to_owned)), ..Diagnostic::default() }
}

/// Returns the bullets whose content is the called name.
fn called_so<'a>(doc: &'a MemoryDoc, name: &str) -> Vec<BulletRef<'a>> {
    let readings = folded(block_readings(name));
    let is_so = |bullet: &BulletRef<'_>| readings.contains(&fold_name(&bullet.folded_content()));
    doc.bullets().filter(is_so).filter(|bullet| doc.reserved_section_at(bullet.line.start()).is_none()).collect()
}

/// Returns the sections that have the called name.
fn sections_called<'a>(doc: &'a MemoryDoc, name: &str) -> Vec<SectionRef<'a>> {
    let mut named = readings(name).into_iter().map(|name| doc.sections_named(&name, Case::Folded));
    named.find(|named| !named.is_empty()).unwrap_or_default()
}

fn folded(readings: Vec<String>) -> Vec<String> {
    readings.iter().map(|name| fold_name(name)).filter(|name| !name.is_empty()).collect()
}

fn only<'a, N: Kind>(nodes: &[NodeRef<'a, N>]) -> Option<NodeRef<'a, N>> {
    if let [only] = nodes { Some(*only) } else { None }
}

fn name_block(block: BlockRef<'_>) -> Fix {
    Fix::NameBlock(block.id().into())
}

/// Returns the one section that has the called name or path, written in another form.
fn near_section<'a>(doc: &'a MemoryDoc, called: &str) -> Option<SectionRef<'a>> {
    let name = bare(called);
    let is_one = |name: &str| only(&doc.sections_named(name, Case::Kept)).filter(|_| !name.trim().is_empty());
    let titles = name.split('>').count();
    let paths: Vec<_> = doc.sections().map(|section| section.path_of(titles)).collect();
    in_another_form(&name, paths.iter().map(String::as_str)).and_then(is_one)
}

/// Returns the one name that differs from the called one in letter case alone, or in
/// what stands between two letters: a space, a hyphen or an underscore. Any other name is that of
/// something else, however near it is: `Temp 5` is not `Temp -5`, nor `Resign` `Re-sign`.
fn in_another_form<'a>(called: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let form = |name: &str| -> String {
        let folded: Vec<char> = fold_name(name).chars().collect();
        let is_letter = |at: Option<usize>| at.and_then(|at| folded.get(at)).is_some_and(|c| c.is_alphabetic());
        let written = folded.iter().enumerate().map(|(at, c)| match c {
            '-' | '_' if is_letter(at.checked_sub(1)) && is_letter(at.checked_add(1)) => ' ',
            c => *c,
        });
        written.collect()
    };
    let wanted = form(called);
    let mut same = names.filter(|name| form(name) == wanted);
    let only = same.next().filter(|_| !wanted.is_empty())?;
    same.next().is_none().then_some(only)
}

fn reason<N: Kind>(what: NodeKind, node: NodeRef<'_, N>) -> Reason {
    Reason::Called { what, line: node.line_number() }
}

fn listed(names: impl Iterator<Item = String>) -> Vec<Content> {
    names.filter(|name| !name.is_empty()).take(KNOWN).map(|name| excerpt(&name, LISTED).into()).collect()
}
