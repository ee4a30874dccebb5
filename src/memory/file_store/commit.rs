//! The commit.
//!
//! Under the lock, with the named documents reconciled:
//!
//! 1. **Stage.** The next texts are written beside the documents' files, and synced. A disk that is full is full here.
//! 2. **Append.** The entries are appended to the journal in one write, and synced. *From here on it is committed*. An append
//!    that fails is cut off and the cut is synced: nothing has been done. If that fails too, nobody knows.
//! 3. **Place.** The staged texts and the files are exchanged (see `place`).
//!
//! One document costs two syncs. The directories are synced later (see `work`): until then a loss of power may take the
//! exchange back, and the next access makes it again. A redaction syncs them at once, and then writes the journal anew
//! without what it erases; if it is interrupted in between, the next access goes on.

use std::time::Duration;

use super::super::journal::{Attempt, Entry, Seq, SeqRange};
use super::super::{Change, DocName, FileFlaw, Landed, Outcome, StoreError, Version};
use super::append::{Committed, Terms};
use super::disk::{Disk, Found};
use super::index::length;
use super::layout::{self, Mark};
use super::names;
use super::place::Put;
use super::reconcile::Seen;
use super::work::Work;

/// What a call comes to.
pub(super) enum Answer<T> {
    Ready(T),
    /// A document is being saved: look again after this time.
    Wait(Duration, DocName),
}

impl<D: Disk> Work<'_, D> {
    /// Makes a commit.
    ///
    /// # Errors
    ///
    /// The system refuses, a document cannot be used, or may not have its name.
    pub(super) fn commit(&mut self, change: &Change) -> Result<Answer<Outcome>, StoreError> {
        if self.state.fenced.contains(&change.attempt) {
            return Err(StoreError::Fenced);
        }
        self.begin_journal(None)?;
        let since = self.entries_from(change.looked_to.plus(1), usize::MAX)?;
        if let Some(entry) = since.iter().find(|entry| entry.is_of(change.request)) {
            return Ok(Answer::Ready(Outcome::Repeated(entry.seq())));
        }
        let (mut puts, mut conflicting) = (Vec::new(), None);
        for document in &change.documents {
            let looked = match self.reconcile(&document.name)? {
                Seen::Clean(looked) => looked,
                Seen::Unusable(what) => {
                    let path = self.disk.full_path(&layout::place(&document.name));
                    return Err(StoreError::Unusable { path, what });
                }
                Seen::Unsettled(wait) => return Ok(Answer::Wait(wait, document.name.clone())),
                Seen::NotWrittenOut | Seen::Foreign(_) => {
                    return Ok(Answer::Wait(Duration::from_millis(10), document.name.clone()));
                }
            };
            let found = self.committed(&document.name)?;
            if document.expected != found && conflicting.is_none() {
                conflicting = Some(conflict(change, &document.name, found));
            }
            puts.push((document, looked));
        }
        let head = self.head().seq;
        if change.expected_head.is_some_and(|expected| expected != head) {
            return Ok(Answer::Ready(Outcome::HeadMoved(head)));
        }
        if let Some(conflict) = conflicting {
            return Ok(Answer::Ready(conflict));
        }
        self.check_creations(change)?;
        let puts = puts.into_iter().map(|(document, looked)| Put {
            mark: Mark::default(),
            name: document.name.clone(),
            path: looked.path,
            expected: looked.found,
            next: document.text.clone(),
        });
        let puts: Vec<_> = puts.collect();
        let terms = Terms { time: change.time, erase: &change.erase };
        match self.append(change.append.clone(), puts, &terms)? {
            Committed::Durable => Ok(Answer::Ready(Outcome::Committed(SeqRange::new(head.plus(1), self.head().seq)))),
            Committed::Unknown(error) => {
                self.state.doubtful.insert(change.attempt);
                Ok(Answer::Ready(Outcome::Indeterminate(error)))
            }
        }
    }

    fn check_creations(&self, change: &Change) -> Result<(), StoreError> {
        for document in &change.documents {
            let bytes = document.text.as_ref().map_or(0, |text| length(text.as_bytes()));
            if bytes > self.limits.document {
                let path = self.disk.full_path(&layout::place(&document.name));
                return Err(StoreError::Unusable { path, what: FileFlaw::TooLarge });
            }
            let is_created = document.expected.revision.is_none() && document.text.is_some();
            if is_created && let Some(other) = names::clashing(self.disk, &document.name)?.into_iter().next() {
                return Err(StoreError::NameTaken { name: document.name.clone(), other });
            }
        }
        Ok(())
    }

    /// Tells what became of an attempt; one that has not been made never will be, by this handle.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn landed(&mut self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        if self.state.doubtful.contains(&attempt) {
            return Ok(Landed::Unknown);
        }
        let since = self.entries_from(after.plus(1), usize::MAX)?;
        let found = since.iter().find(|entry| entry.header().attempt == Some(attempt)).map(Entry::seq);
        if found.is_none() {
            self.state.fenced.insert(attempt);
        }
        Ok(found.map_or(Landed::Not, Landed::At))
    }
}

fn conflict(change: &Change, name: &DocName, found: Version) -> Outcome {
    let expected = change.documents.iter().find(|document| document.name == *name).map(|document| document.expected);
    Outcome::Conflict { document: name.clone(), expected: expected.unwrap_or_default(), found }
}

/// Reports whether a file holds what another look has found there.
impl Found {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text { text, .. }, Self::Text { text: other, .. }) => text == other,
            (one, other) => one == other,
        }
    }
}
