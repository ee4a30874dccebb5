//! Calls that are slow on one document alone, each with the document that it was made for: what is long in the one is long in the
//! other, or is named there as often.

use memdoc::document::OnStale;
use memdoc::{DocName, Policy, Reply, Toolbox};
use serde_json::{Value, json};

use super::hostile_calls::toolbox_under;
use super::{hostile_patches, hostile_sections};

/// A way to write a document of about so many bytes, and a call for it with arguments as long.
pub struct Pair {
    pub name: &'static str,
    pub write: fn(usize) -> String,
    /// What others have made of the document since the agent saw it; edits are rebased over it.
    pub others: Option<fn(usize) -> String>,
    pub tool: &'static str,
    pub arguments: fn(usize) -> Value,
}

impl Pair {
    /// Returns the toolbox of an agent to which the document has been shown.
    pub fn toolbox(&self, bytes: usize) -> Toolbox {
        let policy = if self.others.is_some() { rebasing } else { |policy: Policy| policy };
        let toolbox = toolbox_under(&(self.write)(bytes), policy);
        if let Some(others) = self.others {
            toolbox.memory().write(&DocName::memory(), &others(bytes)).unwrap();
        }
        toolbox
    }

    /// Prepares the call.
    pub fn call(&self, bytes: usize) -> impl Fn(&mut Toolbox) -> Reply {
        let (tool, arguments) = (self.tool, (self.arguments)(bytes));
        move |toolbox| toolbox.call(tool, &arguments)
    }
}

fn rebasing(policy: Policy) -> Policy {
    policy.with_on_stale(OnStale::Rebase)
}

fn numbered(count: usize, prefix: &str) -> Vec<String> {
    (0..count).map(|i| format!("{prefix}{i}")).collect()
}

fn tagged(tags: &[String], behind: &str) -> String {
    format!("## Facts\n- [{}] x\n{behind}", tags.join(", "))
}

/// As many operations as there are in so many bytes, and as one call may have.
fn ops(bytes: usize, each: usize, op: impl Fn(usize) -> Value) -> Vec<Value> {
    (1..=(bytes / each).min(900)).map(op).collect()
}

fn bullets(bytes: usize, each: usize, bullet: impl Fn(usize) -> String) -> String {
    (1..=(bytes / each).min(900)).map(bullet).collect()
}

/// A bullet with many lines of its own, and one beside it.
fn lines(bytes: usize, line: &str) -> String {
    format!("## Facts\n- {}\n{}- other\n", "w ".repeat(bytes / 4), line.repeat(bytes / 2 / line.len().max(1)))
}

/// Bullets, each nested in the one above.
fn nested(bytes: usize) -> String {
    let depth = bytes.isqrt() / 2;
    let bullet = |i: usize| format!("{}- b{i}x {}\n", "  ".repeat(i), "w".repeat(bytes / 2 / depth));
    format!("## Facts\n{}", (0..depth).map(bullet).collect::<String>())
}

const FILL: &str = "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy";

/// Returns all pairs.
pub fn pairs() -> impl Iterator<Item = &'static Pair> {
    [PAIRS, hostile_patches::PAIRS, hostile_sections::PAIRS].into_iter().flatten()
}

