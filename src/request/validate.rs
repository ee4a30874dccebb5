//! `validate_memory`: what is wrong with a document as it stands (SPEC § 13).

use std::collections::HashMap;
use std::fmt;

use crate::document::{BulletId, MemoryDoc, bullet_start};
use crate::text::{Irregular, Irregularities, Lines, fold_name, irregularities};

/// How many violations of one kind are reported one by one.
const MAX_PER_KIND: usize = 50;

/// Something that is wrong with a document, and where.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// What is wrong.
    pub kind: ViolationKind,
    /// The number of the line, from 1; `None` where the whole document is meant.
    pub line: Option<usize>,
    /// The path of the section that the line stands in.
    pub section: Option<String>,
    /// The key of the bullet that the line belongs to.
    pub key: Option<String>,
}

impl fmt::Debug for Violation {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Violation").field("kind", &self.kind).field("line", &self.line).finish_non_exhaustive()
    }
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViolationKind {
    /// The document is larger than its hard limit.
    TooLarge {
        /// What is counted: `bytes` or `tokens`.
        unit: &'static str,
        /// How large it is.
        used: usize,
        /// The limit.
        limit: usize,
    },
    /// A required section is not there.
    MissingSection(String),
    /// Two blocks have this ID; the second is meant.
    DuplicateId(String),
    /// A bullet of the same section, on this line, says the same.
    DuplicateBullet(usize),
    /// Another section has the same path.
    AmbiguousSection(String),
    /// A fence is not closed.
    UnclosedFence,
    /// A bullet begins with brackets that are no tags, but look like it.
    MalformedTags,
    /// A character is invisible, or ends lines for other programs.
    Irregular(Irregular, usize),
    /// A line passes for the heading of this reserved section, and is none.
    LookAlike(String),
}

impl fmt::Debug for ViolationKind {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl ViolationKind {
    /// Returns the stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too_large",
            Self::MissingSection(_) => "missing_section",
            Self::DuplicateId(_) => "duplicate_id",
            Self::DuplicateBullet(_) => "duplicate_bullet",
            Self::AmbiguousSection(_) => "ambiguous_section",
            Self::UnclosedFence => "unclosed_fence",
            Self::MalformedTags => "malformed_tags",
            Self::Irregular(..) => "invisible_character",
            Self::LookAlike(_) => "look_alike",
        }
    }
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { unit, used, limit } => write!(f, "the document has {used} {unit}, the limit is {limit}"),
            Self::MissingSection(name) => write!(f, "required section `{name}` is missing"),
            Self::DuplicateId(id) => write!(f, "block ID `{id}` is taken by a block above"),
            Self::DuplicateBullet(line) => write!(f, "says the same as line {line}"),
            Self::AmbiguousSection(path) => write!(f, "another section is called `{path}` too"),
            Self::UnclosedFence => f.write_str("the code fence is not closed"),
            Self::MalformedTags => f.write_str("the brackets are no tags: expected `[tag, tag] ` with a space behind"),
            Self::Irregular(irregular, count) => write!(f, "{irregular}, {count} in all"),
            Self::LookAlike(name) => write!(f, "the line passes for the reserved heading `{name}`"),
        }
    }
}

/// Returns every violation, in the order of the list in SPEC § 13; at most 50 of a kind.
pub fn validate(doc: &MemoryDoc) -> Vec<Violation> {
    let checks: [fn(&MemoryDoc) -> Vec<Violation>; 9] = [
        sizes,
        required_sections,
        duplicate_ids,
        duplicate_bullets,
        ambiguous_sections,
        unclosed_fences,
        malformed_tags,
        irregular_characters,
        look_alikes,
    ];
    checks.into_iter().flat_map(|check| check(doc).into_iter().take(MAX_PER_KIND)).collect()
}

fn at(doc: &MemoryDoc, offset: usize, kind: ViolationKind) -> Violation {
    let outline = doc.outline();
    let key = outline.bullet_at(offset).and_then(|bullet| doc.key(bullet));
    Violation {
        kind,
        line: Some(doc.line_number(offset)),
        section: outline.section_at(offset).map(|section| doc.section_path(section)),
        key: key.map(|key| key.to_string()),
    }
}

const fn overall(kind: ViolationKind) -> Violation {
    Violation { kind, line: None, section: None, key: None }
}

fn sizes(doc: &MemoryDoc) -> Vec<Violation> {
    let policy = doc.policy();
    let mut found = Vec::new();
    if doc.text().len() > policy.max_bytes {
        let (used, limit) = (doc.text().len(), policy.max_bytes);
        found.push(overall(ViolationKind::TooLarge { unit: "bytes", used, limit }));
    }
    if let Some(limit) = policy.max_tokens.filter(|limit| doc.tokens() > *limit) {
        found.push(overall(ViolationKind::TooLarge { unit: "tokens", used: doc.tokens(), limit }));
    }
    found
}

