//! [`SharedText`]: the text of a document, shared by all who hold it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use derive_more::Display;

use super::Content;

/// A text that is never copied: documents, changes and stores hold one and the same. It is used as
/// a `&str`.
///
/// A `String` becomes one as it is, which an `Arc<str>` would copy. Like that of a [`Content`], its
/// `Debug` shows how many bytes it has, and nothing of what it says but in the alternate form.
#[derive(Clone, Default, PartialEq, Eq, Display)]
pub struct SharedText(Arc<String>);

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

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        Self(Arc::new(text))
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for SharedText {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}

impl From<Box<str>> for SharedText {
    fn from(text: Box<str>) -> Self {
        text.into_string().into()
    }
}

impl From<Cow<'_, str>> for SharedText {
    fn from(text: Cow<'_, str>) -> Self {
        text.into_owned().into()
    }
}

impl From<Content> for SharedText {
    fn from(text: Content) -> Self {
        String::from(text).into()
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { fmt::Debug::fmt(&**self, f) } else { write!(f, "{} bytes", self.len()) }
    }
}
