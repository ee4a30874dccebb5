//! Recovery: what is done, under the lock and before any access, when the journal does not end where the note says.
//!
//! Every access recovers first, so only the last group of the journal can be undurable or unplaced.
//!
//! 1. **Cut.** What stands behind the last complete group is an append that was interrupted: it was never committed. It is
//!    set aside, cut off, and the cut is synced. What the note says is durable is never cut: if it is gone, or if bytes
//!    before a complete group cannot be read, that is damage, and told; what is left of a line is ended.
//! 2. **Write anew** the last group, and sync it: it may be in memory only, left there by a sync that failed, and another
//!    sync would not write it. It is committed now, if it was not before.
//! 3. **Place** its documents. A file that says what the group was made on gets the text that the group makes of it. A file
//!    that says that text already gets it anew, because the change of names may have been dropped by a sync that failed. A
//!    file that says anything else, or that is missing, was changed from outside: it stays, and is told. What such a
//!    file says is merged with what was committed, or recorded, once it is finished; until then, and where the file cannot be a
//!    document (a directory, a link, not UTF-8), the document is noted as stuck, keeps no other waiting, and is tried again.
//! 4. What stands *beside* such a document under this group's number is the text that was staged, or the one that was
//!    displaced, which somebody may have written into since: it is kept with what others displace, and looked at there.
//! 5. **Sync** the directories, **retire** what was displaced, **erase** what the last group says, **note** the end of the journal, as a commit does. What else
//!    stands beside documents was staged by commits that were never made, and is swept.
//!
//! A crash in any of these steps leaves a state that the same steps recover. Without a note, as in a copy of the directory,
//! the last file of the journal is read whole, once.

use std::time::SystemTime;

use super::super::{FileFlaw, StoreError};
use super::commit::{Ground, Outside, Settled, settle};
use super::disk::{Disk, Found, look};
use super::displaced::{Displaced, retire};
use super::entries;
use super::layout;
use super::note::Stuck;
use super::place::{Placed, Put, Text, place, stage_anew};
use super::placement::{Placement, Site};
use super::segments::{self, Position};
use super::survey::{Damage, Due, Survey};

/// What recovery found.
#[derive(Debug, Default)]
pub(super) struct Recovered {
    /// Where commits go on.
    pub(super) ground: Ground,
    /// What came from outside while nobody was looking.
    pub(super) outside: Vec<Outside>,
    pub(super) damage: Vec<Damage>,
}

/// Recovers, under the lock held alone.
///
/// # Errors
///
/// The system refuses, as in a directory that is read-only: nothing is lost, and the next access tries again.
pub(super) fn recover<D: Disk, P: Placement>(site: &Site<'_, D, P>, now: SystemTime) -> Result<Recovered, StoreError> {
    let survey = Survey::take(site)?;
    let stuck = survey.note.as_ref().map_or_else(Vec::new, |note| note.stuck.clone());
    if survey.is_clean() && stuck.is_empty() {
        return Ok(Recovered { ground: Ground { end: survey.end, stuck }, ..Recovered::default() });
    }
    let end = tidy(site, &survey)?;
    let mut work = Work { site, now, puts: Vec::new(), placed: Vec::new(), outside: Vec::new(), stuck: Vec::new() };
    let due = survey.due();
    due.iter().try_for_each(|due| work.place(due))?;
    for old in stuck.iter().filter(|old| due.iter().all(|due| due.name != old.name)) {
        work.place_again(old)?;
    }
    let Work { puts, placed, outside, stuck: still, .. } = work;
    let mut ground = Ground { end, stuck: still };
    if !survey.is_clean() || ground.stuck != stuck {
        let erase = survey.erased(site.placement);
        ground = settle(site, ground, &Settled { puts: &puts, placed: &placed, erase: &erase, now })?;
        sweep(site)?;
    }
    Ok(Recovered { ground, outside, damage: survey.damage })
}

/// Cuts off what is torn, and makes durable what is complete.
fn tidy<D: Disk, P: Placement>(site: &Site<'_, D, P>, survey: &Survey) -> Result<Position, StoreError> {
    let known = survey.note.as_ref().map(|note| note.end);
    let mut end = survey.end;
    if end.segment > 0 && (!survey.torn().is_empty() || end.offset == 0) {
        let at = survey.from.after(survey.tail.complete);
        end = if known.is_some_and(|known| known > at) && end.offset > 0 {
            segments::end_line(site.disk, end)?
        } else {
            segments::cut(site.disk, at, survey.torn())?;
            if at.offset == 0 { segments::end(site.disk, None)? } else { at }
        };
    }
    let complete = survey.from.after(survey.tail.complete);
    if let Some(last) = &survey.tail.last
        && known.is_none_or(|known| known < complete)
    {
        let bytes = survey.bytes.get(last.start..survey.tail.complete).unwrap_or_default();
        segments::write_anew(site.disk, survey.from.after(last.start), bytes)?;
    }
    Ok(end)
}

/// The documents, on their way into their places.
struct Work<'a, D, P> {
    site: &'a Site<'a, D, P>,
    now: SystemTime,
    puts: Vec<Put>,
    placed: Vec<Placed>,
    outside: Vec<Outside>,
    stuck: Vec<Stuck>,
}

