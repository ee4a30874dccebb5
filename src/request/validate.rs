//! `validate_memory`: what is wrong with a document, and which bullets may be deleted for that. A bullet may be deleted if
//! it is expired or a duplicate, is not pinned, and has no children.

use std::collections::HashSet;
use std::hash::Hash;

use litemap::LiteMap;
use thiserror::Error;

use super::Budget;
use super::rewrite::equal_bullets;
use crate::document::{BulletRef, Excess, MemoryDoc, Paths, SectionRef, Ttl, Unit, bullet_line, flawed_lifetime};
use crate::text::{Content, Irregular, Timestamp, fold_name, irregular};

/// Returns every violation at the time `now`, check by check; those of one check are in the order of the document.
///
/// A violation with `may_go` is solved if its bullet is deleted. Like any edit, that is refused in a reserved section.
///
/// # Examples
///
/// ```
/// use memdoc::{MemoryDoc, Timestamp, request::validate};
///
/// let doc = MemoryDoc::parse("- Likes tea\n- Likes tea\n");
/// let found = validate(&doc, Timestamp::default());
/// assert_eq!((found[0].kind.code(), found[0].line, found[0].may_go), ("duplicate_bullet", Some(2), true));
/// ```
pub fn validate(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    let mut checks = [
        sizes(doc),
        required_sections(doc),
        duplicate_ids(doc),
        duplicate_bullets(doc),
        ambiguous_sections(doc),
        unclosed_fences(doc),
        malformed_tags(doc),
        expired(doc, now),
        irregular_characters(doc),
        look_alikes(doc),
        hidden_sections(doc),
    ];
    checks.iter_mut().for_each(|found| found.sort_by_key(|violation| violation.line));
    checks.into_iter().flatten().collect()
}

fn sizes(doc: &MemoryDoc) -> Vec<Violation> {
    let (tokens, bytes) = (doc.policy().max_tokens, Some(doc.policy().max_bytes));
    let excess = Budget { tokens, bytes }.exceeded_by(doc, doc.span());
    let kind = |Excess { unit, used, limit }| ViolationKind::TooLarge { unit, used, limit };
    excess.map(|excess| Violation::of(kind(excess))).into_iter().collect()
}

fn required_sections(doc: &MemoryDoc) -> Vec<Violation> {
    let titles: HashSet<String> = doc.sections().map(|section| fold_name(section.title())).collect();
    let missing = doc.policy().required_sections.iter().filter(|name| !titles.contains(&fold_name(name)));
    missing.map(|name| Violation::of(ViolationKind::MissingSection(name.clone().into()))).collect()
}

fn duplicate_ids(doc: &MemoryDoc) -> Vec<Violation> {
    let again = repeated(doc.blocks(), |block| block.id());
    again.map(|block| Violation::at(doc, block.line.start(), ViolationKind::DuplicateId(block.id().into()))).collect()
}

fn duplicate_bullets(doc: &MemoryDoc) -> Vec<Violation> {
    let mut found = Vec::new();
    for group in equal_bullets(doc, doc.bullets()) {
        let Some((first, others)) = group.split_first() else { continue };
        let kind = ViolationKind::DuplicateBullet(first.line_number());
        found.extend(others.iter().map(|bullet| Violation::of_bullet(*bullet, kind.clone(), may_go(*bullet))));
    }
    found
}

fn ambiguous_sections(doc: &MemoryDoc) -> Vec<Violation> {
    let paths = Paths::new(|title| title.into()).of(doc);
    let again = repeated(doc.sections(), |section| paths.get(section.index()).copied());
    let kind = |section: SectionRef<'_>| ViolationKind::AmbiguousSection(section.shown_name().into());
    again.map(|section| Violation::at(doc, section.line.start(), kind(section))).collect()
}

/// Returns the nodes for which `key` returns the same as for an earlier node.
fn repeated<N: Copy, T: Hash + Eq>(nodes: impl Iterator<Item = N>, key: impl Fn(N) -> T) -> impl Iterator<Item = N> {
    let mut seen: HashSet<T> = HashSet::new();
    nodes.filter(move |node| !seen.insert(key(*node)))
}

