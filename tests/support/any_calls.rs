//! Calls of every tool, with arguments made from its schema: names and texts of the document, hostile texts, nonsense. What
//! must hold of each is written once, for the tools that there are and those to come.

use std::sync::Arc;

use memdoc::{
    DocName, InMemoryStore, Memory, MemoryDoc, Policy, Revision, Status, Toolbox, document::AutoCompact,
    document::OnStale, toolbox::ToolDefinition,
};
use serde_json::{Map, Value, json};

use super::checks;
use super::compaction_draw::{Draw, FORGED};
use super::stores::texts;

/// How many calls a sequence has at most.
const CALLS: usize = 24;

const PLAIN: &[&str] = &[
    "Lives in Denver",
    "Allergic to nuts",
    "[work] Book the room",
    "x",
    "two\n  lines",
    "",
    "System/Policy",
    "- [x] done",
];
const IDS: &[&str] = &["mem1", "pets", "work", "log", "new", "a b"];
const SLOTS: &[&str] = &["name", "lang", "Name", "user", "a:b", "# comment"];
const TAGS: &[&str] = &["work", "pinned", "ttl", "critical", "a, b", "ttl: 3d"];
const TIMES: &[&str] = &["7d", "1s", "2w", "2030-01-01", "2020-01-01", "0d", "soon", "99999999999w"];
const MOMENTS: &[&str] = &["1", "2", "3", "4", "last", "agent", "2026-11-21", "0"];
const LABELS: &[&str] = &["persona", "goals", "goals", "Goals"];
/// Tools that write what they name by a key, and the undo: what they do is not previewed.
const NOT_PREVIEWED: &[&str] = &[
    "memory_undo",
    "write_memory",
    "write_session_handoff",
    "scratch_note",
    "block_update",
    "memo_commit",
    "memo_commit_auto",
];
const LETTERS: &[&str] = &["A", "B", "C", "b", "[A]", "Z", "AB", "1"];
const DOCUMENTS: &[&str] = &["memory", "core", "notes", "other", "../memory"];

/// Makes calls, and checks after each that what must hold holds.
pub fn check_calls(data: &[u8]) {
    let data = lengthened(data);
    let mut draw = Draw::new(&data);
    let name = DocName::memory();
    let text = draw.document();
    let policy = policy(&mut draw, &text);
    let store = Arc::new(InMemoryStore::new().with(name.clone(), text.as_str()));
    let mut toolbox = Toolbox::new(Memory::new(store.clone(), policy.clone()).unwrap());
    toolbox.show(&name).unwrap();
    for _ in 0..=draw.below(CALLS) {
        let tool = Toolbox::definitions()[draw.below(Toolbox::definitions().len())];
        let before = texts(&store);
        let now = before.get(&name).map_or("", |text| &**text).to_owned();
        let arguments = arguments(&mut draw, tool, &now);
        let told = || format!("{} {arguments}\n--- before\n{now:?}", tool.name);
        let preview = (tool.effect.is_destructive() && !NOT_PREVIEWED.contains(&tool.name))
            .then(|| toolbox.call("diff_preview", &json!({"tool": tool.name, "arguments": arguments})));
        assert_eq!(texts(&store), before, "a preview changes nothing: {}", told());
        let reply = toolbox.call(tool.name, &arguments);
        checks::check_reply(&reply);
        let after = texts(&store);
        let is_written = reply.status() == Status::Committed;
        assert_eq!(is_written, after != before, "{}: {}", reply.status().as_str(), told());
        assert!(!is_written || tool.effect.is_destructive(), "{}", told());
        if let Some(preview) = preview {
            match reply.status() {
                Status::Committed => assert_eq!(preview.status(), Status::Preview, "{preview}: {}", told()),
                Status::Error => assert_eq!(preview.code(), reply.code(), "{preview}: {}", told()),
                // A call that is known to have been made is told by its ID, which a preview does not ask for.
                _ => {}
            }
        }
        let text = after.get(&name).map_or("", |text| &**text);
        // What is taken back may bring what stood above a reserved section.
        let was_above = tool.name == "memory_undo";
        if was_above {
            checks::check_reserved_texts(&now, text)
        } else {
            checks::check_reserved(&now, text)
        }
        let is_within = text.len() <= policy.max_bytes || text.len() <= now.len();
        assert!(is_within, "{} bytes, {} before: {}", text.len(), now.len(), told());
        if is_written && before.len() == after.len() && before[&name] != after[&name] {
            assert_eq!(reply.get("revision"), Some(&json!(Revision::of(text).short())), "{}", told());
        }
    }
}

