//! What once went wrong in a directory: leftovers of processes that were killed, copies, links, stopped processes, damage.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use memdoc::memory::journal::EntryKind;
use memdoc::{FileStore, Memory, Origin, Policy, Store};

use crate::support::changes::{entries, name, problems, text, written};
use crate::support::scratch::Scratch;

/// What a child is told by: the directory.
const DIRECTORY: &str = "MEMDOC_WAITER_DIRECTORY";

fn begun(directory: &Path) -> FileStore {
    let store = FileStore::open(directory).unwrap();
    written(&store, "first", &[("memory", Some("- a\n"))]);
    written(&store, "second", &[("memory", Some("- a\n- b\n"))]);
    store
}

fn age(path: &Path, by: Duration) {
    File::open(path).unwrap().set_modified(SystemTime::now() - by).unwrap();
}

/// Writes a file as a person does who finished half a second ago, long after the last commit.
fn edit(directory: &Path, file: &str, text: &str) {
    age(&directory.join(".memdoc/journal.jsonl"), Duration::from_secs(60));
    fs::write(directory.join(file), text).unwrap();
    age(&directory.join(file), Duration::from_millis(500));
}

/// Copies a directory with all that is in it, as `cp -r` or `cp -al` does.
fn copy(from: &Path, to: &Path, file: fn(&Path, &Path)) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (entry, path) = entry.map(|entry| (entry.file_type().unwrap(), entry.path())).unwrap();
        let target = to.join(path.file_name().unwrap());
        if entry.is_dir() { copy(&path, &target, file) } else { file(&path, &target) }
    }
}

fn externals(store: &dyn Store) -> usize {
    entries(store).iter().filter(|entry| entry.header().kind == EntryKind::External).count()
}

#[test]
fn a_staged_text_that_was_never_committed_goes_when_the_store_is_opened_and_when_something_is_redacted() {
    let scratch = Scratch::create();
    drop(begun(&scratch));
    let staged = scratch.join(".memory.md.000000000009-0a1b2c3d.next");
    fs::write(&staged, "- PIN 4711\n").unwrap();
    let store = FileStore::open(&*scratch).unwrap();
    assert!(!staged.exists());
    fs::write(&staged, "- PIN 4711\n").unwrap();
    let memory = Memory::new(store, Policy::default()).unwrap();
    memory.redact(&[], &["4711"], &Origin::host("privacy")).unwrap();
    assert!(!staged.exists());
    assert_eq!(memory.read(&name("memory")).unwrap().text(), "- a\n- b\n");
}

#[test]
fn the_last_edit_of_a_copy_is_taken_back_by_hand_and_stays_taken_back() {
    let scratch = Scratch::create();
    let memory = Memory::new(begun(&scratch.join("original")), Policy::default()).unwrap();
    memory.backup(scratch.join("backup")).unwrap();
    copy(&scratch.join("original"), &scratch.join("copy"), |from, to| assert!(fs::copy(from, to).is_ok()));
    for directory in ["backup", "copy"] {
        edit(&scratch.join(directory), "memory.md", "- a\n");
        let store = FileStore::open(scratch.join(directory)).unwrap();
        assert_eq!(text(&store, "memory").as_deref(), Some("- a\n"), "{directory}");
        assert_eq!(externals(&store), 1, "{directory}");
        assert_eq!(fs::read_to_string(scratch.join(directory).join("memory.md")).unwrap(), "- a\n");
    }
}

#[test]
fn a_hard_linked_copy_neither_keeps_a_memory_from_working_nor_changes() {
    let scratch = Scratch::create();
    let store = begun(&scratch.join("original"));
    copy(&scratch.join("original"), &scratch.join("copy"), |from, to| fs::hard_link(from, to).unwrap());
    let before = fs::read(scratch.join("copy/.memdoc/journal.jsonl")).unwrap();
    written(&store, "third", &[("memory", Some("- c\n"))]);
    let again = FileStore::open(scratch.join("original")).unwrap();
    assert_eq!(text(&again, "memory").as_deref(), Some("- c\n"));
    assert_eq!(fs::read(scratch.join("copy/.memdoc/journal.jsonl")).unwrap(), before);
    let copied = FileStore::open(scratch.join("copy")).unwrap();
    assert_eq!(text(&copied, "memory").as_deref(), Some("- a\n- b\n"));
    written(&copied, "other", &[("memory", Some("- d\n"))]);
    assert_eq!(text(&again, "memory").as_deref(), Some("- c\n"));
    for store in [&again, &copied] {
        assert_eq!(problems(store), [""; 0]);
    }
}

#[test]
fn a_document_that_is_deleted_by_hand_is_deleted_though_others_are_written_all_the_time() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    written(&store, "todo", &[("todo", Some("- x\n"))]);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let other = FileStore::open(&*scratch).unwrap();
            for round in 0.. {
                if is_over.load(Ordering::SeqCst) {
                    break;
                }
                written(&other, &format!("round {round}"), &[("memory", Some(&format!("- {round}\n")))]);
            }
        });
        fs::remove_file(scratch.join("todo.md")).unwrap();
        // The first handle that wants to write it waits for as long as it takes, and knows then.
        let store = FileStore::open(&*scratch).unwrap();
        let mut documents = store.read(&[name("todo")]).unwrap().documents;
        while documents[0].is_unsettled {
            documents = store.read(&[name("todo")]).unwrap().documents;
        }
        is_over.store(true, Ordering::SeqCst);
        assert_eq!(documents[0].text, None);
    });
    assert_eq!(externals(&store), 1);
}

