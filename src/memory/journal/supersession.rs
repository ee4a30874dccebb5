//! [`Supersessions`]: which entries stand in the place of others.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::{Entry, EntryKind, Record, Seq};

/// Why entries cannot be superseded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SupersessionError {
    /// No entry is named.
    #[error("expected at least one entry to supersede")]
    Nothing,
    /// There is no such entry, or it cannot be superseded.
    #[error("entry {0} is none that can be superseded")]
    Unknown(Seq),
    /// The entry is superseded already.
    #[error("entry {seq} is superseded by entry {by} already")]
    Superseded {
        /// The entry.
        seq: Seq,
        /// What stands in its place.
        by: Seq,
    },
    /// The entry stands, over others or by itself, in its own place.
    #[error("entry {0} supersedes itself, over others or at once")]
    Cycle(Seq),
}

/// What stands in the place of what. Derived from the journal, entry by entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supersessions {
    supersedable: BTreeSet<Seq>,
    by: BTreeMap<Seq, Seq>,
}

impl Supersessions {
    /// Takes the next entry of the journal and returns what is wrong with what it supersedes.
    pub fn entry(&mut self, entry: &Entry) -> Vec<SupersessionError> {
        let mut wrong = Vec::new();
        for &seq in &entry.header().supersedes {
            let error = if seq == entry.seq() { Err(SupersessionError::Cycle(seq)) } else { self.check_one(seq) };
            wrong.extend(error.err());
            self.by.entry(seq).or_insert_with(|| entry.seq());
        }
        if is_supersedable(entry) {
            self.supersedable.insert(entry.seq());
        }
        wrong
    }

    /// Checks what a new entry is to supersede, and returns each number once, ascending.
    ///
    /// # Errors
    ///
    /// The list is empty, or one of them is not there, cannot be superseded or is superseded already.
    pub fn check(&self, supersedes: &[Seq]) -> Result<Vec<Seq>, SupersessionError> {
        let once: BTreeSet<Seq> = supersedes.iter().copied().collect();
        if once.is_empty() {
            return Err(SupersessionError::Nothing);
        }
        once.iter().try_for_each(|seq| self.check_one(*seq))?;
        Ok(once.into_iter().collect())
    }

    /// Returns the entry that stands in the place of `seq`.
    pub fn superseded_by(&self, seq: Seq) -> Option<Seq> {
        self.by.get(&seq).copied()
    }

    /// Returns the lowest entry of each cycle, ascending. A journal that this library wrote has none, as each entry names
    /// earlier ones. Linear.
    pub fn cycles(&self) -> Vec<SupersessionError> {
        let mut seen: BTreeMap<Seq, Seq> = BTreeMap::new();
        let mut cycles = Vec::new();
        for &start in self.by.keys() {
            let mut at = start;
            // Each is walked once, under the number at which the walk began.
            while let std::collections::btree_map::Entry::Vacant(vacant) = seen.entry(at) {
                vacant.insert(start);
                match self.by.get(&at) {
                    Some(next) => at = *next,
                    None => break,
                }
            }
            // The walk met itself, and therefore in a cycle.
            if self.by.contains_key(&at) && seen.get(&at) == Some(&start) {
                cycles.push(SupersessionError::Cycle(self.lowest(at)));
            }
        }
        cycles
    }

    /// Returns the lowest number of the cycle that `start` is in.
    fn lowest(&self, start: Seq) -> Seq {
        self.walk(start).take_while(|at| *at != start).fold(start, Seq::min)
    }

    /// Iterates over what stands in the place of `start`, and of that, and so on.
    fn walk(&self, start: Seq) -> impl Iterator<Item = Seq> + '_ {
        std::iter::successors(self.superseded_by(start), |at| self.superseded_by(*at))
    }

    fn check_one(&self, seq: Seq) -> Result<(), SupersessionError> {
        match self.superseded_by(seq) {
            Some(by) => Err(SupersessionError::Superseded { seq, by }),
            None if !self.supersedable.contains(&seq) => Err(SupersessionError::Unknown(seq)),
            None => Ok(()),
        }
    }
}

/// Reports whether an entry is a memory, a decision, a consolidation, or a version of a block that is not core.
fn is_supersedable(entry: &Entry) -> bool {
    match entry.header().kind {
        EntryKind::Memory | EntryKind::Decision | EntryKind::Consolidation => true,
        EntryKind::Block => {
            let record = entry.content().and_then(|content| content.record.as_ref());
            matches!(record, Some(Record::Block(block)) if !block.is_core)
        }
        _ => false,
    }
}
