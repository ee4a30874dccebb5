//! Files of strange names, links, and lines that nobody can read: what is done about them is told.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, SystemTime};

use memdoc::memory::{NewMemory, StoreError};
use memdoc::{FileStore, Memory, Origin, Policy, Store, Toolbox};

use crate::support::changes::{change, name, snapshot, text, written};
use crate::support::scratch::Scratch;

/// Writes a file as an editor does that has finished a while ago.
fn edit(path: impl AsRef<Path>, bytes: &str) {
    fs::write(&path, bytes).unwrap();
    File::open(&path).unwrap().set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
}

#[test]
fn what_cannot_be_read_and_holds_a_text_is_told() {
    let scratch = Scratch::create();
    let open = || Memory::new(FileStore::open(&*scratch).unwrap(), Policy::default()).unwrap();
    let origin = Origin::host("privacy");
    let memory = open();
    for reason in ["a \"quokka\"", "a cat", "a dog"] {
        memory.remember(&NewMemory::new("Something"), &origin.clone().with_reason(reason)).unwrap();
    }
    drop(memory);
    let journal = scratch.join(".memdoc/journal.jsonl");
    let damaged = fs::read_to_string(&journal).unwrap().replacen("{\"seq\":2,", "{\"seq\"?2,", 1);
    fs::write(&journal, damaged).unwrap();
    let redacted = |text: &str| open().redact(&[], &[text], &origin).unwrap().unreadable;
    assert_eq!(redacted("\"quokka\""), [2]);
    assert_eq!(redacted("quokka"), [2]);
    assert_eq!(redacted("cat"), [0; 0]);
}

#[test]
fn a_file_that_cannot_be_read_and_may_hold_a_text_is_told() {
    let scratch = Scratch::create();
    let memory = Memory::new(FileStore::open(&*scratch).unwrap(), Policy::default()).unwrap();
    memory.write(&name("plans"), "- PIN 4711\n").unwrap();
    fs::write(scratch.join("memory.md"), b"- PIN 4711 \xFF\n").unwrap();
    let redacted = memory.redact(&[], &["4711"], &Origin::host("privacy")).unwrap();
    assert_eq!(redacted.documents, [name("plans")]);
    assert_eq!(redacted.unusable.iter().map(|unusable| &*unusable.file).collect::<Vec<_>>(), ["memory.md"]);
}

