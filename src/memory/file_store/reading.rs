//! Reading documents: what was committed, or what came from outside, once it is finished and recorded.

use std::time::Duration;

use super::super::{DocName, Snapshot, StoreError, Stored, Version};
use super::disk::{Disk, Found, age, look};
use super::layout;
use super::names;
use super::place::Text;
use super::still::{MISSING, Verdict, Watch};
use super::work::{Hold, Work};
use crate::text::{Revision, SharedText};

/// What an access comes to.
pub(super) enum Answer<T> {
    Ready(T),
    /// A document is being saved: look again after this time.
    Wait(Duration),
    /// Something must be written first.
    NeedsAlone,
}

/// What stands at a document's place, against what was committed.
enum Sight {
    Read(Stored),
    /// It came from outside, and is finished.
    Strange(Found, Version),
    Wait(Duration, Version),
    Unsettled(Version),
}

impl<D: Disk> Work<'_, D> {
    /// Reads documents. What came from outside is recorded, where that can be.
    ///
    /// # Errors
    ///
    /// The system refuses, or a document's file cannot be used.
    pub(super) fn read(&mut self, names: &[DocName], waiting: Waiting) -> Result<Answer<Snapshot>, StoreError> {
        if self.hold == Hold::Shared && self.is_review_due() && !self.site.disk.list(layout::DISPLACED)?.is_empty() {
            return Ok(Answer::NeedsAlone);
        }
        let mut documents = Vec::with_capacity(names.len());
        for name in names {
            match self.see(name)? {
                Sight::Read(stored) => documents.push(stored),
                Sight::Wait(nap, _) if waiting == Waiting::Allowed => return Ok(Answer::Wait(nap)),
                Sight::Wait(_, version) | Sight::Unsettled(version) => {
                    documents.push(self.stored_as_committed(name, version)?.unsettled());
                }
                Sight::Strange(found, version) => match self.take_over(name, found, version)? {
                    Some(stored) => documents.push(stored),
                    None => return Ok(Answer::NeedsAlone),
                },
            }
        }
        Ok(Answer::Ready(Snapshot::new(self.head(), documents)))
    }

    /// Takes over what came from outside; `None` if that needs the lock alone.
    fn take_over(&mut self, name: &DocName, found: Found, version: Version) -> Result<Option<Stored>, StoreError> {
        match self.hold {
            Hold::Shared => return Ok(None),
            // It cannot be recorded, and is read as it is.
            Hold::ReadOnly => {
                let version = Version::new(found.revision(), version.tip);
                return Ok(Some(Stored::new(name.clone(), text(found), version)));
            }
            Hold::Alone => {}
        }
        self.record(name, &found)?;
        self.state.watches.remove(name);
        let version = self.committed(name)?;
        if found.is(version.revision) {
            return Ok(Some(Stored::new(name.clone(), text(found), version)));
        }
        self.stored_as_committed(name, version).map(Some)
    }

    /// Reports whether the journal has a document.
    pub(super) fn is_known(&self, name: &DocName) -> bool {
        self.state.table.as_ref().is_some_and(|table| table.exists(name))
    }

    fn see(&mut self, name: &DocName) -> Result<Sight, StoreError> {
        let found = self.found(name)?;
        if found != Found::Missing
            && !self.is_known(name)
            && let Some(other) = names::preferred(self.site.disk, name, &|name| self.is_known(name))?
        {
            return Err(StoreError::NameTaken { name: name.clone(), other });
        }
        let version = match self.committed(name) {
            Ok(version) => version,
            // Nothing tells what was committed: what stands there is what there is.
            Err(StoreError::Erased(_)) => self.unknown(name, &found),
            Err(error) => return Err(error),
        };
        if found.is(version.revision) {
            self.state.watches.remove(name);
            return Ok(Sight::Read(Stored::new(name.clone(), text(found), version)));
        }
        Ok(match self.watch(name, &found, version.revision) {
            Verdict::Known => Sight::Read(Stored::new(name.clone(), text(found), version)),
            Verdict::Wait(nap) => Sight::Wait(nap, version),
            Verdict::Unsettled => Sight::Unsettled(version),
            Verdict::Still => match found {
                Found::Unusable(what) => {
                    return Err(StoreError::Unusable { path: self.site.disk.full_path(&layout::place(name)), what });
                }
                found => Sight::Strange(found, version),
            },
        })
    }

    /// Looks at what stands at a document's place, or should, if it cannot be placed.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn found(&self, name: &DocName) -> Result<Found, StoreError> {
        let found = look(self.site.disk, &layout::place(name), self.site.limits.document)?;
        let Some(unplaced) = self.unplaced.iter().find(|unplaced| unplaced.name == *name) else { return Ok(found) };
        Ok(match (&unplaced.text, found) {
            (Some(Text { text, revision }), Found::Text { stat, .. }) => {
                Found::Text { text: text.to_string(), revision: *revision, stat }
            }
            (None, Found::Text { .. }) => Found::Missing,
            (_, found) => found,
        })
    }

    /// Watches a document whose file is not what was committed.
    pub(super) fn watch(&mut self, name: &DocName, found: &Found, committed: Option<Revision>) -> Verdict {
        let begin = || Watch::new(committed, self.now);
        let watch = self.state.watches.entry(name.clone()).or_insert_with(begin);
        if watch.committed() != committed {
            *watch = Watch::new(committed, self.now);
        }
        let verdict = watch.look(found, self.now);
        let has_been_missing = || *found == Found::Missing && self.has_been_still(name.folder());
        if verdict == Verdict::Unsettled && has_been_missing() { Verdict::Still } else { verdict }
    }

    /// Reports whether no name in a folder has changed for so long that what is missing there has been for long enough.
    fn has_been_still(&self, folder: &str) -> bool {
        let changed = |folder| self.site.disk.names_changed(folder).ok().flatten();
        let changed = changed(folder).or_else(|| changed(""));
        changed.is_some_and(|changed| age(changed, self.now) >= MISSING)
    }

    fn unknown(&self, name: &DocName, found: &Found) -> Version {
        let row = self.state.table.as_ref().and_then(|table| table.rows.get(name));
        Version::new(found.revision(), row.map(|row| row.tip))
    }

    fn stored_as_committed(&self, name: &DocName, version: Version) -> Result<Stored, StoreError> {
        let text = if version.revision.is_some() { self.committed_text(name)? } else { None };
        Ok(Stored::new(name.clone(), text.map(Into::into), version))
    }

    /// Lists at most `limit` documents behind `after`, with the revisions that their files have now.
    ///
    /// # Errors
    ///
    /// The system refuses. A document that cannot be used is left out.
    pub(super) fn revisions(
        &mut self,
        after: Option<&DocName>,
        limit: usize,
    ) -> Result<Vec<(DocName, Revision)>, StoreError> {
        let mut names: Vec<DocName> = names::documents(self.site.disk, &|name| self.is_known(name))?.documents;
        if let Some(table) = &self.state.table {
            names.extend(table.rows.keys().filter(|name| table.exists(name)).cloned());
        }
        names.sort_unstable();
        names.dedup();
        let from = after.map_or(0, |after| names.partition_point(|name| name <= after));
        let mut listed = Vec::new();
        for name in names.into_iter().skip(from) {
            if listed.len() >= limit {
                break;
            }
            let revision = match self.found(&name) {
                // It may be in the middle of a save.
                Ok(Found::Missing) => self.committed(&name).ok().and_then(|version| version.revision),
                Ok(found) => found.revision(),
                Err(_) => None,
            };
            listed.extend(revision.map(|revision| (name, revision)));
        }
        Ok(listed)
    }
}

/// Whether a caller can wait until a text is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiting {
    Allowed,
    /// The lock is held for longer than this call.
    NotAllowed,
}

fn text(found: Found) -> Option<SharedText> {
    match found {
        Found::Text { text, .. } => Some(text.into()),
        _ => None,
    }
}
