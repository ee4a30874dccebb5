//! A directory as a store: whatever stands in it, an error names what it is about, nothing is lost, and the next call works.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, SystemTime};

use memdoc::memory::journal::{EntryKind, Seq};
use memdoc::memory::{Outcome, StoreError};
use memdoc::{DocName, FileStore, Memory, Policy, Store, Toolbox};
use serde_json::json;

use crate::support::changes::{change, entries, name, problems, redaction, snapshot, text, write, written};
use crate::support::outside::skipped;
use crate::support::scratch::Scratch;

/// Opens a store that has a document.
fn begun(directory: &Path) -> FileStore {
    let store = FileStore::open(directory).unwrap();
    store.begin().unwrap();
    written(&store, "first", &[("memory", Some("- a\n"))]);
    store
}

/// Writes a file as an editor does that has finished a while ago.
fn edit(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
    fs::write(&path, bytes).unwrap();
    age(path);
}

/// Makes a file, or the names in a directory, as old as a minute.
fn age(path: impl AsRef<Path>) {
    File::open(path).unwrap().set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
}

fn journal(directory: &Path) -> std::path::PathBuf {
    directory.join(".memdoc/journal.jsonl")
}

/// Lets the store write its index down, as the first access does some time after a commit.
fn index(store: &dyn Store, directory: &Path) {
    age(journal(directory));
    store.head().unwrap();
}

#[test]
fn a_directory_is_read_again_when_it_is_opened_again() {
    let scratch = Scratch::create();
    let store = begun(&scratch.join("deep/er"));
    let again = FileStore::open(scratch.join("deep/er")).unwrap();
    assert_eq!(text(&again, "memory").as_deref(), Some("- a\n"));
    assert_eq!(again.head().unwrap(), store.head().unwrap());
    written(&again, "second", &[("memory", Some("- b\n"))]);
    assert_eq!(text(&store, "memory").as_deref(), Some("- b\n"));
    assert_eq!(fs::read_to_string(store.path(&name("memory"))).unwrap(), "- b\n");
}

#[test]
fn what_is_written_by_hand_is_taken_over_with_what_it_replaced() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    let seen = snapshot(&store, &[("memory", None)]);
    edit(store.path(&name("memory")), "- by hand\n");
    let outcome = store.commit(&change("late", &seen, &[("memory", Some("- mine\n"))])).unwrap();
    assert!(matches!(outcome, Outcome::Conflict { .. }), "{outcome:?}");
    assert_eq!(text(&store, "memory").as_deref(), Some("- by hand\n"));
    let last = entries(&store).pop().unwrap();
    assert_eq!(last.header().kind, EntryKind::External);
    let splices = last.splices(&name("memory")).unwrap();
    assert_eq!((&*splices[0].removed, &*splices[0].added), ("a", "by hand"));
    assert!(problems(&store).is_empty());
    written(&store, "next", &[("memory", Some("- mine\n"))]);
}

#[test]
fn a_document_that_people_wrote_is_one_from_its_first_reading_on() {
    let scratch = Scratch::create();
    edit(scratch.join("Über mich.md"), "- Ana\n");
    fs::create_dir(scratch.join("people")).unwrap();
    edit(scratch.join("people/Bob.md"), "- Bob\n");
    let store = begun(&scratch);
    let listed: Vec<_> = store.revisions(None, 9).unwrap().into_iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(listed, ["memory", "people/Bob", "Über mich"]);
    assert!(snapshot(&store, &[("people/Bob", None)]).documents[0].version.tip.is_some());
    written(&store, "edit", &[("Über mich", Some("- Anna\n")), ("people/Bob", None)]);
    assert_eq!(fs::read_to_string(scratch.join("Über mich.md")).unwrap(), "- Anna\n");
    assert!(!scratch.join("people/Bob.md").exists());
}

