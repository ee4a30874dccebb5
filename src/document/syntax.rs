//! The syntax of a single line, without its context. The parser adds what depends on the lines around it.
//!
//! All functions take the text of a line without its ending, and return parts of it or offsets into it.

use crate::text::is_blank;

/// The deepest level of a heading.
pub(crate) const DEEPEST_LEVEL: u8 = 6;

/// The white space that counts inside a line.
const SPACE: [char; 2] = [' ', '\t'];

/// The colons that may end a label, a title or a header, also the full-width one.
pub(crate) const COLONS: [char; 2] = [':', '\u{FF1A}'];

/// A heading line: `## Title: (ID: name) ##`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heading<'l> {
    pub(crate) level: u8,
    pub(crate) title: &'l str,
    pub(crate) id: Option<&'l str>,
}

/// The first line of a bullet, divided into parts. The indentation is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BulletLine<'l> {
    /// The marker alone.
    pub(crate) marker: &'l str,
    /// The white space after the marker.
    pub(crate) space: &'l str,
    /// What follows: checkbox, tags, content.
    pub(crate) rest: &'l str,
}

/// The opening line of a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FenceOpen {
    pub(crate) byte: u8,
    pub(crate) length: usize,
}

/// Returns the length in bytes and the width in columns of the white space at the start of `line`. A tab extends to the
/// next multiple of four columns.
pub(crate) fn indentation(line: &[u8]) -> (usize, usize) {
    let mut columns = 0;
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b' ' => columns += 1,
            b'\t' => columns += 4 - columns % 4,
            _ => return (at, columns),
        }
    }
    (line.len(), columns)
}

/// Returns the width in columns of the white space at the start of `line`.
pub(crate) fn columns(line: &str) -> usize {
    indentation(line.as_bytes()).1
}

const BOM: &str = "\u{FEFF}";

/// Returns where the first line starts: the offset after a BOM.
pub(super) fn after_bom(text: &str) -> usize {
    if text.starts_with(BOM) { BOM.len() } else { 0 }
}

/// Reads an ATX heading.
pub(crate) fn heading(line: &str) -> Option<Heading<'_>> {
    let marked = line.trim_start_matches(' ');
    let text = marked.trim_start_matches('#');
    let level = u8::try_from(marked.len() - text.len()).ok().filter(|level| (1..=DEEPEST_LEVEL).contains(level))?;
    if line.len() - marked.len() > 3 || !(text.is_empty() || text.starts_with(SPACE)) {
        return None;
    }
    let unclosed = text.trim_end_matches(SPACE).trim_end_matches('#');
    let text = if unclosed.ends_with(SPACE) { unclosed } else { text };
    let (title, id) = block_id(text).map_or((trim(text), None), |(title, id)| (title, Some(id)));
    Some(Heading { level, title, id })
}

/// Reads a block line such as `User Profile: (ID: mem123)`: its title and its ID.
pub(crate) fn block_line(line: &str) -> Option<(&str, &str)> {
    if !line.trim_end_matches(SPACE).ends_with([')', ':', '\u{FF1A}']) || line.starts_with(SPACE) {
        return None;
    }
    let is_alone = || bullet_line(line).is_none() && heading(line).is_none();
    block_id(line).filter(|(title, _)| !title.is_empty() && is_alone())
}

/// Reads the line of a bullet.
pub(crate) fn bullet_line(line: &str) -> Option<BulletLine<'_>> {
    bullet_line_at(line, indentation(line.as_bytes()).0)
}

/// Reads the line of a bullet, which has `start` bytes of indentation.
pub(super) fn bullet_line_at(line: &str, start: usize) -> Option<BulletLine<'_>> {
    let bytes = line.as_bytes();
    let end = match bytes.get(start)? {
        b'-' | b'*' | b'+' => start + 1,
        b'0'..=b'9' => {
            let digits = bytes.iter().skip(start).take_while(|byte| byte.is_ascii_digit()).count();
            // Nine digits are CommonMark's limit: a longer number is a date, a phone number or the like.
            let closes = matches!(bytes.get(start + digits), Some(b'.' | b')'));
            (digits <= 9 && closes).then_some(start + digits + 1)?
        }
        _ => return None,
    };
    let rest = end + separator_len(line, end)?;
    Some(BulletLine { marker: line.get(start..end)?, space: line.get(end..rest)?, rest: line.get(rest..)? })
}

