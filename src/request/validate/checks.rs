//! The checks, in the order in which they are reported. Each finds all violations of its kind.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::rc::Rc;

use super::{Repair, Violation, ViolationKind};
use crate::document::{
    BlockRef, BulletRef, Lifetime, MemoryDoc, Paths, SectionRef, bullet_start, fence_open, fold_said, is_lifetime,
};
use crate::edit::compose::{Lists, Numbers};
use crate::text::{Irregularities, Line, Lines, Span, Timestamp, Unit, fold_name, irregularities, is_blank};

/// How many violations of one kind are reported one by one.
pub(super) const MAX_PER_KIND: usize = 50;

/// Finds all violations of one kind.
pub(super) type Check = for<'a> fn(&'a MemoryDoc, Timestamp) -> Vec<Finding<'a>>;

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

/// A violation that was found. Where it stands, and what may put it right, is told of those only that are reported.
pub(super) struct Finding<'a> {
    kind: ViolationKind,
    /// Where it stands; `None` where the whole document is meant.
    at: Option<usize>,
    fix: Box<dyn FnOnce() -> Option<Repair> + 'a>,
}

impl<'a> Finding<'a> {
    fn at(offset: usize, kind: ViolationKind) -> Self {
        Self { at: Some(offset), ..Self::overall(kind) }
    }

    fn overall(kind: ViolationKind) -> Self {
        Self { kind, at: None, fix: Box::new(|| None) }
    }

    fn with_fix(self, fix: impl FnOnce() -> Option<Repair> + 'a) -> Self {
        Self { fix: Box::new(fix), ..self }
    }

    /// Says where it stands, with the repair that may do.
    pub(super) fn told(self, doc: &MemoryDoc) -> Violation {
        let section = self.at.and_then(|at| doc.section_at(at));
        Violation {
            kind: self.kind,
            line: self.at.map(|at| doc.line_number(at)),
            section: section.map(|section| section.shown_name().into()),
            key: self.at.and_then(|at| doc.bullet_at(at)).map(|bullet| bullet.key().into()),
            fix: (self.fix)(),
        }
    }
}

fn sizes(doc: &MemoryDoc, _: Timestamp) -> Vec<Finding<'_>> {
    let policy = doc.policy();
    let mut found = Vec::new();
    if doc.text().len() > policy.max_bytes {
        let (used, limit) = (doc.text().len(), policy.max_bytes);
        found.push(Finding::overall(ViolationKind::TooLarge { unit: Unit::Bytes, used, limit }));
    }
    if let Some(limit) = policy.max_tokens.filter(|limit| doc.tokens() > *limit) {
        found.push(Finding::overall(ViolationKind::TooLarge { unit: Unit::Tokens, used: doc.tokens(), limit }));
    }
    found
}

fn required_sections(doc: &MemoryDoc, _: Timestamp) -> Vec<Finding<'_>> {
    let titles: HashSet<String> = doc.sections().map(|section| fold_name(section.title())).collect();
    let missing = doc.policy().required_sections.iter().filter(|name| !titles.contains(&fold_name(name)));
    missing
        .map(|name| {
            let finding = Finding::overall(ViolationKind::MissingSection(name.clone().into()));
            finding.with_fix(|| Some(Repair::AddSection { title: name.clone().into() }))
        })
        .collect()
}

fn duplicate_ids(doc: &MemoryDoc, _: Timestamp) -> Vec<Finding<'_>> {
    let taken: Rc<HashSet<&str>> = Rc::new(doc.blocks().map(BlockRef::id).collect());
    repeated(doc.blocks(), |block| Some(block.id()))
        .map(|(block, _)| {
            let (id, taken) = (block.id(), Rc::clone(&taken));
            Finding::at(block.line.start(), ViolationKind::DuplicateId(id.into())).with_fix(move || {
                let free = (2..=9).map(|number| format!("{id}-{number}")).find(|id| !taken.contains(id.as_str()))?;
                Repair::another_id(block, &free, block.section().and_then(SectionRef::asked_name))
            })
        })
        .collect()
}

