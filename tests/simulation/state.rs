//! What is durable, what is pending, and what a crash may leave of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

/// What stands on a disk without power.
#[derive(Clone, Debug, Default)]
pub(super) struct Image {
    pub(super) files: BTreeMap<u64, Arc<Vec<u8>>>,
    pub(super) names: BTreeMap<Arc<str>, u64>,
    pub(super) directories: BTreeSet<String>,
    /// When each file was modified, in milliseconds.
    pub(super) modified: BTreeMap<u64, u64>,
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

    /// Drops files without names, and numbers the others by name, so that equal images are equal.
    fn normal(mut self) -> Self {
        let is_inside = |name: &str| name.rsplit_once('/').is_none_or(|(parent, _)| self.directories.contains(parent));
        self.names.retain(|name, _| is_inside(name) && !name.ends_with(".new"));
        let mut numbers = BTreeMap::new();
        let mut files = BTreeMap::new();
        let mut modified = BTreeMap::new();
        for file in self.names.values_mut() {
            let next = numbers.len() as u64 + 1;
            let number = *numbers.entry(*file).or_insert(next);
            files.insert(number, self.files.get(file).cloned().unwrap_or_default());
            modified.insert(number, self.modified.get(file).copied().unwrap_or_default());
            *file = number;
        }
        Self { files, modified, ..self }
    }

    /// Returns a digest that is equal for equal images.
    fn digest(&self) -> [u8; 32] {
        let mut digest = Sha256::new();
        for (file, text) in &self.files {
            digest.update(file.to_le_bytes());
            digest.update(text.len().to_le_bytes());
            digest.update(text.as_slice());
        }
        digest.update(format!("{:?}", (&self.names, &self.directories, &self.modified)));
        digest.finalize().into()
    }

    pub(super) fn text(&self, path: &str) -> Option<&[u8]> {
        self.names.get(path).and_then(|file| self.files.get(file)).map(|text| text.as_slice())
    }
}

/// Images that differ, in an order that has nothing to do with what they hold: every tenth of them is a fair sample.
#[derive(Default)]
pub(super) struct Images(BTreeMap<[u8; 32], Image>);

impl Images {
    fn add(&mut self, image: Image) {
        self.0.entry(image.digest()).or_insert(image);
    }

    /// Returns at most so many of them, spread over all.
    pub(super) fn sample(self, most: usize) -> impl Iterator<Item = Image> {
        let step = self.0.len().div_ceil(most).max(1);
        self.0.into_values().step_by(step)
    }
}

/// Adds the states that a crash may leave; of the states between two changes, at most so many are followed.
pub(super) fn crash_states(durable: &Image, pending: &[Pending], most: usize, states: &mut Images) {
    let mut open = Images::default();
    open.add(durable.clone());
    for Pending { op, .. } in pending {
        let mut next = Images::default();
        for image in open.sample(most) {
            if op.is_done(&image) {
                next.add(image);
                continue;
            }
            for part in op.parts() {
                let mut image = image.clone();
                image.apply(op, *part);
                next.add(image);
            }
        }
        open = next;
    }
    open.sample(usize::MAX).for_each(|image| states.add(image.normal()));
}