/// Reports whether a marker is that of an ordered list.
pub(crate) fn is_ordered(marker: &str) -> bool {
    marker.ends_with(['.', ')'])
}

/// Returns the number of an ordered marker, and its delimiter, `.` or `)`.
pub(crate) fn numbered(marker: &str) -> Option<(usize, char)> {
    let delimiter = marker.chars().next_back().filter(|c| matches!(c, '.' | ')'))?;
    Some((marker.strip_suffix(delimiter)?.parse().ok()?, delimiter))
}

/// Returns the length of the white space at `at`; `None` if neither white space nor the end of the line is there.
pub(crate) fn separator_len(line: &str, at: usize) -> Option<usize> {
    let rest = line.as_bytes().get(at..)?;
    let (length, _) = indentation(rest);
    (length > 0 || rest.is_empty()).then_some(length)
}

/// Reads the opening of a fence: three or more backticks or tildes, without indentation.
pub(crate) fn fence_open(line: &str) -> Option<FenceOpen> {
    let bytes = line.as_bytes();
    let &byte = bytes.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = leading_count(bytes, byte);
    let info_has_backtick = || bytes.iter().skip(length).any(|&b| b == b'`');
    (length >= 3 && !(byte == b'`' && info_has_backtick())).then_some(FenceOpen { byte, length })
}

/// Reports whether `line`, without indentation, closes the fence `open`.
pub(crate) fn fence_closes(line: &str, open: FenceOpen) -> bool {
    let bytes = line.as_bytes();
    let length = leading_count(bytes, open.byte);
    length >= open.length && bytes.iter().skip(length).all(|byte| matches!(byte, b' ' | b'\t'))
}

/// The start of an HTML comment.
pub(super) const COMMENT_START: &str = "<!--";
/// The end of an HTML comment.
pub(super) const COMMENT_END: &str = "-->";
/// The marks around bold text.
const BOLD: [&str; 2] = ["**", "__"];

/// Returns the name of the label that an unindented line of prose is, if a list follows. `None` for a rule, a table
/// row, or HTML, which are no labels.
pub(super) fn label(line: &str) -> Option<&str> {
    if line.starts_with(['|', '<']) || is_rule(line) {
        return None;
    }
    let line = trim(line);
    let mut name = BOLD.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    for mark in ["**", "__", ":", "\u{FF1A}", "**", "__"] {
        name = name.strip_suffix(mark).unwrap_or(name);
    }
    Some(trim(name)).filter(|name| !name.is_empty())
}

/// Reports whether a line of prose is a label even if blank lines separate it from the list: it ends in a colon or is
/// bold as a whole.
pub(crate) fn stands_apart(line: &str) -> bool {
    let line = line.trim_end_matches(SPACE);
    let is_bold = |mark: &&str| {
        let inner = line.strip_prefix(*mark).and_then(|rest| rest.strip_suffix(*mark));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.starts_with(SPACE) && !inner.contains(*mark))
    };
    line.ends_with(COLONS) || BOLD.iter().any(is_bold)
}

/// Returns true if a line begins with a marker such as `-`. A number does not count, as it may be text.
pub(crate) fn is_marked(line: &str) -> bool {
    bullet_line(line).is_some_and(|line| !is_ordered(line.marker))
}

/// Returns true if a line could be the content of a bullet: it is not indented, has no marker, and is no heading, block
/// line, fence, rule, table row, comment or label.
pub(crate) fn is_plain(line: &str) -> bool {
    !is_blank(line)
        && !line.starts_with([' ', '\t', '|'])
        && !is_marked(line)
        && heading(line).is_none()
        && block_line(line).is_none()
        && fence_open(line).is_none()
        && !matches!(line.trim_end(), "---" | "...")
        && !line.starts_with("<!--")
        && !stands_apart(line)
}

/// Reports whether a line of front matter is `key:`, with or without a value.
pub(crate) fn is_key_line(line: &str) -> bool {
    let behind_key = line.find(':').filter(|colon| *colon > 0).and_then(|colon| line.get(colon + 1..));
    !line.starts_with([' ', '\t', '#', '-'])
        && behind_key.is_some_and(|rest| rest.is_empty() || rest.starts_with(SPACE))
}

