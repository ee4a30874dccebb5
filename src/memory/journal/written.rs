//! [`Written`]: a value together with the very text that it was read from or written as.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::ser::Error as _;

/// A part of an entry. Its text is what is hashed and what is written again, so that members which this version does not know
/// are kept and verified, and no other crate's settings change a byte. A clone shares both.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Written<T>(Arc<Both<T>>);

#[derive(PartialEq, Eq)]
struct Both<T> {
    // Invariant: `value` is what `text` says.
    text: Box<str>,
    value: T,
}

impl<T: fmt::Debug> fmt::Debug for Written<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.value.fmt(f)
    }
}

impl<T> Written<T> {
    /// Returns the JSON text.
    pub(super) fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns what it says.
    pub(super) fn value(&self) -> &T {
        &self.0.value
    }
}

impl<T> Written<T> {
    /// Keeps `text`, which says `value`.
    pub(super) fn of(value: T, text: &str) -> Self {
        Self(Arc::new(Both { text: text.into(), value }))
    }
}

impl<T: Serialize> Written<T> {
    /// Writes `value`, by way of a buffer: what is kept does not grow while it is written.
    pub(super) fn new(value: T, buffer: &mut Vec<u8>) -> Result<Self, serde_json::Error> {
        buffer.clear();
        serde_json::to_writer(&mut *buffer, &value)?;
        let text = str::from_utf8(buffer).map_err(serde_json::Error::custom)?;
        Ok(Self(Arc::new(Both { text: text.into(), value })))
    }
}

impl<T: DeserializeOwned> Written<T> {
    /// Reads `text`, which is kept as it stands.
    pub(super) fn read(text: &str) -> Result<Self, serde_json::Error> {
        Ok(Self(Arc::new(Both { value: serde_json::from_str(text)?, text: text.into() })))
    }
}
