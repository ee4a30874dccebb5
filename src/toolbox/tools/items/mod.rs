//! `edit_items`.

mod prepare;
mod tool;

pub(super) use tool::TOOL;
