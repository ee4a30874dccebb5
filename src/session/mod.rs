//! Staged work: edits that are looked at before they are written, the tasks that they belong to, and chat histories without them.
//!
//! A [`Session`] holds, for each document, the text that it began with and the edits since: each planned on what those before it
//! make, checked when it is staged, and composed by [`Edit::then`](crate::edit::Edit::then) when all are committed. Where the text below
//! them becomes another, each request is planned anew, and must find the place that it had: among the same text, where others have
//! changed the document, and where its bytes are, where its own editor takes a change out again or makes an edit beside the session.
//!
//! What is looked for is found by `locate` alone. [`Candidates`] letters the places of a text, and follows them through the session's own
//! changes.

mod again;
mod append;
mod beside;
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
mod way;

pub use append::Append;
pub(crate) use beside::all_beside;
pub use candidates::{Candidates, Recommendation, Shown, Sought};
pub use change::{Intent, Letter, PendingChange};
pub use commit::NotCommitted;
pub use config::{EditingConfig, HistoryConfig, MatchingConfig, PreviewMode, SessionConfig, TaskConfig};
pub use error::SessionError;
pub use history::{ChatMessage, CompressedHistory, Finished, HistoryCompressor, Importance, Role};
pub use layout::{ChangePlace, ChangeRecord};
pub(crate) use staging::Wanted;
pub use staging::{Outcome, Session};
pub use task::{TaskError, TaskId, TaskNode, TaskStatus, TaskTree};
