//! `validate_memory`: what is wrong with a document as it stands, and what puts it right.
//!
//! A repair is offered only if it has been tried: it can be made under the document's policy, and takes its violation away.
//! Nothing is offered that would change a reserved section or take a pinned bullet. Bullets of different
//! blocks are no duplicates, and of the children of different bullets none is offered to be deleted.

mod checks;
mod repair;

use std::fmt;

use super::View;
use crate::document::{MemoryDoc, Ttl, UnreadableLifetime};
use crate::edit::Authority;
use crate::text::{Irregular, Timestamp};

pub use repair::Repair;

/// How many violations of one kind are reported one by one.
const MAX_PER_KIND: usize = 50;
/// How many bytes of text the trials of all repairs may read together.
const TRIALS: usize = 2 * 1024 * 1024;

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
    /// An edit that takes it away.
    pub fix: Option<Repair>,
}

impl fmt::Debug for Violation {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Violation")
            .field("kind", &self.kind)
            .field("line", &self.line)
            .field("fix", &self.fix)
            .finish_non_exhaustive()
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
    /// A bullet of the same section and block, on this line, says the same.
    DuplicateBullet(usize),
    /// Another section has the same path.
    AmbiguousSection(String),
    /// A fence is not closed.
    UnclosedFence,
    /// A bullet begins with brackets that are no tags, but look like it.
    MalformedTags,
    /// A TTL, a start or an end cannot be read.
    UnreadableLifetime(UnreadableLifetime),
    /// A TTL has no start, so that it never runs out.
    TtlWithoutStart(Ttl),
    /// A bullet has expired.
    Expired {
        /// When.
        end: Timestamp,
        /// Whether it is pinned, so that no clean-up drops it.
        is_pinned: bool,
    },
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
            Self::MalformedTags | Self::UnreadableLifetime(_) => "malformed_tags",
            Self::TtlWithoutStart(_) => "ttl_without_start",
            Self::Expired { .. } => "expired",
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
            Self::UnreadableLifetime(error) => error.fmt(f),
            Self::TtlWithoutStart(ttl) => {
                write!(f, "`ttl: {ttl}` has no start: expected `since: ` and a date beside it")
            }
            Self::Expired { end, is_pinned } => {
                let is_date = end.date().parse() == Ok(*end);
                let end = if is_date { end.date() } else { end.to_string() };
                write!(f, "expired at {end}{}", if *is_pinned { "; it is pinned, so that it stays" } else { "" })
            }
            Self::Irregular(irregular, count) => write!(f, "{irregular}, {count} in all"),
            Self::LookAlike(name) => write!(f, "the line passes for the reserved heading `{name}`"),
        }
    }
}

/// Finds all violations of one kind, each with the repair that may do.
type Check = fn(&MemoryDoc, Timestamp) -> Vec<Violation>;

/// Returns every violation at the time `now`, kind by kind, in the order of [`ViolationKind`]; at most 50 of a kind.
///
/// Each fix is tried, and as many are as a bounded amount of text allows: some two hundred in a document of 10 KiB.
pub fn validate(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    let mut trials = TRIALS;
    let mut all = Vec::new();
    for check in checks::ALL {
        let mut found = check(doc, now);
        let count = found.len();
        found.truncate(MAX_PER_KIND);
        for violation in &mut found {
            violation.fix = violation.fix.take().filter(|fix| {
                let Some(left) = trials.checked_sub(doc.text().len()) else { return false };
                trials = left;
                works(doc, now, fix, |doc| check(doc, now).len() < count)
            });
        }
        all.extend(found);
    }
    all
}

/// Reports whether a repair can be made, and does what is expected of it.
fn works(doc: &MemoryDoc, now: Timestamp, repair: &Repair, does: impl FnOnce(&MemoryDoc) -> bool) -> bool {
    let edit = repair.as_called().and_then(|request| request.plan(&View::current(doc, now)).ok());
    let commit = edit.and_then(|edit| doc.commit(&edit, Authority::Agent).ok());
    commit.is_some_and(|commit| does(&commit.doc))
}
