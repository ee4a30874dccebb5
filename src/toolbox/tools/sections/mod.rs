//! Tools for whole sections.

mod delete;
mod merge;
mod relocate;
mod rename;

pub(super) use delete::TOOL as DELETE;
pub(super) use merge::TOOL as MERGE;
pub(super) use relocate::TOOL as MOVE;
pub(super) use rename::TOOL as RENAME;
