//! A person who edits a document at any moment of a commit, and what must be true then.

use super::super::disk::{How, SimDisk};
use super::super::fault::{Fault, FaultKind};
use super::super::process::{Process, Violation, name};
use super::World;
use crate::memory::file_store::layout::{INDEX, JOURNAL};
use crate::memory::journal::EntryKind;
use crate::memory::{Outcome, StoreError};

/// The line that a person writes.
pub(super) const HAND: &str = "- by hand\n";
/// The line that a person writes later, before the store is opened again.
const AGAIN: &str = "- again\n";

/// How a person edits a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    /// Appends a line to the file.
    Appends,
    /// The same, and appends another line when the process is gone.
    AppendsTwice,
    /// Puts a new file with one more line in its place.
    Renames,
    /// Puts back the text that the document had first.
    PutsBack,
    Deletes,
    /// Makes a file of that name, if there is none.
    Creates,
}

impl World {
    /// Lets a person edit a document of the last commit before every call of it, and kills the process some calls later, or not.
    pub(crate) fn check_hands(&self) -> Result<usize, Violation> {
        let calls = self.count_calls()?;
        for hand in [Hand::Appends, Hand::AppendsTwice, Hand::Renames, Hand::PutsBack, Hand::Deletes, Hand::Creates] {
            for at in 0..=calls {
                for killed_after in [None, Some(1), Some(3)] {
                    self.check_hand(hand, at, killed_after).map_err(|found| {
                        format!("{hand:?} before call {at}, killed after {killed_after:?}: {found}")
                    })?;
                }
            }
        }
        Ok(calls)
    }

    fn check_hand(&self, hand: Hand, at: usize, killed_after: Option<usize>) -> Result<(), Violation> {
        let last = self.last();
        let document = self.edited();
        let first = self.states[1].get(document).copied().unwrap_or_default();
        let disk = self.before_last()?;
        let edited = std::rc::Rc::new(std::cell::Cell::new(false));
        let is_edited = std::rc::Rc::clone(&edited);
        disk.other.replace(Some(Box::new(move |disk, call| {
            if call == at {
                is_edited.set(edit(disk, document, hand, first));
            }
        })));
        if let Some(after) = killed_after {
            disk.fault.set(Some(Fault { at: at + after, kind: FaultKind::Killed, lasts: true }));
        }
        let outcome = Process::start(&disk).commit(self.steps[last], last);
        let is_committed = matches!(outcome, Ok(Some(Outcome::Committed(_))));
        disk.fault.set(None);
        let writes = matches!(hand, Hand::Appends | Hand::AppendsTwice | Hand::Renames | Hand::Creates);
        if killed_after.is_none() && edited.get() && writes && !holds_hand(&disk, document) {
            return Err("a person's file does not hold what the person wrote until the next access".into());
        }
        if disk.calls() <= at {
            edited.set(edit(&disk, document, hand, first));
        }
        disk.other.replace(None);
        let again =
            disk.open_as_other(&format!("{document}.md")).filter(|_| hand == Hand::AppendsTwice && edited.get());
        if let Some(file) = again {
            disk.write_as_other(file, AGAIN, How::Behind);
        }
        disk.now.set(disk.now.get() + 10_000);
        let mut process = Process::start(&disk);
        let failed = |error: StoreError| format!("reading fails: {error}");
        process.read(&self.names()).map_err(failed)?;
        disk.now.set(disk.now.get() + 10_000);
        let read = process.read(&self.names()).map_err(failed)?;
        let entries = process.entries().map_err(failed)?;
        let state = entries.iter().filter(|entry| entry.header().kind == EntryKind::Edit).count();
        if is_committed && state != last + 1 {
            return Err("an acknowledged commit is not in the journal".into());
        }
        process.check_chain()?;
        if !edited.get() {
            return Ok(());
        }
        if hand == Hand::Deletes && !self.states[state].contains_key(document) {
            return Ok(());
        }
        let by_hand: Vec<_> = entries.iter().filter(|entry| entry.header().kind == EntryKind::External).collect();
        let text = read.of(&name(document)).and_then(|stored| stored.text.clone()).unwrap_or_default();
        let is_told = by_hand.iter().any(|entry| entry.link(&name(document)).is_some());
        if !is_told {
            return Err(format!("what a person wrote is nowhere: {text:?}"));
        }
        // The second text may stand in the place of the first one, which is in the journal then.
        let is_kept =
            || disk.view().text(JOURNAL).is_some_and(|journal| memchr::memmem::find(journal, b"by hand").is_some());
        if again.is_some() && !(text.contains(AGAIN) && is_kept()) {
            return Err(format!("one of two lines is gone: {text:?}"));
        }
        let committed = self.states[state].get(document).copied();
        match hand {
            Hand::Appends | Hand::AppendsTwice | Hand::Renames
                if committed.is_some()
                    && text.replace(HAND, "").replace(AGAIN, "") != committed.unwrap_or_default() =>
            {
                Err(format!("{:?} is not {committed:?} with a line by hand: {by_hand:?}", &*text))
            }
            Hand::Appends | Hand::Renames | Hand::Creates if !text.contains(HAND) => {
                Err(format!("the line is gone: {text:?}"))
            }
            _ => Ok(()),
        }
    }

