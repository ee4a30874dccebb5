//! Staged edits, which are reviewed before they are written; the tasks that group them; and the compression of chats.
//!
//! A [`Session`] has, for each document, a base text and the changes since. A change is planned on the result of the
//! changes before it, is checked when it is staged, and keeps the texts before and after it. If the text before a
//! change is replaced, the change is carried over to the new text by a merge of lines. This happens when an earlier
//! change is unstaged, when others write, and when the same agent makes a direct edit while the session is open.
//!
//! [`Candidates`] gives letters to the places that `locate` finds.

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
