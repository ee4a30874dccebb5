//! [`Content`]: a text of a memory. Clones share it. `Debug` hides it, so that no log shows it.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::display_inner;

/// A text that a memory holds, or that is to be written into it. It is used as a `&str`.
///
/// A clone shares the text, so that documents, changes and stores can all hold it without a copy. `From<String>` copies
/// nothing either: that is why an `Arc<String>` is inside, and not an `Arc<str>`.
///
/// `Debug` shows the number of bytes and nothing else, so that a value that holds a text can be logged. The alternate
/// form (`{:#?}`) shows the text, for debugging. `Display` writes the text.
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
pub struct Content(Arc<String>);

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

display_inner!(Content);

impl<T: Into<String>> From<T> for Content {
    fn from(text: T) -> Self {
        Self(Arc::new(text.into()))
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

impl PartialEq<&str> for Content {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}
