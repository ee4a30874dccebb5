//! What a single line is, taken alone. The parser adds the lines around it.
//!
//! All functions take the text of a line without its ending and give offsets into it.

use std::ops::Range;

use memchr::memrchr2;

/// A heading line: `## Title: (ID: name) ##`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) level: u8,
    pub(crate) title: Range<usize>,
    pub(crate) id: Option<Range<usize>>,
}

/// The beginning of a bullet line: its indentation ends where the marker starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BulletStart {
    pub(crate) marker: Range<usize>,
    /// Where the text behind the marker and its white space starts.
    pub(crate) rest: usize,
}

/// The opening line of a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FenceOpen {
    pub(crate) byte: u8,
    pub(crate) length: usize,
}

/// Returns the length in bytes and the width in columns of the white space that `line` starts with;
/// a tab goes to the next multiple of four.
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

/// Returns how many columns the white space at the beginning of `line` is wide.
pub(crate) fn columns(line: &str) -> usize {
    indentation(line.as_bytes()).1
}

const BOM: &str = "\u{FEFF}";

/// Returns where the first line starts: behind a BOM.
pub(super) fn behind_mark(text: &str) -> usize {
    if text.starts_with(BOM) { BOM.len() } else { 0 }
}

/// Reads an ATX heading.
pub(crate) fn heading(line: &str) -> Option<Heading> {
    let bytes = line.as_bytes();
    let start = Some(count(bytes, 0, b' ')).filter(|spaces| *spaces <= 3)?;
    let hashes = count(bytes, start, b'#');
    let level = u8::try_from(hashes).ok().filter(|level| (1..=6).contains(level))?;
    let after = start + hashes;
    if !matches!(bytes.get(after), None | Some(b' ' | b'\t')) {
        return None;
    }
    let title = trim(bytes, after..without_closing_hashes(bytes, after));
    let (title, id) = match block_id(line, &title) {
        Some((title, id)) => (title, Some(id)),
        None => (title, None),
    };
    Some(Heading { level, title, id })
}

/// Reads a block line such as `User Profile: (ID: mem123)`: its title and its ID.
pub(crate) fn block_line(line: &str) -> Option<(Range<usize>, Range<usize>)> {
    let bytes = line.as_bytes();
    let last = bytes.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'))?;
    if !matches!(bytes.get(last), Some(b')' | b':')) || matches!(bytes.first(), Some(b' ' | b'\t')) {
        return None;
    }
    let (title, id) = block_id(line, &(0..bytes.len()))?;
    (!title.is_empty() && bullet_start(line).is_none() && heading(line).is_none()).then_some((title, id))
}

/// Reports whether `line`, taken alone, is the header of a block.
pub(crate) fn is_block_line(line: &str) -> bool {
    block_line(line).is_some()
}

/// Reads the marker of a bullet.
pub(crate) fn bullet_start(line: &str) -> Option<BulletStart> {
    bullet_start_at(line, indentation(line.as_bytes()).0)
}

/// Reads the marker of a bullet behind an indentation of so many bytes.
pub(super) fn bullet_start_at(line: &str, start: usize) -> Option<BulletStart> {
    let bytes = line.as_bytes();
    let end = match bytes.get(start)? {
        b'-' | b'*' | b'+' => start + 1,
        b'0'..=b'9' => {
            let digits = bytes.iter().skip(start).take_while(|byte| byte.is_ascii_digit()).count();
            // CommonMark's bound: longer numbers are dates, phone numbers, sums.
            let closes = matches!(bytes.get(start + digits), Some(b'.' | b')'));
            (digits <= 9 && closes).then_some(start + digits + 1)?
        }
        _ => return None,
    };
    let space = separator_len(line, end)?;
    Some(BulletStart { marker: start..end, rest: end + space })
}

/// Returns the length of the white space that separates what ends at `at` from what follows; `None`
/// if neither white space nor the line's end is there.
pub(crate) fn separator_len(line: &str, at: usize) -> Option<usize> {
    let rest = line.as_bytes().get(at..)?;
    let (length, _) = indentation(rest);
    (length > 0 || rest.is_empty()).then_some(length)
}

/// Reads the opening of a fence: three or more backticks or tildes, without indentation.
pub(crate) fn fence_open(line: &str) -> Option<FenceOpen> {
    let bytes = line.as_bytes();
    let &byte = bytes.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = count(bytes, 0, byte);
    let info_has_backtick = || bytes.iter().skip(length).any(|&b| b == b'`');
    (length >= 3 && !(byte == b'`' && info_has_backtick())).then_some(FenceOpen { byte, length })
}

/// Reports whether `line`, without indentation, closes the fence `open`.
pub(crate) fn fence_closes(line: &str, open: FenceOpen) -> bool {
    let bytes = line.as_bytes();
    let length = count(bytes, 0, open.byte);
    length >= open.length && bytes.iter().skip(length).all(|byte| matches!(byte, b' ' | b'\t'))
}

/// What an HTML comment begins with.
pub(super) const COMMENT_START: &str = "<!--";
/// What an HTML comment ends with.
pub(super) const COMMENT_END: &str = "-->";
/// What a line that is bold as a whole begins and ends with.
const BOLD: [&str; 2] = ["**", "__"];

