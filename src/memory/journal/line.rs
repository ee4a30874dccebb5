//! Entries as lines of JSON, lossless both ways.

use serde::Deserialize;
use serde_json::value::RawValue;
use thiserror::Error;

use super::ids::Hex;
use super::written::Written;
use super::{Entry, EntryHash, Seq};
use crate::text::Timestamp;

/// A line that is no entry. It says nothing of what the line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineError {
    /// It is not UTF-8.
    #[error("expected UTF-8, found another byte at offset {offset}")]
    NotUtf8 {
        /// The offset of the first byte that is not.
        offset: usize,
    },
    /// It lacks the shape of an entry.
    #[error("expected an entry, found something else before column {column} of its {part}")]
    NotAnEntry {
        /// Which part of the line does: `line`, `header`, `content` or `states`.
        part: &'static str,
        /// Where that was noticed, in bytes from 1; 0 if it cannot be told.
        column: usize,
    },
    /// It says what an entry says, in other bytes than an entry is written in.
    #[error("expected the bytes that an entry is written in, found others that mean the same")]
    NotAsWritten,
}

/// A line as it stands. Members that it does not know have no place in it: only those of the parts are hashed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    seq: Seq,
    time: &'a str,
    previous: EntryHash,
    #[serde(borrow)]
    header: &'a RawValue,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    states: Option<&'a RawValue>,
    hash: EntryHash,
    #[serde(default)]
    signature: Option<Hex<64>>,
}

impl Entry {
    /// Reads a line, without its line feed. Whether the entry is genuine is for [`Verifier`](super::Verifier) to say.
    ///
    /// # Errors
    ///
    /// The line is not what an entry is written as, byte for byte.
    pub fn parse(line: &[u8]) -> Result<Self, LineError> {
        let line = std::str::from_utf8(line).map_err(|error| LineError::NotUtf8 { offset: error.valid_up_to() })?;
        let wrong = |part| move |error: serde_json::Error| LineError::NotAnEntry { part, column: error.column() };
        let read: Line<'_> = serde_json::from_str(line).map_err(wrong("line"))?;
        let entry = Self {
            seq: read.seq,
            time: read.time.parse::<Timestamp>().map_err(|_| LineError::NotAnEntry { part: "line", column: 0 })?,
            previous: read.previous,
            header: Written::read(read.header.get()).map_err(wrong("header"))?,
            content: read.content.map(|raw| Written::read(raw.get())).transpose().map_err(wrong("content"))?,
            states: read.states.map(|raw| Written::read(raw.get())).transpose().map_err(wrong("states"))?,
            hash: read.hash,
            signature: read.signature,
        };
        if entry.to_line() == line { Ok(entry) } else { Err(LineError::NotAsWritten) }
    }

    /// Writes the line, without its line feed: of an entry that was read, the bytes that were read.
    pub fn to_line(&self) -> String {
        let null = |text: Option<&str>| text.unwrap_or("null").to_owned();
        let content = null(self.content.as_ref().map(Written::text));
        let states = null(self.states.as_ref().map(Written::text));
        let signature = self.signature.map(|signature| format!(r#","signature":"{signature}""#)).unwrap_or_default();
        format!(
            r#"{{"seq":{},"time":"{}","previous":"{}","header":{},"content":{content},"states":{states},"hash":"{}"{signature}}}"#,
            self.seq,
            self.time,
            self.previous,
            self.header.text(),
            self.hash,
        )
    }
}
