//! Committing: a change, the beginning of a journal, and what came from outside.

use std::time::Duration;

use super::super::journal::{Attempt, Entry, Head, Seq, SeqRange};
use super::super::recording::{Made, Recorded, beginning, external, kept, replacing};
use super::super::{Change, DocName, FileFlaw, Landed, Outcome, StoreError, Tip, Version};
use super::commit::{Fate, Outside};
use super::disk::{Disk, Found};
use super::displaced::review;
use super::layout;
use super::names;
use super::place::Text;
use super::reading::Answer;
use super::still::Verdict;
use super::work::{Placing, Terms, Work};
use crate::text::{Digest, Revision};

impl<D: Disk> Work<'_, D> {
    /// Begins the journal, if it has not begun.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn begin_journal(&mut self, policy: Option<&Digest>) -> Result<(), StoreError> {
        if self.head() != Head::START {
            return Ok(());
        }
        self.append_own(beginning(policy, Vec::new())?, Vec::new()).map(drop)
    }

    /// Makes a commit.
    ///
    /// # Errors
    ///
    /// The system refuses, a document cannot be used, is being changed from outside, or may not have its name.
    pub(super) fn commit(&mut self, change: &Change) -> Result<Answer<Outcome>, StoreError> {
        if self.state.fenced.contains(&change.attempt) {
            return Err(StoreError::Fenced);
        }
        self.begin_journal(None)?;
        let since = self.entries_from(change.looked_to.plus(1), usize::MAX)?;
        if let Some(entry) = since.iter().find(|entry| entry.is_of(change.request)) {
            return Ok(Answer::Ready(Outcome::Repeated(entry.seq())));
        }
        if let Some(conflict) = self.conflict(change)? {
            return Ok(Answer::Ready(conflict));
        }
        self.check_creations(change)?;
        self.check_erasing(change)?;
        let placing = |document: &super::super::change::DocumentChange| Placing {
            name: document.name.clone(),
            expected: document.expected.revision,
            next: document.text.clone().zip(document.revision).map(|(text, revision)| Text { text, revision }),
        };
        let terms = Terms { time: change.time, erase: &change.erase };
        let first = self.head().seq.plus(1);
        let last = first.plus(u64::try_from(change.append.len()).unwrap_or(u64::MAX).saturating_sub(1));
        match self.append(change.append.clone(), change.documents.iter().map(placing).collect(), &terms)? {
            Fate::Committed { outside, .. } => {
                for outside in outside {
                    // The commit stands, whatever becomes of what else there was.
                    let _ = self.keep_overtaken(&outside);
                }
                Ok(Answer::Ready(Outcome::Committed(SeqRange::new(first, last))))
            }
            Fate::Conflict { document, found } => self.overtaken(change, &document, &found),
            Fate::Indeterminate(error) => Ok(Answer::Ready(Outcome::Indeterminate(error))),
        }
    }

    /// Refuses to erase while somebody has written into a displaced file what is not recorded: it may hold what is erased, and
    /// would come back with it.
    fn check_erasing(&self, change: &Change) -> Result<(), StoreError> {
        let late = if change.erase.is_empty() { Vec::new() } else { review(&self.site, self.now)? };
        match late.first() {
            Some(late) => Err(StoreError::Busy { path: self.site.disk.full_path(&late.path) }),
            None => Ok(()),
        }
    }

    /// Returns the document that is not what the change expects.
    fn conflict(&mut self, change: &Change) -> Result<Option<Outcome>, StoreError> {
        for document in &change.documents {
            let found = match self.committed(&document.name) {
                // Nothing tells it: the file is compared.
                Err(StoreError::Erased(_)) => continue,
                found => found?,
            };
            if document.expected != found {
                return Ok(Some(conflict(change, &document.name, found)));
            }
        }
        Ok(None)
    }

    fn check_creations(&self, change: &Change) -> Result<(), StoreError> {
        for document in &change.documents {
            let length = document.text.as_ref().map_or(0, |text| text.len());
            if u64::try_from(length).map_or(true, |length| length > self.site.limits.document) {
                let path = self.site.disk.full_path(&layout::place(&document.name));
                return Err(StoreError::Unusable { path, what: FileFlaw::TooLarge });
            }
            let is_created = document.expected.revision.is_none() && document.text.is_some();
            if is_created && let Some(other) = names::clashing(self.site.disk, &document.name)?.into_iter().next() {
                return Err(StoreError::NameTaken { name: document.name.clone(), other });
            }
        }
        Ok(())
    }

    /// Decides about a document whose file is not what was committed: somebody else was faster.
    fn overtaken(&mut self, change: &Change, name: &DocName, found: &Found) -> Result<Answer<Outcome>, StoreError> {
        let version = self.committed(name)?;
        let path = || self.site.disk.full_path(&layout::place(name));
        if let Found::Unusable(what) = found
            && *what != FileFlaw::NotUtf8
        {
            return Err(StoreError::Unusable { path: path(), what: *what });
        }
        let path = path();
        match self.watch(name, found, version.revision) {
            Verdict::Known => Ok(Answer::Wait(Duration::ZERO)),
            Verdict::Wait(nap) => Ok(Answer::Wait(nap)),
            Verdict::Unsettled => Err(StoreError::Unsettled { path }),
            Verdict::Still => {
                if let Found::Unusable(what) = found {
                    return Err(StoreError::Unusable { path, what: *what });
                }
                self.record(name, found)?;
                self.state.watches.remove(name);
                let found = self.committed(name)?;
                Ok(Answer::Ready(conflict(change, name, found)))
            }
        }
    }

    /// Records what came from outside and stands in its place, and merges it with a commit that it has overtaken, if it can be.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn record(&mut self, name: &DocName, found: &Found) -> Result<(), StoreError> {
        self.begin_journal(None)?;
        let is_merged = match found {
            Found::Text { text, .. } => self.merged_with_overtaken(name, text)?.is_some(),
            _ => false,
        };
        if !is_merged {
            self.ground.stuck.retain(|stuck| stuck.name != *name);
        }
        let new = match found {
            Found::Text { text, revision, .. } => Some(Made { text, revision: *revision }),
            _ => None,
        };
        let group = match (self.committed(name), self.committed_text(name)) {
            (Ok(version), Ok(base)) => external(&Recorded { name, version: &version, base: base.as_deref(), new })?,
            // What stood there cannot be told any more.
            (version, _) => replacing(&Recorded { name, version: &version.unwrap_or_default(), base: None, new })?,
        };
        self.append_own(group, Vec::new())?;
        self.merge_overtaken(name)
    }

    /// Keeps in the journal what was overtaken by others before it could be recorded.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn keep_overtaken(&mut self, outside: &Outside) -> Result<(), StoreError> {
        let Some((_, overtaken)) = outside.found.split_last() else { return Ok(()) };
        for found in overtaken {
            if let Found::Text { text, .. } = found {
                self.keep(&outside.name, text)?;
            }
        }
        Ok(())
    }

    /// Keeps a text in the journal that has no place: by one entry that makes it, and one that takes it back.
    ///
    /// # Errors
    ///
    /// The system refuses, or the committed text cannot be told.
    pub(super) fn keep(&mut self, name: &DocName, text: &str) -> Result<(), StoreError> {
        let version = self.committed(name)?;
        let current = self.committed_text(name)?;
        let given = Made { text, revision: Revision::of(text) };
        let back = current.as_deref().zip(version.revision).map(|(text, revision)| Made { text, revision });
        if back.is_some_and(|back| back.revision == given.revision) {
            return Ok(());
        }
        let there = Recorded { name, version: &version, base: current.as_deref(), new: Some(given) }.whole();
        let tip = Tip { seq: self.head().seq.plus(1), since_keyframe: there.since_keyframe };
        let between = Version::new(Some(given.revision), Some(tip));
        let again = Recorded { name, version: &between, base: Some(text), new: back }.whole();
        self.append_own(kept(vec![there, again])?, Vec::new()).map(drop)
    }

    /// Commits entries of the store's own.
    pub(super) fn append_own(
        &mut self,
        group: Vec<super::super::journal::Prepared>,
        documents: Vec<Placing>,
    ) -> Result<bool, StoreError> {
        match self.append(group, documents, &Terms::own())? {
            Fate::Committed { .. } => Ok(true),
            Fate::Conflict { .. } => Ok(false),
            Fate::Indeterminate(error) => Err(error),
        }
    }

    /// Tells what became of an attempt; one that has not been made never will be, by this handle.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn landed(&mut self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
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
