//! Texts of a memory, whose `Debug` shows nothing of what they say, so that it leaves by no log.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::{displayed_as_held, from_texts};

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
from_texts!(Content of SmolStr: &str, &String, String, Box<str>, Cow<'_, str>);

impl Deref for Content {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Content {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Content {
    fn borrow(&self) -> &str {
        self
    }
}

impl From<&Self> for Content {
    fn from(content: &Self) -> Self {
        content.clone()
    }
}

impl From<Content> for String {
    fn from(text: Content) -> Self {
        text.0.into()
    }
}

impl PartialEq<str> for Content {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Content {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<String> for Content {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}

/// A value whose `Debug` shows what it holds, content included: for `assert_eq!` and `dbg!` of who
/// may see it.
///
/// # Examples
///
/// ```
/// use memdoc::{Replace, text::Revealed};
///
/// let request = Replace::new("Denver", "Austin");
/// assert!(!format!("{request:?}").contains("Denver"));
/// assert!(format!("{:?}", Revealed(&request)).contains("Denver"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Revealed<T>(pub T);

impl<T: fmt::Debug> fmt::Debug for Revealed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#?}", self.0)
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