fn required_sections(doc: &MemoryDoc) -> Vec<Violation> {
    let has = |name: &str| doc.outline().section_ids().any(|id| fold_name(doc.section_title(id)) == fold_name(name));
    let missing = doc.policy().required_sections.iter().filter(|name| !has(name));
    missing.map(|name| overall(ViolationKind::MissingSection(name.clone()))).collect()
}

fn duplicate_ids(doc: &MemoryDoc) -> Vec<Violation> {
    let blocks = doc.outline().block_ids().filter_map(|id| Some((doc.block_id(id), doc.outline().block(id)?)));
    repeated(blocks.map(|(id, block)| (id.to_owned(), block.line.start())))
        .map(|(id, start, _)| at(doc, start, ViolationKind::DuplicateId(id)))
        .collect()
}

fn duplicate_bullets(doc: &MemoryDoc) -> Vec<Violation> {
    let place = |id: BulletId| doc.outline().bullet(id).map(|bullet| (bullet.section, bullet.line.start()));
    let bullets = doc.outline().bullets_within(doc.span());
    let contents = bullets.filter_map(|id| {
        let (section, start) = place(id)?;
        let content = doc.folded_content(id);
        (!content.is_empty()).then(|| ((section, content.into_owned()), start))
    });
    repeated(contents)
        .map(|(_, start, first)| at(doc, start, ViolationKind::DuplicateBullet(doc.line_number(first))))
        .collect()
}

fn ambiguous_sections(doc: &MemoryDoc) -> Vec<Violation> {
    let sections = doc.outline().section_ids().filter_map(|id| Some((id, doc.outline().section(id)?)));
    repeated(sections.map(|(id, section)| (doc.section_path(id), section.line.start())))
        .map(|(path, start, _)| at(doc, start, ViolationKind::AmbiguousSection(path)))
        .collect()
}

/// Returns what stood before: the thing, where it stands again, where it stood first.
fn repeated<T: std::hash::Hash + Eq + Clone>(
    things: impl Iterator<Item = (T, usize)>,
) -> impl Iterator<Item = (T, usize, usize)> {
    let mut seen: HashMap<T, usize> = HashMap::new();
    things.filter_map(move |(thing, start)| match seen.get(&thing) {
        Some(first) => Some((thing, start, *first)),
        None => {
            seen.insert(thing, start);
            None
        }
    })
}

fn unclosed_fences(doc: &MemoryDoc) -> Vec<Violation> {
    let open = doc.outline().fences().iter().filter(|fence| !fence.is_closed);
    open.map(|fence| at(doc, fence.extent.start(), ViolationKind::UnclosedFence)).collect()
}

/// Finds bullets whose text begins with a bracket that is not closed, or that text follows without a space.
fn malformed_tags(doc: &MemoryDoc) -> Vec<Violation> {
    let is_malformed = |line: &str| {
        let Some(inner) =
            bullet_start(line).and_then(|start| line.get(start.rest..)).and_then(|text| text.strip_prefix('['))
        else {
            return false;
        };
        match inner.find([']', '[']) {
            None => true,
            Some(end) => match inner.as_bytes().get(end..end + 2) {
                Some([b'[', _]) => true,
                Some([b']', next]) => next.is_ascii_alphanumeric(),
                _ => false,
            },
        }
    };
    let bullets = doc.outline().bullets().iter();
    let lines = bullets.filter_map(|bullet| Lines::within(doc.text(), bullet.line).next());
    lines
        .filter(|line| is_malformed(line.text.of(doc.text())))
        .map(|line| at(doc, line.text.start(), ViolationKind::MalformedTags))
        .collect()
}

fn irregular_characters(doc: &MemoryDoc) -> Vec<Violation> {
    let mut found = Irregularities::default();
    irregularities(doc.text(), doc.span(), &mut found);
    let mut found: Vec<_> = found.iter().collect();
    found.sort_by_key(|(irregular, _)| irregular.offset);
    found
        .into_iter()
        .map(|(irregular, count)| at(doc, irregular.offset, ViolationKind::Irregular(irregular, count)))
        .collect()
}

fn look_alikes(doc: &MemoryDoc) -> Vec<Violation> {
    let headings: Vec<_> = doc.outline().sections().iter().map(|section| section.line.start()).collect();
    let lines = doc.look_alikes().iter().filter(|line| headings.binary_search(&line.start()).is_err());
    lines
        .map(|line| {
            let name = doc.rules().reserved_name(line.of(doc.text())).unwrap_or_default();
            at(doc, line.start(), ViolationKind::LookAlike(name.to_owned()))
        })
        .collect()
}
