//! Effects: named documents in a store, what an editor has seen of them, and the one commit of all that a request changes.

mod clock;
mod commit_id;
mod compaction;
mod error;
mod file_store;
mod handle;
mod in_memory;
mod journal;
mod name;
mod plan;
mod sight;
mod store;
mod work;

pub use clock::{Clock, SystemClock};
pub use commit_id::CommitId;
pub use compaction::{Compactor, CompactorError};
pub use error::{Drift, MemoryError};
pub use file_store::FileStore;
pub use handle::Memory;
pub use in_memory::InMemoryStore;
pub use name::{DocName, InvalidDocName};
pub use sight::Sight;
pub use store::{Change, DocumentChange, Outcome, State, Store, StoreError};
pub use work::{Applied, AppliedStatus, Base, Call, Work};
