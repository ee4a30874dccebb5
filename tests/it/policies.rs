//! Policies: each document has its own or the common one, and no value out of range is ever in force.

use std::sync::Arc;

use memdoc::{
    Code, DocName, InMemoryStore, Memory, Policy, Toolbox, document::ContextGuard, document::InvalidSetting,
    document::Rules, memory::Policies, session::SessionConfig,
};
use proptest::prelude::*;
use serde_json::json;

use crate::support::draws::usually;

fn name(name: &str) -> DocName {
    name.parse().unwrap()
}

/// Changes one value of the default policy.
fn policy(change: impl FnOnce(&mut Policy)) -> Policy {
    let mut policy = Policy::default();
    change(&mut policy);
    policy
}

fn wrong_policies() -> Vec<(&'static str, Policy)> {
    let mut wrong = vec![
        ("reserved_sections", Policy::default().with_reserved_sections(["System/Policy", "🔒"])),
        ("reserved_sections", Policy::default().with_reserved_sections([""])),
        ("max_bytes", Policy::default().with_max_bytes(0)),
        ("max_tokens", Policy::default().with_max_tokens(0)),
        ("context_guard.lines", Policy::default().with_context_guard(ContextGuard::Lines(0))),
    ];
    for title in ["Facts > Sub", "## A", "#"] {
        wrong.push(("required_sections", Policy::default().with_required_sections([title])));
    }
    // `!` reads as a letter, but is none; a stress mark is a letter that no text can be recognized by.
    for title in ["Private > Keys", "...", "!", "\u{2C8}"] {
        wrong.push(("reserved_sections", Policy::default().with_reserved_sections([title])));
    }
    for share in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.1, 1.1] {
        wrong.push(("soft_limit", Policy::default().with_soft_limit(share)));
        wrong.push(("max_loss", Policy::default().with_max_loss(share)));
    }
    wrong
}

fn setting<T>(result: Result<T, InvalidSetting>) -> Option<&'static str> {
    result.err().map(|error| error.setting)
}

#[test]
fn a_policy_out_of_range_is_refused_where_it_is_put_to_use() {
    for (field, policy) in wrong_policies() {
        assert_eq!(setting(Rules::new(policy.clone())), Some(field));
        assert_eq!(setting(Memory::new(InMemoryStore::new(), policy.clone())), Some(field));
        let of_notes = Policies::default().with(name("notes"), policy);
        assert_eq!(setting(Memory::new(InMemoryStore::new(), of_notes)), Some(field));
    }
}

#[test]
fn a_refusal_says_what_was_expected_and_found() {
    let error = Rules::new(policy(|policy| policy.max_loss = 1.5)).unwrap_err();
    assert_eq!(error.to_string(), "expected a share from 0 to 1 for `max_loss`, found `1.5`");
    let error = Rules::new(policy(|policy| policy.max_bytes = 0)).unwrap_err();
    assert_eq!(error.to_string(), "expected 1 or more for `max_bytes`, found `0`");
    let error = Rules::new(Policy::default().with_required_sections(["Facts > Sub"])).unwrap_err();
    assert_eq!(error.to_string(), "expected titles, not paths for `required_sections`, found `Facts > Sub`");
}

#[test]
fn a_title_that_only_looks_like_a_path_is_none() {
    let policy = Policy::default().with_required_sections(["Old -> new", "C#", "a>b"]).with_reserved_sections(["## A"]);
    assert_eq!(setting(Rules::new(policy)), None);
}

#[test]
fn a_policy_that_was_read_is_refused_for_what_is_unknown_and_for_what_is_out_of_range() {
    for (json, field) in [
        (json!({"documents": {"../x": {}}}), "../x"),
        (json!({"documents": {"notes": {"max_byte": 1}}}), "max_byte"),
        (json!({"max_byte": 1}), "max_byte"),
    ] {
        let error = serde_json::from_value::<Policies>(json.clone()).unwrap_err().to_string();
        assert!(error.contains(&format!("`{field}`")), "{json}: {error}");
    }
    for (json, field) in [
        (json!({"max_bytes": 0}), "max_bytes"),
        (json!({"soft_limit": 2}), "soft_limit"),
        (json!({"documents": {"notes": {"context_guard": {"lines": 0}}}}), "context_guard.lines"),
    ] {
        let policies: Policies = serde_json::from_value(json).unwrap();
        assert_eq!(setting(Memory::new(InMemoryStore::new(), policies)), Some(field));
    }
}

#[test]
fn a_session_setting_out_of_range_is_refused() {
    for (json, field) in [
        (json!({"editing": {"max_pending_changes": 0}}), "editing.max_pending_changes"),
        (json!({"editing": {"max_pending_changes": 27}}), "editing.max_pending_changes"),
        (json!({"editing": {"preview_max_length": 0}}), "editing.preview_max_length"),
        (json!({"tasks": {"max_stack_depth": 0}}), "tasks.max_stack_depth"),
        (json!({"history": {"compression_threshold": 0}}), "history.compression_threshold"),
        (json!({"matching": {"max_candidates_shown": 0}}), "matching.max_candidates_shown"),
    ] {
        let config: SessionConfig = serde_json::from_value(json).unwrap();
        assert_eq!(setting(config.check()), Some(field));
    }
    let json = json!({"editing": {"auto_preview": false, "max_pending_changes": 3, "preview_mode": "diff"}});
    let config: SessionConfig = serde_json::from_value(json).unwrap();
    assert_eq!((config.editing.auto_preview, config.tasks.max_stack_depth), (false, 3));
    assert_eq!(serde_json::from_value::<SessionConfig>(serde_json::to_value(&config).unwrap()).unwrap(), config);
}