/// Returns the bytes with others behind them that they determine, since calls take many.
fn lengthened(data: &[u8]) -> Vec<u8> {
    let mut state = data
        .iter()
        .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3));
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    data.iter().copied().chain(std::iter::repeat_with(&mut next).take(4_000)).collect()
}

fn policy(draw: &mut Draw<'_>, text: &str) -> Policy {
    let policy = Policy::default().with_required_sections(["Facts"]).with_section_priority(["Log", "Tasks"]);
    let policy = if draw.is_one_in(3) { policy.with_on_stale(OnStale::Rebase) } else { policy };
    let policy = if draw.is_one_in(2) { policy.with_max_bytes(text.len() + draw.below(120)) } else { policy };
    let compacts = [AutoCompact::Off, AutoCompact::Over, AutoCompact::Near];
    policy.with_auto_compact(compacts[draw.below(compacts.len())])
}

/// Makes arguments for a tool.
pub fn arguments(draw: &mut Draw<'_>, tool: &ToolDefinition, text: &str) -> Value {
    if !["diff_preview", "memo_stage"].contains(&tool.name) {
        return value(draw, tool.input_schema(), "", text);
    }
    let editors: Vec<_> = Toolbox::definitions().iter().filter(|tool| tool.effect.is_destructive()).collect();
    let editor = editors[draw.below(editors.len())];
    let name = if tool.name == "memo_stage" { "args" } else { "arguments" };
    json!({"tool": editor.name, name: arguments(draw, editor, text)})
}

fn value(draw: &mut Draw<'_>, schema: &Value, name: &str, text: &str) -> Value {
    if let Some(choices) = schema["enum"].as_array() {
        return choices[draw.below(choices.len())].clone();
    }
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let choice = draw.below(choices.len());
        return value(draw, &choices[choice], name, text);
    }
    match schema["type"].as_str() {
        Some("object") if name == "to" && draw.is_one_in(2) => json!(["first", "last"][draw.below(2)]),
        Some("object") => object(draw, schema, text),
        Some("array") => {
            let more = if draw.is_one_in(3) { draw.below(3) } else { 0 };
            (0..=more).map(|_| value(draw, &schema["items"], name, text)).collect()
        }
        Some("integer") => json!(i64::try_from(draw.below(9)).unwrap_or(0) - 1),
        Some("boolean") => json!(draw.is_one_in(2)),
        _ => Value::from(string(draw, name, text)),
    }
}

fn object(draw: &mut Draw<'_>, schema: &Value, text: &str) -> Value {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut members = Map::new();
    // A bullet is mostly named by one thing.
    let names_bullet =
        ["contains", "equals", "key"].into_iter().filter(|name| schema["properties"].get(name).is_some());
    let names_bullet: Vec<_> = names_bullet.collect();
    if !names_bullet.is_empty() && !draw.is_one_in(4) {
        let name = names_bullet[draw.below(names_bullet.len())];
        return json!({name: string(draw, name, text)});
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let is_given = match name.as_str() {
            name if required.contains(&name) => !draw.is_one_in(40),
            "base_revision" | "document" => draw.is_one_in(30),
            "target" | "text" | "to" | "sub_memory" | "new_sub_memory" | "old_sub_memory" => !draw.is_one_in(5),
            _ => draw.is_one_in(4),
        };
        if is_given {
            members.insert(name.clone(), value(draw, schema, name, text));
        }
    }
    Value::Object(members)
}

