//! The marker and indentation that a written line takes over from the bullet that it replaces.

use crate::document::bullet_start;

/// Returns `line` with the indentation, marker and white space of the bullet `replaced`.
///
/// A line that brings one marker of its own keeps it; several in a row count as one that was doubled. A `replaced` that
/// is no bullet gives nothing.
pub(crate) fn adopt_marker(replaced: &str, line: &str) -> String {
    let Some(start) = bullet_start(replaced) else { return line.to_owned() };
    let prefix = replaced.get(..start.rest).unwrap_or_default();
    match bullet_start(line) {
        None => [prefix, line].concat(),
        Some(own) => {
            let rest = line.get(own.rest..).unwrap_or_default();
            match bullet_start(rest) {
                None => line.to_owned(),
                Some(_) => {
                    let mut body = rest;
                    while let Some(again) = bullet_start(body) {
                        body = body.get(again.rest..).unwrap_or_default();
                    }
                    [prefix, body].concat()
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_takes_over_what_it_lacks() {
        assert_eq!(adopt_marker("  - a", "b"), "  - b");
        assert_eq!(adopt_marker("- a", "* b"), "* b");
        assert_eq!(adopt_marker("- a", "- - b"), "- b");
        assert_eq!(adopt_marker("a", "b"), "b");
    }
}
