//! Calls that are slow on one document alone: whole sections and long titles.

use serde_json::{Value, json};

use super::hostile_pairs::Pair;

fn many(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

fn patch(ops: &str) -> Value {
    json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{ops}*** End Patch")})
}

fn adds(count: usize, above: &str) -> String {
    many(count, |i| format!("*** Add Section: {above}N{i}\n"))
}

fn titles(count: usize) -> String {
    many(count, |i| format!("## T{i}\n"))
}

pub const PAIRS: &[Pair] = &[
    Pair {
        name: "sections, added behind blanks",
        write: |n| format!("## A\n- a\n{}## B\n- b\n", "\n".repeat(n)),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&many(n / 40, |i| format!("*** Add Section: N{i}\n*** After: A\n"))),
    },
    Pair {
        name: "sections, moved behind blanks",
        write: |n| format!("## P\n- a\n{}{}", "\n".repeat(n / 2), titles(n / 40)),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&many(n / 40, |i| format!("*** Move Section: T{i}\n*** Under: P\n"))),
    },
    Pair {
        name: "sections, merged into a long title",
        write: |n| format!("## A{}\n{}## B\n- b\n", "L".repeat(n / 2), "- x\n".repeat(n / 8)),
        others: None,
        tool: "merge_sections",
        arguments: |n| json!({"source": "B", "target": format!("A{}", "L".repeat(n / 2))}),
    },
    Pair {
        name: "sections, merged beside a long title",
        write: |n| format!("## A\n- a\n## B\n- b\n## C{}\n{}", "L".repeat(n / 2), "- x\n".repeat(n / 8)),
        others: None,
        tool: "merge_sections",
        arguments: |_| json!({"source": "B", "target": "A"}),
    },
    Pair {
        name: "sections, merged below a long title",
        write: |n| format!("# {}\n## A\n- a\n## B\n- b\n{}", "L".repeat(n / 2), titles(n / 16)),
        others: None,
        tool: "merge_sections",
        arguments: |_| json!({"source": "B", "target": "A"}),
    },
    Pair {
        name: "sections, merged beside a long ID",
        write: |n| format!("## A\n- a\n## B\n- b\n## C\nP: (ID: m{})\n{}", "1".repeat(n / 2), "- x\n".repeat(n / 8)),
        others: None,
        tool: "merge_sections",
        arguments: |_| json!({"source": "B", "target": "A"}),
    },
    Pair {
        name: "sections, added by path",
        write: |n| format!("## P\n{}", many(n / 10, |i| format!("### T{i}\n"))),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&adds(n / 30, "P > ")),
    },
    Pair {
        name: "sections, deleted again and again",
        write: |n| format!("## A\n{}", "- [t] a\n".repeat(n / 8)),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&"*** Delete Section: A\n".repeat(n / 23)),
    },
    Pair {
        name: "sections, renamed to paths of none",
        write: |n| titles(n / 10),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&many(n / 40, |i| format!("*** Rename Section: T{i}\n*** To: Q > U{i}\n"))),
    },
    Pair {
        name: "sections, moved to where they are",
        write: |n| titles(n / 10),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&many(n / 40, |i| format!("*** Move Section: T{}\n*** After: T{i}\n", i + 1))),
    },
    Pair {
        name: "sections, moved below another",
        write: |n| format!("## P\n{}", titles(n / 40)),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&many(n / 40, |i| format!("*** Move Section: T{i}\n*** Under: P\n"))),
    },
    Pair {
        name: "sections, deleted and added",
        write: |n| titles(n / 40),
        others: None,
        tool: "patch_memory",
        arguments: |n| patch(&many(n / 50, |i| format!("*** Delete Section: T{i}\n*** Add Section: T{i}\n"))),
    },
    Pair {
        name: "reserved sections, edits beside",
        write: |n| format!("## Facts\n{}{}", "- a\n".repeat(n / 8), reserved(n / 2)),
        others: None,
        tool: "replace_in_memory",
        arguments: |_| json!({"old_string": "a\n", "new_string": "b\n", "replace_all": true}),
    },
    Pair {
        name: "look-alikes, edits beside",
        write: |n| {
            format!("## Facts\n{}{}", "- a\n".repeat(n / 8), many(n / 40, |i| format!("- Systern/Policy {i}\n")))
        },
        others: None,
        tool: "replace_in_memory",
        arguments: |_| json!({"old_string": "a\n", "new_string": "b\n", "replace_all": true}),
    },
    Pair {
        name: "look-alikes, edits among them",
        write: |n| many(n / 24, |i| format!("- Systern/Policy {i}\n- a\n")),
        others: None,
        tool: "replace_in_memory",
        arguments: |_| json!({"old_string": "a\n", "new_string": "b\n", "replace_all": true}),
    },
    Pair {
        name: "reserved sections, rewritten",
        write: |n| format!("{}## Facts\n- a\n", reserved(n)),
        others: None,
        tool: "rewrite_memory",
        arguments: |n| {
            let candidate = format!("{}## Facts\n- b\n", reserved(n));
            json!({"instructions": "shorter", "candidate": candidate})
        },
    },
    Pair {
        name: "reserved sections among others, rewritten",
        write: |n| many(n / 40, |i| format!("## T{i}\n- a\n## System/Policy\n```\nx\n```\n")),
        others: None,
        tool: "rewrite_memory",
        arguments: |n| {
            let candidate = many(n / 40, |i| format!("## T{i}\n- b\n## System/Policy\n```\nx\n```\n"));
            json!({"instructions": "shorter", "candidate": candidate})
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

/// Reserved sections, each with a fence.
fn reserved(bytes: usize) -> String {
    "## System/Policy\n```\nx\n```\n".repeat(bytes / 27)
}
