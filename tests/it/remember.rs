//! What is remembered beside the documents, and what stands in the place of what.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use memdoc::memory::journal::{EntryKind, Record, Seq};
use memdoc::memory::{Actor, NewMemory, StoreError};
use memdoc::memory::{Landed, Outcome};
use memdoc::{Code, DocName, FileStore, InMemoryStore, Memory, Origin, Policy, Status, Store, Toolbox};
use serde_json::json;

use crate::support::scratch::Scratch;
use crate::support::stores::Hooked;

fn memory() -> Memory {
    Memory::new(InMemoryStore::new(), Policy::default()).unwrap()
}

fn origin() -> Origin {
    Origin::new(Actor::default(), "test")
}

#[test]
fn what_is_remembered_is_an_entry_with_all_that_was_said() {
    let memory = memory();
    let mut new = NewMemory::new("Prefers dark mode");
    (new.importance, new.kind) = (200, EntryKind::Decision);
    let seq = memory.remember(&new, &origin().with_reason("said so")).unwrap().seq;
    let entry = memory.entry(seq).unwrap();
    let Some(Record::Memory(remembered)) = &entry.body().unwrap().record else { panic!("{entry:?}") };
    assert_eq!((remembered.text.as_str(), remembered.importance), ("Prefers dark mode", 10));
    assert_eq!(
        (&entry.header().kind, entry.body().unwrap().reason.as_deref()),
        (&EntryKind::Decision, Some("said so"))
    );
    assert!(entry.header().documents.is_empty() && memory.documents().unwrap().is_empty());
}

#[test]
fn a_text_that_no_document_may_have_is_not_remembered() {
    let memory = Memory::new(InMemoryStore::new(), Policy::default().with_max_bytes(20)).unwrap();
    for (text, code) in [
        ("", Code::InvalidArguments),
        (" \n", Code::InvalidArguments),
        ("zero\u{200b}width", Code::InvalidText),
        ("more than twenty bytes", Code::TooLarge),
        ("## System/Policy\n- x", Code::ReservedSection),
    ] {
        assert_eq!(memory.remember(&NewMemory::new(text), &origin()).unwrap_err().code(), code, "{text:?}");
        assert_eq!(memory.rethink(&[Seq::new(2)], text, &origin()).unwrap_err().code(), code, "{text:?}");
    }
    let mut identity = NewMemory::new("I am Kite");
    identity.kind = EntryKind::Identity;
    assert_eq!(memory.remember(&identity, &origin()).unwrap_err().code(), Code::InvalidArguments);
    assert!(memory.remember(&identity, &Origin::host("setup")).is_ok());
}

#[test]
fn only_what_is_there_and_stands_is_superseded_and_nothing_is_modified() {
    let memory = memory();
    let of = |text: &str| memory.remember(&NewMemory::new(text), &origin()).unwrap().seq;
    let [one, two] = [of("Dark mode"), of("VS Code")];
    let before = memory.entry(one).unwrap();
    let both = memory.rethink(&[two, one, two], "VS Code in dark mode", &origin()).unwrap();
    assert_eq!((both.superseded, memory.entry(one).unwrap()), (2, before));
    let again = memory.rethink(&[one], "Light mode", &origin()).unwrap_err();
    assert_eq!(again.code(), Code::Superseded);
    assert!(again.to_string().contains(&both.seq.to_string()));
    for unknown in [Seq::new(0), Seq::FIRST, both.seq.plus(1)] {
        assert_eq!(memory.rethink(&[unknown], "x", &origin()).unwrap_err().code(), Code::UnknownEntry);
    }
    memory.write(&DocName::memory(), "- a\n").unwrap();
    let edit = memory.head().unwrap().seq;
    assert_eq!(memory.rethink(&[edit], "x", &origin()).unwrap_err().code(), Code::UnknownEntry);
    assert_eq!(memory.rethink(&[], "x", &origin()).unwrap_err().code(), Code::InvalidArguments);
    // What stands in the place of others can be superseded in turn.
    assert!(memory.rethink(&[both.seq], "Emacs", &origin()).is_ok());
    assert!(memory.verify(None).unwrap().is_sound());
}

