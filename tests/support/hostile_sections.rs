//! Calls that are slow on one document alone: whole sections and long titles.

use serde_json::json;

use super::hostile_pairs::Pair;

pub const PAIRS: &[Pair] = &[
    Pair {
        name: "sections, added behind blanks",
        write: |n| format!("## A\n- a\n{}## B\n- b\n", "\n".repeat(n)),
        others: None,
        tool: "patch_memory",
        arguments: |n| {
            let adds: String = (0..n / 40).map(|i| format!("*** Add Section: N{i}\n*** After: A\n")).collect();
            json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{adds}*** End Patch")})
        },
    },
    Pair {
        name: "a long title, edits below",
        write: below_a_long_title,
        others: None,
        tool: "replace_in_memory",
        arguments: |_| json!({"old_string": "- x", "new_string": "- z", "replace_all": true}),
    },
    Pair {
        name: "a long title, validated",
        write: below_a_long_title,
        others: None,
        tool: "validate_memory",
        arguments: |_| json!({}),
    },
    Pair {
        name: "a long title, rewritten",
        write: |n| format!("## System/Policy\n- p\n{}", below_a_long_title(n)),
        others: None,
        tool: "rewrite_memory",
        arguments: |n| {
            let candidate = format!("## System/Policy\n- p\n{}- one more\n", below_a_long_title(n));
            json!({"instructions": "shorter", "candidate": candidate})
        },
    },
];

/// Sections of one title below a long one.
fn below_a_long_title(bytes: usize) -> String {
    format!("## {}\n{}", "L".repeat(bytes / 2), "### T\n- x\n".repeat(bytes / 20))
}
