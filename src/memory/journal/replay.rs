//! Replay: the text of a document from entry to entry, forward and backward.

use thiserror::Error;

use super::super::DocName;
use super::splice::{apply, unapply};
use super::{DocumentLink, Entry, Seq};

/// A text that cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The entry did not change the document.
    #[error("entry {0} did not change the document")]
    NotChanged(Seq),
    /// What the replay needs of the entry was erased.
    #[error("what entry {0} says was erased")]
    Erased(Seq),
    /// What the entry says does not lead from the one text to the other.
    #[error("entry {0} does not fit the text that it changed")]
    Misfit(Seq),
}

/// Returns the text of `document` after `entry`, given the one before it. `None` is a document that does not exist.
///
/// # Errors
///
/// The entry did not change the document, lacks what it takes, or changed another text.
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
    base.and_then(|base| apply(base, splices).ok()).map(Some).ok_or(ReplayError::Misfit(entry.seq()))
}

/// Returns the text of `document` before `entry`, given the one after it. `None` is a document that does not exist.
///
/// # Errors
///
/// The entry did not change the document, lacks what it takes, or made another text.
pub fn text_before(entry: &Entry, document: &DocName, new: Option<&str>) -> Result<Option<String>, ReplayError> {
    let link = link(entry, document)?;
    if link.is_creation() {
        return Ok(None);
    }
    let splices = entry.splices(document).ok_or(ReplayError::Erased(entry.seq()))?;
    let new = if link.is_deletion() { Some("") } else { new };
    new.and_then(|new| unapply(new, splices).ok()).map(Some).ok_or(ReplayError::Misfit(entry.seq()))
}

fn link<'a>(entry: &'a Entry, document: &DocName) -> Result<&'a DocumentLink, ReplayError> {
    entry.link(document).ok_or(ReplayError::NotChanged(entry.seq()))
}
