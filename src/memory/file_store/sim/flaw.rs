//! Operations of a disk that do not do what a protocol asks for.

/// What is wrong with the disk's operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Bad {
    #[default]
    Nothing,
    NoTextSync,
    NoJournalSync,
    NoDirectorySync,
    /// A document is overwritten where it is.
    InPlace,
    /// A document is removed before the next one gets its name.
    UnlinkedFirst,
    /// A sync that fails is tried again.
    RetriedSync,
    /// Recovery syncs what stands in the journal, and does not write it anew.
    NotAnew,
    /// What is torn is not cut off.
    NoCut,
    /// The system cannot exchange files.
    NoExchange,
}

impl Bad {
    pub(super) fn skips_sync_of(self, path: &str) -> bool {
        match self {
            Self::NoTextSync => path.ends_with(".next") || path.ends_with(".redo"),
            Self::NoJournalSync => path.ends_with(".jsonl"),
            _ => false,
        }
    }
}
