//! Redaction: which parts of which entries must be erased, so that they do not reveal a text.
//!
//! - A body is erased if it holds the text, or if its splices made or broke the text in a document. If one entry
//!   wrote `12` and the next added `34` after it, replaying both would show `1234`.
//! - The request and the revisions of an entry are erased if its body is, or if a document held the text before or
//!   after the entry. They are digests: with them, a guess of the text could be confirmed.
//!
//! Texts are compared byte for byte: a host that wants another spelling erased names it, too.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem::{Finder, FinderRev};
use serde_json::Value;

use crate::memory::DocName;
use crate::memory::journal::splice::apply;
use crate::memory::journal::{DocumentLink, Entry, EntryKind, Erased, Record, Runs, Seq, Splice, inverse, text_after};
use crate::text::Span;

/// Reads a journal from its beginning and finds what must be erased. Holds the texts of all documents.
#[derive(Default)]
pub struct Redactor {
    /// The entries that are erased whatever they hold.
    named: BTreeSet<Seq>,
    needles: Needles,
    documents: BTreeMap<DocName, Last>,
    gaps: BTreeSet<DocName>,
    erased: Erased,
    headers: Runs,
}

/// What is to be erased.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redaction {
    /// The parts of entries, as the header of the redaction's entry lists them.
    pub erased: Erased,
    /// The entries whose header holds one of the texts, as an actor, a source or a name. A header cannot be erased.
    pub headers: Runs,
    /// The documents that cannot be replayed any more over the erased entries, sorted. The redaction's entry records
    /// their whole texts, without those that were erased.
    pub snapshots: Vec<DocName>,
}

/// A document after the last entry that changed it.
struct Last {
    seq: Seq,
    exists: bool,
    /// Its text; `None` if an entry that is needed was erased or dropped, or cannot be read.
    text: Option<String>,
}

/// Which parts of an entry must be erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Nothing,
    Lookup,
    Both,
}

impl Redactor {
    /// Creates a redactor of `texts`. Of `entries`, all that can be erased is, whatever they hold.
    pub fn new(entries: &[Seq], texts: &[&str]) -> Self {
        Self { named: entries.iter().copied().collect(), needles: Needles::new(texts), ..Self::default() }
    }

    /// Takes the next entry.
    pub fn entry(&mut self, entry: &Entry) {
        let mut reach = if self.named.contains(&entry.seq()) { Reach::Both } else { Reach::Nothing };
        for link in &entry.header().documents {
            reach = reach.max(self.document(entry, link));
        }
        let states = entry.old.as_ref().and_then(|old| old.states.as_deref());
        let is_in_body = entry.body.as_ref().is_some_and(|body| self.needles.are_in_json(body.text()));
        if is_in_body || self.is_made_by_withheld(entry) {
            reach = Reach::Both;
        } else if states.is_some_and(|states| self.needles.are_in_json(states)) {
            reach = reach.max(Reach::Lookup);
        }
        if reach == Reach::Both && entry.body().is_some() {
            self.erased.bodies.insert(entry.seq());
            self.gaps.extend(entry.header().documents.iter().map(|link| link.name.clone()));
        }
        if reach != Reach::Nothing && entry.has_lookup() {
            self.erased.lookups.insert(entry.seq());
        }
        if self.needles.are_in_json(entry.header.text()) {
            self.headers.insert(entry.seq());
        }
    }

    /// Returns what must be erased, after the last entry.
    pub fn finish(self) -> Redaction {
        let Self { documents, gaps, erased, headers, .. } = self;
        let exists = |name: &DocName| documents.get(name).is_some_and(|last| last.exists);
        Redaction { erased, headers, snapshots: gaps.into_iter().filter(exists).collect() }
    }

    /// Takes an entry's change of one document. Returns which parts of the entry must be erased for it.
    fn document(&mut self, entry: &Entry, link: &DocumentLink) -> Reach {
        let before = match self.documents.remove(&link.name) {
            _ if link.is_creation() => Some(String::new()),
            Some(last) if link.previous == Some(last.seq) => last.text,
            // Entries between the two are missing, or cannot be read.
            _ => None,
        };
        let after = text_after(entry, &link.name, before.as_deref()).ok().map(Option::unwrap_or_default);
        let splices = entry.splices(&link.name).unwrap_or_default();
        // A redaction does not reveal the text before it.
        let reveals_before = !link.is_creation() && entry.header().kind != EntryKind::Redaction;
        let is_in = |text: &Option<String>| text.as_deref().is_none_or(|text| self.needles.are_in(text));
        let reach = if self.is_made_by(splices, before.as_deref(), after.as_deref()) {
            Reach::Both
        } else if is_in(&after) || (reveals_before && is_in(&before)) {
            Reach::Lookup
        } else {
            Reach::Nothing
        };
        self.documents.insert(link.name.clone(), Last { seq: entry.seq(), exists: !link.is_deletion(), text: after });
        reach
    }

