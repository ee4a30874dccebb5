//! The face for a model: what a call takes, what it answers, what the toolbox remembers.

use std::collections::BTreeSet;
use std::sync::Arc;

use memdoc::{Code, DocName, InMemoryStore, Memory, Policy, Revision, Status, Toolbox, document::OnStale};
use serde_json::{Value, json};

use crate::support::changes::write_outside;
use crate::support::checks;
use crate::support::stores::texts;

struct Agent {
    store: Arc<InMemoryStore>,
    toolbox: Toolbox,
}

impl Agent {
    fn new(text: &str, policy: Policy) -> Self {
        let store = Arc::new(InMemoryStore::new().with(DocName::memory(), text));
        let toolbox = Toolbox::new(Memory::new(store.clone(), policy).unwrap());
        Self { store, toolbox }
    }

    fn shown(text: &str, policy: Policy) -> Self {
        let mut agent = Self::new(text, policy);
        agent.toolbox.show(&DocName::memory()).unwrap();
        agent
    }

    fn replace(&mut self, old: &str, new: &str) -> memdoc::Reply {
        self.call("replace_in_memory", &json!({"old_string": old, "new_string": new}))
    }

    /// Calls a tool; an error must leave the store as it is.
    fn call(&mut self, tool: &str, arguments: &Value) -> memdoc::Reply {
        let before = texts(&self.store);
        let reply = self.toolbox.call(tool, arguments);
        checks::check_reply(&reply);
        let is_written = texts(&self.store) != before;
        assert_eq!(is_written, reply.status() == Status::Committed, "{reply}");
        reply
    }

    fn text(&self) -> String {
        texts(&self.store)[&DocName::memory()].to_string()
    }

    /// Writes as another editor would.
    fn write_from_outside(&self, text: &str) {
        write_outside(&self.store, &DocName::memory(), Some(text));
    }
}

#[test]
fn an_agent_that_was_shown_nothing_must_read_first() {
    let mut agent = Agent::new("- a\n", Policy::default());
    assert_eq!(agent.replace("a", "b").code(), Some(Code::MissingRevision));
    agent.call("memory_read", &json!({}));
    assert_eq!(agent.replace("a", "b").status(), Status::Committed);
    assert_eq!(agent.replace("b", "c").status(), Status::Committed, "its own edit counts as seen");
    assert_eq!(agent.text(), "- c\n");
}

#[test]
fn a_stale_edit_is_refused_and_names_both_revisions() {
    let mut agent = Agent::shown("- a\n- b\n", Policy::default());
    agent.write_from_outside("- a\n- B\n");
    let reply = agent.replace("a", "A");
    assert_eq!(reply.code(), Some(Code::StaleRevision));
    let shown = reply.to_string();
    for text in ["- a\n- b\n", "- a\n- B\n"] {
        assert!(shown.contains(&Revision::of(text).short()), "{shown}");
    }
}

#[test]
fn a_rebase_keeps_both_changes_or_conflicts() {
    let policy = Policy::default().with_on_stale(OnStale::Rebase);
    let mut agent = Agent::shown("- a\n- b\n", policy);
    agent.write_from_outside("- a\n- B\n");
    let reply = agent.replace("a", "A");
    assert_eq!((reply.status(), agent.text().as_str()), (Status::Committed, "- A\n- B\n"));
    assert_eq!(reply.get("warnings").unwrap()[0]["code"], "rebased");
    agent.write_from_outside("- A, mostly\n- B\n");
    assert_eq!(agent.replace("A", "a").code(), Some(Code::Conflict));
}

#[test]
fn a_retry_of_a_landed_edit_is_already_applied() {
    let mut agent = Agent::shown("- a\n", Policy::default());
    let revision = Revision::of("- a\n").short();
    let arguments = json!({"old_string": "a", "new_string": "b", "base_revision": revision});
    assert_eq!(agent.call("replace_in_memory", &arguments).status(), Status::Committed);
    assert_eq!(agent.call("replace_in_memory", &arguments).status(), Status::AlreadyApplied);
}

