//! The marker and indentation that a written line takes over from the bullet that it replaces.

use crate::locate::{BulletLine, kept_marker};
use crate::text::is_blank;

/// Returns `line` with the indentation, marker and white space of the bullet whose first line is `replaced`.
///
/// A line that brings a marker of its own keeps it; a number at its beginning is one only in an ordered list.
pub(crate) fn adopt_marker(replaced: &str, line: &str) -> String {
    let Some(own) = BulletLine::read(replaced).filter(|_| !is_blank(line)) else { return line.to_owned() };
    if kept_marker(line, own.marker).is_some() {
        return line.to_owned();
    }
    let prefix = replaced.get(..own.rest_start).unwrap_or_default();
    let space = if prefix.ends_with([' ', '\t']) { "" } else { " " };
    [prefix, space, line.trim_start_matches([' ', '\t'])].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_takes_over_what_it_lacks() {
        assert_eq!(adopt_marker("  - a", "b"), "  - b");
        assert_eq!(adopt_marker("  - a", "  b"), "  - b");
        assert_eq!(adopt_marker("- a", "* b"), "* b");
        assert_eq!(adopt_marker("- a", "20. Juni"), "- 20. Juni");
        assert_eq!(adopt_marker("1. a", "2. b"), "2. b");
        assert_eq!(adopt_marker("- a", "+ 5 %"), "- + 5 %");
        assert_eq!(adopt_marker("a", "b"), "b");
    }
}
