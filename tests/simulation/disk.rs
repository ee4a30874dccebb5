//! [`SimDisk`]: a file system in memory, with faults and other writers at any call.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::super::super::{FileFlaw, StoreError};
use super::super::disk::{Access, Disk, Listed, Moved, Rename, Stat};
use super::super::layout::{PRIVATE, parent};
use super::fault::{Bad, Fault, FaultKind};
use super::state::{Image, Images, Op, Pending, crash_states};

/// Somebody else, who runs before a call.
pub(super) type Other = Box<dyn Fn(&SimDisk, usize)>;

#[derive(Default)]
pub(super) struct SimDisk {
    live: RefCell<Image>,
    durable: RefCell<Image>,
    pending: RefCell<Vec<Pending>>,
    /// What was read last of each path.
    seen: RefCell<BTreeMap<String, Vec<u8>>>,
    names_changed: Cell<u64>,
    /// Which run of the system this is.
    pub(super) boot: Cell<u64>,
    last_file: Cell<u64>,
    pub(super) bad: Bad,
    calls: Cell<usize>,
    /// Whether two files were exchanged since the calls were counted anew.
    exchanged: Cell<bool>,
    pub(super) syncs: Cell<usize>,
    pub(super) now: Cell<u64>,
    pub(super) fault: Cell<Option<Fault>>,
    pub(super) other: RefCell<Option<Other>>,
    /// The states that a crash may leave after any change since recording began.
    crashes: RefCell<Option<Images>>,
    /// How many of them are followed from one change to the next.
    most: Cell<usize>,
}

pub(super) struct SimFile {
    file: u64,
    path: String,
}

impl SimDisk {
    /// Switches the power on.
    pub(super) fn boot(image: Image, bad: Bad) -> Self {
        let last = image.files.keys().max().copied().unwrap_or_default();
        let now = image.modified.values().max().copied().unwrap_or_default();
        Self {
            now: Cell::new(now),
            live: RefCell::new(image.clone()),
            durable: RefCell::new(image),
            last_file: Cell::new(last),
            bad,
            ..Self::default()
        }
    }

    /// Returns another disk in the same state, of which no calls were counted.
    pub(super) fn copy(&self) -> Self {
        Self {
            live: self.live.clone(),
            durable: self.durable.clone(),
            pending: self.pending.clone(),
            seen: self.seen.clone(),
            names_changed: self.names_changed.clone(),
            boot: self.boot.clone(),
            last_file: self.last_file.clone(),
            now: self.now.clone(),
            bad: self.bad,
            ..Self::default()
        }
    }

    /// Returns what names this run of the system.
    pub(super) fn run(&self) -> Option<Box<str>> {
        let boot = if self.bad == Bad::SameBoot { 0 } else { self.boot.get() };
        Some(boot.to_string().into())
    }

    /// Makes everything durable, as time does.
    pub(super) fn quiesce(&self) {
        self.pending.borrow_mut().clear();
        self.durable.replace(self.live.borrow().clone());
    }

    /// Begins to collect what a crash may leave from now on; of many states, some.
    pub(super) fn record(&self, most: usize) {
        self.most.set(most);
        self.crashes.replace(Some(Images::default()));
    }

    /// Returns what a crash may have left at any time since, the present included.
    pub(super) fn recorded(&self) -> Images {
        self.observe();
        self.crashes.take().unwrap_or_default()
    }

    /// Returns what a crash may leave now.
    pub(super) fn crashed(&self, most: usize) -> Images {
        self.record(most);
        self.recorded()
    }

    /// Returns what is seen while the power is on.
    pub(super) fn view(&self) -> Image {
        self.live.borrow().clone()
    }

    pub(super) fn calls(&self) -> usize {
        self.calls.get()
    }

    pub(super) fn reset_calls(&self) {
        self.calls.set(0);
        self.exchanged.set(false);
        self.syncs.set(0);
    }

    /// Opens a file as an editor does, without being counted.
    pub(super) fn open_as_other(&self, path: &str) -> Option<u64> {
        self.live.borrow().names.get(path).copied()
    }

    /// Writes as an editor does: all of the file, or behind its end.
    pub(super) fn write_as_other(&self, file: u64, text: &str, how: How) {
        self.now.set(self.now.get() + 1);
        let mut live = self.live.borrow_mut();
        live.modified.insert(file, self.now.get());
        let content = Arc::make_mut(live.files.entry(file).or_default());
        if how == How::Over {
            content.clear();
        }
        content.extend_from_slice(text.as_bytes());
    }

    /// Puts a new file at a path, as editors do that save by renaming.
    pub(super) fn replace_as_other(&self, path: &str, text: &str) {
        let file = self.last_file.get() + 1;
        self.last_file.set(file);
        self.write_as_other(file, text, How::Over);
        self.live.borrow_mut().names.insert(path.into(), file);
        self.names_changed.set(self.now.get());
    }

