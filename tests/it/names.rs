//! Names and places of sections: what they can never confuse, and hints that are followed to the letter.

use memdoc::request::patch::{SectionOp, SectionPlace};
use memdoc::{Code, DocName, InMemoryStore, Memory, MemoryDoc, Policy, Status, Toolbox};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::support::draws::usually;
use crate::support::{checks, section_checks, strategies};

/// Titles of which many differ in one letter, digit or sign alone.
const TITLES: &[&str] = &[
    "C",
    "C#",
    "C++",
    "F# notes",
    "1)",
    "1",
    "1.",
    "#1",
    "@ana",
    "ana",
    "13. Juni",
    "13. Juli",
    "Juni",
    "+5 °C",
    "-5 °C",
    "5 °C",
    "A > B",
    "A",
    "B",
    "B > C",
    "\"A\"",
    "'90s",
    "90s",
    "**A**",
    "A:",
    "A::",
    "`ls`",
    "ls",
    "@@",
    "Café",
    "Cafe",
    "İ",
    "50 %",
    "50",
    "x (y)",
    "x",
    "*",
    "No: sugar",
    "No sugar",
    "a-b",
    "ab",
];
/// What models write around a title.
const MARKS: &[(&str, &str)] = &[
    ("", ""),
    ("# ", ""),
    ("## ", " ##"),
    ("**", "**"),
    ("`", "`"),
    ("\"", "\""),
    ("“", "”"),
    ("", ":"),
    ("@@ ", ""),
    ("@@ ", " @@"),
    ("### **", "**:"),
    ("#", ""),
    ("", "#"),
    ("- ", ""),
    (" ", "  "),
    ("*", "*"),
    ("(", ")"),
];

/// The letters and digits of a name, and the signs that are no marks around it; written without knowledge of the ladder.
fn essence(name: &str) -> Vec<char> {
    let is_mark = |c: char| matches!(c, '*' | '`' | '"' | '\'' | '“' | '”' | '‘' | '’' | '@' | ':' | ' ' | '>');
    let kept = name.chars().filter(|c| !is_mark(*c)).flat_map(char::to_lowercase).collect::<Vec<_>>();
    // A `#` is a mark only where white space or the end sets it apart.
    let words = name.split_whitespace().filter(|word| !word.is_empty() && word.chars().all(|c| c == '#'));
    let hashes = words.map(str::len).sum::<usize>();
    let all = kept.iter().filter(|c| **c == '#').count();
    let mut meant: Vec<char> = kept.into_iter().filter(|c| *c != '#').collect();
    meant.extend(std::iter::repeat_n('#', all - hashes));
    meant
}

fn toolbox(text: &str) -> Toolbox {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    toolbox
}

fn text_of(toolbox: &mut Toolbox) -> String {
    toolbox.show(&DocName::memory()).unwrap().text.into()
}

proptest! {
    #![proptest_config(usually(512))]

    #[test]
    fn a_name_in_marks_names_the_same_letters_digits_and_signs(
        titles in vec(select(TITLES), 1..6), called in select(TITLES), (before, behind) in select(MARKS),
    ) {
        let text: String = titles.iter().map(|title| format!("## {title}\n- x\n")).collect();
        let called = format!("{before}{called}{behind}");
        let reply = toolbox(&text).call("memory_read", &json!({"section": called})).to_json();
        if reply["status"] == "ok" {
            let read = reply["text"].as_str().unwrap();
            let title = read.split('\n').next().unwrap().strip_prefix("## ").unwrap();
            prop_assert_eq!(essence(&called), essence(title), "{:?} is read as {:?}", called, title);
            let is_exact = titles.contains(&called.trim());
            prop_assert!(!is_exact || reply["healed"].is_null(), "{} {}", called, reply);
        }
    }

    #[test]
    fn a_section_that_is_alone_is_found_by_its_shortest_name(text in strategies::document()) {
        let doc = MemoryDoc::parse(text);
        for section in doc.sections() {
            let (name, path) = (section.name(), section.path());
            prop_assert!(path.ends_with(&name), "{:?} {:?}", path, name);
            let reply = toolbox(doc.text()).call("memory_read", &json!({"section": name})).to_json();
            if reply["status"] == "ok" && !name.trim().is_empty() {
                let extent = section.extent.of(doc.text());
                prop_assert_eq!(reply["text"].as_str().unwrap(), extent);
                prop_assert!(reply["healed"].is_null());
            }
        }
    }

    #[test]
    fn a_move_below_another_parent_loses_nothing(
        text in strategies::document(), which in any::<Index>(), parent in any::<Index>(), is_first in any::<bool>(),
    ) {
        let doc = MemoryDoc::parse(text);
        let sections: Vec<_> = doc.sections().collect();
        if !sections.is_empty() {
            section_checks::check_transfer(*which.get(&sections), *parent.get(&sections), is_first);
        }
    }
}

#[test]
fn most_moves_below_another_parent_are_made() {
    let made = |text: &str| {
        let doc = MemoryDoc::parse(text);
        let sections: Vec<_> = doc.sections().collect();
        section_checks::check_transfer(sections[0], sections[1], false)
    };
    assert!(made("## A\n- a\n\n## B\n- b\n"));
    assert!(made("## A\n```\nx\n```\n## B\n### C\n1. b\n"));
    assert!(!made("## A\n- a\n###### B\n- b\n"));
}

