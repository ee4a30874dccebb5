//! The calls of a [`FileStore`], under a lock that each takes for itself, or that is held for all of them.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::super::journal::{Attempt, Entry, Head, Seq};
use super::super::{Change, DocName, EntryQuery, Landed, Outcome, Snapshot, Store, StoreError, Unusable, WhyUnusable};
use super::commit::Ground;
use super::disk::Found;
use super::lines::Lines;
use super::lock::{Held, Mode, is_denied};
use super::placement::Site;
use super::reading::{Answer, Waiting};
use super::segments::{self, Position};
use super::unix::UnixDisk;
use super::work::{Begun, Hold, Work};
use super::{FileStore, layout, names};
use crate::text::{Digest, Revision};

/// The shortest wait between two looks.
const NAP: Duration = Duration::from_millis(1);

/// What a call wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Want {
    /// To read.
    Read,
    /// To read, and to write first what must be recorded, if it can be.
    ReadAlone,
    /// To write.
    Write,
}

/// What is done under the lock. It may be done again, where the first time was of no use.
type Act<'a> = dyn FnMut(&mut Work<'_, UnixDisk>) -> Result<(), StoreError> + 'a;

/// A lock, and what may be done under it.
#[derive(Clone, Copy)]
struct Custody<'a> {
    held: &'a Held,
    hold: Hold,
}

impl FileStore {
    /// Does something under the lock that it wants.
    ///
    /// # Errors
    ///
    /// The system refuses; the lock is held by others for too long.
    fn access<T>(
        &self,
        want: Want,
        act: &mut dyn FnMut(&mut Work<'_, UnixDisk>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut done = None;
        self.enter(want, &mut |work| {
            done = Some(act(work)?);
            Ok(())
        })?;
        // It was not done where the lock must be held alone for that, and is not.
        done.ok_or_else(|| StoreError::Busy { path: self.handle.directory.join(layout::LOCK) })
    }

    /// Does something under the lock that it wants. Nothing in it depends on what is done, so that it is compiled once.
    fn enter(&self, want: Want, act: &mut Act<'_>) -> Result<(), StoreError> {
        let disk = UnixDisk::open(&self.handle.directory)?;
        if let Some(held) = &self.held {
            return self.under(&disk, Custody { held, hold: Hold::Alone }, act).map(drop);
        }
        let take = |mode| self.handle.lock.take(&disk, mode, self.patience);
        if want == Want::Read {
            let held = take(Mode::Shared)?;
            if self.under(&disk, Custody { held: &held, hold: Hold::Shared }, act)? == Begun::Ready {
                return Ok(());
            }
        }
        let alone = layout::prepare(&disk).and_then(|()| take(Mode::Alone));
        let done = alone.and_then(|held| self.under(&disk, Custody { held: &held, hold: Hold::Alone }, act));
        match done {
            Err(error) if want != Want::Write && is_denied(&error) => {
                let held = take(Mode::Shared)?;
                self.under(&disk, Custody { held: &held, hold: Hold::ReadOnly }, act).map(drop)
            }
            done => done.map(drop),
        }
    }

    /// Does something under a lock that is held, unless it must be held alone for that.
    fn under(&self, disk: &UnixDisk, custody: Custody<'_>, act: &mut Act<'_>) -> Result<Begun, StoreError> {
        // A table that a panic has left half read is behind the journal, and is read on.
        let mut state = self.handle.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut work = Work {
            site: Site { disk, placement: &Lines, custody: custody.held, limits: self.limits },
            state: &mut state,
            hold: custody.hold,
            now: SystemTime::now(),
            ground: Ground::default(),
            unplaced: Vec::new(),
        };
        let begun = work.begin()?;
        if begun == Begun::Ready {
            act(&mut work)?;
        }
        Ok(begun)
    }

    const fn waiting(&self) -> Waiting {
        if self.held.is_none() { Waiting::Allowed } else { Waiting::NotAllowed }
    }
}

impl Store for FileStore {
    fn begin(&self, policy: &Digest) -> Result<(), StoreError> {
        if self.head()? != Head::START {
            return Ok(());
        }
        self.access(Want::Write, &mut |work| work.begin_journal(Some(policy)))
    }

