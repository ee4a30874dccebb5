//! What is redacted is gone, and the rest is as provable as before.

use std::sync::Arc;

use memdoc::memory::journal::Seq;
use memdoc::memory::{Actor, Moment, NewMemory, RequestId, Undo};
use memdoc::{Basis, Code, DocName, InMemoryStore, Known, Memory, Operation, Origin, Policy, Replace, Store};
use proptest::prelude::*;
use serde_json::json;

use crate::support::draws::usually;

const SECRET: &str = "quokka";

fn origin() -> Origin {
    Origin::new(Actor::default(), "replace")
}

fn host() -> Origin {
    Origin::host("privacy")
}

fn open(text: &str) -> (Arc<InMemoryStore>, Memory) {
    let store = Arc::new(InMemoryStore::new().with(DocName::memory(), text));
    (store.clone(), Memory::new(store, Policy::default()).unwrap())
}

fn lines(store: &InMemoryStore) -> String {
    let mut all = String::new();
    store.scan(&mut |line| all.push_str(std::str::from_utf8(line).unwrap())).unwrap();
    all
}

fn replace(memory: &Memory, old: &str, new: &str) -> Option<Seq> {
    let request = Replace::new(old, new);
    let operation = Operation::edit(DocName::memory(), Basis::Anything, &request);
    memory.apply(&[operation], &origin(), RequestId::new("replace", &json!([old, new]))).ok()?[0].seq
}

#[test]
fn a_text_goes_from_documents_and_from_all_that_could_tell_it() {
    let (store, memory) = open("## Facts\n- Lives in Denver\n- PIN: none\n");
    let wrote = replace(&memory, "none", SECRET).unwrap();
    let kept = replace(&memory, "Denver", "Austin").unwrap();
    memory.remember(&NewMemory::new(format!("Said that the PIN is {SECRET}")), &origin()).unwrap();
    let unhurt = memory.remember(&NewMemory::new("Likes tea"), &origin()).unwrap().seq;
    let done = memory.redact(&[], &[SECRET], &host()).unwrap();
    assert_eq!(memory.read(&DocName::memory()).unwrap().text(), "## Facts\n- Lives in Austin\n- PIN: (redacted)\n");
    assert!(!lines(&store).contains(SECRET) && done.documents == [DocName::memory()] && done.headers.is_empty());
    assert!(memory.verify(None).unwrap().is_sound(), "{:?}", memory.verify(None).unwrap().findings);
    // What was done is still told of the edit beside it, and nothing of what the text was then.
    assert!(memory.entry(kept).unwrap().body().is_some() && !memory.entry(kept).unwrap().has_lookup());
    assert!(memory.entry(unhurt).unwrap().body().is_some());
    assert_eq!(memory.text_at(&DocName::memory(), &Moment::After(wrote)).unwrap_err().code(), Code::Redacted);
    assert_eq!(memory.undo(Undo::Entry(wrote), &origin()).unwrap_err().code(), Code::Redacted);
    // Replay goes on from the snapshot.
    let later = replace(&memory, "Austin", "Rome").unwrap();
    let text = memory.text_at(&DocName::memory(), &Moment::After(later)).unwrap();
    assert_eq!(text.as_deref(), Some("## Facts\n- Lives in Rome\n- PIN: (redacted)\n"));
    assert!(memory.undo(Undo::Entry(later), &origin()).is_ok());
}

#[test]
fn entries_are_erased_by_number() {
    let (store, memory) = open("- a\n");
    let seq = memory.remember(&NewMemory::new("Something else"), &origin().with_reason("gossip")).unwrap().seq;
    memory.redact(&[seq], &[], &host()).unwrap();
    let entry = memory.entry(seq).unwrap();
    assert!(entry.body().is_none() && !entry.has_lookup() && !lines(&store).contains("gossip"));
    assert!(memory.verify(None).unwrap().is_sound());
    assert_eq!(memory.read(&DocName::memory()).unwrap().text(), "- a\n");
}

#[test]
fn only_the_host_redacts_and_only_something() {
    let (_, memory) = open("- a\n");
    assert_eq!(memory.redact(&[], &["a"], &origin()).unwrap_err().code(), Code::InvalidArguments);
    assert_eq!(memory.redact(&[], &[], &host()).unwrap_err().code(), Code::InvalidArguments);
    assert_eq!(memory.redact(&[], &["a", " "], &host()).unwrap_err().code(), Code::InvalidArguments);
    assert_eq!(memory.redact(&[Seq::new(99)], &["a"], &host()).unwrap_err().code(), Code::UnknownEntry);
    assert_eq!(memory.read(&DocName::memory()).unwrap().text(), "- a\n");
}

