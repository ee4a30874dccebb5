//! Violations as data, with what puts them right; a toolbox words that as a call.

use std::fmt;

use super::super::items::{Annotation, Children, ItemEdit, ItemOp, Items};
use crate::document::{Expiry, MemoryDoc, Ttl, UnreadableLifetime};
use crate::locate::Selector;
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

    /// Says what puts it right.
    pub(super) fn with_fix(self, fix: impl Into<Option<Repair>>) -> Self {
        Self { fix: fix.into(), ..self }
    }

    /// Returns the request that puts it right.
    pub fn repair(&self) -> Option<Items> {
        let target = Selector::by_key(self.key.as_ref()?);
        Some(match self.fix.as_ref()? {
            Repair::DeleteBullet => Items::new([ItemEdit::new(target, ItemOp::Delete { children: Children::Refuse })]),
            Repair::StartTtl(ttl) => Items::annotating(Annotation::SetTtl(Expiry::After(ttl.clone())), [target]),
            Repair::ClearTtl => Items::annotating(Annotation::ClearTtl, [target]),
        })
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViolationKind {
    /// The document is larger than its hard limit.
    TooLarge {
        /// What is counted.
        unit: Unit,
        /// How large it is.
        used: usize,
        /// The limit.
        limit: usize,
    },
    /// A required section is not there.
    MissingSection(Content),
    /// Two blocks have this ID; the second is meant.
    DuplicateId(Content),
    /// A bullet of the same list, on this line, says the same.
    DuplicateBullet(usize),
    /// Another section has the same path.
    AmbiguousSection(Content),
    /// A fence is not closed.
    UnclosedFence,
    /// A bullet begins with brackets that are no tags, but look like it.
    MalformedTags,
    /// What keeps or ends a bullet stands behind its text, where it is text.
    TagsBehind,
    /// A TTL, a start or an end cannot be read.
    UnreadableLifetime(UnreadableLifetime),
    /// A TTL has no start, so that it never runs out.
    TtlWithoutStart(Ttl),
    /// A bullet has expired.
    Expired {
        /// When.
        end: Timestamp,
        /// Whether it is pinned, or nested in one that is, so that no clean-up drops it.
        is_pinned: bool,
        /// Whether it has nested bullets, which may be true still, so that it is not to be deleted as it is.
        has_children: bool,
    },
    /// A character is invisible, or ends lines for other programs.
    Irregular(Irregular, usize),
    /// A line passes for the heading of this reserved section, and is none.
    LookAlike(Content),
    /// A line opens HTML that hides this reserved section from who reads the rendered text.
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

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { unit, used, limit } => write!(f, "the document has {used} {unit}, the limit is {limit}"),
            Self::MissingSection(name) => write!(f, "required section `{name}` is missing"),
            Self::DuplicateId(id) => write!(f, "block ID `{id}` is taken by a block above"),
            Self::DuplicateBullet(line) => write!(f, "says the same as line {line}"),
            Self::AmbiguousSection(path) => write!(f, "another section is called `{path}` too"),
            Self::UnclosedFence => f.write_str("the code fence or comment is not closed"),
            Self::MalformedTags => f.write_str("the brackets are no tags: expected `[tag, tag] ` with a space behind"),
            Self::TagsBehind => f.write_str("the brackets at the end are text: a tag stands in front of the text"),
            Self::UnreadableLifetime(error) => error.fmt(f),
            Self::TtlWithoutStart(ttl) => {
                write!(f, "`ttl: {ttl}` has no start: expected `since: ` and a date beside it")
            }
            Self::Expired { end, is_pinned, has_children } => {
                let end = end.shortest();
                let pinned = if *is_pinned { "; it is pinned, so that it stays" } else { "" };
                let nested = if *has_children { "; it has nested bullets, which may be true still" } else { "" };
                write!(f, "expired at {end}{pinned}{nested}")
            }
            Self::Irregular(irregular, count) => write!(f, "{irregular}, {count} in all"),
            Self::LookAlike(name) => write!(f, "the line passes for the reserved heading `{name}`"),
            Self::HiddenSection(name) => {
                write!(f, "the line opens HTML that hides the reserved section `{name}` below it")
            }
        }
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