#[test]
fn a_place_prints_and_reads_back() {
    for place in [SectionPlace::FirstUnder("P".into()), SectionPlace::LastUnder("P".into())] {
        let op = SectionOp::Move { section: "A".into(), place };
        let patch: memdoc::request::patch::Patch =
            format!("*** Begin Patch\n*** Update Memory\n{op}*** End Patch").parse().unwrap();
        assert_eq!(patch.documents[0].parts, [memdoc::request::patch::PatchPart::Section(op)]);
    }
}

/// Makes the changes that a hint words as `set "name" to VALUE` and `leave out "name"`.
fn follow(arguments: &Value, hint: &str) -> Value {
    let mut call = arguments.clone();
    let is_in_target = hint.ends_with(" in the target");
    for name in hint.split("leave out \"").skip(1).filter_map(|rest| rest.split('"').next()) {
        let members = if is_in_target { &mut call["target"] } else { &mut call };
        members.as_object_mut().unwrap().retain(|other, _| other != name && (name != "key" || other != "id"));
    }
    let words = hint.split_once("set ").map_or("", |(_, words)| words).trim_end_matches(" in the target");
    for word in words.split(" and \"") {
        let (name, value) = word.trim_start_matches('"').split_once("\" to ").unwrap();
        let value: Value = serde_json::from_str(value).unwrap();
        if is_in_target { call["target"][name] = value } else { call[name] = value }
    }
    call
}

const PLANS: &str = "# Memory\n\n## Plans\n- Risks\n  - Soil report\n- Costs\n\nAda Okafor: (ID: mem1)\n- Surveyor\n\n## Tasks\n- Call Ada\n";

#[test]
fn hints_about_things_of_that_name_work_as_they_are_worded() {
    let calls = [
        ("edit_items", json!({"op": "insert", "target": {"block": "Tasks"}, "text": "x"})),
        ("edit_items", json!({"op": "insert", "target": {"id": "mem1"}, "text": "x"})),
        ("edit_items", json!({"op": "delete", "target": {"key": "mem1", "contains": "Surveyor"}})),
        ("edit_items", json!({"op": "delete", "target": {"section": "Risks", "contains": "Soil"}})),
        ("edit_items", json!({"op": "delete", "target": {"section": "Takss", "contains": "Call"}})),
        ("edit_items", json!({"op": "delete", "target": {"section": "Elsewhere", "contains": "Call"}})),
        ("edit_items", json!({"op": "delete", "target": {"block": "Plans", "contains": "Costs"}})),
        ("replace_in_memory", json!({"section": "Risks", "old_string": "Soil", "new_string": "Rock"})),
        ("replace_in_memory", json!({"block": "Tasks", "old_string": "Call", "new_string": "Ask"})),
        ("rename_section", json!({"section": "Task", "title": "To do"})),
        ("delete_section", json!({"section": "### Taks"})),
    ];
    for (tool, arguments) in calls {
        let mut toolbox = toolbox(PLANS);
        let reply = toolbox.call(tool, &arguments);
        checks::check_reply(&reply);
        assert_eq!(reply.code(), Some(Code::NotFound), "{arguments} {reply}");
        let better = follow(&arguments, reply.to_json()["hint"].as_str().unwrap());
        let reply = toolbox.call(tool, &better);
        assert_eq!(reply.status(), Status::Committed, "{arguments} {better} {reply}");
    }
}

#[test]
fn hints_of_patches_about_names_work_as_they_are_worded() {
    let body = ["@@ section: Risks\n+  - x", "@@ block: Plans\n+- x", "@@ section: Takss\n+- x"];
    for hunk in body {
        let mut toolbox = toolbox(PLANS);
        let patch = |hunk: &str| json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{hunk}\n*** End Patch")});
        let reply = toolbox.call("patch_memory", &patch(hunk)).to_json();
        let hint = reply["hint"].as_str().unwrap();
        let anchor = hint
            .split_once("\"@@ ")
            .unwrap()
            .1
            .split_once(", and indent")
            .map_or(hint.rsplit_once("\"@@ ").unwrap().1, |it| it.0);
        let (_, lines) = hunk.split_once('\n').unwrap();
        let reply = toolbox.call("patch_memory", &patch(&format!("@@ {}\n{lines}", anchor.trim_end_matches('"'))));
        assert_eq!(reply.status(), Status::Committed, "{hint} {reply}");
        let doc = MemoryDoc::parse(text_of(&mut toolbox));
        let new = doc.bullets().find(|bullet| bullet.content() == "x").unwrap();
        assert_eq!(new.depth(), usize::from(hunk.contains("Risks")), "{}", doc.text());
    }
}

#[test]
fn an_offered_patch_writes_into_the_section_that_is_there() {
    let mut toolbox = toolbox(PLANS);
    let patch =
        |body: &str| json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{body}\n+- x\n*** End Patch")});
    let reply = toolbox.call("patch_memory", &patch("*** Add Section: ## Tasks")).to_json();
    assert_eq!(reply["code"], "duplicate_section");
    let anchor = reply["hint"].as_str().unwrap().split('"').nth(1).unwrap().to_owned();
    assert_eq!(toolbox.call("patch_memory", &patch(&anchor)).status(), Status::Committed);
    assert!(text_of(&mut toolbox).ends_with("## Tasks\n- Call Ada\n- x\n"));
}

#[test]
fn names_of_many_sections_cost_what_the_document_does() {
    let long = "t".repeat(20_000);
    let text: String =
        std::iter::once(format!("# {long}\n")).chain((0..5_000).map(|n| format!("## S{}\n", n % 2_500))).collect();
    let doc = MemoryDoc::parse(text);
    let last = doc.sections().next_back().unwrap();
    assert_eq!(last.name().len(), long.len() + " > S2499".len());
}
