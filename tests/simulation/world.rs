//! Histories of commits, and what must be true of the documents after a crash, a kill, a fault, or a person's edit.

mod hand;
mod redaction;

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::super::super::journal::EntryKind;
use super::super::super::{DocName, Landed, Outcome, StoreError};
use super::super::disk::Access;
use super::super::layout::{self, INDEX, JOURNAL};
use super::disk::SimDisk;
use super::fault::{Bad, Fault, FaultKind};
use super::process::{Process, Step, Violation, name};
use super::state::{Image, Images};
use hand::{HAND, Hand, edit};

type Texts = BTreeMap<&'static str, &'static str>;

/// A history of commits, of which the last is looked at, on a disk with one thing wrong, or nothing.
pub(super) struct World {
    bad: Bad,
    steps: &'static [Step],
    states: Vec<Texts>,
    /// How many states after a crash are looked at.
    pub(super) most: usize,
    /// The disk before the last commit, once it was asked for.
    before_last: OnceCell<SimDisk>,
}

impl World {
    pub(super) fn new(bad: Bad, steps: &'static [Step]) -> Self {
        let mut states = vec![Texts::new()];
        for step in steps {
            let mut state = states.last().cloned().unwrap_or_default();
            for (name, text) in *step {
                match text {
                    Some(text) => drop(state.insert(name, text)),
                    None => drop(state.remove(name)),
                }
            }
            states.push(state);
        }
        Self { bad, steps, states, most: 100, before_last: OnceCell::new() }
    }

    fn last(&self) -> usize {
        self.steps.len() - 1
    }

    fn names(&self) -> Vec<DocName> {
        let mut names: Vec<_> = self.steps.iter().flat_map(|step| step.iter().map(|(of, _)| name(of))).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The document that a person edits: the first of the last commit.
    fn edited(&self) -> &'static str {
        self.steps[self.last()][0].0
    }

    /// Returns a disk in the state before the last commit. What was placed by the commits before is not synced, but for the
    /// first.
    fn before_last(&self) -> Result<SimDisk, Violation> {
        if let Some(disk) = self.before_last.get() {
            return Ok(disk.copy());
        }
        let disk = self.made_before_last()?;
        Ok(self.before_last.get_or_init(|| disk).copy())
    }

    fn made_before_last(&self) -> Result<SimDisk, Violation> {
        let disk = SimDisk::boot(Image::default(), self.bad);
        layout::prepare(&disk).map_err(|error| error.to_string())?;
        let mut process = Process::start(&disk);
        for index in 0..self.last() {
            if index < 2 {
                disk.quiesce();
            }
            match process.commit(self.steps[index], index) {
                Ok(Some(Outcome::Committed(_))) => {}
                other => return Err(format!("commit {index}: {other:?}")),
            }
        }
        disk.reset_calls();
        Ok(disk)
    }

    fn count_calls(&self) -> Result<usize, Violation> {
        let disk = self.before_last()?;
        let _ = Process::start(&disk).commit(self.steps[self.last()], self.last());
        Ok(disk.calls())
    }

    /// Counts the syncs of the last commit, by a process that knows the documents.
    pub(super) fn count_syncs(&self) -> Result<usize, Violation> {
        let disk = self.before_last()?;
        let mut process = Process::start(&disk);
        process.read(&self.names()).map_err(|error| error.to_string())?;
        disk.reset_calls();
        process.commit(self.steps[self.last()], self.last()).map_err(|error| error.to_string())?;
        Ok(disk.syncs.get())
    }

    /// Counts the syncs of an access that records what a person wrote.
    pub(super) fn count_syncs_by_hand(&self) -> Result<usize, Violation> {
        let disk = self.before_last()?;
        let mut process = Process::start(&disk);
        // All that was placed is synced before.
        for _ in 0..2 {
            process.read(&self.names()).map_err(|error| error.to_string())?;
            disk.now.set(disk.now.get() + 10_000);
        }
        process.read(&self.names()).map_err(|error| error.to_string())?;
        edit(&disk, self.edited(), Hand::Appends, "");
        disk.now.set(disk.now.get() + 500);
        disk.reset_calls();
        process.read(&self.names()).map_err(|error| error.to_string())?;
        Ok(disk.syncs.get())
    }

