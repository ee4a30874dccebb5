//! Which lines of a patch bring a marker, and which could be what a bullet says.

use crate::document::{bullet_start, fence_open, heading, is_block_line, stands_apart};
use crate::text::is_blank;

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
    !is_blank(line)
        && !line.starts_with([' ', '\t'])
        && !is_marked(line, numbers)
        && heading(line).is_none()
        && !is_block_line(line)
        && fence_open(line).is_none()
        && !matches!(bare, "---" | "...")
        && !line.starts_with('|')
        && !line.starts_with("<!--")
        && !stands_apart(line)
}

/// Reports whether a line is indented by exactly one space.
pub(super) fn is_one_in(line: &str) -> bool {
    line.strip_prefix(' ').is_some_and(|rest| !rest.is_empty() && !rest.starts_with(char::is_whitespace))
}