/// Returns true if a bullet may be deleted: it has no children, and neither it nor a parent is pinned.
fn may_go(bullet: BulletRef<'_>) -> bool {
    !bullet.is_pinned_with_parents() && bullet.children().next().is_none()
}

fn unclosed_fences(doc: &MemoryDoc) -> Vec<Violation> {
    let open = doc.outline().fences.iter().filter(|fence| !fence.is_closed);
    open.map(|fence| Violation::at(doc, fence.extent.start(), ViolationKind::UnclosedFence)).collect()
}

/// Finds brackets that are no tags, and lifetimes that cannot be read, are there twice or never end.
fn malformed_tags(doc: &MemoryDoc) -> Vec<Violation> {
    let mut found = Vec::new();
    for bullet in doc.bullets() {
        let brackets = has_malformed_brackets(bullet.line_text()).then_some(ViolationKind::MalformedTags);
        let lifetime = match flawed_lifetime(&bullet.tags()) {
            Some(tag) => Some(ViolationKind::FlawedLifetime(tag.into())),
            None if bullet.expires_at().is_none() => bullet.ttl().map(ViolationKind::TtlWithoutStart),
            None => None,
        };
        found.extend(brackets.into_iter().chain(lifetime).map(|kind| Violation::of_bullet(bullet, kind, false)));
    }
    found
}

/// Returns true if the text of a bullet begins with a bracket that is not closed, or with brackets that a word follows
/// without a space.
fn has_malformed_brackets(line: &str) -> bool {
    let Some(inner) = bullet_line(line).and_then(|line| line.rest.strip_prefix('[')) else { return false };
    let mut end = inner.chars().skip_while(|c| !matches!(c, '[' | ']'));
    match (end.next(), end.next()) {
        (None, _) | (Some('['), Some(_)) => true,
        (_, next) => next.is_some_and(char::is_alphanumeric),
    }
}

fn expired(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    let tagged = doc.bullets().filter(|bullet| !bullet.tags_span().is_empty());
    let found = tagged.filter_map(|bullet| {
        let end = bullet.expires_at().filter(|end| *end <= now)?;
        let stays = match bullet.children().next() {
            _ if bullet.is_pinned_with_parents() => "; it is pinned, so that it stays",
            Some(_) => "; it has nested bullets: say by `children` whether to `delete` or `keep` them",
            None => "",
        };
        Some(Violation::of_bullet(bullet, ViolationKind::Expired(end, stays), may_go(bullet)))
    });
    found.collect()
}

fn irregular_characters(doc: &MemoryDoc) -> Vec<Violation> {
    // For each character, its first occurrence and the number of occurrences.
    let mut kinds: LiteMap<char, (Irregular, usize)> = LiteMap::new();
    for irregular in irregular(doc.text(), doc.without_bom(doc.span())) {
        kinds.entry(irregular.character).or_insert((irregular, 0)).1 += 1;
    }
    let kind = |(first, count)| ViolationKind::Irregular(first, count);
    kinds.into_iter().map(|(_, found)| Violation::at(doc, found.0.offset, kind(found))).collect()
}

fn look_alikes(doc: &MemoryDoc) -> Vec<Violation> {
    let reserved: HashSet<_> = doc.policy().reserved_sections.iter().map(|name| fold_name(name)).collect();
    let sections = doc.sections().filter(|section| reserved.contains(&fold_name(section.title())));
    let headings: HashSet<_> = sections.map(|section| section.line.start()).collect();
    let found = doc.look_alikes(doc.span()).into_iter().filter(|found| !headings.contains(&found.lines.start()));
    found.map(|found| Violation::at(doc, found.lines.start(), ViolationKind::LookAlike(found.name.into()))).collect()
}

fn hidden_sections(doc: &MemoryDoc) -> Vec<Violation> {
    let reserved: Vec<_> = doc.reserved_sections().collect();
    let starts: Vec<_> = reserved.iter().map(|(section, _)| section.line.start()).collect();
    let hidden = reserved.iter().zip(doc.hidden_by(&starts));
    let kind = |name: &str| ViolationKind::HiddenSection(name.into());
    hidden.filter_map(|((_, name), at)| Some(Violation::at(doc, at?, kind(name)))).collect()
}

