//! A text of several lines that begins behind something else on its line.

/// Returns a text with all lines but the first indented by two spaces. So it can stand behind the marker of a list,
/// and none of its lines reads as another item. All characters that some program takes for a line end count as one.
pub(crate) fn hanging(text: &str) -> String {
    let text = text.trim_end_matches(is_line_end);
    let mut lines = text.split(is_line_end);
    let first = lines.next().unwrap_or_default().to_owned();
    // Between CR and LF stands an empty line, which says nothing.
    lines.filter(|line| !line.is_empty()).fold(first, |shown, line| shown + "\n  " + line)
}

/// Reports whether some program takes a character for the end of a line.
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
