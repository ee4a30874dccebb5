//! How a text is shown in a message or prompt: as an excerpt that is cut between graphemes, with invisible characters
//! made visible, with a hanging indent, or whole in a fence.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use super::{Line, Span, hygiene};

/// The mark for text that is left out.
const ELLIPSIS: &str = "…";

/// Returns the first line of `text`, cut between graphemes to at most `limit` characters, `…` included. After the cut,
/// invisible characters are replaced as in [`visible`], which can make the excerpt longer.
pub fn excerpt(text: &str, limit: usize) -> String {
    let line = Line::starting_at(text, 0).text.of(text);
    let cut = cut(line, limit);
    let is_whole = cut.len() == line.len();
    let cut = on_one_line(&cut);
    if is_whole && line.len() < text.trim_end_matches(['\r', '\n']).len() { cut + ELLIPSIS } else { cut }
}

/// Returns at most `limit` characters of `line` around the byte offset `at`, cut between graphemes.
pub fn excerpt_around(line: &str, at: usize, limit: usize) -> String {
    let before = line.get(..at).unwrap_or(line);
    let kept = || before.graphemes(true).rev().take(limit / 3).map(str::len).sum::<usize>();
    let start = before.chars().nth(limit / 2).map_or(0, |_| before.len() - kept());
    let rest = cut(line.get(start..).unwrap_or_default(), limit);
    if start == 0 { rest.into_owned() } else { format!("{ELLIPSIS}{rest}") }
}

/// Returns `text` with each trailing space shown as `·` and each tab as `→`.
///
/// Spaces inside the text stay. A control character becomes a picture such as `␀`, any other
/// [irregular](super::Irregular) character its code point, such as `<U+202E>`. The result is printable, and longer
/// than `text` by a constant factor at most.
pub fn visible(text: &str) -> String {
    let body = text.trim_end_matches([' ', '\t']);
    let mut shown = on_one_line(body).replace('\t', "→");
    shown.extend(text.get(body.len()..).unwrap_or_default().chars().map(|c| if c == '\t' { '→' } else { '·' }));
    shown
}

/// Returns `text` with control characters (also LF) as pictures, and other characters that are invisible or end a line
/// as code points. Tabs and trailing spaces stay.
pub(crate) fn on_one_line(text: &str) -> String {
    without_hidden(text, |c| match c {
        '\u{0}'..='\u{1F}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{FFFD}').to_string(),
        '\u{7F}' => '␡'.to_string(),
        _ => format!("<U+{:04X}>", u32::from(c)),
    })
}

/// Returns `text` with each of its lines as [`on_one_line`] shows it. Line endings stay.
pub(crate) fn printable(text: &str) -> String {
    let line = |line: Line| on_one_line(line.text.of(text)) + Span::new(line.text.end(), line.full.end()).of(text);
    Line::all(text).map(line).collect()
}

/// Puts JSON, or a message that quotes JSON, on one line: each character that is invisible or ends a line becomes a
/// JSON escape. The result parses to the same value.
pub(crate) fn escaped(json: &str) -> String {
    without_hidden(json, |c| match c {
        '\n' => "\\n".to_owned(),
        _ => c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    })
}

/// Replaces each control character but tab, and each [irregular](super::Irregular) character, by what `name` returns
/// for it.
fn without_hidden(text: &str, name: impl Fn(char) -> String) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
        return text.to_owned();
    }
    let mut hidden = hygiene::irregular(text, Span::new(0, text.len())).peekable();
    let mut shown = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let is_irregular = hidden.next_if(|irregular| irregular.offset == at).is_some();
        if c != '\t' && (is_irregular || c.is_control()) {
            shown.push_str(&name(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Returns `line`, cut between graphemes to at most `limit` characters, the ellipsis included.
fn cut(line: &str, limit: usize) -> Cow<'_, str> {
    if line.chars().nth(limit).is_none() {
        return line.into();
    }
    let mut characters = 0;
    let is_kept = |grapheme: &&str| {
        characters += grapheme.chars().count();
        characters < limit
    };
    let kept: String = line.graphemes(true).take_while(is_kept).collect();
    (kept + ELLIPSIS).into()
}

/// Indents all lines of a text but the first by two spaces. So the text can follow the marker of a list item, and none of
/// its lines begins another item. Every character that some program reads as a line end counts as one.
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

/// Returns `text` in a fence of backticks, with `word` right after the opening backticks. The fence is longer than any
/// run of backticks in the text, so that nothing in the text closes it. A text without a line feed at its end gets one.
pub(crate) fn fenced(word: &str, text: &str) -> String {
    let run = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(3.max(run.saturating_add(1)));
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{word}\n{text}{end}{fence}\n")
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
        assert_eq!(visible("a\u{0}\u{202E}b"), "a␀<U+202E>b");
    }

    #[test]
    fn lines_stay_apart() {
        assert_eq!(printable("a\rb\r\n\tc\u{202E}\n"), "a␍b\r\n\tc<U+202E>\n");
    }

    #[test]
    fn escaped_json_says_the_same() {
        let hidden = "\u{202E}\u{E0041}\u{1B}\u{7F}\u{200B}";
        let json = serde_json::Value::from(hidden).to_string();
        assert_eq!(escaped(&json), r#""\u202e\udb40\udc41\u001b\u007f\u200b""#);
        assert_eq!(serde_json::from_str::<String>(&escaped(&json)).ok().as_deref(), Some(hidden));
    }

    #[test]
    fn what_cannot_be_seen_is_shown_as_its_code_point() {
        assert_eq!(visible("\u{1B}[31m\u{E0041}\u{FEFF}\u{AD}"), "␛[31m<U+E0041><U+FEFF><U+00AD>");
        assert_eq!(excerpt("a\u{202E}b\u{2028}", 10), "a<U+202E>b<U+2028>");
        assert_eq!(visible("می\u{200C}خواهم ❤\u{FE0F}"), "می\u{200C}خواهم ❤\u{FE0F}", "what does its work stays");
    }

    #[test]
    fn lines_after_the_first_are_indented() {
        assert_eq!(hanging("a\n- b\r\n\r# c\u{2028}d\n"), "a\n  - b\n  # c\n  d");
        assert_eq!(hanging(""), "");
    }

    #[test]
    fn a_fence_is_longer_than_any_run_of_backticks_inside() {
        assert_eq!(fenced("memory", "- a\n"), "```memory\n- a\n```\n");
        assert_eq!(fenced("memory", "```\n## Who I Am\n````"), "`````memory\n```\n## Who I Am\n````\n`````\n");
    }
}