#[test]
fn what_was_recorded_before_a_lost_answer_is_not_recorded_twice() {
    let loses = Arc::new(AtomicBool::new(false));
    let losing = loses.clone();
    let store = Hooked {
        landed: Some(|| Ok(Landed::Unknown)),
        ..Hooked::new(InMemoryStore::new(), move |store, change| {
            let outcome = store.commit(change)?;
            Ok(match losing.swap(false, Ordering::Relaxed) {
                true => Outcome::Indeterminate(StoreError::Busy { path: "lock".into() }),
                false => outcome,
            })
        })
    };
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    let call = json!({"content": "Prefers dark mode"});
    let first = toolbox.call("memory_commit", &json!({"content": "Uses VS Code"}));
    loses.store(true, Ordering::Relaxed);
    let lost = toolbox.call("memory_commit", &call);
    assert_eq!(lost.code(), Some(Code::Indeterminate), "{lost}");
    let retried = toolbox.call("memory_commit", &call);
    assert_eq!((retried.status(), retried.get("seq")), (Status::AlreadyApplied, Some(&json!(3))), "{retried}");
    let both = json!({"supersedes": [first.get("seq"), 3], "new_understanding": "VS Code in dark mode"});
    loses.store(true, Ordering::Relaxed);
    assert_eq!(toolbox.call("memory_rethink", &both).code(), Some(Code::Indeterminate));
    let retried = toolbox.call("memory_rethink", &both);
    assert_eq!(
        (retried.status(), retried.get("superseded_count")),
        (Status::AlreadyApplied, Some(&json!(2))),
        "{retried}"
    );
    // Said once more on purpose, it is another entry.
    let again = toolbox.call("memory_commit", &call);
    assert_eq!((again.status(), again.get("seq")), (Status::Ok, Some(&json!(5))), "{again}");
}

#[test]
fn a_call_that_arrives_during_a_failed_retry_is_not_made_twice() {
    let note = json!({"mode": "append", "content": "ship it"});
    for (tool, call) in [("memory_commit", json!({"content": "Prefers dark mode"})), ("scratch_note", note)] {
        let (delayed, tries) = (Mutex::new(None), AtomicUsize::new(0));
        let store = Hooked {
            landed: Some(|| Ok(Landed::Unknown)),
            ..Hooked::new(InMemoryStore::new(), move |store, change| {
                let mut delayed = delayed.lock().unwrap();
                match (tries.fetch_add(1, Ordering::Relaxed), delayed.take()) {
                    (0, _) => {
                        *delayed = Some(change.clone());
                        Ok(Outcome::Indeterminate(StoreError::Busy { path: "lock".into() }))
                    }
                    (_, Some(delayed)) => store.commit(&delayed).and(Err(StoreError::Other("disk full".into()))),
                    (_, None) => store.commit(change),
                }
            })
        };
        let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
        assert_eq!(toolbox.call(tool, &call).code(), Some(Code::Indeterminate));
        assert_eq!(toolbox.call(tool, &call).code(), Some(Code::Store));
        let retried = toolbox.call(tool, &call);
        assert_eq!((retried.status(), retried.get("seq")), (Status::AlreadyApplied, Some(&json!(2))), "{retried}");
    }
}

#[test]
fn a_model_is_told_of_what_it_gave_too_much_of() {
    let mut toolbox = Toolbox::new(memory());
    let reply = toolbox.call("memory_commit", &json!({"content": "x", "importance": 11, "tier": "ephemeral"}));
    assert_eq!(reply.get("warnings").unwrap()[0]["code"], "clamped", "{reply}");
    let hash = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    assert_eq!(reply.get("content_hash"), Some(&json!(hash)));
    let refused = toolbox.call("memory_commit", &json!({"content": "x", "type": "identity"}));
    assert_eq!(refused.code(), Some(Code::InvalidArguments), "{refused}");
}

#[test]
fn records_of_every_kind_come_back_from_files() {
    let directory = Scratch::create();
    let open = || Memory::new(FileStore::open(&*directory).unwrap(), Policy::default()).unwrap();
    let mut toolbox = Toolbox::new(open());
    let mut make = |tool: &str, arguments: serde_json::Value| {
        let reply = toolbox.call(tool, &arguments);
        Seq::new(reply.to_json()["seq"].as_u64().unwrap_or_else(|| panic!("{reply}")))
    };
    let memory = make("memory_commit", json!({"content": "Drinks tea", "tier": "relationship"}));
    let consolidation =
        make("memory_rethink", json!({"supersedes": [memory.get()], "new_understanding": "Drinks mate"}));
    let note = make("write_memory", json!({"key": "plan", "content": "ship", "mode": "append"}));
    let block = make("block_update", json!({"label": "goals", "content": "rest", "is_core": false}));
    let files = open();
    let record = |seq| files.entry(seq).unwrap().body().unwrap().record.clone();
    let Some(Record::Memory(remembered)) = record(memory) else { panic!("{:?}", record(memory)) };
    assert_eq!(remembered.text.as_str(), "Drinks tea");
    let Some(Record::Consolidation(text)) = record(consolidation) else { panic!("{:?}", record(consolidation)) };
    assert_eq!(text.as_str(), "Drinks mate");
    assert_eq!(record(note), None);
    let Some(Record::Block(version)) = record(block) else { panic!("{:?}", record(block)) };
    assert_eq!((version.label.as_str(), version.is_core), ("goals", false));
}