    /// Lets a person edit a document before every call, where two files cannot be exchanged: only between the opening of the file
    /// for the second look and the renaming may an edit be lost.
    pub(crate) fn check_second_look(&self) -> Result<(), Violation> {
        let calls = self.count_calls()?;
        for hand in [Hand::Appends, Hand::Renames] {
            let lost: Vec<_> =
                (0..=calls).filter_map(|at| Some((at, self.check_hand(hand, at, None).err()?))).collect();
            if lost.len() > 2 {
                return Err(format!("{hand:?}: {lost:?}"));
            }
        }
        Ok(())
    }

    /// Kills the process at every call of the last commit, and lets a person write a part of what it commits. What was not written
    /// out is there then, and so is the part.
    pub(crate) fn check_part(&self, part: &str) -> Result<(), Violation> {
        let (last, document) = (self.last(), self.edited());
        let path = format!("{document}.md");
        let committed = self.states[last + 1].get(document).copied().unwrap_or_default();
        for at in 0..self.count_calls()? {
            let disk = self.before_last()?;
            disk.fault.set(Some(Fault { at, kind: FaultKind::Killed, lasts: true }));
            let _ = Process::start(&disk).commit(self.steps[last], last);
            disk.fault.set(None);
            let is_written_out = disk.view().text(&path) == Some(committed.as_bytes());
            disk.replace_as_other(&path, part);
            disk.now.set(disk.now.get() + 10_000);
            let mut process = Process::start(&disk);
            let failed = |error: StoreError| format!("killed at call {at}, reading fails: {error}");
            let read = process.read(&self.names()).map_err(failed)?;
            let entries = process.entries().map_err(failed)?;
            let is_made = entries.iter().filter(|entry| entry.header().kind == EntryKind::Edit).count() > last;
            let expected = if is_made && !is_written_out { committed } else { part };
            let text = read.of(&name(document)).and_then(|stored| stored.text.clone()).unwrap_or_default();
            if &*text != expected || disk.view().text(&path) != Some(expected.as_bytes()) {
                return Err(format!("killed at call {at}: {text:?} is read, not {expected:?}"));
            }
        }
        Ok(())
    }

    /// Kills the process at every call of the last commit. A person writes what was not written out, and soon puts back the text
    /// before the commit: it stands, and is not taken for a text that was not replaced yet.
    pub(crate) fn check_put_back(&self) -> Result<(), Violation> {
        let (last, document) = (self.last(), self.edited());
        let texts = [last + 1, last].map(|state| self.states[state].get(document).copied());
        let [Some(committed), Some(before)] = texts else {
            return Ok(());
        };
        for at in 0..self.count_calls()? {
            let disk = self.before_last()?;
            disk.fault.set(Some(Fault { at, kind: FaultKind::Killed, lasts: true }));
            let _ = Process::start(&disk).commit(self.steps[last], last);
            disk.fault.set(None);
            let mut process = Process::start(&disk);
            for text in [committed, before] {
                disk.replace_as_other(&format!("{document}.md"), text);
                disk.now.set(disk.now.get() + 500);
                let read = process.read(&self.names()).map_err(|error| format!("killed at call {at}: {error}"))?;
                let now = read.of(&name(document)).and_then(|stored| stored.text.clone());
                if now.as_deref() != Some(text) {
                    return Err(format!("killed at call {at}: a person wrote {text:?}, and {now:?} is read"));
                }
            }
        }
        Ok(())
    }

