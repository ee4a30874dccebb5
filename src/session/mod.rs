//! Staged work: edits that are looked at before they are written, the tasks that they belong to, and chat histories without them.

mod carry;
mod change;
mod commit;
mod config;
mod error;
mod staged;
mod staging;

pub use change::{Intent, Letter, PendingChange};
pub use commit::NotCommitted;
pub use config::{EditingConfig, HistoryConfig, MatchingConfig, PreviewMode, SessionConfig, TaskConfig};
pub use error::SessionError;
pub use staging::{Outcome, Session};