impl<D: Disk, P: Placement> Work<'_, D, P> {
    fn place(&mut self, due: &Due) -> Result<(), StoreError> {
        let told = self.outside.len();
        match self.try_place(due) {
            Ok(()) if self.outside.len() == told => return Ok(()),
            // This document's trouble only.
            Ok(()) | Err(StoreError::Unusable { .. }) => {}
            Err(error) => return Err(error),
        }
        self.stuck.push(Stuck { seq: due.seq, name: due.name.clone() });
        Ok(())
    }

    /// Tries again what could not be placed before. An entry that is gone since, or redacted, has nothing to place.
    fn place_again(&mut self, old: &Stuck) -> Result<(), StoreError> {
        let Some(entry) = entries::at(self.site, old.seq)? else { return Ok(()) };
        let Some(step) = entry.line.documents.iter().find(|step| step.name == old.name) else { return Ok(()) };
        self.place(&Due::new(step, &entry.line, &entry.bytes))
    }

    fn try_place(&mut self, due: &Due) -> Result<(), StoreError> {
        let due = &self.based(due)?;
        let found = look(self.site.disk, &layout::place(&due.name), self.site.limits.document)?;
        if due.new.is_none() && found == Found::Missing {
            return self.delete_anew(due);
        }
        self.keep_beside(due)?;
        let next = match &found {
            Found::Text { text, .. } if found.is(due.new) => Some(Text::new(text.as_str().into())),
            _ if found.is(due.base) => {
                let text = due.text(self.site.placement, &found);
                if text.is_none() && due.new.is_some() {
                    return Err(self.unusable(due, FileFlaw::NotItsText));
                }
                text
            }
            Found::Unusable(what) => return Err(self.unusable(due, *what)),
            _ => {
                self.outside.push(Outside { name: due.name.clone(), found: vec![found] });
                return Ok(());
            }
        };
        let put = Put { name: due.name.clone(), seq: due.first, expected: found.revision(), next };
        stage_anew(self.site, &put, found.mode())?;
        self.finish(put)
    }

    /// Finds out what the document was before a redaction, which must not say it: the entry before does, until it is erased, and
    /// that comes after placing.
    fn based(&self, due: &Due) -> Result<Due, StoreError> {
        let mut due = due.clone();
        if let Some(previous) = due.withheld
            && let Some(entry) = entries::at(self.site, previous)?
        {
            due.base = entry.line.documents.iter().find(|step| step.name == due.name).and_then(|step| step.new);
        }
        Ok(due)
    }

    fn finish(&mut self, put: Put) -> Result<(), StoreError> {
        let mut placed = place(self.site, &put)?;
        let found = std::mem::take(&mut placed.outside);
        if !found.is_empty() {
            self.outside.push(Outside { name: put.name.clone(), found });
        }
        self.puts.push(put);
        self.placed.push(placed);
        Ok(())
    }

    /// Deletes a document again whose deleted text still stands beside its place: the first time may have been dropped by
    /// a sync that failed.
    fn delete_anew(&mut self, due: &Due) -> Result<(), StoreError> {
        let put = Put { name: due.name.clone(), seq: due.first, expected: due.base, next: None };
        if due.base.is_some() && look(self.site.disk, &put.beside(), self.site.limits.document)?.is(due.base) {
            self.site.disk.rename_new(&put.beside(), &put.place())?;
        } else {
            self.keep_beside(due)?;
        }
        self.finish(put)
    }

    /// Keeps what was displaced before the crash, so that it is looked at again: somebody may have written to it.
    fn keep_beside(&self, due: &Due) -> Result<(), StoreError> {
        let beside = layout::next(&due.name, due.first);
        let found = look(self.site.disk, &beside, self.site.limits.document)?;
        match due.base.or(due.new) {
            Some(revision) if found.revision().is_some() && !found.is(due.new) => {
                let now = match &found {
                    // Somebody has written to it, and it is looked at at once.
                    Found::Text { stat, .. } if !found.is(Some(revision)) => stat.modified,
                    _ => self.now,
                };
                retire(self.site, &beside, Displaced { name: &due.name, revision, now })
            }
            _ => Ok(()),
        }
    }

    fn unusable(&self, due: &Due, what: FileFlaw) -> StoreError {
        StoreError::Unusable { path: self.site.disk.full_path(&layout::place(&due.name)), what }
    }
}

/// Removes texts that were staged by commits that were never made, in the store's directory and its folders.
///
/// # Errors
///
/// The system refuses.
pub(super) fn sweep<D: Disk, P>(site: &Site<'_, D, P>) -> Result<(), StoreError> {
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for listed in site.disk.list(&folder)? {
            let path = if folder.is_empty() { listed.name.clone() } else { format!("{folder}/{}", listed.name) };
            match listed.kind {
                super::disk::Kind::File if layout::is_next(&listed.name) => site.disk.remove(&path)?,
                super::disk::Kind::Directory if !listed.name.starts_with('.') => folders.push(path),
                _ => {}
            }
        }
    }
    Ok(())
}
