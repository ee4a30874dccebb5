//! Entries as lines of JSON, lossless both ways.

use serde::{Deserialize, Deserializer};
use serde_json::json;
use serde_json::value::RawValue;
use thiserror::Error;

use super::entry::{JsonPart, Lookup};
use super::{Entry, EntryHash, Seq, format_1};
use crate::memory::RequestId;
use crate::text::{Hex, Revision, Timestamp};

/// A line that is no entry, or has other bytes than this library would write for its entry. It does not reveal what the
/// line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected an entry, byte for byte as it is written, found something else")]
pub struct LineError;

/// A line as it stands. Unknown members are refused: only those in header and body are hashed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    seq: Seq,
    time: Timestamp,
    previous: EntryHash,
    #[serde(borrow)]
    header: &'a RawValue,
    #[serde(borrow, alias = "content")]
    body: Option<&'a RawValue>,
    /// `Some` in format 1 only; `Some(None)` if it was erased.
    #[serde(borrow, default, deserialize_with = "present")]
    states: Option<Option<&'a RawValue>>,
    request: Option<RequestId>,
    revisions: Option<Vec<Option<Revision>>>,
    hash: EntryHash,
    #[serde(default)]
    signature: Option<Hex<64>>,
}

/// Reads a member that is there, `null` or not.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

fn read(line: &str) -> Result<Entry, serde_json::Error> {
    let read: Line<'_> = serde_json::from_str(line)?;
    let Line { seq, time, previous, request, revisions, hash, signature, .. } = read;
    let header = read.header.get();
    let (header, lookup, old) = match read.states {
        None => (JsonPart::read(header)?, Lookup { request, revisions }, None),
        Some(states) => format_1::read(seq, header, states.map(RawValue::get))?,
    };
    let body = read.body.map(|raw| JsonPart::read(raw.get())).transpose()?;
    Ok(Entry { seq, time, previous, header, body, lookup, old, hash, signature })
}

impl Entry {
    /// Reads a line, without its line feed. Only a [`Verifier`](super::Verifier) tells whether the entry is genuine.
    ///
    /// # Errors
    ///
    /// The line is not what [`to_line`](Self::to_line) writes for its entry, byte for byte.
    pub fn parse(line: &[u8]) -> Result<Self, LineError> {
        let line = std::str::from_utf8(line).map_err(|_| LineError)?;
        read(line).ok().filter(|entry| entry.to_line() == line).ok_or(LineError)
    }

    /// Writes the line, without its line feed. For an entry that was read, it is the same line.
    pub fn to_line(&self) -> String {
        let Self { seq, time, previous, hash, .. } = self;
        let header = self.header.text();
        let body = self.body.as_ref().map_or("null", JsonPart::text);
        let parts = match &self.old {
            Some(old) => format!(r#""content":{body},"states":{}"#, old.states.as_deref().unwrap_or("null")),
            None => {
                let Lookup { request, revisions } = &self.lookup;
                format!(r#""body":{body},"request":{},"revisions":{}"#, json!(request), json!(revisions))
            }
        };
        let signature = self.signature.map(|signature| format!(r#","signature":"{signature}""#)).unwrap_or_default();
        format!(
            r#"{{"seq":{seq},"time":"{time}","previous":"{previous}","header":{header},{parts},"hash":"{hash}"{signature}}}"#
        )
    }
}
