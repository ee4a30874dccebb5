//! Violations as data, with what puts them right; a toolbox words that as a call.

use thiserror::Error;

use crate::document::{BulletRef, MemoryDoc, Ttl, UnreadableLifetime};
use crate::text::{Content, Irregular, Timestamp, Unit};

/// Something that is wrong with a document, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// What is wrong.
    pub kind: ViolationKind,
    /// The number of the line, from 1; `None` where the whole document is meant.
    pub line: Option<usize>,
    /// The path of the section that the line stands in.
    pub section: Option<Content>,
    /// The key of the bullet that the line belongs to.
    pub key: Option<Content>,
    /// What is to be done with the bullet to take it away.
    pub fix: Option<Repair>,
}

impl Violation {
    /// Says what is wrong with the document as a whole.
    pub(super) const fn of(kind: ViolationKind) -> Self {
        Self { kind, line: None, section: None, key: None, fix: None }
    }

    /// Says what is wrong where `offset` stands.
    pub(super) fn at(doc: &MemoryDoc, offset: usize, kind: ViolationKind) -> Self {
        Self {
            kind,
            line: Some(doc.line_number(offset)),
            section: doc.section_at(offset).map(|section| section.shown_name().into()),
            key: doc.bullet_at(offset).map(|bullet| bullet.key().into()),
            fix: None,
        }
    }

    /// Says what is wrong with a bullet, and what puts it right.
    pub(super) fn of_bullet(bullet: BulletRef<'_>, kind: ViolationKind, fix: Option<Repair>) -> Self {
        Self { fix, ..Self::at(bullet.doc(), bullet.line.start(), kind) }
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
    /// Two blocks have this ID; the second is meant.
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
    /// A bullet begins with brackets that are no tags, but look like it.
    #[error("the brackets are no tags: expected `[tag, tag] ` with a space behind")]
    MalformedTags,
    /// What keeps or ends a bullet stands behind its text, where it is text.
    #[error("the brackets at the end are text: a tag stands in front of the text")]
    TagsBehind,
    /// A TTL, a start or an end cannot be read.
    #[error("{0}")]
    UnreadableLifetime(UnreadableLifetime),
    /// A TTL has no start, so that it never runs out.
    #[error("`ttl: {0}` has no start: expected `since: ` and a date beside it")]
    TtlWithoutStart(Ttl),
    /// A bullet has expired.
    #[error("expired at {}{}", end.shortest(), stays(*is_pinned, *has_children))]
    Expired {
        /// When.
        end: Timestamp,
        /// Whether it is pinned, or nested in one that is, so that no clean-up drops it.
        is_pinned: bool,
        /// Whether it has nested bullets, which may be true still, so that it is not to be deleted as it is.
        has_children: bool,
    },
    /// A character is invisible, or ends lines for other programs.
    #[error("{0}, {1} in all")]
    Irregular(Irregular, usize),
    /// A line passes for the heading of this reserved section, and is none.
    #[error("the line passes for the reserved heading `{0}`")]
    LookAlike(Content),
    /// A line opens HTML that hides this reserved section from who reads the rendered text.
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
            Self::MalformedTags | Self::TagsBehind | Self::UnreadableLifetime(..) => "malformed_tags",
            Self::TtlWithoutStart(..) => "ttl_without_start",
            Self::Expired { .. } => "expired",
            Self::Irregular(..) => "invisible_character",
            Self::LookAlike(..) => "look_alike",
            Self::HiddenSection(..) => "hidden_section",
        }
    }
}

/// Says why an expired bullet may have to stay.
const fn stays(is_pinned: bool, has_children: bool) -> &'static str {
    match (is_pinned, has_children) {
        (true, _) => "; it is pinned, so that it stays",
        (false, true) => "; it has nested bullets, which may be true still",
        (false, false) => "",
    }
}

/// What is to be done with the bullet of a violation, so that it is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// The bullet, which has no children, is deleted.
    DeleteBullet,
    /// Its TTL runs from now on.
    StartTtl(Ttl),
    /// Its TTL or end is taken away.
    ClearTtl,
}
