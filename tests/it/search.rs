//! What is found in documents: where it stands, ready for an edit.

use std::sync::Arc;

use memdoc::memory::{Actor, NoteMode};
use memdoc::recall::{Recall, SearchHit, SearchQuery};
use memdoc::{Code, DocName, InMemoryStore, Memory, Origin, Policy, Status, Timestamp, Toolbox};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::strategies;

const MEMORY: &str = "\u{FEFF}---
user: Ada Lovelace
---
Preamble about boats.

# Projects
Two of them, with boats and
more about the harbor.
## Alpha
- [work, pinned] Launch in May
  with a second line about fireworks
  - invite the mayor
- [expires: 2026-01-01] Rent the tent
## Beta
Crew: (ID: c1)
- Zoe
```
- fenced harbor
```
";

fn open(text: &str) -> Recall {
    let now: Timestamp = "2026-11-21T09:00:00Z".parse().unwrap();
    let store = InMemoryStore::new().with(DocName::memory(), text);
    Recall::new(Memory::new(store, Policy::default()).unwrap().with_clock(move || now))
}

fn search(recall: &Recall, text: &str) -> Vec<SearchHit> {
    recall.search(&SearchQuery::new(text)).unwrap()
}

/// Returns section, whether there is a key, line and excerpt of the only result.
fn only(recall: &Recall, text: &str) -> (Option<String>, bool, usize, String) {
    let found = search(recall, text);
    assert_eq!(found.len(), 1, "{found:#?}");
    let SearchHit { section, key, line, excerpt, .. } = &found[0];
    (section.as_ref().map(|section| section.to_string()), key.is_some(), *line, excerpt.to_string())
}

#[test]
fn bullets_headings_and_prose_are_found_where_they_stand() {
    let recall = open(MEMORY);
    let at = |text: &str| only(&recall, text);
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(at("lovelace"), (None, false, 2, "user: Ada Lovelace".into()));
    assert_eq!(at("preamble"), (None, false, 4, "Preamble about boats.".into()));
    assert_eq!(at("projects"), (some("Projects"), false, 6, "# Projects".into()));
    assert_eq!(at("them"), (some("Projects"), false, 7, "Two of them, with boats and".into()));
    assert_eq!(at("launch"), (some("Alpha"), true, 10, "Launch in May".into()));
    assert_eq!(at("fireworks"), (some("Alpha"), true, 10, "with a second line about fireworks".into()));
    assert_eq!(at("mayor"), (some("Alpha"), true, 12, "invite the mayor".into()));
    assert_eq!(at("crew"), (some("Beta"), false, 15, "Crew: (ID: c1)".into()));
    assert_eq!(at("fenced"), (some("Beta"), false, 18, "- fenced harbor".into()));
    assert_eq!(at("work").2, 10, "a tag is a word of its bullet");
    assert!(search(&recall, "lau").is_empty(), "a part of a word is none");
    assert!(search(&recall, "tent")[0].is_expired && !search(&recall, "mayor")[0].is_expired);
}

#[test]
fn the_line_of_a_paragraph_is_the_one_with_most_of_the_words() {
    let found = search(&open(MEMORY), "more of the harbor");
    assert_eq!((found[0].line, found[0].excerpt.as_str()), (8, "more about the harbor."));
}

