//! Pieces of text shown in messages: cut between graphemes, with white space made visible where it matters.

use unicode_segmentation::UnicodeSegmentation;

/// The mark that stands for text left out.
const ELLIPSIS: &str = "…";

/// Returns the first line of `text`, cut between graphemes to at most `limit` characters, `…` included.
pub fn excerpt(text: &str, limit: usize) -> String {
    let line = text.split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    let cut = cut(line, limit);
    if cut.len() == line.len() && line.len() < text.trim_end_matches(['\r', '\n']).len() { cut + ELLIPSIS } else { cut }
}

/// Returns at most `limit` characters of `line` around the byte offset `at`, cut between graphemes.
pub fn excerpt_around(line: &str, at: usize, limit: usize) -> String {
    let before = line.get(..at).unwrap_or(line);
    let mut start = 0;
    if before.chars().take(limit / 2 + 1).count() > limit / 2 {
        let kept: usize = before.graphemes(true).rev().take(limit / 3).map(str::len).sum();
        start = before.len() - kept;
    }
    let rest = cut(line.get(start..).unwrap_or_default(), limit);
    if start == 0 { rest } else { format!("{ELLIPSIS}{rest}") }
}

/// Returns `text` with trailing white space shown as `·` and tabs as `→`.
///
/// Spaces inside stay as they are, since a row of them cannot be overlooked; control characters become `␀`-style
/// pictures, so that a message is always printable.
pub fn visible(text: &str) -> String {
    let body = text.trim_end_matches([' ', '\t']);
    let mut shown = String::with_capacity(text.len());
    shown.extend(body.chars().map(|c| if c == '\t' { '→' } else { printable(c) }));
    shown.extend(text.get(body.len()..).unwrap_or_default().chars().map(|c| if c == '\t' { '→' } else { '·' }));
    shown
}

/// Returns `text` with what would end a line, or hide in it, shown as pictures; tabs and trailing spaces stay as they are.
pub(crate) fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c == '\t' { c } else { printable(c) }).collect()
}

fn printable(c: char) -> char {
    match c {
        '\u{0}'..='\u{1F}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{FFFD}'),
        '\u{7F}' => '␡',
        _ if c.is_control() || super::chars::is_invisible(c) || matches!(c, '\u{2028}' | '\u{2029}') => '\u{FFFD}',
        _ => c,
    }
}

fn cut(line: &str, limit: usize) -> String {
    if line.chars().take(limit + 1).count() <= limit {
        return line.to_owned();
    }
    let mut kept = 0;
    let mut characters = 0;
    for grapheme in line.graphemes(true) {
        characters += grapheme.chars().count();
        if characters >= limit {
            break;
        }
        kept += grapheme.len();
    }
    format!("{}{ELLIPSIS}", line.get(..kept).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_never_cuts_a_grapheme() {
        assert_eq!(excerpt("👩\u{200D}👩\u{200D}👧abc", 3), "…");
        assert_eq!(excerpt("e\u{301}e\u{301}e\u{301}", 5), "e\u{301}e\u{301}…");
        assert_eq!(excerpt("one\ntwo", 10), "one…");
        assert_eq!(excerpt("one\r\n", 10), "one");
    }

    #[test]
    fn white_space_that_matters_is_visible() {
        assert_eq!(visible("a\tb  \t"), "a→b··→");
        assert_eq!(visible("a\u{0}\u{202E}b"), "a␀\u{FFFD}b");
    }
}
