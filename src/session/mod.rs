//! Staged work: edits that are looked at before they are written, the tasks that they belong to, and chat histories without them.

mod append;
mod candidates;
mod carry;
mod change;
mod commit;
mod config;
mod error;
mod history;
mod layout;
mod preview;
mod staged;
mod staging;
mod task;
mod tree;

pub use append::Append;
pub use candidates::{Candidates, Recommendation, Shown, Sought};
pub use change::{Intent, Letter, PendingChange};
pub use commit::NotCommitted;
pub use config::{EditingConfig, HistoryConfig, MatchingConfig, PreviewMode, SessionConfig, TaskConfig};
pub use error::SessionError;
pub use history::{ChatMessage, CompressedHistory, Finished, HistoryCompressor, Importance, Role};
pub use layout::{ChangePlace, ChangeRecord};
pub use staging::{Outcome, Session};
pub use task::{TaskError, TaskId, TaskNode, TaskStatus, TaskTree};
