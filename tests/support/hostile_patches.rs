//! Calls that are slow on one document alone: patches.

use serde_json::json;

use super::hostile_pairs::Pair;

pub const PAIRS: &[Pair] = &[Pair {
    name: "patch, many added numbers",
    write: |n| format!("## F\n{}", (1..=n / 16).map(|i| format!("{i}. f{i}\n")).collect::<String>()),
    others: None,
    tool: "patch_memory",
    arguments: |n| {
        let hunks = "@@ section: F\n+ q\n".repeat(n / 24);
        json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{hunks}*** End Patch")})
    },
}];
