//! How text is written into a document: endings, markers, separators. Requests locate, then compose.

mod ending;
mod lines;
mod list;
mod marker;
mod section;

pub(crate) use ending::{ending_for, last_ending_before};
pub(crate) use lines::{insert_lines, replacing_lines};
pub(crate) use list::{append_point, bullets_at};
pub(crate) use marker::adopt_marker;
pub(crate) use section::{Place, add_section, body_lines, delete_sections, level_at, move_section, rename_section};