#[test]
fn a_file_that_is_gone_is_a_deleted_document_only_when_it_stays_away() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    fs::remove_file(store.path(&name("memory"))).unwrap();
    let read = snapshot(&store, &[("memory", None)]);
    assert!(read.documents[0].is_unsettled);
    assert_eq!(read.documents[0].text.as_deref(), Some("- a\n"));
    // A commit waits until it has been away for long enough.
    let outcome = store.commit(&change("x", &read, &[("memory", Some("- b\n"))])).unwrap();
    assert!(matches!(outcome, Outcome::Conflict { .. }), "{outcome:?}");
    assert_eq!(text(&store, "memory"), None);
    assert_eq!(store.revisions(None, 9).unwrap(), []);
    written(&store, "again", &[("memory", Some("- c\n"))]);
}

#[test]
fn a_file_that_came_back_is_waited_for_again_when_it_is_gone() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    written(&store, "other", &[("other", Some("- o\n"))]);
    fs::remove_file(store.path(&name("memory"))).unwrap();
    assert!(snapshot(&store, &[("memory", None)]).documents[0].is_unsettled);
    edit(store.path(&name("memory")), "- a\n");
    assert!(!snapshot(&store, &[("memory", None)]).documents[0].is_unsettled);
    // A commit of the other document waits for as long as a file must be away.
    fs::remove_file(store.path(&name("other"))).unwrap();
    let read = snapshot(&store, &[("other", None)]);
    store.commit(&change("x", &read, &[("other", Some("- p\n"))])).unwrap();
    fs::remove_file(store.path(&name("memory"))).unwrap();
    assert!(snapshot(&store, &[("memory", None)]).documents[0].is_unsettled);
}

#[test]
fn one_bad_file_is_the_trouble_of_one_document() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    fs::create_dir(scratch.join("folder.md")).unwrap();
    fs::write(scratch.join("target"), "secret").unwrap();
    symlink(scratch.join("target"), scratch.join("link.md")).unwrap();
    edit(scratch.join("bytes.md"), [0xFF, 0xFE]);
    edit(scratch.join("large.md"), "");
    File::options().write(true).open(scratch.join("large.md")).unwrap().set_len((16 << 20) + 1).unwrap();
    let made = std::process::Command::new("mkfifo").arg(scratch.join("fifo.md")).status();
    let mut bad = vec!["bytes", "folder", "large", "link"];
    if made.is_ok_and(|status| status.success()) {
        bad.push("fifo");
    } else {
        skipped("mkfifo");
    }
    for bad in &bad {
        let error = store.read(&[name(bad)]).unwrap_err();
        assert!(matches!(error, StoreError::Unusable { .. }) && error.to_string().contains(bad), "{error}");
        let mut read = snapshot(&store, &[("memory", None)]);
        read.documents[0].name = name(bad);
        read.documents[0].version = memdoc::memory::Version::default();
        assert!(store.commit(&change(bad, &read, &[(bad, Some("x"))])).is_err(), "{bad}");
    }
    assert_eq!(store.revisions(None, 99).unwrap().len(), 1);
    let listed: Vec<_> = store.unusable().unwrap().into_iter().map(|unusable| unusable.file).collect();
    bad.sort_unstable();
    assert_eq!(listed, bad.iter().map(|bad| format!("{bad}.md")).collect::<Vec<_>>());
    written(&store, "others", &[("memory", Some("- b\n"))]);
    assert_eq!(fs::read_to_string(scratch.join("target")).unwrap(), "secret");
}

#[test]
fn a_document_that_is_too_large_is_not_written() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    let text_of_17_mib = "x".repeat(17 << 20);
    let wanted = [("memory", Some(text_of_17_mib.as_str()))];
    let error = store.commit(&change("x", &snapshot(&store, &wanted), &wanted)).unwrap_err();
    assert!(error.to_string().contains("memory.md"), "{error}");
    assert_eq!(text(&store, "memory").as_deref(), Some("- a\n"));
}

