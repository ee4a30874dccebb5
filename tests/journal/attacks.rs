//! What is done to a journal, and which entry is named for it.

use crate::memory::journal::checks::fixture::{Checked, Draft, Journal, finds, rich, told, verify};
use crate::memory::journal::{Entry, EntryHash, EntryKind, Genesis, Head, Problem, Seq, Verifier};
use crate::text::Revision;

/// Changes the one place of `from` in line number `seq`.
fn changed(lines: &[String], seq: usize, from: &str, to: &str) -> Vec<String> {
    let mut lines = lines.to_vec();
    let line = &mut lines[seq - 1];
    assert!(line.contains(from), "{from} is not in {line}");
    *line = line.replacen(from, to, 1);
    lines
}

/// Gives an entry that was changed the hash that it must have.
fn resealed(line: &str, previous: Option<EntryHash>) -> Result<Entry, crate::memory::journal::LineError> {
    let mut entry = Entry::parse(line.as_bytes())?;
    entry.previous = previous.unwrap_or(entry.previous);
    entry.hash = entry.computed_hash();
    Ok(entry)
}

#[test]
fn a_genuine_journal_has_nothing_wrong_and_gives_its_checkpoint() {
    let journal = rich(1);
    let verified = verify(Verifier::new().with_checkpoint(&journal.checkpoint()), &journal.written());
    assert_eq!(verified.findings, []);
    assert_eq!(verified.checkpoint, Some(journal.checkpoint()));
    assert_eq!(journal.checkpoint().to_string().parse(), Ok(journal.checkpoint()));
    assert_eq!(journal.checkpoint().head.seq.get(), 15);
    assert_eq!(verified.documents().map(ToString::to_string).collect::<Vec<_>>(), ["memory", "notes"]);
    for (name, text) in &journal.texts {
        assert_eq!(verified.compare(name, text.as_deref().map(Revision::of)), None);
        assert!(verified.compare(name, Some(Revision::of("another"))).is_some());
        assert!(verified.compare(name, None).is_some());
    }
    assert!(verified.compare(&crate::memory::journal::checks::fixture::doc("core"), Some(Revision::of(""))).is_some());
    assert_eq!(verified.compare(&crate::memory::journal::checks::fixture::doc("core"), None), None);
}

#[test]
fn what_is_changed_in_a_header_is_named_and_no_other_entry() {
    let lines = rich(1).written();
    let message = "was changed: its hash is another";
    for (from, to) in [
        ("agent:test", "agent:best"),
        ("\"type\":\"edit\"", "\"type\":\"note\""),
        (":\"edit\"", ":\"external\""),
        ("2026-", "2025-"),
        ("\"previous\":\"", "\"previous\":\"00"),
        ("\"hash\":\"", "\"hash\":\"00"),
        ("\"previous\":2", "\"previous\":1"),
    ] {
        let wide = changed(&lines, 3, from, to);
        // What got two digits more has to lose two.
        let cut = if to.ends_with("\"00") { changed(&wide, 3, &lines_of(&wide, 3, to), to) } else { wide };
        assert_eq!(told(Verifier::new(), &cut), [format!("entry 3: {message}")], "{from}");
    }
    let renumbered = told(Verifier::new(), &changed(&lines, 3, "\"seq\":3", "\"seq\":9"));
    assert_eq!(renumbered, [format!("entry 9: {message}"), "entry 3: is missing".to_owned()]);
}

/// Returns `to` and the two digits behind it, as they stand in a line.
fn lines_of(lines: &[String], seq: usize, to: &str) -> String {
    let at = lines[seq - 1].find(to).unwrap_or_default();
    lines[seq - 1].get(at..at + to.len() + 2).unwrap_or_default().to_owned()
}

#[test]
fn what_is_changed_in_a_part_is_named() {
    let lines = rich(1).written();
    let body = "has another body than it had";
    assert_eq!(told(Verifier::new(), &changed(&lines, 3, "because", "by cause")), [format!("entry 3: {body}")]);
    // What stands outside of what is hashed is compared with the text that is replayed.
    let history = "does not continue the history of `memory`";
    let digits = lines[2].split_once("\"revisions\":[\"").unwrap().1;
    let other = if digits.starts_with('0') { "1" } else { "0" };
    let revision = changed(&lines, 3, &format!("[\"{}", &digits[..1]), &format!("[\"{other}"));
    assert_eq!(told(Verifier::new(), &revision), [format!("entry 3: {history}")]);
    let none = changed(&lines, 3, &format!("\"{}\"", &digits[..64]), "null");
    assert_eq!(told(Verifier::new(), &none), [format!("entry 3: {history}")]);
}

