//! What is durable, what is pending, and what a crash may leave of it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::super::layout::{DISPLACED, NEW, NOTE, TORN};
use super::super::note::Note;

/// What stands on a disk without power.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Image {
    pub(super) files: BTreeMap<u64, Arc<Vec<u8>>>,
    pub(super) names: BTreeMap<Arc<str>, u64>,
    pub(super) directories: BTreeSet<String>,
}

/// A change that is not durable yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Write {
        file: u64,
        offset: usize,
        bytes: Vec<u8>,
    },
    Truncate {
        file: u64,
        length: usize,
    },
    /// Names of one directory that change at once.
    Names {
        directory: String,
        names: Vec<(Arc<str>, Option<u64>)>,
    },
    MakeDirectory {
        path: String,
    },
    RemoveDirectory {
        path: String,
    },
}

/// A change, and whether a sync of it has failed: later ones do not make it durable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    pub(super) op: Op,
    pub(super) is_dropped: bool,
}

/// How much of a change has reached the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Nothing,
    All,
    FirstHalf,
    /// The length of the file, but zeros behind what stood there.
    Zeros,
    SecondHalf,
}

impl Op {
    /// Reports whether a write changes nothing.
    fn is_done(&self, image: &Image) -> bool {
        let Self::Write { file, offset, bytes } = self else { return false };
        let text = image.files.get(file).map_or(&[][..], |text| text.as_slice());
        text.get(*offset..offset + bytes.len()) == Some(bytes)
    }

    fn parts(&self) -> &'static [Part] {
        match self {
            Self::Write { .. } => &[Part::Nothing, Part::All, Part::FirstHalf, Part::Zeros, Part::SecondHalf],
            _ => &[Part::Nothing, Part::All],
        }
    }
}

pub(super) fn write(bytes: &mut Vec<u8>, offset: usize, new: &[u8]) {
    let end = offset + new.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[offset..end].copy_from_slice(new);
}

impl Image {
    /// Applies a part of a change.
    fn apply(&mut self, op: &Op, part: Part) {
        if part == Part::Nothing {
            return;
        }
        match op {
            Op::Write { file, offset, bytes } => {
                let Some(content) = self.files.get_mut(file).map(Arc::make_mut) else { return };
                let half = bytes.len() / 2;
                let extend = |content: &mut Vec<u8>| content.resize(content.len().max(offset + bytes.len()), 0);
                match part {
                    Part::FirstHalf => write(content, *offset, &bytes[..half]),
                    Part::SecondHalf => {
                        extend(content);
                        write(content, offset + half, &bytes[half..]);
                    }
                    Part::Zeros => extend(content),
                    _ => write(content, *offset, bytes),
                }
            }
            Op::Truncate { file, length } => {
                if let Some(content) = self.files.get_mut(file) {
                    Arc::make_mut(content).resize(*length, 0);
                }
            }
            Op::Names { names, .. } => {
                for (name, file) in names {
                    match file {
                        Some(file) => drop(self.names.insert(name.clone(), *file)),
                        None => drop(self.names.remove(name)),
                    }
                }
            }
            Op::MakeDirectory { path } => drop(self.directories.insert(path.clone())),
            Op::RemoveDirectory { path } => drop(self.directories.remove(path)),
        }
    }

    pub(super) fn apply_all(&mut self, op: &Op) {
        self.apply(op, Part::All);
    }

    /// Drops files without names, and numbers the others by name, so that equal images are equal. What recovery does not
    /// read is equal too: what is kept aside, and what stands in files that it only removes.
    fn normal(mut self) -> Self {
        let is_inside = |name: &str| name.rsplit_once('/').is_none_or(|(parent, _)| self.directories.contains(parent));
        self.names.retain(|name, _| is_inside(name) && is_read(name));
        for (index, (name, file)) in (0..).zip(&mut self.names) {
            let text = self.files.get(file).cloned().unwrap_or_default();
            if name.ends_with(".redo") || &**name == NOTE && !is_note(&text) {
                // A file of its own, which is empty.
                *file = u64::MAX - index;
            }
        }
        let mut numbers = BTreeMap::new();
        let mut files = BTreeMap::new();
        for file in self.names.values_mut() {
            let next = numbers.len() as u64 + 1;
            let number = *numbers.entry(*file).or_insert(next);
            files.insert(number, self.files.get(file).cloned().unwrap_or_default());
            *file = number;
        }
        Self { files, ..self }
    }

    pub(super) fn text(&self, path: &str) -> Option<&[u8]> {
        self.names.get(path).and_then(|file| self.files.get(file)).map(|text| text.as_slice())
    }
}

/// Reports whether recovery reads what stands under a name.
fn is_read(name: &str) -> bool {
    !name.starts_with(DISPLACED) && name != TORN && name != NEW
}

/// Reports whether a note counts, and remembers it: most states have one of a few.
fn is_note(text: &Arc<Vec<u8>>) -> bool {
    thread_local!(static KNOWN: RefCell<HashMap<Arc<Vec<u8>>, bool>> = RefCell::default());
    let is_note = || std::str::from_utf8(text).ok().and_then(Note::parse).is_some();
    KNOWN.with_borrow_mut(|known| *known.entry(text.clone()).or_insert_with(is_note))
}

/// Adds every state that a crash may leave.
pub(super) fn crash_states(durable: &Image, pending: &[Pending], states: &mut HashSet<Image>) {
    let mut open = HashSet::from([durable.clone()]);
    for Pending { op, .. } in pending {
        // Whether names are there that nobody reads makes no difference.
        let is_read = !matches!(op, Op::Names { names, .. } if names.iter().all(|(name, _)| !is_read(name)));
        let parts = if is_read { op.parts() } else { &[Part::All] };
        let mut next = HashSet::with_capacity(open.len() * 2);
        for image in open {
            if op.is_done(&image) {
                next.insert(image);
                continue;
            }
            for part in parts {
                let mut image = image.clone();
                image.apply(op, *part);
                next.insert(image);
            }
        }
        open = next;
    }
    states.extend(open.into_iter().map(Image::normal));
}