#[test]
fn an_edit_without_effect_is_no_change() {
    let mut agent = Agent::shown("- a\n", Policy::default());
    assert_eq!(agent.replace("a", "a").status(), Status::NoChange);
}

#[test]
fn revisions_may_be_named_by_any_long_enough_prefix() {
    let digits = Revision::of("- a\n").to_string();
    for (name, length, is_known) in
        [("revision", 8, true), ("hash", 64, true), ("revision_id", 12, true), ("base", 7, false)]
    {
        let mut agent = Agent::new("- a\n", Policy::default());
        let mut arguments = json!({"old_string": "a", "new_string": "b"});
        arguments[name] = digits[..length].into();
        let reply = agent.call("replace_in_memory", &arguments);
        assert_eq!(reply.status() == Status::Committed, is_known, "{reply}");
    }
    let mut agent = Agent::new("- a\n", Policy::default());
    let reply =
        agent.call("replace_in_memory", &json!({"old_string": "a", "new_string": "b", "base_revision": "00000000"}));
    assert_eq!(reply.code(), Some(Code::StaleRevision));
}

#[test]
fn the_strict_policy_asks_for_a_revision_in_every_edit() {
    let mut agent = Agent::shown("- a\n- b\n- c\n", Policy::strict());
    assert_eq!(agent.replace("- a\n- b\n- c", "x").code(), Some(Code::MissingRevision));
    let mut arguments =
        json!({"old_string": "a", "new_string": "A", "base_revision": Revision::of("- a\n- b\n- c\n").short()});
    assert_eq!(agent.call("replace_in_memory", &arguments).code(), Some(Code::ContextTooThin));
    arguments["old_string"] = "- a\n- b\n- c".into();
    assert_eq!(agent.call("replace_in_memory", &arguments).status(), Status::Committed);
}

#[test]
fn documents_are_created_by_their_first_edit_and_others_need_leave() {
    let mut toolbox = Toolbox::new(Memory::new(InMemoryStore::new(), Policy::default()).unwrap());
    assert_eq!(toolbox.call("memory_read", &json!({})).get("text"), Some(&Value::from("")));
    for name in ["other", "journal", "a/b"] {
        assert_eq!(toolbox.call("memory_read", &json!({"document": name})).code(), Some(Code::UnknownDocument));
    }
    for name in ["../memory", " ", "con", ".hidden", "a\u{0}b"] {
        assert_eq!(
            toolbox.call("memory_read", &json!({"document": name})).code(),
            Some(Code::InvalidArguments),
            "{name:?}"
        );
    }
}

#[test]
fn arguments_are_read_as_models_write_them() {
    let table = [
        json!({"oldString": "a", "newString": "b"}),
        json!({"old_str": "a", "new_str": "b", "expectedReplacements": "1"}),
        json!({"search": "a", "replacement": "b", "count": 1.0}),
    ];
    for arguments in table {
        let mut agent = Agent::shown("- a\n", Policy::default());
        let reply = agent.call("replace_in_memory", &arguments);
        assert_eq!(
            (reply.status(), &reply.get("healed").unwrap()[0]),
            (Status::Committed, &Value::from("arguments")),
            "{arguments}"
        );
    }
    let mut agent = Agent::shown("- a\n", Policy::default());
    let nulls = json!({"old_string": "a", "new_string": "b", "section": null, "block": null, "document": null});
    assert_eq!(agent.call("replace_in_memory", &nulls).get("healed"), Some(&json!([])));
}

