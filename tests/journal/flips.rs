//! Every bit of a journal, turned over.

use crate::memory::journal::checks::fixture::{Journal, rich};
use crate::memory::journal::{EntryKind, Verifier};

/// Returns a journal of a hundred entries, rich at its beginning.
fn journal() -> Journal {
    let mut journal = rich(7);
    journal.edit("memory", Some("- one\n"));
    journal.edit("memory", Some("- one\n- two\n"));
    while journal.entries.len() < 100 {
        journal.record(EntryKind::Decision, |_| {});
    }
    journal
}

#[test]
fn every_bit_of_a_hundred_entries_that_is_turned_over_is_found() {
    let mut verifier = Verifier::new();
    let mut turned = 0_u64;
    for line in journal().written() {
        for bit in 0..line.len() * 8 {
            let mut bytes = line.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            // A line feed where none was makes two lines of one.
            let mut verifier = verifier.clone();
            let found = bytes.split(|byte| *byte == b'\n').any(|line| !verifier.line(line).is_empty());
            assert!(found, "bit {bit} of {line}");
            turned += 1;
        }
        assert_eq!(verifier.line(line.as_bytes()), []);
    }
    assert!(turned > 300_000, "{turned}");
}

#[test]
fn every_bit_of_a_line_feed_that_is_turned_over_is_found() {
    let mut verifier = Verifier::new();
    for pair in journal().written().windows(2) {
        for bit in 0..8 {
            let joined = format!("{}{}{}", pair[0], char::from(b'\n' ^ (1 << bit)), pair[1]);
            assert!(!verifier.clone().line(joined.as_bytes()).is_empty(), "bit {bit}");
        }
        assert_eq!(verifier.line(pair[0].as_bytes()), []);
    }
}