#[test]
fn each_document_has_its_own_policy_or_the_common_one() {
    let json = json!({
        "max_bytes": 60,
        "documents": {"notes": {"max_bytes": 40, "required_sections": ["Keep"], "reserved_sections": []}, "core": {"strict": true}},
    });
    let policies: Policies = serde_json::from_value(json).unwrap();
    assert_eq!(policies.of(&name("core")).max_bytes, 60, "what is not said is as for all");
    let text = "## Keep\n- a\n\n## System/Policy\n- b\n";
    let store =
        ["memory", "notes", "core"].into_iter().fold(InMemoryStore::new(), |store, of| store.with(name(of), text));
    let mut toolbox = Toolbox::new(Memory::new(store, policies).unwrap());
    ["memory", "notes", "core"].into_iter().for_each(|of| drop(toolbox.show(&name(of)).unwrap()));
    let mut code = |document: &str, old: &str, new: &str| {
        let arguments = json!({"document": document, "old_string": old, "new_string": new});
        toolbox.call("replace_in_memory", &arguments).code()
    };
    assert_eq!(code("notes", "- a\n", "- a, and more than forty bytes can hold\n"), Some(Code::TooLarge));
    assert_eq!(code("notes", "- b\n", "- B\n"), None);
    assert_eq!(code("notes", "## Keep\n- a\n\n", ""), Some(Code::MissingSection));
    assert_eq!(code("core", "- a\n", "- A\n"), Some(Code::MissingRevision));
    assert_eq!(code("memory", "- b\n", "- B\n"), Some(Code::ReservedSection));
    assert_eq!(code("memory", "- a\n", "- up to sixty bytes\n"), None);
    assert_eq!(code("memory", "## Keep\n- up to sixty bytes\n\n", ""), None);
}

#[test]
fn tools_create_the_documents_whose_policy_lets_them() {
    let policies = Policies::default().with(name("projects"), Policy::default().with_new_documents());
    let mut toolbox = Toolbox::new(Memory::new(InMemoryStore::new(), policies).unwrap());
    let mut code = |document: &str| {
        let arguments = json!({"document": document, "name": "user", "value": "Ada"});
        toolbox.call("set_slot", &arguments).code()
    };
    assert_eq!([code("projects"), code("others")], [None, Some(Code::UnknownDocument)]);
}

#[test]
fn a_memory_counts_the_tokens_of_all_documents_with_the_counter_of_the_host() {
    struct Lines;
    impl memdoc::text::TokenCounter for Lines {
        fn count(&self, text: &str) -> usize {
            text.matches('\n').count()
        }
    }
    let policies = Policies::default().with(name("notes"), Policy::default().with_max_tokens(2));
    let memory = Memory::new(InMemoryStore::new(), policies).unwrap().with_counter(Lines);
    assert!(memory.create(&name("notes"), "- a\n- b\n").is_ok());
    assert_eq!(memory.read(&name("notes")).unwrap().tokens(), 2);
    assert_eq!(memory.create(&name("memory"), "- a\n- b\n- c\n").unwrap().tokens(), 3);
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn policies_read_what_they_write(bytes in 1..9_999_usize, sixteenths in 0..=16_u8, tokens in prop::option::of(1..99_usize)) {
        let share = f64::from(sixteenths) / 16.0;
        let common = policy(|policy| (policy.max_bytes, policy.max_loss) = (bytes, share));
        let own = policy(|policy| (policy.max_tokens, policy.soft_limit) = (tokens, share));
        for policies in [Policies::from(common.clone()), Policies::from(common).with(name("notes"), own)] {
            let json = serde_json::to_string(&policies).unwrap();
            prop_assert_eq!(serde_json::from_str::<Policies>(&json).unwrap(), policies);
        }
    }

    #[test]
    fn no_policy_in_force_is_out_of_range(share in any::<f64>(), bytes in 0..3_usize, value in any::<f64>()) {
        let wanted = policy(|policy| (policy.soft_limit, policy.max_bytes, policy.max_loss) = (share, bytes, value));
        let is_right = bytes > 0 && (0.0..=1.0).contains(&share) && (0.0..=1.0).contains(&value);
        prop_assert_eq!(Rules::new(wanted.clone()).is_ok(), is_right);
        prop_assert!(wanted.soft_bytes() <= bytes);
    }
}

#[test]
fn a_memory_may_be_given_to_a_toolbox_as_it_is_or_shared() {
    let memory = Arc::new(Memory::new(InMemoryStore::new(), Policy::default()).unwrap());
    drop((Toolbox::new(memory.clone()), Toolbox::new(memory)));
    drop(Toolbox::new(Memory::new(InMemoryStore::new(), Policy::default()).unwrap()));
}