    /// Writes another byte at an offset, as a failing disk does.
    pub(super) fn damage_as_other(&self, path: &str, offset: usize) {
        let mut live = self.live.borrow_mut();
        let file = live.names.get(path).copied().unwrap_or_default();
        Arc::make_mut(live.files.entry(file).or_default())[offset] = b'?';
    }

    /// Removes a file as a person does.
    pub(super) fn remove_as_other(&self, path: &str) {
        self.live.borrow_mut().names.remove(path);
        self.now.set(self.now.get() + 1);
        self.names_changed.set(self.now.get());
    }

    /// Collects what a crash may leave. It is enough to do so before what is pending becomes durable: until then a state
    /// that was legal stays so, by the later changes having left nothing.
    fn observe(&self) {
        if let Some(states) = self.crashes.borrow_mut().as_mut() {
            crash_states(&self.durable.borrow(), &self.pending.borrow(), self.most.get(), states);
        }
    }

    fn push(&self, op: Op) {
        self.live.borrow_mut().apply_all(&op);
        match &op {
            Op::Write { file, .. } | Op::Truncate { file, .. } => {
                self.now.set(self.now.get() + 1);
                self.live.borrow_mut().modified.insert(*file, self.now.get());
                self.durable.borrow_mut().modified.insert(*file, self.now.get());
            }
            _ => self.names_changed.set(self.now.get()),
        }
        self.pending.borrow_mut().push(Pending { op, is_dropped: false });
    }

    /// Counts a call, lets the other writer run, and fails if a fault is due.
    fn call(&self, path: &str) -> Result<(), StoreError> {
        let at = self.calls.get();
        self.calls.set(at + 1);
        let other = self.other.take();
        if let Some(other) = other {
            other(self, at);
            self.other.replace(Some(other));
        }
        match self.fault.get() {
            Some(fault) if matches!(fault.kind, FaultKind::NoSpace | FaultKind::ReadOnly | FaultKind::Sync) => Ok(()),
            Some(fault) if fault.at == at || fault.lasts && at > fault.at => Err(failed(path, fault.kind)),
            _ => Ok(()),
        }
    }

    /// Counts a call that changes something.
    fn changing(&self, path: &str) -> Result<(), StoreError> {
        self.call(path)?;
        match self.fault.get() {
            Some(fault) if fault.kind == FaultKind::ReadOnly => Err(failed(path, fault.kind)),
            _ => Ok(()),
        }
    }

    /// Counts a call that makes something durable.
    fn syncing(&self, path: &str) -> Result<(), StoreError> {
        let at = self.calls.get();
        self.call(path)?;
        match self.fault.get() {
            Some(fault) if fault.kind == FaultKind::Sync && at >= fault.at => Err(failed(path, fault.kind)),
            _ => Ok(()),
        }
    }

    /// Counts a call that needs space.
    fn growing(&self, path: &str) -> Result<(), StoreError> {
        self.changing(path)?;
        match self.fault.get() {
            Some(fault) if fault.kind == FaultKind::NoSpace => Err(failed(path, fault.kind)),
            _ => Ok(()),
        }
    }

    /// Ends a sync: what it covers is durable, or never will be.
    fn flush(&self, covers: impl Fn(&Op) -> bool, result: Result<(), StoreError>) -> Result<(), StoreError> {
        self.syncs.set(self.syncs.get() + 1);
        self.observe();
        let mut pending = self.pending.borrow_mut();
        if result.is_err() && self.fault.get().is_some_and(|fault| fault.kind == FaultKind::Killed) {
            return result;
        }
        if result.is_err() {
            pending.iter_mut().filter(|pending| covers(&pending.op)).for_each(|pending| pending.is_dropped = true);
            return result;
        }
        let mut kept = Vec::new();
        for one in pending.drain(..) {
            if covers(&one.op) && !one.is_dropped {
                kept.retain(|before: &Pending| !supersedes(&one.op, &before.op));
                self.durable.borrow_mut().apply_all(&one.op);
            } else {
                kept.push(one);
            }
        }
        *pending = kept;
        Ok(())
    }

    /// Changes names: at once in one directory, one after the other between two.
    fn names(&self, names: &[(&str, Option<u64>)]) {
        let mut by_directory: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for (name, file) in names {
            by_directory.entry(parent(name).to_owned()).or_default().push((Arc::from(*name), *file));
        }
        for (directory, names) in by_directory {
            self.push(Op::Names { directory, names });
        }
    }

    fn get(&self, path: &str) -> Option<u64> {
        self.live.borrow().names.get(path).copied()
    }

