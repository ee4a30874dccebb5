//! Effects: named documents in a store, and the one commit of all that an editor asks for.

mod apply;
mod backup;
mod blocks;
pub(crate) mod change;
mod clock;
mod compactor;
mod derived;
mod drafts;
mod error;
#[cfg(unix)]
mod file_store;
mod handle;
mod history;
mod host;
mod in_memory;
pub mod journal;
mod judging;
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
mod snapshot;
mod store;
mod store_error;
mod tries;
mod write_policy;

pub use blocks::{Block, BlockUpdate, CORE_BLOCKS, Updated};
pub use change::{Change, DocumentChange, Landed, Outcome, genesis};
pub use clock::{Clock, SystemClock};
pub use compactor::{Compactor, CompactorError};
pub(crate) use derived::Follower;
pub use drafts::Recorded;
pub use error::MemoryError;
#[cfg(unix)]
pub use file_store::FileStore;
pub use handle::Memory;
pub(crate) use handle::Settled;
pub(crate) use history::REWRITE_TOOL;
pub use history::{
    ChangedDocument, HistoryPage, HistoryQuery, HistoryRow, InTheWay, Moment, Undo, Undone, Verification,
};
pub use in_memory::InMemoryStore;
pub(crate) use name::DATA;
pub use name::{DocName, InvalidDocName, NameRule};
pub use notes::{NoteMode, SCRATCHPAD_KEY, SESSION_HANDOFF_KEY};
pub use operation::{Applied, AppliedStatus, Operation};
pub use origin::{Actor, InvalidActor, Origin};
pub use policies::Policies;
#[cfg(feature = "postgres")]
pub use postgres_store::PostgresStore;
pub use quarantine::Quarantined;
pub use redact::Redacted;
pub use remember::{MemoryKind, NewMemory};
pub use request_id::RequestId;
pub use snapshot::{Snapshot, Stored, Version};
pub use store::{EntryQuery, Store};
pub use store_error::{FileFlaw, IoAction, StoreError, Unusable, WhyUnusable};
pub use write_policy::{PlannedWrite, Verdict, WritePolicy};
