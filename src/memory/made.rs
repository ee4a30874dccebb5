//! What has become of a commit.

use super::journal::Seq;
use super::{Change, DocName, Landed, MemoryError, Outcome, Store};

/// What a store has made of a change.
pub(super) enum Made {
    /// It has made it; its entry has this number.
    Now(Seq),
    /// The same request was made before, with this entry.
    Before(Seq),
    /// A document, or the journal, is another than was expected: it is to be planned again.
    Conflict(DocName),
}

/// Commits a change that was made when entry `last` was the last one, and finds out what has become of it.
///
/// # Errors
///
/// The store failed, or cannot tell.
pub(super) fn made(store: &dyn Store, change: &Change, last: Seq) -> Result<Made, MemoryError> {
    match store.commit(change)? {
        Outcome::Committed(made) => Ok(Made::Now(made)),
        Outcome::Repeated(seq) => Ok(Made::Before(seq)),
        Outcome::Conflict { document, .. } => Ok(Made::Conflict(document)),
        Outcome::HeadMoved(_) => Ok(Made::Conflict(DocName::memory())),
        Outcome::Indeterminate(lost) => match store.landed(change.attempt, last) {
            Ok(Landed::At(first)) => Ok(Made::Now(first)),
            Ok(Landed::Not) => Err(MemoryError::Store(lost)),
            Ok(Landed::Unknown) | Err(_) => Err(MemoryError::Indeterminate(lost)),
        },
    }
}
