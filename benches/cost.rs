//! What hostile inputs cost: no call may grow faster than the text and the request that it is given.
//!
//! Each family writes a document and a call of as many bytes, made to be slow for one rule or another. Shown are the milliseconds of
//! one call at three sizes, each four times the one before, and the greater growth of the two steps: 4 is linear. A call on 64 KiB
//! is to take at most 50 ms, and a step at most 5 times. Time is what the processor gave, where the system tells it. Nothing is
//! asserted: a machine that is busy with other things has slow memory, too.
//!
//! `cargo bench --bench cost` shows what is above that; with `-- --all` everything, with `-- 'equal lines / validate'` what has
//! this in its name.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a table is the result")]

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use memdoc::{DocName, InMemoryStore, Memory, Policy, Toolbox, document::InvalidSetting, recall::Prompt};
use serde_json::{Value, json};

const SIZES: [usize; 3] = [16 << 10, 64 << 10, 256 << 10];
/// How long each figure is repeated, at least; the mean is shown, as the time that a thread has run is told in ticks.
const PATIENCE: Duration = Duration::from_millis(100);

/// A way to write a document of about so many bytes.
struct Family {
    name: &'static str,
    write: fn(usize) -> String,
}

/// A call, given the document and the bytes of its arguments.
struct Attack {
    name: &'static str,
    tool: &'static str,
    arguments: fn(&str, usize) -> Value,
}

/// Returns the time that this thread has run, or the time since the start of the program where that is not known.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn filled(unit: &str, bytes: usize) -> String {
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

const FAMILIES: &[Family] = &[
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

/// A call for which something has to be done first, on which no clock runs.
#[derive(Clone, Copy)]
struct Scene {
    name: &'static str,
    prepare: fn(&mut Toolbox, usize),
    tool: &'static str,
    arguments: fn(&str, usize) -> Value,
}

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
fn remember(toolbox: &mut Toolbox, bytes: usize) {
    let Ok(doc) = toolbox.memory().read(&DocName::memory()) else { return };
    let chars: Vec<char> = doc.text().chars().take(bytes).collect();
    for piece in chars.chunks(1_500) {
        let _ = toolbox.call("memory_commit", &json!({"content": piece.iter().collect::<String>()}));
    }
}

fn nothing(_: &str, _: usize) -> Value {
    Value::Object(serde_json::Map::new())
}

fn beginning(doc: &str, bytes: usize) -> String {
    doc.chars().take(bytes).collect()
}

const SCENES: &[Scene] = &[
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
        prepare: |toolbox, n| stage(toolbox, 26, n),
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
            let Ok(doc) = toolbox.memory().read(&DocName::memory()) else { return };
            let half: String = doc.text().chars().take(n / 2).collect();
            let _ = toolbox.memory().write(&DocName::memory(), &half.replace("fact", "thing"));
        },
        tool: "replace_in_memory",
        arguments: |_, _| json!({"old_string": "## Facts", "new_string": "## Facts and more"}),
    },
];

/// How much is measured, and what is shown of it.
struct Run {
    sizes: &'static [usize],
    patience: Duration,
    /// What a name must contain.
    filter: String,
    shows_all: bool,
}

impl Run {
    fn asked_for() -> Self {
        let arguments: Vec<_> = std::env::args().skip(1).collect();
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        let filter = arguments.iter().find(|argument| !argument.starts_with("--")).cloned().unwrap_or_default();
        // Without this flag, cargo only wants to know whether the benchmark runs.
        let (sizes, patience) =
            if has("--bench") { (SIZES.as_slice(), PATIENCE) } else { ([1 << 10].as_slice(), Duration::ZERO) };
        Self { sizes, patience, filter, shows_all: has("--all") }
    }

