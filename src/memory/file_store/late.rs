//! Texts that somebody wrote into a file after a commit had displaced it: merged where they touch nothing that came since, else
//! kept in the journal.

use std::time::Duration;

use super::super::journal::Seq;
use super::super::recording::{Made, Recorded, kept};
use super::super::{DocName, StoreError};
use super::disk::{Disk, Found, age};
use super::displaced::{Late, review, watch_on};
use super::place::Text;
use super::still::needed;
use super::work::{Placing, Work};
use crate::edit::merged_texts;
use crate::text::RevisionPrefix;

/// How long displaced files are left alone between two looks.
const BETWEEN: Duration = Duration::from_secs(1);
/// How many entries are gone back to find the text that was displaced.
const REACH: usize = 1024;

impl<D: Disk> Work<'_, D> {
    /// Reports whether displaced files have not been looked at for long enough.
    pub(super) fn is_review_due(&self) -> bool {
        self.state.reviewed.is_none_or(|reviewed| {
            // A clock that was set back says nothing.
            self.now.duration_since(reviewed).map_or(true, |since| since >= BETWEEN)
        })
    }

    /// Looks at displaced files, if it is time to.
    ///
    /// # Errors
    ///
    /// The system refuses: what was not looked at is kept.
    pub(super) fn review(&mut self) -> Result<(), StoreError> {
        if !self.is_review_due() {
            return Ok(());
        }
        self.state.reviewed = Some(self.now);
        review(&self.site, self.now)?.iter().try_for_each(|late| self.take_late(late))
    }

    fn take_late(&mut self, late: &Late) -> Result<(), StoreError> {
        // What is no text stays where it is.
        let Found::Text { text, revision, stat } = &late.found else { return Ok(()) };
        if age(stat.modified, self.now) < needed(text) {
            return Ok(());
        }
        let version = self.committed(&late.name)?;
        if !self.found(&late.name)?.is(version.revision) {
            // Somebody changes the document too: one after the other.
            return Ok(());
        }
        let current = self.committed_text(&late.name)?;
        let merged = match (&current, self.displaced_text(&late.name, &late.base)?) {
            (Some(current), Some(base)) => merged_texts(&base, text, current),
            _ => None,
        };
        let is_taken = match (merged, current) {
            (Some(merged), Some(current)) if merged != current => self.take_merged(&late.name, &current, merged)?,
            (Some(_), _) => true,
            (None, _) => self.keep(&late.name, text).map(|()| true)?,
        };
        if is_taken { watch_on(&self.site, late, *revision, self.now) } else { Ok(()) }
    }

    /// Merges a commit with the text from outside that has overtaken it and is recorded, where the two do not touch.
    ///
    /// # Errors
    ///
    /// The system refuses: it is done at the next access.
    pub(super) fn merge_overtaken(&mut self, name: &DocName) -> Result<(), StoreError> {
        let found = self.found(name)?;
        let Found::Text { text, .. } = &found else { return Ok(()) };
        let merged = self.merged_with_overtaken(name, text)?;
        if !found.is(self.committed(name)?.revision) {
            return Ok(());
        }
        let stuck = self.ground.stuck.clone();
        self.ground.stuck.retain(|stuck| stuck.name != *name);
        let Some(merged) = merged.filter(|merged| merged != text) else { return Ok(()) };
        let taken = self.take_merged(name, text, merged);
        if !matches!(taken, Ok(true)) {
            self.ground.stuck = stuck;
        }
        taken.map(drop)
    }

    /// Merges a text from outside with the commit that it has overtaken; `None` if there is none, or if the two touch.
    pub(super) fn merged_with_overtaken(&self, name: &DocName, text: &str) -> Result<Option<String>, StoreError> {
        let Some(stuck) = self.ground.stuck.iter().find(|stuck| stuck.name == *name) else { return Ok(None) };
        let Some(entry) = self.entry(Seq::new(stuck.seq))? else { return Ok(None) };
        let [first, last] = [entry.group().first(), entry.seq()];
        let mut before = Some(entry);
        while let Some(made) = before.take_if(|made| made.seq() >= first) {
            let previous = made.link(name).and_then(|link| made.previous_of(link)).filter(|seq| *seq < made.seq());
            before = previous.map(|seq| self.entry(seq)).transpose()?.flatten();
        }
        // What cannot be replayed is merged with nothing.
        let text_at = |seq| self.text_at(name, seq).ok().flatten();
        let (Some(base), Some(made)) = (before.and_then(|before| text_at(before.seq())), text_at(last)) else {
            return Ok(None);
        };
        Ok(merged_texts(&base, text, &made))
    }

    fn take_merged(&mut self, name: &DocName, current: &str, merged: String) -> Result<bool, StoreError> {
        let version = self.committed(name)?;
        let next = Text::new(merged.into());
        let made = Made { text: &next.text, revision: next.revision };
        let change = Recorded { name, version: &version, base: Some(current), new: Some(made) };
        let group = kept(vec![change.whole()])?;
        let placing = Placing { name: name.clone(), expected: version.revision, next: Some(next) };
        self.append_own(group, vec![placing])
    }

    /// Returns the committed text of a revision; `None` if it is not found.
    fn displaced_text(&self, name: &DocName, revision: &RevisionPrefix) -> Result<Option<String>, StoreError> {
        let row = self.state.table.as_ref().and_then(|table| table.rows.get(name));
        let mut next = row.map(|row| row.tip.seq);
        for _ in 0..REACH {
            let Some(seq) = next else { return Ok(None) };
            let Some(entry) = self.entry(seq)? else { return Ok(None) };
            let made = entry.state(name).and_then(|state| state.new);
            if made.is_some_and(|made| revision.matches(&made)) {
                return Ok(self.text_at(name, seq).unwrap_or_default());
            }
            next = entry.link(name).and_then(|link| entry.previous_of(link)).filter(|previous| *previous < seq);
        }
        Ok(None)
    }
}