    fn head(&self) -> Result<Head, StoreError> {
        self.access(Want::Read, &mut |work| Ok(work.head()))
    }

    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError> {
        self.access(Want::Read, &mut |work| work.revisions(after, limit))
    }

    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        let mut want = Want::Read;
        loop {
            match self.access(want, &mut |work| work.read(names, self.waiting()))? {
                Answer::Ready(snapshot) => return Ok(snapshot),
                Answer::NeedsAlone => want = Want::ReadAlone,
                Answer::Wait(nap) => {
                    std::thread::sleep(nap.max(NAP));
                    want = Want::Read;
                }
            }
        }
    }

    fn entries(&self, query: &EntryQuery<'_>) -> Result<Vec<Entry>, StoreError> {
        self.access(Want::Read, &mut |work| match *query {
            EntryQuery::From { seq, limit } => work.entries_from(seq, limit),
            EntryQuery::OfDocument { document, seq, limit } => work.entries_of(document, seq, limit),
        })
    }

    /// Holds the lock while a file of the journal is read, and not while its lines are handed over.
    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<Head, StoreError> {
        let numbers = self.access(Want::Read, &mut |work| segments::numbers(work.site.disk))?;
        for segment in numbers {
            let from = Position { segment, offset: 0 };
            let bytes = self.access(Want::Read, &mut |work| segments::read(work.site.disk, from))?;
            for line in bytes.split_inclusive(|byte| *byte == b'\n') {
                visit(line.strip_suffix(b"\n").unwrap_or(line));
            }
        }
        Ok(Head::START)
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        let deadline = Instant::now().checked_add(self.patience);
        loop {
            let nap = match self.access(Want::Write, &mut |work| work.commit(change))? {
                Answer::Ready(outcome) => return Ok(outcome),
                Answer::Wait(nap) => nap.max(NAP),
                Answer::NeedsAlone => NAP,
            };
            if self.waiting() == Waiting::NotAllowed || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(StoreError::Busy { path: self.handle.directory.clone() });
            }
            std::thread::sleep(nap);
        }
    }

    /// Tells what became of an attempt. That it was not made is final for this handle, which refuses to make it: an attempt is
    /// made by one call of one handle, and by no other.
    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        self.access(Want::Write, &mut |work| work.landed(attempt, after))
    }

    fn unusable(&self) -> Result<Vec<Unusable>, StoreError> {
        self.access(Want::Read, &mut |work| {
            let listing = names::documents(work.site.disk, &|name| work.is_known(name))?;
            let named = |other: names::Other| Unusable { file: other.file, why: WhyUnusable::Name(other.rule) };
            let mut unusable: Vec<_> = listing.others.into_iter().map(named).collect();
            for name in listing.documents {
                if let Ok(Found::Unusable(what)) = work.found(&name) {
                    unusable.push(Unusable { file: layout::place(&name), why: WhyUnusable::File(what) });
                }
            }
            unusable.sort_by(|one, other| one.file.cmp(&other.file));
            Ok(unusable)
        })
    }

    fn alone(&self, work: &mut dyn FnMut(&dyn Store)) -> Result<(), StoreError> {
        if self.held.is_some() {
            work(self);
            return Ok(());
        }
        let disk = UnixDisk::open(&self.handle.directory)?;
        layout::prepare(&disk)?;
        let held = self.handle.lock.take(&disk, Mode::Alone, self.patience)?;
        // Whoever works alone is to see all that there is, late texts too.
        self.handle.state.lock().unwrap_or_else(PoisonError::into_inner).reviewed = None;
        work(&Self { handle: Arc::clone(&self.handle), held: Some(held), ..*self });
        Ok(())
    }
}
