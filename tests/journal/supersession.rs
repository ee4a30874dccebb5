//! Entries that stand in the place of others.

use crate::locate::Code;
use crate::memory::journal::checks::fixture::{Draft, Journal, told};
use crate::memory::journal::{BlockVersion, EntryKind, Record, Seq, Supersessions, Verifier};

fn seqs(numbers: &[u64]) -> Vec<Seq> {
    numbers.iter().copied().map(Seq::new).collect()
}

/// Returns a journal of a memory (2), a decision (3), an identity (4), blocks that are core (5) and not (6).
fn journal() -> Journal {
    let mut journal = Journal::new(5);
    let block = |is_core| {
        move |draft: &mut Draft| {
            let version = BlockVersion {
                label: if is_core { "persona" } else { "goals" }.into(),
                version: 1,
                text: "t".into(),
                is_core,
            };
            draft.body.record = Some(Record::Block(version));
        }
    };
    for kind in [EntryKind::Memory, EntryKind::Decision, EntryKind::Identity] {
        journal.record(kind, |_| {});
    }
    journal.record(EntryKind::Block, block(true));
    journal.record(EntryKind::Block, block(false));
    journal
}

fn read(journal: &Journal) -> Supersessions {
    let mut read = Supersessions::default();
    journal.entries.iter().for_each(|entry| read.entry(entry));
    read
}

fn consolidate(journal: &mut Journal, numbers: &[u64]) {
    journal.record(EntryKind::Consolidation, |draft| draft.header.supersedes = seqs(numbers));
}

#[test]
fn what_is_superseded_is_there_of_a_kind_that_can_be_and_not_superseded_yet() {
    let mut journal = journal();
    consolidate(&mut journal, &[2]);
    let read = read(&journal);
    assert_eq!(read.superseded_by(Seq::new(2)), Some(Seq::new(7)));
    assert!(read.check(&seqs(&[6, 3, 7, 3])).is_ok());
    for unknown in [0, 1, 4, 5, 8, 99].map(Seq::new) {
        let found = read.check(&[Seq::new(3), unknown]);
        assert!(found.is_err_and(|error| error.code() == Code::UnknownEntry), "{unknown}");
    }
    let twice = read.check(&seqs(&[2]));
    assert!(twice.is_err_and(|error| error.code() == Code::Superseded));
}

#[test]
fn of_several_that_supersede_one_the_first_stands_in_its_place() {
    let mut journal = journal();
    consolidate(&mut journal, &[2, 99]);
    consolidate(&mut journal, &[2]);
    assert_eq!(told(Verifier::new(), &journal.written()), [""; 0], "the chain knows nothing of it");
    assert_eq!(read(&journal).superseded_by(Seq::new(2)), Some(Seq::new(7)));
}

#[test]
fn whether_an_erased_block_was_core_is_not_guessed() {
    let journal = journal();
    let mut read = Supersessions::default();
    for entry in &journal.entries {
        read.entry(&entry.clone().without_body());
    }
    assert!(read.check(&seqs(&[6])).unwrap_err().code() == Code::UnknownEntry);
    assert!(read.check(&seqs(&[2, 3])).is_ok());
}
