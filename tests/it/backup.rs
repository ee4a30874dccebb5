//! A backup is all of the memory, or none.

use std::fs;

use memdoc::memory::BlockUpdate;
use memdoc::{Code, DocName, FileStore, InMemoryStore, Memory, Origin, Policy};

use crate::support::changes::name;
use crate::support::scratch::Scratch;

#[test]
fn it_is_the_memory_as_it_stands() {
    let scratch = Scratch::create();
    let policy = Policy::default().with_new_documents().with_folders();
    let memory = Memory::new(InMemoryStore::new(), policy.clone()).unwrap();
    memory.write(&DocName::memory(), "- Lives in Denver\n").unwrap();
    memory.write(&name("trips/spring/rome"), "- In May\n").unwrap();
    memory.update_block(&BlockUpdate::new("persona", "I am Kite."), &Origin::host("setup")).unwrap();
    memory.backup(scratch.join("a/copy")).unwrap();
    let copy = Memory::new(FileStore::open(scratch.join("a/copy")).unwrap(), policy).unwrap();
    assert_eq!(
        (copy.head().unwrap(), copy.documents().unwrap()),
        (memory.head().unwrap(), memory.documents().unwrap())
    );
    assert_eq!(copy.read(&name("trips/spring/rome")).unwrap().text(), "- In May\n");
    assert!(copy.verify(None).unwrap().is_sound());
}

#[test]
fn it_is_refused_beside_a_file_that_cannot_be_read_and_where_something_is() {
    let scratch = Scratch::create();
    let memory = Memory::new(FileStore::open(scratch.join("own")).unwrap(), Policy::default()).unwrap();
    memory.write(&name("plans"), "- Rest\n").unwrap();
    fs::write(scratch.join("own/plans.md"), [0xFF, 0xFE]).unwrap();
    let error = memory.backup(scratch.join("copy")).unwrap_err();
    assert!(error.to_string().contains("plans.md"), "{error}");
    assert!(fs::read_dir(scratch.join("copy")).unwrap().next().is_none());
    fs::remove_file(scratch.join("own/plans.md")).unwrap();
    assert_eq!(memory.backup(scratch.join("own")).unwrap_err().code(), Code::Store);
}