#[test]
fn files_that_are_no_documents_are_left_alone_and_those_like_it_are_listed() {
    let scratch = Scratch::create();
    for file in ["README.txt", ".hidden.md", "memory.md.bak", "con.md", "a?.md", "Memory.md"] {
        edit(scratch.join(file), "x");
    }
    let store = FileStore::open(&*scratch).unwrap();
    let memory = Memory::new(store, Policy::default().with_new_documents()).unwrap();
    assert_eq!(memory.documents().unwrap().iter().map(DocName::as_str).collect::<Vec<_>>(), ["memory"]);
    assert_eq!(memory.read(&name("memory")).unwrap().text(), "x");
    memory.create(&name("notes"), "- a\n").unwrap();
    let store = FileStore::open(&*scratch).unwrap();
    let listed: Vec<_> = store.unusable().unwrap().into_iter().map(|unusable| unusable.file).collect();
    assert_eq!(listed, ["a?.md", "con.md"]);
    assert_eq!(fs::read_to_string(scratch.join("con.md")).unwrap(), "x");
}

#[test]
fn the_committed_text_is_read_while_a_file_is_replaced() {
    let scratch = Scratch::create();
    let mut toolbox = Toolbox::new(Memory::new(begun(&scratch), Policy::default()).unwrap());
    // An editor that replaces a file may have taken it away, and not yet put another there.
    fs::remove_file(scratch.join("memory.md")).unwrap();
    let reply = toolbox.call("memory_read", &json!({}));
    assert_eq!(reply.get("text").unwrap(), "- a\n");
}

#[test]
fn folders_are_for_who_is_allowed_to_make_them() {
    let scratch = Scratch::create();
    let memory = |policy| Memory::new(FileStore::open(&*scratch).unwrap(), policy).unwrap();
    let error = memory(Policy::default()).create(&name("people/Ana"), "- a\n").unwrap_err();
    assert_eq!(error.code(), "invalid_arguments", "{error}");
    assert!(!scratch.join("people").exists());
    memory(Policy::default().with_folders()).create(&name("people/Ana"), "- a\n").unwrap();
    assert_eq!(fs::read_to_string(scratch.join("people/Ana.md")).unwrap(), "- a\n");
}

#[test]
fn the_journal_may_be_removed_while_the_store_is_open() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    fs::remove_dir_all(scratch.join(".memdoc")).unwrap();
    assert_eq!(store.head().unwrap().seq, Seq::default());
    assert!(store.lost_head().unwrap().is_some());
    age(store.path(&name("memory")));
    assert_eq!(text(&store, "memory").as_deref(), Some("- a\n"));
    written(&store, "next", &[("memory", Some("- b\n"))]);
    assert!(problems(&store).is_empty(), "{:?}", problems(&store));
}

#[test]
fn a_journal_that_is_set_back_is_a_finding_until_the_host_accepts_it() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    let [old_journal, old_text] = [journal(&scratch), store.path(&name("memory"))].map(|path| fs::read(path).unwrap());
    written(&store, "second", &[("memory", Some("- b\n"))]);
    fs::write(journal(&scratch), old_journal).unwrap();
    edit(store.path(&name("memory")), old_text);
    assert_eq!(text(&store, "memory").as_deref(), Some("- a\n"));
    written(&store, "third", &[("memory", Some("- c\n"))]);
    drop(store);
    let memory = Memory::new(FileStore::open(&*scratch).unwrap(), Policy::default()).unwrap();
    for _ in 0..2 {
        assert!(!memory.verify(None).unwrap().is_sound());
    }
    memory.acknowledge_loss().unwrap();
    assert!(memory.verify(None).unwrap().is_sound(), "{:?}", memory.verify(None).unwrap().findings);
    let memory = Memory::new(FileStore::open(&*scratch).unwrap(), Policy::default()).unwrap();
    assert!(memory.verify(None).unwrap().is_sound());
}

