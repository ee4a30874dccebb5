//! Texts of a memory, whose `Debug` shows nothing of what they say, so that it leaves by no log.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::displayed_as_held;

/// A text that a memory holds, or that is to be written into it. It is used as a `&str`.
///
/// `Debug` shows how many bytes it has and nothing else, so that whatever holds it can be logged;
/// the alternate form (`{:#?}`) shows the text, for who debugs. `Display` writes it.
///
/// # Examples
///
/// ```
/// use memdoc::text::Content;
///
/// let content = Content::from("Lives in Denver");
/// assert_eq!(format!("{content:?}"), "15 bytes");
/// assert_eq!(format!("{content:#?}"), r#""Lives in Denver""#);
/// assert_eq!(content, "Lives in Denver");
/// assert!(content.starts_with("Lives"));
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Content(SmolStr);

impl Content {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { fmt::Debug::fmt(&self.0, f) } else { write!(f, "{} bytes", self.len()) }
    }
}

displayed_as_held!(Content);

impl<T: Into<SmolStr>> From<T> for Content {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl Deref for Content {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for Content {
    fn borrow(&self) -> &str {
        self
    }
}

impl AsRef<str> for Content {
    fn as_ref(&self) -> &str {
        self
    }
}

impl From<Content> for String {
    fn from(text: Content) -> Self {
        text.0.into()
    }
}

impl PartialEq<&str> for Content {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// A text that is never copied: documents, changes and stores hold one and the same. It is used as
/// a `&str`.
///
/// A `String` becomes one as it is, which an `Arc<str>` would copy. Like that of a [`Content`], its
/// `Debug` shows how many bytes it has, and nothing of what it says but in the alternate form.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SharedText(Arc<String>);

displayed_as_held!(SharedText);

impl<T: Into<String>> From<T> for SharedText {
    fn from(text: T) -> Self {
        Self(Arc::new(text.into()))
    }
}

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