    /// Cuts the power at every point of the last commit, with and without the index, and of some recoveries from there.
    pub(super) fn check_crashes(&self) -> Result<usize, Violation> {
        let disk = self.before_last()?;
        let last = self.last();
        let mut process = Process::start(&disk);
        // A process that is new settles what others have left.
        process.read(&self.names()).map_err(|error| error.to_string())?;
        disk.record(self.followed());
        match process.commit(self.steps[last], last) {
            Ok(Some(Outcome::Committed(_))) => {}
            other => return Err(format!("the last commit: {other:?}")),
        }
        let during = disk.recorded();
        let after = disk.crashed(self.followed());
        let mut count = 0;
        for (images, states) in [(during, &[last, last + 1][..]), (after, &[last + 1])] {
            for image in self.sample(images) {
                count += 1;
                self.check_files(&image, states)?;
                for has_index in [true, false] {
                    let disk = self.booted(&image, has_index);
                    let is_crashed_again = count % 16 == 0;
                    if is_crashed_again {
                        disk.record(self.followed());
                    }
                    let state = self.recovered(&disk, states).map_err(|found| format!("after a crash: {found}"))?;
                    if is_crashed_again {
                        for image in self.sample(disk.recorded()) {
                            let disk = self.booted(&image, has_index);
                            self.recovered(&disk, states).map_err(|found| format!("after two crashes: {found}"))?;
                        }
                    }
                    self.check_usable(&disk, state)?;
                }
                if count % 4 == 0 {
                    for has_index in [true, false] {
                        self.check_hand_after_crash(&image, states, has_index)?;
                    }
                }
            }
        }
        Ok(count)
    }

    fn booted(&self, image: &Image, has_index: bool) -> SimDisk {
        let mut image = image.clone();
        if !has_index {
            image.names.remove(INDEX);
        }
        let disk = SimDisk::boot(image, self.bad);
        disk.boot.set(1);
        disk.now.set(disk.now.get() + 10_000);
        disk
    }

    /// People read the files themselves: each is one of its texts, whole, before anything is recovered.
    fn check_files(&self, image: &Image, states: &[usize]) -> Result<(), Violation> {
        for name in self.names() {
            let text = image.text(&format!("{name}.md"));
            let upto = states.iter().max().copied().unwrap_or_default();
            let is_text = |state: &Texts| state.get(name.as_str()).map(|text| text.as_bytes()) == text;
            if !self.states[..=upto].iter().any(is_text) {
                return Err(format!("the file of `{name}` is {:?}", text.map(String::from_utf8_lossy)));
            }
        }
        Ok(())
    }

    /// Reads all documents by a new process, and returns the state that they are in. Nothing counts as a person's.
    fn recovered(&self, disk: &SimDisk, states: &[usize]) -> Result<usize, Violation> {
        let mut process = Process::start(disk);
        self.read_by(&mut process, states)
    }

    fn read_by(&self, process: &mut Process<'_>, states: &[usize]) -> Result<usize, Violation> {
        let failed = |error: StoreError| format!("reading fails: {error}");
        let names = self.names();
        let read = process.read(&names).map_err(failed)?;
        let entries = process.entries().map_err(failed)?;
        if let Some(entry) = entries.iter().find(|entry| entry.header().kind == EntryKind::External) {
            return Err(format!("entry {} takes a crash for a person", entry.seq()));
        }
        let state = entries.iter().filter(|entry| entry.header().kind == EntryKind::Edit).count();
        if !states.contains(&state) {
            return Err(format!("{state} commits, not one of {states:?}"));
        }
        process.access(Access::Write, |directory| directory.sweep()).map_err(failed)?;
        let image = process.disk.view();
        for stored in &read.documents {
            let expected = self.states[state].get(stored.name.as_str()).copied();
            if stored.is_unsettled || stored.text.as_deref() != expected {
                return Err(format!("`{}` reads {:?}, not {expected:?}", stored.name, stored.text.as_deref()));
            }
            if image.text(&format!("{}.md", stored.name)) != expected.map(str::as_bytes) {
                return Err(format!("the file of `{}` is not written out", stored.name));
            }
        }
        check_swept(&image)?;
        process.check_chain()?;
        Ok(state)
    }

    /// The next commit is made.
    fn check_usable(&self, disk: &SimDisk, state: usize) -> Result<(), Violation> {
        if state > self.last() {
            return Ok(());
        }
        match Process::start(disk).commit(self.steps[state], 100 + state) {
            Ok(Some(Outcome::Committed(_))) => self.recovered(disk, &[state + 1]).map(drop),
            other => Err(format!("the next commit: {other:?}")),
        }
    }

