//! Histories of commits, and what must be true of the documents after a crash, a fault, or another writer.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, SystemTime};

use super::super::super::StoreError;
use super::super::commit::{Batch, Fate, Outside};
use super::super::displaced::review;
use super::super::layout;
use super::super::place::{Put, Text};
use super::super::placement::{Custody, Limits};
use super::super::recover::{Recovered, recover, sweep};
use super::bad::{Protocol, Site};
use super::disk::{Fault, FaultKind, SimDisk};
use super::state::Image;
use super::toy::{self, name};
use crate::text::Revision;

/// The lock is always ours.
pub(super) struct Always;

impl Custody for Always {
    fn is_current(&self) -> bool {
        true
    }
}

type State = BTreeMap<&'static str, &'static str>;
/// What a commit makes of documents: their texts, or nothing.
pub(super) type Step = &'static [(&'static str, Option<&'static str>)];

/// A history of commits, of which the last is looked at.
#[derive(Clone, Copy)]
pub(super) struct History {
    pub(super) steps: &'static [Step],
    pub(super) segment: u64,
    /// Of how many recoveries one is crashed too: all, where that can be.
    pub(super) every: usize,
}

/// One protocol, on one history.
pub(super) struct World {
    pub(super) protocol: Protocol,
    pub(super) history: History,
    states: Vec<State>,
    seen: HashSet<Allowed>,
}

/// What a disk may hold, and the states that may be read from it, by number.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Allowed {
    image: Image,
    states: Vec<usize>,
}

/// Of how many states after a crash one is recovered from with faults.
const RECOVERIES_BETWEEN: usize = 40;

/// What was found wrong.
pub(super) type Violation = String;

impl World {
    pub(super) fn new(protocol: Protocol, history: History) -> Self {
        let mut states = vec![State::new()];
        for step in history.steps {
            let mut state = states.last().cloned().unwrap_or_default();
            for (name, text) in *step {
                match text {
                    Some(text) => drop(state.insert(name, text)),
                    None => drop(state.remove(name)),
                }
            }
            states.push(state);
        }
        Self { protocol, history, states, seen: HashSet::new() }
    }

    /// How many states were recovered from.
    pub(super) fn count(&self) -> usize {
        self.seen.len()
    }

    fn last(&self) -> usize {
        self.history.steps.len() - 1
    }

    pub(super) fn site<'a>(&'a self, disk: &'a SimDisk) -> Site<'a> {
        let limits = Limits { document: 1000, segment: self.history.segment };
        Site { disk, placement: &self.protocol.lines, custody: &Always, limits }
    }

