//! What is slow for one rule or another: families of documents of any size, and calls with arguments as long. `benches/cost.rs`
//! times them, `tests/it/linear.rs` counts their work.

use std::sync::Arc;

use memdoc::{DocName, InMemoryStore, Memory, Policy, Toolbox};
use serde_json::{Value, json};

/// A way to write a document of about so many bytes.
pub struct Family {
    pub name: &'static str,
    pub write: fn(usize) -> String,
}

/// A call, given the document and the bytes of its arguments.
struct Attack {
    pub name: &'static str,
    pub tool: &'static str,
    pub arguments: fn(&str, usize) -> Value,
}

/// A call for which something has to be done first, on which no clock runs.
#[derive(Clone, Copy)]
pub struct Scene {
    pub name: &'static str,
    pub prepare: fn(&mut Toolbox, usize),
    pub tool: &'static str,
    pub arguments: fn(&str, usize) -> Value,
}

/// Returns the calls for which nothing has to be done first.
pub fn plain() -> impl Iterator<Item = Scene> {
    ATTACKS.iter().map(|Attack { name, tool, arguments }| Scene {
        name,
        prepare: |_, _| (),
        tool,
        arguments: *arguments,
    })
}

/// Returns the toolbox of an agent that has been shown the document.
pub fn toolbox(document: &str) -> Toolbox {
    toolbox_under(document, |policy| policy)
}

/// Returns the toolbox of an agent that has been shown the document, under a policy.
pub fn toolbox_under(document: &str, policy: fn(Policy) -> Policy) -> Toolbox {
    let policy = policy(Policy::default().with_max_bytes(4 << 20));
    let store = InMemoryStore::new().with(DocName::memory(), document);
    let mut toolbox = Toolbox::new(Arc::new(Memory::new(store, policy).unwrap()));
    toolbox.show(&DocName::memory()).unwrap();
    toolbox
}

pub fn filled(unit: &str, bytes: usize) -> String {
    unit.repeat(bytes / unit.len() + 1)
}

fn bullet_of(unit: &str, bytes: usize) -> String {
    format!("## Facts\n- {}\n", filled(unit, bytes))
}

fn lines_of(bytes: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::from("## Facts\n");
    let mut number = 0;
    while text.len() < bytes {
        text.push_str(&line(number));
        text.push('\n');
        number += 1;
    }
    text
}