    /// A person appends a line after the crash, before the store is opened again: it is there, and so is all that was committed.
    fn check_hand_after_crash(&self, image: &Image, states: &[usize], has_index: bool) -> Result<(), Violation> {
        for hand in [Hand::Appends, Hand::Renames] {
            let disk = self.booted(image, has_index);
            if !edit(&disk, self.edited(), hand, "") {
                return Ok(());
            }
            disk.now.set(disk.now.get() + 10_000);
            let mut process = Process::start(&disk);
            let read = process.read(&self.names()).map_err(|error| error.to_string())?;
            let entries = process.entries().map_err(|error| error.to_string())?;
            let state = entries.iter().filter(|entry| entry.header().kind == EntryKind::Edit).count();
            let externals = entries.iter().filter(|entry| entry.header().kind == EntryKind::External).count();
            let text = read.of(&name(self.edited())).and_then(|stored| stored.text.clone()).unwrap_or_default();
            let Some(expected) = self.states[state].get(self.edited()) else { continue };
            if !states.contains(&state) || externals != 1 || text.replace(HAND, "") != *expected || !text.contains(HAND)
            {
                return Err(format!("a person after a crash: {state} commits, {externals} edits by hand, {text:?}"));
            }
        }
        Ok(())
    }

    /// Kills the process at every call of the last commit.
    pub(super) fn check_kills(&self) -> Result<usize, Violation> {
        let calls = self.count_calls()?;
        let last = self.last();
        for at in 0..calls {
            for has_index in [true, false] {
                let disk = self.before_last()?;
                disk.fault.set(Some(Fault { at, kind: FaultKind::Killed, lasts: true }));
                let _ = Process::start(&disk).commit(self.steps[last], last);
                disk.fault.set(None);
                if !has_index {
                    disk.remove_as_other(INDEX);
                }
                disk.now.set(disk.now.get() + 10_000);
                let state = self.recovered(&disk, &[last, last + 1]);
                let state = state.map_err(|found| format!("killed at call {at}: {found}"))?;
                self.check_usable(&disk, state)?;
            }
        }
        Ok(calls)
    }

    /// Damages a line of the journal after the process was killed at any call of the last commit, and opens the store anew, with
    /// and without the index: what was committed last is read, and is no person's edit.
    pub(super) fn check_damage(&self) -> Result<usize, Violation> {
        let calls = self.count_calls()?;
        let last = self.last();
        let mut damaged = 0;
        for at in 0..=calls {
            let killed = || -> Result<SimDisk, Violation> {
                let disk = self.before_last()?;
                disk.fault.set(Some(Fault { at, kind: FaultKind::Killed, lasts: true }));
                let _ = Process::start(&disk).commit(self.steps[last], last);
                disk.fault.set(None);
                Ok(disk)
            };
            let journal = killed()?.view().text(JOURNAL).unwrap_or_default().to_vec();
            let edits = journal.windows(13).filter(|bytes| bytes == b"\"type\":\"edit\"").count();
            // Behind the last line there is nothing that would tell of it.
            let starts: Vec<_> = journal.windows(7).enumerate().filter(|(_, bytes)| bytes == b"{\"seq\":").collect();
            for (offset, _) in starts.iter().rev().skip(1) {
                for has_index in [true, false] {
                    damaged += 1;
                    let disk = killed()?;
                    disk.damage_as_other(JOURNAL, offset + 6);
                    if !has_index {
                        disk.remove_as_other(INDEX);
                    }
                    disk.now.set(disk.now.get() + 10_000);
                    self.check_damaged(&disk, &self.states[edits]).map_err(|found| {
                        format!("killed at call {at}, damaged at byte {offset}, index {has_index}: {found}")
                    })?;
                }
            }
        }
        Ok(damaged)
    }

    fn check_damaged(&self, disk: &SimDisk, state: &Texts) -> Result<(), Violation> {
        let names: Vec<_> = self.steps[self.last()].iter().map(|(of, _)| name(of)).collect();
        let mut process = Process::start(disk);
        let failed = |error: StoreError| format!("reading fails: {error}");
        let read = process.read(&names).map_err(failed)?;
        let image = disk.view();
        for stored in &read.documents {
            let expected = state.get(stored.name.as_str()).copied();
            let file = image.text(&format!("{}.md", stored.name));
            if stored.text.as_deref() != expected || file != expected.map(str::as_bytes) {
                return Err(format!("`{}` reads {:?}, not {expected:?}", stored.name, stored.text.as_deref()));
            }
        }
        Ok(())
    }

    /// Lets every call of the last commit fail, once and for good, and cuts the power behind it.
    pub(super) fn check_faults(&self) -> Result<usize, Violation> {
        let calls = self.count_calls()?;
        let mut faults = 0;
        let kinds = [FaultKind::Io, FaultKind::Full, FaultKind::Short].map(|kind| [(kind, false), (kind, true)]);
        for (kind, lasts) in kinds.into_iter().flatten().chain([(FaultKind::Sync, true)]) {
            for at in 0..calls {
                faults += 1;
                let fault = Fault { at, kind, lasts };
                self.check_fault(fault).map_err(|found| format!("{fault:?}: {found}"))?;
            }
        }
        Ok(faults)
    }

