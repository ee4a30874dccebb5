//! What stands behind the marker of a bullet: checkbox, tags, content.

use crate::document::{bullet_start, checkbox, tag_groups};

/// What stands behind a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ItemText<'t> {
    /// The checkbox; empty without one.
    pub(crate) checkbox: &'t str,
    /// The groups of tags; empty without any.
    pub(crate) tags: &'t str,
    /// The rest, without white space around it.
    pub(crate) content: &'t str,
}

impl<'t> ItemText<'t> {
    /// Reads what stands behind a marker.
    pub(crate) fn of(text: &'t str) -> Self {
        let text = text.trim();
        let (length, space) = checkbox(text).unwrap_or_default();
        let behind_box = text.get(length + space..).unwrap_or_default();
        let (tags, content) = behind_box.split_at_checked(tag_groups(behind_box).1).unwrap_or(("", behind_box));
        Self { checkbox: text.get(..length).unwrap_or_default(), tags: tags.trim(), content: content.trim() }
    }

    /// Reads a line: what stands behind its marker, or all of it.
    pub(crate) fn of_line(line: &'t str) -> Self {
        Self::of(behind_marker(line))
    }
}

/// Returns what stands behind the marker of a line; the line, if it has none.
pub(crate) fn behind_marker(line: &str) -> &str {
    bullet_start(line).and_then(|start| line.get(start.rest..)).unwrap_or(line)
}
