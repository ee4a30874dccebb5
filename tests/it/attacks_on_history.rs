//! What was tried against the journal's tools: each of these once took one thing for another.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memdoc::memory::journal::Seq;
use memdoc::memory::{Actor, MemoryError, NewMemory, RequestId, Undo, Undone};
use memdoc::{
    Basis, DocName, Edit, FileStore, InMemoryStore, Memory, Operation, Origin, Policy, Replace, Request, Store,
    Toolbox, View, edit::EditBuilder, edit::Part, edit::PartStatus, edit::Promise, request::RequestError, text::Span,
};
use proptest::prelude::*;
use serde_json::json;

use crate::support::draws::usually;
use crate::support::journal_checks::check_journal;
use crate::support::scratch::Scratch;

fn who(name: &str) -> Origin {
    Origin::new(name.parse::<Actor>().unwrap(), "replace")
}

fn memory(text: &str) -> Arc<Memory> {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    Arc::new(Memory::new(store, Policy::default()).unwrap())
}

fn on_files(scratch: &Scratch) -> Memory {
    Memory::new(FileStore::open(&**scratch).unwrap(), Policy::default()).unwrap()
}

fn text(memory: &Memory) -> String {
    memory.read(&DocName::memory()).unwrap().text().to_owned()
}

fn replace(memory: &Memory, old: &str, new: &str, actor: &str) -> Seq {
    let request = Replace::new(old, new);
    let operation = Operation::edit(DocName::memory(), Basis::Anything, &request);
    let applied = memory.apply(&[operation], &who(actor), RequestId::new("replace", &json!([old, new]))).unwrap();
    applied[0].seq.unwrap()
}

fn journal(store: &dyn Store) -> String {
    let mut all = String::new();
    store.scan(&mut |line| all.push_str(&String::from_utf8_lossy(line))).unwrap();
    all
}

fn files_with(directory: &Path, needle: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, needle));
        } else if String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains(needle) {
            found.push(path.display().to_string());
        }
    }
    found
}

fn is_conflict(result: &Result<Undone, MemoryError>) -> bool {
    result.as_ref().err().is_some_and(|error| error.code() == memdoc::Code::Conflict)
}

#[test]
fn the_same_fact_written_again_by_another_is_not_taken_back() {
    let memory = memory("- Lives in Denver\n");
    let first = replace(&memory, "Denver", "Austin", "ada");
    replace(&memory, "Austin", "Denver", "bo");
    replace(&memory, "Denver", "Austin", "cy");
    assert!(is_conflict(&memory.undo(Undo::Entry(first), &who("ada"))));
    assert_eq!(text(&memory), "- Lives in Austin\n");
}

#[test]
fn an_equal_line_at_another_place_is_not_taken_back() {
    let memory = memory("- b\n");
    let first = replace(&memory, "- b\n", "- tea\n- b\n", "ada");
    replace(&memory, "- tea\n", "", "bo");
    replace(&memory, "- b\n", "- b\n- tea\n", "cy");
    assert!(is_conflict(&memory.undo(Undo::Entry(first), &who("ada"))));
    assert_eq!(text(&memory), "- b\n- tea\n");
}

#[test]
fn what_was_undone_and_made_anew_is_undone_by_the_number_that_made_it_anew() {
    let memory = memory("- Lives in Denver\n- Uses Helix\n");
    let first = replace(&memory, "Denver", "Austin", "ada");
    memory.undo(Undo::Entry(first), &who("bo")).unwrap();
    replace(&memory, "Helix", "Zed", "cy");
    memory.undo(Undo::Entry(first.plus(1)), &who("bo")).unwrap();
    assert_eq!(text(&memory), "- Lives in Austin\n- Uses Zed\n");
    assert!(is_conflict(&memory.undo(Undo::Entry(first), &who("ada"))));
    memory.undo(Undo::Entry(first.plus(3)), &who("ada")).unwrap();
    assert_eq!(text(&memory), "- Lives in Denver\n- Uses Zed\n");
    assert!(matches!(memory.undo(Undo::Entry(first), &who("ada")), Ok(Undone::Already(_))));
}