#[test]
fn parts_that_are_taken_away_or_exchanged_are_named() {
    let journal = rich(1);
    let mut entries = journal.entries.clone();
    entries[2] = entries[2].clone().without_body();
    entries[3] = entries[3].clone().without_body();
    let lines: Vec<_> = entries.iter().map(Entry::to_line).collect();
    assert_eq!(told(Verifier::new(), &lines), ["entry 3-4: lacks its body, which no redaction erased"]);
    let mut entries = journal.entries.clone();
    entries[2].body = journal.entries[3].body.clone();
    let lines: Vec<_> = entries.iter().map(Entry::to_line).collect();
    assert_eq!(told(Verifier::new(), &lines), ["entry 3: has another body than it had"]);
}

#[test]
fn a_tail_that_is_cut_is_told_by_a_checkpoint() {
    let journal = rich(1);
    let lines = journal.written();
    assert_eq!(told(Verifier::new(), &lines[..12]), [""; 0]);
    let known = [Verifier::new().with_checkpoint(&journal.checkpoint()), Verifier::new().with_known(journal.head())];
    for verifier in known {
        assert_eq!(told(verifier, &lines[..12]), ["entry 15: is known, but the journal ends with entry 12"]);
    }
    assert_eq!(
        told(Verifier::new().with_checkpoint(&journal.checkpoint()), &[]),
        ["entry 15: is known, but the journal ends with entry 0"]
    );
}

#[test]
fn entries_that_are_taken_out_or_moved_are_named() {
    let lines = rich(1).written();
    let mut cut = lines.clone();
    cut.drain(2..4);
    assert_eq!(told(Verifier::new(), &cut), ["entry 3-4: is missing"]);
    let headless = told(Verifier::new(), &lines[1..]);
    assert_eq!(headless, ["entry 1: is missing"]);

    let mut swapped = lines.clone();
    swapped.swap(2, 3);
    assert_eq!(told(Verifier::new(), &swapped), ["entry 3: is missing", "entry 3: stands where an entry 5 belongs"]);
    let mut doubled = lines.clone();
    doubled.insert(4, lines[2].clone());
    assert_eq!(told(Verifier::new(), &doubled), ["entry 3: stands where an entry 5 belongs"]);
}

#[test]
fn an_entry_that_is_forged_or_from_elsewhere_is_named() -> Checked {
    let (lines, other) = (rich(1).written(), rich(2).written());
    let mut forged = changed(&lines, 3, "agent:test", "agent:best");
    forged[2] = resealed(&forged[2], None)?.to_line();
    let replaced = "which stands before it: one of them was replaced";
    assert_eq!(told(Verifier::new(), &forged), [format!("entry 4: does not follow entry 3, {replaced}")]);

    let mut replayed = lines.clone();
    replayed[2].clone_from(&other[2]);
    assert_eq!(
        told(Verifier::new(), &replayed),
        [
            format!("entry 3: does not follow entry 2, {replaced}"),
            format!("entry 4: does not follow entry 3, {replaced}")
        ]
    );
    let appended = [lines.clone(), vec![other[1].clone()]].concat();
    assert_eq!(told(Verifier::new(), &appended), ["entry 2: stands where an entry 16 belongs"]);
    Ok(())
}

#[test]
fn a_journal_of_another_memory_or_written_anew_is_told_by_a_checkpoint() -> Checked {
    let (journal, other) = (rich(1), rich(2));
    let found = told(Verifier::new().with_checkpoint(&journal.checkpoint()), &other.written());
    let (one, two) = ("01".repeat(16), "02".repeat(16));
    assert_eq!(
        found,
        [
            format!("entry 1: belongs to memory {two}, not {one}"),
            "entry 15: is not the entry that was known by this number".to_owned()
        ]
    );
    let mut lines = changed(&journal.written(), 3, "agent:test", "agent:best");
    let mut previous = None;
    for line in lines.iter_mut().skip(2) {
        let entry = resealed(line, previous)?;
        previous = Some(entry.hash());
        *line = entry.to_line();
    }
    assert_eq!(told(Verifier::new(), &lines), [""; 0], "without a checkpoint nothing tells it");
    let found = told(Verifier::new().with_checkpoint(&journal.checkpoint()), &lines);
    assert_eq!(found, ["entry 15: is not the entry that was known by this number"]);
    let longer = told(Verifier::new().with_known(Head { seq: Seq::new(3), hash: EntryHash::NONE }), &lines);
    assert_eq!(longer, ["entry 3: is not the entry that was known by this number"]);
    Ok(())
}

