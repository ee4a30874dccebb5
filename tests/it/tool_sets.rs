//! Tool sets, and the guidance for the tools chosen.

use memdoc::{Code, InMemoryStore, Memory, Policy, ToolSet, Toolbox, text::EstimatedTokens, text::TokenCounter as _};
use serde_json::json;

fn names(set: ToolSet) -> Vec<&'static str> {
    set.tools().iter().map(|tool| tool.name).collect()
}

#[test]
fn sets_hold_the_tools_that_serve_together() {
    assert_eq!(names(ToolSet::Minimal), ["memory_read", "patch_memory", "replace_in_memory"]);
    assert_eq!(
        names(ToolSet::Standard),
        [
            "memory_read",
            "patch_memory",
            "replace_in_memory",
            "edit_items",
            "rewrite_memory",
            "diff_preview",
            "validate_memory"
        ]
    );
    assert_eq!(
        names(ToolSet::Journal),
        [
            "memory_history",
            "memory_diff",
            "memory_undo",
            "memory_verify",
            "memory_commit",
            "memory_rethink",
            "memory_recall",
            "block_get",
            "block_update"
        ]
    );
    assert_eq!(names(ToolSet::Notes), ["write_memory", "search_memory", "write_session_handoff", "scratch_note"]);
    assert_eq!(names(ToolSet::SubMemory), ["memory_read", "apply_sub_memory_ops", "diff_preview", "validate_memory"]);
    assert_eq!(
        names(ToolSet::Sections),
        [
            "memory_read",
            "edit_items",
            "pin_items",
            "unpin_items",
            "set_ttl",
            "clear_ttl",
            "sort_items",
            "edit_section",
            "rename_section",
            "merge_sections",
            "move_section",
            "delete_section",
            "set_slot",
            "remove_slot",
            "diff_preview",
            "validate_memory"
        ]
    );
    let all: Vec<_> = Toolbox::definitions().iter().map(|tool| tool.name).collect();
    assert_eq!(names(ToolSet::All), all);
    assert_eq!(names(ToolSet::Files), ["memory"]);
    for &set in ToolSet::ALL.iter().filter(|set| **set != ToolSet::Files) {
        let in_order: Vec<_> = all.iter().copied().filter(|name| names(set).contains(name)).collect();
        assert_eq!(names(set), in_order, "{set}");
        assert_eq!(set.as_str().parse(), Ok(set));
    }
    let error = "some".parse::<ToolSet>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected one of the sets `minimal`, `standard`, `sub_memory`, `sections`, `journal`, `notes`, `session`, `files` and `all`, found `some`"
    );
}

#[test]
fn a_toolbox_calls_and_names_only_the_tools_of_its_set() {
    let memory = Memory::new(InMemoryStore::new(), Policy::default()).unwrap();
    let mut toolbox = Toolbox::new(memory).with_tools(ToolSet::SubMemory);
    let refused = toolbox.call("edit_items", &json!({}));
    assert_eq!(refused.code(), Some(Code::UnknownTool));
    assert_eq!(
        refused.get("hint"),
        Some(&json!("call one of memory_read, apply_sub_memory_ops, diff_preview, validate_memory"))
    );
    let preview = json!({"tool": "patch_memory", "arguments": {}});
    assert_eq!(toolbox.call("diff_preview", &preview).get("hint"), Some(&json!("call one of apply_sub_memory_ops")));
    assert!(toolbox.tool("patch_memory").is_none() && toolbox.tool("memory_read").is_some());
    let toolbox = toolbox.and_tools(ToolSet::Journal).and_tools(ToolSet::SubMemory);
    let offered: Vec<_> = toolbox.tools().iter().map(|tool| tool.name).collect();
    assert_eq!(offered, [names(ToolSet::SubMemory), names(ToolSet::Journal)].concat());
    assert!(toolbox.guidance().contains("memory_undo"));
}

/// Tools of one family, which one sentence is about; any other tool is a family of its own.
const FAMILIES: [&[&str]; 9] = [
    &[
        "memo_read",
        "memo_replace",
        "memo_replace_span",
        "memo_append",
        "memo_stage",
        "memo_unstage",
        "memo_preview",
        "memo_commit",
        "memo_commit_auto",
        "memo_revert",
        "memo_begin_task",
        "memo_export_session",
        "memo_export_diff",
    ],
    &["block_get", "block_update"],
    &["write_memory", "write_session_handoff", "scratch_note"],
    &["memory_commit", "memory_rethink"],
    &["memory_history", "memory_diff", "memory_undo", "memory_verify"],
    &["edit_section", "rename_section", "merge_sections", "move_section", "delete_section"],
    &["set_slot", "remove_slot"],
    &["pin_items", "unpin_items"],
    &["set_ttl", "clear_ttl"],
];

#[test]
fn guidance_is_that_of_the_tools_chosen() {
    for &set in ToolSet::ALL {
        let guidance = set.guidance(1);
        let named =
            |name: &&str| guidance.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == *name);
        for tool in Toolbox::definitions() {
            let own = [tool.name];
            let family = FAMILIES.into_iter().find(|family| family.contains(&tool.name)).unwrap_or(&own);
            if names(set).contains(&tool.name) {
                assert!(family.iter().any(&named), "{set} says nothing of {}", tool.name);
            } else {
                assert!(!named(&tool.name), "{set} names {}, which is not offered", tool.name);
            }
        }
    }
    let memory = Memory::new(InMemoryStore::new(), Policy::default().with_index_base(0)).unwrap();
    let toolbox = Toolbox::new(memory).with_tools(ToolSet::SubMemory);
    assert_eq!(toolbox.guidance(), ToolSet::SubMemory.guidance(0));
    assert!(toolbox.guidance().contains("top-level bullets from 0"));
}

#[test]
fn guidance_is_short() {
    assert!(EstimatedTokens.count(&ToolSet::Standard.guidance(1)) < 600);
    for &set in ToolSet::ALL {
        // Hosts cut instructions that are longer than 2,000; the families of tools that are still to come have a sentence each.
        let length = set.guidance(1).chars().count();
        assert!(length <= 1_950, "{set}: {length}");
    }
}

#[test]
fn guidance_of_every_set_is_as_it_was_read() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for &set in ToolSet::ALL {
            insta::assert_snapshot!(format!("guidance__{set}"), set.guidance(1));
        }
    });
}
