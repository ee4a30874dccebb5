//! Never the wrong fact: whatever is healed, what was sought and what was found are the same fact; nothing of what is written
//! is lost; and what is copied from the memory is found.

use memdoc::{DocName, InMemoryStore, Memory, Policy, Status, Toolbox};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::draws::usually;
use crate::support::facts::{Fact, Home};
use crate::support::healing_checks::{check_exact, check_insertion, check_slip, check_sloppy};
use crate::support::readings::names_content;
use crate::support::sloppy_calls::How;

/// How many calls each property makes.
const CALLS: u32 = 600;

/// Bytes that choose a memory and a call.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 40..160)
}

proptest! {
    #![proptest_config(usually(CALLS))]

    #[test]
    fn a_sloppy_call_never_hits_another_fact(data in bytes()) {
        check_sloppy(&data);
    }

    #[test]
    fn a_copied_text_is_found(data in bytes()) {
        check_exact(&data);
    }

    #[test]
    fn an_inserted_text_is_there_as_a_whole(data in bytes()) {
        check_insertion(&data);
    }

    #[test]
    fn a_slip_that_leaves_the_fact_alone_is_healed(data in bytes()) {
        check_slip(&data);
    }
}

/// Makes one call, and returns its status and the text afterwards.
fn called(text: &str, tool: &str, args: &Value) -> (Status, String) {
    let mut toolbox =
        Toolbox::new(Memory::new(InMemoryStore::new().with(DocName::memory(), text), Policy::default()).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    let reply = toolbox.call(tool, args);
    (reply.status(), toolbox.memory().read(&DocName::memory()).unwrap().text().to_owned())
}

/// Each call is refused, since no fact of the memory is the one it seeks.
fn refuses(text: &str, calls: &[(&str, Value)]) {
    let wrong = calls.iter().filter_map(|(tool, args)| {
        let (status, after) = called(text, tool, args);
        (status != Status::Error || after != text).then(|| format!("{tool} {args}\n{after}"))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "of\n{text}\n{}", wrong.join("\n"));
}

/// Each call makes `after` of the memory.
fn makes(text: &str, after: &str, calls: &[(&str, Value)]) {
    for (tool, args) in calls {
        assert_eq!(called(text, tool, args), (Status::Committed, after.to_owned()), "{tool} {args}");
    }
}

fn patch(lines: &str) -> (&'static str, Value) {
    ("patch_memory", json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{lines}*** End Patch\n")}))
}

fn delete(target: Value) -> (&'static str, Value) {
    ("edit_items", json!({"op": "delete", "target": target}))
}

#[test]
fn another_date_is_another_fact_for_every_tool() {
    let text = "Anna: (ID: anna)\n- 13. Juni: Umzug\n\n## Termine\n- Anna hat am 13. März Geburtstag\n";
    refuses(
        text,
        &[
            patch("@@\n-- 15. Juni: Umzug\n+- 16. Juni: Umzug\n"),
            patch("@@\n- 15. Juni: Umzug\n+ 16. Juni: Umzug\n"),
            patch("@@\n-- Juni: Umzug\n+- Juli: Umzug\n"),
            patch("@@\n- - 15. Juni: Umzug\n+ - 16. Juni: Umzug\n"),
            patch("@@ item: equals(\"15. Juni: Umzug\")\n+  - morgen\n"),
            ("replace_in_memory", json!({"old_string": "- 15. Juni: Umzug", "new_string": "- x"})),
            (
                "apply_sub_memory_ops",
                json!({"ops": [{"memory_id": "anna", "sub_memory": "15. Juni: Umzug", "intent": "delete"}]}),
            ),
            (
                "apply_sub_memory_ops",
                json!({"ops": [{"memory_id": "anna", "sub_memory": "Juni: Umzug", "intent": "delete"}]}),
            ),
            delete(json!({"equals": "15. Juni: Umzug"})),
            delete(json!({"equals": "Juni: Umzug"})),
            delete(json!({"starts_with": "Juni"})),
            delete(json!({"contains": "12. März"})),
            ("pin_items", json!({"targets": [{"contains": "12. März"}]})),
            ("set_ttl", json!({"targets": [{"contains": "15. Juni"}], "ttl": "7d"})),
            (
                "edit_items",
                json!({"op": "update", "target": {"block": "anna", "index": 1}, "expect": "15. Juni", "text": "x"}),
            ),
        ],
    );
}

#[test]
fn a_number_is_no_marker_of_another_item() {
    let text = "## Tasks\n1. Eier\n2. Mai\n3. 20. Mai\n";
    refuses(
        text,
        &[
            delete(json!({"equals": "9. Mai"})),
            delete(json!({"equals": "3. Mai"})),
            delete(json!({"starts_with": "1. Mai"})),
            patch("@@\n-9. Mai\n"),
            ("replace_in_memory", json!({"old_string": "9. Mai", "new_string": "x"})),
        ],
    );
    makes(
        text,
        "## Tasks\n1. Eier\n2. 20. Mai\n",
        &[delete(json!({"equals": "Mai"})), delete(json!({"equals": "2. Mai"}))],
    );
}

#[test]
fn a_marker_is_not_dropped_in_the_middle_of_a_fact() {
    refuses(
        "## F\n- Dinner with Bob\n- Likes tea a lot\n",
        &[
            delete(json!({"contains": "- Bob"})),
            delete(json!({"contains": "* Bob"})),
            delete(json!({"contains": "1. Bob"})),
            delete(json!({"contains": "2| Bob"})),
            delete(json!({"contains": "coffee|tea"})),
            ("pin_items", json!({"targets": [{"contains": "- Bob"}]})),
            ("replace_in_memory", json!({"old_string": "- Bob", "new_string": "- Rob"})),
            ("replace_in_memory", json!({"old_string": "coffee|tea", "new_string": "x"})),
            patch("@@ item: contains(\"- Bob\")\n+  - x\n"),
        ],
    );
}

#[test]
fn a_sign_before_an_amount_is_part_of_it() {
    refuses(
        "## F\n* 5 % Lohn\n* 3 °C\n* $5\n",
        &[
            delete(json!({"equals": "+ 5 % Lohn"})),
            delete(json!({"equals": "- 5 % Lohn"})),
            delete(json!({"contains": "- 3 °C"})),
            delete(json!({"starts_with": "- $5"})),
            patch("@@\n-- 3 °C\n+- 4 °C\n"),
            ("replace_in_memory", json!({"old_string": "+ 5 % Lohn", "new_string": "x"})),
        ],
    );
}

proptest! {
    #![proptest_config(usually(256))]

    /// A dash that is no marker may be the sign of an amount: it is never taken for a marker, nor a marker for it.
    #[test]
    fn a_dash_before_an_amount_is_no_marker_and_a_marker_is_none(
        (there, sought) in ("[-\u{2010}\u{2013}\u{2014}\u{2212}]", "[-\u{2010}\u{2013}\u{2014}\u{2212}]"),
        amount in "[~(\"]?[$\u{20AC}+\u{B1}\u{2212}]?[0-9]{1,2}( %| \u{B0}C outside)?\\)?",
        (indentation, prefix) in ("( {2})?", "(3\\| ?)?"),
    ) {
        let text = format!("## S\n- tea\n{indentation}{there} {amount}\n");
        let line = format!("{prefix}{indentation}{sought} {amount}");
        let replace = |old: &str| ("replace_in_memory", json!({"old_string": old, "new_string": "- x"}));
        for (tool, args) in [
            patch(&format!("@@\n-{line}\n")),
            patch(&format!("@@\n {line}\n+- x\n")),
            patch(&format!("@@ {line}\n+  - x\n")),
            replace(&line),
            replace(line.trim_start()),
            replace(&format!("- tea\n{line}")),
            replace(&format!("{line}\n")),
        ] {
            let (status, after) = called(&text, tool, &args);
            let is_alike = (there == "-") == (sought == "-");
            prop_assert!(is_alike || (status == Status::Error && after == text), "{tool} {args} on\n{text}");
        }
    }
}

#[test]
fn a_path_is_found_behind_a_marker() {
    let text = "User: (ID: m1)\n- Repo lives in C:\\tools\\new\n- b\n";
    makes(
        text,
        "User: (ID: m1)\n- b\n",
        &[
            patch("@@\n- Repo lives in C:\\tools\\new\n"),
            patch("@@\n-- Repo lives in C:\\tools\\new\n"),
            delete(json!({"equals": "- Repo lives in C:\\tools\\new"})),
            delete(json!({"starts_with": "2| - Repo lives in C:\\tools"})),
            (
                "apply_sub_memory_ops",
                json!({"ops": [{"memory_id": "m1", "sub_memory": "- Repo lives in C:\\tools\\new", "intent": "delete"}]}),
            ),
        ],
    );
}

#[test]
fn nothing_of_a_fact_is_dropped_when_it_is_written() {
    for fact in
        ["12. März: Umzug", "1. FC Köln", "14) Punkt", "+ 5 %", "$5", "2019. Moved", "12| y", "coffee|tea", "C:\\new"]
    {
        let insert = json!({"op": "insert", "target": {"section": "F"}, "text": fact});
        let update = json!({"op": "update", "target": {"equals": "a"}, "text": fact});
        assert_eq!(called("## F\n- a\n", "edit_items", &insert), (Status::Committed, format!("## F\n- a\n- {fact}\n")));
        assert_eq!(called("## F\n- a\n", "edit_items", &update), (Status::Committed, format!("## F\n- {fact}\n")));
        let hunk = patch(&format!("@@ section: F\n-- a\n+- {fact}\n"));
        assert_eq!(called("## F\n- a\n", hunk.0, &hunk.1), (Status::Committed, format!("## F\n- {fact}\n")));
        let op = json!({"ops": [{"memory_id": "m", "sub_memory": fact, "intent": "add"}]});
        let after = format!("M: (ID: m)\n- a\n- {fact}\n");
        assert_eq!(called("M: (ID: m)\n- a\n", "apply_sub_memory_ops", &op), (Status::Committed, after));
    }
    let colder = json!({"op": "insert", "target": {"section": "F"}, "text": "- 5 °C"});
    assert_eq!(called("## F\n* a\n", "edit_items", &colder), (Status::Error, "## F\n* a\n".to_owned()));
}

#[test]
fn what_nearly_stands_there_is_not_already_applied() {
    for (there, text) in [
        ("März: Umzug", "12. März: Umzug"),
        ("13. März: Umzug", "12. März: Umzug"),
        ("[ ] Call Ana", "[x] Call Ana"),
        ("[x] Call Ana", "[ ] Call Ana"),
        ("5 °C", "+ 5 °C"),
        ("tea", "coffee|tea"),
        ("[work] Call Ana", "Call Ana"),
        ("Call Ana", "[work] Call Ana"),
    ] {
        let before = format!("## F\n- {there}\n");
        let (status, after) =
            called(&before, "edit_items", &json!({"op": "insert", "target": {"section": "F"}, "text": text}));
        assert_ne!(status, Status::AlreadyApplied, "{there} is not {text}");
        assert!(status == Status::Error || after.ends_with(&format!("- {text}\n")), "{after}");
    }
}

#[test]
fn years_keep_their_numbers() {
    let text = "## Life\n2019. Moved\n2020. Married\n2021. Baby\n";
    makes(text, "## Life\n2020. Married\n2021. Baby\n", &[delete(json!({"equals": "Moved"}))]);
    makes(
        text,
        "## Life\n2019. Moved\n2020. Wed\n2021. Baby\n",
        &[("edit_items", json!({"op": "update", "target": {"equals": "Married"}, "text": "Wed"}))],
    );
}
/// Returns the one bullet of a list with this marker.
fn bullet(marker: &str, content: &str) -> Fact {
    Fact {
        line: 4,
        lines: 1,
        extent: 1,
        home: Home::Section("Facts"),
        index: Some(1),
        indentation: String::new(),
        marker: marker.to_owned(),
        is_counted: false,
        checkbox: "",
        tags: "",
        content: content.to_owned(),
        key: "abc123".to_owned(),
    }
}

/// The oracle itself is held against a few plain words, so that it cannot pass by taking everything for everything.
#[test]
fn the_oracle_tells_facts_apart() {
    let names = |text: &str, marker: &str, content: &str| names_content(text, How::Equals, &bullet(marker, content));
    for (text, marker, content) in [
        ("15. Juni", "-", "13. Juni"),
        ("Juni", "-", "13. Juni"),
        ("13. Juni", "-", "Juni"),
        ("12. Juni", "13.", "Juni"),
        ("- 13. Juni", "*", "13. Juni"),
        ("- 3 °C", "*", "3 °C"),
        ("- $3", "+", "$3"),
        ("- - 3 °C", "-", "3 °C"),
        ("+ - Bob", "-", "Bob"),
        ("4| Bob", "-", "Bob"),
        ("k7f3a2| Bob", "-", "Bob"),
        ("coffee|tea", "-", "tea"),
        ("bob", "-", "Bob"),
        ("Bob!", "-", "Bob"),
        ("not Bob", "-", "Bob"),
        ("C:new", "-", "C:\\new"),
        ("Apfel", "-", "Äpfel"),
    ] {
        assert!(!names(text, marker, content), "{text} is not {marker} {content}");
    }
    for (text, marker, content) in [
        ("13. Juni", "13.", "Juni"),
        ("Juni", "13.", "Juni"),
        ("- 13. Juni", "-", "13. Juni"),
        ("- 3 °C", "-", "3 °C"),
        ("* Bob", "-", "Bob"),
        ("- - Bob", "*", "Bob"),
        ("5| - Bob", "-", "Bob"),
        ("abc123| Bob", "-", "Bob"),
        ("“Bob” – 3…  ", "-", "\"Bob\" - 3..."),
        ("- C:\\new", "-", "C:\\new"),
        ("A\u{308}pfel", "-", "Äpfel"),
    ] {
        assert!(names(text, marker, content), "{text} is {marker} {content}");
    }
    assert!(!names_content("- Bob", How::Contains, &bullet("-", "Dinner with Bob")));
    assert!(names_content("with Bob", How::Contains, &bullet("-", "Dinner with Bob")));
}
