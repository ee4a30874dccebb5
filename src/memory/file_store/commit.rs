//! The commit: the protocol, step by step.
//!
//! Under the lock, with nothing left to recover (see `recover`):
//!
//! 1. **Check.** The named documents are read and hashed. One that is not what the commit expects is a conflict, and
//!    nothing has been done.
//! 2. **Stage.** The next texts are written beside their places, in the same directory, and synced. A disk that is full
//!    is full here, and nothing has been done. What is staged is removed.
//! 3. **Append.** The group is written at the end of the journal in one write, and synced. *From here on it is committed*,
//!    and its texts follow from the journal alone. An append that fails is cut off and the cut is synced: nothing has been
//!    done. If that fails too, nobody knows, and the answer is `Indeterminate`.
//! 4. **Place.** Each document and its next text change places; what was displaced is looked at, and goes back if it came
//!    from outside (see `place`). The commit stands nevertheless: the text that came is a change of the committed text, and
//!    the caller records it.
//! 5. **Sync the directories** of the documents. If a step since the append has failed, the group is in the journal but the
//!    places are not known to be durable: the answer is `Indeterminate`, no note is written, and recovery does them anew.
//! 6. **Retire** what was displaced to a directory of its own, unsynced (see `displaced`).
//! 7. **Erase** what the group says is to be erased of entries before it (see `erase`). A crash in it is finished by recovery.
//! 8. **Note**, unsynced, how far the journal is durable and placed. It is the last step, so it is never ahead.
//!
//! One document costs three syncs: its text, the journal, its directory. A group of `n` documents in `d` directories costs
//! `n + 1 + d`; the first group of a segment, one more. A failed sync is neither repeated nor followed by `Committed`: it
//! may have dropped what it did not write, and a second one would succeed without it.

use std::time::SystemTime;

use super::super::journal::Erased;
use super::super::{DocName, StoreError};
use super::disk::{Access, Disk, Found, look};
use super::displaced::{Displaced, retire};
use super::erase::erase;
use super::layout::{self, DISPLACED};
use super::note::{Note, Stuck};
use super::place::{Placed, Put, place, stage};
use super::placement::{Placement, Site};
use super::segments::{self, Appended, Position};

/// A group of entries, and what they do to documents.
#[derive(Default)]
pub(super) struct Batch {
    /// The entries' lines, each with its end.
    pub(super) lines: Vec<u8>,
    /// The documents, each once.
    pub(super) puts: Vec<Put>,
    /// What goes of entries before them.
    pub(super) erase: Erased,
}

/// Where the journal stands, as recovery has found it.
#[derive(Clone, Debug, Default)]
pub(super) struct Ground {
    /// Where it ends.
    pub(super) end: Position,
    /// The documents that could not be placed.
    pub(super) stuck: Vec<Stuck>,
}

/// What became of a commit that did not fail.
#[derive(Debug)]
pub(super) enum Fate {
    /// It is made and durable.
    Committed {
        /// Where commits go on.
        ground: Ground,
        /// What came from outside while it was made.
        outside: Vec<Outside>,
    },
    /// A document is not what was expected. Nothing was done.
    Conflict { document: DocName, found: Found },
    /// It may be made, now or by the next recovery.
    Indeterminate(StoreError),
}

/// What was found at a document's place instead of what the store had put there.
#[derive(Debug)]
pub(super) struct Outside {
    pub(super) name: DocName,
    /// In the order in which it came; the last stands at the place.
    pub(super) found: Vec<Found>,
}

/// Makes a commit, under the lock, on ground that recovery has found clean.
///
/// # Errors
///
/// The system refuses, or the lock is no longer ours: the state is as before.
pub(super) fn commit<D: Disk, P: Placement>(
    site: &Site<'_, D, P>,
    ground: &Ground,
    batch: &Batch,
    now: SystemTime,
) -> Result<Fate, StoreError> {
    let modes = match check(site, batch)? {
        Checked::Expected(modes) => modes,
        Checked::Conflict { document, found } => return Ok(Fate::Conflict { document, found }),
    };
    let staged = batch.puts.iter().zip(modes).try_for_each(|(put, mode)| stage(site, put, mode));
    let appended = staged.and_then(|()| {
        if !site.custody.is_current() {
            return Err(StoreError::Busy { path: site.disk.full_path(layout::LOCK) });
        }
        segments::append(site.disk, ground.end, &batch.lines, site.limits.segment)
    });
    match appended {
        Ok(Appended::Durable(end)) => {
            Ok(finish(site, Ground { end, stuck: ground.stuck.clone() }, batch, now)
                .unwrap_or_else(Fate::Indeterminate))
        }
        Ok(Appended::Unknown(error)) => Ok(Fate::Indeterminate(error)),
        Err(error) => {
            // What cannot be removed now is swept later.
            batch.puts.iter().for_each(|put| drop(site.disk.remove(&put.beside())));
            Err(error)
        }
    }
}

