//! How text is written into a document: endings, markers, separators. Requests locate, then compose.

mod ending;
mod marker;

pub(crate) use ending::{ending_for, last_ending_before};
pub(crate) use marker::adopt_marker;
