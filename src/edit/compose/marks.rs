//! Marks: what a request does to the checkbox and the tags of a bullet, without another text.

use super::Tags;

/// A change of a bullet's checkbox or tags.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// It gets the tags that it does not have, such as `pinned` or those of a lifetime.
    Add(Vec<String>),
    /// It loses the tags that it has.
    Remove(Vec<String>),
    /// It loses its pin.
    Unpin,
    /// It loses its lifetime.
    ClearLifetime,
    /// Its checkbox is checked; it gets one if it has none.
    Check,
    /// Its checkbox is unchecked; it gets one if it has none.
    Uncheck,
}

impl Mark {
    /// Changes a checkbox and tags.
    pub(super) fn apply(&self, checkbox: &mut Option<String>, tags: &mut Tags) {
        match self {
            Self::Add(new) => tags.add(new),
            Self::Remove(names) => tags.remove(names),
            Self::Unpin => tags.unpin(),
            Self::ClearLifetime => tags.clear_lifetime(),
            Self::Check if matches!(checkbox.as_deref(), Some("[x]" | "[X]")) => {}
            Self::Check => *checkbox = Some("[x]".to_owned()),
            Self::Uncheck => *checkbox = Some("[ ]".to_owned()),
        }
    }

    /// Returns true if what it asks for may be there already; else nothing is left to take away.
    pub(super) const fn is_state(&self) -> bool {
        matches!(self, Self::Add(_) | Self::Check | Self::Uncheck)
    }
}
