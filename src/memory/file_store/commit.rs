//! The commit of a file store.
//!
//! Under the lock, with the named documents reconciled:
//!
//! 1. **Stage.** The next texts are written beside the documents' files, and synced. If the disk is full, it fails here.
//! 2. **Append.** The entry is appended to the journal in one write, without the line feed at its end, and synced.
//!    *From here on it is committed*. Then the line feed is written, which tells others that the entry is durable. An
//!    append that fails is cut off and the cut is synced: nothing has been done. If the cut fails, too, it is not
//!    known whether the entry is there.
//! 3. **Place.** The staged texts and the files are exchanged, and the displaced text is checked. If it is not the
//!    expected one, somebody has written it since the last look: the two are exchanged back, and the next access
//!    reconciles. The staged text then stays beside the file: this marks the entry as not written out. To delete a
//!    document, its file is renamed over the staged one, which is empty.
//!
//! A commit of one document costs two syncs. The directories are synced later (see `access`). Until then a loss of power
//! may undo the exchange; the next access makes it again. A redaction syncs them at once, and then writes the whole
//! journal without what it erases; if it is interrupted in between, the next access finishes it.

use crate::memory::file_store::access::Directory;
use crate::memory::file_store::disk::{Disk, LARGEST, Moved, Rename, length_of, read, write_new};
use crate::memory::file_store::journal::{self, Appended};
use crate::memory::file_store::layout::{self, Mark};
use crate::memory::file_store::names::Namesakes;
use crate::memory::file_store::reconcile::{ReconciledFile, WorkingFile};
use crate::memory::journal::{Attempt, Entry, EntryKind, Erased, Prepared, Seq};
use crate::memory::{Change, DocName, FileFlaw, Landed, Outcome, StoreError, genesis};
use crate::text::{Content, Timestamp};

impl<D: Disk> Directory<'_, D> {
    /// Makes a commit.
    ///
    /// # Errors
    ///
    /// The system refuses, a document cannot be used, or may not have its name.
    pub(super) fn commit(&mut self, change: &Change) -> Result<Outcome, StoreError> {
        self.state.abandoned.check(change.attempt)?;
        self.begin_journal()?;
        let since = self.entries_from(change.looked_to.plus(1), usize::MAX)?;
        if let Some(entry) = since.iter().find(|entry| entry.is_of(change.request)) {
            return Ok(Outcome::Repeated(entry.seq()));
        }
        let (mut puts, mut conflict) = (Vec::new(), None);
        for document in &change.documents {
            let name = &document.name;
            let ReconciledFile { file, version: found } = self.reconcile(name)?;
            let (expected, next) = (document.expected, document.text.clone());
            if expected != found {
                conflict.get_or_insert(Outcome::Conflict { document: name.clone(), expected, found });
            } else if next.as_ref().is_some_and(|next| length_of(next.as_bytes()) > LARGEST) {
                let path = self.disk.full_path(&layout::place(name));
                return Err(StoreError::Unusable { path, what: FileFlaw::TooLarge });
            } else if next.is_some()
                && expected.revision.is_none()
                && let Some(other) = Namesakes::of(self.disk, name, &self.state.index)?.other_than(name)
            {
                return Err(StoreError::NameTaken { name: name.clone(), other: other.clone() });
            }
            puts.push(Put { name: name.clone(), file, next });
        }
        let head = self.head().seq;
        if change.expected_head.is_some_and(|expected| expected != head) {
            return Ok(Outcome::HeadMoved(head));
        }
        if let Some(conflict) = conflict {
            return Ok(conflict);
        }
        self.append(change.entry.clone(), puts, change.time)
    }

    /// Tells whether an attempt was made. If it was not, this handle never makes it.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn landed(&mut self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        let since = self.entries_from(after.plus(1), usize::MAX)?;
        let made = since.iter().find(|entry| entry.header().attempt == Some(attempt)).map(Entry::seq);
        Ok(self.state.abandoned.landed(attempt, made))
    }

    /// Begins the journal, if it has not begun.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn begin_journal(&mut self) -> Result<(), StoreError> {
        if self.head().seq > Seq::default() {
            return Ok(());
        }
        self.append_own(genesis(&[])?, Vec::new())?;
        self.sync_placed()
    }

    /// Appends an entry and writes its texts out.
    ///
    /// # Errors
    ///
    /// The system refuses: the state is as before.
    pub(super) fn append(
        &mut self,
        prepared: Prepared,
        puts: Vec<Put>,
        time: Timestamp,
    ) -> Result<Outcome, StoreError> {
        let (head, end) = (self.head(), self.state.index.end);
        let entry = self.state.sealer.seal(prepared, head, time);
        let (line, mark) = (entry.to_line(), Mark::of(&entry));
        let staged = puts.iter().try_for_each(|put| self.stage(put, mark));
        match staged.and_then(|()| journal::append(self.disk, end, line.as_bytes())) {
            Ok(Appended::Durable) => {}
            Ok(Appended::Unknown(error)) => {
                self.state.is_end_uncertain = true;
                return Ok(Outcome::Indeterminate(error));
            }
            Err(error) => {
                for put in &puts {
                    // What cannot be removed now is swept later.
                    let _ = self.disk.remove(&layout::next(&put.name, mark));
                }
                return Err(error);
            }
        }
        let index = &mut self.state.index;
        if index.synced == head.seq {
            index.boot.clone_from(&self.state.boot);
        }
        index.take(&entry, end, end.saturating_add(length_of(line.as_bytes())).saturating_add(1));
        for put in &puts {
            let text = put.next.clone().map(|next| (put.name.clone(), (entry.seq(), next)));
            self.state.texts.extend(text);
            // It is committed. What cannot be written out now is written out by the next access.
            let _ = self.place(put, mark);
        }
        // A redaction goes on, even if it erases nothing in the journal: it removes the texts that are kept beside
        // documents.
        if entry.header().kind != EntryKind::Redaction {
            return Ok(Outcome::Committed(entry.seq()));
        }
        Ok(match self.erase(&entry.header().erased) {
            Ok(true) => Outcome::Committed(entry.seq()),
            Ok(false) => Outcome::Indeterminate(StoreError::Busy { path: self.disk.full_path(layout::JOURNAL) }),
            Err(error) => Outcome::Indeterminate(error),
        })
    }

    /// Erases what the last redaction names, if it was interrupted before it was done.
    ///
    /// # Errors
    ///
    /// The system refuses: some of it may not be erased.
    pub(super) fn finish_erasing(&mut self) -> Result<(), StoreError> {
        let Some(redaction) = self.state.index.redaction else { return Ok(()) };
        let entry = self.entry(redaction)?;
        entry.map_or(Ok(()), |entry| self.erase(&entry.header().erased).map(drop))
    }

    /// Erases parts of entries, and the texts that are kept beside documents. Before that, it syncs all files that were
    /// placed. Returns false if a person is saving one of these files: then nothing was erased.
    fn erase(&mut self, erased: &Erased) -> Result<bool, StoreError> {
        if !self.reconcile_and_sync()? {
            return Ok(false);
        }
        self.sweep()?;
        let bytes = journal::read(self.disk, 0, self.state.index.end)?;
        let mut left = Vec::with_capacity(bytes.len());
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            match line.strip_suffix(b"\n").and_then(|line| Entry::parse(line).ok()?.redacted(erased)) {
                Some(entry) => left.extend(entry.to_line().bytes().chain([b'\n'])),
                None => left.extend_from_slice(line),
            }
        }
        if left != bytes {
            journal::replace(self.disk, &left)?;
            self.state.index = self.state.index.unread();
            self.state.index.absorb(&left);
        }
        self.state.index.redaction = None;
        self.sync_placed()?;
        Ok(true)
    }
}

