//! [`hanging`]: a text of several lines with a hanging indent.

/// Indents all lines of a text but the first by two spaces. So the text can follow the marker of a list item, and none
/// of its lines begins another item. Every character that some program reads as a line end counts as one.
pub(crate) fn hanging(text: &str) -> String {
    let text = text.trim_end_matches(is_line_end);
    let mut lines = text.split(is_line_end);
    let first = lines.next().unwrap_or_default().to_owned();
    // Empty lines are left out, such as the one between CR and LF.
    lines.filter(|line| !line.is_empty()).fold(first, |shown, line| shown + "\n  " + line)
}

/// Reports whether some program reads a character as the end of a line.
const fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_behind_the_first_are_indented() {
        assert_eq!(hanging("a\n- b\r\n\r# c\u{2028}d\n"), "a\n  - b\n  # c\n  d");
        assert_eq!(hanging(""), "");
    }
}