#[test]
fn documents_are_recorded_whole_only_if_they_hold_the_text_or_held_it() {
    let (store, memory) = open(&format!("- PIN: {SECRET}\n- tea\n"));
    let notes: DocName = "notes".parse().unwrap();
    memory.create(&notes, "- nothing of it\n").unwrap();
    replace(&memory, SECRET, "none").unwrap();
    let before = memory.read(&DocName::memory()).unwrap().revision();
    let done = memory.redact(&[], &[SECRET], &host()).unwrap();
    assert!(done.documents.is_empty() && !lines(&store).contains(SECRET));
    let entry = memory.entry(done.seq).unwrap();
    assert!(entry.link(&notes).is_none(), "it never held the text");
    assert_eq!(entry.revision(&DocName::memory()), Some(before), "it does not hold it any more");
}

#[test]
fn what_a_redaction_left_is_redacted_where_the_text_is_not_known_any_more() {
    let (_, memory) = open(&format!("- alpha: {SECRET}\n- beta: wombat\n"));
    replace(&memory, SECRET, "none").unwrap();
    let between = replace(&memory, "- alpha", "* new\n- alpha").unwrap();
    replace(&memory, "wombat", "nothing").unwrap();
    memory.redact(&[], &[SECRET], &host()).unwrap();
    assert!(memory.entry(between).unwrap().has_lookup(), "it was gone by then");
    memory.redact(&[], &["wombat"], &host()).unwrap();
    assert!(!memory.entry(between).unwrap().has_lookup(), "it was there, whatever else was");
    assert!(memory.verify(None).unwrap().is_sound());
}

#[test]
fn a_retry_across_a_redaction_is_not_guessed() {
    let (_, memory) = open(&format!("- PIN: {SECRET}\n- b\n"));
    let known = Known::of(&memory.read(&DocName::memory()).unwrap());
    let request = Replace::new("- b", "- c");
    let call = || {
        let operation = Operation::edit(DocName::memory(), Basis::Known(&known), &request);
        memory.apply(&[operation], &origin(), RequestId::new("replace", &json!("b to c")))
    };
    call().unwrap();
    memory.redact(&[], &[SECRET], &host()).unwrap();
    assert_eq!(call().unwrap_err().code(), Code::Indeterminate);
}

#[test]
fn a_text_that_comes_back_when_it_is_taken_out_is_taken_out_again() {
    for (text, secret) in [("- a1a1bb\n", "a1b"), ("- )(x)(\n", ")("), ("- redacted (redacted)\n", "redacted")] {
        let (store, memory) = open(text);
        memory.redact(&[], &[secret], &host()).unwrap();
        assert!(!memory.read(&DocName::memory()).unwrap().text().contains(secret), "{text}");
        // Beside hexadecimal digits, which may hold anything.
        let first = &lines(&store)[..lines(&store).find("\"hash\"").unwrap()];
        assert!(first.contains("\"body\":null") && !first.contains("removed"), "{first}");
    }
}

proptest! {
    #![proptest_config(usually(256))]

    /// Whatever was written before and after: nothing of it is left, and all that is told holds.
    #[test]
    fn nothing_of_a_secret_is_left(
        words in prop::collection::vec(("[ax\n -]{1,3}", "[axy\n ]{0,4}"), 0..8),
        later in prop::collection::vec(("[ax\n -]{1,3}", "[axy\n ]{0,4}"), 0..4),
        secret in "[axy]{2,3}",
    ) {
        let (store, memory) = open("- ax xa\n- ay\n\n- xay ax\n");
        let write = |words: &[(String, String)]| {
            for (old, new) in words {
                replace(&memory, old, new);
            }
        };
        write(&words);
        // Its own letters stand in names that no redaction may take.
        memory.redact(&[], &[&secret], &host()).unwrap();
        let doc = memory.read(&DocName::memory()).unwrap();
        prop_assert!(!doc.text().contains(&secret));
        store.scan(&mut |line| {
            let entry = memdoc::memory::journal::Entry::parse(line).unwrap();
            let said = format!("{:#?}", entry.body().map(|content| (&content.splices, &content.reason, &content.sections)));
            assert!(!said.contains(&secret), "{said}");
        }).unwrap();
        write(&later);
        let verified = memory.verify(None).unwrap();
        prop_assert!(verified.is_sound(), "{:?}", verified.findings);
        let now = memory.text_at(&DocName::memory(), &Moment::Time(memory.now())).unwrap();
        let current = memory.read(&DocName::memory()).unwrap();
        prop_assert_eq!(now.as_deref(), Some(current.text()));
    }
}
