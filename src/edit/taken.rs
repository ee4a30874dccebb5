//! What an edit takes away: a retry that nobody has chosen may take no more than its refused call.

use super::{Edit, Splice};

/// What an edit removes, from the least to the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Taken {
    /// It only adds text.
    #[default]
    Nothing,
    /// It replaces text.
    Rewritten,
    /// It removes text and writes none in its place.
    Removed,
}

impl Taken {
    pub(crate) fn of<'a>(edits: impl Iterator<Item = &'a Edit>) -> Self {
        let of_splice = |splice: &Splice| match (splice.span.is_empty(), splice.text.is_empty()) {
            (true, _) => Self::Nothing,
            (false, true) => Self::Removed,
            (false, false) => Self::Rewritten,
        };
        edits.flat_map(Edit::splices).map(of_splice).max().unwrap_or_default()
    }
}
