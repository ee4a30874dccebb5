//! The identity of a request, by which a retry after a lost answer is known.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use serde_json::Value;

use super::{DocName, Origin};
use crate::text::{Digest, Hasher, Revision, RevisionPrefix, Unreadable, as_text, displayed_as_held};

/// Names a request: a digest of the tool, of its arguments, and of the documents and revisions that it is based on.
///
/// The same request against the same revisions has the same ID, whatever the order of its JSON members. Who guesses the arguments
/// can compute it, so that the journal keeps it where it can be erased, and `Debug` does not show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(Digest);

impl RequestId {
    /// Names the call of `tool` with `arguments`, on whatever basis.
    pub fn new(tool: &str, arguments: &Value) -> Self {
        Self::leaving_out(&[], tool, arguments)
    }

    /// Names the call of `tool` with all `arguments` but those of these names.
    pub(crate) fn leaving_out(names: &[&str], tool: &str, arguments: &Value) -> Self {
        let mut hasher = Hasher::default();
        hasher.field(b"tool");
        hasher.field(tool.as_bytes());
        hash_value(arguments, names, &mut hasher);
        Self(hasher.finish())
    }

    /// Names the same request on this revision of a document.
    #[must_use]
    pub fn on(self, document: &DocName, revision: &RevisionPrefix) -> Self {
        let mut hasher = Hasher::default();
        hasher.field(self.to_string().as_bytes());
        hasher.field(document.as_str().as_bytes());
        hasher.field(revision.as_str().as_bytes());
        Self(hasher.finish())
    }
}

impl RequestId {
    /// Names the same request by this editor, who knows of entries up to a certain one; `None` if it is not said up to which.
    pub(super) fn by(self, origin: &Origin) -> Option<Self> {
        let since = origin.since?;
        let mut hasher = Hasher::default();
        hasher.field(self.to_string().as_bytes());
        hasher.field(&since.get().to_be_bytes());
        hasher.field(origin.actor.as_str().as_bytes());
        hasher.field(&origin.editor.unwrap_or_default().to_be_bytes());
        Some(Self(hasher.finish()))
    }
}

impl FromStr for RequestId {
    type Err = Unreadable;

    fn from_str(digits: &str) -> Result<Self, Unreadable> {
        digits.parse::<Revision>().map(|revision| Self(*revision.digest()))
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestId(..)")
    }
}

as_text!(RequestId);
displayed_as_held!(RequestId);

/// Returns the digest of a JSON value, whatever the order of members.
pub(super) fn digest_of(value: &Value) -> Digest {
    let mut hasher = Hasher::default();
    hash_value(value, &[], &mut hasher);
    hasher.finish()
}

/// Hashes a JSON value with the members of objects sorted: its serialisation depends on features of other crates. Of the value's
/// own members those of some names are left out.
fn hash_value(value: &Value, mut left_out: &[&str], hasher: &mut Hasher) {
    let (mut open, mut next) = (Vec::new(), Some(value));
    // Both are used again for each value.
    let (mut kind, mut told): (String, Vec<(&String, &Value)>) = (String::new(), Vec::new());
    let mut count = |of: &str, count: usize, hasher: &mut Hasher| {
        kind.clear();
        // A string takes all that is written.
        let _ = write!(kind, "{of} {count}");
        hasher.field(kind.as_bytes());
    };
    while let Some(value) = next {
        match value {
            Value::Null => hasher.field(b"null"),
            Value::Bool(value) => hasher.field(if *value { b"true" } else { b"false" }),
            Value::Number(number) => {
                hasher.field(b"number");
                hasher.field(number.to_string().as_bytes());
            }
            Value::String(text) => {
                hasher.field(b"string");
                hasher.field(text.as_bytes());
            }
            Value::Array(items) => {
                count("array", items.len(), hasher);
                open.extend(items);
            }
            Value::Object(members) => {
                let is_told = |(name, _): &(&String, &Value)| !left_out.contains(&name.as_str());
                told.extend(members.iter().filter(is_told));
                count("object", told.len(), hasher);
                told.sort_by_key(|(name, _)| name.as_str());
                told.iter().for_each(|(name, _)| hasher.field(name.as_bytes()));
                open.extend(told.drain(..).map(|(_, value)| value));
            }
        }
        (next, left_out) = (open.pop(), &[]);
    }
}
