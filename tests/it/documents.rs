//! Whole documents: a host creates, seeds, renames and deletes them, all at once or not at all.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memdoc::memory::{Actor, AppliedStatus, Outcome, RequestId, StoreError};
use memdoc::{Basis, DocName, InMemoryStore, Memory, MemoryError, Operation, Origin, Policy, Replace, Store};
use proptest::prelude::*;

use crate::support::changes::attempt;
use crate::support::draws::usually;
use crate::support::stores::Hooked;

const TEXT: &str = "## Facts\r\n- a\u{200B}b\n\n## System/Policy\n- Never.";

fn name(name: &str) -> DocName {
    name.parse().unwrap()
}

fn memory(store: impl Store + 'static) -> Memory {
    Memory::new(store, Policy::default().with_required_sections(["Facts"]).with_max_bytes(200)).unwrap()
}

fn texts(memory: &Memory) -> Vec<(String, String)> {
    let text = |name: DocName| (name.to_string(), memory.read(&name).unwrap().text().to_owned());
    memory.documents().unwrap().into_iter().map(text).collect()
}

/// Checks what is the same in every store.
fn check(store: impl Store + 'static) {
    let memory = memory(store);
    let (notes, projects) = (name("notes"), name("projects"));
    assert!(texts(&memory).is_empty());
    memory.create(&notes, "## System/Policy\n- Never.\n").unwrap();
    memory.create(&projects, "").unwrap();
    let before = texts(&memory);
    assert_eq!(before, [("notes".into(), "## System/Policy\n- Never.\n".into()), ("projects".into(), String::new())]);

    assert!(matches!(memory.create(&notes, "x"), Err(MemoryError::DocumentExists { .. })));
    assert!(matches!(memory.rename(&notes, &projects), Err(MemoryError::DocumentExists { .. })));
    assert!(matches!(memory.rename(&name("others"), &name("more")), Err(MemoryError::UnknownDocument { .. })));
    assert!(matches!(memory.delete(&name("others")), Err(MemoryError::UnknownDocument { .. })));
    assert!(matches!(memory.delete(&DocName::memory()), Err(MemoryError::UnknownDocument { .. })));
    assert!(
        matches!(memory.rename(&notes, &notes), Err(MemoryError::Refused { document: Some(twice), .. }) if twice == notes)
    );
    assert_eq!(memory.create(&name("large"), &"x".repeat(201)).unwrap_err().code(), "too_large");
    assert_eq!(memory.create(&name("odd"), "a\u{200B}b").unwrap_err().code(), "invalid_text");
    assert_eq!(texts(&memory), before, "what is refused changes nothing");

    assert_eq!(memory.seed(&notes, "x").unwrap().text(), "## System/Policy\n- Never.\n");
    assert_eq!(memory.seed(&name("core"), "x").unwrap().text(), "x");
    assert_eq!(memory.rename(&notes, &name("kept")).unwrap().text(), "## System/Policy\n- Never.\n");
    memory.delete(&projects).unwrap();
    memory.delete(&name("core")).unwrap();
    assert_eq!(texts(&memory), [("kept".into(), "## System/Policy\n- Never.\n".into())]);
    // The very same calls are new ones.
    memory.create(&projects, "").unwrap();
    memory.delete(&projects).unwrap();
    memory.delete(&name("kept")).unwrap();
    assert!(texts(&memory).is_empty() && memory.read(&notes).unwrap().text().is_empty());
}

#[test]
fn each_store_creates_renames_and_deletes_documents() {
    check(InMemoryStore::new());
    #[cfg(unix)]
    check(memdoc::FileStore::open(&*crate::support::scratch::Scratch::create()).unwrap());
    let boxed: Box<dyn Store> = Box::new(InMemoryStore::new());
    check(boxed);
}

#[test]
fn a_document_is_renamed_byte_for_byte_whatever_is_in_it() {
    let memory = memory(InMemoryStore::new().with(name("notes"), TEXT));
    assert_eq!(memory.rename(&name("notes"), &name("kept")).unwrap().text(), TEXT);
    assert_eq!(texts(&memory), [("kept".into(), TEXT.into())]);
}

