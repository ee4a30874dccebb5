//! The text of a bullet: checkbox, tags, and the content after them.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr2;

use super::node::BulletRef;
use super::syntax::{bullet_line, columns, fence_open, indentation, separator_len};
use crate::text::{Line, Span, fold_again, fold_white_space, is_blank};

/// Checkbox and tags of up to this many bytes are parsed at each call of [`is_pinned`](BulletRef::is_pinned). For
/// longer ones, the results for all bullets are cached.
const SHORT: usize = 64;

impl<'a> BulletRef<'a> {
    /// Returns the content. Continuation lines follow after `\n`, without the indentation that the list requires.
    pub fn content(self) -> Cow<'a, str> {
        let text = self.doc().text();
        let first = self.first_text().of(text);
        if self.extent == self.line {
            return Cow::Borrowed(first);
        }
        let indentation = columns(self.indentation().of(text)) + 2;
        let mut content = first.to_owned();
        for line in self.continuation_lines() {
            content.push('\n');
            content.push_str(without_columns(line.of(text), indentation));
        }
        Cow::Owned(content)
    }

    /// Returns the content in the form in which keys and comparisons use it: each run of white space is one space.
    pub fn folded_content(self) -> Cow<'a, str> {
        fold_again(self.content(), fold_white_space)
    }

    /// Returns checkbox, tags and content as they are written. Left out are the marker, the indentation that the list
    /// requires, and the blank lines before the children.
    pub(crate) fn wording(self) -> String {
        let content = self.content();
        let mut written: &str = &content;
        while let Some((before, _)) = written.rsplit_once('\n').filter(|(_, line)| is_blank(line)) {
            written = before;
        }
        [self.marks().of(self.doc().text()), written].concat()
    }

    /// Returns the span of the content on the first line, without the line's ending.
    pub fn first_text(self) -> Span {
        Span::new(self.content_start(), Line::of(self.doc().text(), self.line).text.end())
    }

    /// Returns the span of the checkbox and the tags, with the space after them. If there are none, it is the empty span
    /// before the content.
    pub(crate) fn marks(self) -> Span {
        let between = Span::new(self.marker.end(), self.content_start());
        if between.len() <= 1 {
            // Most bullets have nothing but one space between marker and content.
            return Span::at(between.end());
        }
        Span::new(between.start() + indentation(between.of(self.doc().text()).as_bytes()).0, between.end())
    }

    /// Returns the span from the first group of tags to the end of the last. If there is none, it is the empty span before
    /// the content.
    pub fn tags_span(self) -> Span {
        let marks = self.marks();
        let text = marks.of(self.doc().text());
        let after_box = checkbox(text).map_or(0, |(length, space)| length + space);
        let length = text.trim_end_matches([' ', '\t']).len();
        Span::new(marks.start() + after_box, marks.start() + length.max(after_box))
    }

    /// Returns the marker alone: `-`, `*`, `+`, `1.` or `1)`.
    pub fn marker(self) -> &'a str {
        self.marker.of(self.doc().text())
    }

    /// Returns the checkbox, brackets included.
    pub fn checkbox(self) -> Option<&'a str> {
        let marks = self.marks().of(self.doc().text());
        marks.get(..checkbox(marks)?.0)
    }

    /// Returns the tags, in order, attributes included.
    pub fn tags(self) -> Vec<&'a str> {
        tags_in(self.tags_span().of(self.doc().text())).collect()
    }

    /// Reports whether the bullet counts as pinned: it has one of the policy's protected tags.
    pub fn is_pinned(self) -> bool {
        let doc = self.doc();
        let is_pinned = |bullet: BulletRef<'_>| bullet.tags().iter().any(|tag| doc.policy().protects(tag));
        // Each nested bullet asks this of all its ancestors, so long tags are parsed only once.
        let marks = self.marks();
        if marks.len() <= SHORT {
            return !marks.is_empty() && is_pinned(self);
        }
        let pinned = doc.derived().pinned.get_or_init(|| doc.bullets().map(is_pinned).collect());
        pinned.get(self.index()).is_some_and(|is_pinned| *is_pinned)
    }

    /// Reports whether the bullet counts as pinned, or one that it is nested in: a pin covers the children, too.
    pub fn is_pinned_with_parents(self) -> bool {
        self.ancestors().any(Self::is_pinned)
    }

    /// Iterates over the lines after the first that belong to the bullet itself, not to its children. Endings are left
    /// out.
    pub(crate) fn continuation_lines(self) -> impl Iterator<Item = Span> {
        let end = self.extent.end();
        let mut children = self.children().peekable();
        let mut next = self.line.end();
        std::iter::from_fn(move || {
            while let Some(child) = children.next_if(|child| child.line.start() == next) {
                next = child.extent.end();
            }
            let line = Line::all_within(self.doc().text(), Span::new(next.min(end), end)).next()?;
            next = line.full.end();
            Some(line.text)
        })
    }
}

/// Drops up to `limit` columns of white space from the start of `line`.
pub(crate) fn without_columns(line: &str, limit: usize) -> &str {
    let mut column = 0;
    let is_dropped = |byte: &u8| {
        let is_inside = column < limit;
        column += match byte {
            b' ' => 1,
            b'\t' => 4 - column % 4,
            _ => return false,
        };
        is_inside
    };
    line.get(line.bytes().take_while(is_dropped).count()..).unwrap_or_default()
}

