//! [`Code`]: the stable name of what is wrong with a call.

use serde::{Deserialize, Serialize};
use strum::{AsRefStr, Display, EnumString, IntoStaticStr};

use crate::text::Unreadable;

/// What is wrong, as a host matches on it and a model reads it: the codes are a stable contract.
///
/// A code is equal to its own name, so that it can be compared with a string.
///
/// # Examples
///
/// ```
/// use memdoc::{Code, MemoryDoc, Replace, Request, Timestamp, View};
///
/// let doc = MemoryDoc::parse("- a\n");
/// let refused = Replace::new("b", "c").plan(&View::current(&doc, Timestamp::default())).unwrap_err();
/// assert_eq!(refused.code(), Code::NotFound);
/// assert_eq!(refused.code(), "not_found");
/// assert_eq!("not_found".parse(), Ok(Code::NotFound));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(AsRefStr, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case", parse_err_ty = Unreadable, parse_err_fn = unknown)]
#[non_exhaustive]
pub enum Code {
    /// Several places match.
    Ambiguous,
    /// Others hold what it needs: the same call may succeed later.
    Busy,
    /// The journal's chain of hashes is broken.
    ChainBroken,
    /// The place has changed since it was seen.
    Conflict,
    /// Too little text was sent to be sure of the place.
    ContextTooThin,
    /// Another number of places matches than was expected.
    CountMismatch,
    /// A new bullet is there already.
    DuplicateBullet,
    /// Two blocks, or two slots, would have one name.
    DuplicateId,
    /// Two sections, or two blocks, would have one title.
    DuplicateSection,
    /// A bullet that would be deleted has nested ones.
    HasChildren,
    /// The host's compactor failed.
    HookFailed,
    /// It is not known whether the change was made.
    Indeterminate,
    /// The arguments are not those of the tool, or do not fit together.
    InvalidArguments,
    /// The patch cannot be read.
    InvalidPatch,
    /// The text would not be read back as what was asked for.
    InvalidText,
    /// A compaction drops too much.
    LossTooHigh,
    /// A block's ID or a slot would be gone.
    LostIds,
    /// The edit does not say which revision it is based on.
    MissingRevision,
    /// A required section would be gone.
    MissingSection,
    /// An insertion does not say where.
    NeedsAnchor,
    /// There is no session.
    NoSession,
    /// No place matches.
    NotFound,
    /// A compaction holds a placeholder for what it left out.
    OmissionPlaceholder,
    /// A compaction is larger than its budget.
    OverBudget,
    /// Two parts change the same text.
    OverlappingEdits,
    /// A bullet is pinned.
    Pinned,
    /// A pinned bullet would be gone, or pinned anew.
    PinnedLost,
    /// What it asks for was redacted.
    Redacted,
    /// The host's write policy refuses it.
    RefusedByPolicy,
    /// A reserved section would change.
    ReservedSection,
    /// The candidates were those of another revision.
    StaleMatch,
    /// The document has changed since it was seen.
    StaleRevision,
    /// The store cannot be read or written.
    Store,
    /// Something newer has taken its place.
    Superseded,
    /// Tasks are nested too deeply.
    TaskDepth,
    /// The document would grow over its hard limit.
    TooLarge,
    /// A session stages more changes than it may.
    TooManyChanges,
    /// There is no such staged change.
    UnknownChange,
    /// There is no such document.
    UnknownDocument,
    /// There is no such entry of the journal.
    UnknownEntry,
    /// There is no such task.
    UnknownTask,
    /// There is no such tool.
    UnknownTool,
}

impl Code {
    /// Returns its name, as JSON and models have it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// Says what was expected of a name that is none.
fn unknown(name: &str) -> Unreadable {
    Unreadable::new("a code such as `not_found`", name)
}
