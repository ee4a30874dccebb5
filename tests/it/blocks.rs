//! Core blocks: each change of their text is a version that can be read again.

use std::sync::Arc;

use memdoc::memory::journal::{EntryKind, Seq};
use memdoc::memory::{Actor, AppliedStatus, Block, CORE_BLOCKS, RequestId, Undo, Updated};
use memdoc::{Basis, Code, DocName, InMemoryStore, Memory, MemoryError, Operation, Origin, Policy, Replace, Toolbox};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::changes::write_outside;
use crate::support::draws::usually;

fn origin() -> Origin {
    Origin::new("ada".parse::<Actor>().unwrap(), "block_update")
}

fn memory() -> (Arc<InMemoryStore>, Memory) {
    let store = Arc::new(InMemoryStore::new());
    (store.clone(), Memory::new(store, Policy::default()).unwrap())
}

fn update(memory: &Memory, label: &str, content: &str) -> Result<Updated, MemoryError> {
    memory.update_block(label, content, None, &origin())
}

fn text(memory: &Memory, label: &str, version: Option<u64>) -> Option<String> {
    memory.block(label, version).unwrap().text.map(|text| text.to_string())
}

fn replace(memory: &Memory, old: &str, new: &str) -> Seq {
    let request = Replace::new(old, new);
    let operation = Operation::edit(DocName::core(), Basis::Anything, &request);
    let request = RequestId::new("replace", &json!([old, new]));
    memory.apply(&[operation], &origin(), request).unwrap()[0].seq.unwrap()
}

