//! `validate_memory`: what is wrong with a document as it stands, and what puts it right.
//!
//! A repair is offered only where one is sure: it loses nothing that holds, and deletes no bullet that is pinned or has children.

mod violation;

use std::collections::{BTreeMap, HashSet};
use std::hash::Hash;

use super::Budget;
use super::rewrite::equal_bullets;
use crate::document::{BulletRef, Lifetime, MemoryDoc, Paths, SectionRef, bullet_start, has_tags_behind};
use crate::text::{Excess, Irregular, Timestamp, fold_name, irregular};

pub use violation::{Repair, Violation, ViolationKind};

/// Finds all violations of one kind.
type Check = fn(&MemoryDoc, Timestamp) -> Vec<Violation>;

/// The checks, in the order in which they are reported.
const CHECKS: [Check; 12] = [
    sizes,
    required_sections,
    duplicate_ids,
    duplicate_bullets,
    ambiguous_sections,
    unclosed_fences,
    malformed_tags,
    ttls_without_start,
    expired,
    irregular_characters,
    look_alikes,
    hidden_sections,
];

/// Returns every violation at the time `now`, check by check, each in the order of the document.
///
/// A fix takes its violation away. Like any edit, it may be refused: in a reserved section, or where it makes the text too large.
pub fn validate(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    let sorted = |check: &Check| {
        let mut found = check(doc, now);
        found.sort_by_key(|violation| violation.line);
        found
    };
    CHECKS.iter().flat_map(sorted).collect()
}

fn sizes(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let (tokens, bytes) = (doc.policy().max_tokens, Some(doc.policy().max_bytes));
    let excess = Budget { tokens, bytes }.exceeded_by(doc, doc.span());
    let kind = |Excess { unit, used, limit }| ViolationKind::TooLarge { unit, used, limit };
    excess.map(|excess| Violation::of(kind(excess))).into_iter().collect()
}

fn required_sections(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let titles: HashSet<String> = doc.sections().map(|section| fold_name(section.title())).collect();
    let missing = doc.policy().required_sections.iter().filter(|name| !titles.contains(&fold_name(name)));
    missing.map(|name| Violation::of(ViolationKind::MissingSection(name.clone().into()))).collect()
}

fn duplicate_ids(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let again = repeated(doc.blocks(), |block| block.id());
    again.map(|block| Violation::at(doc, block.line.start(), ViolationKind::DuplicateId(block.id().into()))).collect()
}

fn duplicate_bullets(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let mut found = Vec::new();
    for group in equal_bullets(doc, doc.bullets()) {
        let Some((first, others)) = group.split_first() else { continue };
        let kind = ViolationKind::DuplicateBullet(first.line_number());
        found.extend(others.iter().map(|bullet| Violation::of_bullet(*bullet, kind.clone(), deletion(*bullet))));
    }
    found
}

fn ambiguous_sections(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let paths = Paths::new(|title| title.into()).of(doc);
    let again = repeated(doc.sections(), |section| paths.get(section.index()).copied());
    let kind = |section: SectionRef<'_>| ViolationKind::AmbiguousSection(section.shown_name().into());
    again.map(|section| Violation::at(doc, section.line.start(), kind(section))).collect()
}

/// Returns the nodes that say what one before them says.
fn repeated<N: Copy, T: Hash + Eq>(nodes: impl Iterator<Item = N>, says: impl Fn(N) -> T) -> impl Iterator<Item = N> {
    let mut seen: HashSet<T> = HashSet::new();
    nodes.filter(move |node| !seen.insert(says(*node)))
}

/// Returns the repair that deletes a bullet, unless that has children, is pinned, or nested in one that is.
fn deletion(bullet: BulletRef<'_>) -> Option<Repair> {
    let is_sure = !bullet.is_pinned_with_parents() && bullet.children().next().is_none();
    is_sure.then_some(Repair::DeleteBullet)
}

fn unclosed_fences(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let open = doc.outline().fences.iter().filter(|fence| !fence.is_closed);
    open.map(|fence| Violation::at(doc, fence.extent.start(), ViolationKind::UnclosedFence)).collect()
}

