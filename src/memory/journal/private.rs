//! [`Private`]: a text of the memory, of which a log sees only the size.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::text::Size;

/// A text that says something of the memory. `Debug` shows its length in bytes.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Private(Box<str>);

impl Deref for Private {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Private {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for Private {
    fn from(text: String) -> Self {
        Self(text.into_boxed_str())
    }
}

impl fmt::Debug for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Size(&self.0), f)
    }
}