    fn exchange(&self, one: &str, other: &str) -> Result<Moved, StoreError> {
        let (Some(first), Some(second)) = (self.get(one), self.get(other)) else { return Ok(Moved::Refused) };
        match self.bad {
            Bad::NoExchange => return Ok(Moved::Unsupported),
            Bad::InPlace => {
                let [old, new] = [second, first]
                    .map(|file| self.live.borrow().files.get(&file).map(|text| text.to_vec()).unwrap_or_default());
                self.push(Op::Truncate { file: second, length: 0 });
                self.push(Op::Write { file: second, offset: 0, bytes: new });
                self.push(Op::Truncate { file: first, length: 0 });
                self.push(Op::Write { file: first, offset: 0, bytes: old });
                let both = |op: &Op| matches!(op, Op::Write { file, .. } | Op::Truncate { file, .. } if *file == first || *file == second);
                self.flush(both, Ok(()))?;
            }
            Bad::NoSecondLook => {
                // What is displaced looks as it did at the first look.
                let seen = self.seen.borrow().get(other).cloned().unwrap_or_default();
                self.names(&[(other, Some(first)), (one, Some(second))]);
                self.live.borrow_mut().files.insert(second, Arc::new(seen));
            }
            Bad::NoMark if self.exchanged.replace(true) => {
                self.names(&[(other, Some(first)), (one, None)]);
            }
            Bad::UnlinkedFirst => {
                self.names(&[(other, None)]);
                self.names(&[(other, Some(first)), (one, Some(second))]);
            }
            _ => self.names(&[(other, Some(first)), (one, Some(second))]),
        }
        Ok(Moved::Done)
    }
}

/// How an editor writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Over,
    Behind,
}

/// Reports whether a durable change makes one that was dropped before irrelevant.
fn supersedes(later: &Op, earlier: &Op) -> bool {
    match (later, earlier) {
        (Op::Write { file, offset, bytes }, Op::Write { file: other, offset: at, bytes: old }) => {
            file == other && offset <= at && offset + bytes.len() >= at + old.len()
        }
        (Op::Truncate { file, length }, Op::Write { file: other, offset, .. }) => file == other && length <= offset,
        (Op::Names { names, .. }, Op::Names { names: old, .. }) => {
            old.iter().all(|(name, _)| names.iter().any(|(new, _)| new == name))
        }
        (Op::MakeDirectory { path }, Op::MakeDirectory { path: other }) => path == other,
        _ => false,
    }
}

fn failed(path: &str, kind: FaultKind) -> StoreError {
    let code = match kind {
        FaultKind::Io | FaultKind::Sync | FaultKind::Killed => 5,
        FaultKind::Full | FaultKind::Short | FaultKind::NoSpace => 28,
        FaultKind::ReadOnly => 30,
    };
    StoreError::Io { action: "open", path: PathBuf::from(path), source: io::Error::from_raw_os_error(code) }
}

impl Disk for SimDisk {
    type File = SimFile;

    fn open(&self, path: &str, access: Access) -> Result<Option<SimFile>, StoreError> {
        if access == Access::Write { self.changing(path) } else { self.call(path) }?;
        if self.live.borrow().directories.contains(path) {
            return Err(StoreError::Unusable { path: path.into(), what: FileFlaw::NotAFile });
        }
        Ok(self.get(path).map(|file| SimFile { file, path: path.to_owned() }))
    }

    fn create(&self, path: &str, _: Option<u32>) -> Result<SimFile, StoreError> {
        self.growing(path)?;
        if self.get(path).is_some() {
            self.names(&[(path, None)]);
        }
        let file = self.last_file.get() + 1;
        self.last_file.set(file);
        self.live.borrow_mut().files.insert(file, Arc::default());
        self.durable.borrow_mut().files.insert(file, Arc::default());
        self.names(&[(path, Some(file))]);
        Ok(SimFile { file, path: path.to_owned() })
    }

    fn stat(&self, file: &SimFile) -> Stat {
        let length = self.live.borrow().files.get(&file.file).map_or(0, |text| text.len()) as u64;
        let modified = self.live.borrow().modified.get(&file.file).copied().unwrap_or_default();
        let modified = if self.bad == Bad::NoTimes { 0 } else { modified };
        let modified = SystemTime::UNIX_EPOCH + Duration::from_millis(modified);
        Stat { length, modified, mode: 0o644, links: 1 }
    }

    fn read_at(&self, file: &SimFile, offset: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        self.call(&file.path)?;
        let live = self.live.borrow();
        let content = live.files.get(&file.file).map_or(&[][..], |text| text.as_slice());
        let start = usize::try_from(offset).unwrap().min(content.len());
        let read = content[start..content.len().min(start + length)].to_vec();
        self.seen.borrow_mut().insert(file.path.clone(), read.clone());
        Ok(read)
    }

