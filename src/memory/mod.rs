//! Effects: named documents in a store. What an editor asks for is planned, and then committed as one journal entry.

/// Writes `Debug` of types whose values must not be shown.
macro_rules! not_shown {
    ($($name:ident),+) => {$(
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    )+};
}

mod apply;
#[cfg(unix)]
mod backup;
mod blocks;
mod commit;
mod derived;
mod error;
#[cfg(unix)]
mod file_store;
mod handle;
mod history;
mod hooks;
mod in_memory;
pub mod journal;
mod landed;
mod name;
mod notes;
mod operation;
mod origin;
mod plan;
mod policies;
#[cfg(feature = "postgres")]
mod postgres_store;
mod quarantine;
pub(crate) mod random;
mod redact;
mod remember;
mod request_id;
mod room;
mod store;
mod tries;

pub use blocks::{Block, CORE_BLOCKS, Updated};
pub use commit::Recorded;
pub(crate) use derived::Followed;
pub use error::{FileFlaw, MemoryError, StoreError, Unusable};
#[cfg(unix)]
pub use file_store::FileStore;
pub use handle::Memory;
pub(crate) use history::REWRITE_TOOL;
pub use history::{ChangedDocument, HistoryPage, HistoryQuery, HistoryRow, Moment, Undo, Undone};
pub use hooks::{Clock, Compactor, CompactorError, PlannedWrite, SystemClock, Verdict, WritePolicy};
pub use in_memory::InMemoryStore;
pub use journal::Verification;
pub(crate) use name::{DATA, NAME_RULE};
pub use name::{DocName, InvalidDocName};
pub use notes::{NoteMode, SCRATCHPAD_KEY, SESSION_HANDOFF_KEY};
pub use operation::{Applied, AppliedStatus, Operation};
pub use origin::{Actor, Origin};
pub use policies::Policies;
#[cfg(feature = "postgres")]
pub use postgres_store::PostgresStore;
pub use quarantine::Quarantined;
pub use redact::Redacted;
pub use remember::NewMemory;
pub use request_id::RequestId;
#[cfg(feature = "testing")]
pub(crate) use store::forwarded;
pub use store::{Change, DocumentChange, Landed, Outcome, Snapshot, Store, Stored, Version, genesis};