#[test]
fn arguments_that_do_not_fit_are_answered_with_the_shape_of_the_call() {
    let mut agent = Agent::shown("- a\n", Policy::default());
    let table = [
        json!({}),
        json!([]),
        json!(null),
        json!({"old_string": "a"}),
        json!({"old_string": "a", "new_string": "b", "regex": true}),
        json!({"old_string": 1.5, "new_string": "b"}),
        json!({"old_string": "a", "old_str": "c", "new_string": "b"}),
        json!({"old_string": "a", "new_string": "b", "expected_replacements": 0}),
        json!({"old_string": "a", "new_string": "b", "expected_replacements": 1.5}),
        json!({"old_string": "a", "new_string": "b", "section": "x", "block": "y"}),
        json!({"old_string": "", "new_string": "b"}),
        json!({"old_string": "a", "new_string": "b", "base_revision": "zzzzzzzz"}),
    ];
    for arguments in table {
        let reply = agent.call("replace_in_memory", &arguments);
        assert_eq!(reply.code(), Some(Code::InvalidArguments), "{arguments}");
        assert!(reply.to_string().contains("replace_in_memory({"), "{reply}");
    }
}

#[test]
fn views_number_lines_and_name_bullets() {
    let mut agent = Agent::new("## Facts\n- a\n  more\n- a\n", Policy::default());
    let text = |reply: memdoc::Reply| reply.get("text").unwrap().as_str().unwrap().to_owned();
    assert_eq!(
        text(agent.call("memory_read", &json!({"view": "numbered", "section": "facts"}))),
        "1| ## Facts\n2| - a\n3|   more\n4| - a\n"
    );
    let keyed = text(agent.call("memory_read", &json!({"view": "keyed"})));
    let keys: BTreeSet<_> = keyed
        .split('\n')
        .filter_map(|line| line.split_once("| "))
        .map(|(key, _)| key)
        .filter(|key| !key.is_empty())
        .collect();
    assert_eq!(keys.len(), 2, "{keyed}");
    assert_eq!(agent.call("memory_read", &json!({"section": "none"})).code(), Some(Code::NotFound));
}

#[test]
fn validation_names_each_violation_with_its_line() {
    let text = "## A\n- x\n- x\n## A\nB (ID: b)\nC (ID: b)\n- [t]x\nSystem/Policy\n- z\u{200B}\n```\n";
    let reply = Agent::new(text, Policy::default().with_max_bytes(10).with_required_sections(["Facts"]))
        .call("validate_memory", &json!({}));
    let found = reply.get("violations").unwrap().as_array().unwrap();
    let found: Vec<_> =
        found.iter().map(|violation| (violation["code"].as_str().unwrap(), violation["line"].as_u64())).collect();
    let expected = [
        ("too_large", None),
        ("missing_section", None),
        ("duplicate_id", Some(6)),
        ("duplicate_bullet", Some(3)),
        ("ambiguous_section", Some(4)),
        ("unclosed_fence", Some(10)),
        ("malformed_tags", Some(7)),
        ("invisible_character", Some(9)),
        ("look_alike", Some(8)),
    ];
    assert_eq!(found, expected);
}

#[test]
fn every_definition_has_a_schema_of_one_flat_object() {
    let names: BTreeSet<_> = Toolbox::definitions().iter().map(|tool| tool.name).collect();
    assert_eq!(names.len(), Toolbox::definitions().len());
    for tool in Toolbox::definitions() {
        let schema = tool.input_schema();
        assert_eq!(schema["type"], "object", "{}", tool.name);
        assert!(
            schema["properties"].as_object().is_some_and(|all| all.values().all(|one| one["description"].is_string())),
            "{}",
            tool.name
        );
        assert!(tool.description().len() > 40 && tool.shape().starts_with(tool.name));
    }
}

#[test]
fn neither_debug_nor_receipts_show_content() {
    let mut agent = Agent::shown("## Facts\n- canary\n", Policy::default());
    let reply = agent.replace("canary", "secret");
    let seen = format!("{:?} {:?} {reply:?}", agent.toolbox, agent.toolbox.memory());
    assert!(!seen.contains("canary") && !seen.contains("secret"), "{seen}");
}

#[test]
fn a_reply_has_the_receipt_of_its_commit() {
    let mut agent = Agent::shown("- a\n", Policy::default());
    let reply = agent.replace("a", "b");
    assert_eq!(reply.receipt().map(|receipt| receipt.bytes.after), Some(4));
}
