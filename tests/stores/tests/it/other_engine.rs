//! A store of another engine, written from the trait's documentation, keeps the rules.

use std::collections::HashMap;
use std::sync::Mutex;

use memdoc::testing::conform;
use memdoc::{DocName, Memory, Policy, Store};
use memdoc_stores::RedbStore;

#[test]
fn a_store_in_a_file_of_another_engine_keeps_the_rules() {
    let directory = tempfile::tempdir().unwrap();
    let memories: Mutex<HashMap<String, RedbStore>> = Mutex::default();
    let open = |memory: &str| -> Box<dyn Store> {
        let mut memories = memories.lock().unwrap();
        let opened = || RedbStore::open(&directory.path().join(memory)).unwrap();
        Box::new(memories.entry(memory.to_owned()).or_insert_with(opened).clone())
    };
    conform(open).unwrap_or_else(|violations| panic!("{violations}"));
}

#[test]
fn a_memory_in_it_is_there_when_it_is_opened_again() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("memory");
    let memory = |store| Memory::new(store, Policy::default()).unwrap();
    memory(RedbStore::open(&file).unwrap()).write(&DocName::memory(), "- Lives in Denver\n").unwrap();
    let again = memory(RedbStore::open(&file).unwrap());
    assert_eq!(again.read(&DocName::memory()).unwrap().text(), "- Lives in Denver\n");
    assert!(again.verify(None).unwrap().is_sound());
}
