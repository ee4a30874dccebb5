//! What a model reads: the text of each kind of reply, word by word, in one snapshot.

use insta::assert_snapshot;
use memdoc::{
    Code, DocName, FileStore, InMemoryStore, Memory, Policy, Reply, Status, Timestamp, ToolSet, Toolbox, memory::Clock,
    memory::Landed, memory::Outcome, memory::StoreError, memory::Version,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::draws::usually;
use crate::support::scratch::Scratch;
use crate::support::stores::Hooked;
use crate::support::{checks, strategies};

const TEXT: &str = "---\nuser: Ada\n---\n## System/Policy\n- Never reveal secrets.\n\n## Facts\n- User’s advisor: TBD\n- Lives in Denver\n- [work] Uses Helix\n\n## Tasks\n- Lives in Denver until May\n- [pinned] Book the room\n  - for two\n- [expires: 2026-11-20] Buy milk\n\nAda: (ID: mem1)\n- Surveyor\n";

struct Fixed;

impl Clock for Fixed {
    fn now(&self) -> Timestamp {
        "2026-11-21T09:00:00Z".parse().unwrap()
    }
}

fn toolbox(text: &str, policy: Policy) -> Toolbox {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    let mut toolbox = Toolbox::new(Memory::new(store, policy).unwrap().with_clock(Fixed));
    toolbox.show(&DocName::memory()).unwrap();
    toolbox
}

/// Returns the text of a reply, with nothing in it that a terminal would take for a command.
fn text_of(reply: &Reply) -> String {
    checks::check_reply(reply);
    let shown = reply.to_string();
    assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
    shown
}

fn patch(lines: &str) -> Value {
    json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{lines}\n*** End Patch")})
}

fn replace(old: &str, new: &str) -> Value {
    json!({"old_string": old, "new_string": new})
}

fn items(edit: Value) -> Value {
    json!({"edits": [edit]})
}

/// Calls of each tool, those that are made and those that are refused.
fn calls() -> Vec<(&'static str, Value)> {
    let op = |intent: &str, text: &str, index: usize| json!({"ops": [{"memory_id": "mem1", "intent": intent, "sub_memory": text, "index": index}]});
    let rewrite = |candidate: &str| json!({"instructions": "shorten", "candidate": candidate});
    vec![
        ("replace_in_memory", replace("Uses Helix", "Uses Zed")),
        ("replace_in_memory", replace("User's advisor", "Advisor")),
        ("replace_in_memory", replace("Lives in Denver", "Lives in Austin")),
        ("replace_in_memory", json!({"old_string": "Denver", "new_string": "Austin", "expected_replacements": 3})),
        ("replace_in_memory", json!({"old_string": "uses helix", "new_string": "x"})),
        ("replace_in_memory", json!({"old_string": "Lives in Dover", "new_string": "x"})),
        ("replace_in_memory", json!({"old_string": "Uses Helix", "new_string": "x", "section": "Tasks"})),
        ("replace_in_memory", json!({"old_string": "Uses Helix", "new_string": "x", "section": "Fcats"})),
        ("replace_in_memory", replace("Never reveal", "Always reveal")),
        ("replace_in_memory", replace("Helix", "a\u{202e}b")),
        ("replace_in_memory", json!({"old_string": "Helix", "new_string": "x", "expected_replacements": 0})),
        ("replace_in_memory", json!({"old_string": "Helix"})),
        ("replace_in_memory", json!({"old_string": "Helix", "new_string": "x", "colour": "red"})),
        (
            "patch_memory",
            patch("@@ section: Facts\n-- Lives in Denver\n+- Lives in Austin\n@@ section: Tasks\n+- Tell the bank"),
        ),
        ("patch_memory", patch("@@ section: Fcats\n+- x")),
        ("patch_memory", patch("@@ section: Facts\n-- Lives in Dover\n+- x\n@@\n-- Uses Vim\n+- y")),
        ("patch_memory", patch("+- Tell the bank")),
        ("patch_memory", patch("@@ section: Facts\nLives")),
        ("patch_memory", patch("*** Add Section: Facts\n+- x")),
        ("patch_memory", patch("*** Delete Section: System/Policy")),
        ("edit_items", items(json!({"op": "delete", "target": {"contains": "Denver"}}))),
        ("edit_items", items(json!({"op": "delete", "target": {"contains": "Book"}}))),
        ("edit_items", items(json!({"op": "delete", "target": {"section": "Facts", "index": 2}}))),
        ("edit_items", items(json!({"op": "update", "target": {"contains": "Helix"}}))),
        ("edit_items", items(json!({"op": "insert", "target": {"section": "Facts"}, "text": "Lives in Denver"}))),
        ("edit_items", items(json!({"op": "insert", "target": {"section": "Facts"}, "text": "a", "to": "Tasks"}))),
        ("apply_sub_memory_ops", op("delete", "Surveyor", 1)),
        ("apply_sub_memory_ops", op("delete", "Surveyors", 1)),
        ("delete_section", json!({"section": "Tasks"})),
        ("rename_section", json!({"section": "Facts", "title": "Tasks"})),
        ("move_section", json!({"section": "Tasks", "before": "Facts"})),
        ("remove_slot", json!({"name": "usr"})),
        ("rewrite_memory", json!({"instructions": "tidy up"})),
        ("rewrite_memory", rewrite("## Facts\n- one\n")),
        ("rewrite_memory", rewrite(&TEXT.replace("[pinned] ", ""))),
        ("rewrite_memory", rewrite(&TEXT.replace("- Lives in Denver\n", "- (rest unchanged)\n"))),
        ("validate_memory", json!({})),
        ("diff_preview", json!({"tool": "replace_in_memory", "arguments": replace("Helix", "Zed")})),
        (
            "diff_preview",
            json!({"tool": "replace_in_memory", "arguments": {"old_string": "Helix", "new_string": "x", "section": "Tasks"}}),
        ),
        ("memory_read", json!({"section": "Facts", "view": "keyed"})),
        ("memory_history", json!({})),
        ("memory_undo", json!({"entry": 99})),
        ("memory_commit", json!({"content": "Was delighted", "importance": 12})),
        ("memory_recall", json!({"query": "delight"})),
        ("write_memory", json!({"key": "steps", "content": "1. Test"})),
        ("search_memory", json!({"query": "advisor"})),
        ("block_get", json!({"label": "persona"})),
        ("memo_replace", json!({"old_text": "Denver", "new_text": "Austin"})),
        ("memo_replace", json!({"old_text": "Helix", "new_text": "Zed"})),
        ("memo_commit", json!({"summary": "s"})),
        ("unheard_of", json!({})),
    ]
}

#[test]
fn who_did_what_and_which_version_it_is_stands_at_the_beginning() {
    let mut toolbox = toolbox("- Lives in Denver\n", Policy::default());
    toolbox.call("replace_in_memory", &json!({"old_string": "Denver", "new_string": "Austin"}));
    toolbox.call("block_update", &json!({"label": "goals", "content": "Rest"}));
    let history = text_of(&toolbox.call("memory_history", &json!({})));
    assert!(history.contains("\n- seq 2, actor agent, tool replace_in_memory, type edit, time "), "{history}");
    assert!(history.contains("\n- seq 3, actor agent, tool block_update, type block, sections goals, "), "{history}");
    let block = text_of(&toolbox.call("block_get", &json!({"label": "goals"})));
    assert!(block.starts_with("ok (version 1)\n"), "{block}");
}

#[test]
fn a_pending_change_says_in_how_many_places_it_is() {
    let mut toolbox = toolbox("## A\n- eu\n\n## B\n- eu\n\n## C\n- eu\n", Policy::default());
    let all = json!({"old_string": "eu", "new_string": "us", "replace_all": true});
    let staged = text_of(&toolbox.call("memo_stage", &json!({"tool": "replace_in_memory", "args": all})));
    assert!(staged.contains("[A] replace_in_memory (3 places, the first on line 2, +0 characters)"), "{staged}");
    let stats = text_of(&toolbox.call("memo_preview", &json!({"format": "stats"})));
    assert!(stats.contains("[A] +6/-6 characters, `memory`, 3 places, the first on line 2, section A"), "{stats}");
}

#[test]
fn every_kind_of_reply_reads_so() {
    let shown = calls().into_iter().map(|(tool, arguments)| {
        let mut toolbox = toolbox(TEXT, Policy::default());
        let reply = toolbox.call(tool, &arguments);
        format!("> {tool} {arguments}\n{}\n", text_of(&reply))
    });
    insta::with_settings!({snapshot_path => "../snapshots", prepend_module_to_snapshot => false}, {
        assert_snapshot!("messages", shown.collect::<Vec<_>>().join("\n"));
    });
}

#[test]
fn a_call_that_is_offered_is_of_a_tool_that_is_offered_and_is_made() {
    for set in [ToolSet::All, ToolSet::Minimal, ToolSet::Standard, ToolSet::SubMemory, ToolSet::Sections] {
        for (tool, arguments) in calls() {
            let mut toolbox = toolbox(TEXT, Policy::default()).with_tools(set);
            let reply = toolbox.call(tool, &arguments);
            let Some(retry) = reply.get("retry") else { continue };
            let (name, arguments) = (retry["tool"].as_str().unwrap(), &retry["arguments"]);
            let again = toolbox.call(name, arguments);
            assert_ne!(again.status(), Status::Error, "{set}: {reply}\n{again}");
            let names: Vec<_> = Toolbox::definitions().iter().map(|tool| tool.name).collect();
            let offered = |name: &str| toolbox.tools().iter().any(|tool| tool.name == name);
            let hint = reply.get("hint").and_then(Value::as_str).unwrap_or_default();
            let words = hint.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            let unknown: Vec<_> = words.filter(|word| names.contains(word) && !offered(word)).collect();
            assert!(unknown.is_empty(), "{set}: {hint}");
        }
    }
}

fn failing(answer: fn() -> Result<Outcome, StoreError>) -> Reply {
    let inner = InMemoryStore::new().with(DocName::memory(), TEXT);
    let store = Hooked { landed: Some(|| Ok(Landed::Unknown)), ..Hooked::new(inner, move |_, _| answer()) };
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    toolbox.call("replace_in_memory", &replace("Book", "Cancel"))
}

#[test]
fn a_busy_store_and_a_lost_answer_are_told_apart() {
    let busy = failing(|| Err(StoreError::Busy { path: "lock".into() }));
    assert_eq!(busy.code(), Some(Code::Busy));
    let lost = failing(|| Ok(Outcome::Indeterminate(StoreError::Busy { path: "lock".into() })));
    assert_eq!(lost.code(), Some(Code::Indeterminate));
    assert!(lost.to_string().contains("It is not known whether anything was changed"), "{lost}");
    let overtaken = failing(|| {
        let [expected, found] = [Version::default(); 2];
        Ok(Outcome::Conflict { document: DocName::memory(), expected, found })
    });
    assert_eq!(overtaken.code(), Some(Code::Busy));
}

#[test]
fn a_document_that_cannot_be_used_is_told_by_its_name_and_not_by_its_path() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    std::fs::create_dir(store.path(&DocName::memory())).unwrap();
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    let reply = toolbox.call("memory_read", &json!({}));
    assert!(reply.to_string().starts_with("error store: Nothing was changed: `memory.md` is not a file."), "{reply}");
    // It is the trouble of that document alone.
    assert_eq!(toolbox.call("memory_read", &json!({"document": "notes"})).status(), Status::Ok);
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn every_message_is_bounded_and_says_that_nothing_was_changed(
        text in strategies::document(), old in strategies::payload(), new in strategies::payload(),
        count in -1..4_i64, section in proptest::option::of(strategies::line()), repeat in 1..400_usize,
    ) {
        let old = old.repeat(if old.len() < 8 { 1 } else { repeat });
        let arguments = json!({"old_string": old, "new_string": new, "expected_replacements": count, "section": section});
        let mut toolbox = toolbox(&text, Policy::default());
        checks::check_reply(&toolbox.call("replace_in_memory", &arguments));
        checks::check_reply(&toolbox.call(&old, &arguments));
        checks::check_reply(&toolbox.call("memory_read", &json!({"section": section, "view": old})));
        checks::check_reply(&toolbox.call("validate_memory", &json!({old.as_str(): new})));
        checks::check_reply(&toolbox.call_str("replace_in_memory", &old));
    }
}
