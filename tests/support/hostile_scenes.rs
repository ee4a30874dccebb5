//! Calls that are slow for what has been done before them: in an open session, with entries in the journal, on an older text.

use memdoc::{DocName, Toolbox};
use serde_json::{Value, json};

use super::hostile_calls::{Scene, filled};

/// Stages so many changes at the end of the document, which together are half as long as it is.
fn stage(toolbox: &mut Toolbox, changes: usize, bytes: usize) {
    let text = filled("word ", bytes / 2 / changes);
    for nth in 0..changes {
        let _ = toolbox.call("memo_append", &json!({"text": format!("- {nth} {text}")}));
    }
}

/// Commits a change at the end of the document, and one of everything.
fn edit(toolbox: &mut Toolbox) {
    for text in ["- one", "- two", "- three"] {
        let _ = toolbox.call("memo_append", &json!({"text": text}));
        let _ = toolbox.call("memo_commit_auto", &json!({}));
    }
    let _ = toolbox.call("replace_in_memory", &json!({"old_string": "a", "new_string": "ab", "replace_all": true}));
}

/// Remembers the document, piece by piece.
pub fn remember(toolbox: &mut Toolbox, bytes: usize) {
    let doc = toolbox.memory().read(&DocName::memory()).unwrap();
    let chars: Vec<char> = doc.text().chars().take(bytes).collect();
    for piece in chars.chunks(1_500) {
        let _ = toolbox.call("memory_commit", &json!({"content": piece.iter().collect::<String>()}));
    }
}

fn nothing(_: &str, _: usize) -> Value {
    Value::Object(serde_json::Map::new())
}

pub fn beginning(doc: &str, bytes: usize) -> String {
    doc.chars().take(bytes).collect()
}

pub const SCENES: &[Scene] = &[
    Scene {
        name: "26th change",
        prepare: |toolbox, n| stage(toolbox, 25, n),
        tool: "memo_append",
        arguments: |_, _| json!({"text": "- z"}),
    },
    Scene {
        name: "26 changes, read",
        prepare: |toolbox, n| stage(toolbox, 26, n),
        tool: "memo_read",
        arguments: |_, _| json!({"view": "keyed"}),
    },
    Scene {
        name: "26 changes, full preview",
        prepare: |toolbox, n| stage(toolbox, 26, n),
        tool: "memo_preview",
        arguments: |_, _| json!({"format": "full"}),
    },
    Scene {
        name: "26 changes, diff",
        prepare: |toolbox, n| stage(toolbox, 26, n),
        tool: "memo_preview",
        arguments: |_, _| json!({"format": "diff"}),
    },
    Scene {
        name: "26 changes, unstage",
        prepare: |toolbox, n| stage(toolbox, 26, n),
        tool: "memo_unstage",
        arguments: |_, _| json!({"change_id": "A"}),
    },
    Scene {
        name: "26 changes, commit",
        prepare: |toolbox, n| stage(toolbox, 26, n),
        tool: "memo_commit",
        arguments: |_, _| json!({"summary": "all"}),
    },
    Scene {
        name: "26 changes, direct edit",
        prepare: |toolbox, n| {
            stage(toolbox, 25, n);
            let _ = toolbox.call("memo_begin_task", &json!({"goal": "the last"}));
            let _ = toolbox.call("memo_append", &json!({"text": "- z"}));
        },
        tool: "edit_items",
        arguments: |_, _| json!({"op": "insert", "target": {"section": "Facts"}, "text": "beside it"}),
    },
    Scene {
        name: "26 changes, export",
        prepare: |toolbox, n| stage(toolbox, 26, n),
        tool: "memo_export_session",
        arguments: nothing,
    },
    Scene {
        name: "session, ambiguous",
        prepare: |_, _| (),
        tool: "memo_replace",
        arguments: |_, _| json!({"old_text": "a", "new_text": "b", "show_all_matches": true}),
    },
    Scene {
        name: "session, ambiguous span",
        prepare: |_, _| (),
        tool: "memo_replace_span",
        arguments: |_, _| json!({"start_text": "a", "end_text": " ", "new_text": "b", "show_all_matches": true}),
    },
    Scene {
        name: "session, misses",
        prepare: |toolbox, n| stage(toolbox, 20, n),
        tool: "memo_replace",
        arguments: |doc, n| json!({"old_text": format!("{}~", beginning(doc, n)), "new_text": "b"}),
    },
    Scene {
        name: "recall by the whole text",
        prepare: remember,
        tool: "memory_recall",
        arguments: |doc, n| json!({"query": beginning(doc, n), "max_results": 50, "max_tokens": 100_000}),
    },
    Scene {
        name: "remember",
        prepare: remember,
        tool: "memory_commit",
        arguments: |doc, n| json!({"content": beginning(doc, n)}),
    },
    Scene { name: "history", prepare: |toolbox, _| edit(toolbox), tool: "memory_history", arguments: nothing },
    Scene {
        name: "history of a section",
        prepare: |toolbox, _| edit(toolbox),
        tool: "memory_history",
        arguments: |_, _| json!({"section": "Facts"}),
    },
    Scene {
        name: "diff over all",
        prepare: |toolbox, _| edit(toolbox),
        tool: "memory_diff",
        arguments: |_, _| json!({"from": "1"}),
    },
    Scene {
        name: "undo of the last",
        prepare: |toolbox, _| edit(toolbox),
        tool: "memory_undo",
        arguments: |_, _| json!({"entry": "last"}),
    },
    Scene {
        name: "undo of one before",
        prepare: |toolbox, _| edit(toolbox),
        tool: "memory_undo",
        arguments: |_, _| json!({"entry": "2"}),
    },
    Scene { name: "verify", prepare: |toolbox, _| edit(toolbox), tool: "memory_verify", arguments: nothing },
    Scene {
        name: "stale edit",
        prepare: |toolbox, n| {
            let doc = toolbox.memory().read(&DocName::memory()).unwrap();
            let half: String = doc.text().chars().take(n / 2).collect();
            let _ = toolbox.memory().write(&DocName::memory(), &half.replace("fact", "thing"));
        },
        tool: "replace_in_memory",
        arguments: |_, _| json!({"old_string": "## Facts", "new_string": "## Facts and more"}),
    },
];
