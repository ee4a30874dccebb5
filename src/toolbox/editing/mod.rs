//! Editing sessions of one agent: the states `idle` and `editing` over [`Session`](crate::session::Session), and the stack of tasks
//! with their savepoints.

mod again;
mod auto;
mod beside;
mod commit;
mod explain;
mod follow;
mod history;
mod log;
mod on_seen;
mod opening;
mod revert;
mod search;
mod stage;
mod state;
mod told;

pub(super) use auto::commit_auto;
pub(super) use beside::{check_beside, check_plans_beside, check_request_beside};
pub(super) use commit::{Committing, commit};
pub(super) use explain::{no_session, task_error};
pub(super) use follow::follow;
pub(super) use history::Marks;
pub(super) use log::exported;
pub(super) use on_seen::on_seen;
pub(super) use opening::{check_begun_on, current, has_seen, is_past};
pub(super) use revert::revert;
pub(super) use search::{Choosing, choose};
pub(super) use stage::{Staging, stage, stage_all, unstage};
pub(super) use state::Editing;
pub(super) use told::{in_session, reply};