/// Finds brackets that are no tags, and lifetimes that cannot be read.
fn malformed_tags(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let found = |bullet: BulletRef<'_>| {
        let brackets = has_malformed_brackets(bullet.line_text()).then_some((ViolationKind::MalformedTags, None));
        // What can be read beside it is not to be lost.
        let fix = (bullet.lifetime() == Lifetime::Unreadable).then_some(Repair::ClearTtl);
        let lifetime = bullet.unreadable_lifetime().map(|error| (ViolationKind::UnreadableLifetime(error), fix));
        let behind = has_tags_behind(bullet.first_text().of(doc.text())).then_some((ViolationKind::TagsBehind, None));
        let kinds = [brackets, lifetime, behind].into_iter().flatten();
        kinds.map(move |(kind, fix)| Violation::of_bullet(bullet, kind, fix)).collect::<Vec<_>>()
    };
    doc.bullets().flat_map(found).collect()
}

/// Returns true if the text of a bullet begins with a bracket that is not closed, or that text follows without a space.
fn has_malformed_brackets(line: &str) -> bool {
    let text = bullet_start(line).and_then(|start| line.get(start.rest..));
    let Some(inner) = text.and_then(|text| text.strip_prefix('[')) else { return false };
    let mut end = inner.chars().skip_while(|c| !matches!(c, '[' | ']'));
    match (end.next(), end.next()) {
        (None, _) | (Some('['), Some(_)) => true,
        (_, next) => next.is_some_and(char::is_alphanumeric),
    }
}

fn ttls_without_start(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let found = tagged(doc).filter_map(|bullet| {
        let ttl = bullet.ttl().filter(|_| bullet.lifetime() == Lifetime::Hint)?;
        let fix = Repair::StartTtl(ttl.clone());
        Some(Violation::of_bullet(bullet, ViolationKind::TtlWithoutStart(ttl), Some(fix)))
    });
    found.collect()
}

fn expired(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    let found = tagged(doc).filter_map(|bullet| {
        let Lifetime::Until(end) = bullet.lifetime() else { return None };
        let (is_pinned, has_children) = (bullet.is_pinned_with_parents(), bullet.children().next().is_some());
        let kind = ViolationKind::Expired { end, is_pinned, has_children };
        (end <= now).then(|| Violation::of_bullet(bullet, kind, deletion(bullet)))
    });
    found.collect()
}

fn tagged(doc: &MemoryDoc) -> impl Iterator<Item = BulletRef<'_>> {
    doc.bullets().filter(|bullet| !bullet.tags_span().is_empty())
}

fn irregular_characters(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    // The first of each character, and how many there are.
    let mut kinds: BTreeMap<char, (Irregular, usize)> = BTreeMap::new();
    for irregular in irregular(doc.text(), doc.span()) {
        kinds.entry(irregular.character).or_insert((irregular, 0)).1 += 1;
    }
    let kind = |(first, count)| ViolationKind::Irregular(first, count);
    kinds.into_values().map(|found| Violation::at(doc, found.0.offset, kind(found))).collect()
}

fn look_alikes(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let reserved: HashSet<_> = doc.policy().reserved_sections.iter().map(|name| fold_name(name)).collect();
    let sections = doc.sections().filter(|section| reserved.contains(&fold_name(section.title())));
    let headings: HashSet<_> = sections.map(|section| section.line.start()).collect();
    let found = doc.look_alikes().into_iter().filter(|found| !headings.contains(&found.lines.start()));
    found.map(|found| Violation::at(doc, found.lines.start(), ViolationKind::LookAlike(found.name.into()))).collect()
}

fn hidden_sections(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let reserved: Vec<_> = doc.reserved_sections().collect();
    let starts: Vec<_> = reserved.iter().map(|(section, _)| section.line.start()).collect();
    let hidden = reserved.iter().zip(doc.hidden_by(&starts));
    let kind = |name: &str| ViolationKind::HiddenSection(name.into());
    hidden.filter_map(|((_, name), at)| Some(Violation::at(doc, at?, kind(name)))).collect()
}
