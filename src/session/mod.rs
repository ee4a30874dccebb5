//! Staged work: edits that are looked at before they are written, the tasks that they belong to, and chat histories without them.
//!
//! A [`Session`] holds, for each document, the text that it began with and the changes since. Each change is planned
//! on the result of those before it, is checked when it is staged, and keeps the text before and after it. The text
//! that a change was planned on may become another: a change before it is taken out, others write, or its own editor
//! makes an edit beside the session. Then the change is carried over by a merge of lines.
//!
//! Only `locate` searches. [`Candidates`] gives letters to the places that it finds.

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
pub use config::{EditingConfig, HistoryConfig, MatchingConfig, PreviewMode, SessionConfig, TaskConfig};
pub use history::{ChatMessage, CompressedHistory, Finished, HistoryCompressor, Role};
pub use layout::ChangePlace;
pub(crate) use staging::Wanted;
pub use staging::{Outcome, Session, SessionError};
pub use task::{TaskError, TaskNode, TaskStatus, TaskTree};
