//! What is erased of a journal, what is left, and what can be found out from that.

use proptest::prelude::*;

use crate::memory::DocumentChange;
use crate::memory::journal::checks::fixture::{Draft, Journal, doc, told};
use crate::memory::journal::{
    Entry, EntryKind, Record, Redaction, Redactor, Remembered, ReplayError, Seq, Splice, Verifier, text_before,
};
use crate::text::Revision;

fn find(journal: &Journal, texts: &[&str]) -> Redaction {
    let mut redactor = Redactor::new(&[], texts);
    journal.entries.iter().for_each(|entry| redactor.entry(entry));
    redactor.finish()
}

/// Records a redaction of `text`, and erases what it names.
fn redact(journal: &mut Journal, text: &str) -> Redaction {
    let found = find(journal, &[text]);
    let mut draft = journal.draft(EntryKind::Redaction);
    draft.header.erased = found.erased.clone();
    draft.documents = found.snapshots.iter().map(|name| snapshot(journal, name, text)).collect();
    journal.commit(draft);
    for entry in &mut journal.entries {
        *entry = entry.redacted(&found.erased).unwrap_or_else(|| entry.clone());
    }
    found
}

/// Drafts a document without `text`, whole.
fn snapshot(journal: &mut Journal, name: &crate::memory::name::DocName, text: &str) -> DocumentChange {
    let mut new = journal.texts.get(name).cloned().flatten().unwrap_or_default();
    let held = new.contains(text);
    // What stands around it may make it again.
    while new.contains(text) {
        new = new.replace(text, "");
    }
    let change = journal.spliced(name.clone(), Some(&new), Vec::new());
    DocumentChange { splices: (!held).then(Vec::new), is_whole: true, ..change }
}