#[test]
fn scopes_are_documents_and_activity_is_searched_only_by_name() {
    let recall = open("- tea\n");
    let origin = Origin::new(Actor::default(), "chat");
    recall.memory().write_note("tea", "green", NoteMode::Replace, &origin).unwrap();
    let of = |document: Option<DocName>| {
        let mut query = SearchQuery::new("tea wrote");
        query.document = document;
        recall.search(&query).map(|found| found.into_iter().map(|found| found.document.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(of(None).unwrap(), ["memory", "notes"]);
    assert_eq!(of(Some(DocName::notes())).unwrap(), ["notes"]);
    assert_eq!(of(Some(DocName::activity())).unwrap(), ["activity"]);
    assert!(of(Some(DocName::core())).unwrap().is_empty(), "what is not written yet is empty");
    assert_eq!(of(Some("none".parse().unwrap())).unwrap_err().code(), Code::UnknownDocument);
}

#[test]
fn a_note_is_one_result_whatever_it_holds() {
    let recall = open("");
    let origin = Origin::new(Actor::default(), "chat");
    recall.memory().write_note("plan", "# Big\n- tea\n## Small\ntea", NoteMode::Replace, &origin).unwrap();
    let found = search(&recall, "tea");
    assert_eq!((found.len(), found[0].key.as_deref(), found[0].section.as_deref()), (1, Some("plan"), Some("plan")));
    assert_eq!(search(&recall, "plan").len(), 1, "its key is a word of it");
}

#[test]
fn a_document_that_was_changed_is_read_again() {
    let recall = open("- tea\n");
    assert_eq!(search(&recall, "tea").len(), 1);
    recall.memory().write(&DocName::memory(), "- coffee\n\n- tea\n").unwrap();
    assert_eq!((search(&recall, "tea")[0].line, search(&recall, "coffee").len()), (3, 1));
    recall.memory().write(&DocName::memory(), "").unwrap();
    assert!(search(&recall, "tea").is_empty());
}

#[test]
fn pinned_and_dated_bullets_come_before_equal_ones() {
    let recall = open("- tea a\n- [since: 2026-11-01] tea b\n- [pinned] tea c\n- tea d\n");
    let lines: Vec<_> = search(&recall, "tea").into_iter().map(|found| found.line).collect();
    // A tag is a word of its bullet, which makes it longer.
    assert_eq!((lines[0], lines.len()), (3, 4));
    assert!(lines.iter().position(|line| *line == 1) < lines.iter().position(|line| *line == 4));
}

fn call(toolbox: &mut Toolbox, tool: &str, arguments: Value) -> memdoc::Reply {
    toolbox.call(tool, &arguments)
}

#[test]
fn a_key_goes_straight_into_an_edit() {
    let store = InMemoryStore::new().with(DocName::memory(), MEMORY);
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    let reply = call(&mut toolbox, "search_memory", json!({"query": "who is the mayor"}));
    let result = reply.get("results").unwrap()[0].clone();
    let edit = json!({"op": "update", "target": {"key": result["key"]}, "text": "invite the queen"});
    let edited = call(&mut toolbox, "edit_items", json!({"edits": [edit], "document": result["document"]}));
    assert_eq!(edited.status(), Status::Committed, "{edited}");
}

#[test]
fn a_search_does_not_hide_what_others_have_changed() {
    let store = InMemoryStore::new().with(DocName::memory(), "- tea\n- cake\n");
    let memory = Arc::new(Memory::new(store, Policy::default()).unwrap());
    let mut toolbox = Toolbox::new(memory.clone());
    call(&mut toolbox, "memory_read", json!({}));
    memory.write(&DocName::memory(), "- tea\n- no cake\n").unwrap();
    call(&mut toolbox, "search_memory", json!({"query": "tea"}));
    let reply = call(&mut toolbox, "replace_in_memory", json!({"old_string": "cake", "new_string": "pie"}));
    assert_eq!(reply.code(), Some(Code::StaleRevision));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn every_result_names_its_place_in_any_document(text in strategies::document(), words in vec("[a-zA-Z0-9]{1,6}", 1..5)) {
        let recall = open(&text);
        let doc = recall.memory().read(&DocName::memory()).unwrap();
        let lines: Vec<_> = text.split('\n').collect();
        let own: String = words.join(" ") + " " + &text.chars().take(200).collect::<String>();
        for found in search(&recall, &own) {
            prop_assert!((1..=lines.len()).contains(&found.line));
            if let Some(key) = &found.key {
                let bullets = doc.bullets_by_key(key);
                prop_assert!(bullets.len() == 1 && bullets[0].line_number() == found.line);
            }
            prop_assert!(!found.excerpt.contains('\n') && found.score > 0.0);
        }
    }
}
