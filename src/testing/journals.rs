//! The journal: entries are found, and what is erased is gone.

use crate::memory::journal::{Entry, Seq};
use crate::memory::{EntryQuery, Store};

use super::change::redaction;
use super::subject::{Checked, Rule, Subject, check_journal, commit, entries, expect, name, snapshot, text, write};

/// The rules.
pub(super) const RULES: &[Rule] = &[
    ("entries are read by number and by document, as many as are asked for", are_found),
    ("what is erased is gone, and nothing else", is_erased),
];

fn seqs(store: &dyn Store, query: &EntryQuery<'_>) -> Checked<Vec<u64>> {
    Ok(store.entries(query)?.iter().map(|entry| entry.seq().get()).collect())
}

fn are_found(subject: &Subject<'_>) -> Checked {
    let (store, documents) = (subject.begun()?, [name("a")?, name("b")?]);
    for round in 0..12 {
        let document = if round % 2 == 0 { &documents[0] } else { &documents[1] };
        write(&*store, &round.to_string(), &[(document, Some(&round.to_string()))])?;
    }
    let last = store.head()?.seq;
    let from = |seq, limit| seqs(&*store, &EntryQuery::From { seq, limit });
    let all: Vec<_> = (1..=last.get()).collect();
    for (first, limit) in [(Seq::FIRST, usize::MAX), (Seq::default(), 100), (Seq::new(4), 3), (last, 5), (last, 0)] {
        let expected = all.iter().copied().filter(|seq| *seq >= first.get()).take(limit).collect();
        expect("the entries from a number on", &from(first, limit)?, &expected)?;
    }
    expect("the entries behind the last", &from(last.plus(1), usize::MAX)?, &Vec::new())?;
    expect("the entries far behind the last", &from(Seq::new(u64::MAX), 1)?, &Vec::new())?;
    let document = &documents[1];
    let of = |seq, limit| seqs(&*store, &EntryQuery::OfDocument { document, seq, limit });
    let number = last.get();
    expect("the entries of a document", &of(last, 3)?, &vec![number, number - 2, number - 4])?;
    expect("all entries of a document", &of(last, usize::MAX)?.len(), &6)?;
    expect("earlier entries of a document", &of(last.minus(4), 1)?, &vec![number - 4])?;
    check_journal(&*store)
}

fn is_erased(subject: &Subject<'_>) -> Checked {
    let (store, document, other) = (subject.begun()?, name("memory")?, name("other")?);
    let secret = write(&*store, "first", &[(&document, Some("the PIN is 4711\n"))])?;
    let innocent = write(&*store, "second", &[(&other, Some("x"))])?;
    // What replaces a text tells it.
    let deletion = write(&*store, "third", &[(&document, None)])?;
    let wanted = [(&document, Some("the PIN is secret\n"))];
    let change = redaction("fourth", &snapshot(&*store, &wanted)?, &wanted, &[secret, deletion])?;
    commit(&*store, &change)?;
    for store in [&store, &subject.opened()] {
        let mut lines = Vec::new();
        store.scan(&mut |line| lines.extend_from_slice(line))?;
        let lines = String::from_utf8_lossy(&lines).into_owned();
        // Four digits alone stand in many a hash.
        expect("whether the journal holds what was erased", &lines.contains("PIN is 4711"), &false)?;
        let parts = |entry: &Entry| (entry.seq(), entry.body().is_some(), entry.has_lookup());
        let found: Vec<_> = entries(&**store)?.iter().map(parts).filter(|(seq, ..)| *seq >= secret).collect();
        let (gone, kept) = (|seq| (seq, false, false), |seq| (seq, true, true));
        let seqs = [secret, innocent, deletion];
        let expected = vec![gone(seqs[0]), kept(seqs[1]), gone(seqs[2]), kept(seqs[2].plus(1))];
        expect("the entries, their bodies and what they are looked up by", &found, &expected)?;
        expect("the text", &text(&**store, &document)?.as_deref(), &Some("the PIN is secret\n"))?;
    }
    write(&*store, "fifth", &[(&document, Some("on")), (&other, Some("y"))])?;
    check_journal(&*store)
}
