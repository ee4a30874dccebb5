//! A journal that is not what it was is noticed, whatever was done to its lines.

use std::sync::{Arc, LazyLock};

use memdoc::memory::journal::{Checkpoint, Entry, Verifier};
use memdoc::{DocName, InMemoryStore, Memory, Policy, Store as _, Toolbox};
use serde_json::json;

use super::compaction_draw::Draw;

/// A journal with entries of most kinds, and what a host has kept of it.
static GENUINE: LazyLock<(Vec<Vec<u8>>, Checkpoint)> = LazyLock::new(genuine);

fn genuine() -> (Vec<Vec<u8>>, Checkpoint) {
    let store = Arc::new(InMemoryStore::new().with(DocName::memory(), "## Facts\n- Lives in Denver\n- Has a dog\n"));
    let mut toolbox = Toolbox::new(Memory::new(store.clone(), Policy::default()).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    let calls = [
        ("replace_in_memory", json!({"old_string": "Denver", "new_string": "Austin"})),
        ("memory_commit", json!({"content": "likes tea", "importance": 7})),
        ("write_memory", json!({"key": "plan", "content": "1. Pack\n2. Go"})),
        ("block_update", json!({"label": "goals", "content": "Rest"})),
        ("memory_rethink", json!({"supersedes": [3], "new_understanding": "likes coffee"})),
        ("edit_items", json!({"edits": [{"op": "delete", "target": {"contains": "dog"}}]})),
        ("memory_undo", json!({"entry": "last"})),
    ];
    for (tool, arguments) in calls {
        let reply = toolbox.call(tool, &arguments).to_json();
        assert_ne!(reply["status"], "error", "{reply}");
    }
    let mut lines = Vec::new();
    store.scan(&mut |line| lines.push(line.to_vec())).unwrap();
    let checkpoint = toolbox.memory().verify(None).unwrap().checkpoint.unwrap();
    (lines, checkpoint)
}

/// Reads any bytes as damage to a genuine journal: lines are cut, doubled, swapped, or get other bytes. What is read of a line is
/// written as it stands, and a journal in which nothing is found says what the genuine one says.
pub fn check_journal(data: &[u8]) {
    let (genuine, checkpoint) = &*GENUINE;
    let (mut lines, mut draw) = (genuine.clone(), Draw::new(data));
    for _ in 0..=draw.below(3) {
        let at = draw.below(lines.len());
        match draw.below(6) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at].clone()),
            2 => {
                let other = draw.below(lines.len());
                lines.swap(at, other);
            }
            3 => {
                let end = draw.within(lines[at].len() + 1);
                lines[at].truncate(end);
            }
            _ => {
                let line = &mut lines[at];
                let start = draw.within(line.len());
                let end = (start + draw.below(3)).min(line.len());
                let bytes: Vec<u8> =
                    (0..draw.below(4)).map(|_| u8::try_from(draw.below(256)).unwrap_or_default()).collect();
                line.splice(start..end, bytes);
            }
        }
        if lines.is_empty() {
            return;
        }
    }
    let mut verifier = Verifier::new().with_checkpoint(checkpoint);
    for line in &lines {
        verifier.line(line);
        if let Ok(entry) = Entry::parse(line) {
            assert_eq!(Entry::parse(entry.to_line().as_bytes()).ok(), Some(entry), "{}", String::from_utf8_lossy(line));
        }
    }
    if verifier.finish().is_sound() {
        let said = |lines: &[Vec<u8>]| lines.iter().map(|line| said(line)).collect::<Vec<_>>();
        assert_eq!(said(&lines), said(genuine), "nothing was found");
    }
}

/// Returns what an entry says, but for what it is looked up by, which is not hashed.
fn said(line: &[u8]) -> String {
    let entry = Entry::parse(line).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(line)));
    format!("{} {} {} {:?} {:?}", entry.seq(), entry.time(), entry.hash(), entry.header(), entry.body())
}
