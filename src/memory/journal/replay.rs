//! Replay: the texts that documents had, from the nearest text that is recorded whole.

use thiserror::Error;

use super::super::DocName;
use super::splice::{apply, unapply};
use super::{DocumentLink, Entry, Seq, Splice};
use crate::text::Revision;

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
    if link.new.is_absent() {
        return Ok(None);
    }
    if let Some(text) = keyframe(entry, document) {
        return Ok(Some(text.to_owned()));
    }
    let splices = entry.splices(document).ok_or(ReplayError::Erased(entry.seq()))?;
    let base = if link.base.is_absent() { Some("") } else { base };
    base.and_then(|base| apply(base, splices).ok()).map(Some).ok_or(ReplayError::Misfit(entry.seq()))
}

/// Returns the text of `document` before `entry`, given the one after it. `None` is a document that does not exist.
///
/// # Errors
///
/// The entry did not change the document, lacks what it takes, or made another text.
pub fn text_before(entry: &Entry, document: &DocName, new: Option<&str>) -> Result<Option<String>, ReplayError> {
    let link = link(entry, document)?;
    if link.base.is_absent() {
        return Ok(None);
    }
    let splices = entry.splices(document).ok_or(ReplayError::Erased(entry.seq()))?;
    let new = if link.new.is_absent() { Some("") } else { new };
    new.and_then(|new| unapply(new, splices).ok()).map(Some).ok_or(ReplayError::Misfit(entry.seq()))
}

fn link<'a>(entry: &'a Entry, document: &DocName) -> Result<&'a DocumentLink, ReplayError> {
    entry.link(document).ok_or(ReplayError::NotChanged(entry.seq()))
}

/// Returns the whole text after `entry`, where it is recorded.
pub(super) fn keyframe<'a>(entry: &'a Entry, document: &DocName) -> Option<&'a str> {
    entry.state(document)?.keyframe.as_deref()
}

/// Collects, from an entry backward, what it takes to make the text of a document after that entry.
///
/// The entry of a revision is found by walking [`Entry::previous_of`] back to the one whose [`Entry::state`] has it as the new.
/// Give it the entry, then the entries that it asks for, until it is complete. It reads about twice the text at most.
#[derive(Clone)]
pub struct Replay {
    document: DocName,
    // Invariant: the last entry first.
    stretch: Vec<(Seq, Vec<Splice>)>,
    start: Start,
    made: Option<(Seq, Revision)>,
}

/// The text that a replay starts from.
#[derive(Clone, PartialEq, Eq)]
enum Start {
    NotReached,
    Absent,
    Text(String),
}

/// What a replay needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The entry with this number.
    Earlier(Seq),
    /// Nothing more.
    Complete,
}

impl Replay {
    /// Creates a replay of `document`.
    pub const fn new(document: DocName) -> Self {
        Self { document, stretch: Vec::new(), start: Start::NotReached, made: None }
    }

    /// Takes the entry that was asked for, at first the one whose result is wanted.
    ///
    /// # Errors
    ///
    /// The entry did not change the document, or lacks what it takes.
    pub fn back(&mut self, entry: &Entry) -> Result<Step, ReplayError> {
        let link = link(entry, &self.document)?;
        if self.stretch.is_empty() && self.start == Start::NotReached {
            self.made = entry.state(&self.document).and_then(|state| state.new).map(|revision| (entry.seq(), revision));
        }
        if link.new.is_absent() {
            self.start = Start::Absent;
            return Ok(Step::Complete);
        }
        if let Some(text) = keyframe(entry, &self.document) {
            self.start = Start::Text(text.to_owned());
            return Ok(Step::Complete);
        }
        let splices = entry.splices(&self.document).ok_or(ReplayError::Erased(entry.seq()))?;
        self.stretch.push((entry.seq(), splices.to_vec()));
        if link.base.is_absent() {
            self.start = Start::Text(String::new());
            return Ok(Step::Complete);
        }
        let previous = entry.previous_of(link).filter(|previous| *previous < entry.seq());
        previous.map(Step::Earlier).ok_or(ReplayError::Misfit(entry.seq()))
    }

    /// Makes the text; `None` of a document that did not exist then.
    ///
    /// # Errors
    ///
    /// The entries do not fit each other, or not the revision that the last of them says it made.
    pub fn text(self) -> Result<Option<String>, ReplayError> {
        let last = self.stretch.first().map(|(seq, _)| *seq).unwrap_or_default();
        let mut text = match self.start {
            Start::Absent if self.stretch.is_empty() => return Ok(None),
            Start::Text(text) => text,
            // An entry deleted the document, and the next one changed it all the same; or the start was not reached.
            Start::Absent | Start::NotReached => return Err(ReplayError::Misfit(last)),
        };
        for (seq, splices) in self.stretch.iter().rev() {
            text = apply(&text, splices).map_err(|_| ReplayError::Misfit(*seq))?;
        }
        match self.made {
            Some((seq, revision)) if Revision::of(&text) != revision => Err(ReplayError::Misfit(seq)),
            _ => Ok(Some(text)),
        }
    }
}