    /// Returns true if an edit that an entry withholds would have made or broken one of the texts, or may have.
    fn is_made_by_withheld(&self, entry: &Entry) -> bool {
        let Some(Record::Withheld(withheld)) = entry.record() else { return false };
        withheld.documents.iter().any(|edit| {
            let splices = edit.splices.as_deref().unwrap_or_default();
            let before = match self.documents.get(&edit.name) {
                Some(last) if Some(last.seq) == edit.previous => last.text.as_deref(),
                None if edit.previous.is_none() => Some(""),
                _ => None,
            };
            let after = before.and_then(|before| apply(before, splices));
            self.is_made_by(splices, before, after.as_deref())
        })
    }

    /// Returns true if splices made or broke one of the texts, or joined parts of it. If the document's text is not
    /// known, returns true if they may have.
    fn is_made_by(&self, splices: &[Splice], before: Option<&str>, after: Option<&str>) -> bool {
        let touch = |text: Option<&str>, splices: &[Splice]| {
            let touches = |text| splices.iter().any(|splice| self.needles.touch(text, splice.covered()));
            let may_touch = || splices.iter().any(|splice| self.needles.may_be_made_with(&splice.removed));
            text.map_or_else(may_touch, touches)
        };
        touch(before, splices) || touch(after, &inverse(splices).unwrap_or_default())
    }
}

/// Texts to search for, byte for byte.
#[derive(Default)]
pub(super) struct Needles(Vec<Finder<'static>>);

impl Needles {
    /// Creates them of `texts`; an empty one is found nowhere.
    pub(super) fn new(texts: &[&str]) -> Self {
        let texts = texts.iter().filter(|text| !text.is_empty());
        Self(texts.map(|text| Finder::new(text.as_bytes()).into_owned()).collect())
    }

    /// Reports whether `text` holds one of them.
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.0.iter().any(|needle| needle.find(text.as_bytes()).is_some())
    }

    /// Returns true if a string, a number or a name in a JSON text holds one of them, or the JSON cannot be read.
    ///
    /// Digests and salts of the format do not count: they may contain short texts by chance.
    pub(super) fn are_in_json(&self, json: &str) -> bool {
        serde_json::from_str(json).map_or(true, |value| self.are_in_value("", &value))
    }

    /// Reports whether a value, which stands in a member of this name, holds one.
    fn are_in_value(&self, name: &str, value: &Value) -> bool {
        match value {
            Value::String(text) => !is_digest(name, text) && self.are_in(text),
            Value::Number(number) => self.are_in(&number.to_string()),
            Value::Array(items) => items.iter().any(|item| self.are_in_value(name, item)),
            Value::Object(members) => {
                members.iter().any(|(name, value)| self.are_in(name) || self.are_in_value(name, value))
            }
            Value::Null | Value::Bool(_) => false,
        }
    }

    /// Returns true if one of them occurs in `text` and shares a byte with `span`; or contains an empty `span`.
    pub(super) fn touch(&self, text: &str, span: Span) -> bool {
        self.0.iter().any(|needle| {
            let reach = needle.needle().len() - 1;
            let window = span.start().saturating_sub(reach)..span.end().saturating_add(reach).min(text.len());
            text.as_bytes().get(window).is_some_and(|window| needle.find(window).is_some())
        })
    }

    /// Returns true if `piece` may be a piece of one of them in an unknown text: `piece` lies in it, or ends as it
    /// begins, or begins as it ends.
    fn may_be_made_with(&self, piece: &str) -> bool {
        let piece = piece.as_bytes();
        self.0.iter().map(Finder::needle).any(|text| {
            let inside = || FinderRev::new(piece).rfind(text).is_some();
            !piece.is_empty() && (inside() || ends_as_begins(piece, text) || ends_as_begins(text, piece))
        })
    }
}

/// Returns true if an end of `a`, of at least one byte, is a beginning of `b`.
fn ends_as_begins(a: &[u8], b: &[u8]) -> bool {
    (1..=a.len().min(b.len())).any(|length| a.ends_with(b.get(..length).unwrap_or_default()))
}

/// Reports whether a member of this name and value is a digest, a salt or an ID of the format.
fn is_digest(name: &str, text: &str) -> bool {
    const NAMES: [&str; 10] =
        ["salt", "base", "new", "request", "body", "content", "states", "attempt", "memory", "policy"];
    let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    NAMES.contains(&name) && matches!(text.len(), 32 | 64) && digits
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