    /// A person puts back an older text after the last commit, and the store is opened anew, with and without the index: it
    /// stands.
    pub(crate) fn check_older_text(&self) -> Result<(), Violation> {
        let (last, document) = (self.last(), self.edited());
        for older in 0..=last {
            for has_index in [true, false] {
                let Some(text) = self.states[older].get(document) else { continue };
                if self.states[last + 1].get(document) == Some(text) {
                    continue;
                }
                let disk = self.before_last()?;
                let committed = Process::start(&disk).commit(self.steps[last], last);
                if !matches!(committed, Ok(Some(Outcome::Committed(_)))) {
                    return Err(format!("the last commit: {committed:?}"));
                }
                disk.now.set(disk.now.get() + 500);
                disk.replace_as_other(&format!("{document}.md"), text);
                if !has_index {
                    disk.remove_as_other(INDEX);
                }
                disk.now.set(disk.now.get() + 10_000);
                let read = Process::start(&disk).read(&self.names()).map_err(|error| error.to_string())?;
                let now = read.of(&name(document)).and_then(|stored| stored.text.clone());
                if now.as_deref() != Some(*text) {
                    return Err(format!("a person put back {text:?}, and {now:?} is read"));
                }
            }
        }
        Ok(())
    }

    /// A text that a person is saving is not taken; an empty one, which many editors leave meanwhile, for longer.
    pub(crate) fn check_half_saved(&self) -> Result<(), Violation> {
        self.check_not_taken("- ha", 0)?;
        self.check_not_taken("", 500)
    }

    fn check_not_taken(&self, text: &str, after: u64) -> Result<(), Violation> {
        let disk = self.before_last()?;
        let document = self.edited();
        let mut process = Process::start(&disk);
        process.read(&self.names()).map_err(|error| error.to_string())?;
        disk.now.set(disk.now.get() + 10_000);
        disk.replace_as_other(&format!("{document}.md"), text);
        disk.now.set(disk.now.get() + after);
        match Process::start(&disk).read(&self.names()) {
            // Of a document that is new there is no other text: the call waits.
            Err(StoreError::Unsettled { .. }) => Ok(()),
            Ok(read) if read.documents.iter().all(|stored| stored.text.as_deref() != Some(text)) => Ok(()),
            other => Err(format!("{text:?} was taken after {after} ms: {other:?}")),
        }
    }
}

/// Reports whether a document's file holds the line that a person writes.
fn holds_hand(disk: &SimDisk, document: &str) -> bool {
    let image = disk.view();
    let text = image.text(&format!("{document}.md")).unwrap_or_default();
    String::from_utf8_lossy(text).contains(HAND)
}

/// Edits a document as a person does; returns false if that cannot be done, or changes nothing.
pub(super) fn edit(disk: &SimDisk, document: &str, hand: Hand, first: &str) -> bool {
    let path = format!("{document}.md");
    let Some(file) = disk.open_as_other(&path) else {
        if hand == Hand::Creates {
            disk.replace_as_other(&path, HAND);
        }
        return hand == Hand::Creates;
    };
    let text = String::from_utf8_lossy(disk.view().text(&path).unwrap_or_default()).into_owned();
    match hand {
        Hand::Appends | Hand::AppendsTwice => disk.write_as_other(file, HAND, How::Behind),
        Hand::Renames => disk.replace_as_other(&path, &format!("{text}{HAND}")),
        Hand::Creates => return false,
        Hand::PutsBack if text == first => return false,
        Hand::PutsBack => disk.replace_as_other(&path, first),
        Hand::Deletes => disk.remove_as_other(&path),
    }
    true
}
