//! Every tool that makes a document grow obeys its limits, and is compacted in the same write where the policy says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memdoc::{
    Code, DocName, InMemoryStore, Memory, Policy, Reply, Status, Store, Toolbox, document::AutoCompact,
    memory::Policies,
};
use serde_json::json;

use crate::support::stores::Hooked;

const TEXT: &str = "---\nuser: Ada\n---\n## Facts\n- Lives in Denver\n- [expires: 2020-01-01] The fair is in town, on the green behind the church\n\n## People\nAda: (ID: mem1)\n- Likes tea\n";

/// A call of each tool that makes the text grow, and what it writes.
const GROWING: &[(&str, &str, &str)] = &[
    (
        "patch_memory",
        r#"{"patch": "*** Begin Patch\n*** Update Memory\n@@ section: Facts\n+- Allergic to nuts\n*** End Patch"}"#,
        "- Allergic to nuts\n",
    ),
    (
        "replace_in_memory",
        r#"{"old_string": "Denver", "new_string": "Denver, Colorado"}"#,
        "- Lives in Denver, Colorado\n",
    ),
    (
        "edit_items",
        r#"{"op": "insert", "target": {"section": "Facts"}, "text": "Allergic to nuts"}"#,
        "- Allergic to nuts\n",
    ),
    ("pin_items", r#"{"targets": [{"contains": "Denver"}]}"#, "- [pinned] Lives in Denver\n"),
    (
        "set_ttl",
        r#"{"targets": [{"contains": "Denver"}], "ttl": "9999-01-01"}"#,
        "- [expires: 9999-01-01] Lives in Denver\n",
    ),
    ("rename_section", r#"{"section": "Facts", "title": "Facts and figures"}"#, "## Facts and figures\n"),
    ("edit_section", r#"{"op": "rename", "section": "Facts", "title": "Facts and figures"}"#, "## Facts and figures\n"),
    ("set_slot", r#"{"name": "user", "value": "Ada Lovelace"}"#, "user: Ada Lovelace\n"),
    (
        "apply_sub_memory_ops",
        r#"{"ops": [{"memory_id": "mem1", "sub_memory": "Allergic to nuts", "intent": "add"}]}"#,
        "- Allergic to nuts\n",
    ),
];

/// A call of each tool that names by a key what it writes, and the document of that.
const KEYED: &[(&str, &str, &str)] = &[
    ("write_memory", r#"{"key": "plan", "content": "Allergic to nuts"}"#, "notes"),
    ("write_session_handoff", r#"{"content": "Allergic to nuts"}"#, "notes"),
    ("scratch_note", r#"{"mode": "append", "content": "Allergic to nuts"}"#, "notes"),
    ("block_update", r#"{"label": "persona", "content": "Allergic to nuts"}"#, "core"),
];

/// Tools whose edits never make a text grow beyond what a line takes that sets two others apart.
const NOT_GROWING: &[&str] = &[
    "unpin_items",
    "clear_ttl",
    "sort_items",
    "merge_sections",
    "move_section",
    "delete_section",
    "remove_slot",
    // It brings back what stood there, and nothing where that no longer fits.
    "memory_undo",
    // They write what was staged, which a case of sessions lets grow.
    "memo_commit",
    "memo_commit_auto",
    // It is itself the compaction.
    "rewrite_memory",
];

/// Calls a tool, and returns the reply, the text afterwards, and how often was written.
fn called(policy: Policy, (tool, arguments): (&str, &str)) -> (Reply, String, usize) {
    let commits = Arc::new(AtomicUsize::new(0));
    let counted = commits.clone();
    let store = Hooked::new(InMemoryStore::new().with(DocName::memory(), TEXT), move |store, change| {
        counted.fetch_add(1, Ordering::Relaxed);
        store.commit(change)
    });
    let memory = Arc::new(Memory::new(store, policy).unwrap());
    let mut toolbox = Toolbox::new(memory.clone());
    toolbox.show(&DocName::memory()).unwrap();
    let reply = toolbox.call_str(tool, arguments);
    let text = memory.read(&DocName::memory()).unwrap().text().to_owned();
    (reply, text, commits.load(Ordering::Relaxed))
}

fn has_warning(reply: &Reply, code: &str) -> bool {
    reply.get("warnings").is_some_and(|warnings| warnings.as_array().into_iter().flatten().any(|w| w["code"] == code))
}

#[test]
fn every_editing_tool_is_looked_at() {
    let known: Vec<_> =
        GROWING.iter().chain(KEYED).map(|(tool, ..)| *tool).chain(NOT_GROWING.iter().copied()).collect();
    for tool in Toolbox::definitions() {
        assert_eq!(tool.effect.is_destructive(), known.contains(&tool.name), "{}", tool.name);
    }
}

#[test]
fn an_edit_over_the_hard_limit_is_refused() {
    let policy = Policy::default().with_max_bytes(TEXT.len()).with_auto_compact(AutoCompact::Off);
    for (tool, arguments, _) in GROWING {
        let (reply, text, commits) = called(policy.clone(), (tool, arguments));
        assert_eq!((reply.code(), text.as_str(), commits), (Some(Code::TooLarge), TEXT, 0), "{tool}: {reply}");
    }
}

#[test]
fn what_is_named_by_a_key_has_the_limits_of_its_document() {
    for (tool, arguments, document) in KEYED {
        let document: DocName = document.parse().unwrap();
        let call = |policies: Policies| {
            let memory = Arc::new(Memory::new(InMemoryStore::new(), policies).unwrap());
            let reply = Toolbox::new(memory.clone()).call_str(tool, arguments);
            (reply, memory.documents().unwrap())
        };
        let of_document = |policy: Policy| Policies::default().with(document.clone(), policy);
        let (reply, documents) = call(of_document(Policy::default().with_max_bytes(16)));
        assert_eq!((reply.code(), documents), (Some(Code::TooLarge), Vec::new()), "{tool}: {reply}");
        let (reply, _) = call(of_document(Policy::default().with_max_bytes(60).with_soft_limit(0.1)));
        assert!(has_warning(&reply, "near_limit"), "{tool}: {reply}");
    }
}

#[test]
fn an_edit_over_the_hard_limit_is_compacted_in_the_same_write() {
    let policy = Policy::default().with_max_bytes(TEXT.len()).with_auto_compact(AutoCompact::Over);
    for (tool, arguments, written) in GROWING {
        let (reply, text, commits) = called(policy.clone(), (tool, arguments));
        assert_eq!((reply.status(), commits), (Status::Committed, 1), "{tool}: {reply}");
        assert!(text.len() <= TEXT.len() && text.contains(written) && !text.contains("fair"), "{tool}: {text}");
        assert!(has_warning(&reply, "compacted"), "{tool}: {reply}");
        assert_eq!(reply.get("report").map(|report| &report["expired"]), Some(&json!(1)), "{tool}: {reply}");
    }
}

#[test]
fn an_edit_over_the_soft_limit_warns_or_is_compacted() {
    let near = Policy::default().with_max_bytes(2 * TEXT.len()).with_soft_limit(0.5);
    for (tool, arguments, written) in GROWING {
        let (reply, text, _) = called(near.clone(), (tool, arguments));
        assert!(has_warning(&reply, "near_limit") && text.contains("fair"), "{tool}: {reply}");
        let (reply, text, commits) = called(near.clone().with_auto_compact(AutoCompact::Near), (tool, arguments));
        assert!(has_warning(&reply, "compacted") && !has_warning(&reply, "near_limit"), "{tool}: {reply}");
        assert!(text.contains(written) && !text.contains("fair") && commits == 1, "{tool}: {text}");
    }
}
