//! Names and places of sections: what they can never confuse, and hints that are followed to the letter.

use memdoc::request::patch::{SectionOp, SectionPlace};
use memdoc::{Code, DocName, InMemoryStore, Memory, MemoryDoc, Policy, Status, Toolbox};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::json;

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

/// The letters and digits of a name, and the signs that are no marks around it; written without knowledge of what is healed.
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
fn a_place_below_a_section_is_first_or_last() {
    let under: SectionPlace = SectionPlace::Last(Some("P".into()));
    let places = [("", under.clone()), ("*** Last\n", under), ("*** First\n", SectionPlace::First(Some("P".into())))];
    for (end, place) in places {
        let patch: memdoc::request::patch::Patch =
            format!("*** Begin Patch\n*** Move Section: A\n*** Under: P\n{end}*** End Patch").parse().unwrap();
        let op = SectionOp::Move { section: "A".into(), place };
        assert_eq!(patch.documents[0].parts, [memdoc::request::patch::PatchPart::Section(op)]);
    }
}

const PLANS: &str = "# Memory\n\n## Plans\n- Risks\n  - Soil report\n- Costs\n\nAda Okafor: (ID: mem1)\n- Surveyor\n\n## Tasks\n- Call Ada\n\n## To do\n\n## Week -2\n- cold\n";

#[test]
fn retries_of_names_are_committed_and_take_nothing_away_under_another_name() {
    let calls = [
        ("edit_items", json!({"op": "insert", "target": {"block": "Takss"}, "text": "x"}), false),
        ("edit_items", json!({"op": "insert", "target": {"section": "Takss"}, "text": "x"}), false),
        ("edit_items", json!({"op": "insert", "target": {"section": "Ta-sks"}, "text": "x"}), false),
        ("edit_items", json!({"op": "insert", "target": {"section": "to_do"}, "text": "x"}), true),
        ("edit_items", json!({"op": "insert", "target": {"section": "Week 2"}, "text": "x"}), false),
        ("edit_items", json!({"op": "delete", "target": {"section": "Takss", "contains": "Call"}}), false),
        ("edit_items", json!({"op": "delete", "target": {"section": "Plans", "contains": "Call"}}), false),
        ("replace_in_memory", json!({"section": "Plans", "old_string": "Call", "new_string": "Ask"}), false),
        ("rename_section", json!({"section": "Task", "title": "To do"}), false),
        ("delete_section", json!({"section": "### Taks"}), false),
        ("patch_memory", json!({"patch": "*** Begin Patch\n@@ section: Takss\n+- x\n*** End Patch"}), false),
    ];
    for (tool, arguments, is_offered) in calls {
        let mut toolbox = toolbox(PLANS);
        let reply = toolbox.call(tool, &arguments);
        checks::check_reply(&reply);
        assert_eq!(reply.code(), Some(Code::NotFound), "{arguments} {reply}");
        let Some(retry) = reply.get("retry") else {
            assert!(!is_offered, "{arguments} {reply}");
            continue;
        };
        assert!(is_offered, "{arguments} {reply}");
        let reply = toolbox.call(retry["tool"].as_str().unwrap(), &retry["arguments"]);
        assert_eq!(reply.status(), Status::Committed, "{arguments} {retry} {reply}");
    }
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
