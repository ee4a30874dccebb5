//! Effects: named documents in a store, and the one commit of all that an editor asks for.

mod apply;
mod change;
mod clock;
mod compactor;
mod drafts;
mod error;
#[cfg(any())]
mod file_store;
mod handle;
mod history;
mod host;
mod in_memory;
pub mod journal;
mod landed;
mod name;
mod notes;
mod operation;
mod origin;
mod plan;
mod policies;
mod random;
mod recording;
mod request_id;
mod room;
mod snapshot;
mod store;
mod store_error;
mod terms;

pub use change::{Change, DocumentChange, Landed, Outcome};
pub use clock::{Clock, SystemClock};
pub use compactor::{Compactor, CompactorError};
pub use error::MemoryError;
pub use handle::Memory;
pub use history::{HistoryPage, HistoryQuery, HistoryRow, Moment, Undo, Undone, Verification};
pub use in_memory::InMemoryStore;
pub use name::{DocName, InvalidDocName};
pub use notes::{NoteMode, SCRATCHPAD_KEY, SESSION_HANDOFF_KEY};
pub use operation::{Applied, AppliedStatus, Operation};
pub use origin::{Actor, InvalidActor, Origin};
pub use policies::Policies;
pub use request_id::RequestId;
pub use snapshot::{Snapshot, Stored, Tip, Version};
pub use store::{EntryQuery, Store};
pub use store_error::{FileFlaw, IoAction, StoreError};