#[test]
fn a_tail_that_was_cut_is_noticed_by_who_opens_the_directory() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    written(&store, "second", &[("memory", Some("- b\n"))]);
    index(&store, &scratch);
    let bytes = fs::read(journal(&scratch)).unwrap();
    let lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    fs::write(journal(&scratch), lines[..2].concat()).unwrap();
    let store = FileStore::open(&*scratch).unwrap();
    assert_eq!(store.lost_head().unwrap().map(|head| head.seq), Some(Seq::new(3)));
    age(store.path(&name("memory")));
    assert_eq!(text(&store, "memory").as_deref(), Some("- b\n"));
    assert_eq!(entries(&store).last().unwrap().header().kind, EntryKind::External);
}

#[test]
fn a_line_that_cannot_be_read_is_handed_over_and_the_rest_loads() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    written(&store, "second", &[("other", Some("x"))]);
    let bytes = fs::read(journal(&scratch)).unwrap();
    let mut lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    lines[1].iter_mut().filter(|byte| byte.is_ascii_alphabetic()).for_each(|byte| *byte = b'#');
    fs::write(journal(&scratch), lines.concat()).unwrap();
    let store = FileStore::open(&*scratch).unwrap();
    assert_eq!(text(&store, "other").as_deref(), Some("x"));
    age(store.path(&name("memory")));
    assert_eq!(text(&store, "memory").as_deref(), Some("- a\n"));
    written(&store, "third", &[("memory", Some("- b\n"))]);
    let mut scanned = Vec::new();
    store.scan(&mut |line| scanned.push(line.to_vec())).unwrap();
    assert_eq!(scanned[1], lines[1].strip_suffix(b"\n").unwrap());
    assert!(!problems(&store).is_empty());
}

#[test]
fn a_torn_entry_was_never_committed() {
    let scratch = Scratch::create();
    drop(begun(&scratch));
    let whole = fs::read(journal(&scratch)).unwrap();
    fs::write(journal(&scratch), [&whole[..], b"{\"seq\":3,\"ti"].concat()).unwrap();
    let store = FileStore::open(&*scratch).unwrap();
    assert_eq!(text(&store, "memory").as_deref(), Some("- a\n"));
    written(&store, "second", &[("memory", Some("- b\n"))]);
    assert!(fs::read(journal(&scratch)).unwrap().starts_with(&whole));
    assert!(problems(&store).is_empty(), "{:?}", problems(&store));
}

#[test]
fn an_entry_whose_line_has_lost_its_end_is_kept() {
    let scratch = Scratch::create();
    drop(begun(&scratch));
    let whole = fs::read(journal(&scratch)).unwrap();
    let entry = whole.strip_suffix(b"\n").unwrap();
    for left in [entry.to_vec(), [entry, &[0]].concat(), [entry, &[0, 0, 0, b'"', b'}']].concat()] {
        fs::write(journal(&scratch), left).unwrap();
        assert_eq!(entries(&FileStore::open(&*scratch).unwrap()).len(), 2);
        assert_eq!(fs::read(journal(&scratch)).unwrap(), whole);
    }
}

#[test]
fn an_entry_that_was_only_appended_is_written_out_by_the_next_access() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    let old_text = fs::read(store.path(&name("memory"))).unwrap();
    written(&store, "second", &[("memory", Some("- b\n")), ("other", Some("x"))]);
    // As a process leaves it that is killed after the append.
    let mark = entries(&store).last().unwrap().hash().to_string();
    for document in ["memory", "other"] {
        let beside = scratch.join(format!(".{document}.md.000000000003-{}.next", &mark[..8]));
        fs::rename(store.path(&name(document)), beside).unwrap();
    }
    fs::write(store.path(&name("memory")), old_text).unwrap();
    let store = FileStore::open(&*scratch).unwrap();
    assert_eq!([text(&store, "memory"), text(&store, "other")], [Some("- b\n".to_owned()), Some("x".to_owned())]);
    assert_eq!(entries(&store).last().map(|entry| entry.seq()), Some(Seq::new(3)));
    // What somebody puts back later is no crash.
    edit(store.path(&name("memory")), "- a\n");
    assert_eq!(text(&store, "memory").as_deref(), Some("- a\n"));
    assert_eq!(entries(&store).last().unwrap().header().kind, EntryKind::External);
}

