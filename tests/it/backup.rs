//! A backup is all of the memory, or none.

use std::fs::File;
use std::io::Write as _;
use std::sync::Barrier;
use std::{fs, thread};

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
    memory.update_block("persona", "I am Kite.", None, &Origin::host("setup")).unwrap();
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

#[test]
fn of_two_into_one_directory_at_once_one_is_made() {
    let memories = ["a", "b"].map(|tag| {
        let memory = Memory::new(InMemoryStore::new(), Policy::default().with_new_documents()).unwrap();
        (0..12).for_each(|nth| drop(memory.write(&name(&format!("{tag}{nth}")), "- x\n").unwrap()));
        memory
    });
    for _ in 0..12 {
        let (scratch, start) = (Scratch::create(), Barrier::new(2));
        let backup = |memory: &Memory| {
            start.wait();
            memory.backup(scratch.join("copy")).is_ok()
        };
        let made = thread::scope(|scope| {
            let threads = memories.each_ref().map(|memory| scope.spawn(|| backup(memory)));
            threads.map(|thread| thread.join().unwrap())
        });
        assert!(made != [true, true], "two memories in one directory");
        if let Some(memory) = made.iter().position(|made| *made).and_then(|made| memories.get(made)) {
            let copy = Memory::new(FileStore::open(scratch.join("copy")).unwrap(), Policy::default()).unwrap();
            assert_eq!(copy.head().unwrap(), memory.head().unwrap());
            assert_eq!(copy.documents().unwrap(), memory.documents().unwrap());
        }
    }
}

#[test]
fn what_is_committed_in_its_directory_meanwhile_stays() {
    let memory = Memory::new(InMemoryStore::new(), Policy::default().with_new_documents()).unwrap();
    (0..60).for_each(|nth| drop(memory.write(&name(&format!("d{nth}")), "- x\n").unwrap()));
    for _ in 0..8 {
        let scratch = Scratch::create();
        let directory = scratch.join("copy");
        thread::scope(|scope| {
            let backup = scope.spawn(|| memory.backup(&directory).is_ok());
            while !directory.exists() {
                thread::yield_now();
            }
            let other = Memory::new(FileStore::open(&directory).unwrap(), Policy::default()).unwrap();
            let is_written = other.write(&DocName::memory(), "- mine\n").is_ok();
            let _ = backup.join().unwrap();
            assert!(!is_written || other.read(&DocName::memory()).unwrap().text() == "- mine\n", "a commit is lost");
        });
    }
}

#[test]
fn a_file_that_somebody_puts_into_its_directory_meanwhile_stays() {
    let memory = Memory::new(InMemoryStore::new(), Policy::default().with_new_documents()).unwrap();
    (0..60).for_each(|nth| drop(memory.write(&name(&format!("d{nth}")), "- x\n").unwrap()));
    for _ in 0..4 {
        let scratch = Scratch::create();
        let directory = scratch.join("copy");
        thread::scope(|scope| {
            let backup = scope.spawn(|| memory.backup(&directory).is_ok());
            while !directory.join("d0.md").exists() {
                thread::yield_now();
            }
            // The last one to be written.
            let last = directory.join("d9.md");
            let is_put = File::create_new(&last).and_then(|mut file| file.write_all(b"- mine\n")).is_ok();
            let is_made = backup.join().unwrap();
            assert!(!(is_put && is_made), "a file was replaced");
            assert_eq!(fs::read_to_string(&last).unwrap(), if is_put { "- mine\n" } else { "- x\n" });
        });
    }
}