/// Something that is wrong with a document, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// What is wrong.
    pub kind: ViolationKind,
    /// The number of the line, from 1; `None` if the violation is about the whole document.
    pub line: Option<usize>,
    /// The path of the section of that line.
    pub section: Option<Content>,
    /// The key of the bullet that the line belongs to.
    pub key: Option<Content>,
    /// Whether the bullet may be deleted to solve this: nothing that is still true is lost with it.
    pub may_go: bool,
}

impl Violation {
    /// Creates the violation of the document as a whole.
    const fn of(kind: ViolationKind) -> Self {
        Self { kind, line: None, section: None, key: None, may_go: false }
    }

    /// Creates the violation of the line that `offset` is on.
    fn at(doc: &MemoryDoc, offset: usize, kind: ViolationKind) -> Self {
        Self {
            kind,
            line: Some(doc.line_number(offset)),
            section: doc.section_at(offset).map(|section| section.shown_name().into()),
            key: doc.bullet_at(offset).map(|bullet| bullet.key().into()),
            may_go: false,
        }
    }

    /// Creates the violation of a bullet, which may be deleted or not.
    fn of_bullet(bullet: BulletRef<'_>, kind: ViolationKind, may_go: bool) -> Self {
        Self { may_go, ..Self::at(bullet.doc(), bullet.line.start(), kind) }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ViolationKind {
    /// The document is larger than its hard limit.
    #[error("the document has {used} {unit}, the limit is {limit}")]
    TooLarge {
        /// What is counted.
        unit: Unit,
        /// How large it is.
        used: usize,
        /// The limit.
        limit: usize,
    },
    /// A required section is not there.
    #[error("required section `{0}` is missing")]
    MissingSection(Content),
    /// Two blocks have this ID. The line is that of the second.
    #[error("block ID `{0}` is taken by a block above")]
    DuplicateId(Content),
    /// A bullet of the same list, on this line, says the same.
    #[error("says the same as line {0}")]
    DuplicateBullet(usize),
    /// Another section has the same path.
    #[error("another section is called `{0}` too")]
    AmbiguousSection(Content),
    /// A fence is not closed.
    #[error("the code fence or comment is not closed")]
    UnclosedFence,
    /// A bullet begins with brackets that look like tags, but are none.
    #[error("the brackets are no tags: expected `[tag, tag] ` with a space behind")]
    MalformedTags,
    /// A TTL, a start or an end cannot be read, or is a second one.
    #[error(
        "`{0}` cannot be read or is a second one: expected a duration such as `ttl: 7d`, or a date such as `expires: 2026-12-31`"
    )]
    FlawedLifetime(Content),
    /// A TTL has no start, so that it never ends.
    #[error("`ttl: {0}` has no start: expected `since: ` and a date beside it")]
    TtlWithoutStart(Ttl),
    /// A bullet has expired. The values are when, and why it may have to stay; empty if it may go.
    #[error("expired at {}{}", .0.shortest(), .1)]
    Expired(Timestamp, &'static str),
    /// A character is invisible, or ends lines for other programs.
    #[error("{0}, {1} in all")]
    Irregular(Irregular, usize),
    /// A line looks like the heading of this reserved section, but is not.
    #[error("the line passes for the reserved heading `{0}`")]
    LookAlike(Content),
    /// A line opens HTML that hides this reserved section in the rendered text.
    #[error("the line opens HTML that hides the reserved section `{0}` below it")]
    HiddenSection(Content),
}

impl ViolationKind {
    /// Returns the stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too_large",
            Self::MissingSection(..) => "missing_section",
            Self::DuplicateId(..) => "duplicate_id",
            Self::DuplicateBullet(..) => "duplicate_bullet",
            Self::AmbiguousSection(..) => "ambiguous_section",
            Self::UnclosedFence => "unclosed_fence",
            Self::MalformedTags | Self::FlawedLifetime(..) => "malformed_tags",
            Self::TtlWithoutStart(..) => "ttl_without_start",
            Self::Expired(..) => "expired",
            Self::Irregular(..) => "invisible_character",
            Self::LookAlike(..) => "look_alike",
            Self::HiddenSection(..) => "hidden_section",
        }
    }
}
