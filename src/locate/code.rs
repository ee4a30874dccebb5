//! [`Code`]: the stable name of what is wrong with a call.

use crate::text::names;

names! {
    /// What is wrong with a call. Hosts match on the codes and models read them, so they do not change between
    /// versions.
    ///
    /// A code equals its name: it can be compared with a string.
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
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Code, read as "a code such as `not_found`" {
        /// Several places match.
        Ambiguous = "ambiguous",
        /// Somebody else holds a lock that the call needs. The same call may succeed later.
        Busy = "busy",
        /// The journal's chain of hashes is broken.
        ChainBroken = "chain_broken",
        /// The place has changed since it was seen.
        Conflict = "conflict",
        /// Too little text was sent to be sure of the place.
        ContextTooThin = "context_too_thin",
        /// The number of places that match is not the expected number.
        CountMismatch = "count_mismatch",
        /// A bullet like the new one is in the list already.
        DuplicateBullet = "duplicate_bullet",
        /// Two blocks, or two slots, would have one name.
        DuplicateId = "duplicate_id",
        /// Two sections, or two blocks, would have one title.
        DuplicateSection = "duplicate_section",
        /// A bullet that would be deleted has nested ones.
        HasChildren = "has_children",
        /// The host's compactor failed.
        HookFailed = "hook_failed",
        /// It is not known whether the change was made.
        Indeterminate = "indeterminate",
        /// The arguments do not match the tool's schema, or contradict one another.
        InvalidArguments = "invalid_arguments",
        /// The patch cannot be read.
        InvalidPatch = "invalid_patch",
        /// The text that would be written is not allowed, or would have another structure than was asked for.
        InvalidText = "invalid_text",
        /// A compaction drops too much.
        LossTooHigh = "loss_too_high",
        /// A block's ID or a slot would be gone.
        LostIds = "lost_ids",
        /// The edit does not say which revision it is based on.
        MissingRevision = "missing_revision",
        /// A required section would be gone.
        MissingSection = "missing_section",
        /// An insertion does not say where.
        NeedsAnchor = "needs_anchor",
        /// There is no session.
        NoSession = "no_session",
        /// No place matches.
        NotFound = "not_found",
        /// A compaction holds a placeholder for what it left out.
        OmissionPlaceholder = "omission_placeholder",
        /// A compaction is larger than its budget.
        OverBudget = "over_budget",
        /// Two parts of the request change the same text.
        OverlappingEdits = "overlapping_edits",
        /// A bullet is pinned.
        Pinned = "pinned",
        /// A pinned bullet would be lost, or one that was not pinned would be pinned.
        PinnedLost = "pinned_lost",
        /// The content that the call asks for was redacted.
        Redacted = "redacted",
        /// The host's write policy refuses it.
        RefusedByPolicy = "refused_by_policy",
        /// A reserved section would change.
        ReservedSection = "reserved_section",
        /// The candidates are those of an older revision.
        StaleMatch = "stale_match",
        /// The document has changed since it was seen.
        StaleRevision = "stale_revision",
        /// The store cannot be read or written.
        Store = "store",
        /// A newer record has replaced it.
        Superseded = "superseded",
        /// Tasks are nested too deeply.
        TaskDepth = "task_depth",
        /// The document would grow over its hard limit.
        TooLarge = "too_large",
        /// A session stages more changes than it may.
        TooManyChanges = "too_many_changes",
        /// There is no such staged change.
        UnknownChange = "unknown_change",
        /// There is no such document.
        UnknownDocument = "unknown_document",
        /// There is no such entry of the journal.
        UnknownEntry = "unknown_entry",
        /// There is no such task.
        UnknownTask = "unknown_task",
        /// There is no such tool.
        UnknownTool = "unknown_tool",
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}