pub const FAMILIES: &[Family] = &[
    Family { name: "plain bullets", write: |n| lines_of(n, |i| format!("- fact number {i} of the memory")) },
    Family { name: "one bullet of letters", write: |n| bullet_of("word ", n) },
    Family {
        name: "one bullet of links",
        write: |n| format!("## Facts\n- {}{}\n", filled("[", n / 2), filled("](<", n / 2)),
    },
    Family {
        name: "a heading of links",
        write: |n| format!("## {}{}\n- a\n", filled("[", n / 2), filled("](<", n / 2)),
    },
    Family { name: "one bullet of stars", write: |n| bullet_of("*_", n) },
    Family { name: "a heading of stars", write: |n| format!("## {}\n- a\n", filled("*_", n)) },
    Family { name: "entities", write: |n| bullet_of("&amp;&#83;&#x", n) },
    Family { name: "a heading of entities", write: |n| format!("## {}\n- a\n", filled("&amp;&#83;&#x", n)) },
    Family { name: "brackets", write: |n| bullet_of("[a] ", n) },
    Family { name: "open brackets", write: |n| bullet_of("[", n) },
    Family { name: "tags", write: |n| lines_of(n, |i| format!("- [a{i}, b] [pinned] x")) },
    Family { name: "one group of tags", write: |n| format!("## Facts\n- [{}] x\n", filled("a, ", n)) },
    Family { name: "fences", write: |n| lines_of(n, |_| "```".to_owned()) },
    Family {
        name: "backticks",
        write: |n| {
            format!(
                "## Facts\n- {}\n",
                (1..)
                    .map(|i| "`".repeat(i) + " ")
                    .scan(0, |sum, run| {
                        *sum += run.len();
                        (*sum < n).then_some(run)
                    })
                    .collect::<String>()
            )
        },
    },
    Family { name: "html", write: |n| lines_of(n, |_| "<b <!-- `<` <!---->".to_owned()) },
    Family { name: "html in one line", write: |n| bullet_of("<!--><pre></pre>", n) },
    Family {
        name: "nesting",
        write: |n| {
            let depth = n.isqrt() / 2;
            lines_of(n, |i| format!("{}- b{i}", "  ".repeat(i % depth.max(1))))
        },
    },
    Family {
        name: "deep nesting",
        write: |n| {
            let mut text = String::from("## Facts\n");
            let mut i = 0;
            while text.len() < n {
                text.push_str(&"  ".repeat(i));
                text.push_str("- b\n");
                i += 1;
            }
            text
        },
    },
    Family {
        name: "prose behind nesting",
        write: |n| {
            let depth = n.isqrt() / 2;
            let nested: String = (0..depth).map(|i| format!("{}- b{i}\n", "  ".repeat(i))).collect();
            format!("## Facts\n{nested}\n{}", filled("prose\n\n", n / 2))
        },
    },
    Family { name: "equal lines", write: |n| lines_of(n, |_| "- the same fact".to_owned()) },
    Family { name: "near misses", write: |n| lines_of(n, |i| format!("- the same fact, but for numbe{} r", i % 7)) },
    Family { name: "headings", write: |n| lines_of(n, |i| format!("## T{i}")) },
    Family { name: "equal headings", write: |n| lines_of(n, |_| "## Topic".to_owned()) },
    Family { name: "blocks", write: |n| lines_of(n, |i| format!("P{i}: (ID: m{i})\n- x")) },
    Family {
        name: "slots",
        write: |n| {
            format!("---\n{}---\n## Facts\n- a\n", (0..n / 12).map(|i| format!("key{i}: v\n")).collect::<String>())
        },
    },
    Family { name: "ordered list", write: |n| lines_of(n, |i| format!("{}. fact", i + 1)) },
    Family { name: "blank lines", write: |n| format!("## Facts\n- a\n{}", "\n".repeat(n)) },
    Family { name: "combining marks", write: |n| bullet_of("e\u{301}\u{302}", n) },
    Family { name: "quotes and dashes", write: |n| bullet_of("\u{201c}a\u{201d}\u{2014}", n) },
    Family { name: "points", write: |n| bullet_of(".,", n) },
    Family {
        name: "equal facts, other ends",
        write: |n| lines_of(n, |i| format!("- [expires: 2{:03}-01-01] a", i % 1_000)),
    },
    Family {
        name: "children of a long bullet",
        write: |n| format!("## Facts\n- {}\n{}", filled("word ", n / 2), filled("  - x\n", n / 2)),
    },
    Family {
        name: "children of many tags",
        write: |n| format!("## Facts\n- [{}] x\n{}", filled("a, ", n / 2), filled("  - x\n", n / 2)),
    },
    Family { name: "citations of one", write: |n| lines_of(n, |_| "- [from: sabr24] a b c".to_owned()) },
    Family { name: "pinned in blocks", write: |n| lines_of(n, |i| format!("B: (ID: b{i})\n- [pinned] x")) },
    Family { name: "reserved sections", write: |n| lines_of(n, |_| "## System/Policy\n- x".to_owned()) },
    Family { name: "reserved look-alikes", write: |n| lines_of(n, |i| format!("- Systern/Policy {i}")) },
    Family {
        name: "setext lines",
        write: |n| lines_of(n, |i| if i % 2 == 0 { "System/".to_owned() } else { "Policx".to_owned() }),
    },
];