#[test]
fn bytes_that_get_into_an_early_line_cost_no_later_entry() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    drop(store);
    let path = scratch.join(".memdoc/journal.jsonl");
    let journal = fs::read_to_string(&path).unwrap();
    let (first, rest) = journal.split_at(40);
    fs::write(&path, format!("{first}???????{rest}")).unwrap();
    let store = FileStore::open(&*scratch).unwrap();
    assert_eq!(text(&store, "memory").as_deref(), Some("- a\n- b\n"));
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{first}???????{rest}"));
    let read = entries(&store);
    assert!(read.iter().any(|entry| entry.header().kind == EntryKind::Edit));
    assert_eq!(externals(&store), 0);
    assert!(!problems(&store).is_empty());
    written(&store, "third", &[("memory", Some("- c\n"))]);
    assert_eq!(entries(&store).len(), read.len() + 1);
}

#[test]
fn a_text_that_goes_on_in_a_damaged_line_is_redacted() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    written(&store, "secret", &[("memory", Some("- PIN 4711\n"))]);
    written(&store, "shorter", &[("memory", Some("- PIN 11\n"))]);
    drop(store);
    let path = scratch.join(".memdoc/journal.jsonl");
    let lines: Vec<_> = fs::read_to_string(&path).unwrap().split_terminator('\n').map(str::to_owned).collect();
    let damaged = |line: &String| if line.contains("PIN 4711") { "#".repeat(line.len()) } else { line.clone() };
    fs::write(&path, lines.iter().map(|line| damaged(line) + "\n").collect::<String>()).unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains(r#""removed":"47""#));
    let memory = Memory::new(FileStore::open(&*scratch).unwrap(), Policy::default()).unwrap();
    memory.redact(&[], &["4711"], &Origin::host("privacy")).unwrap();
    // With what stands there now it would tell the text.
    assert!(!fs::read_to_string(&path).unwrap().contains(r#""removed":"47""#));
}

#[test]
fn a_folder_of_one_file_in_capitals_is_the_memory() {
    let scratch = Scratch::create();
    fs::write(scratch.join("MEMORY.md"), "- tea\n").unwrap();
    age(&scratch.join("MEMORY.md"), Duration::from_secs(60));
    let store = FileStore::open(&*scratch).unwrap();
    assert_eq!(text(&store, "memory").as_deref(), Some("- tea\n"));
    assert_eq!(store.unusable().unwrap(), []);
    written(&store, "edit", &[("memory", Some("- coffee\n"))]);
    assert_eq!(fs::read_to_string(scratch.join("MEMORY.md")).unwrap(), "- coffee\n");
    assert!(!scratch.join("memory.md").exists() || fs::metadata(scratch.join("Memory.md")).is_ok());
}

/// Reads, where this process is the child of the test below; else there is nothing to do.
#[test]
fn a_child_reads() {
    if let Ok(directory) = std::env::var(DIRECTORY) {
        FileStore::open(directory).unwrap().head().unwrap();
    }
}

fn signal(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Reports whether a process has opened the lock's file.
fn has_opened(child: &Child, lock: &Path) -> bool {
    let files = fs::read_dir(format!("/proc/{}/fd", child.id())).into_iter().flatten().flatten();
    files.filter_map(|file| fs::read_link(file.path()).ok()).any(|target| target == lock)
}

/// Reports whether each thread of a process has stopped: a signal takes its time.
fn is_stopped(child: &Child) -> bool {
    let threads = fs::read_dir(format!("/proc/{}/task", child.id())).unwrap().flatten();
    let mut states = threads.map(|thread| fs::read_to_string(thread.path().join("stat")).unwrap_or_default());
    states.all(|state| state.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with('T')))
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_is_stopped_while_it_waits_holds_nobody_up() {
    let scratch = Scratch::create();
    let store = begun(&scratch).with_patience(Duration::from_secs(2));
    let lock = fs::canonicalize(scratch.join(".memdoc/lock")).unwrap();
    let held = File::open(&lock).unwrap();
    held.lock().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "file_store_faults::a_child_reads"])
        .env(DIRECTORY, &*scratch)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !has_opened(&child, &lock) {
        std::thread::yield_now();
    }
    signal(&child, "-STOP");
    while !is_stopped(&child) {
        std::thread::yield_now();
    }
    held.unlock().unwrap();
    let read = store.head();
    signal(&child, "-CONT");
    assert!(child.wait().unwrap().success());
    assert!(read.is_ok(), "{read:?}");
}

#[test]
fn a_journal_that_is_cut_after_its_store_was_closed_is_noticed() {
    let scratch = Scratch::create();
    drop(begun(&scratch));
    let journal = scratch.join(".memdoc/journal.jsonl");
    let lines = fs::read_to_string(&journal).unwrap();
    let (kept, _) = lines.trim_end().rsplit_once('\n').unwrap();
    fs::write(&journal, format!("{kept}\n")).unwrap();
    let store = FileStore::open(&*scratch).unwrap();
    assert!(store.lost_head().unwrap().is_some(), "the last entry is gone, and nobody is told");
}

#[test]
fn a_new_file_is_read_though_it_was_saved_just_now() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    fs::write(scratch.join("memory.md"), "- a\n").unwrap();
    assert_eq!(text(&store, "memory").as_deref(), Some("- a\n"));
}