/// Folds the white space of a bullet's content. A content with a code fence is returned as it is, because white space
/// matters in code.
pub(crate) fn fold_content(content: &str) -> Cow<'_, str> {
    let may_have_code = memchr2(b'`', b'~', content.as_bytes()).is_some();
    let has_code = may_have_code && content.split('\n').any(|line| fence_open(line.trim()).is_some());
    if has_code { Cow::Borrowed(content) } else { fold_white_space(content) }
}

/// The tag of a bullet that is pinned.
pub(crate) const PINNED: &str = "pinned";

/// Reports whether a tag is `pinned`, in any letter case.
pub(crate) fn is_pin(tag: &str) -> bool {
    tag.trim().eq_ignore_ascii_case(PINNED)
}

/// Reads a tag with a colon, `name: value`.
pub(crate) fn attribute(tag: &str) -> Option<(&str, &str)> {
    tag.split_once(':').map(|(name, value)| (name.trim(), value.trim()))
}

/// Returns the length of the checkbox at the start of `text`, and the length of the white space after it. A checkbox is
/// `[ ]`, `[x]`, `[X]`, or has another sign that is neither letter nor digit, as in `[/]`.
pub(crate) fn checkbox(text: &str) -> Option<(usize, usize)> {
    let inner = text.strip_prefix('[')?;
    let sign = inner.chars().next()?;
    let is_sign = matches!(sign, ' ' | 'x' | 'X')
        || !(sign.is_alphanumeric() || sign.is_whitespace() || sign.is_control() || "[](),:".contains(sign));
    let length = sign.len_utf8() + 2;
    let is_box = is_sign && inner.get(sign.len_utf8()..).is_some_and(|rest| rest.starts_with(']'));
    is_box.then(|| separator_len(text, length)).flatten().map(|space| (length, space))
}

/// The text after a bullet's marker, divided into its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ItemText<'t> {
    /// The checkbox; empty without one.
    pub(crate) checkbox: &'t str,
    /// The groups of tags; empty without any. A group ends at its first `]` and holds no other
    /// bracket.
    pub(crate) tags: &'t str,
    /// The rest.
    pub(crate) content: &'t str,
}

impl<'t> ItemText<'t> {
    /// Reads the text after a marker.
    pub(crate) fn of(text: &'t str) -> Self {
        let (length, space) = checkbox(text).unwrap_or_default();
        let (first, mut end) = (length + space, length + space);
        while let Some(next) = end_of_tag_group(text, end) {
            end = next;
        }
        let part = |range: Range<usize>| text.get(range).unwrap_or_default();
        Self { checkbox: part(0..length), tags: part(first..end).trim_end(), content: part(end..text.len()) }
    }

    /// Reads the text after a marker, without white space around it.
    pub(crate) fn trimmed(text: &'t str) -> Self {
        let item = Self::of(text.trim());
        Self { content: item.content.trim(), ..item }
    }

    /// Reads a line: the text after its marker; the whole line if it has none.
    pub(crate) fn of_line(line: &'t str) -> Self {
        Self::trimmed(bullet_line(line).map_or(line, |line| line.rest))
    }
}

/// Iterates over the tags, in order, of `text`, which consists of groups such as `[a, b] [c]`.
pub(crate) fn tags_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(['[', ']', ',']).map(|tag| tag.trim_matches([' ', '\t'])).filter(|tag| !tag.is_empty())
}

/// Returns the offset after the group of tags at `at` and the white space that follows it; `None` if no group starts
/// there. A group has at least one tag, and is followed by white space or the end of the line.
fn end_of_tag_group(text: &str, at: usize) -> Option<usize> {
    let inner = text.get(at..)?.strip_prefix('[')?;
    let length = memchr2(b'[', b']', inner.as_bytes())?;
    let has_tag = !inner.get(..length)?.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b','));
    if !has_tag || inner.as_bytes().get(length) != Some(&b']') {
        return None;
    }
    let end = at + length + 2;
    separator_len(text, end).map(|space| end + space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_letter_of_code_is_folded_away() {
        let code = |first: &str| format!("q\n```\n{first}\n y\n```");
        assert_ne!(fold_content(&code("\u{a0}allow 1")), fold_content(&code("\u{a0}allow 2")));
        assert_ne!(fold_content(&code("  x")), fold_content(&code(" x")));
        assert_eq!(fold_content("a  b\n c"), fold_content("a b c"));
    }

    fn read(text: &str) -> (Vec<&str>, &str) {
        let ItemText { tags, content, .. } = ItemText::of(text);
        let boxed = format!("[x] {text}");
        assert_eq!(ItemText::of(&boxed), ItemText { checkbox: "[x]", tags, content }, "{text:?}");
        (tags_in(tags).collect(), content)
    }

    #[test]
    fn groups_are_read_until_one_is_no_group() {
        assert_eq!(read("[a, b: c] [d] x"), (vec!["a", "b: c", "d"], "x"));
        assert_eq!(read("[a]"), (vec!["a"], ""));
        assert_eq!(read("[a](b) x"), (vec![], "[a](b) x"));
        assert_eq!(read("[a][b] x"), (vec![], "[a][b] x"));
        assert_eq!(read("[a]: x"), (vec![], "[a]: x"));
        assert_eq!(read("[] x"), (vec![], "[] x"));
        assert_eq!(read("[ , ] x"), (vec![], "[ , ] x"));
        assert_eq!(read("[a [b]] x"), (vec![], "[a [b]] x"));
    }
}