    fn measure(&self) -> Result<(), InvalidSetting> {
        println!("{:<24} {:<28} {:>9} {:>9} {:>9} {:>7}", "document", "call", "16 KiB", "64 KiB", "256 KiB", "growth");
        for family in FAMILIES {
            let plain = ATTACKS.iter().map(|Attack { name, tool, arguments }| Scene {
                name,
                prepare: |_, _| (),
                tool,
                arguments: *arguments,
            });
            for scene in plain.chain(SCENES.iter().copied()) {
                if format!("{} / {}", family.name, scene.name).contains(&self.filter) {
                    self.row(family, &scene)?;
                }
            }
            if format!("{} / prompt", family.name).contains(&self.filter) {
                self.prompt(family)?;
            }
        }
        Ok(())
    }

    fn row(&self, family: &Family, scene: &Scene) -> Result<(), InvalidSetting> {
        self.tell(family, scene.name, |document, bytes| {
            let arguments = (scene.arguments)(document, bytes);
            self.time(
                document,
                |toolbox| (scene.prepare)(toolbox, bytes),
                |toolbox| {
                    let reply = black_box(toolbox.call(scene.tool, &arguments));
                    reply.code().map_or_else(|| format!("{:?}", reply.status()), |code| code.to_string())
                },
            )
        })
    }

    /// Times what a host puts before a conversation: the document, and what is recalled for a message as long as it is.
    fn prompt(&self, family: &Family) -> Result<(), InvalidSetting> {
        self.tell(family, "prompt", |document, bytes| {
            let message = beginning(document, bytes);
            self.time(
                document,
                |toolbox| remember(toolbox, bytes),
                |toolbox| {
                    black_box(toolbox.prompt(&Prompt::new(), bytes / 8, Some(&message)))
                        .map_or_else(|error| error.to_string(), |_| "Rendered".to_owned())
                },
            )
        })
    }

    /// Measures at each size, and tells what is too long.
    fn tell(
        &self,
        family: &Family,
        name: &str,
        measured: impl Fn(&str, usize) -> Result<(Duration, String), InvalidSetting>,
    ) -> Result<(), InvalidSetting> {
        let (mut times, mut outcome) = (Vec::new(), String::new());
        for bytes in self.sizes {
            let (took, told) = measured(&(family.write)(*bytes), *bytes)?;
            times.push(took.as_secs_f64() * 1e3);
            outcome = told;
            if took > Duration::from_secs(2) {
                break;
            }
        }
        let growth = times.windows(2).map(|pair| pair[1] / pair[0].max(0.05)).fold(0.0, f64::max);
        let middle = times.get(1).copied().unwrap_or(0.0);
        let is_bad = growth > 5.0 || middle > 50.0 || times.len() < self.sizes.len();
        if self.shows_all || is_bad {
            let at = |nth: usize| times.get(nth).map_or_else(|| "–".to_owned(), |time| format!("{time:.2}"));
            let bad = if is_bad { " <<<" } else { "" };
            let (one, two, three) = (at(0), at(1), at(2));
            println!("{:<24} {:<28} {one:>9} {two:>9} {three:>9} {growth:>7.2} {outcome}{bad}", family.name, name);
        }
        Ok(())
    }

    /// Does it again and again, each time on the document as it was, and returns the mean time and how it ends.
    fn time(
        &self,
        document: &str,
        prepare: impl Fn(&mut Toolbox),
        act: impl Fn(&mut Toolbox) -> String,
    ) -> Result<(Duration, String), InvalidSetting> {
        let (mut spent, begun) = (Duration::ZERO, Instant::now());
        for calls in 1.. {
            let policy = Policy::default().with_max_bytes(4 << 20);
            let memory = Memory::new(InMemoryStore::new().with(DocName::memory(), document), policy)?;
            let mut toolbox = Toolbox::new(Arc::new(memory));
            let _ = toolbox.show(&DocName::memory());
            prepare(&mut toolbox);
            let start = now();
            let outcome = act(&mut toolbox);
            spent += now().saturating_sub(start);
            if begun.elapsed() >= self.patience {
                return Ok((spent / calls, outcome));
            }
        }
        Ok((spent, String::new()))
    }
}

fn main() -> ExitCode {
    match Run::asked_for().measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