#[test]
fn a_document_made_anew_is_not_that_which_was_made() {
    let memory = memory("");
    let document: DocName = "projects".parse().unwrap();
    memory.create(&document, "- Ship it\n").unwrap();
    let made = memory.head().unwrap().seq;
    memory.delete(&document).unwrap();
    memory.create(&document, "- Ship it\n").unwrap();
    assert!(is_conflict(&memory.undo(Undo::Entry(made), &who("ada"))));
    memory.read(&document).unwrap();
}

#[test]
fn a_document_that_is_gone_is_not_made_anew_by_undoing_an_edit_of_it() {
    let memory = memory("");
    let document: DocName = "projects".parse().unwrap();
    memory.create(&document, "- a\n").unwrap();
    memory.write(&document, "").unwrap();
    let emptied = memory.head().unwrap().seq;
    memory.delete(&document).unwrap();
    assert!(is_conflict(&memory.undo(Undo::Entry(emptied), &who("ada"))));
    assert!(memory.read(&document).is_err());
}

#[test]
fn undoing_a_new_name_leaves_nothing_behind_under_it() {
    let memory = memory("");
    let [old, new]: [DocName; 2] = ["projects", "archive"].map(|name| name.parse().unwrap());
    memory.create(&old, "- a\n- b\n").unwrap();
    memory.rename(&old, &new).unwrap();
    let renamed = memory.head().unwrap().seq;
    memory.write(&new, "- a\n- b\n- c\n").unwrap();
    assert!(is_conflict(&memory.undo(Undo::Entry(renamed), &who("ada"))));
    assert!(memory.read(&old).is_err());
    assert_eq!(memory.read(&new).unwrap().text(), "- a\n- b\n- c\n");
}

#[test]
fn an_invisible_character_comes_back_by_the_host_or_by_who_removed_it() {
    let start = "- a\u{200B}b\n- c\n";
    let memory = memory(start);
    let removed = replace(&memory, "a\u{200B}b", "ab", "ada");
    let refused = memory.undo(Undo::Entry(removed), &who("bo")).unwrap_err();
    assert_eq!(refused.code(), memdoc::Code::InvalidText);
    memory.undo(Undo::Entry(removed), &Origin::host("takes it back")).unwrap();
    assert_eq!(text(&memory), start);
    let removed = replace(&memory, "a\u{200B}b", "ab!", "ada");
    replace(&memory, "- c", "- d", "bo");
    memory.undo(Undo::Entry(removed), &who("ada")).unwrap();
    assert_eq!(text(&memory), "- a\u{200B}b\n- d\n");
}

#[test]
fn a_reserved_section_neither_goes_nor_comes_with_its_document() {
    let reserved = "## System/Policy\n- Never reveal secrets.\n";
    let [document, other]: [DocName; 2] = ["projects", "archive"].map(|name| name.parse().unwrap());
    for turn in 0..3 {
        let memory = memory("");
        memory.create(&document, reserved).unwrap();
        match turn {
            0 => {}
            1 => memory.delete(&document).map(drop).unwrap(),
            _ => memory.rename(&document, &other).map(drop).unwrap(),
        }
        let last = memory.head().unwrap().seq;
        let before = memory.documents().unwrap();
        let refused = memory.undo(Undo::Entry(last), &who("ada")).unwrap_err();
        assert_eq!(refused.code(), memdoc::Code::ReservedSection, "{turn}");
        assert_eq!(memory.documents().unwrap(), before);
        memory.undo(Undo::Entry(last), &Origin::host("takes it back")).unwrap();
        assert_ne!(memory.documents().unwrap(), before);
    }
}

#[test]
fn the_same_keyed_calls_of_two_agents_are_two() {
    let memory = memory("- Lives in Denver\n- Uses Helix\n");
    replace(&memory, "Denver", "Austin", "ada");
    replace(&memory, "Helix", "Zed", "bo");
    let since = memory.head().unwrap().seq;
    let delighted = NewMemory::new("Was delighted");
    let seqs = ["ada", "bo"].map(|name| memory.remember(&delighted, &who(name).knowing(since)).unwrap().seq);
    assert_ne!(seqs[0], seqs[1]);
    for name in ["ada", "bo"] {
        memory.undo(Undo::Last, &who(name).knowing(since)).unwrap();
    }
    assert_eq!(text(&memory), "- Lives in Denver\n- Uses Helix\n");
}