    pub(super) fn now(disk: &SimDisk) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(disk.now.get())
    }

    pub(super) fn recover(&self, disk: &SimDisk) -> Result<Recovered, StoreError> {
        recover(&self.site(disk), Self::now(disk))
    }

    /// Makes the commit that leads from state `index` to the next one, as an access does: recovery comes first.
    pub(super) fn commit(&self, disk: &SimDisk, index: usize) -> Result<(Fate, Vec<Outside>), StoreError> {
        let recovered = self.recover(disk)?;
        let first = 1 + self.history.steps[..index].iter().map(|step| step.len() as u64).sum::<u64>();
        let before = &self.states[index];
        let changes: Vec<_> =
            self.history.steps[index].iter().map(|(name, text)| (*name, before.get(name).copied(), *text)).collect();
        let put = |(document, base, next): &toy::Change<'_>| Put {
            name: name(document),
            seq: first,
            expected: base.map(Revision::of),
            next: next.map(|text| Text::new(text.into())),
        };
        let batch =
            Batch { lines: toy::group(first, &changes), puts: changes.iter().map(put).collect(), ..Batch::default() };
        let fate = (self.protocol.commit)(&self.site(disk), &recovered.ground, &batch, Self::now(disk))?;
        Ok((fate, recovered.outside))
    }

    /// Returns a disk in the state before the last commit, with what the last commits before have not synced.
    pub(super) fn before_last(&self) -> Result<SimDisk, Violation> {
        let disk = SimDisk::boot(Image::default(), self.protocol.bad);
        layout::prepare(&disk).map_err(|error| error.to_string())?;
        for index in 0..self.last() {
            disk.quiesce();
            match self.commit(&disk, index) {
                Ok((Fate::Committed { .. }, outside)) if outside.is_empty() => {}
                other => return Err(format!("commit {index}: {other:?}")),
            }
        }
        disk.reset_calls();
        Ok(disk)
    }

    /// Cuts the power at every point of the last commit, and of every recovery from there.
    pub(super) fn check_crashes(&mut self) -> Result<(), Violation> {
        let disk = self.before_last()?;
        let last = self.last();
        self.survive(disk.crashed(), &[last])?;
        disk.record();
        match self.commit(&disk, last) {
            Ok((Fate::Committed { .. }, outside)) if outside.is_empty() => {}
            other => return Err(format!("the last commit: {other:?}")),
        }
        self.survive(disk.recorded(), &[last, last + 1])?;
        self.survive(disk.crashed(), &[last + 1])
    }

    /// Recovers from each image, and from each crash in that.
    fn survive(&mut self, images: HashSet<Image>, states: &[usize]) -> Result<(), Violation> {
        let allowed = |image, states: &[usize]| Allowed { image, states: states.to_vec() };
        let mut open: Vec<_> = images.into_iter().map(|image| allowed(image, states)).collect();
        while let Some(next) = open.pop() {
            if !self.seen.insert(next.clone()) {
                continue;
            }
            self.check_files(&next.image, &next.states)?;
            let disk = SimDisk::boot(next.image, self.protocol.bad);
            let is_crashed_again = self.seen.len().is_multiple_of(self.history.every);
            if is_crashed_again {
                disk.record();
            }
            let state = self.recovered(&disk, &next.states)?;
            if is_crashed_again {
                open.extend(disk.recorded().into_iter().map(|image| allowed(image, &next.states)));
                open.extend(disk.crashed().into_iter().map(|image| allowed(image, &[state])));
            }
            self.check_usable(&disk, state)?;
        }
        Ok(())
    }

    /// People read the files themselves: each is one of its texts, whole, before anything is recovered. Only a document
    /// that is deleted may be seen again, while recovery deletes it anew.
    fn check_files(&self, image: &Image, states: &[usize]) -> Result<(), Violation> {
        for name in self.names() {
            let text = image.text(&format!("{name}.md"));
            let is_text = |state: usize| self.states[state].get(name).map(|text| text.as_bytes()) == text;
            let is_again = |state: usize| state > 0 && !self.states[state].contains_key(name) && is_text(state - 1);
            if !states.iter().any(|state| is_text(*state) || is_again(*state)) {
                return Err(format!("the file of `{name}` is {:?}", text.map(String::from_utf8_lossy)));
            }
        }
        Ok(())
    }

    fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.history.steps.iter().flat_map(|step| step.iter().map(|(name, _)| *name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Recovers, and returns the state that is read then.
    fn recovered(&self, disk: &SimDisk, states: &[usize]) -> Result<usize, Violation> {
        let recovered = self.recover(disk).map_err(|error| format!("recovery fails: {error}"))?;
        if !recovered.outside.is_empty() || !recovered.damage.is_empty() {
            return Err(format!("a crash is taken for {:?} {:?}", recovered.outside, recovered.damage));
        }
        let late = review(&self.site(disk), Self::now(disk)).map_err(|error| format!("reviewing fails: {error}"))?;
        if !late.is_empty() {
            return Err(format!("a crash is taken for {late:?}"));
        }
        // As opening does.
        sweep(&self.site(disk)).map_err(|error| format!("sweeping fails: {error}"))?;
        let image = disk.view();
        if let Some(stray) = image.names.keys().find(|path| path.ends_with(".next") || path.ends_with(".redo")) {
            return Err(format!("`{stray}` is left over"));
        }
        let is_read = |state: &State| {
            self.names()
                .iter()
                .all(|name| image.text(&format!("{name}.md")) == state.get(name).map(|text| text.as_bytes()))
        };
        let state = states.iter().copied().find(|state| is_read(&self.states[*state]));
        let state = state.ok_or_else(|| format!("not one of the states {states:?} but {image:?}"))?;
        let lines: usize = (1..9)
            .filter_map(|number| image.text(&layout::segment(number)))
            .map(|text| text.split(|b| *b == b'\n').count() - 1)
            .sum();
        let expected: usize = self.history.steps[..state].iter().map(|step| step.len()).sum();
        if lines == expected { Ok(state) } else { Err(format!("{lines} entries for state {state}")) }
    }

    /// The next call works.
    fn check_usable(&self, disk: &SimDisk, state: usize) -> Result<(), Violation> {
        if state > self.last() {
            return Ok(());
        }
        match self.commit(disk, state) {
            Ok((Fate::Committed { .. }, outside)) if outside.is_empty() => self.recovered(disk, &[state + 1]).map(drop),
            other => Err(format!("the next commit: {other:?}")),
        }
    }

    /// Lets every call of the last commit fail, once and for good, and cuts the power behind it.
    pub(super) fn check_faults(&mut self) -> Result<usize, Violation> {
        let calls = {
            let disk = self.before_last()?;
            let _ = self.commit(&disk, self.last());
            disk.calls()
        };
        let mut faults = 0;
        for at in 0..calls {
            for kind in [FaultKind::Io, FaultKind::Full, FaultKind::Denied, FaultKind::Short] {
                for lasts in [false, true] {
                    faults += 1;
                    self.check_fault(Fault { at, kind, lasts })?;
                }
            }
            self.check_fault(Fault { at, kind: FaultKind::Killed, lasts: true })?;
        }
        Ok(faults)
    }

    fn check_fault(&mut self, fault: Fault) -> Result<(), Violation> {
        self.survive_fault(fault).map_err(|violation| format!("{fault:?}: {violation}"))
    }

    fn survive_fault(&mut self, fault: Fault) -> Result<(), Violation> {
        let disk = self.before_last()?;
        let last = self.last();
        disk.fault.set(Some(fault));
        let answer = self.commit(&disk, last);
        disk.fault.set(None);
        let states = match &answer {
            // There is nobody to be answered.
            _ if fault.kind == FaultKind::Killed => vec![last, last + 1],
            Ok((Fate::Committed { .. }, _)) => vec![last + 1],
            Ok((Fate::Indeterminate(_), _)) => vec![last, last + 1],
            Ok((Fate::Conflict { .. }, _)) => return Err("a fault is taken for a conflict".to_owned()),
            Err(_) => vec![last],
        };
        self.survive(disk.crashed(), &states).map_err(|violation| format!("{answer:?}, then {violation}"))?;
        let state = self.recovered(&disk, &states)?;
        self.survive(disk.crashed(), &[state]).map_err(|violation| format!("read as {state}, then {violation}"))
    }

    /// Lets every call of some recoveries fail, once and for good.
    pub(super) fn check_faults_of_recovery(&mut self) -> Result<usize, Violation> {
        let last = self.last();
        let disk = self.before_last()?;
        disk.record();
        let _ = self.commit(&disk, last);
        let mut images: Vec<_> = disk.recorded().into_iter().collect();
        // The same ones each time, whatever the order of a set.
        images.sort_unstable();
        let mut faults = 0;
        for image in images.into_iter().step_by(RECOVERIES_BETWEEN) {
            let disk = SimDisk::boot(image.clone(), self.protocol.bad);
            let _ = self.recover(&disk);
            for at in 0..disk.calls() {
                for lasts in [false, true] {
                    faults += 1;
                    let disk = SimDisk::boot(image.clone(), self.protocol.bad);
                    disk.fault.set(Some(Fault { at, kind: FaultKind::Short, lasts }));
                    let _ = self.recover(&disk);
                    disk.fault.set(None);
                    self.survive(disk.crashed(), &[last, last + 1])?;
                    let state = self.recovered(&disk, &[last, last + 1])?;
                    self.survive(disk.crashed(), &[state])?;
                }
            }
        }
        Ok(faults)
    }
}