fn duplicate_bullets(doc: &MemoryDoc, _: Timestamp) -> Vec<Finding<'_>> {
    let lists = Lists::new(doc);
    repeated(doc.bullets(), |bullet| said_in_list(bullet, &lists))
        .enumerate()
        .map(|(nth, (bullet, first))| {
            let finding = Finding::at(bullet.line.start(), ViolationKind::DuplicateBullet(first.line_number()));
            // There may be as many as bullets.
            if nth >= MAX_PER_KIND {
                return finding;
            }
            finding.with_fix(move || deletion(bullet).filter(|_| says_nothing_more(bullet, first)))
        })
        .collect()
}

/// Reports whether nothing is lost with a bullet that says what another of its list says, and stays as long as that.
fn says_nothing_more(bullet: BulletRef<'_>, first: BulletRef<'_>) -> bool {
    let (own, known): (HashSet<_>, HashSet<_>) =
        (bullet.tags().into_iter().collect(), first.tags().into_iter().collect());
    bullet.children().next().is_none() && own.is_subset(&known) && known.difference(&own).all(|tag| !is_lifetime(tag))
}

/// What a bullet says, and whether that is done.
type Said<'a> = (Option<String>, Cow<'a, str>);

/// Returns what a bullet says, and in which list: bullets of different owners may say the same of different things, a task that is
/// open is not one that is done, and a step may be taken twice. `None` if it says nothing.
fn said_in_list<'a>(bullet: BulletRef<'a>, lists: &Lists<'a>) -> Option<(usize, Said<'a>)> {
    let list = lists.index(bullet).filter(|_| lists.numbers(bullet) != Numbers::Counted)?;
    let said = match lists.said(bullet) {
        Cow::Borrowed(said) => fold_said(said),
        Cow::Owned(said) => fold_said(&said).into_owned().into(),
    };
    (!said.is_empty()).then(|| (list, (bullet.checkbox().map(str::to_lowercase), said)))
}

fn ambiguous_sections(doc: &MemoryDoc, _: Timestamp) -> Vec<Finding<'_>> {
    let numbers = Paths::new(|title| title.into()).of(doc);
    repeated(doc.sections(), |section| numbers.get(section.index()).copied())
        .map(|(section, _)| {
            Finding::at(section.line.start(), ViolationKind::AmbiguousSection(section.shown_name().into()))
        })
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

/// Returns the repair that deletes a bullet, unless that is pinned, or nested in one that is.
fn deletion(bullet: BulletRef<'_>) -> Option<Repair> {
    (!bullet.is_pinned_with_parents()).then(|| Repair::DeleteBullet { key: bullet.key().into() })
}

fn unclosed_fences(doc: &MemoryDoc, _: Timestamp) -> Vec<Finding<'_>> {
    let open = doc.outline().fences().iter().filter(|fence| !fence.is_closed);
    open.map(|fence| {
        Finding::at(fence.extent.start(), ViolationKind::UnclosedFence).with_fix(|| {
            // One that the end of a bullet ends cannot be closed at the end of the document.
            let behind = Span::new(fence.extent.end(), doc.text().len()).of(doc.text());
            let line = closing_line(doc, fence.extent.start()).filter(|_| is_blank(behind))?;
            // A reserved section that the fence was opened above would be code for good.
            let is_reserved = |line: Line| doc.rules().reserved_name(line.text.of(doc.text())).is_some();
            let takes_in = Lines::within(doc.text(), fence.extent).any(is_reserved);
            (!takes_in).then(|| Repair::CloseFence { line: line.into() })
        })
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
fn malformed_tags(doc: &MemoryDoc, now: Timestamp) -> Vec<Finding<'_>> {
    let mut found = malformed_brackets(doc);
    found.extend(unreadable_lifetimes(doc, now));
    let behind = doc.bullets().filter(BulletRef::has_tags_behind);
    found.extend(behind.map(|bullet| Finding::at(bullet.line.start(), ViolationKind::TagsBehind)));
    found.sort_by_key(|finding| finding.at);
    found
}

/// Finds bullets whose text begins with a bracket that is not closed, or that text follows without a space.
fn malformed_brackets(doc: &MemoryDoc) -> Vec<Finding<'_>> {
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
        .map(|bullet| Finding::at(bullet.line.start(), ViolationKind::MalformedTags))
        .collect()
}