    fn write_at(&self, file: &SimFile, offset: u64, bytes: &[u8]) -> Result<(), StoreError> {
        let result = self.growing(&file.path);
        let offset = usize::try_from(offset).unwrap();
        let is_short = self.fault.get().is_some_and(|fault| fault.kind == FaultKind::Short);
        let bytes = match &result {
            Ok(()) => bytes,
            Err(_) if is_short => &bytes[..bytes.len() / 2],
            Err(_) => return result,
        };
        let stands = self
            .live
            .borrow()
            .files
            .get(&file.file)
            .and_then(|c| c.get(offset..offset + bytes.len()).map(|c| c == bytes));
        if self.bad == Bad::NotAnew && stands == Some(true) {
            return result;
        }
        self.push(Op::Write { file: file.file, offset, bytes: bytes.to_vec() });
        result
    }

    fn truncate(&self, file: &SimFile, length: u64) -> Result<(), StoreError> {
        self.changing(&file.path)?;
        if self.bad != Bad::NoCut || !file.path.ends_with(".jsonl") {
            self.push(Op::Truncate { file: file.file, length: usize::try_from(length).unwrap() });
        }
        Ok(())
    }

    fn sync(&self, file: &SimFile) -> Result<(), StoreError> {
        let result = self.syncing(&file.path);
        if self.bad.skips_sync_of(&file.path) {
            return Ok(());
        }
        if self.bad == Bad::NoDeletionMark && file.path.ends_with(".next") && self.stat(file).length == 0 {
            self.names(&[(&file.path, None)]);
        }
        let of_file =
            |op: &Op| matches!(op, Op::Write { file: f, .. } | Op::Truncate { file: f, .. } if *f == file.file);
        let result = self.flush(of_file, result);
        if self.bad == Bad::RetriedSync { result.or_else(|_| self.flush(of_file, Ok(()))) } else { result }
    }

    fn rename(&self, from: &str, to: &str, how: Rename) -> Result<Moved, StoreError> {
        self.changing(from)?;
        if how == Rename::Exchange {
            return self.exchange(from, to);
        }
        let Some(file) = self.get(from).filter(|_| how == Rename::Over || self.get(to).is_none()) else {
            return Ok(Moved::Refused);
        };
        self.names(&[(from, None), (to, Some(file))]);
        Ok(Moved::Done)
    }

    fn remove(&self, path: &str) -> Result<(), StoreError> {
        self.changing(path)?;
        if self.get(path).is_some() {
            self.names(&[(path, None)]);
        }
        Ok(())
    }

    fn list(&self, directory: &str) -> Result<Vec<Listed>, StoreError> {
        self.call(directory)?;
        let live = self.live.borrow();
        let listed =
            |path: &str, is_directory| Listed { name: path.rsplit('/').next().unwrap().to_owned(), is_directory };
        let files = live.names.keys().filter(|path| parent(path) == directory).map(|path| listed(path, false));
        Ok(files
            .chain(live.directories.iter().filter(|path| parent(path) == directory).map(|path| listed(path, true)))
            .collect())
    }

    fn create_directory(&self, directory: &str) -> Result<(), StoreError> {
        self.changing(directory)?;
        if !self.live.borrow().directories.contains(directory) {
            self.push(Op::MakeDirectory { path: directory.to_owned() });
        }
        Ok(())
    }

    fn remove_directory(&self, directory: &str) -> Result<(), StoreError> {
        self.changing(directory)?;
        if self.live.borrow().names.keys().any(|path| parent(path) == directory) {
            return Err(StoreError::Io {
                action: "remove",
                path: directory.into(),
                source: io::ErrorKind::DirectoryNotEmpty.into(),
            });
        }
        self.push(Op::RemoveDirectory { path: directory.to_owned() });
        Ok(())
    }

    fn sync_directory(&self, directory: &str) -> Result<(), StoreError> {
        let result = self.syncing(directory);
        if self.bad == Bad::NoDirectorySync && directory.is_empty()
            || self.bad == Bad::NoPrivateSync && directory == PRIVATE
        {
            return Ok(());
        }
        let inside = |op: &Op| match op {
            Op::Names { directory: of, .. } => of == directory,
            Op::MakeDirectory { path } | Op::RemoveDirectory { path } => parent(path) == directory,
            _ => false,
        };
        let result = self.flush(inside, result);
        if self.bad == Bad::RetriedSync { result.or_else(|_| self.flush(inside, Ok(()))) } else { result }
    }

    fn names_changed(&self, directory: &str) -> Result<Option<SystemTime>, StoreError> {
        self.call(directory)?;
        Ok(Some(SystemTime::UNIX_EPOCH + Duration::from_millis(self.names_changed.get())))
    }

    fn full_path(&self, path: &str) -> PathBuf {
        PathBuf::from(path)
    }
}
