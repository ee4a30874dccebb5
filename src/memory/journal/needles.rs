//! [`Needles`]: texts to be erased, and where they are found.

use memchr::memmem::{Finder, FinderRev};
use serde_json::Value;

use crate::text::Span;

/// Texts that are looked for, byte for byte.
pub(super) struct Needles(Vec<Needle>);

struct Needle {
    text: Box<[u8]>,
    finder: Finder<'static>,
}

impl Needles {
    /// Creates them of `texts`; an empty one is found nowhere.
    pub(super) fn new(texts: &[&str]) -> Self {
        let needle =
            |text: &&str| Needle { text: text.as_bytes().into(), finder: Finder::new(text.as_bytes()).into_owned() };
        Self(texts.iter().filter(|text| !text.is_empty()).map(needle).collect())
    }

    /// Reports whether `text` holds one of them.
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.0.iter().any(|needle| needle.finder.find(text.as_bytes()).is_some())
    }

    /// Reports whether a string, a number or a name in a JSON text holds one. What cannot be read might.
    ///
    /// Digests and salts of the format do not count: short texts stand among their digits by chance.
    pub(super) fn are_in_json(&self, json: &str) -> bool {
        let Ok(value) = serde_json::from_str::<Value>(json) else { return true };
        let mut open = vec![("", &value)];
        while let Some((name, value)) = open.pop() {
            let found = match value {
                Value::String(text) => !is_digest(name, text) && self.are_in(text),
                Value::Array(items) => {
                    open.extend(items.iter().map(|item| (name, item)));
                    false
                }
                Value::Object(members) => {
                    open.extend(members.iter().map(|(name, value)| (name.as_str(), value)));
                    members.keys().any(|name| self.are_in(name))
                }
                Value::Number(number) => self.are_in(&number.to_string()),
                Value::Null | Value::Bool(_) => false,
            };
            if found {
                return true;
            }
        }
        false
    }

    /// Reports whether one of them stands in `text` so that it shares a byte with `span`, or lies around it.
    pub(super) fn touch(&self, text: &str, span: Span) -> bool {
        self.0.iter().any(|needle| {
            let reach = needle.text.len() - 1;
            let window = span.start().saturating_sub(reach)..span.end().saturating_add(reach).min(text.len());
            text.as_bytes().get(window).is_some_and(|window| needle.finder.find(window).is_some())
        })
    }

    /// Reports whether `piece` could be a piece of one of them in a text that is not known: lies in it, or ends as it begins,
    /// or begins as it ends.
    pub(super) fn may_be_made_with(&self, piece: &str) -> bool {
        let piece = piece.as_bytes();
        self.0.iter().any(|Needle { text, .. }| {
            let inside = || FinderRev::new(piece).rfind(text).is_some();
            !piece.is_empty() && (inside() || ends_as_begins(piece, text) || ends_as_begins(text, piece))
        })
    }
}

/// Reports whether a member of this name and value is a digest, a salt or an ID of the format.
fn is_digest(name: &str, text: &str) -> bool {
    const NAMES: [&str; 10] =
        ["salt", "base", "new", "request", "body", "content", "states", "attempt", "memory", "policy"];
    let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    NAMES.contains(&name) && matches!(text.len(), 32 | 64) && digits
}

/// Reports whether an end of `a` is a beginning of `b`, of one byte at least. `b` or `a` is a text that a host has named.
fn ends_as_begins(a: &[u8], b: &[u8]) -> bool {
    (1..=a.len().min(b.len())).any(|length| a.ends_with(b.get(..length).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_needle_that_touches_a_span_is_found(text in "[ab]{0,10}", needle in "[ab]{1,3}", a in 0_usize..11, b in 0_usize..11) {
            let span = Span::new(a.min(text.len()), b.min(text.len()));
            let naive = (0..text.len()).any(|at| {
                let end = at + needle.len();
                text.get(at..end) == Some(&needle) && at < span.end() && span.start() < end
            });
            prop_assert_eq!(Needles::new(&[&needle]).touch(&text, span), naive);
        }
    }

    #[test]
    fn escaped_text_is_found_and_an_empty_needle_is_not() {
        let needles = Needles::new(&["é\"\n", "1234", ""]);
        assert!(needles.are_in_json("{\"a\":[{\"b\":\"x\\u00e9\\\"\\n\"}]}"));
        assert!(needles.are_in_json("{\"a\":121234.5}"));
        assert!(needles.are_in_json("{\"1234\":null}"));
        assert!(needles.are_in_json("[12345678901234567890, 1]"));
        assert!(needles.are_in_json("no json"));
        let digits = "1234".repeat(8);
        assert!(!needles.are_in_json(&format!("{{\"salt\":\"{digits}\"}}")), "a salt");
        assert!(!needles.are_in_json(&format!("{{\"a\":\"\\\"\",\"salt\":\"{digits}\"}}")), "behind a quotation mark");
        assert!(needles.are_in_json(&format!("{{\"text\":\"{digits}\"}}")), "a text");
        assert!(!needles.are_in_json("{\"a\":\"e\"}"));
    }
}
