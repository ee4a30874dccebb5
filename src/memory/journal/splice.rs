//! [`Splice`]s: recorded changes of texts that can be replayed from entry to entry, forward and backward. They cost as
//! much space as the text that changed.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{DocumentLink, Entry, Seq};
use crate::memory::DocName;
use crate::text::{Content, Span};

/// The replacement of one stretch of a text by another. Both are recorded, so that it serves forward and backward.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// Where it starts, in bytes of the text before the entry.
    pub at: usize,
    /// The text that was removed there.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub removed: Content,
    /// The text that was written in its place.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub added: Content,
}

impl Splice {
    /// Creates the splice that replaces what `span` covers in `base`.
    pub fn new(base: &str, span: Span, added: &str) -> Self {
        Self { at: span.start(), removed: span.of(base).into(), added: added.into() }
    }

    /// Returns the one splice, as short as it can be, that makes `new` of `base`; `None` if they are equal.
    pub fn between(base: &str, new: &str) -> Option<Self> {
        if base == new {
            return None;
        }
        let prefix: usize = base.chars().zip(new.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let (old_rest, new_rest) = (base.get(prefix..)?, new.get(prefix..)?);
        let ends = old_rest.chars().rev().zip(new_rest.chars().rev());
        let suffix: usize = ends.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let added = new_rest.get(..new_rest.len() - suffix)?;
        Some(Self::new(base, Span::new(prefix, base.len() - suffix), added))
    }

    /// Returns the bytes that it covers in the text before the entry.
    pub fn covered(&self) -> Span {
        Span::new(self.at, self.at.saturating_add(self.removed.len()))
    }
}

/// Returns the text after these splices of `base`; `None` if they are not splices of this text.
pub(super) fn apply(base: &str, splices: &[Splice]) -> Option<String> {
    let added: usize = splices.iter().map(|splice| splice.added.len()).sum();
    let mut text = String::with_capacity(base.len().saturating_add(added));
    let mut copied = 0;
    for splice in splices {
        text.push_str(base.get(copied..splice.at)?);
        copied = splice.covered().end();
        if base.get(splice.at..copied) != Some(&*splice.removed) {
            return None;
        }
        text.push_str(&splice.added);
    }
    text.push_str(base.get(copied..)?);
    Some(text)
}

/// Returns the splices that undo `splices`, for the text that they made; `None` if they fit no text.
pub fn inverse(splices: &[Splice]) -> Option<Vec<Splice>> {
    let (mut gained, mut lost) = (0_usize, 0_usize);
    let mut inverse = Vec::with_capacity(splices.len());
    for splice in splices {
        let at = splice.at.checked_add(gained)?.checked_sub(lost)?;
        gained = gained.checked_add(splice.added.len())?;
        lost = lost.checked_add(splice.removed.len())?;
        inverse.push(Splice { at, removed: splice.added.clone(), added: splice.removed.clone() });
    }
    Some(inverse)
}

/// A text that cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// What the replay needs of the entry was erased.
    #[error("what entry {0} says was erased")]
    Erased(Seq),
    /// The entry's splices do not fit the text, or it did not change the document.
    #[error("entry {0} does not fit the text that it changed")]
    Misfit(Seq),
}

/// Returns the text of `document` after `entry`, given the one before it. `None` is a document that does not exist.
///
/// # Errors
///
/// The entry did not change the document, was erased, or changed another text.
pub fn text_after(entry: &Entry, document: &DocName, base: Option<&str>) -> Result<Option<String>, ReplayError> {
    let link = link(entry, document)?;
    if link.is_deletion() {
        return Ok(None);
    }
    if let Some(text) = entry.text(document) {
        return Ok(Some(text.to_owned()));
    }
    let splices = entry.splices(document).ok_or(ReplayError::Erased(entry.seq()))?;
    let base = if link.is_creation() { Some("") } else { base };
    base.and_then(|base| apply(base, splices)).map(Some).ok_or(ReplayError::Misfit(entry.seq()))
}

/// Returns the text of `document` before `entry`, given the one after it. `None` is a document that does not exist.
///
/// # Errors
///
/// The entry did not change the document, was erased, or made another text.
pub fn text_before(entry: &Entry, document: &DocName, new: Option<&str>) -> Result<Option<String>, ReplayError> {
    let link = link(entry, document)?;
    if link.is_creation() {
        return Ok(None);
    }
    let splices = entry.splices(document).ok_or(ReplayError::Erased(entry.seq()))?;
    let new = if link.is_deletion() { Some("") } else { new };
    new.and_then(|new| apply(new, &inverse(splices)?)).map(Some).ok_or(ReplayError::Misfit(entry.seq()))
}

fn link<'a>(entry: &'a Entry, document: &DocName) -> Result<&'a DocumentLink, ReplayError> {
    entry.link(document).ok_or(ReplayError::Misfit(entry.seq()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_splice_between_two_texts_leads_there_and_back(base in "[aé\n]{0,12}", new in "[aé\n]{0,12}") {
            let splices: Vec<_> = Splice::between(&base, &new).into_iter().collect();
            prop_assert_eq!(splices.is_empty(), base == new);
            prop_assert_eq!(apply(&base, &splices), Some(new.clone()));
            prop_assert_eq!(apply(&new, &inverse(&splices).unwrap_or_default()), Some(base));
        }
    }

    #[test]
    fn splices_of_another_text_are_refused() {
        let splice = |at, removed: &str| Splice { at, removed: removed.into(), added: "x".into() };
        for wrong in [
            vec![splice(1, "a")],
            vec![splice(9, "")],
            vec![splice(usize::MAX, "b")],
            vec![splice(2, "c"), splice(1, "b")],
            vec![splice(0, "ab"), splice(1, "b")],
        ] {
            assert_eq!(apply("abc", &wrong), None, "{wrong:?}");
        }
        assert_eq!(apply("aé", &[splice(2, "")]), None, "inside a character");
        assert_eq!(inverse(&[splice(0, "ab"), splice(0, "")]).map(|_| ()), None);
    }

    #[test]
    fn insertions_at_one_place_stand_in_their_order() {
        let insert = |added: &str| Splice { at: 1, removed: "".into(), added: added.into() };
        let splices = [insert("x"), insert("yz")];
        assert_eq!(apply("ab", &splices), Some("axyzb".to_owned()));
        assert_eq!(apply("axyzb", &inverse(&splices).unwrap_or_default()), Some("ab".to_owned()));
    }
}