    fn check_fault(&self, fault: Fault) -> Result<(), Violation> {
        let last = self.last();
        let disk = self.before_last()?;
        disk.fault.set(Some(fault));
        let mut process = Process::start(&disk);
        let after_answer = |process: &mut Process<'_>| match process.landed(last) {
            Ok(Landed::Not) => vec![last],
            Ok(Landed::At(_)) => vec![last + 1],
            Ok(Landed::Unknown) | Err(_) => vec![last, last + 1],
        };
        let outcome = process.commit(self.steps[last], last);
        let is_indeterminate = matches!(outcome, Ok(Some(Outcome::Indeterminate(_))));
        let mut states = match &outcome {
            Ok(Some(Outcome::Committed(_))) => vec![last + 1],
            Ok(Some(Outcome::Indeterminate(_))) => after_answer(&mut process),
            Ok(None | Some(_)) | Err(_) => vec![last],
        };
        if outcome.is_err() && !fault.lasts {
            check_swept(&disk.view()).map_err(|found| format!("refused, and {found}"))?;
        }
        disk.fault.set(None);
        for image in self.sample(disk.crashed(self.followed())) {
            self.recovered(&self.booted(&image, true), &states).map_err(|found| format!("and a crash: {found}"))?;
        }
        if is_indeterminate {
            // What is told of the attempt once the disk works again holds from then on.
            states = after_answer(&mut process);
            for image in self.sample(disk.crashed(self.followed())) {
                let disk = self.booted(&image, true);
                self.recovered(&disk, &states).map_err(|found| format!("told, and a crash: {found}"))?;
            }
        }
        let states = &states;
        disk.now.set(disk.now.get() + 10_000);
        self.read_by(&mut process, states)?;
        let state = self.recovered(&disk, states)?;
        self.check_usable(&disk, state)?;
        // What was built upon is durable.
        let upto = self.states.len().min(state + 2) - 1;
        for image in self.sample(disk.crashed(self.followed())) {
            self.recovered(&self.booted(&image, true), &[upto]).map_err(|found| format!("built upon: {found}"))?;
        }
        Ok(())
    }

    /// On a disk that is full, or read-only, every document is read: what was committed, or what a person wrote. So it is after a
    /// loss of power.
    pub(super) fn check_unwritable(&self, kind: FaultKind) -> Result<(), Violation> {
        let last = self.last();
        let disk = self.before_last()?;
        let committed = Process::start(&disk).commit(self.steps[last], last);
        if !matches!(committed, Ok(Some(Outcome::Committed(_)))) {
            return Err(format!("the last commit: {committed:?}"));
        }
        for image in self.sample(disk.crashed(self.followed())).chain([disk.view()]) {
            for (has_index, hand) in [(true, None), (false, None), (true, Some(Hand::Appends))] {
                let disk = self.booted(&image, has_index);
                let is_edited = hand.is_some_and(|hand| edit(&disk, self.edited(), hand, ""));
                disk.now.set(disk.now.get() + 10_000);
                disk.fault.set(Some(Fault { at: 0, kind, lasts: true }));
                let mut process = Process::start(&disk);
                let read = process.read(&self.names()).map_err(|error| format!("reading fails: {error}"))?;
                for stored in &read.documents {
                    let expected = self.states[last + 1].get(stored.name.as_str()).copied();
                    let is_by_hand = is_edited && stored.name.as_str() == self.edited();
                    let text = stored.text.as_deref();
                    if text != expected && !(is_by_hand && text.is_some_and(|text| text.ends_with(HAND))) {
                        return Err(format!("`{}` reads {text:?}", stored.name));
                    }
                    if text != expected && !stored.is_unrecorded {
                        return Err(format!("`{}` is not said to hold what is not recorded", stored.name));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns as many of the images as are looked at.
    fn sample(&self, images: Images) -> impl Iterator<Item = Image> {
        images.sample(self.most)
    }

    /// Returns how many states of a disk are followed, so that those that are looked at differ.
    fn followed(&self) -> usize {
        (4 * self.most).min(200)
    }
}

/// Nothing that a commit has staged is left beside documents.
fn check_swept(image: &Image) -> Result<(), Violation> {
    let mut strays = image.names.keys().filter(|path| path.starts_with('.') && !path.starts_with(".memdoc"));
    strays.next().map_or(Ok(()), |stray| Err(format!("`{stray}` is left over")))
}