/// Reports whether `line` is a rule: only `-`, only `*`, only `_` or only `=`, with or without spaces.
fn is_rule(line: &str) -> bool {
    let mut signs = line.bytes().filter(|byte| !matches!(byte, b' ' | b'\t'));
    signs.next().is_some_and(|first| matches!(first, b'-' | b'*' | b'_' | b'=') && signs.all(|sign| sign == first))
}

/// Reports whether `line` is a setext underline, which in CommonMark makes the paragraph above it a heading.
pub(crate) fn is_setext_underline(line: &str) -> bool {
    let line = trim(line);
    !line.is_empty() && (line.bytes().all(|byte| byte == b'=') || line.bytes().all(|byte| byte == b'-'))
}

/// Splits a text that ends with `(ID: name)` into title and ID. A colon may stand before and after the brackets.
fn block_id(text: &str) -> Option<(&str, &str)> {
    fn without_colon(text: &str) -> &str {
        text.strip_suffix(COLONS).map_or(text, |text| text.trim_end_matches(SPACE))
    }
    let inner = without_colon(text.trim_end_matches(SPACE)).strip_suffix(')')?;
    // An ID has no parenthesis in it.
    let (title, id) = inner.split_at(inner.rfind(['(', ')'])?);
    let id = trim(id.strip_prefix("(ID:")?);
    let is_name = !id.is_empty() && !id.contains(char::is_whitespace);
    is_name.then(|| (without_colon(trim(title)), id))
}

/// Returns how many times `byte` is repeated at the start of `bytes`.
fn leading_count(bytes: &[u8], byte: u8) -> usize {
    bytes.iter().take_while(|&&b| b == byte).count()
}

/// Returns a text without the spaces and tabs around it. White space alone gives the empty slice at its end.
fn trim(text: &str) -> &str {
    text.trim_start_matches(SPACE).trim_end_matches(SPACE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(line: &str) -> Option<(u8, &str, Option<&str>)> {
        heading(line).map(|heading| (heading.level, heading.title, heading.id))
    }

    #[test]
    fn headings() {
        assert_eq!(title("## Facts"), Some((2, "Facts", None)));
        assert_eq!(title("   #\tA b ##  "), Some((1, "A b", None)));
        assert_eq!(title("#"), Some((1, "", None)));
        assert_eq!(title("## #"), Some((2, "", None)));
        assert_eq!(title("# C#"), Some((1, "C#", None)));
        assert_eq!(title("## User: (ID: m1)"), Some((2, "User", Some("m1"))));
        assert_eq!(title("#A"), None);
        assert_eq!(title("    # A"), None);
        assert_eq!(title("####### A"), None);
    }

    #[test]
    fn block_lines() {
        let read = block_line;
        assert_eq!(read("User Profile: (ID: mem123)"), Some(("User Profile", "mem123")));
        assert_eq!(read("User Profile (ID: mem123):  "), Some(("User Profile", "mem123")));
        assert_eq!(read("(ID: mem123)"), None);
        assert_eq!(read("a (ID: b c)"), None);
        assert_eq!(read("- a (ID: b)"), None);
        assert_eq!(read(" a (ID: b)"), None);
        assert_eq!(read("see (ID: b) there"), None);
    }

    #[test]
    fn bullets() {
        let read = |line: &'static str| bullet_line(line).map(|line| (line.marker, line.rest));
        assert_eq!(read("- a"), Some(("-", "a")));
        assert_eq!(read("\t12)\ta"), Some(("12)", "a")));
        assert_eq!(read("*"), Some(("*", "")));
        assert_eq!(read("-a"), None);
        assert_eq!(read("1234567890. a"), None);
    }

    #[test]
    fn fences() {
        assert_eq!(fence_open("```rust"), Some(FenceOpen { byte: b'`', length: 3 }));
        assert_eq!(fence_open("```a`b"), None);
        assert!(fence_open("~~~ a`b").is_some_and(|open| fence_closes("~~~~ ", open) && !fence_closes("~~~ a", open)));
    }
}