/// The change of a document's file.
pub(super) struct Put {
    pub(super) name: DocName,
    /// The file, with the text that it has.
    pub(super) file: WorkingFile,
    /// The text that it is to have; `None` if it is to be removed.
    pub(super) next: Option<Content>,
}

impl<D: Disk> Directory<'_, D> {
    /// Writes the next text, which the entry of this mark makes, beside the document's file, and syncs it. It is written
    /// under another name and renamed when it is complete, so that a file with the name of a staged text is never
    /// incomplete.
    ///
    /// # Errors
    ///
    /// The system refuses: there is no staged text, or it is swept later.
    pub(super) fn stage(&self, put: &Put, mark: Mark) -> Result<(), StoreError> {
        layout::create_folder(self.disk, put.name.folder())?;
        let text = put.next.as_ref().map(|text| text.as_bytes()).unwrap_or_default();
        let mode = put.file.found.as_ref().map(|found| found.stat.mode);
        let [part, next] = [Mark::default(), mark].map(|mark| layout::next(&put.name, mark));
        let staged = write_new(self.disk, &part, mode, text).and_then(|file| self.disk.sync(&file));
        staged.and_then(|()| self.disk.rename(&part, &next, Rename::Over).map(drop)).inspect_err(|_| {
            let _ = self.disk.remove(&part);
        })
    }

    /// Puts a staged text into the document's file, or removes the file of a document that is deleted. The file is
    /// left as it is if it does not hold what was expected.
    ///
    /// # Errors
    ///
    /// The system refuses: the next access continues.
    pub(super) fn place(&self, put: &Put, mark: Mark) -> Result<(), StoreError> {
        let (next, WorkingFile { path, found }) = (layout::next(&put.name, mark), &put.file);
        let moved = match (found, &put.next) {
            (None, Some(_)) => self.disk.rename(&next, path, Rename::New)?,
            (None, None) => Moved::Done,
            (_, None) => self.disk.rename(path, &next, Rename::Over)?,
            (_, Some(_)) => self.disk.rename(&next, path, Rename::Exchange)?,
        };
        match moved {
            Moved::Refused => return Ok(()),
            // The system cannot exchange files. So the file is checked once more, and then replaced.
            Moved::Unsupported if !self.is_expected(path, put)? => return Ok(()),
            Moved::Unsupported => drop(self.disk.rename(&next, path, Rename::Over)?),
            Moved::Done if found.is_some() && !self.is_expected(&next, put)? => {
                let back = if put.next.is_some() { Rename::Exchange } else { Rename::New };
                return self.disk.rename(&next, path, back).map(drop);
            }
            Moved::Done => {}
        }
        self.disk.remove(&next)
    }

    /// Returns true if the file at `path` holds what the document's file is expected to hold.
    fn is_expected(&self, path: &str, put: &Put) -> Result<bool, StoreError> {
        match read(self.disk, path, LARGEST) {
            Ok(found) => {
                let expected = put.file.text().map(|text| text.as_bytes());
                Ok(found.as_ref().map(|(bytes, _)| &**bytes) == expected)
            }
            Err(StoreError::Unusable { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