#[test]
fn a_model_is_told_of_files_that_are_not_read() {
    let scratch = Scratch::create();
    fs::write(scratch.join("con.md"), "x").unwrap();
    fs::write(scratch.join("bytes.md"), [0xFF, 0xFE]).unwrap();
    let mut toolbox = Toolbox::new(Memory::new(FileStore::open(&*scratch).unwrap(), Policy::default()).unwrap());
    insta::assert_snapshot!(toolbox.call_str("validate_memory", "{}").to_string(), @r"
    ok (revision e3b0c44298fc): 2 violations
    violations:
    - code unusable_file: the file `bytes.md` is not read: not UTF-8
    - code unusable_file: the file `con.md` is not read: of a name that no document can have, or that another has but for letter case
    ");
}

#[test]
fn a_file_that_cannot_be_read_hides_no_change_of_another() {
    let scratch = Scratch::create();
    let memory = Memory::new(FileStore::open(&*scratch).unwrap(), Policy::default()).unwrap();
    memory.write(&name("plans"), "- a\n").unwrap();
    memory.write(&name("memory"), "- b\n").unwrap();
    let plans = scratch.join("plans.md");
    fs::write(&plans, [0xFF, 0xFE]).unwrap();
    File::open(&plans).unwrap().set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    let told = Toolbox::new(memory).call_str("memory_diff", r#"{"from": 1}"#).to_string();
    assert!(told.contains("+- b") && told.contains("not UTF-8"), "{told}");
}

#[test]
fn a_search_that_finds_nothing_names_what_cannot_be_read() {
    let scratch = Scratch::create();
    let memory = Memory::new(FileStore::open(&*scratch).unwrap(), Policy::default()).unwrap();
    memory.write(&name("plans"), "- paint\n").unwrap();
    fs::write(scratch.join("memory.md"), b"- a seat \xFF\n").unwrap();
    let mut toolbox = Toolbox::new(memory);
    let reply = toolbox.call_str("search_memory", r#"{"query": "seat"}"#);
    assert!(reply.to_string().contains("cannot be read: `memory`"), "{reply}");
    let reply = toolbox.call_str("search_memory", r#"{"query": "paint"}"#);
    assert!(!reply.to_string().contains("cannot be read"), "{reply}");
}

#[test]
fn of_names_equal_but_for_case_the_built_in_or_the_known_one_is_read() {
    let scratch = Scratch::create();
    for [file, line] in [["memory.md", "- lower\n"], ["MEMORY.md", "- upper\n"], ["b.md", "- b\n"]] {
        edit(scratch.join(file), line);
    }
    let store = FileStore::open(&*scratch).unwrap();
    assert_eq!([text(&store, "memory"), text(&store, "b")].map(Option::unwrap), ["- lower\n", "- b\n"]);
    edit(scratch.join("B.md"), "- B\n");
    for (other, read) in [("MEMORY", "memory"), ("B", "b")] {
        let error = store.read(&[name(other)]).unwrap_err();
        assert!(matches!(&error, StoreError::NameTaken { other, .. } if other.as_str() == read), "{error}");
    }
    let listed: Vec<_> = store.revisions(None, 9).unwrap().into_iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(listed, ["b", "memory"]);
    let unusable: Vec<_> = store.unusable().unwrap().into_iter().map(|unusable| unusable.file).collect();
    assert_eq!(unusable, ["B.md", "MEMORY.md"]);
    written(&store, "edit", &[("memory", Some("- new\n")), ("b", Some("- new\n"))]);
    assert_eq!(fs::read_to_string(scratch.join("MEMORY.md")).unwrap(), "- upper\n");
}

#[test]
fn no_document_is_created_beside_one_of_its_name_in_another_case() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    written(&store, "first", &[("people", Some("- Ada\n"))]);
    let wanted = [("People", Some("- Bo\n"))];
    let error = store.commit(&change("other", &snapshot(&store, &wanted), &wanted)).unwrap_err();
    assert!(matches!(&error, StoreError::NameTaken { other, .. } if other.as_str() == "people"), "{error}");
    assert_eq!(fs::read_to_string(scratch.join("people.md")).unwrap(), "- Ada\n");
}

#[test]
fn a_document_whose_file_was_renamed_in_another_case_is_one_document() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    written(&store, "first", &[("people", Some("- Ada\n")), ("notes", Some("## plan\n"))]);
    for [old, new] in [["people.md", "People.md"], ["notes.md", "Notes.md"]] {
        fs::rename(scratch.join(old), scratch.join(new)).unwrap();
    }
    let listed =
        || -> Vec<_> { store.revisions(None, 9).unwrap().into_iter().map(|(name, _)| name.to_string()).collect() };
    assert_eq!(listed(), ["notes", "people"]);
    assert_eq!([text(&store, "people"), text(&store, "notes")].map(Option::unwrap), ["- Ada\n", "## plan\n"]);
    let error = store.read(&[name("People")]).unwrap_err();
    assert!(matches!(&error, StoreError::NameTaken { other, .. } if other.as_str() == "people"), "{error}");
    written(&store, "second", &[("people", Some("- Bo\n"))]);
    assert_eq!(fs::read_to_string(scratch.join("People.md")).unwrap(), "- Bo\n");
    assert_eq!((listed(), store.unusable().unwrap()), (vec!["notes".to_owned(), "people".to_owned()], Vec::new()));
    fs::write(scratch.join("People.md"), b"\xFF").unwrap();
    assert_eq!(store.unusable().unwrap()[0].file, "People.md");
}

#[test]
fn many_open_a_new_directory_at_once() {
    for _ in 0..20 {
        let scratch = Scratch::create();
        let start = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for index in 0..8 {
                let (directory, start) = (&*scratch, &start);
                scope.spawn(move || {
                    start.wait();
                    let store = FileStore::open(directory).unwrap();
                    let memory = Memory::new(store, Policy::default().with_new_documents()).unwrap();
                    memory.create(&name(&format!("d{index}")), "- a\n").unwrap();
                });
            }
        });
        let memory = Memory::new(FileStore::open(&*scratch).unwrap(), Policy::default()).unwrap();
        assert_eq!(memory.documents().unwrap().len(), 8);
        assert!(memory.verify(None).unwrap().is_sound());
    }
}

#[test]
fn a_link_in_place_of_the_private_folder_is_not_written_through() {
    let scratch = Scratch::create();
    let store = FileStore::open(scratch.join("store")).unwrap();
    fs::rename(scratch.join("store/.memdoc"), scratch.join("moved")).unwrap();
    fs::create_dir(scratch.join("other")).unwrap();
    symlink(scratch.join("other"), scratch.join("store/.memdoc")).unwrap();
    let error = store.head().unwrap_err();
    assert!(error.to_string().contains("not a directory"), "{error}");
    assert_eq!(fs::read_dir(scratch.join("other")).unwrap().count(), 0);
}
