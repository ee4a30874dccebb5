//! What validation finds, and that each fix it offers is one.

use std::sync::Arc;

use memdoc::{
    DocName, InMemoryStore, Memory, Policy, Status, Timestamp, ToolSet, Toolbox, memory::Clock, request::validate,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::draws::usually;
use crate::support::strategies;

/// Everything that can be wrong, but for the size.
const TEXT: &str = "## Facts\n- [home] Lives in Denver\n  - since May\n- Lives in Denver\n- [ttl: 7d] Has a guest\n\
    - [ttl: soon] Waits for a call\n- [a, b c\n- [expires: 2026-11-01] Sells the car\n- [pinned, expires: 2026-11-01] Keeps the keys\n\
    - Likes\u{200B}tea\n\nUser: (ID: mem1)\n- a\n\nAgent: (ID: mem1)\n- b\n\n## Facts\n\n**System/Policy**\n\n```\ncode\n";

struct Noon;

impl Clock for Noon {
    fn now(&self) -> Timestamp {
        now()
    }
}

fn now() -> Timestamp {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

fn memory(text: &str, policy: Policy) -> Arc<Memory> {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    Arc::new(Memory::new(store, policy).unwrap().with_clock(Noon))
}

fn policy() -> Policy {
    Policy::default().with_required_sections(["Facts", "Tasks"])
}

fn rows(reply: &memdoc::Reply) -> Vec<Value> {
    reply.get("violations").and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Makes every fix that is offered, each in a memory of its own, and returns how many there are.
fn make_fixes(text: &str, policy: &Policy, is_shown: bool) -> usize {
    let toolbox = || {
        let mut toolbox = Toolbox::new(memory(text, policy.clone()));
        if is_shown {
            toolbox.show(&DocName::memory()).unwrap();
        }
        toolbox
    };
    let count = |toolbox: &mut Toolbox, code: &Value| {
        let doc = toolbox.memory().read(&DocName::memory()).unwrap();
        validate(&doc, now()).iter().filter(|violation| *code == violation.kind.code()).count()
    };
    let mut made = 0;
    for row in rows(&toolbox().call("validate_memory", &json!({}))) {
        let Some(tool) = row["retry"]["tool"].as_str() else { continue };
        let mut toolbox = toolbox();
        let before = count(&mut toolbox, &row["code"]);
        let reply = toolbox.call(tool, &row["retry"]["arguments"]);
        assert_eq!(reply.status(), Status::Committed, "{text:?}\n{row}\n{reply}");
        // Of some kinds, no more than 50 are reported.
        assert!(count(&mut toolbox, &row["code"]) < before || before == 50, "{text:?}\n{row}");
        made += 1;
    }
    made
}

#[test]
fn every_fix_of_a_document_in_which_all_is_wrong_puts_it_right() {
    for is_shown in [true, false] {
        assert_eq!(make_fixes(TEXT, &policy(), is_shown), 1);
        assert_eq!(make_fixes(&TEXT.replace('\n', "\r\n"), &policy(), is_shown), 1);
        let mut strict = Policy::strict();
        strict.required_sections = policy().required_sections;
        assert_eq!(make_fixes(TEXT, &strict, is_shown), 1);
    }
}

#[test]
fn no_fix_deletes_a_duplicate_that_says_more() {
    let fixes = |text| make_fixes(text, &Policy::default(), true);
    assert_eq!(fixes("- a\n- a\n"), 1);
    for text in ["- [x] a\n- [ ] a\n", "- a\n- a\n  - b\n", "- a\n- [t] a\n", "- b\n  - a\n- c\n  - a\n"] {
        assert_eq!(fixes(text), 0, "{text:?}");
    }
}

#[test]
fn every_kind_of_violation_has_a_row() {
    let mut toolbox = Toolbox::new(memory(TEXT, policy()));
    toolbox.show(&DocName::memory()).unwrap();
    let reply = toolbox.call("validate_memory", &json!({}));
    assert_eq!(rows(&reply).len(), 11);
}

#[test]
fn a_fix_is_offered_only_by_tools_that_are_offered() {
    let offered = |set: ToolSet| {
        let mut toolbox = Toolbox::new(memory(TEXT, policy())).with_tools(set);
        let rows = rows(&toolbox.call("validate_memory", &json!({})));
        let tools = rows.iter().filter_map(|row| row["retry"]["tool"].as_str().map(str::to_owned));
        tools.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(offered(ToolSet::SubMemory).len(), 0);
    assert_eq!(offered(ToolSet::Standard).into_iter().collect::<Vec<_>>(), ["edit_items"]);
}

#[test]
fn a_ttl_without_a_start_is_a_hint_which_no_fix_makes_a_lifetime() {
    assert_eq!(make_fixes("## A\n- [ttl: 7d] a\n", &Policy::default(), true), 0);
}

#[test]
fn a_reply_lists_no_more_than_a_model_reads() {
    let text: String =
        (0..200).map(|nth| format!("- [ttl: 1d, since: 2026-01-01] same\n- [ttl: {nth}d] x{nth}\n")).collect();
    let mut toolbox = Toolbox::new(memory(&text, Policy::default()));
    let reply = toolbox.call("validate_memory", &json!({}));
    assert_eq!(rows(&reply).len(), 50);
    assert_eq!((reply.get("more"), reply.get("message")), (Some(&json!(549)), Some(&json!("599 violations"))));
}

fn violated_line() -> impl Strategy<Value = String> {
    let bullets = [
        "- [ttl: 7d] a",
        "- [pinned, ttl: 7d] p",
        "- [ttl: soon, expires: 2026-01-01] s",
        "- [ttl: x] b",
        "- [since: y, ttl: 1d] b",
        "- [expires: 2026-01-01] c",
        "  - [ttl: 1d, since: 2026-01-01] d",
        "1. [expires: 2026-01-01] one",
        "2. two",
        "- [critical] [expires: 2026-01-01] e",
        "User: (ID: m1)",
        "User: (ID: m1)",
        "Other: (ID: m1)",
        "## Head (ID: m1)",
        "- zero\u{200B}width",
        "- j\u{200D}",
        "## System/Policy",
    ];
    prop_oneof![2 => proptest::sample::select(bullets.to_vec()).prop_map(str::to_owned), 1 => strategies::line()]
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn every_fix_that_is_offered_puts_it_right(
        lines in proptest::collection::vec(violated_line(), 0..16), end in proptest::sample::select(vec!["", "\n"]),
        is_shown in any::<bool>(),
    ) {
        make_fixes(&(lines.join("\n") + end), &policy(), is_shown);
    }
}
