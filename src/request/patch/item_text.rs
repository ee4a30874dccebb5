//! What a line of a patch says as a bullet: checkbox, tags, content; and which lines are plain.

use crate::document::{bullet_start, checkbox, fence_open, heading, is_block_line, tag_groups};
use crate::text::is_blank;

/// What stands behind a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ItemText<'t> {
    /// The checkbox; empty without one.
    pub(super) checkbox: &'t str,
    /// The groups of tags; empty without any.
    pub(super) tags: &'t str,
    /// The rest, without white space around it.
    pub(super) content: &'t str,
}

impl<'t> ItemText<'t> {
    /// Reads what stands behind a marker.
    pub(super) fn of(text: &'t str) -> Self {
        let text = text.trim();
        let (length, space) = checkbox(text).unwrap_or_default();
        let behind_box = text.get(length + space..).unwrap_or_default();
        let (tags, content) = behind_box.split_at_checked(tag_groups(behind_box).1).unwrap_or(("", behind_box));
        Self { checkbox: text.get(..length).unwrap_or_default(), tags: tags.trim(), content: content.trim() }
    }

    /// Reads a line: what stands behind its marker, or all of it.
    pub(super) fn of_line(line: &'t str) -> Self {
        Self::of(bullet_start(line).and_then(|start| line.get(start.rest..)).unwrap_or(line))
    }
}

/// Which numbers at the beginning of a line are its marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberMarker<'m> {
    /// None: they are text.
    None,
    /// This one.
    Only(&'m str),
    /// Any.
    Any,
}

/// Reports whether a line brings a marker of its own.
pub(super) fn is_marked(line: &str, numbers: NumberMarker<'_>) -> bool {
    let Some(marker) = bullet_start(line).and_then(|start| line.get(start.marker)) else { return false };
    match numbers {
        _ if matches!(marker, "-" | "*" | "+") => true,
        NumberMarker::None => false,
        NumberMarker::Only(own) => marker == own,
        NumberMarker::Any => true,
    }
}

/// Reports whether a line could be the content of a bullet: it is unindented, and no marker, heading, block line, fence,
/// rule, table row, comment or label.
pub(super) fn is_plain(line: &str, numbers: NumberMarker<'_>) -> bool {
    let bare = line.trim_end();
    let is_bold = |marks: &str| {
        let inner = bare.trim_end_matches(':').strip_prefix(marks).and_then(|rest| rest.strip_suffix(marks));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.starts_with([' ', '\t']) && !inner.contains('*'))
    };
    !is_blank(line)
        && !line.starts_with([' ', '\t'])
        && !is_marked(line, numbers)
        && heading(line).is_none()
        && !is_block_line(line)
        && fence_open(line).is_none()
        && !matches!(bare, "---" | "...")
        && !line.starts_with('|')
        && !line.starts_with("<!--")
        && !bare.ends_with(':')
        && !is_bold("**")
        && !is_bold("__")
}

/// Reports whether a line is indented by exactly one space.
pub(super) fn is_one_in(line: &str) -> bool {
    line.strip_prefix(' ').is_some_and(|rest| !rest.is_empty() && !rest.starts_with(char::is_whitespace))
}
