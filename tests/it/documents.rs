//! Whole documents: a host creates, seeds, renames and deletes them, all at once or not at all.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memdoc::{
    DocName, FileStore, InMemoryStore, Memory, MemoryError, Policy, Revision, Store, memory::Change,
    memory::DocumentChange, memory::Outcome, memory::RequestId, memory::State, memory::StoreError,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::scratch::Scratch;

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
    assert!(matches!(memory.rename(&notes, &notes), Err(MemoryError::NamedTwice { .. })));
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
    check(FileStore::open(&*Scratch::create()).unwrap());
    let boxed: Box<dyn Store> = Box::new(InMemoryStore::new());
    check(boxed);
}

#[test]
fn a_document_is_renamed_byte_for_byte_whatever_is_in_it() {
    let memory = memory(InMemoryStore::new().with(name("notes"), TEXT));
    assert_eq!(memory.rename(&name("notes"), &name("kept")).unwrap().text(), TEXT);
    assert_eq!(texts(&memory), [("kept".into(), TEXT.into())]);
}

fn is_committed(outcome: &Result<Outcome, StoreError>) -> bool {
    matches!(outcome, Ok(Outcome::Committed))
}

fn id(of: &str) -> RequestId {
    RequestId::new("test", &Value::from(of))
}

/// Leaves behind what a crash in the middle of renaming `memory` to `core` leaves.
fn leave_half_renamed(scratch: &Path, done: usize) {
    let revision = Revision::of("a").to_string();
    let pending = json!({"format": 1, "id": id("2").to_string(), "bases": [], "documents": [
        {"name": "core", "expected": null, "next": revision},
        {"name": "memory", "expected": revision, "next": null},
    ]});
    fs::write(scratch.join(if done > 0 { "core.md" } else { ".memdoc/next-core.md" }), "a").unwrap();
    if done > 1 {
        fs::remove_file(scratch.join("memory.md")).unwrap();
    }
    fs::write(scratch.join(".memdoc/pending.json"), pending.to_string()).unwrap();
}

#[test]
fn a_renaming_that_was_interrupted_is_completed_on_the_next_access() {
    for done in 0..=2 {
        let scratch = Scratch::create();
        let store = FileStore::open(&*scratch).unwrap();
        let change = DocumentChange::new(DocName::memory(), None, "a");
        assert!(is_committed(&store.commit(&Change::new(id("1"), vec![change]))));
        leave_half_renamed(&scratch, done);
        let documents = FileStore::open(&*scratch).unwrap().load().unwrap().documents;
        assert_eq!(documents, [(name("core"), Arc::from("a"))].into_iter().collect(), "{done}");
        assert!(store.landed(id("2")).unwrap() && !scratch.join(".memdoc/pending.json").exists());
    }
}

#[test]
fn a_renaming_that_was_overtaken_by_hand_before_it_began_is_not_made() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    fs::write(scratch.join("memory.md"), "a").unwrap();
    leave_half_renamed(&scratch, 0);
    fs::write(scratch.join("memory.md"), "by hand").unwrap();
    let documents = store.load().unwrap().documents;
    assert_eq!(documents, [(DocName::memory(), Arc::from("by hand"))].into_iter().collect());
    assert!(!store.landed(id("2")).unwrap());
}

#[test]
fn a_document_that_was_changed_since_is_not_deleted() {
    for store in [&InMemoryStore::new() as &dyn Store, &FileStore::open(&*Scratch::create()).unwrap()] {
        let change = |of: &str, change| store.commit(&Change::new(id(of), vec![change]));
        assert!(is_committed(&change("1", DocumentChange::new(name("notes"), None, "a"))));
        let stale = change("2", DocumentChange::deletion(name("notes"), Revision::of("b")));
        assert!(matches!(stale, Ok(Outcome::Conflict { current: Some(_), .. })), "{stale:?}");
        assert!(is_committed(&change("3", DocumentChange::deletion(name("notes"), Revision::of("a")))));
        assert!(store.load().unwrap().documents.is_empty());
    }
}

/// A store whose next commit fails after it was asked for, without being made.
#[derive(Default)]
struct Losing(InMemoryStore, AtomicBool);

impl Store for Losing {
    fn load(&self) -> Result<State, StoreError> {
        self.0.load()
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        match self.1.swap(false, Ordering::Relaxed) {
            true => Ok(Outcome::Indeterminate(StoreError::Busy { path: "lock".into() })),
            false => self.0.commit(change),
        }
    }

    fn landed(&self, id: RequestId) -> Result<bool, StoreError> {
        self.0.landed(id)
    }
}

#[test]
fn a_deletion_whose_answer_was_lost_is_not_taken_for_an_earlier_one() {
    let store = Arc::new(Losing::default());
    let memory = memory(store.clone());
    let notes = name("notes");
    memory.create(&notes, "a").unwrap();
    memory.delete(&notes).unwrap();
    memory.create(&notes, "a").unwrap();
    store.1.store(true, Ordering::Relaxed);
    assert!(matches!(memory.delete(&notes), Err(MemoryError::Store(_))));
    assert_eq!(texts(&memory), [("notes".into(), "a".into())]);
    store.1.store(true, Ordering::Relaxed);
    assert!(matches!(memory.create(&name("core"), "b"), Err(MemoryError::Store(_))));
    assert_eq!(texts(&memory).len(), 1);
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