#[test]
fn the_same_keyed_calls_of_two_agents_of_one_name_are_two() {
    let memory = memory("- Lives in Denver\n");
    let seq = replace(&memory, "Denver", "Austin", "host").get();
    let [mut one, mut other] = [(), ()].map(|()| Toolbox::new(Arc::clone(&memory)));
    other.call("memory_undo", &json!({"entry": 77}));
    one.call("memory_undo", &json!({"entry": seq}));
    memory.undo(Undo::Entry(Seq::new(seq + 1)), &who("cy")).unwrap();
    assert_eq!(text(&memory), "- Lives in Austin\n");
    other.call("memory_undo", &json!({"entry": seq}));
    assert_eq!(text(&memory), "- Lives in Denver\n");
}

#[test]
fn a_line_put_behind_the_last_one_is_no_change_of_it() {
    let memory = memory("- a\n- b");
    memory.write(&DocName::memory(), "- a\n- b\n- c").unwrap();
    let doc = memory.read(&DocName::memory()).unwrap();
    let blamed = doc.bullets().map(|bullet| memory.blame(&DocName::memory(), bullet).unwrap().seq().get());
    assert_eq!(blamed.collect::<Vec<_>>(), [1, 1, 2]);
}

#[test]
fn what_came_from_outside_is_redacted() {
    let scratch = Scratch::create();
    let memory = on_files(&scratch);
    memory.write(&DocName::memory(), "- Cat quokka\n").unwrap();
    std::fs::write(scratch.join("projects.md"), "- also quokka\n").unwrap();
    std::fs::write(scratch.join("memory.md"), "- Cat quokka\n- quokka\n").unwrap();
    let redacted = memory.redact(&[], &["quokka"], &Origin::host("privacy")).unwrap();
    assert_eq!(redacted.documents.len(), 2);
    assert_eq!(files_with(&scratch, "quokka"), [""; 0]);
}

#[test]
fn a_redaction_does_not_say_what_it_redacts() {
    let store = Arc::new(InMemoryStore::new());
    let memory = Memory::new(Arc::clone(&store), Policy::default()).unwrap();
    memory.write(&DocName::memory(), "- Cat quokka\n").unwrap();
    let origin = Origin::host("forget quokka").with_reason("asked to forget quokka").with_source("ticket quokka");
    memory.redact(&[], &["quokka"], &origin).unwrap();
    assert!(!journal(&store).contains("quokka"));
    assert!(memory.verify(None).unwrap().is_sound());
}

#[test]
fn a_verification_beside_a_writer_is_sound() {
    let memory = memory("- 0\n");
    let (writer, stop) = (Arc::clone(&memory), Arc::new(AtomicBool::new(false)));
    let stopped = Arc::clone(&stop);
    let thread = std::thread::spawn(move || {
        let mut index = 0;
        while !stopped.load(Ordering::Relaxed) && index < 1000 {
            index += 1;
            writer.write(&DocName::memory(), &format!("- {index}\n")).unwrap();
        }
    });
    let unsound = (0..20).map(|_| memory.verify(None).unwrap()).find(|verified| !verified.is_sound());
    stop.store(true, Ordering::Relaxed);
    thread.join().unwrap();
    assert_eq!(unsound.map(|unsound| unsound.findings), None);
}

#[test]
fn a_verification_behind_an_edit_from_outside_is_sound() {
    let scratch = Scratch::create();
    let memory = Arc::new(on_files(&scratch));
    memory.write(&DocName::memory(), "- a\n").unwrap();
    for more in ["- b\n", "- c\n"] {
        std::fs::write(scratch.join("memory.md"), format!("- a\n{more}")).unwrap();
        let reply = Toolbox::new(Arc::clone(&memory)).call("memory_verify", &json!({}));
        assert_eq!(reply.code(), None, "{reply}");
        assert!(memory.verify(None).unwrap().is_sound());
    }
}

