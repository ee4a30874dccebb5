//! Texts made to hurt: each call gives a result or an error, and returns.

use std::thread;

use memdoc::{Code, DocName, InMemoryStore, Memory, Policy, Reply, Status, Toolbox};
use serde_json::{Value, json};

use crate::support::checks;

fn toolbox(text: &str) -> Toolbox {
    limited_toolbox(text, 16 << 20)
}

fn limited_toolbox(text: &str, max_bytes: usize) -> Toolbox {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    let policy = Policy::default().with_max_bytes(max_bytes);
    let mut toolbox = Toolbox::new(Memory::new(store, policy).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    toolbox
}

/// Calls every tool on the text, and returns what `replace_in_memory` says.
fn call(text: &str, arguments: &Value) -> Reply {
    let mut toolbox = toolbox(text);
    for (tool, arguments) in [("memory_read", json!({"view": "keyed"})), ("validate_memory", json!({}))] {
        checks::check_reply(&toolbox.call(tool, &arguments));
    }
    let reply = toolbox.call("replace_in_memory", arguments);
    checks::check_reply(&reply);
    reply
}

fn replace(old: &str, new: &str) -> Value {
    json!({"old_string": old, "new_string": new})
}

/// Bytes that look random and are the same in every run.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut bytes = Vec::with_capacity(length);
    while bytes.len() < length {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend(state.to_le_bytes());
    }
    bytes
}

#[test]
fn one_line_of_hundreds_of_kibibytes() {
    let text = format!("## Facts\n- {}needle", "word ".repeat(1 << 16));
    assert_eq!(call(&text, &replace("needle", "thread")).status(), Status::Committed);
    assert_eq!(call(&text, &replace("neadle", "thread")).code(), Some(Code::NotFound));
    assert_eq!(call(&text, &replace("word word", "w")).code(), Some(Code::Ambiguous));
    assert_eq!(call(&text, &replace(&text.replace("needle", "Needle"), "w")).code(), Some(Code::NotFound));
}

#[test]
fn a_thousand_levels_of_bullets_on_a_small_stack() {
    let deep = || {
        let text: String = (0..1_000).map(|level| format!("{}- level {level}\n", "  ".repeat(level))).collect();
        assert_eq!(call(&text, &replace("level 999", "bottom")).status(), Status::Committed);
        assert_eq!(call(&text, &replace("level 1000", "bottom")).code(), Some(Code::NotFound));
        let heads: String = (0..2_000).map(|n| format!("{} H{n}\n", "#".repeat(n % 6 + 1))).collect();
        assert_eq!(call(&heads, &replace("H1999", "bottom")).status(), Status::Committed);
    };
    thread::Builder::new().stack_size(256 * 1024).spawn(deep).unwrap().join().unwrap();
}

#[test]
fn five_thousand_sections_of_one_name() {
    let text: String = (0..5_000).map(|n| format!("## Same\n- a {n}\n")).collect();
    assert_eq!(call(&text, &replace("- a\n## Same\n- b", "x")).code(), Some(Code::NotFound));
    assert_eq!(call(&text, &replace("- a ", "- b ")).code(), Some(Code::CountMismatch));
    let mut arguments = replace("- a 7\n", "- b 7\n");
    arguments["section"] = "Same".into();
    assert_eq!(call(&text, &arguments).code(), Some(Code::Ambiguous));
}

#[test]
fn repeats_against_repeats() {
    let text = "a".repeat(1 << 16);
    assert_eq!(call(&text, &replace("aa", "b")).code(), Some(Code::Ambiguous));
    assert_eq!(call(&text, &replace(&"a".repeat(1 << 15), "b")).code(), Some(Code::Ambiguous));
    assert_eq!(call(&text, &replace(&format!("{}b", "a".repeat(1 << 15)), "b")).code(), Some(Code::NotFound));
    let lines = "a\n".repeat(1 << 14);
    let refused = call(&lines, &replace(&format!("{}b", "a\n".repeat(1 << 12)), "b"));
    assert_eq!(refused.code(), Some(Code::NotFound));
}

#[test]
fn noise_as_text_and_as_old_string() {
    let noise = String::from_utf8_lossy(&noise(1 << 14)).into_owned();
    assert_eq!(call("## Facts\n- a\n", &replace(&noise, "x")).code(), Some(Code::NotFound));
    assert_eq!(call(&noise, &replace("a longer text that is not there", "x")).code(), Some(Code::NotFound));
    assert_eq!(call("## Facts\n- a\n", &replace("a", &noise)).status(), Status::Error);
}

