//! Staged work: edits that are looked at before they are written, the tasks that they belong to, and chat histories without them.
//!
//! A [`Session`] holds, for each document, the text that it began with and the changes since. Each is planned on what those
//! before it make, is checked when it is staged, and keeps the text before and after it. Where the text below it becomes another,
//! because a change is taken out, others write, or its own editor makes an edit beside the session, each change is carried over by
//! a merge of lines.
//!
//! What is looked for is found by `locate` alone. [`Candidates`] letters the places of a text.

mod candidates;
mod change;
mod commit;
mod config;
mod history;
mod layout;
mod preview;
mod staging;
mod task;
mod unstage;

pub use crate::request::Append;
pub use candidates::{Candidates, Shown};
pub use change::{Intent, Letter, PendingChange};
pub use commit::NotCommitted;
pub use config::{EditingConfig, HistoryConfig, MatchingConfig, PreviewMode, SessionConfig, TaskConfig};
pub use history::{ChatMessage, CompressedHistory, Finished, HistoryCompressor, Role};
pub use layout::ChangePlace;
pub(crate) use staging::Wanted;
pub use staging::{Outcome, Session, SessionError};
pub use task::{TaskError, TaskNode, TaskStatus, TaskTree};