/// A store whose next commit fails after it was asked for, without being made.
fn losing(loses: Arc<AtomicBool>) -> Hooked {
    Hooked::new(InMemoryStore::new(), move |store, change| match loses.swap(false, Ordering::Relaxed) {
        true => Ok(Outcome::Indeterminate(StoreError::Busy { path: "lock".into() })),
        false => store.commit(change),
    })
}

#[test]
fn a_deletion_whose_answer_was_lost_is_not_taken_for_an_earlier_one() {
    let loses = Arc::new(AtomicBool::new(false));
    let memory = memory(losing(loses.clone()));
    let notes = name("notes");
    memory.create(&notes, "a").unwrap();
    memory.delete(&notes).unwrap();
    memory.create(&notes, "a").unwrap();
    loses.store(true, Ordering::Relaxed);
    assert!(matches!(memory.delete(&notes), Err(MemoryError::Store(_))));
    assert_eq!(texts(&memory), [("notes".into(), "a".into())]);
    loses.store(true, Ordering::Relaxed);
    assert!(matches!(memory.create(&name("core"), "b"), Err(MemoryError::Store(_))));
    assert_eq!(texts(&memory).len(), 1);
}

#[test]
fn an_edit_that_another_try_has_made_at_the_same_time_is_answered_with_the_text_after_it() {
    let twice = Arc::new(AtomicBool::new(false));
    let is_due = twice.clone();
    let store = Hooked::new(InMemoryStore::new(), move |store, change| {
        if is_due.swap(false, Ordering::Relaxed) {
            let mut other = change.clone();
            other.attempt = attempt();
            store.commit(&other)?;
        }
        store.commit(change)
    });
    let memory = memory(store);
    memory.seed(&DocName::memory(), "## Facts\n- tea\n").unwrap();
    twice.store(true, Ordering::Relaxed);
    let request = Replace::new("tea", "coffee");
    let operation = Operation::edit(DocName::memory(), Basis::Anything, &request);
    let id = RequestId::new("replace", &"coffee".into());
    let applied = memory.apply(&[operation], &Origin::new(Actor::default(), "replace"), id).unwrap();
    assert_eq!(applied[0].status, AppliedStatus::AlreadyApplied);
    assert_eq!(applied[0].doc.text(), "## Facts\n- coffee\n");
}

/// Does to a memory, and to a plain map beside it, what a host may ask for.
fn step(memory: &Memory, model: &mut std::collections::BTreeMap<String, String>, (verb, from, to): (u8, u8, u8)) {
    let document = |nth: u8| ["memory", "notes", "projects"][usize::from(nth % 3)].to_owned();
    let (from, to) = (document(from), document(to));
    let is_there = model.contains_key(&from);
    match verb % 4 {
        0 => {
            assert_eq!(memory.create(&name(&from), &to).is_ok(), !is_there);
            model.entry(from).or_insert(to);
        }
        1 => {
            let seeded = memory.seed(&name(&from), &to).unwrap();
            assert_eq!(seeded.text(), model.entry(from).or_insert(to));
        }
        2 => {
            let may = is_there && !model.contains_key(&to);
            assert_eq!(memory.rename(&name(&from), &name(&to)).is_ok(), may);
            if let (true, Some(text)) = (may, model.get(&from).cloned()) {
                model.remove(&from);
                model.insert(to, text);
            }
        }
        _ => assert_eq!(memory.delete(&name(&from)).is_ok(), model.remove(&from).is_some()),
    }
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn documents_are_what_a_plain_map_says(steps in prop::collection::vec(any::<(u8, u8, u8)>(), 1..24)) {
        let memory = memory(InMemoryStore::new());
        let mut model = std::collections::BTreeMap::new();
        for taken in steps {
            step(&memory, &mut model, taken);
            prop_assert_eq!(texts(&memory), model.clone().into_iter().collect::<Vec<_>>());
        }
    }
}