fn runs(runs: &crate::memory::journal::Runs) -> String {
    runs.iter().map(|run| run.to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns a journal in which a PIN comes (3), stays (4), is in a memory (5), goes (6), and in which all else is innocent.
fn pinned() -> Journal {
    let mut journal = Journal::new(4);
    journal.edit("memory", Some("- Has a dog, and a bank\n- Likes tea\n"));
    journal.edit("memory", Some("- Has a dog, and a bank, PIN 4711\n- Likes tea\n"));
    journal.edit("memory", Some("- Has a dog, and a bank, PIN 4711\n- Likes green tea\n"));
    journal.record(EntryKind::Memory, |draft| {
        let remembered = Remembered { text: "the PIN is 4711".into(), tier: Default::default(), importance: 9 };
        draft.body.record = Some(Record::Memory(remembered));
    });
    journal.edit("memory", Some("- Has a dog, and a bank\n- Likes green tea\n"));
    journal.edit("notes", Some("innocent"));
    journal
}

#[test]
fn bodies_that_hold_a_text_go_and_lookups_that_depend_on_it() {
    let mut journal = pinned();
    let found = redact(&mut journal, "4711");
    assert_eq!((runs(&found.erased.bodies), runs(&found.erased.lookups)), ("3 5-6".to_owned(), "3-6".to_owned()));
    assert_eq!(found.snapshots, [doc("memory")]);
    assert!(found.headers.is_empty());
    let kept = journal.entry(Seq::new(4)).and_then(Entry::body);
    assert_eq!(
        kept.and_then(|content| content.reason.as_deref()),
        Some("because"),
        "an innocent entry keeps its reason"
    );
    assert_eq!(told(Verifier::new().with_checkpoint(&journal.checkpoint()), &journal.written()), [""; 0]);
    assert_eq!(find(&journal, &["4711"]).erased, Default::default(), "nothing is left to be erased");
}

#[test]
fn a_pin_is_not_found_again_by_trying_all() {
    let mut journal = pinned();
    let plain = journal.clone();
    redact(&mut journal, "4711");
    let text = |pin: u32| format!("- Has a dog, and a bank, PIN {pin:04}\n- Likes tea\n");
    assert_eq!(tried(&plain, text), [4711]);
    assert_eq!(tried(&journal, text), [0; 0]);
    assert!(journal.written().iter().all(|line| !line.contains("4711")));
}

/// Tries all PINs: returns those whose text has a revision that stands in the journal.
fn tried(journal: &Journal, text: impl Fn(u32) -> String) -> Vec<u32> {
    let lines = journal.written().concat();
    let hex =
        |revision: &Revision| revision.digest().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    // Those around the right one are as good as all ten thousand.
    let found = |pin: &u32| lines.contains(&hex(&Revision::of(&text(*pin))));
    (4650..4750).filter(found).collect()
}

#[test]
fn a_text_that_two_edits_made_together_takes_both_that_touch_it() {
    let mut journal = Journal::new(4);
    for text in ["PIN 4", "PIN 47", "PIN 4711", "PIN 4711, no", "no"] {
        journal.edit("memory", Some(text));
    }
    // 12 and then 34 behind it; the comma behind it is innocent, what takes it away is not.
    let found = redact(&mut journal, "4711");
    assert_eq!((runs(&found.erased.bodies), runs(&found.erased.lookups)), ("4 6".to_owned(), "4-6".to_owned()));
    assert_eq!(told(Verifier::new(), &journal.written()), [""; 0]);
    let text = |seq: u64| replay(&journal, seq);
    assert_eq!(text(6), Ok(Some("no".to_owned())));
    assert_eq!((text(5), text(3)), (Err(ReplayError::Erased(Seq::new(6))), Err(ReplayError::Erased(Seq::new(6)))));
    assert_eq!(text(7), Ok(Some("no".to_owned())), "the redaction records the text whole");
}

/// Goes back from the text that `memory` has now to the one after an entry.
fn replay(journal: &Journal, seq: u64) -> Result<Option<String>, ReplayError> {
    let name = doc("memory");
    let mut text = journal.texts.get(&name).cloned().flatten();
    for entry in journal.entries.iter().rev().filter(|entry| entry.link(&name).is_some()) {
        if entry.seq() <= Seq::new(seq) {
            break;
        }
        text = text_before(entry, &name, text.as_deref())?;
    }
    Ok(text)
}

#[test]
fn a_document_that_holds_it_now_is_recorded_whole_without_it() {
    let mut journal = Journal::new(4);
    journal.edit("memory", Some("a"));
    journal.edit("memory", Some("a secret"));
    let found = redact(&mut journal, "secret");
    assert_eq!(found.snapshots, [doc("memory")]);
    assert_eq!(told(Verifier::new(), &journal.written()), [""; 0]);
    journal.edit("memory", Some("a b"));
    assert_eq!(told(Verifier::new(), &journal.written()), [""; 0]);
    assert_eq!(replay(&journal, 5), Ok(Some("a b".to_owned())));
    assert_eq!(text_before(&journal.entries[3], &doc("memory"), Some("a ")), Err(ReplayError::Erased(Seq::new(4))));
}

#[test]
fn a_redaction_that_is_not_finished_is_a_notice_and_one_of_what_comes_erases_nothing() {
    let mut journal = pinned();
    let whole = journal.entries.clone();
    redact(&mut journal, "4711");
    let mut lines = journal.written();
    for (line, entry) in lines.iter_mut().zip(&whole) {
        *line = entry.to_line();
    }
    assert_eq!(
        told(Verifier::new(), &lines),
        ["entry 3: has a body that a redaction erased", "entry 5-6: has a body that a redaction erased"]
    );
    let later = journal.head().seq.plus(2);
    journal.record(EntryKind::Redaction, |draft: &mut Draft| draft.header.erased.bodies.insert(later));
    journal.edit("notes", Some("guilty"));
    if let Some(last) = journal.entries.last_mut() {
        *last = last.clone().without_body();
    }
    assert_eq!(
        told(Verifier::new(), &journal.written()),
        [format!("entry {later}: lacks its body, which no redaction erased")]
    );
}

#[test]
fn a_header_that_holds_it_is_told() {
    let mut journal = pinned();
    journal.record(EntryKind::Memory, |draft| draft.header.source = Some("chat of 4711".into()));
    assert_eq!(runs(&find(&journal, &["4711"]).headers), "8");
}

#[test]
fn what_is_erased_over_an_unknown_stretch_is_what_could_be_a_piece_of_it() {
    let mut journal = Journal::new(4);
    for text in ["x", "x secret", "x secret 08", "x secret 0815", "x secret 0815!", "x"] {
        journal.edit("memory", Some(text));
    }
    redact(&mut journal, "secret");
    let found = redact(&mut journal, "0815");
    assert_eq!(runs(&found.erased.bodies), "4-5", "what made it in pieces, and not the mark behind it");
    assert_eq!(told(Verifier::new(), &journal.written()), [""; 0]);
}

#[test]
fn a_request_id_goes_with_a_content_that_it_was_made_of() {
    let mut journal = pinned();
    journal.record(EntryKind::Decision, |draft| {
        draft.body.reason = Some("4711".into());
        draft.request = "07".repeat(32).parse().ok();
    });
    let found = find(&journal, &["4711"]);
    assert_eq!(runs(&found.erased.lookups), "3-6 8");
}

#[test]
fn what_a_document_was_before_it_went_counts_as_much_as_what_it_became() {
    let mut journal = Journal::new(4);
    journal.edit("memory", Some("a secret"));
    journal.edit("memory", None);
    // Its content is gone already, and does not tell any more that the text was in it.
    journal.entries[2] = journal.entries[2].clone().without_body();
    let found = find(&journal, &["secret"]);
    assert_eq!((runs(&found.erased.bodies), runs(&found.erased.lookups)), ("2".to_owned(), "2-3".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Texts of few letters, so that the secret comes and goes, in whole and in pieces.
    #[test]
    fn no_text_that_is_left_or_replayed_holds_what_was_erased(texts in prop::collection::vec("[abc]{0,8}", 1..14)) {
        let mut journal = Journal::new(4);
        for text in &texts {
            journal.edit("memory", Some(text));
        }
        redact(&mut journal, "ab");
        prop_assert_eq!(told(Verifier::new(), &journal.written()), [""; 0]);
        for entry in &journal.entries[1..] {
            let replayed = replay(&journal, entry.seq().get());
            prop_assert!(!replayed.as_ref().is_ok_and(|text| text.as_ref().is_some_and(|text| text.contains("ab"))));
            let Ok(text) = replayed else { continue };
            let before = text_before(entry, &doc("memory"), text.as_deref());
            prop_assert!(!before.is_ok_and(|text| text.is_some_and(|text| text.contains("ab"))));
            let splices: &[Splice] = entry.splices(&doc("memory")).unwrap_or_default();
            prop_assert!(splices.iter().all(|splice| !splice.added.contains("ab") && !splice.removed.contains("ab")));
        }
    }
}
