//! What fails on a disk, and protocols with one step wrong.

use super::super::layout::NEW_JOURNAL;

/// An error at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The first call that fails, counted from 0.
    pub(super) at: usize,
    pub(super) kind: FaultKind,
    /// Whether all later calls fail too.
    pub(super) lasts: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultKind {
    Io,
    Full,
    /// A write of half the bytes.
    Short,
    /// Syncs fail, and all else goes on.
    Sync,
    /// The process is gone, and the disk is not.
    Killed,
    /// Nothing can be created or written, and all else goes on.
    NoSpace,
    /// Nothing can be changed.
    ReadOnly,
}

/// What is wrong with the disk's operations, so that the store's steps are not those of its protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Bad {
    #[default]
    Nothing,
    /// The next text is not synced.
    NoTextSync,
    /// The journal is not synced.
    NoJournalSync,
    /// The directory of the documents is not synced, and counts as settled.
    NoDirectorySync,
    /// The directory of the journal is not synced.
    NoPrivateSync,
    /// A document is overwritten where it is.
    InPlace,
    /// A document is removed before the next one gets its name.
    UnlinkedFirst,
    /// A sync that fails is tried again.
    RetriedSync,
    /// What stands in the journal is synced, and not written anew.
    NotAnew,
    /// What is torn is not cut off.
    NoCut,
    /// Two files cannot be exchanged.
    NoExchange,
    /// What was displaced is not looked at.
    NoSecondLook,
    /// Nothing tells that an entry was not written out.
    NoMark,
    /// Nothing tells that an entry that deletes a document was not written out.
    NoDeletionMark,
    /// A loss of power is not noticed.
    SameBoot,
    /// A text is taken while it is being saved.
    NoTimes,
}

impl Bad {
    pub(super) fn skips_sync_of(self, path: &str) -> bool {
        match self {
            Self::NoTextSync => path.ends_with(".next"),
            Self::NoJournalSync => path.ends_with(".jsonl") || path == NEW_JOURNAL,
            _ => false,
        }
    }
}