#[test]
fn a_line_that_cannot_be_read_is_reported_and_the_rest_is_verified() {
    let journal = rich(1);
    let mut lines = changed(&journal.written(), 9, "agent:test", "agent:best");
    lines[2] = "{\"seq\":3".to_owned();
    assert_eq!(
        told(Verifier::new().with_checkpoint(&journal.checkpoint()), &lines),
        ["line 3: cannot be read as an entry", "entry 3: is missing", "entry 9: was changed: its hash is another"]
    );
    let mut padded = journal.written();
    padded.insert(3, String::new());
    let found = verify(Verifier::new().with_checkpoint(&journal.checkpoint()), &padded).findings;
    assert_eq!(found.len(), 1, "{found:?}");
    let last = changed(&journal.written(), 15, "{", "[");
    let unread = "line 15: cannot be read as an entry";
    assert_eq!(
        told(Verifier::new().with_checkpoint(&journal.checkpoint()), &last),
        [unread, "entry 15: is known, but the journal ends with entry 14"]
    );
}

/// Seals a wrong edit behind the rich journal, as a faulty writer would, and returns what is told.
fn faulty(with: impl FnOnce(&mut Draft, &mut Journal)) -> Vec<String> {
    let mut journal = rich(1);
    let mut draft = journal.draft(EntryKind::Edit);
    draft.documents = vec![journal.change("memory", Some("new"))];
    with(&mut draft, &mut journal);
    let entry = draft.sealed(journal.head(), journal.entries[14].time());
    let lines: Vec<_> = journal.entries.iter().chain([&entry]).map(Entry::to_line).collect();
    assert_eq!(lines.len(), 16);
    told(Verifier::new(), &lines)
}

#[test]
fn histories_of_documents_that_do_not_hold_together_are_named() {
    let wrong = ["entry 16: does not continue the history of `memory`"];
    assert_eq!(faulty(|_, _| {}), [""; 0]);
    assert_eq!(faulty(|draft, _| draft.documents[0].expected.tip = None), wrong);
    assert_eq!(faulty(|draft, _| draft.documents[0].expected.tip = Some(Seq::new(3))), wrong);
    assert_eq!(faulty(|draft, _| draft.documents[0].expected.revision = None), wrong);
    let of_another_text = |draft: &mut Draft, removed: &str| {
        draft.documents[0].splices.as_mut().unwrap()[0].removed = removed.into();
    };
    assert_eq!(faulty(|draft, _| of_another_text(draft, "x")), wrong);
    let of_whole = |draft: &mut Draft| draft.documents[0].is_whole = true;
    assert_eq!(faulty(|draft, _| of_whole(draft)), [""; 0]);
    assert_eq!(faulty(|draft, _| (of_whole(draft), of_another_text(draft, "x")).1), wrong);
    assert_eq!(faulty(|draft, _| draft.documents[0].revision = Some(Revision::of("x"))), wrong);
    let twice = faulty(|draft, journal| {
        let again = journal.change("memory", Some("newer"));
        draft.documents.push(again);
    });
    assert!(twice.contains(&wrong[0].to_owned()), "{twice:?}");
}

#[test]
fn a_document_that_no_entry_made_is_not_changed() {
    let found = faulty(|draft, journal| {
        draft.documents = vec![journal.change("core", Some("new"))];
        draft.documents[0].expected.revision = Some(Revision::of(""));
    });
    assert_eq!(found, ["entry 16: does not continue the history of `core`"]);
}

#[test]
fn a_journal_begins_once_and_with_its_beginning() {
    let mut journal = rich(1);
    let genesis = journal.entries[0].header().genesis.clone();
    journal.record(EntryKind::Genesis, |draft| draft.header.genesis = genesis);
    assert_eq!(told(Verifier::new(), &journal.written()), ["entry 16: is not the beginning of this journal"]);
    let mut draft = journal.draft(EntryKind::Edit);
    draft.documents = Vec::new();
    let entry = draft.sealed(Head::START, journal.entries[0].time());
    assert_eq!(told(Verifier::new(), &[entry.to_line()]), ["entry 1: is not the beginning of this journal"]);
    let mut journal = rich(1);
    journal.record(EntryKind::Genesis, |_| {});
    assert_eq!(told(Verifier::new(), &journal.written()), ["entry 16: is not the beginning of this journal"]);
}

#[test]
fn a_format_of_another_day_is_a_notice() {
    let mut journal = Journal::new(1);
    let genesis = journal.entries[0].header().genesis.clone();
    journal.entries.clear();
    journal.record(EntryKind::Genesis, |draft| {
        draft.header.genesis = genesis.map(|genesis| Genesis { format: Genesis::FORMAT + 1, ..genesis });
    });
    let verified = verify(Verifier::new().with_checkpoint(&journal.checkpoint()), &journal.written());
    let problem = Problem::UnknownFormat(Genesis::FORMAT + 1);
    let findings = &verified.findings;
    assert!(findings.len() == 1 && finds(findings, &problem) && problem.is_notice(), "{findings:?}");
    assert_eq!(verified.checkpoint, Some(journal.checkpoint()));
}