/// Returns the name that an unindented line of prose gives to a list below it; `None` for a rule, a
/// row of a table, or HTML.
pub(super) fn label(line: &str) -> Option<Range<usize>> {
    if line.starts_with(['|', '<']) || is_rule(line) {
        return None;
    }
    let mut name = trim(line.as_bytes(), 0..line.len());
    let of = |name: &Range<usize>| line.get(name.clone()).unwrap_or_default();
    if let Some(mark) = BOLD.iter().find(|mark| of(&name).starts_with(*mark)) {
        name.start += mark.len();
    }
    for mark in ["**", "__", ":", "**", "__"] {
        if of(&name).ends_with(mark) {
            name.end -= mark.len();
        }
    }
    let name = trim(line.as_bytes(), name);
    (!name.is_empty()).then_some(name)
}

/// Reports whether a line of prose names a list also where blank lines stand between: it ends in a
/// colon or is bold as a whole.
pub(crate) fn stands_apart(line: &str) -> bool {
    let line = line.trim_end_matches([' ', '\t']);
    let is_bold = |mark: &&str| {
        let inner = line.strip_prefix(*mark).and_then(|rest| rest.strip_suffix(*mark));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.starts_with([' ', '\t']) && !inner.contains(*mark))
    };
    line.ends_with(':') || BOLD.iter().any(is_bold)
}

/// Reports whether a line of front matter is `key:`, with or without a value.
pub(crate) fn is_key_line(line: &str) -> bool {
    let behind_key = line.find(':').filter(|colon| *colon > 0).and_then(|colon| line.get(colon + 1..));
    !line.starts_with([' ', '\t', '#', '-'])
        && behind_key.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Reports whether `line` is a rule: one of `-`, `*`, `_`, `=`, over and over.
fn is_rule(line: &str) -> bool {
    let mut signs = line.bytes().filter(|byte| !matches!(byte, b' ' | b'\t'));
    signs.next().is_some_and(|first| matches!(first, b'-' | b'*' | b'_' | b'=') && signs.all(|sign| sign == first))
}

/// Reports whether `line` would make a heading of a paragraph above it (a setext underline).
pub(crate) fn is_setext_underline(line: &str) -> bool {
    let line = line.trim_matches([' ', '\t']);
    !line.is_empty() && (line.bytes().all(|byte| byte == b'=') || line.bytes().all(|byte| byte == b'-'))
}

/// Splits `(ID: name)`, and the colons that may stand around it, from the end of `range`.
fn block_id(line: &str, range: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let bytes = line.as_bytes();
    let mut end = trim(bytes, range.clone()).end;
    if end > range.start && bytes.get(end - 1) == Some(&b':') {
        end = trim(bytes, range.start..end - 1).end;
    }
    if end == range.start || bytes.get(end - 1) != Some(&b')') {
        return None;
    }
    // What an ID is written in has no other parenthesis.
    let open = range.start + memrchr2(b'(', b')', bytes.get(range.start..end - 1)?)?;
    if !bytes.get(open..)?.starts_with(b"(ID:") {
        return None;
    }
    let id = trim(bytes, open + "(ID:".len()..end - 1);
    let is_name = |id: &str| !id.is_empty() && !id.contains(char::is_whitespace);
    if !is_name(line.get(id.clone())?) {
        return None;
    }
    let mut title = trim(bytes, range.start..open);
    if title.end > title.start && bytes.get(title.end - 1) == Some(&b':') {
        title = trim(bytes, title.start..title.end - 1);
    }
    Some((title, id))
}

fn count(bytes: &[u8], from: usize, byte: u8) -> usize {
    bytes.iter().skip(from).take_while(|&&b| b == byte).count()
}

/// Returns where a heading's text ends, before a closing run of `#`s that white space sets apart.
fn without_closing_hashes(bytes: &[u8], after: usize) -> usize {
    let end = trim(bytes, after..bytes.len()).end;
    let hashes = bytes.get(after..end).map_or(0, |text| text.iter().rev().take_while(|&&byte| byte == b'#').count());
    match bytes.get((end - hashes).wrapping_sub(1)) {
        Some(b' ' | b'\t') if hashes > 0 => end - hashes,
        _ => end,
    }
}

fn trim(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let is_space = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t'));
    let (mut start, mut end) = (range.start, range.end);
    while start < end && is_space(start) {
        start += 1;
    }
    while end > start && is_space(end - 1) {
        end -= 1;
    }
    start..end
}

#[cfg(test)]
#[allow(clippy::string_slice, reason = "ranges of ASCII test lines")]
mod tests {
    use super::*;

    fn title(line: &str) -> Option<(u8, &str, Option<&str>)> {
        heading(line).map(|h| (h.level, &line[h.title], h.id.map(|id| &line[id])))
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
        let read = |line: &'static str| block_line(line).map(|(title, id)| (&line[title], &line[id]));
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
        let read = |line: &'static str| bullet_start(line).map(|b| (&line[b.marker.clone()], &line[b.rest..]));
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