/// Writes `text` over the lines from `line` on, `count` of them.
#[derive(Debug)]
struct Lines {
    line: usize,
    count: usize,
    text: String,
}

impl Request for Lines {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let lengths = view.doc.text().split_inclusive('\n').map(str::len);
        let starts: Vec<_> = lengths.scan(0, |end, length| Some(std::mem::replace(end, *end + length))).collect();
        let at = |index: usize| starts.get(index).copied().unwrap_or(view.doc.text().len());
        let mut edit = EditBuilder::new(view.doc);
        edit.part(Part::new(PartStatus::Applied));
        edit.replace(Span::new(at(self.line), at(self.line + self.count)), self.text.as_str(), Promise::Lines);
        Ok(edit.finish().expect("one splice overlaps no other"))
    }
}

impl Lines {
    fn write(&self, memory: &Memory, actor: &str) -> Option<Seq> {
        let operation = Operation::edit(DocName::memory(), Basis::Anything, self);
        let call = json!([self.line, self.count, self.text]);
        memory.apply(&[operation], &who(actor), RequestId::new("lines", &call)).ok()?[0].seq
    }
}

/// Returns the text without what tells equal lines apart.
fn untagged(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| format!("{}\n", line.split(" #").next().unwrap_or_default().trim_end()))
        .collect()
}

#[derive(Clone, Debug)]
enum Deed {
    Write { line: usize, count: usize, words: Vec<&'static str> },
    Undo(usize),
}

fn deed() -> impl Strategy<Value = Deed> {
    let words = prop::collection::vec(prop::sample::select(vec!["tea", "milk"]), 0..3);
    let write = (0_usize..6, 0_usize..3, words).prop_map(|(line, count, words)| Deed::Write { line, count, words });
    prop_oneof![2 => write, 1 => (0_usize..12).prop_map(Deed::Undo)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]
    /// Lines that read the same are told apart by who wrote them: whatever is undone among them is what would be undone if each
    /// read differently, or nothing.
    #[test]
    fn equal_lines_are_undone_as_different_ones_would_be(deeds in prop::collection::vec(deed(), 1..14)) {
        let [alike, apart] = [memory("- tea\n- milk\n"), memory("- tea #a\n- milk #b\n")];
        let mut seqs = Vec::new();
        for (number, deed) in deeds.iter().enumerate() {
            match deed {
                Deed::Write { line, count, words } => {
                    // What is written over itself is no change, where lines read the same.
                    let before = text(&alike);
                    let mut replaced = before.split_terminator('\n').skip(*line).take(*count);
                    if replaced.any(|line| words.iter().any(|word| line == format!("- {word}"))) {
                        continue;
                    }
                    let text = |tag: &dyn Fn(usize) -> String| {
                        words.iter().enumerate().map(|(index, word)| format!("- {word}{}\n", tag(index))).collect::<String>()
                    };
                    let plain = Lines { line: *line, count: *count, text: text(&|_| String::new()) };
                    let tagged = Lines { text: text(&|index| format!(" #{number}.{index}")), ..Lines { line: *line, count: *count, text: String::new() } };
                    if let Some(seq) = tagged.write(&apart, "ada") {
                        prop_assert_eq!(plain.write(&alike, "ada"), Some(seq));
                        seqs.push(seq);
                    }
                }
                Deed::Undo(index) => {
                    let Some(seq) = seqs.get(index % seqs.len().max(1)) else { continue };
                    let undone = alike.undo(Undo::Entry(*seq), &who("bo"));
                    if let Ok(Undone::Made(applied)) = &undone {
                        let other = apart.undo(Undo::Entry(*seq), &who("bo"));
                        prop_assert!(matches!(other, Ok(Undone::Made(_))), "{:?}", other);
                        seqs.extend(applied[0].seq);
                    }
                }
            }
            prop_assert_eq!(text(&alike), untagged(&text(&apart)));
        }
    }
}

proptest! {
    #![proptest_config(usually(2_000))]

    #[test]
    fn a_journal_in_which_nothing_is_found_says_what_it_said(data in proptest::collection::vec(any::<u8>(), 0..24)) {
        check_journal(&data);
    }
}
