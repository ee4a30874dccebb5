//! Protocols with one step wrong: a check that does not find them proves nothing.

use std::time::SystemTime;

use super::super::super::StoreError;
use super::super::commit::{Batch, Fate, Ground, Settled, commit, settle};
use super::super::disk::{Disk as _, Found, look};
use super::super::note::Note;
use super::super::place::{Placed, place, stage};
use super::super::placement;
use super::super::segments::{self, Appended};
use super::disk::SimDisk;
use super::flaw::Bad;
use super::toy::Toy;

pub(super) type Site<'a> = placement::Site<'a, SimDisk, Toy>;
pub(super) type Commit = fn(&Site<'_>, &Ground, &Batch, SystemTime) -> Result<Fate, StoreError>;

/// A protocol.
#[derive(Clone, Copy)]
pub(super) struct Protocol {
    pub(super) bad: Bad,
    pub(super) commit: Commit,
    pub(super) lines: Toy,
}

impl Protocol {
    pub(super) const GOOD: Self = Self { bad: Bad::Nothing, commit, lines: Toy::Strict };

    pub(super) const fn on(bad: Bad) -> Self {
        Self { bad, ..Self::GOOD }
    }

    pub(super) const fn by(commit: Commit) -> Self {
        Self { commit, ..Self::GOOD }
    }
}

fn conflict(site: &Site<'_>, batch: &Batch) -> Result<Option<Fate>, StoreError> {
    for put in &batch.puts {
        let found = look(site.disk, &put.place(), site.limits.document)?;
        if !found.is(put.expected) {
            return Ok(Some(Fate::Conflict { document: put.name.clone(), found }));
        }
    }
    Ok(None)
}

fn append(site: &Site<'_>, ground: &Ground, batch: &Batch) -> Result<Ground, StoreError> {
    match segments::append(site.disk, ground.end, &batch.lines, site.limits.segment)? {
        Appended::Durable(end) => Ok(Ground { end, stuck: Vec::new() }),
        Appended::Unknown(error) => Err(error),
    }
}

fn finish(site: &Site<'_>, ground: Ground, batch: &Batch, placed: &[Placed]) -> Result<Fate, StoreError> {
    let settled = Settled { puts: &batch.puts, placed, erase: &batch.erase, now: SystemTime::UNIX_EPOCH };
    Ok(Fate::Committed { ground: settle(site, ground, &settled)?, outside: Vec::new() })
}

/// Appends before the next texts are on the disk.
pub(super) fn appending_first(
    site: &Site<'_>,
    ground: &Ground,
    batch: &Batch,
    _: SystemTime,
) -> Result<Fate, StoreError> {
    if let Some(conflict) = conflict(site, batch)? {
        return Ok(conflict);
    }
    let ground = append(site, ground, batch)?;
    batch.puts.iter().try_for_each(|put| stage(site, put, None))?;
    let placed = batch.puts.iter().map(|put| place(site, put)).collect::<Result<Vec<_>, _>>();
    placed.and_then(|placed| finish(site, ground, batch, &placed)).or_else(|error| Ok(Fate::Indeterminate(error)))
}

/// Notes before the texts are in their places, as if they were.
pub(super) fn noting_first(site: &Site<'_>, ground: &Ground, batch: &Batch, _: SystemTime) -> Result<Fate, StoreError> {
    if let Some(conflict) = conflict(site, batch)? {
        return Ok(conflict);
    }
    batch.puts.iter().try_for_each(|put| stage(site, put, None))?;
    let ground = append(site, ground, batch)?;
    let _ = Note { directory: site.disk.identity()?, end: ground.end, stuck: Vec::new() }.write(site.disk);
    let placed = batch.puts.iter().map(|put| place(site, put)).collect::<Result<Vec<_>, _>>();
    placed.and_then(|placed| finish(site, ground, batch, &placed)).or_else(|error| Ok(Fate::Indeterminate(error)))
}

/// Does not look at what was displaced.
pub(super) fn without_second_look(
    site: &Site<'_>,
    ground: &Ground,
    batch: &Batch,
    _: SystemTime,
) -> Result<Fate, StoreError> {
    if let Some(conflict) = conflict(site, batch)? {
        return Ok(conflict);
    }
    batch.puts.iter().try_for_each(|put| stage(site, put, None))?;
    let ground = append(site, ground, batch)?;
    let placed = batch.puts.iter().map(|put| {
        let placed = place(site, put)?;
        // What came from outside and was put back is overwritten after all, and what was displaced goes at once.
        for found in &placed.outside {
            if matches!(found, Found::Text { .. }) {
                stage(site, put, None)?;
                site.disk.exchange(&put.beside(), &put.place())?;
            }
        }
        site.disk.remove(&put.beside())?;
        Ok(Placed::default())
    });
    let placed = placed.collect::<Result<Vec<_>, StoreError>>();
    placed.and_then(|placed| finish(site, ground, batch, &placed)).or_else(|error| Ok(Fate::Indeterminate(error)))
}

/// Answers `committed` whatever failed behind the append.
pub(super) fn answering_early(
    site: &Site<'_>,
    ground: &Ground,
    batch: &Batch,
    now: SystemTime,
) -> Result<Fate, StoreError> {
    Ok(match commit(site, ground, batch, now)? {
        Fate::Indeterminate(_) => Fate::Committed { ground: ground.clone(), outside: Vec::new() },
        fate => fate,
    })
}