enum Checked {
    /// The permissions of each document's file.
    Expected(Vec<Option<u32>>),
    Conflict {
        document: DocName,
        found: Found,
    },
}

fn check<D: Disk, P>(site: &Site<'_, D, P>, batch: &Batch) -> Result<Checked, StoreError> {
    let mut modes = Vec::new();
    for put in &batch.puts {
        let found = look(site.disk, &put.place(), site.limits.document)?;
        if !found.is(put.expected) {
            return Ok(Checked::Conflict { document: put.name.clone(), found });
        }
        modes.push(found.mode());
    }
    Ok(Checked::Expected(modes))
}

/// Takes the steps behind the append.
fn finish<D: Disk, P: Placement>(
    site: &Site<'_, D, P>,
    ground: Ground,
    batch: &Batch,
    now: SystemTime,
) -> Result<Fate, StoreError> {
    let mut placed = Vec::new();
    for put in &batch.puts {
        placed.push(place(site, put)?);
    }
    let overtaken = batch.puts.iter().zip(&placed).filter(|(_, placed)| !placed.outside.is_empty());
    let stuck = overtaken.filter_map(|(put, _)| stuck(site, batch, &put.name));
    let ground = Ground { stuck: ground.stuck.into_iter().chain(stuck).collect(), ..ground };
    let now = modified(site.disk, &layout::segment(ground.end.segment)).map_or(now, |modified| modified.min(now));
    let settled = Settled { puts: &batch.puts, placed: &placed, erase: &batch.erase, now };
    let ground = settle(site, ground, &settled)?;
    let told = batch.puts.iter().zip(placed).filter(|(_, placed)| !placed.outside.is_empty());
    let outside = told.map(|(put, placed)| Outside { name: put.name.clone(), found: placed.outside }).collect();
    Ok(Fate::Committed { ground, outside })
}

/// Returns when a file was modified. Of one that was just written this is the time that files are given, which goes on in
/// steps and may be behind the clock: what is written to another file later is given no earlier one.
fn modified<D: Disk>(disk: &D, path: &str) -> Option<SystemTime> {
    let file = disk.open(path, Access::Read).ok().flatten()?;
    disk.stat(&file).ok().map(|stat| stat.modified)
}

/// Notes that a document is not in its place: which entry says what should stand there.
fn stuck<D, P: Placement>(site: &Site<'_, D, P>, batch: &Batch, name: &DocName) -> Option<Stuck> {
    let lines = batch.lines.split(|byte| *byte == b'\n').filter_map(|line| site.placement.read(line));
    let last = lines.filter(|line| line.documents.iter().any(|step| step.name == *name)).last()?;
    Some(Stuck { seq: last.seq, name: name.clone() })
}

/// Documents that have been placed, and are to be made durable.
pub(super) struct Settled<'a> {
    pub(super) puts: &'a [Put],
    pub(super) placed: &'a [Placed],
    /// What goes of earlier entries.
    pub(super) erase: &'a Erased,
    pub(super) now: SystemTime,
}

/// Syncs the directories of documents that have been placed, retires what they displaced, erases what is to be erased, and
/// notes how far the journal is placed. Returns where it ends.
///
/// # Errors
///
/// A directory could not be synced, or something not be erased: nothing is noted.
pub(super) fn settle<D: Disk, P: Placement>(
    site: &Site<'_, D, P>,
    ground: Ground,
    settled: &Settled<'_>,
) -> Result<Ground, StoreError> {
    let mut directories: Vec<_> = settled.puts.iter().map(Put::directory).collect();
    directories.sort_unstable();
    directories.dedup();
    let sync = || directories.iter().try_for_each(|directory| site.disk.sync_directory(directory));
    sync()?;
    for (put, placed) in settled.puts.iter().zip(settled.placed) {
        // Whether these succeed decides nothing: what is left over is swept, and without a note there is more to look at.
        if let Some(revision) = placed.displaced
            && retire(site, &put.beside(), Displaced { name: &put.name, revision, now: settled.now }).is_err()
        {
            let _ = site.disk.remove(&put.beside());
        }
    }
    if !settled.erase.is_empty() {
        // Once a base is erased, nothing tells a text that is displaced from one that somebody wrote: none must be found beside.
        site.disk.sync_directory(DISPLACED)?;
        sync()?;
    }
    let Ground { end, stuck } = ground;
    let end = erase(site, end, settled.erase)?;
    let note = |directory| Note { directory, end, stuck: stuck.clone() }.write(site.disk);
    let _ = site.disk.identity().and_then(note);
    Ok(Ground { end, stuck })
}
