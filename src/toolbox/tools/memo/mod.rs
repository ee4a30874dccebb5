//! The tools of editing sessions: what is staged, looked at, and then committed or dropped.

pub(super) mod append;
pub(super) mod commit;
pub(super) mod export;
pub(super) mod preview;
pub(super) mod read;
pub(super) mod replace;
pub(super) mod revert;
pub(super) mod stage;
pub(super) mod task;
pub(super) mod unstage;