fn string(draw: &mut Draw<'_>, name: &str, text: &str) -> String {
    if draw.is_one_in(12) {
        return hostile(draw);
    }
    let doc = MemoryDoc::parse(text);
    let outline = doc.outline();
    let bullets: Vec<_> = doc.bullets().collect();
    let bullet = (!bullets.is_empty()).then(|| bullets[draw.within(bullets.len())]);
    let content = || bullet.map(|bullet| bullet.content().into_owned()).unwrap_or_default();
    let of = |draw: &mut Draw<'_>, texts: &[&str]| texts[draw.below(texts.len())].to_owned();
    match name {
        "section" | "source" | "target" | "before" | "after" if !outline.sections.is_empty() => {
            let sections: Vec<_> = doc.sections().collect();
            let section = sections[draw.within(sections.len())];
            if draw.is_one_in(3) { section.path() } else { section.title().to_owned() }
        }
        "key" => bullet.map(|bullet| bullet.key().to_string()).unwrap_or_default(),
        "contains" | "starts_with" | "equals" | "expect" | "sub_memory" | "old_sub_memory" if !draw.is_one_in(6) => {
            content()
        }
        "old_string" | "old_text" | "start_text" | "end_text" | "search_after" => {
            let chars: Vec<char> = text.chars().collect();
            let from = draw.within(chars.len());
            chars.iter().skip(from).take(1 + draw.below(40)).collect()
        }
        "block" | "memory_id" if !outline.blocks.is_empty() && !draw.is_one_in(4) => {
            let blocks: Vec<_> = doc.blocks().collect();
            blocks[draw.below(blocks.len())].id().to_owned()
        }
        "block" | "memory_id" => of(draw, IDS),
        "match_id" | "change_id" => of(draw, LETTERS),
        "tag" | "tags" => of(draw, TAGS),
        "ttl" => of(draw, TIMES),
        "entry" if !draw.is_one_in(3) => "last".to_owned(),
        "entry" | "from" | "until" | "since" | "actor" if draw.is_one_in(2) => of(draw, MOMENTS),
        "name" => of(draw, SLOTS),
        "label" => of(draw, LABELS),
        "document" => of(draw, DOCUMENTS),
        "patch" => patch(draw, text),
        "candidate" => draw.candidate(text),
        _ if draw.is_one_in(4) => hostile(draw),
        _ => of(draw, PLAIN),
    }
}

/// Makes lines that pretend to be what they are not.
fn hostile(draw: &mut Draw<'_>) -> String {
    let lines: Vec<&str> = (0..=draw.below(3)).map(|_| FORGED[draw.below(FORGED.len())]).collect();
    let ends = ["", "\n", "\r\n", "\r"];
    lines.join("\n") + ends[draw.below(ends.len())]
}

/// Makes a patch of a few parts: whole lines of the document that go, lines that come, operations on sections.
fn patch(draw: &mut Draw<'_>, text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    let mut patch = "*** Begin Patch\n*** Update Memory\n".to_owned();
    for _ in 0..=draw.below(3) {
        let title = string(draw, "section", text);
        let new = string(draw, "text", text);
        let line = lines[draw.within(lines.len())];
        patch.push_str(&match draw.below(7) {
            0 => format!("@@ section: {title}\n+{}\n", new.replace('\n', "\n+")),
            1 => format!("@@\n-{line}\n+{}\n", new.replace('\n', "\n+")),
            2 => format!("@@ section: {title}\n {line}\n+{}\n", new.replace('\n', "\n+")),
            3 => format!("*** Add Section: {new}\n+- {line}\n"),
            4 => format!("*** Delete Section: {title}\n"),
            5 => format!("*** Rename Section: {title}\n*** To: {new}\n"),
            _ => format!("*** Move Section: {title}\n*** Before: {}\n", string(draw, "before", text)),
        });
    }
    patch + "*** End Patch\n"
}
