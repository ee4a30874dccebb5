//! Editors that save in all the ways that editors have, beside writers that commit: every text is in the document, or in the
//! journal.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;

use memdoc::memory::journal::text_after;
use memdoc::{DocName, FileStore, Memory, Policy, Toolbox, document::OnStale};
use serde_json::json;

use crate::support::changes::{entries, problems, text};
use crate::support::scratch::Scratch;
use crate::support::soak;

const SAVES: usize = 120;

fn memory(directory: &Path) -> Memory {
    let policy = Policy::default().with_on_stale(OnStale::Rebase).with_max_bytes(1 << 24);
    Memory::new(FileStore::open(directory).unwrap(), policy).unwrap()
}

/// Waits.
fn pause(duration: Duration) {
    let (_still_there, nothing) = channel::<()>();
    let _ = nothing.recv_timeout(duration);
}

/// Saves `line` in one of the ways that editors have.
fn save(path: &Path, line: &str, way: usize) {
    let whole = || format!("{}{line}", fs::read_to_string(path).unwrap_or_default());
    match way {
        0 => {
            let beside = path.with_extension("swp");
            fs::write(&beside, whole()).unwrap();
            fs::rename(beside, path).unwrap();
        }
        1 => fs::write(path, whole()).unwrap(),
        _ => {
            let whole = whole();
            let mut file = File::create(path).unwrap();
            pause(Duration::from_millis(3));
            file.write_all(whole.as_bytes()).unwrap();
        }
    }
}

/// Commits lines until it is told to stop. Returns those that were acknowledged.
fn commit(directory: &Path, writer: usize, is_over: &std::sync::atomic::AtomicBool) -> Vec<String> {
    let mut toolbox = Toolbox::new(memory(directory));
    let mut acknowledged = Vec::new();
    for round in 0.. {
        if is_over.load(std::sync::atomic::Ordering::SeqCst) {
            break;
        }
        let line = format!("- writer {writer}.{round};");
        let arguments = json!({"old_string": "## Log\n", "new_string": format!("## Log\n{line}\n")});
        // A refusal is none of this test's business.
        if toolbox.show(&DocName::memory()).is_ok() && toolbox.call("replace_in_memory", &arguments).code().is_none() {
            acknowledged.push(line);
        }
    }
    acknowledged
}

#[test]
fn nothing_that_an_editor_or_a_writer_saved_is_lost() {
    let scratch = Scratch::create();
    memory(&scratch).seed(&DocName::memory(), "# Top\n\n## Log\n\n## End\n").unwrap();
    let path = scratch.join("memory.md");
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let mut lines: Vec<String> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|writer| {
                let (scratch, is_over) = (&*scratch, &is_over);
                scope.spawn(move || commit(scratch, writer, is_over))
            })
            .collect();
        let saved = (0..SAVES * soak::factor()).map(|save_number| {
            let line = format!("- editor {save_number};\n");
            save(&path, &line, save_number % 3);
            // Now and then it is still for long enough that writers come to it.
            pause(Duration::from_millis(if save_number % 20 == 19 { 400 } else { 20 }));
            line.trim_end().to_owned()
        });
        let saved: Vec<_> = saved.collect();
        is_over.store(true, std::sync::atomic::Ordering::SeqCst);
        saved.into_iter().chain(writers.into_iter().flat_map(|writer| writer.join().unwrap())).collect()
    });
    assert!(lines.len() > SAVES, "no writer came to it");
    let store = FileStore::open(&*scratch).unwrap();
    pause(Duration::from_millis(1100));
    let mut seen: BTreeSet<String> = text(&store, "memory").unwrap().split('\n').map(str::to_owned).collect();
    let mut now: Option<String> = None;
    for entry in entries(&store) {
        if entry.link(&DocName::memory()).is_some() {
            now = text_after(&entry, &DocName::memory(), now.as_deref()).unwrap();
            seen.extend(now.iter().flat_map(|text| text.split('\n')).map(str::to_owned));
        }
    }
    assert_eq!(now, text(&store, "memory"));
    assert_eq!(problems(&store), [""; 0]);
    lines.retain(|line| !seen.contains(line));
    assert_eq!(lines, [""; 0]);
}