#[test]
fn a_lock_that_is_held_is_waited_for_and_then_told() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    let impatient = FileStore::open(&*scratch).unwrap().with_patience(Duration::from_millis(20));
    let lock = File::open(scratch.join(".memdoc/lock")).unwrap();
    lock.lock().unwrap();
    let error = impatient.head().unwrap_err();
    assert_eq!(error.code(), "busy", "{error}");
    assert!(error.to_string().contains("lock"), "{error}");
    lock.unlock().unwrap();
    assert_eq!(impatient.head().unwrap(), store.head().unwrap());
}

#[test]
fn a_directory_that_is_a_file_is_named() {
    let scratch = Scratch::create();
    fs::write(scratch.join("file"), "").unwrap();
    for path in ["file", "file/below"] {
        let error = FileStore::open(scratch.join(path)).unwrap_err();
        assert!(error.to_string().contains("file"), "{error}");
    }
    // And one that becomes a file later.
    let store = begun(&scratch.join("store"));
    fs::rename(scratch.join("store"), scratch.join("moved")).unwrap();
    fs::write(scratch.join("store"), "").unwrap();
    let error = store.head().unwrap_err();
    assert!(error.to_string().contains("not a directory"), "{error}");
    fs::remove_file(scratch.join("store")).unwrap();
    fs::rename(scratch.join("moved"), scratch.join("store")).unwrap();
    assert_eq!(text(&store, "memory").as_deref(), Some("- a\n"));
}

