//! Calls that are slow on one document alone: patches.

use serde_json::{Value, json};

use super::hostile_pairs::Pair;

fn patch(body: &str) -> Value {
    json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{body}*** End Patch")})
}

fn counted(n: usize) -> String {
    (1..=n / 16).map(|i| format!("{i}. f{i}\n")).collect()
}

pub const PAIRS: &[Pair] = &[
    Pair {
        name: "patch, many added numbers",
        write: |n| format!("## F\n{}", counted(n)),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&"@@ section: F\n+ q\n".repeat(n / 24)),
    },
    Pair {
        name: "patch, many added behind numbers",
        write: |n| format!("## F\n{}", counted(n)),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&(1..=n / 24).map(|i| format!("@@\n {i}. f{i}\n+ q\n")).collect::<String>()),
    },
    Pair {
        name: "patch, many shown above",
        write: |n| (0..n / 16).map(|i| format!("## T{i}\n- a{i}x\n")).collect(),
        others: None,
        tool: "patch_memory",
        arguments: |n| {
            let hunk = |i| format!("@@ -1,2 +3,4 @@ nothing{i}\n-- a{i}x\n+- b{i}x\n");
            patch(&(0..n / 45).map(hunk).collect::<String>())
        },
    },
];
