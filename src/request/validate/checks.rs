//! The checks, in the order in which they are reported. Each finds all violations of its kind.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::{Repair, Violation, ViolationKind};
use crate::document::{BlockRef, BulletRef, Lifetime, MemoryDoc, SectionRef, bullet_start, fence_open};
use crate::text::{Irregularities, Line, Span, Timestamp, Unit, fold_name, irregularities, is_blank};

/// How many violations of one kind are reported one by one.
pub(super) const MAX_PER_KIND: usize = 50;

/// Finds all violations of one kind, each with the repair that may do.
type Check = fn(&MemoryDoc, Timestamp) -> Vec<Violation>;

/// All checks.
pub(super) const ALL: [Check; 11] = [
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
];

fn at(doc: &MemoryDoc, offset: usize, kind: ViolationKind) -> Violation {
    Violation {
        kind,
        line: Some(doc.line_number(offset)),
        section: doc.section_at(offset).map(|section| section.name().into()),
        key: doc.bullet_at(offset).map(|bullet| bullet.key().into()),
        fix: None,
    }
}

const fn overall(kind: ViolationKind) -> Violation {
    Violation { kind, line: None, section: None, key: None, fix: None }
}

fn sizes(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let policy = doc.policy();
    let mut found = Vec::new();
    if doc.text().len() > policy.max_bytes {
        let (used, limit) = (doc.text().len(), policy.max_bytes);
        found.push(overall(ViolationKind::TooLarge { unit: Unit::Bytes, used, limit }));
    }
    if let Some(limit) = policy.max_tokens.filter(|limit| doc.tokens() > *limit) {
        found.push(overall(ViolationKind::TooLarge { unit: Unit::Tokens, used: doc.tokens(), limit }));
    }
    found
}

fn required_sections(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let has = |name: &str| doc.sections().any(|section| fold_name(section.title()) == fold_name(name));
    let missing = doc.policy().required_sections.iter().filter(|name| !has(name));
    missing
        .map(|name| Violation {
            fix: Some(Repair::AddSection { title: name.clone().into() }),
            ..overall(ViolationKind::MissingSection(name.clone().into()))
        })
        .collect()
}

fn duplicate_ids(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let taken: HashSet<&str> = doc.blocks().map(BlockRef::id).collect();
    repeated(doc.blocks(), |block| Some(block.id()))
        .enumerate()
        .map(|(nth, (block, _))| {
            let id = block.id();
            let fix = || {
                let free = (2..=9).map(|number| format!("{id}-{number}")).find(|id| !taken.contains(id.as_str()))?;
                Repair::another_id(block, &free, block.section().and_then(SectionRef::unique_name))
            };
            // Each looks at all blocks.
            let fix = (nth < MAX_PER_KIND).then(fix).flatten();
            Violation { fix, ..at(doc, block.line.start(), ViolationKind::DuplicateId(id.into())) }
        })
        .collect()
}

fn duplicate_bullets(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    repeated(doc.bullets(), said_in_list)
        .map(|(bullet, first)| {
            let violation = at(doc, bullet.line.start(), ViolationKind::DuplicateBullet(first.line_number()));
            // Children of different bullets may say the same of different things.
            let is_beside = first.parent() == bullet.parent();
            Violation { fix: deletion(bullet).filter(|_| is_beside), ..violation }
        })
        .collect()
}

/// Returns what a bullet says, and where; `None` if it says nothing.
fn said_in_list(bullet: BulletRef<'_>) -> Option<(Option<SectionRef<'_>>, Option<BlockRef<'_>>, String)> {
    let content = bullet.folded_content().into_owned();
    (!content.is_empty()).then(|| (bullet.section(), bullet.block(), content))
}

fn ambiguous_sections(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    repeated(doc.sections(), |section| Some(section.path()))
        .map(|(section, _)| at(doc, section.line.start(), ViolationKind::AmbiguousSection(section.path().into())))
        .collect()
}

/// Returns the nodes that say what one before them says, each with the first that does.
fn repeated<N: Copy, T: Hash + Eq>(
    nodes: impl Iterator<Item = N>,
    said: impl Fn(N) -> Option<T>,
) -> impl Iterator<Item = (N, N)> {
    let mut seen: HashMap<T, N> = HashMap::new();
    nodes.filter_map(move |node| match seen.entry(said(node)?) {
        Entry::Occupied(first) => Some((node, *first.get())),
        Entry::Vacant(place) => {
            place.insert(node);
            None
        }
    })
}

