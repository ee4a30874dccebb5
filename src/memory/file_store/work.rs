//! [`Work`]: one access to the directory, under its lock.

use std::collections::{HashMap, HashSet};
use std::time::SystemTime;

use super::super::clock::Clock as _;
use super::super::journal::{Attempt, Entry, Erased, Head, Prepared, Runs, Sealer};
use super::super::{DocName, FileFlaw, StoreError, SystemClock};
use super::commit::{Batch, Fate, Ground, commit};
use super::disk::Disk;
use super::entries;
use super::layout;
use super::lines::Lines;
use super::place::{Put, Text};
use super::placement::Site;
use super::recover::recover;
use super::segments::{self, Position};
use super::still::Watch;
use super::survey::{Damage, Survey, Unplaced};
use super::table::Table;
use super::tips::{self, Tips};
use crate::text::{Revision, Timestamp};

/// What a handle remembers from one access to the next.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) table: Option<Table>,
    /// Documents whose files are not what was committed.
    pub(super) watches: HashMap<DocName, Watch>,
    /// Attempts that have been asked about before they were made.
    pub(super) fenced: HashSet<Attempt>,
    /// What seals entries.
    pub(super) sealer: Sealer,
    /// When displaced files were looked at last.
    pub(super) reviewed: Option<SystemTime>,
    /// What is to be written when the lock is held alone.
    missing: Option<Tips>,
}

/// What may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// To read: others read too.
    Shared,
    /// To write.
    Alone,
    /// To read what cannot be written, and so not recovered either.
    ReadOnly,
}

/// One access.
pub(super) struct Work<'a, D> {
    pub(super) site: Site<'a, D, Lines>,
    pub(super) state: &'a mut State,
    pub(super) hold: Hold,
    pub(super) now: SystemTime,
    /// Where commits go on, if the lock is held alone.
    pub(super) ground: Ground,
    /// What is committed, but has not its place.
    pub(super) unplaced: Vec<Unplaced>,
}

/// Whether an access can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    Ready,
    /// Something must be recovered first.
    NeedsAlone,
}

