//! The checks, in the order in which they are reported. Each finds all violations of its kind.

use std::collections::HashSet;
use std::hash::Hash;

use super::super::rewrite::equal_bullets;
use super::{Repair, Violation, ViolationKind};
use crate::document::{BulletRef, Lifetime, MemoryDoc, Paths, bullet_start};
use crate::text::{Irregularities, Timestamp, Unit, fold_name, irregularities};

/// Finds all violations of one kind.
pub(super) type Check = fn(&MemoryDoc, Timestamp) -> Vec<Violation>;

/// All checks.
pub(super) const ALL: [Check; 12] = [
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

fn sizes(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let policy = doc.policy();
    let mut found = Vec::new();
    if doc.text().len() > policy.max_bytes {
        let (used, limit) = (doc.text().len(), policy.max_bytes);
        found.push(Violation::of(ViolationKind::TooLarge { unit: Unit::Bytes, used, limit }));
    }
    if let Some(limit) = policy.max_tokens.filter(|limit| doc.tokens() > *limit) {
        found.push(Violation::of(ViolationKind::TooLarge { unit: Unit::Tokens, used: doc.tokens(), limit }));
    }
    found
}

fn required_sections(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let titles: HashSet<String> = doc.sections().map(|section| fold_name(section.title())).collect();
    let missing = doc.policy().required_sections.iter().filter(|name| !titles.contains(&fold_name(name)));
    missing.map(|name| Violation::of(ViolationKind::MissingSection(name.clone().into()))).collect()
}

fn duplicate_ids(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let again = repeated(doc.blocks(), |block| Some(block.id()));
    again.map(|block| Violation::at(doc, block.line.start(), ViolationKind::DuplicateId(block.id().into()))).collect()
}

fn duplicate_bullets(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let mut found = Vec::new();
    for group in equal_bullets(doc, doc.bullets()) {
        let Some((first, others)) = group.split_first() else { continue };
        let kind = ViolationKind::DuplicateBullet(first.line_number());
        let violation =
            |bullet: &BulletRef<'_>| Violation::at(doc, bullet.line.start(), kind.clone()).with_fix(deletion(*bullet));
        found.extend(others.iter().map(violation));
    }
    found.sort_by_key(|violation| violation.line);
    found
}

fn ambiguous_sections(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let numbers = Paths::new(|title| title.into()).of(doc);
    repeated(doc.sections(), |section| numbers.get(section.index()).copied())
        .map(|section| {
            Violation::at(doc, section.line.start(), ViolationKind::AmbiguousSection(section.shown_name().into()))
        })
        .collect()
}

/// Returns the nodes that say what one before them says.
fn repeated<N: Copy, T: Hash + Eq>(
    nodes: impl Iterator<Item = N>,
    says: impl Fn(N) -> Option<T>,
) -> impl Iterator<Item = N> {
    let mut seen: HashSet<T> = HashSet::new();
    nodes.filter(move |node| says(*node).is_some_and(|text| !seen.insert(text)))
}

/// Returns the repair that deletes a bullet, unless that has children, is pinned, or nested in one that is.
fn deletion(bullet: BulletRef<'_>) -> Option<Repair> {
    let is_sure = !bullet.is_pinned_with_parents() && bullet.children().next().is_none();
    is_sure.then_some(Repair::DeleteBullet)
}

fn unclosed_fences(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let open = doc.outline().fences().iter().filter(|fence| !fence.is_closed);
    open.map(|fence| Violation::at(doc, fence.extent.start(), ViolationKind::UnclosedFence)).collect()
}

/// Finds brackets that are no tags, and lifetimes that cannot be read.
fn malformed_tags(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    let mut found = malformed_brackets(doc);
    found.extend(unreadable_lifetimes(doc, now));
    let behind = doc.bullets().filter(BulletRef::has_tags_behind);
    found.extend(behind.map(|bullet| Violation::at(doc, bullet.line.start(), ViolationKind::TagsBehind)));
    found.sort_by_key(|violation| violation.line);
    found
}

/// Finds bullets whose text begins with a bracket that is not closed, or that text follows without a space.
fn malformed_brackets(doc: &MemoryDoc) -> Vec<Violation> {
    let is_malformed = |line: &str| {
        let Some(inner) =
            bullet_start(line).and_then(|start| line.get(start.rest..)).and_then(|text| text.strip_prefix('['))
        else {
            return false;
        };
        let mut end = inner.chars().skip_while(|c| !matches!(c, '[' | ']'));
        match (end.next(), end.next()) {
            (None, _) | (Some('['), Some(_)) => true,
            (_, next) => next.is_some_and(char::is_alphanumeric),
        }
    };
    doc.bullets()
        .filter(|bullet| is_malformed(bullet.line_text()))
        .map(|bullet| Violation::at(doc, bullet.line.start(), ViolationKind::MalformedTags))
        .collect()
}

fn unreadable_lifetimes(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let found = tagged(doc).filter_map(|bullet| {
        let error = bullet.unreadable_lifetime()?;
        // What can be read beside it is not to be lost.
        let is_lost = bullet.lifetime() != Lifetime::Unreadable;
        let fix = (!is_lost).then_some(Repair::ClearTtl);
        Some(Violation::at(doc, bullet.line.start(), ViolationKind::UnreadableLifetime(error)).with_fix(fix))
    });
    found.collect()
}

fn ttls_without_start(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let found = tagged(doc).filter_map(|bullet| {
        let ttl = bullet.ttl().filter(|_| bullet.lifetime() == Lifetime::Hint)?;
        let violation = Violation::at(doc, bullet.line.start(), ViolationKind::TtlWithoutStart(ttl.clone()));
        Some(violation.with_fix(if ttl.duration().is_zero() { Repair::ClearTtl } else { Repair::StartTtl(ttl) }))
    });
    found.collect()
}

fn expired(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    let found = tagged(doc).filter_map(|bullet| {
        let Lifetime::Until(end) = bullet.lifetime() else { return None };
        let (is_pinned, has_children) = (bullet.is_pinned_with_parents(), bullet.children().next().is_some());
        let kind = ViolationKind::Expired { end, is_pinned, has_children };
        (end <= now).then(|| Violation::at(doc, bullet.line.start(), kind).with_fix(deletion(bullet)))
    });
    found.collect()
}

fn tagged(doc: &MemoryDoc) -> impl Iterator<Item = BulletRef<'_>> {
    doc.bullets().filter(|bullet| !bullet.tags_span().is_empty())
}

fn irregular_characters(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let mut found = Irregularities::default();
    irregularities(doc.text(), doc.span(), &mut found);
    let mut found: Vec<_> = found.iter().collect();
    found.sort_by_key(|(irregular, _)| irregular.offset);
    let found = found.into_iter();
    found
        .map(|(irregular, count)| Violation::at(doc, irregular.offset, ViolationKind::Irregular(irregular, count)))
        .collect()
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
    hidden
        .filter_map(|((_, name), at)| Some(Violation::at(doc, at?, ViolationKind::HiddenSection((*name).into()))))
        .collect()
}