/// Returns the repair that deletes a bullet, unless that is pinned.
fn deletion(bullet: BulletRef<'_>) -> Option<Repair> {
    (!bullet.is_pinned()).then(|| Repair::DeleteBullet { key: bullet.key().into() })
}

fn unclosed_fences(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let open = doc.outline().fences().iter().filter(|fence| !fence.is_closed);
    open.map(|fence| {
        // One that the end of a bullet ends cannot be closed at the end of the document.
        let behind = Span::new(fence.extent.end(), doc.text().len()).of(doc.text());
        let line = closing_line(doc, fence.extent.start()).filter(|_| is_blank(behind));
        let violation = at(doc, fence.extent.start(), ViolationKind::UnclosedFence);
        Violation { fix: line.map(|line| Repair::CloseFence { line: line.into() }), ..violation }
    })
    .collect()
}

/// Returns the line that closes the fence opened on the line at `start`, as far in as that.
fn closing_line(doc: &MemoryDoc, start: usize) -> Option<String> {
    let line = Line::holding(doc.text(), start).text.of(doc.text());
    let rest = line.get(bullet_start(line).map_or(0, |bullet| bullet.rest)..)?;
    let fence = rest.trim_start_matches([' ', '\t']);
    let open = fence_open(fence)?;
    let before = line.get(..line.len() - fence.len())?;
    let indentation: String = before.chars().map(|c| if c == '\t' { c } else { ' ' }).collect();
    Some(indentation + &char::from(open.byte).to_string().repeat(open.length))
}

/// Finds brackets that are no tags, and lifetimes that cannot be read.
fn malformed_tags(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    let mut found = malformed_brackets(doc);
    found.extend(unreadable_lifetimes(doc, now));
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
        .map(|bullet| at(doc, bullet.line.start(), ViolationKind::MalformedTags))
        .collect()
}

fn unreadable_lifetimes(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    of_bullets(doc, |bullet| {
        let error = bullet.unreadable_lifetime()?;
        // What can be read beside it is not to be lost.
        let is_lost = bullet.lifetime() != Lifetime::Unreadable;
        let fix = (!is_lost).then(|| Repair::ClearTtl { key: bullet.key().into() });
        Some((ViolationKind::UnreadableLifetime(error), fix))
    })
}

fn ttls_without_start(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    of_bullets(doc, |bullet| {
        let ttl = bullet.ttl().filter(|_| bullet.lifetime() == Lifetime::Hint)?;
        let key = bullet.key().into();
        let fix = match ttl.duration().is_zero() {
            true => Repair::ClearTtl { key },
            false => Repair::StartTtl { key, ttl: ttl.clone() },
        };
        Some((ViolationKind::TtlWithoutStart(ttl), Some(fix)))
    })
}

fn expired(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    of_bullets(doc, |bullet| {
        let Lifetime::Until(end) = bullet.lifetime() else { return None };
        let kind = ViolationKind::Expired { end, is_pinned: bullet.is_pinned() };
        (end <= now).then(|| (kind, deletion(bullet)))
    })
}

/// Finds what is wrong with the tags of single bullets, and what puts it right.
fn of_bullets(
    doc: &MemoryDoc,
    check: impl Fn(BulletRef<'_>) -> Option<(ViolationKind, Option<Repair>)>,
) -> Vec<Violation> {
    let found = doc.bullets().filter(|bullet| !bullet.tags.is_empty()).filter_map(|bullet| {
        let (kind, fix) = check(bullet)?;
        Some(Violation { fix, ..at(doc, bullet.line.start(), kind) })
    });
    found.collect()
}

fn irregular_characters(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let mut found = Irregularities::default();
    irregularities(doc.text(), doc.span(), &mut found);
    let mut found: Vec<_> = found.iter().collect();
    found.sort_by_key(|(irregular, _)| irregular.offset);
    found
        .into_iter()
        .map(|(irregular, count)| {
            let fix = Repair::without_character(doc, irregular.character, count);
            Violation { fix, ..at(doc, irregular.offset, ViolationKind::Irregular(irregular, count)) }
        })
        .collect()
}

fn look_alikes(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let reserved: HashSet<_> = doc.policy().reserved_sections.iter().map(|name| fold_name(name)).collect();
    let sections = doc.sections().filter(|section| reserved.contains(&fold_name(section.title())));
    let headings: HashSet<_> = sections.map(|section| section.line.start()).collect();
    let lines = doc.look_alikes().iter().filter(|line| !headings.contains(&line.start()));
    lines
        .map(|line| {
            let name = doc.rules().reserved_name(line.of(doc.text())).unwrap_or_default();
            at(doc, line.start(), ViolationKind::LookAlike(name.into()))
        })
        .collect()
}
