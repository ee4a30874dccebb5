//! The checks of SPEC § 13, in its order. Each finds all violations of its kind.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use super::{Check, MAX_PER_KIND, Repair, Violation, ViolationKind};
use crate::document::{BulletId, Lifetime, MemoryDoc, SectionId, bullet_start, fence_open};
use crate::locate::Names;
use crate::text::{Irregularities, Line, Lines, Span, Timestamp, Unit, fold_name, irregularities, is_blank};

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
    let outline = doc.outline();
    let key = outline.bullet_at(offset).and_then(|bullet| doc.key(bullet));
    Violation {
        kind,
        line: Some(doc.line_number(offset)),
        section: outline.section_at(offset).map(|section| doc.section_name(section)).map(Into::into),
        key: key.map(|key| key.to_string()).map(Into::into),
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
    let has = |name: &str| doc.outline().section_ids().any(|id| fold_name(doc.section_title(id)) == fold_name(name));
    let missing = doc.policy().required_sections.iter().filter(|name| !has(name));
    missing
        .map(|name| Violation {
            fix: Some(Repair::AddSection { title: name.clone().into() }),
            ..overall(ViolationKind::MissingSection(name.clone().into()))
        })
        .collect()
}

fn duplicate_ids(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let outline = doc.outline();
    let taken: HashSet<&str> = outline.block_ids().map(|id| doc.block_id(id)).collect();
    let names = LazyCell::new(|| Names::new(doc));
    let blocks = outline.block_ids().filter_map(|id| Some((doc.block_id(id), outline.block(id)?.line.start(), id)));
    repeated(blocks)
        .enumerate()
        .map(|(nth, (id, start, block, _))| {
            let fix = || {
                let free = (2..=9).map(|number| format!("{id}-{number}")).find(|id| !taken.contains(id.as_str()))?;
                let section = outline.block(block)?.section.and_then(|section| names.unique(section));
                Repair::another_id(doc, block, &free, section)
            };
            // Each looks at all blocks.
            let fix = (nth < MAX_PER_KIND).then(fix).flatten();
            Violation { fix, ..at(doc, start, ViolationKind::DuplicateId(id.into())) }
        })
        .collect()
}

fn duplicate_bullets(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let outline = doc.outline();
    let contents = outline.bullets_within(doc.span()).filter_map(|id| {
        let bullet = outline.bullet(id)?;
        let content = doc.folded_content(id);
        let said = (bullet.section, bullet.block, content.into_owned());
        (!said.2.is_empty()).then(|| (said, bullet.line.start(), id))
    });
    let parent = |id: BulletId| outline.bullet(id).and_then(|bullet| bullet.parent);
    repeated(contents)
        .map(|(_, start, id, first)| {
            let violation = at(doc, start, ViolationKind::DuplicateBullet(doc.line_number(first)));
            // Children of different bullets may say the same of different things.
            let is_beside = outline.bullet_at(first).is_some_and(|first| parent(first) == parent(id));
            Violation { fix: deletion(doc, id).filter(|_| is_beside), ..violation }
        })
        .collect()
}

fn ambiguous_sections(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    let sections = doc.outline().section_ids().filter_map(|id| Some((id, doc.outline().section(id)?)));
    repeated(sections.map(|(id, section)| (doc.section_path(id), section.line.start(), ())))
        .map(|(path, start, ..)| at(doc, start, ViolationKind::AmbiguousSection(path.into())))
        .collect()
}

/// Returns what stood before: the thing, where it stands again, what comes with it, where it stood first.
fn repeated<T: std::hash::Hash + Eq + Clone, W>(
    things: impl Iterator<Item = (T, usize, W)>,
) -> impl Iterator<Item = (T, usize, W, usize)> {
    let mut seen: HashMap<T, usize> = HashMap::new();
    things.filter_map(move |(thing, start, with)| match seen.get(&thing) {
        Some(first) => Some((thing, start, with, *first)),
        None => {
            seen.insert(thing, start);
            None
        }
    })
}

/// Returns the repair that deletes a bullet, unless that is pinned.
fn deletion(doc: &MemoryDoc, id: BulletId) -> Option<Repair> {
    let key = doc.key(id).filter(|_| !doc.is_pinned(id))?;
    Some(Repair::DeleteBullet { key: key.to_string().into() })
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
    let bullets = doc.outline().bullets().iter();
    let lines = bullets.filter_map(|bullet| Lines::within(doc.text(), bullet.line).next());
    lines
        .filter(|line| is_malformed(line.text.of(doc.text())))
        .map(|line| at(doc, line.text.start(), ViolationKind::MalformedTags))
        .collect()
}

fn unreadable_lifetimes(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    of_bullets(doc, |id| {
        let error = doc.unreadable_lifetime(id)?;
        // What can be read beside it is not to be lost.
        let key = doc.key(id).filter(|_| doc.lifetime(id) == Lifetime::Unreadable);
        let fix = key.map(|key| Repair::ClearTtl { key: key.to_string().into() });
        Some((ViolationKind::UnreadableLifetime(error), fix))
    })
}

fn ttls_without_start(doc: &MemoryDoc, _: Timestamp) -> Vec<Violation> {
    of_bullets(doc, |id| {
        let ttl = doc.ttl(id).filter(|_| doc.lifetime(id) == Lifetime::Hint)?;
        let key = doc.key(id).map(|key| key.to_string());
        let fix = key.map(|key| match ttl.duration().is_zero() {
            true => Repair::ClearTtl { key: key.into() },
            false => Repair::StartTtl { key: key.into(), ttl: ttl.clone() },
        });
        Some((ViolationKind::TtlWithoutStart(ttl), fix))
    })
}

fn expired(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    of_bullets(doc, |id| {
        let Lifetime::Until(end) = doc.lifetime(id) else { return None };
        let kind = ViolationKind::Expired { end, is_pinned: doc.is_pinned(id) };
        (end <= now).then(|| (kind, deletion(doc, id)))
    })
}

/// Finds what is wrong with the tags of single bullets, and what puts it right.
fn of_bullets(doc: &MemoryDoc, check: impl Fn(BulletId) -> Option<(ViolationKind, Option<Repair>)>) -> Vec<Violation> {
    let bullets = doc.outline().bullets_within(doc.span());
    let found = bullets.filter_map(|id| {
        let bullet = doc.outline().bullet(id).filter(|bullet| !bullet.tags.is_empty())?;
        let (kind, fix) = check(id)?;
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
    let is_itself = |id: &SectionId| reserved.contains(&fold_name(doc.section_title(*id)));
    let sections = doc.outline().section_ids().filter(is_itself).filter_map(|id| doc.outline().section(id));
    let headings: HashSet<_> = sections.map(|section| section.line.start()).collect();
    let lines = doc.look_alikes().iter().filter(|line| !headings.contains(&line.start()));
    lines
        .map(|line| {
            let name = doc.rules().reserved_name(line.of(doc.text())).unwrap_or_default();
            at(doc, line.start(), ViolationKind::LookAlike(name.into()))
        })
        .collect()
}
