//! What stands between a bullet's marker and its content: a checkbox and groups of tags.

use memchr::memchr2;

use super::syntax::separator_len;

/// The tag of a bullet that is pinned.
pub(crate) const PINNED: &str = "pinned";

/// Reports whether a tag is that of a pin, in any letter case: what is meant to stay is not to be
/// lost for a capital letter.
pub(crate) fn is_pin(tag: &str) -> bool {
    tag.trim().eq_ignore_ascii_case(PINNED)
}

/// Reads a tag with a colon, `name: value`.
pub(crate) fn attribute(tag: &str) -> Option<(&str, &str)> {
    tag.split_once(':').map(|(name, value)| (name.trim(), value.trim()))
}

/// Returns the brackets at the end of a bullet's line that hold what keeps or ends a bullet, and
/// are text there.
pub(crate) fn tags_behind(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let group = line.get(line.rfind('[')?..)?;
    let mut tags = group.strip_prefix('[')?.strip_suffix(']')?.split(',').map(str::trim);
    let counts = |tag| is_pin(tag) || matches!(attribute(tag), Some(("ttl" | "since" | "expires", _)));
    tags.any(counts).then_some(group)
}

/// Returns the length of the checkbox that `text` starts with, and of the white space behind it: `[
/// ]`, `[x]`, `[X]`, or another sign that is neither letter nor digit.
pub(crate) fn checkbox(text: &str) -> Option<(usize, usize)> {
    let inner = text.strip_prefix('[')?;
    let sign = inner.chars().next()?;
    let is_sign = matches!(sign, ' ' | 'x' | 'X')
        || !(sign.is_alphanumeric() || sign.is_whitespace() || sign.is_control() || "[](),:".contains(sign));
    let length = sign.len_utf8() + 2;
    let is_box = is_sign && inner.get(sign.len_utf8()..).is_some_and(|rest| rest.starts_with(']'));
    is_box.then(|| separator_len(text, length)).flatten().map(|space| (length, space))
}

/// Reads the groups `[a, b: c]` of tags that `text` starts with, each with its tags in order, and
/// where the content behind them starts.
///
/// A group ends at its first `]` and holds no other bracket.
pub(crate) fn tag_groups(text: &str) -> (Vec<Vec<&str>>, usize) {
    let mut groups = Vec::new();
    let mut at = 0;
    while let Some((end, space)) = group_end(text, at) {
        groups.push(tags_in(text.get(at..end).unwrap_or_default()).collect());
        at = end + space;
    }
    (groups, at)
}

/// Iterates over the tags, in order, of the groups that `text` consists of.
pub(super) fn tags_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(['[', ']', ',']).map(|tag| tag.trim_matches([' ', '\t'])).filter(|tag| !tag.is_empty())
}

/// Returns where the content behind the checkbox and the groups of tags that `text` starts with
/// begins.
pub(super) fn content_start(text: &str) -> usize {
    // Most content has neither before it.
    if !text.starts_with('[') {
        return 0;
    }
    let mut at = checkbox(text).map_or(0, |(length, space)| length + space);
    while let Some((end, space)) = group_end(text, at) {
        at = end + space;
    }
    at
}

/// Returns where the group of tags at `at` ends, and how much white space stands behind it. A group
/// has at least one tag, and white space or the end of the line behind it.
fn group_end(text: &str, at: usize) -> Option<(usize, usize)> {
    let inner = text.get(at..)?.strip_prefix('[')?;
    let length = memchr2(b'[', b']', inner.as_bytes())?;
    let has_tag = !inner.get(..length)?.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b','));
    if !has_tag || inner.as_bytes().get(length) != Some(&b']') {
        return None;
    }
    let end = at + length + 2;
    separator_len(text, end).map(|space| (end, space))
}

#[cfg(test)]
#[allow(clippy::string_slice, reason = "ranges of ASCII test lines")]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Vec<&str>>, &str) {
        let (groups, content) = tag_groups(text);
        assert_eq!([content_start(text), content_start(&format!("[x] {text}"))], [content, 4 + content], "{text:?}");
        assert!(tags_in(&text[..content]).eq(groups.iter().flatten().copied()), "{text:?}");
        (groups, &text[content..])
    }

    #[test]
    fn groups_are_read_until_one_is_no_group() {
        assert_eq!(read("[a, b: c] [d] x"), (vec![vec!["a", "b: c"], vec!["d"]], "x"));
        assert_eq!(read("[a]"), (vec![vec!["a"]], ""));
        assert_eq!(read("[a](b) x"), (vec![], "[a](b) x"));
        assert_eq!(read("[a][b] x"), (vec![], "[a][b] x"));
        assert_eq!(read("[a]: x"), (vec![], "[a]: x"));
        assert_eq!(read("[] x"), (vec![], "[] x"));
        assert_eq!(read("[ , ] x"), (vec![], "[ , ] x"));
        assert_eq!(read("[a [b]] x"), (vec![], "[a [b]] x"));
    }
}