#[test]
fn fences_that_do_not_balance() {
    let text = "- a\n```\n~~~\n- ```\n  - ~~~~\n".repeat(5_000) + "needle\n";
    assert_ne!(call(&text, &replace("needle", "thread")).status(), Status::Ok);
    assert_ne!(call(&text, &replace("needle", "```")).status(), Status::Ok);
    assert_eq!(call("a\n", &replace("a", "```")).code(), Some(Code::InvalidText));
}

#[test]
fn many_brackets_and_blocks() {
    let text = format!("- {}x\n{}\n", "[".repeat(1 << 16), "A (ID: a)\n".repeat(1 << 12));
    assert_eq!(call(&text, &replace("x", "y")).status(), Status::Committed);
    let entities = format!("## {}\n", "&#83;<a>".repeat(1 << 14));
    assert_ne!(call(&entities, &replace("##", "#")).status(), Status::Ok);
}

#[test]
fn arguments_nested_deeply_are_refused() {
    let mut toolbox = toolbox("- a\n");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(toolbox.call_str("replace_in_memory", &deep).code(), Some(Code::InvalidArguments));
    for broken in
        ["", "{", "[]", "null", "\"a\"", "{\"old_string\": \"\\ud800\"}", "{}{}", "{\"old_string\": \"a\" \"b\"}"]
    {
        let reply = toolbox.call_str("replace_in_memory", broken);
        checks::check_reply(&reply);
        assert_eq!(reply.code(), Some(Code::InvalidArguments), "{broken}");
    }
}

#[test]
fn more_edits_than_a_document_of_its_size_bears_are_refused() {
    let text: String = (0..2_000).map(|nth| format!("- bullet {nth}\n")).collect();
    let mut toolbox = toolbox(&text);
    let edits: Vec<_> =
        (0..2_000).map(|nth| json!({"op": "delete", "target": {"equals": format!("bullet {nth}")}})).collect();
    assert_eq!(toolbox.call("edit_items", &json!({ "edits": edits })).code(), Some(Code::InvalidArguments));
    let ops: Vec<_> = (0..2_000).map(|_| json!({"memory_id": "m", "sub_memory": "x", "intent": "add"})).collect();
    assert_eq!(toolbox.call("apply_sub_memory_ops", &json!({ "ops": ops })).code(), Some(Code::InvalidArguments));
    let targets: Vec<_> = (0..2_000).map(|nth| json!({"equals": format!("bullet {nth}")})).collect();
    assert_eq!(toolbox.call("pin_items", &json!({ "targets": targets })).code(), Some(Code::InvalidArguments));
}

#[test]
fn a_short_call_that_would_write_far_too_much_is_refused_before_it_is_written() {
    let (many, far, lines) = ("a ".repeat(2_000), " ".repeat(2_000), "  x\n".repeat(4_000));
    let text = format!("## Facts\n- {many}\n{far}- deep\n- mv\n{lines}");
    let patch = |lines: &str| json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{lines}*** End Patch")});
    let edits = |edit: Value| json!({"edits": [edit]});
    let calls = [
        (
            "replace_in_memory",
            json!({"old_string": "a", "new_string": "b".repeat(50_000), "replace_all": true, "whole_words": true}),
        ),
        ("edit_items", edits(json!({"op": "update", "target": {"contains": "deep"}, "text": "x\n".repeat(5_000)}))),
        (
            "edit_items",
            edits(json!({"op": "reorder", "target": {"contains": "mv"}, "to": {"after": {"contains": "deep"}}})),
        ),
        ("patch_memory", patch(&format!("@@\n- deep\n{}", "+ x\n".repeat(5_000)))),
        ("patch_memory", patch(&format!("@@ item: contains(\"deep\")\n{}", "+ x\n".repeat(10)).repeat(500))),
    ];
    for (tool, arguments) in calls {
        let mut toolbox = limited_toolbox(&text, 1 << 20);
        let reply = toolbox.call(tool, &arguments);
        checks::check_reply(&reply);
        assert!(matches!(reply.code(), Some(Code::TooLarge | Code::InvalidText)), "{tool}: {reply}");
        assert_eq!(toolbox.memory().read(&DocName::memory()).unwrap().text(), text);
    }
    // What is as far in as anyone would write is not counted.
    let near = format!("## Facts\n{}- deep\n", " ".repeat(60));
    let update = edits(json!({"op": "update", "target": {"contains": "deep"}, "text": "x\n".repeat(5_000)}));
    assert_eq!(toolbox(&near).call("edit_items", &update).status(), Status::Committed);
}
