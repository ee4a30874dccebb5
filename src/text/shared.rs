//! [`SharedText`]: the text of a document, shared by all who hold it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::{Content, displayed_as_held, from_texts};

/// A text that is never copied: documents, changes and stores hold one and the same. It is used as
/// a `&str`.
///
/// A `String` becomes one as it is, which an `Arc<str>` would copy. Like that of a [`Content`], its
/// `Debug` shows how many bytes it has, and nothing of what it says but in the alternate form.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SharedText(Arc<String>);

displayed_as_held!(SharedText);
from_texts!(SharedText of String: &str, &String, String, Box<str>, Cow<'_, str>, Content);

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for SharedText {
    fn as_ref(&self) -> &str {
        self
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { fmt::Debug::fmt(&**self, f) } else { write!(f, "{} bytes", self.len()) }
    }
}
