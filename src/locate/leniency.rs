//! [`Leniency`]: the names of what can be healed, that is, of the ways in which a request is read less exactly than it
//! was written.

use std::borrow::Cow;

use crate::document::bullet_line;
use crate::text::names;

names! {
    /// A way in which a request was read less exactly than it was written.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Leniency {
        /// White space at line ends differs.
        TrailingSpace = "trailing_space",
        /// LF and CRLF differ.
        LineEndings = "line_endings",
        /// Unicode quotes, dashes, ellipsis, spaces, or composed letters differ.
        Punctuation = "punctuation",
        /// `\"`, `\\` or `\n` were sent literally, in place of the characters that they stand for.
        Escapes = "escapes",
        /// The content of a bullet was sent for its whole line, or with a marker before it.
        BulletForm = "bullet_form",
        /// In a patch, a space was put between the operator and the line.
        Spaced = "spaced",
        /// A bullet whose text is replaced by nothing is deleted as a whole.
        EmptyBullet = "empty_bullet",
        /// The line numbers or keys of a rendered view were copied along.
        ViewPrefix = "view_prefix",
        /// A name differs in letter case.
        Case = "case",
        /// A name has Markdown around it: `## Facts`, `**Facts**`, `Facts:`.
        TitleMarks = "title_marks",
        /// A label, or a block with this title, was called a section or block.
        Label = "label",
        /// A patch is wrapped in text that is not part of it.
        Envelope = "envelope",
        /// Arguments have other names, or other types, than in the tool's schema.
        Arguments = "arguments",
        /// The JSON was malformed, but in a way that leaves its meaning clear.
        Json = "json",
    }
}

impl Leniency {
    /// Returns the leniencies whose condition is true.
    pub(crate) fn needed<const N: usize>(all: [(Self, bool); N]) -> Vec<Self> {
        all.into_iter().filter_map(|(leniency, is_needed)| is_needed.then_some(leniency)).collect()
    }
}

/// Unescapes `\"` and `\\`. Unescapes `\n` only before a bullet, a heading, or an indented or blank line, so that
/// `C:\new` stays.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let unescaped = match after.bytes().next() {
            Some(b'"') => Some('"'),
            Some(b'\\') => Some('\\'),
            Some(b'n') if begins_line(after.get(1..).unwrap_or_default()) => Some('\n'),
            _ => None,
        };
        plain.push(unescaped.unwrap_or('\\'));
        rest = if unescaped.is_some() { after.get(1..).unwrap_or_default() } else { after };
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Reports whether a text, which follows `\n`, begins like a bullet, a heading, or an indented or blank line.
fn begins_line(text: &str) -> bool {
    text.is_empty() || text.starts_with(['#', ' ', '\t']) || text.starts_with("\\n") || bullet_line(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_json_strings() {
        assert_eq!(unescape(r#"say \"hi\"\n\tthere \x"#), "say \"hi\"\\n\\tthere \\x");
        assert_eq!(unescape(r"a\n- b\n## C\n\n  d\"), "a\n- b\n## C\n\n  d\\");
        assert_eq!(unescape(r"C:\new"), r"C:\new");
        assert_eq!(unescape(r"C:\\new"), r"C:\new");
    }
}