impl<D: Disk> Work<'_, D> {
    /// Recovers what there is to recover, and reads what the journal has got since the last access.
    ///
    /// # Errors
    ///
    /// The system refuses. Once each: the journal is shorter than it was known to be, or was set back.
    pub(super) fn begin(&mut self) -> Result<Begun, StoreError> {
        if self.hold == Hold::Alone {
            self.recover()?;
            if self.head() != Head::START {
                // What cannot be looked at now is looked at later. It may have been recorded nevertheless.
                if self.merge_all_overtaken().and_then(|()| self.review()).is_err() {
                    self.recover()?;
                }
            }
            return Ok(Begun::Ready);
        }
        let survey = Survey::take(&self.site)?;
        let has_stuck = survey.note.as_ref().is_some_and(|note| !note.stuck.is_empty());
        if self.hold == Hold::Shared && (!survey.is_clean() || has_stuck) {
            return Ok(Begun::NeedsAlone);
        }
        self.unplaced = survey.unplaced(&self.site)?;
        self.read_on(survey.complete())?;
        Ok(Begun::Ready)
    }

    /// Merges what has been recorded before a crash and not been merged.
    fn merge_all_overtaken(&mut self) -> Result<(), StoreError> {
        let stuck = self.ground.stuck.clone();
        stuck.iter().try_for_each(|stuck| self.merge_overtaken(&stuck.name))
    }

    fn recover(&mut self) -> Result<(), StoreError> {
        let recovered = recover(&self.site, self.now)?;
        self.ground = recovered.ground;
        self.read_on(self.ground.end)?;
        if let Some(missing) = self.state.missing.take() {
            missing.write(self.site.disk);
        }
        for outside in recovered.outside {
            self.keep_overtaken(&outside)?;
        }
        match recovered.damage.iter().find_map(|damage| match damage {
            Damage::Shortened { known, .. } => Some(known.segment),
            Damage::Unreadable { .. } => None,
        }) {
            Some(segment) => {
                let path = self.site.disk.full_path(&layout::segment(segment));
                Err(StoreError::Unusable { path, what: FileFlaw::Shortened })
            }
            None => Ok(()),
        }
    }

    /// Reads what the journal has got.
    fn read_on(&mut self, end: Position) -> Result<(), StoreError> {
        let Some(table) = &mut self.state.table else { return self.load(end) };
        if table.end <= end && table.stands(self.site.disk)? {
            return read_on(self.site.disk, table, end);
        }
        let known = table.head;
        self.load(end)?;
        let found = entries::at(&self.site, known.seq.get())?;
        let found = found.and_then(|found| Entry::parse(&found.bytes).ok());
        let is_there = known == Head::START || found.is_some_and(|found| found.hash() == known.hash);
        // Then it stands elsewhere, since something was erased.
        if is_there { Ok(()) } else { Err(StoreError::SetBack { known: known.seq, found: self.head().seq }) }
    }

    fn load(&mut self, end: Position) -> Result<(), StoreError> {
        let loaded = tips::load(self.site.disk, end)?;
        self.state.table = Some(loaded.table);
        self.state.missing = loaded.missing;
        Ok(())
    }

    /// Returns where the journal ends.
    pub(super) fn head(&self) -> Head {
        self.state.table.as_ref().map_or(Head::START, |table| table.head)
    }

    /// Seals a group behind the head and commits it with what it does to documents.
    ///
    /// # Errors
    ///
    /// The system refuses: the state is as before.
    pub(super) fn append(
        &mut self,
        group: Vec<Prepared>,
        documents: Vec<Placing>,
        terms: &Terms<'_>,
    ) -> Result<Fate, StoreError> {
        let head = self.head();
        let first = head.seq.plus(1).get();
        let mut lines = Vec::new();
        for entry in self.state.sealer.seal(group, head, terms.time) {
            lines.extend_from_slice(entry.to_line().as_bytes());
            lines.push(b'\n');
        }
        let put = |Placing { name, expected, next }| Put { name, seq: first, expected, next };
        let batch = Batch { lines, puts: documents.into_iter().map(put).collect(), erase: terms.erase.clone() };
        let fate = commit(&self.site, &self.ground, &batch, self.now)?;
        if let Fate::Committed { ground, .. } = &fate {
            self.ground = ground.clone();
            self.appended(ground.end, &batch);
        }
        Ok(fate)
    }

    /// Takes over what has been appended.
    fn appended(&mut self, end: Position, batch: &Batch) {
        if !batch.erase.is_empty() {
            // Nothing stands where it stood.
            self.state.table = None;
            return;
        }
        let Some(table) = &mut self.state.table else { return };
        let length = u64::try_from(batch.lines.len()).unwrap_or(u64::MAX);
        if end.segment > table.end.segment && table.end.segment > 0 {
            Tips::of(table, end.segment).write(self.site.disk);
        }
        table.absorb(&batch.lines, Position { offset: end.offset.saturating_sub(length), ..end });
    }
}

/// What becomes of one document.
pub(super) struct Placing {
    pub(super) name: DocName,
    pub(super) expected: Option<Revision>,
    pub(super) next: Option<Text>,
}

/// When entries are made, and what goes with them.
pub(super) struct Terms<'a> {
    pub(super) time: Timestamp,
    pub(super) erase: &'a Erased,
}

impl Terms<'_> {
    /// Those of entries that the store makes itself.
    pub(super) fn own() -> Self {
        const NOTHING: &Erased = &Erased { contents: Runs::EMPTY, states: Runs::EMPTY };
        Self { time: SystemClock.now(), erase: NOTHING }
    }
}

fn read_on<D: Disk>(disk: &D, table: &mut Table, end: Position) -> Result<(), StoreError> {
    while table.end < end {
        if table.end.segment == end.segment {
            let mut bytes = segments::read(disk, table.end)?;
            let length = end.offset.saturating_sub(table.end.offset);
            bytes.truncate(usize::try_from(length).unwrap_or(usize::MAX));
            table.absorb(&bytes, table.end);
            return Ok(());
        }
        if table.end.segment > 0 {
            let bytes = segments::read(disk, table.end)?;
            table.absorb(&bytes, table.end);
        }
        table.end = Position { segment: table.end.segment.saturating_add(1), offset: 0 };
    }
    Ok(())
}
