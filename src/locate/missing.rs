//! The help for a name that was not found: other nodes with this name, a node whose name is written in another form,
//! and the names that exist.

use super::closest::{Likeness, SIMILAR};
use super::diagnostic::{Diagnostic, Fix, NodeKind, Reason};
use super::names::{bare, readings};
use crate::document::{BlockRef, Case, Kind, MemoryDoc, NodeRef, SectionRef};
use crate::text::{Content, Span, excerpt, fold_name};

/// How many existing names are listed.
const KNOWN: usize = 8;
/// The maximum length of a listed name, in characters.
const LISTED: usize = 60;
/// How many other nodes with the sought name are reported.
const REPORTED: usize = 3;

/// Returns the help if no section or block (`kind` says which) has this name in the scope.
///
/// If a section is meant, and sections outside of the scope have the name, the help reports these. Otherwise it reports
/// other nodes with this name, of the first kind that has any: blocks by ID, blocks by title, sections, labels, bullets.
pub(super) fn scope(doc: &MemoryDoc, kind: NodeKind, name: &str) -> Diagnostic {
    let mut named = readings(name).into_iter().map(|name| doc.sections_named(&name, Case::Folded));
    let sections = named.find(|named| !named.is_empty()).unwrap_or_default();
    if kind == NodeKind::Section && !sections.is_empty() {
        // They are outside of the scope, or they would have been found. There is no fix, as in `Diagnostic::elsewhere`.
        let outside = |section: &SectionRef<'_>| Reason::at(section.line_number(), "outside of the named scope");
        return Diagnostic { reasons: sections.iter().take(REPORTED).map(outside).collect(), ..Diagnostic::default() };
    }
    let folded: Vec<_> = readings(name).iter().map(|name| fold_name(name)).filter(|name| !name.is_empty()).collect();
    let is_called =
        |line: Span, own: &str| folded.contains(&fold_name(own)) && doc.reserved_section_at(line.start()).is_none();
    let by_id: Vec<_> = doc.blocks().filter(|block| is_called(block.line, block.id())).collect();
    let titled: Vec<_> = doc.blocks().filter(|block| is_called(block.line, block.title())).collect();
    let bullets = doc.bullets().filter(|bullet| is_called(bullet.line, &bullet.folded_content()));
    let bullets = reasons(NodeKind::Bullet, bullets);
    let labels = reasons(NodeKind::Label, doc.labels().filter(|label| is_called(label.line, label.name())));
    let (fix, known) = if kind == NodeKind::Block {
        let names = doc.blocks().flat_map(|block| [(block, block.id()), (block, block.title())]);
        let alone = [&by_id, &titled].into_iter().find(|named| named.len() == 1);
        let block = alone.and_then(|named| named.first().copied()).or_else(|| in_another_form(&bare(name), names));
        (block.map(|block| Fix::NameBlock(block.id().into())), known_names(name, doc.blocks().map(BlockRef::id)))
    } else {
        let near = near_section(doc, name).filter(|_| labels.is_empty() && bullets.is_empty());
        (Fix::section(near), known_names(name, doc.sections().map(SectionRef::name)))
    };
    let all = [
        by_id.iter().take(REPORTED).map(|block| Reason::elsewhere(block.line_number(), block.section())).collect(),
        reasons(NodeKind::Block, titled.into_iter()),
        reasons(NodeKind::Section, sections.into_iter()),
        labels,
        bullets,
    ];
    let reasons = all.into_iter().find(|reasons: &Vec<_>| !reasons.is_empty()).unwrap_or_default();
    Diagnostic { reasons, fix, known, ..Diagnostic::default() }
}

/// Returns the help if no slot has the name.
pub(super) fn slot(doc: &MemoryDoc, name: &str) -> Diagnostic {
    let slots = doc.outline().slots.iter().map(|slot| slot.name.of(doc.text()));
    Diagnostic { known: known_names(name, slots), ..Diagnostic::default() }
}

/// Returns the one section whose name or path is the called one, written in another form.
fn near_section<'a>(doc: &'a MemoryDoc, called: &str) -> Option<SectionRef<'a>> {
    let titles = called.split('>').count();
    in_another_form(&bare(called), doc.sections().map(|section| (section, section.path_of(titles))))
}

/// Returns the node whose name is the called one in another form, if there is exactly one. Names are the same in
/// another form if they differ only in letter case, or in a space, hyphen or underscore between two letters. Names that
/// are merely similar mean different things: `Temp 5` is not `Temp -5`, and `Resign` is not `Re-sign`.
fn in_another_form<T, N: AsRef<str>>(called: &str, named: impl Iterator<Item = (T, N)>) -> Option<T> {
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
    let mut same = named.filter(|(_, name)| form(name.as_ref()) == wanted);
    let (only, _) = same.next().filter(|_| !wanted.is_empty())?;
    same.next().is_none().then_some(only)
}

/// Names the first of these nodes, which have the sought name.
fn reasons<'d, N: Kind>(what: NodeKind, nodes: impl Iterator<Item = NodeRef<'d, N>>) -> Vec<Reason> {
    nodes.take(REPORTED).map(|node| Reason::Called { what, line: node.line_number() }).collect()
}

/// Lists existing names: those like the called one first, then the others as they stand.
fn known_names<T: AsRef<str>>(called: &str, names: impl Iterator<Item = T>) -> Vec<Content> {
    let likeness = Likeness::to(called);
    let mut names: Vec<_> = names.filter(|name| !name.as_ref().is_empty()).collect();
    names.sort_by_cached_key(|name| std::cmp::Reverse(likeness.rank(name.as_ref()).max(SIMILAR)));
    names.into_iter().take(KNOWN).map(|name| excerpt(name.as_ref(), LISTED).into()).collect()
}
