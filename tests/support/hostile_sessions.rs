//! Calls that are slow for what is pending: sessions in which each change writes everywhere.

use memdoc::{DocName, Toolbox};
use serde_json::{Value, json};

use super::hostile_calls::{Family, Scene, filled};

/// The document that they change.
pub const FAMILY: Family = Family { name: "letters", write: |bytes| format!("## Facts\n- {}\n", filled("b ", bytes)) };

/// Stages so many changes, each of the letter that the one before it has written everywhere.
fn stage(toolbox: &mut Toolbox, changes: usize) {
    for nth in 0..changes {
        let (old, new) = if nth % 2 == 0 { ("b", "z") } else { ("z", "b") };
        let arguments = json!({"old_string": old, "new_string": new, "replace_all": true});
        let _ = toolbox.call("memo_stage", &json!({"tool": "replace_in_memory", "args": arguments}));
    }
}

/// Adds a line to the document, as another writer.
fn write(toolbox: &Toolbox) {
    let doc = toolbox.memory().read(&DocName::memory()).unwrap();
    toolbox.memory().write(&DocName::memory(), &format!("{}- more\n", doc.text())).unwrap();
}

fn nothing(_: &str, _: usize) -> Value {
    Value::Object(serde_json::Map::new())
}

fn summary(_: &str, _: usize) -> Value {
    json!({"summary": "all"})
}

pub const SCENES: &[Scene] = &[
    Scene {
        name: "everywhere, export",
        prepare: |toolbox, _| stage(toolbox, 1),
        tool: "memo_export_session",
        arguments: nothing,
    },
    Scene {
        name: "everywhere, diff",
        prepare: |toolbox, _| stage(toolbox, 1),
        tool: "memo_export_diff",
        arguments: nothing,
    },
    Scene {
        name: "everywhere again and again",
        prepare: |toolbox, _| stage(toolbox, 19),
        tool: "memo_append",
        arguments: |_, _| json!({"text": "- z"}),
    },
    Scene {
        name: "everywhere, read",
        prepare: |toolbox, _| stage(toolbox, 20),
        tool: "memo_read",
        arguments: |_, _| json!({"view": "keyed"}),
    },
    Scene {
        name: "everywhere, full preview",
        prepare: |toolbox, _| stage(toolbox, 20),
        tool: "memo_preview",
        arguments: |_, _| json!({"format": "full"}),
    },
    Scene {
        name: "everywhere, 20 exported",
        prepare: |toolbox, _| stage(toolbox, 20),
        tool: "memo_export_session",
        arguments: nothing,
    },
    Scene {
        name: "everywhere, first unstaged",
        prepare: |toolbox, _| {
            let _ = toolbox.call("memo_append", &json!({"text": "- q"}));
            stage(toolbox, 20);
        },
        tool: "memo_unstage",
        arguments: |_, _| json!({"change_id": "A"}),
    },
    Scene {
        name: "everywhere, all unstaged",
        prepare: |toolbox, _| stage(toolbox, 1),
        tool: "memo_unstage",
        arguments: |_, _| json!({"change_id": "A"}),
    },
    Scene {
        name: "everywhere, commit",
        prepare: |toolbox, _| stage(toolbox, 20),
        tool: "memo_commit",
        arguments: summary,
    },
    Scene {
        name: "everywhere, direct edit",
        prepare: |toolbox, _| stage(toolbox, 20),
        tool: "edit_items",
        arguments: |_, _| json!({"op": "insert", "target": {"section": "Facts"}, "text": "beside it"}),
    },
    Scene {
        name: "everywhere, stale commit",
        prepare: |toolbox, _| {
            stage(toolbox, 20);
            write(toolbox);
        },
        tool: "memo_commit",
        arguments: summary,
    },
    Scene {
        name: "everywhere, commit carried",
        prepare: |toolbox, _| {
            stage(toolbox, 20);
            write(toolbox);
            let _ = toolbox.call("memory_read", &json!({}));
        },
        tool: "memo_commit",
        arguments: summary,
    },
];
