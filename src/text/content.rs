//! [`Content`] and [`Revealed`]: what `Debug` shows of what a memory says, so that it leaves by no
//! log.

use std::borrow::{Borrow, Cow};
use std::fmt;

use derive_more::{AsRef, Deref, Display, From, Into};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

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
#[derive(AsRef, Deref, Display, From, Into)]
#[as_ref(str)]
#[deref(forward)]
#[from(&str, Box<str>, String, Cow<'_, str>)]
#[into(String)]
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

impl From<&String> for Content {
    fn from(text: &String) -> Self {
        Self(text.as_str().into())
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