const ATTACKS: &[Attack] = &[
    Attack { name: "read keyed", tool: "memory_read", arguments: |_, _| json!({"view": "keyed"}) },
    Attack { name: "validate", tool: "validate_memory", arguments: |_, _| json!({}) },
    Attack {
        name: "search by the whole text",
        tool: "search_memory",
        arguments: |doc, n| json!({"query": format!("fact {}", doc.get(..n.min(doc.len())).unwrap_or(doc)), "limit": 50}),
    },
    Attack {
        name: "append by patch",
        tool: "patch_memory",
        arguments: |_, _| json!({"patch": "*** Begin Patch\n*** Update Memory\n@@\n+- one more fact at the end\n*** End of File\n*** End Patch"}),
    },
    Attack {
        name: "replace misses",
        tool: "replace_in_memory",
        arguments: |_, _| json!({"old_string": "the same fact, but for number 99", "new_string": "x"}),
    },
    Attack {
        name: "replace misses, long",
        tool: "replace_in_memory",
        arguments: |doc, n| json!({"old_string": format!("{}~", doc.get(..n.min(doc.len())).unwrap_or(doc)), "new_string": "x"}),
    },
    Attack {
        name: "replace all",
        tool: "replace_in_memory",
        arguments: |_, _| json!({"old_string": "a", "new_string": "ab", "replace_all": true}),
    },
    Attack {
        name: "replace, ambiguous",
        tool: "replace_in_memory",
        arguments: |_, _| json!({"old_string": "a", "new_string": "b"}),
    },
    Attack {
        name: "patch misses, one long hunk",
        tool: "patch_memory",
        arguments: |doc, n| {
            let lines: String = doc
                .split_terminator('\n')
                .scan(0, |sum, line| {
                    *sum += line.len() + 2;
                    (*sum < n).then(|| format!(" {line}\n"))
                })
                .collect();
            json!({"patch": format!("*** Begin Patch\n*** Update Memory\n@@\n{lines}-nothing like it\n+x\n*** End Patch")})
        },
    },
    Attack {
        name: "patch misses, many hunks",
        tool: "patch_memory",
        arguments: |_, n| {
            let hunks: String = (0..n / 30).map(|i| format!("@@\n-- the same fact {i}\n+- x\n")).collect();
            json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{hunks}*** End Patch")})
        },
    },
    Attack {
        name: "patch, many anchors",
        tool: "patch_memory",
        arguments: |_, n| {
            let hunks: String = (0..n / 30).map(|i| format!("@@ section: Topic {i}\n+- x\n")).collect();
            json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{hunks}*** End Patch")})
        },
    },
    Attack {
        name: "patch, repeated line hunk",
        tool: "patch_memory",
        arguments: |doc, n| {
            let line = doc.split('\n').nth(1).unwrap_or_default();
            let lines = format!(" {line}\n").repeat(n / (line.len() + 2) + 1);
            json!({"patch": format!("*** Begin Patch\n*** Update Memory\n@@\n{lines}-zzz\n+x\n*** End Patch")})
        },
    },
    Attack {
        name: "items, many selectors",
        tool: "edit_items",
        arguments: |_, n| {
            let edits: Vec<_> = (0..n / 80)
                .map(|i| json!({"op": "update", "target": {"contains": format!("nothing {i}")}, "text": "x"}))
                .collect();
            json!({"edits": edits})
        },
    },
    Attack {
        name: "items, one long selector",
        tool: "edit_items",
        arguments: |doc, n| json!({"edits": [{"op": "update", "target": {"contains": format!("{}~", doc.get(9..n.min(doc.len())).unwrap_or(doc))}, "text": "x"}]}),
    },
    Attack {
        name: "items, many inserts",
        tool: "edit_items",
        arguments: |_, n| {
            let edits: Vec<_> = (0..n / 80)
                .map(|i| json!({"op": "insert", "target": {"section": "Facts"}, "text": format!("new {i}")}))
                .collect();
            json!({"edits": edits})
        },
    },
    Attack {
        name: "items, many reorders",
        tool: "edit_items",
        arguments: |_, n| {
            let edits: Vec<_> = (0..n / 80).map(|i| json!({"op": "reorder", "target": {"section": "Facts", "index": i + 1}, "to": {"index": 1}, "expect": "fact"})).collect();
            json!({"edits": edits})
        },
    },
    Attack {
        name: "sub-memory, many misses",
        tool: "apply_sub_memory_ops",
        arguments: |_, n| {
            let ops: Vec<_> = (0..n / 120).map(|i| json!({"memory_id": "m1", "old_sub_memory": format!("nothing {i}"), "new_sub_memory": "x", "index": i, "intent": "update"})).collect();
            json!({"ops": ops})
        },
    },
    Attack {
        name: "sub-memory, many adds",
        tool: "apply_sub_memory_ops",
        arguments: |_, n| {
            let ops: Vec<_> = (0..n / 80).map(|i| json!({"memory_id": format!("n{i}"), "category": format!("C{i}"), "sub_memory": "x", "intent": "add"})).collect();
            json!({"ops": ops})
        },
    },
    Attack {
        name: "pins, many",
        tool: "pin_items",
        arguments: |_, n| {
            let targets: Vec<_> = (0..n / 30).map(|i| json!({"contains": format!("nothing {i}")})).collect();
            json!({"targets": targets})
        },
    },
    Attack {
        name: "rewrite, built-in",
        tool: "rewrite_memory",
        arguments: |_, _| json!({"instructions": "shorter", "budget_tokens": 2000}),
    },
    Attack {
        name: "rewrite, same candidate",
        tool: "rewrite_memory",
        arguments: |doc, _| json!({"instructions": "shorter", "candidate": format!("{doc}- one more\n")}),
    },
    Attack {
        name: "rewrite, halved candidate",
        tool: "rewrite_memory",
        arguments: |doc, _| {
            let kept: String = doc
                .split_inclusive('\n')
                .enumerate()
                .filter(|(i, line)| i % 2 == 0 || line.starts_with('#'))
                .map(|(_, line)| line)
                .collect();
            json!({"instructions": "shorter", "candidate": kept})
        },
    },
    Attack {
        name: "rewrite, reworded candidate",
        tool: "rewrite_memory",
        arguments: |doc, _| json!({"instructions": "shorter", "candidate": doc.replace("fact", "thing") }),
    },
    Attack {
        name: "insert long text",
        tool: "edit_items",
        arguments: |doc, n| json!({"edits": [{"op": "insert", "target": {"section": "Facts"}, "text": doc.replace('\n', " ").chars().take(n).collect::<String>()}]}),
    },
    Attack {
        name: "merge sections",
        tool: "merge_sections",
        arguments: |_, _| json!({"source": "T1", "target": "T2"}),
    },
    Attack {
        name: "rename a section",
        tool: "rename_section",
        arguments: |_, n| json!({"section": "Nothing", "title": filled("x ", n)}),
    },
    Attack { name: "set a slot", tool: "set_slot", arguments: |_, n| json!({"name": "key", "value": filled("x ", n)}) },
    Attack {
        name: "unknown arguments",
        tool: "replace_in_memory",
        arguments: |_, n| Value::Object((0..n / 20).map(|i| (format!("argument{i}"), json!("x"))).collect()),
    },
];
