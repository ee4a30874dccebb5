//! The history of documents as changes of lines, from the newest text back.

use std::collections::BTreeMap;

use memdoc::memory::Moment;
use memdoc::memory::journal::{Entry, Seq, Splice};
use memdoc::{DocName, Memory};
use serde_json::{Value, json};
use similar::{DiffTag, TextDiff};

use crate::failure::Failure;

/// How many entries are read at once.
const PAGE: usize = 256;
/// The most bytes of changes.
const LARGEST: usize = 4 << 20;

/// What a page tells of the history.
pub(super) struct History {
    /// The latest entries, newest first.
    pub(super) entries: Vec<Entry>,
    /// The documents that there are, and those that were deleted since the oldest entry.
    pub(super) documents: BTreeMap<DocName, Lines>,
    /// Of each entry, what takes its changes back.
    pub(super) changes: BTreeMap<Seq, BTreeMap<DocName, Vec<Op>>>,
}

/// A document line by line.
pub(super) struct Lines {
    pub(super) text: String,
    /// Of each line the entry that wrote it, if it is known.
    pub(super) writers: Vec<Option<Seq>>,
    /// The oldest entry after which its text is known.
    pub(super) since: Seq,
}

/// Lines in the place of others.
pub(super) struct Op {
    /// The index of the first line that goes.
    at: usize,
    removed: usize,
    added: Vec<String>,
}

impl Op {
    pub(super) fn to_json(&self) -> Value {
        json!([self.at, self.removed, self.added])
    }
}

/// Reads the latest entries, and what they did.
pub(super) fn read(memory: &Memory, last: u64) -> Result<History, Failure> {
    let mut documents = BTreeMap::new();
    for name in memory.documents()? {
        documents.insert(name.clone(), memory.read(&name)?.text().to_owned());
    }
    let entries = latest(memory, last)?;
    let oldest = entries.last().map_or(Seq::FIRST, Entry::seq);
    for link in entries.iter().flat_map(|entry| &entry.header().documents) {
        documents.entry(link.name.clone()).or_default();
    }
    let (mut room, mut changes, mut lines) =
        (LARGEST, BTreeMap::<Seq, BTreeMap<DocName, Vec<Op>>>::new(), BTreeMap::new());
    for (name, text) in documents {
        let mut walk = Walk::new(&text);
        let mut since = if oldest > Seq::FIRST { oldest.minus(1) } else { Seq::default() };
        for entry in entries.iter().filter(|entry| entry.link(&name).is_some()) {
            let before = before(memory, &name, entry, &walk.text);
            let ops = before.map(|before| walk.back(entry.seq(), before));
            let size = ops.iter().flatten().flat_map(|op| &op.added).map(|line| line.len() + 40).sum::<usize>();
            match ops.filter(|_| size <= room) {
                Some(ops) => {
                    room -= size;
                    changes.entry(entry.seq()).or_default().insert(name.clone(), ops);
                }
                // Erased, or too much: nothing older is shown.
                None => {
                    since = entry.seq();
                    break;
                }
            }
        }
        lines.insert(name, Lines { text, writers: walk.writers, since });
    }
    Ok(History { entries, documents: lines, changes })
}

fn latest(memory: &Memory, last: u64) -> Result<Vec<Entry>, Failure> {
    let head = memory.head()?.seq;
    let mut next = head.minus(last.saturating_sub(1).min(head.get())).max(Seq::FIRST);
    let mut entries = Vec::new();
    loop {
        let page = memory.entries(next, PAGE)?;
        let Some(end) = page.last().map(Entry::seq) else { break };
        next = end.plus(1);
        entries.extend(page);
    }
    entries.reverse();
    Ok(entries)
}

/// Returns the text before an entry; `None` if that was erased.
fn before(memory: &Memory, name: &DocName, entry: &Entry, after: &str) -> Option<String> {
    let taken_back = entry.splices(name).and_then(|splices| taken_back(after, splices));
    let read = || memory.text_at(name, &Moment::After(entry.seq().minus(1))).ok().map(Option::unwrap_or_default);
    taken_back.or_else(read)
}

/// Takes splices back; `None` if they did not make the text.
fn taken_back(after: &str, splices: &[Splice]) -> Option<String> {
    let (mut before, mut copied, mut shift) = (String::new(), 0, 0_isize);
    for splice in splices {
        let start = splice.at.checked_add_signed(shift)?;
        before += after.get(copied..start)?;
        before += &splice.removed;
        copied = start + splice.added.len();
        after.get(start..copied).filter(|text| **text == *splice.added)?;
        shift += isize::try_from(splice.added.len()).ok()? - isize::try_from(splice.removed.len()).ok()?;
    }
    before += after.get(copied..)?;
    Some(before)
}

/// A text on its way back.
struct Walk {
    text: String,
    writers: Vec<Option<Seq>>,
    /// Of each line of `text`, which of the newest text it became.
    became: Vec<Option<usize>>,
}

impl Walk {
    fn new(text: &str) -> Self {
        let count = text.split('\n').count();
        Self { text: text.to_owned(), writers: vec![None; count], became: (0..count).map(Some).collect() }
    }

    /// Goes back over an entry, and returns what takes its changes back.
    fn back(&mut self, seq: Seq, before: String) -> Vec<Op> {
        let ops = {
            let (new, old): (Vec<&str>, Vec<&str>) = (self.text.split('\n').collect(), before.split('\n').collect());
            let diff = TextDiff::from_slices(&new, &old);
            let changed = diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
            let op = |op: &similar::DiffOp| Op {
                at: op.old_range().start,
                removed: op.old_range().len(),
                added: old.get(op.new_range()).unwrap_or_default().iter().map(|line| (*line).to_owned()).collect(),
            };
            changed.map(op).collect::<Vec<_>>()
        };
        let mut became = Vec::with_capacity(self.became.len());
        let mut next = 0;
        for op in &ops {
            became.extend_from_slice(self.became.get(next..op.at).unwrap_or_default());
            next = op.at + op.removed;
            for line in self.became.get(op.at..next).unwrap_or_default().iter().flatten() {
                if let Some(writer) = self.writers.get_mut(*line) {
                    *writer = Some(seq);
                }
            }
            became.extend(op.added.iter().map(|_| None));
        }
        became.extend_from_slice(self.became.get(next..).unwrap_or_default());
        (self.became, self.text) = (became, before);
        ops
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_belong_to_the_entry_that_wrote_them() {
        let mut walk = Walk::new("a\nB\nc\n");
        walk.back(Seq::new(3), "a\nb\nc\n".to_owned());
        walk.back(Seq::new(2), "a\n".to_owned());
        walk.back(Seq::new(1), String::new());
        assert_eq!(walk.writers.iter().map(|seq| seq.map_or(0, Seq::get)).collect::<Vec<_>>(), [1, 3, 2, 0]);
    }

    #[test]
    fn splices_are_taken_back_where_they_fit() {
        let splices = [
            Splice { at: 0, removed: "a".into(), added: "bcd".into() },
            Splice { at: 2, removed: "x".into(), added: "".into() },
        ];
        assert_eq!(taken_back("bcd-z", &splices).as_deref(), Some("a-xz"));
        assert_eq!(taken_back("bce-z", &splices), None);
        assert_eq!(taken_back("b", &splices), None);
    }
}
