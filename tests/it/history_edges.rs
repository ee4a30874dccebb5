//! The past at its edges: what is just in or just out of a time, what is gone and was made anew, what does not fit.

use std::sync::Arc;

use memdoc::memory::journal::Seq;
use memdoc::memory::{HistoryQuery, Moment, PlannedWrite, RequestId, Undo, Verdict};
use memdoc::{
    Basis, Code, DocName, InMemoryStore, Memory, MemoryError, Operation, Origin, Policy, Replace, Store, Timestamp,
};
use serde_json::json;

use crate::support::stores::Hooked;

const SECRET: &str = "likes the quokka";

fn memory(text: &str) -> Memory {
    Memory::new(InMemoryStore::new().with(DocName::memory(), text), Policy::default()).unwrap()
}

fn replace(memory: &Memory, old: &str, new: &str) -> Result<Seq, MemoryError> {
    let request = Replace::new(old, new);
    let operation = Operation::edit(DocName::memory(), Basis::Anything, &request);
    let origin = Origin::new("ada".parse().unwrap(), "replace");
    Ok(memory.apply(&[operation], &origin, RequestId::new("replace", &json!([old, new])))?[0].seq.unwrap())
}

fn listed(memory: &Memory, query: &HistoryQuery) -> Vec<Seq> {
    memory.history(query).unwrap().entries.iter().map(|row| row.entry.seq()).collect()
}

#[test]
fn an_entry_of_the_first_or_the_last_moment_is_listed() {
    let noon: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
    let later: Timestamp = "2026-11-21T12:00:01Z".parse().unwrap();
    let memory = memory("- tea\n").with_clock(move || noon);
    let seq = replace(&memory, "tea", "coffee").unwrap();
    let mut query = HistoryQuery::new();
    (query.since, query.until) = (Some(noon), Some(noon));
    assert_eq!(listed(&memory, &query), [seq]);
    (query.since, query.until) = (Some(later), None);
    assert!(listed(&memory, &query).is_empty());
}

#[test]
fn what_goes_right_behind_a_bullet_did_not_write_it() {
    let memory = memory("- tea\n- coffee\n");
    let key = memory.read(&DocName::memory()).unwrap().bullets().next().unwrap().key();
    let mut query = HistoryQuery::new();
    query.key = Some(key.as_str().into());
    let gone = replace(&memory, "- coffee\n", "").unwrap();
    assert!(!listed(&memory, &query).contains(&gone));
}

#[test]
fn a_document_that_is_gone_differs_from_what_it_was() {
    let (memory, notes) = (memory("- tea\n"), "notes".parse::<DocName>().unwrap());
    memory.create(&notes, "- milk\n").unwrap();
    let made = listed(&memory, &HistoryQuery::new())[0];
    memory.delete(&notes).unwrap();
    assert!(memory.diff(&notes, &Moment::After(made), None).unwrap().contains("-- milk"));
}

#[test]
fn a_deletion_is_not_taken_back_over_what_was_made_anew() {
    let (memory, notes) = (memory("- tea\n"), "notes".parse::<DocName>().unwrap());
    memory.create(&notes, "- milk\n").unwrap();
    memory.delete(&notes).unwrap();
    let deleted = listed(&memory, &HistoryQuery::new())[0];
    memory.create(&notes, "- bread\n").unwrap();
    let error = memory.undo(Undo::Entry(deleted), &Origin::host("test")).unwrap_err();
    assert_eq!(error.code(), Code::Conflict, "{error}");
    assert_eq!(memory.read(&notes).unwrap().text(), "- bread\n");
}

#[test]
fn a_memory_that_is_not_that_of_an_anchor_is_not_sound() {
    let checkpoint = memory("- another\n").verify(None).unwrap().checkpoint.unwrap();
    let memory = memory("- tea\n");
    assert!(memory.verify(None).unwrap().is_sound());
    assert!(!memory.verify(Some(&checkpoint)).unwrap().is_sound());
}

#[test]
fn a_document_that_is_not_what_its_last_entry_made_is_told() {
    // The entry is written, and the document is not.
    let store = Hooked::new(InMemoryStore::new().with(DocName::memory(), "- tea\n"), |store, change| {
        let mut undocumented = change.clone();
        undocumented.documents.clear();
        store.commit(&undocumented)
    });
    let memory = Memory::new(store, Policy::default()).unwrap();
    replace(&memory, "tea", "coffee").unwrap();
    assert!(!memory.verify(None).unwrap().is_sound());
}

#[test]
fn an_edit_that_was_withheld_is_redacted_for_what_it_would_have_made() {
    let store = Arc::new(InMemoryStore::new().with(DocName::memory(), "- likes the kangaroo\n"));
    let judge = |write: &PlannedWrite<'_>| match write.added().any(|line| line.contains(SECRET)) {
        true => Verdict::quarantine("somebody has to look at it"),
        false => Verdict::Allow,
    };
    let memory = Memory::new(store.clone(), Policy::default()).unwrap().with_write_policy(judge);
    let error = replace(&memory, "kangaroo", "quokka").unwrap_err();
    let MemoryError::RefusedByPolicy { quarantined: Some(seq), .. } = error else { panic!("{error}") };
    assert!(memory.entry(seq).unwrap().body().is_some());
    memory.redact(&[], &[SECRET], &Origin::host("privacy")).unwrap();
    assert!(memory.entry(seq).unwrap().body().is_none());
    let mut all = String::new();
    store.scan(&mut |line| all.push_str(std::str::from_utf8(line).unwrap())).unwrap();
    assert!(!all.contains("quokka"));
}
