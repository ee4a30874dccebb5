//! Tools for the slots of the front matter.

mod remove;
mod set;

pub(super) use remove::TOOL as REMOVE;
pub(super) use set::TOOL as SET;