const PAIRS: &[Pair] = &[
    Pair {
        name: "tags, a bullet that is there",
        write: |n| tagged(&numbered(n / 9, "a"), ""),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let text = format!("[{}] x", numbered(n / 9, "b").join(", "));
            json!({"op": "insert", "target": {"section": "Facts"}, "text": text})
        },
    },
    Pair {
        name: "tags, in the text and beside",
        write: |n| tagged(&numbered(n / 9, "a"), "- y\n"),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let text = format!("[{}] z", numbered(n / 18, "a").join(", "));
            json!({"op": "insert", "target": {"section": "Facts"}, "text": text, "tags": numbered(n / 18, "b")})
        },
    },
    Pair {
        name: "tags, that go and come",
        write: |n| tagged(&numbered(n / 9, "a"), ""),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let edit =
                |op: &str, tags: &str| json!({"op": op, "target": {"contains": "x"}, "tags": numbered(n / 18, tags)});
            json!({"edits": [edit("untag", "a"), edit("tag", "b")]})
        },
    },
    Pair {
        name: "tags, of a long bullet",
        write: |n| format!("## Facts\n- [a, b] {}\n", "word ".repeat(n / 5)),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let edit = |i: usize| match i % 2 {
                0 => json!({"op": "tag", "target": {"starts_with": "word"}, "tags": [format!("t{i}")]}),
                _ => json!({"op": "untag", "target": {"starts_with": "word"}, "tags": [format!("u{i}")]}),
            };
            json!({"edits": ops(n, 70, edit)})
        },
    },
    Pair {
        name: "tags, that name a bullet",
        write: |n| tagged(&numbered(n / 9, "a"), ""),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let edit = |i: usize| json!({"op": "tag", "target": {"tag": format!("a{i}")}, "tags": [format!("b{i}")]});
            json!({"edits": ops(n, 70, edit)})
        },
    },
    Pair {
        name: "tags, of nested bullets",
        write: nested,
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let edit =
                |i: usize| json!({"op": "tag", "target": {"starts_with": format!("b{}x", i - 1)}, "tags": ["t"]});
            json!({"edits": (1..=n.isqrt() / 2).map(edit).collect::<Vec<_>>()})
        },
    },
    Pair {
        name: "inserts beside equal facts",
        write: |n| format!("## Facts\n{}- y\n", bullets(n, 90, |_| "- x\n".to_owned())),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let to = json!({"before": {"contains": "y"}});
            json!({"edits": ops(n, 90, |_| json!({"op": "insert", "target": {"section": "Facts"}, "text": "x", "to": to}))})
        },
    },
    Pair {
        name: "moves of fences",
        write: |n| format!("## Facts\n{}", bullets(n, 90, |i| format!("- b{i}\n  ```\n  x\n  ```\n"))),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let edit =
                |i: usize| json!({"op": "reorder", "target": {"starts_with": format!("b{i} ```")}, "to": {"index": 1}});
            json!({"edits": ops(n, 90, edit)})
        },
    },
    Pair {
        name: "new blocks",
        write: |n| bullets(n, 70, |i| format!("P{i}: (ID: m{i})\n- {FILL}\n")),
        others: None,
        tool: "apply_sub_memory_ops",
        arguments: |n| {
            let op = |i: usize| json!({"category": format!("C{i}"), "sub_memory": "x", "intent": "add"});
            json!({"ops": ops(n, 90, op)})
        },
    },
    Pair {
        name: "misses in one block",
        write: |n| format!("P: (ID: m1)\n{}", bullets(n, 90, |i| format!("- a  b {i} {FILL}\n"))),
        others: None,
        tool: "apply_sub_memory_ops",
        arguments: |n| {
            let op = |i: usize| json!({"memory_id": "m1", "old_sub_memory": format!("no {i}"), "new_sub_memory": "x", "intent": "update"});
            json!({"ops": ops(n, 110, op)})
        },
    },
    Pair {
        name: "equal facts, stale",
        write: |n| format!("P: (ID: m1)\n{}", bullets(n, 90, |_| format!("- a  b {FILL}\n"))),
        others: Some(|n| format!("P: (ID: m1)\n{}- z\n", bullets(n, 90, |_| format!("- a  b {FILL}\n")))),
        tool: "apply_sub_memory_ops",
        arguments: |n| {
            let op = |i: usize| json!({"memory_id": "m1", "sub_memory": format!("a b {FILL}"), "index": i, "intent": "delete"});
            json!({"ops": ops(n, 130, op)})
        },
    },
    Pair {
        name: "rebase, lines of one bullet",
        write: |n| lines(n, ""),
        others: Some(|n| lines(n, "  li\n")),
        tool: "replace_in_memory",
        arguments: |_| json!({"old_string": "- other", "new_string": "- another"}),
    },
    Pair {
        name: "rebase, all lines of one",
        write: |n| lines(n, "  li\n"),
        others: Some(|n| format!("{}- more\n", lines(n, "  li\n"))),
        tool: "replace_in_memory",
        arguments: |_| json!({"old_string": "li", "new_string": "la", "replace_all": true}),
    },
    Pair {
        name: "rebase, all children of one",
        write: |n| lines(n, "  - li\n"),
        others: Some(|n| format!("{}- more\n", lines(n, "  - li\n"))),
        tool: "replace_in_memory",
        arguments: |_| json!({"old_string": "li", "new_string": "la", "replace_all": true}),
    },
    Pair {
        name: "upserts in no section",
        write: |n| (0..n / 30).map(|i| format!("P{i}: (ID: m{i})\n- a fact\n")).collect(),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let edit = |i: usize| {
                let target = json!({"section": "Facts", "equals": format!("a fact {i}")});
                json!({"op": "upsert", "target": target, "text": format!("b{i}")})
            };
            json!({"edits": ops(n, 80, edit)})
        },
    },
    Pair {
        name: "updates by text with tags",
        write: |n| format!("## Facts\n{}", bullets(n, 20, |i| format!("- [a] fact {i}x\n"))),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let edit = |i: usize| {
                let target = json!({"equals": format!("- [a] fact {i}x")});
                json!({"op": "update", "target": target, "text": format!("b{i}")})
            };
            json!({"edits": ops(n, 90, edit)})
        },
    },
    Pair {
        name: "updates by what all say",
        write: |n| (0..n / 14).map(|i| format!("- a fact {i}\n")).collect(),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let edit = |i: usize| json!({"op": "update", "target": {"contains": "fact"}, "text": format!("b{i}")});
            json!({"edits": ops(n, 170, edit)})
        },
    },
    Pair {
        name: "updates by a near miss of all",
        write: |n| (0..n / 28).map(|i| format!("- Anna likes the fact {i:04}\n")).collect(),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let edit = |i: usize| json!({"op": "update", "target": {"equals": format!("Anna likes the fakt {i:05}")}, "text": "b"});
            json!({"edits": ops(n, 150, edit)})
        },
    },
    Pair {
        name: "fences of tildes, validated",
        write: |n| (0..n / 8).map(|i| format!("~~~ {}\n", i % 900)).collect(),
        others: None,
        tool: "validate_memory",
        arguments: |_| json!({}),
    },
    Pair {
        name: "open fences in sections, validated",
        write: |n| (0..n / 14).map(|_| "## A\n~~~\n- x\n").collect(),
        others: None,
        tool: "validate_memory",
        arguments: |_| json!({}),
    },
    Pair {
        name: "facts that stand twice",
        write: |n| (0..n / 32).map(|i| format!("- a fact {i}x\n- a fact {i}x\n")).collect(),
        others: None,
        tool: "rewrite_memory",
        arguments: |_| json!({"instructions": "shorter"}),
    },
    Pair {
        name: "facts that stand twice, halved",
        write: |n| (0..n / 32).map(|i| format!("- a fact {i}x\n- a fact {i}x\n")).collect(),
        others: None,
        tool: "rewrite_memory",
        arguments: |n| {
            let candidate: String = (0..n / 32).map(|i| format!("- a fact {i}x\n")).collect();
            json!({"instructions": "shorter", "candidate": candidate})
        },
    },
    Pair {
        name: "facts reworded",
        write: |n| (0..n / 16).map(|i| format!("- a fact {i}x\n")).collect(),
        others: None,
        tool: "rewrite_memory",
        arguments: |n| {
            let candidate: String = (0..n / 16).map(|i| format!("- a fact {i}y\n")).collect();
            json!({"instructions": "shorter", "candidate": candidate})
        },
    },
    Pair {
        name: "prose below nested bullets, edits",
        write: |n| {
            let nested: String = (0..n.isqrt() / 2).map(|i| format!("{}- b{i}\n", "  ".repeat(i))).collect();
            format!("## Facts\n{nested}\n{}", "prose\n".repeat(n / 12))
        },
        others: None,
        tool: "replace_in_memory",
        arguments: |_| json!({"old_string": "prose", "new_string": "verse", "replace_all": true}),
    },
    Pair {
        name: "lines below a far one",
        write: |n| format!("## Facts\n- a\n{}- deep\n", " ".repeat(n / 2)),
        others: None,
        tool: "edit_items",
        arguments: |n| {
            let target = json!({"contains": "deep"});
            json!({"edits": [{"op": "update", "target": target, "text": "x\n".repeat(n / 4)}]})
        },
    },
    Pair {
        name: "bullets beside a far one",
        write: |n| format!("## Facts\n- a\n{}- deep\n", " ".repeat(n / 2)),
        others: None,
        tool: "patch_memory",
        arguments: |n| {
            let lines = format!("@@\n- deep\n{}", "+ x\n".repeat(n / 6));
            json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{lines}*** End Patch")})
        },
    },
    Pair {
        name: "a bullet moved far in",
        write: |n| format!("## Facts\n- a\n{}- deep\n- mv\n{}", " ".repeat(n / 4), "  x\n".repeat(n / 10)),
        others: None,
        tool: "edit_items",
        arguments: |_| {
            let to = json!({"after": {"contains": "deep"}});
            json!({"edits": [{"op": "reorder", "target": {"contains": "mv"}, "to": to}]})
        },
    },
    Pair {
        name: "a long text, everywhere",
        write: |n| format!("## Facts\n- {}\n", "a ".repeat(n / 4)),
        others: None,
        tool: "replace_in_memory",
        arguments: |n| json!({"old_string": "a", "new_string": "b".repeat(n / 4), "replace_all": true}),
    },
    Pair {
        name: "tags, of equal bullets",
        write: |n| format!("## Facts\n{0}{0}", format_args!("- [{}] x\n", numbered(n / 16, "a").join(", "))),
        others: None,
        tool: "validate_memory",
        arguments: |_| json!({}),
    },
];
