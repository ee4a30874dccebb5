//! Editing sessions of one agent: the states `idle` and `editing` over [`Session`](crate::session::Session), and the stack of tasks
//! with their savepoints.

mod commit;
mod opening;
mod reply;
mod search;
mod stage;
mod state;

pub(super) use commit::{Committing, commit, revert};
pub(super) use opening::{carry, check_begun_on, no_session, refused, task_error};
pub(super) use reply::{Marks, exported, in_session, reply};
pub(super) use search::{Choosing, choose, commit_auto};
pub(super) use stage::{stage, unstage};
pub(super) use state::Editing;