fn unreadable_lifetimes(doc: &MemoryDoc, _: Timestamp) -> Vec<Finding<'_>> {
    let found = tagged(doc).filter_map(|bullet| {
        let error = bullet.unreadable_lifetime()?;
        let finding = Finding::at(bullet.line.start(), ViolationKind::UnreadableLifetime(error));
        Some(finding.with_fix(move || {
            // What can be read beside it is not to be lost.
            let is_lost = bullet.lifetime() != Lifetime::Unreadable;
            (!is_lost).then(|| Repair::ClearTtl { key: bullet.key().into() })
        }))
    });
    found.collect()
}

fn ttls_without_start(doc: &MemoryDoc, _: Timestamp) -> Vec<Finding<'_>> {
    let found = tagged(doc).filter_map(|bullet| {
        let ttl = bullet.ttl().filter(|_| bullet.lifetime() == Lifetime::Hint)?;
        let finding = Finding::at(bullet.line.start(), ViolationKind::TtlWithoutStart(ttl.clone()));
        Some(finding.with_fix(move || {
            let key = bullet.key().into();
            Some(match ttl.duration().is_zero() {
                true => Repair::ClearTtl { key },
                false => Repair::StartTtl { key, ttl },
            })
        }))
    });
    found.collect()
}

fn expired(doc: &MemoryDoc, now: Timestamp) -> Vec<Finding<'_>> {
    let found = tagged(doc).filter_map(|bullet| {
        let Lifetime::Until(end) = bullet.lifetime() else { return None };
        let kind = ViolationKind::Expired { end, is_pinned: bullet.is_pinned_with_parents() };
        (end <= now).then(|| Finding::at(bullet.line.start(), kind).with_fix(move || deletion(bullet)))
    });
    found.collect()
}

fn tagged(doc: &MemoryDoc) -> impl Iterator<Item = BulletRef<'_>> {
    doc.bullets().filter(|bullet| !bullet.tags_span().is_empty())
}

fn irregular_characters(doc: &MemoryDoc, _: Timestamp) -> Vec<Finding<'_>> {
    let mut found = Irregularities::default();
    irregularities(doc.text(), doc.span(), &mut found);
    let mut found: Vec<_> = found.iter().collect();
    found.sort_by_key(|(irregular, _)| irregular.offset);
    found
        .into_iter()
        .map(|(irregular, count)| {
            let (offset, character) = (irregular.offset, irregular.character);
            Finding::at(offset, ViolationKind::Irregular(irregular, count))
                .with_fix(move || Repair::without_character(doc, character, count))
        })
        .collect()
}

fn look_alikes(doc: &MemoryDoc, _: Timestamp) -> Vec<Finding<'_>> {
    let reserved: HashSet<_> = doc.policy().reserved_sections.iter().map(|name| fold_name(name)).collect();
    let sections = doc.sections().filter(|section| reserved.contains(&fold_name(section.title())));
    let headings: HashSet<_> = sections.map(|section| section.line.start()).collect();
    let found = doc.look_alikes().into_iter().filter(|found| !headings.contains(&found.lines.start()));
    found.map(|found| Finding::at(found.lines.start(), ViolationKind::LookAlike(found.name.into()))).collect()
}

fn hidden_sections(doc: &MemoryDoc, _: Timestamp) -> Vec<Finding<'_>> {
    let reserved: Vec<_> = doc.reserved_sections().collect();
    let starts: Vec<_> = reserved.iter().map(|(section, _)| section.line.start()).collect();
    let hidden = reserved.iter().zip(doc.hidden_by(&starts));
    hidden.filter_map(|((_, name), at)| Some(Finding::at(at?, ViolationKind::HiddenSection((*name).into())))).collect()
}
