//! Calls that are slow on one document alone: patches.

use serde_json::{Value, json};

use super::hostile_pairs::Pair;

fn patch(body: &str) -> Value {
    json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{body}*** End Patch")})
}

fn counted(n: usize) -> String {
    (1..=n / 16).map(|i| format!("{i}. f{i}\n")).collect()
}

/// Bullets, each nested in the one above.
fn chain(n: usize, says: &str) -> Vec<String> {
    (0..n.isqrt() / 4).map(|i| format!("{}- {says}a{i} b{i} c{i} old\n", "  ".repeat(i))).collect()
}

const BLOCK: &str = "<<<<<<< SEARCH\n- a\n=======\n- b\n>>>>>>> REPLACE\n";

/// As many blocks of search and replace as there are in so many bytes.
fn blocks(n: usize) -> String {
    BLOCK.repeat(n / BLOCK.len())
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
    Pair {
        name: "patch, blocks behind anchors",
        write: |n| "- a\n".repeat(n / 4),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&("@@ x\n".repeat(n / 10) + &blocks(n / 2))),
    },
    Pair {
        name: "patch, blocks behind a long anchor",
        write: |n| "- a\n".repeat(n / 4),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&(format!("@@ {}\n", "x".repeat(n / 2)) + &blocks(n / 2))),
    },
    Pair {
        name: "patch, one hunk with many numbers",
        write: |n| format!("## Facts\n{}", counted(n)),
        others: None,
        tool: "patch_memory",
        arguments: |n| {
            let added = (1..=n / 16).map(|i| format!("+{i}. g{i}\n"));
            patch(&format!("@@ section: Facts\n{}", added.collect::<String>()))
        },
    },
    Pair {
        name: "patch, many hunks with numbers",
        write: |n| format!("## Facts\n{}", counted(n)),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&(1..=n / 32).map(|i| format!("@@\n {i}. f{i}\n+{i}. g\n")).collect::<String>()),
    },
    Pair {
        name: "patch, one number many times",
        write: |n| format!("## Facts\n{}", counted(n)),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&"@@ section: Facts\n+99. x\n".repeat(n / 25)),
    },
    Pair {
        name: "patch, below a bullet with grandchildren",
        write: |n| format!("- top\n  - last\n{}", "    - g\n".repeat(n / 8)),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&"@@ item: equals(\"top\")\n+  - x\n".repeat(n / 34)),
    },
    Pair {
        name: "patch, nested bullets reworded among many",
        write: |n| {
            format!(
                "{}{}",
                chain(n, "").concat(),
                chain(n, "of ").iter().rev().map(|line| format!("  {line}")).collect::<String>()
            )
        },
        others: None,
        tool: "patch_memory",
        arguments: |n| {
            let gone: String = chain(n, "").iter().map(|line| format!("-{line}")).collect();
            let come: String = chain(n, "").iter().map(|line| format!("+{}", line.replace("old", "new"))).collect();
            patch(&format!("@@\n{gone}{}{come}", "+- z\n".repeat(n / 2 / 5)))
        },
    },
    Pair {
        name: "patch, many documents",
        write: |_| "- a\n".to_owned(),
        others: None,
        tool: "patch_memory",
        arguments: |n| {
            let documents = (0..n / 24).map(|i| format!("*** Update Memory: d{i:05}\n"));
            patch(&documents.collect::<String>())
        },
    },
    Pair {
        name: "patch, many anchors of bullets",
        write: |n| (0..n / 12).map(|i| format!("- fact {i}x\n")).collect(),
        others: None,
        tool: "patch_memory",
        arguments: |n| {
            let hunk = |i| format!("@@ item: contains(\"fact {i}x\")\n+  - y\n");
            patch(&(0..n / 40).map(hunk).collect::<String>())
        },
    },
    Pair {
        name: "patch, many anchors of no bullet",
        write: |n| (0..n / 12).map(|i| format!("- fact {i}x\n")).collect(),
        others: None,
        tool: "patch_memory",
        arguments: |n| {
            let hunk = |i| format!("@@ item: contains(\"fact {i}z\")\n+  - y\n");
            patch(&(0..n / 40).map(hunk).collect::<String>())
        },
    },
    Pair {
        name: "patch, sections of one title",
        write: |n| format!("{}- a\n", "## T\n".repeat(n / 5)),
        others: None,
        tool: "patch_memory",
        arguments: |n| {
            let hunks = "@@ section: T\n-- a\n+- b\n".repeat(n / 30);
            json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{hunks}*** End Patch")})
        },
    },
];