#[test]
fn a_reply_says_that_a_block_has_no_text() {
    let mut toolbox = Toolbox::new(memory().1);
    let reply = toolbox.call_str("block_get", r#"{"label": "goals"}"#).to_json();
    assert_eq!((&reply["text"], reply.get("text").is_some()), (&Value::Null, true));
}

#[test]
fn an_update_is_told_in_words_with_its_version() {
    let mut toolbox = Toolbox::new(memory().1);
    for (arguments, told) in [
        (r#"{"label": "goals", "content": "Ship it"}"#, ", version 1)"),
        (r#"{"label": "goals", "content": "Ship it soon", "is_core": false}"#, ", version 2)"),
    ] {
        let reply = toolbox.call_str("block_update", arguments).to_string();
        assert!(reply.contains(told), "{reply}");
    }
}

#[test]
fn an_update_is_a_version_that_is_linked_to_the_one_before() {
    let (_, memory) = memory();
    let first = update(&memory, "persona", "I am Kite.").unwrap();
    update(&memory, "goals", "# Goals\n- Ship it").unwrap();
    let second = update(&memory, " persona ", "I am Kite, a calm guide.").unwrap();
    assert_eq!([first.version, second.version], [1, 2]);
    let entry = memory.entry(second.applied.seq.unwrap()).unwrap();
    assert_eq!((&entry.header().kind, entry.header().replaces), (&EntryKind::Block, first.applied.seq));
    assert_eq!(text(&memory, "persona", None).as_deref(), Some("I am Kite, a calm guide."));
    assert_eq!(text(&memory, "persona", Some(1)).as_deref(), Some("I am Kite."));
    assert_eq!(text(&memory, "goals", Some(1)).as_deref(), Some("# Goals\n- Ship it"));
    assert_eq!(memory.block("persona", Some(2)).unwrap(), memory.block("persona", None).unwrap());
    let core = memory.read(&DocName::core()).unwrap();
    assert_eq!(core.text(), "## persona\nI am Kite, a calm guide.\n\n## goals\n```note\n# Goals\n- Ship it\n```\n");
}

#[test]
fn a_block_that_was_never_set_has_no_text_and_an_empty_one_has_an_empty_text() {
    let (_, memory) = memory();
    for label in CORE_BLOCKS {
        let Block { version, text, is_core, .. } = memory.block(label, None).unwrap();
        assert_eq!((version, text, is_core), (0, None, true));
    }
    assert_eq!(update(&memory, "goals", "").unwrap().version, 1);
    assert_eq!(text(&memory, "goals", None).as_deref(), Some(""));
    assert_eq!(text(&memory, "goals", Some(1)).as_deref(), Some(""));
}

#[test]
fn labels_and_versions_that_there_are_not_are_refused() {
    let (_, memory) = memory();
    update(&memory, "goals", "a").unwrap();
    for label in ["", "Goals", "style", "goals\n## persona"] {
        assert_eq!(update(&memory, label, "x").unwrap_err().code(), Code::InvalidArguments, "{label:?}");
        assert_eq!(memory.block(label, None).unwrap_err().code(), Code::InvalidArguments, "{label:?}");
    }
    for version in [0, 2, u64::MAX] {
        assert_eq!(memory.block("goals", Some(version)).unwrap_err().code(), Code::UnknownEntry);
        assert_eq!(memory.block("persona", Some(version)).unwrap_err().code(), Code::UnknownEntry);
    }
    let memory = memory.with_blocks(["style", "goals"]);
    assert_eq!(update(&memory, "style", "terse").unwrap().version, 1);
    assert!(!memory.block("style", None).unwrap().is_core);
    assert_eq!(memory.block_labels().len(), 5);
}

#[test]
fn the_same_text_is_no_change_but_where_it_stands_may_be() {
    let (_, memory) = memory();
    update(&memory, "goals", "a").unwrap();
    let head = memory.head().unwrap();
    let same = update(&memory, "goals", "a").unwrap();
    assert_eq!((same.applied.status, same.version, memory.head().unwrap()), (AppliedStatus::NoChange, 1, head));
    let moved = memory.update_block("goals", "a", Some(false), &origin()).unwrap();
    assert_eq!((moved.version, moved.applied.seq), (2, Some(head.seq.plus(1))));
    assert!(!memory.block("goals", None).unwrap().is_core && memory.block("goals", Some(1)).unwrap().is_core);
    // It stays where it was put.
    assert_eq!(update(&memory, "goals", "b").unwrap().version, 3);
    assert!(!memory.block("goals", None).unwrap().is_core);
    assert!(memory.verify(None).unwrap().is_sound());
}

#[test]
fn an_edit_by_another_tool_or_by_hand_makes_no_version() {
    let (store, memory) = memory();
    update(&memory, "goals", "- a").unwrap();
    update(&memory, "persona", "Kite").unwrap();
    let edit = replace(&memory, "- a", "- b");
    memory.undo(Undo::Entry(edit), &origin()).unwrap();
    write_outside(&store, &DocName::core(), Some("## goals\n- c\n\n## persona\nHawk\n"));
    for (label, now, made) in [("goals", "- c", "- a"), ("persona", "Hawk", "Kite")] {
        assert_eq!(memory.block(label, None).unwrap().version, 1);
        assert_eq!(text(&memory, label, None).as_deref(), Some(now));
        assert_eq!(text(&memory, label, Some(1)).as_deref(), Some(made));
    }
    assert_eq!(update(&memory, "goals", "- d").unwrap().version, 2);
    memory.write(&DocName::core(), "").unwrap();
    assert_eq!((memory.block("goals", None).unwrap().version, text(&memory, "goals", None)), (2, None));
    assert_eq!(text(&memory, "goals", Some(2)).as_deref(), Some("- d"));
    assert_eq!(update(&memory, "goals", "- e").unwrap().version, 3);
}

#[test]
fn a_block_that_stood_there_at_the_beginning_has_no_version_before_its_first_update() {
    let store = InMemoryStore::new().with(DocName::core(), "## persona\nKite\n");
    let memory = Memory::new(store, Policy::default()).unwrap();
    assert_eq!(memory.block("persona", None).unwrap().version, 0);
    assert_eq!(text(&memory, "persona", None).as_deref(), Some("Kite"));
    assert_eq!(update(&memory, "persona", "Hawk").unwrap().version, 1);
}

#[test]
fn a_retry_tells_the_version_that_it_made() {
    let (_, memory) = memory();
    update(&memory, "goals", "a").unwrap();
    let knowing = origin().knowing(memory.head().unwrap().seq);
    let write = || memory.update_block("goals", "b", None, &knowing).unwrap();
    let made = write();
    update(&memory, "goals", "c").unwrap();
    let again = write();
    assert_eq!((again.applied.status, again.version), (AppliedStatus::AlreadyApplied, 2));
    assert_eq!((again.applied.seq, text(&memory, "goals", None).as_deref()), (made.applied.seq, Some("c")));
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn versions_are_the_texts_that_a_block_was_updated_to(steps in vec((0..3_usize, 0..2_usize, "[a-c]"), 1..12)) {
        let (store, memory) = memory();
        let labels = ["goals", "persona"];
        let (mut texts, mut versions): ([Option<String>; 2], [Vec<String>; 2]) = Default::default();
        for (way, which, content) in steps {
            let label = labels[which];
            let now = texts[which].clone();
            let doc = memory.read(&DocName::core()).unwrap().text().to_owned();
            let edited = now.as_ref().map(|old| {
                let [old, new] = [old, &content].map(|text| format!("## {label}\n{text}\n"));
                doc.replace(&old, &new)
            });
            match (way, edited) {
                (1, Some(edited)) => write_outside(&store, &DocName::core(), Some(&edited)),
                (2, Some(edited)) => drop(memory.write(&DocName::core(), &edited).unwrap()),
                _ => {
                    drop(update(&memory, label, &content).unwrap());
                    if now.as_ref() != Some(&content) {
                        versions[which].push(content.clone());
                    }
                }
            }
            texts[which] = Some(content);
        }
        for (which, label) in labels.into_iter().enumerate() {
            for (version, expected) in (1_u64..).zip(&versions[which]) {
                prop_assert_eq!(text(&memory, label, Some(version)).unwrap(), expected.as_str());
            }
            let standing = versions[which].iter().rposition(|text| Some(text) == texts[which].as_ref());
            let last = u64::try_from(standing.map_or(versions[which].len(), |at| at + 1)).unwrap();
            prop_assert_eq!(memory.block(label, None).unwrap().version, last);
            prop_assert_eq!(&text(&memory, label, None), &texts[which]);
        }
    }
}
