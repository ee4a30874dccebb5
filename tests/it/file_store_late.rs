//! Editors that write into a file which a commit has displaced: nothing of what they wrote is lost.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;

use memdoc::memory::journal::{EntryKind, text_after};
use memdoc::text::Digest;
use memdoc::{FileStore, Store};

use crate::support::changes::{entries, name, text, written};
use crate::support::scratch::Scratch;

const BEFORE: &str = "# Top\n\n- one\n- two\n- three\n";

fn begun(directory: &Path) -> FileStore {
    let store = FileStore::open(directory).unwrap();
    store.begin(&Digest::of(b"policy")).unwrap();
    written(&store, "first", &[("memory", Some(BEFORE))]);
    store
}

/// Waits until what was written is taken for finished.
fn finished() {
    let (_still_there, nothing) = channel::<()>();
    let _ = nothing.recv_timeout(Duration::from_millis(300));
}

/// Lets an editor that has the file open write `late` at its end after a commit has displaced it, and opens the store again.
fn late(scratch: &Path, committed: &str, late: &str) -> FileStore {
    let store = begun(scratch);
    let mut editor = File::options().append(true).open(store.path(&name("memory"))).unwrap();
    written(&store, "second", &[("memory", Some(committed))]);
    editor.write_all(late.as_bytes()).unwrap();
    finished();
    FileStore::open(scratch).unwrap()
}

#[test]
fn a_late_text_that_touches_nothing_is_merged() {
    let scratch = Scratch::create();
    let store = late(&scratch, &BEFORE.replace("- one", "- 1"), "- late\n");
    assert_eq!(text(&store, "memory").unwrap(), "# Top\n\n- 1\n- two\n- three\n- late\n");
    assert_eq!(entries(&store).last().unwrap().header().kind, EntryKind::External);
}

#[test]
fn what_is_written_later_still_is_not_lost() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    let mut editor = File::options().append(true).open(store.path(&name("memory"))).unwrap();
    written(&store, "second", &[("memory", Some(&BEFORE.replace("- one", "- 1")))]);
    let mut seen = String::new();
    for line in ["- late\n", "- later\n"] {
        editor.write_all(line.as_bytes()).unwrap();
        finished();
        let store = FileStore::open(&*scratch).unwrap();
        seen += &text(&store, "memory").unwrap();
        let told = entries(&store).into_iter().filter_map(|entry| {
            Some(entry.splices(&name("memory"))?.iter().map(|splice| splice.added.to_string()).collect::<String>())
        });
        seen.extend(told);
        assert!(seen.contains(line.trim_end()), "{seen}");
    }
}

#[test]
fn a_late_text_that_touches_what_came_since_is_kept_in_the_journal() {
    let scratch = Scratch::create();
    let committed = BEFORE.replace("- three", "- 3");
    let store = late(&scratch, &committed, "  - late\n");
    assert_eq!(text(&store, "memory").unwrap(), committed);
    let kept: Vec<_> = entries(&store).into_iter().rev().take(2).collect();
    assert!(kept.iter().all(|entry| entry.header().kind == EntryKind::External));
    let late = text_after(&kept[1], &name("memory"), Some(&committed)).unwrap();
    assert_eq!(late, Some(format!("{BEFORE}  - late\n")));
    assert!(kept[1].content().unwrap().reason.is_some());
    written(&store, "on", &[("memory", Some("- on\n"))]);
}

#[test]
fn a_late_text_of_a_document_that_is_deleted_is_kept_in_the_journal() {
    let scratch = Scratch::create();
    let store = begun(&scratch);
    let mut editor = File::options().append(true).open(store.path(&name("memory"))).unwrap();
    written(&store, "second", &[("memory", None)]);
    editor.write_all(b"- late\n").unwrap();
    finished();
    let store = FileStore::open(&*scratch).unwrap();
    assert_eq!(text(&store, "memory"), None);
    let kept = entries(&store);
    assert!(kept.iter().any(|entry| {
        entry.splices(&name("memory")).is_some_and(|splices| splices.iter().any(|splice| splice.added.contains("late")))
    }));
}
