//! [`Size`]: what `Debug` shows of a text, so that content never leaves by a log.

use std::fmt;

/// A text of which only the length is shown.
#[derive(Clone, Copy)]
pub(crate) struct Size<'a>(pub(crate) &'a str);

impl fmt::Debug for Size<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}