#[test]
fn a_directory_that_cannot_be_written_to_can_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = Scratch::create();
    let store = begun(&scratch);
    let set = |mode| {
        for path in [".memdoc", ""] {
            fs::set_permissions(scratch.join(path), fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    edit(scratch.join("new.md"), "- by hand\n");
    set(0o500);
    let is_bound = fs::write(scratch.join("probe"), "").is_err();
    let results = (
        text(&FileStore::open(&*scratch).unwrap(), "memory"),
        text(&store, "new"),
        store.revisions(None, 9).unwrap().len(),
        Memory::new(FileStore::open(&*scratch).unwrap(), Policy::default()).unwrap().verify(None).unwrap(),
        is_bound.then(|| store.commit(&change("x", &snapshot(&store, &[("memory", None)]), &[("memory", Some("x"))]))),
    );
    set(0o700);
    let (memory, new, count, verified, refused) = results;
    assert!(verified.is_sound(), "{:?}", verified.findings);
    assert_eq!((memory.as_deref(), new.as_deref(), count), (Some("- a\n"), Some("- by hand\n"), 2));
    match refused {
        Some(refused) => assert!(refused.unwrap_err().to_string().contains("memory.md")),
        None => skipped("a user whom permissions bind"),
    }
    written(&store, "next", &[("memory", Some("- b\n"))]);
}

#[test]
fn an_index_that_is_missing_damaged_or_of_another_journal_is_made_anew() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    let index = scratch.join(".memdoc/index");
    let old = fs::read(&index).unwrap();
    for round in 0..40 {
        let content = format!("- {round}\n");
        written(&store, &content, &[(["a", "b", "c"][round % 3], Some(&content))]);
    }
    let all = [("a", None), ("b", None), ("c", None), ("memory", None)];
    let expected = snapshot(&store, &all);
    let whole = fs::read(&index).unwrap();
    assert_ne!(whole, old, "it is written now and then");
    for wrong in [&old[..], &whole[..whole.len() / 2], b"", &whole.iter().rev().copied().collect::<Vec<_>>()] {
        fs::write(&index, wrong).unwrap();
        assert_eq!(snapshot(&FileStore::open(&*scratch).unwrap(), &all), expected);
    }
    fs::remove_file(&index).unwrap();
    let again = FileStore::open(&*scratch).unwrap();
    assert_eq!(snapshot(&again, &all), expected);
    assert_eq!(entries(&again).len(), 42);
    assert!(problems(&again).is_empty());
}

#[test]
fn a_handle_follows_what_others_append_erase_and_move() {
    let scratch = Scratch::create();
    let [one, other] = [begun(&scratch), FileStore::open(&*scratch).unwrap()];
    for round in 0..12 {
        let content = format!("- {round}\n");
        written([&one, &other][round % 2], &content, &[("memory", Some(&content)), ("kept", Some("x"))]);
    }
    let wanted = [("memory", Some("- redacted\n"))];
    let change = redaction("redact", &snapshot(&one, &wanted), &wanted, &[3, 4, 9]);
    assert!(matches!(one.commit(&change).unwrap(), Outcome::Committed(_)));
    let all = [("kept", None), ("memory", None)];
    assert_eq!(snapshot(&other, &all), snapshot(&one, &all));
    written(&other, "on", &[("memory", Some("- on\n"))]);
    assert_eq!(snapshot(&one, &all), snapshot(&FileStore::open(&*scratch).unwrap(), &all));
    assert!(problems(&one).is_empty(), "{:?}", problems(&one));
}

#[test]
fn a_copy_of_the_directory_goes_on_by_itself() {
    let scratch = Scratch::create();
    let store = begun(&scratch.join("one"));
    fs::create_dir_all(scratch.join("two/.memdoc")).unwrap();
    for path in ["memory.md", ".memdoc/index", ".memdoc/journal.jsonl"] {
        fs::copy(scratch.join("one").join(path), scratch.join("two").join(path)).unwrap();
    }
    let copy = FileStore::open(scratch.join("two")).unwrap();
    written(&copy, "copy", &[("memory", Some("- copy\n"))]);
    assert_eq!([text(&store, "memory"), text(&copy, "memory")], [Some("- a\n".into()), Some("- copy\n".into())]);
}

#[test]
fn a_link_in_the_private_folder_is_not_written_through() {
    let scratch = Scratch::create();
    let store = begun(&scratch.join("store"));
    for planted in ["index", "index.new", "journal.new"] {
        fs::write(scratch.join(planted), "s").unwrap();
        let _ = fs::remove_file(scratch.join("store/.memdoc").join(planted));
        symlink(scratch.join(planted), scratch.join("store/.memdoc").join(planted)).unwrap();
    }
    for round in ["1", "2", "3"] {
        let _ = write(&store, round, &[("memory", Some(round))]);
    }
    for planted in ["index", "index.new", "journal.new"] {
        assert_eq!(fs::read_to_string(scratch.join(planted)).unwrap(), "s", "{planted}");
    }
    assert_eq!(text(&store, "memory").as_deref(), Some("3"));
}

#[test]
fn the_permissions_of_a_file_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = Scratch::create();
    let store = begun(&scratch);
    for wanted in [0o600, 0o640, 0o664] {
        let place = store.path(&name("memory"));
        fs::set_permissions(&place, fs::Permissions::from_mode(wanted)).unwrap();
        let new = format!("{wanted:o}");
        written(&store, &new, &[("memory", Some(&new))]);
        assert_eq!(fs::metadata(&place).unwrap().permissions().mode() & 0o777, wanted);
    }
}

#[test]
fn a_journal_that_was_cut_is_told_to_who_opens_a_memory() {
    let scratch = Scratch::create();
    let memory = || Memory::new(FileStore::open(&*scratch).unwrap(), Policy::default()).unwrap();
    for text in ["- a\n", "- a\n- b\n"] {
        memory().write(&name("memory"), text).unwrap();
    }
    index(&FileStore::open(&*scratch).unwrap(), &scratch);
    let journal = scratch.join(".memdoc/journal.jsonl");
    let kept: Vec<_> = fs::read_to_string(&journal).unwrap().split_inclusive('\n').take(2).map(str::to_owned).collect();
    fs::write(&journal, kept.concat()).unwrap();
    for _ in 0..2 {
        assert!(!memory().verify(None).unwrap().is_sound());
    }
}
