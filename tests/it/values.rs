//! Values go through serde as people write them, and closures stand for the traits of one method.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memdoc::{
    Authority, DocName, InMemoryStore, Memory, MemoryDoc, Policy, Replace, Request as _, Revision, Timestamp, Toolbox,
    View, document::Rules, memory::Compactor, memory::CompactorError, request::CompactionRequest, text::Content,
    text::RevisionPrefix, toolbox::Event,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{json, to_value};

fn is_the_same_again<T: Serialize + DeserializeOwned + PartialEq>(value: &T) -> bool {
    serde_json::from_value(to_value(value).unwrap()).is_ok_and(|read: T| read == *value)
}

#[test]
fn names_revisions_and_instants_are_read_back_from_serde() {
    let revision = Revision::of("- a\n");
    assert_eq!(to_value(revision).unwrap(), revision.to_string());
    assert!(is_the_same_again(&revision) && is_the_same_again(&RevisionPrefix::from(revision)));
    assert!(is_the_same_again(&DocName::memory()) && is_the_same_again(&Content::from("a")));
    let instant: Timestamp = "2026-11-21".parse().unwrap();
    assert_eq!(to_value(instant).unwrap(), "2026-11-21T00:00:00Z");
    assert!(is_the_same_again(&instant));
    assert!(serde_json::from_value::<DocName>(json!("../etc")).is_err());
}

#[test]
fn edits_and_receipts_are_written_by_serde() {
    let doc = MemoryDoc::parse("- a\n");
    let edit = Replace::new("a", "b").plan(&View::current(&doc, Timestamp::default())).unwrap();
    let written = to_value(&edit).unwrap();
    assert_eq!(written["base"], doc.revision().to_string());
    assert_eq!(written["splices"][0]["text"], "b");
    let receipt = to_value(doc.commit(&edit, Authority::Agent).unwrap().receipt).unwrap();
    assert_eq!(receipt["bullets"]["changed"], 1);
}

#[test]
fn closures_count_compact_and_observe() {
    let counter = |text: &str| text.len();
    let compactor = |request: &CompactionRequest| -> Result<String, CompactorError> { Ok(request.text.to_string()) };
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let observer = move |_: &Event<'_>| {
        counted.fetch_add(1, Ordering::Relaxed);
    };

    let doc = MemoryDoc::with_rules("- abc\n", Arc::new(Rules::default().with_counter(counter)));
    assert_eq!(doc.tokens(), 6);
    assert_eq!(compactor.compact(&CompactionRequest::new("- a\n", "shorten")).unwrap(), "- a\n");
    let memory = Memory::new(InMemoryStore::new(), Policy::default()).unwrap().with_compactor(compactor);
    Toolbox::new(memory).with_observer(observer).call_str("validate_memory", "{}");
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

#[test]
fn a_compaction_request_of_a_text_alone_has_a_prompt() {
    let prompt = CompactionRequest::new("- a\n", "keep what is true").prompt();
    assert!(prompt.contains("Asked for: keep what is true") && prompt.contains("<memory>\n- a\n</memory>"), "{prompt}");
}
