//! Sealing: what a store does under its lock.

use super::head::entry_hash;
use super::{Entry, Head, Prepared};
use crate::text::Timestamp;

/// Gives the entries of a group their numbers, time and predecessors behind `head`. Costs a hash of some hundred bytes each.
pub fn seal(group: Vec<Prepared>, head: Head, time: Timestamp) -> Vec<Entry> {
    let mut head = head;
    let mut entries = Vec::with_capacity(group.len());
    for Prepared { header, digest, content, states } in group {
        let (seq, previous) = (head.seq.plus(1), head.hash);
        let hash = entry_hash(seq, time, previous, digest);
        entries.push(Entry { seq, time, previous, header, content, states, hash, signature: None });
        head = Head { seq, hash };
    }
    entries
}
