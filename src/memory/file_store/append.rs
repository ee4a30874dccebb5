//! Appending entries to the journal, and erasing what a redaction names.

use super::super::StoreError;
use super::super::journal::{Entry, EntryKind, Erased, Part, Prepared, Runs, Seq};
use super::disk::Disk;
use super::index::length;
use super::journal::{self, Appended};
use super::layout::{self, Mark};
use super::place::Put;
use super::work::{Want, Work};
use crate::text::{Digest, Timestamp};

/// What became of entries that were appended.
#[derive(Debug)]
pub(super) enum Committed {
    Durable,
    /// They may be durable, now or later.
    Unknown(StoreError),
}

/// When entries are made, and what goes with them.
pub(super) struct Terms<'a> {
    pub(super) time: Timestamp,
    pub(super) erase: &'a Erased,
}

impl Terms<'_> {
    /// Those of entries that the store makes itself at a time.
    pub(super) const fn own(time: Timestamp) -> Self {
        const NOTHING: &Erased = &Erased { contents: Runs::EMPTY, states: Runs::EMPTY };
        Self { time, erase: NOTHING }
    }
}

impl<D: Disk> Work<'_, D> {
    /// Begins the journal, if it has not begun.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn begin_journal(&mut self, policy: Option<&Digest>) -> Result<(), StoreError> {
        if self.head().seq > Seq::default() {
            return Ok(());
        }
        self.append_own(super::super::recording::beginning(policy, Vec::new())?, Vec::new())?;
        self.settle()
    }

    /// Appends entries and writes their texts out.
    ///
    /// # Errors
    ///
    /// The system refuses: the state is as before.
    pub(super) fn append(
        &mut self,
        group: Vec<Prepared>,
        mut puts: Vec<Put>,
        terms: &Terms<'_>,
    ) -> Result<Committed, StoreError> {
        let (head, end) = (self.head(), self.index().end);
        let mut lines = Vec::new();
        let mut entries: Vec<(Entry, u64)> = Vec::new();
        for entry in self.state.sealer.seal(group, head, terms.time) {
            let offset = end.saturating_add(length(&lines));
            lines.extend_from_slice(entry.to_line().as_bytes());
            lines.push(b'\n');
            entries.push((entry, offset));
        }
        for put in &mut puts {
            let last = entries.iter().rfind(|(entry, _)| entry.link(&put.name).is_some());
            put.mark = last.map_or_else(Mark::default, |(entry, _)| Mark::of(entry));
        }
        let appended =
            puts.iter().try_for_each(|put| self.stage(put)).and_then(|()| journal::append(self.disk, end, &lines));
        match appended {
            Ok(Appended::Durable(extent)) => self.state.extent = extent,
            Ok(Appended::Unknown(error)) => {
                self.state.extent = None;
                return Ok(Committed::Unknown(error));
            }
            Err(error) => {
                puts.iter().for_each(|put| self.unstage(put));
                return Err(error);
            }
        }
        let end = end.saturating_add(length(&lines));
        self.state.synced = end;
        if self.index().settled == head.seq {
            self.index_mut().boot = self.disk.boot();
        }
        self.index_mut().take(&entries, end);
        for put in &puts {
            // It is committed. What cannot be written out now is written out by the next access.
            let _ = self.place(put);
        }
        // It takes away what is kept beside documents, also if no entry has anything to erase.
        if !entries.iter().any(|(entry, _)| entry.header().kind == EntryKind::Redaction) {
            return Ok(Committed::Durable);
        }
        Ok(self.erase_settled(terms.erase).map_or_else(Committed::Unknown, |()| Committed::Durable))
    }

    /// Erases what the last redaction names, if it was interrupted.
    ///
    /// # Errors
    ///
    /// The system refuses, or a person is saving a document: some of it may not be erased.
    pub(super) fn finish_erasing(&mut self) -> Result<(), StoreError> {
        let Some(redaction) = self.index().redaction else { return Ok(()) };
        match self.entry(redaction)? {
            Some(entry) => self.erase_settled(&entry.header().erased),
            None => Ok(()),
        }
    }

    /// Erases parts of entries, once the texts that replace them are in their files for good.
    fn erase_settled(&mut self, erased: &Erased) -> Result<(), StoreError> {
        if self.settle_all()? {
            return self.erase(erased);
        }
        match self.want {
            Want::Read => Ok(()),
            Want::Write => Err(StoreError::Busy { path: self.disk.full_path(layout::JOURNAL) }),
        }
    }

    /// Erases parts of entries, and every copy that is kept of them.
    fn erase(&mut self, erased: &Erased) -> Result<(), StoreError> {
        self.sweep()?;
        let bytes = self.journal(0, self.index().end)?;
        let mut left = Vec::with_capacity(bytes.len());
        let mut is_other = false;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let entry = line.strip_suffix(b"\n").and_then(|line| without(line, erased));
            is_other |= entry.is_some();
            match entry {
                Some(entry) => {
                    left.extend_from_slice(entry.as_bytes());
                    left.push(b'\n');
                }
                None => left.extend_from_slice(line),
            }
        }
        if is_other {
            journal::replace(self.disk, &left)?;
            let mut index = self.index().unread();
            index.absorb(&left);
            self.state.index = Some(index);
            self.state.extent = None;
        }
        self.index_mut().redaction = None;
        self.settle()
    }
}

/// Returns a line without what is erased of it; `None` if there is nothing to erase.
fn without(line: &[u8], erased: &Erased) -> Option<String> {
    let mut entry = Entry::parse(line).ok()?;
    let goes = |part| erased.of(part).contains(entry.seq());
    let content = goes(Part::Content) && entry.content().is_some();
    let states = goes(Part::States) && entry.states().is_some();
    if content {
        entry = entry.without(Part::Content);
    }
    if states {
        entry = entry.without(Part::States);
    }
    (content || states).then(|| entry.to_line())
}
