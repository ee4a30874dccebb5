//! Calls that are slow on one document alone: whole sections and long titles.

use serde_json::json;

use super::hostile_pairs::Pair;

pub const PAIRS: &[Pair] = &[Pair {
    name: "sections, added behind blanks",
    write: |n| format!("## A\n- a\n{}## B\n- b\n", "\n".repeat(n)),
    others: None,
    tool: "patch_memory",
    arguments: |n| {
        let adds: String = (0..n / 40).map(|i| format!("*** Add Section: N{i}\n*** After: A\n")).collect();
        json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{adds}*** End Patch")})
    },
}];
