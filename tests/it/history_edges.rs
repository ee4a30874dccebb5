//! The past at its edges: what is just in or just out of a time, what is gone and was made anew, what does not fit.

use std::sync::Arc;

use memdoc::memory::journal::{Entry, Seq};
use memdoc::memory::{HistoryQuery, Moment, PlannedWrite, RequestId, Undo, Verdict};
use memdoc::{
    Basis, Code, DocName, InMemoryStore, Memory, MemoryDoc, MemoryError, Operation, Origin, Policy, Replace, Store,
    Timestamp,
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
        true => Verdict::Quarantine("somebody has to look at it".into()),
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

fn names<const N: usize>(names: [&str; N]) -> [DocName; N] {
    names.map(|name| name.parse().unwrap())
}

/// Returns the last entry.
fn last(memory: &Memory) -> Seq {
    memory.head().unwrap().seq
}

#[test]
fn the_past_of_a_name_is_that_of_who_had_it_then() {
    let (memory, [a, b]) = (memory(""), names(["a", "b"]));
    memory.create(&a, "- A\n").unwrap();
    memory.create(&b, "- B\n").unwrap();
    let made = last(&memory);
    let revision = memory.read(&b).unwrap().revision().short().parse().unwrap();
    memory.delete(&b).unwrap();
    let deleted = last(&memory);
    memory.rename(&a, &b).unwrap();
    let renamed = last(&memory);
    let at = |name, seq| memory.text_at(name, &Moment::After(seq)).unwrap();
    assert_eq!(at(&b, made).as_deref(), Some("- B\n"));
    assert_eq!((at(&b, deleted), at(&b, renamed).as_deref()), (None, Some("- A\n")));
    assert_eq!((at(&a, deleted).as_deref(), at(&a, renamed)), (Some("- A\n"), None));
    assert_eq!(memory.text_at(&b, &Moment::At(revision)).unwrap().as_deref(), Some("- B\n"));
    let diff = memory.diff(&b, &Moment::After(made), None).unwrap();
    assert!(diff.contains("-- B\n+- A\n"), "{diff}");
    let past = MemoryDoc::parse("- B\n");
    let blamed = memory.blame_all(&b, &past, Some(made)).unwrap();
    assert_eq!(blamed[0].as_ref().map(Entry::seq), Some(made));
    let rows = memory.history(&HistoryQuery::new()).unwrap().entries;
    let row = |seq| rows.iter().find(|row| row.entry.seq() == seq).unwrap();
    assert_eq!(row(made).changes[0].added, ["- B"]);
    assert_eq!(row(deleted).changes[0].removed, ["- B"]);
    let error = memory.undo(Undo::Entry(deleted), &Origin::host("test")).unwrap_err();
    assert_eq!(error.code(), Code::Conflict, "{error}");
    memory.undo(Undo::Entry(renamed), &Origin::host("test")).unwrap();
    memory.undo(Undo::Entry(deleted), &Origin::host("test")).unwrap();
    assert_eq!(memory.read(&b).unwrap().text(), "- B\n");
}

#[test]
fn a_new_name_is_told_as_the_end_of_one_document_and_the_beginning_of_another() {
    let (memory, [zeta, eta]) = (memory(""), names(["zeta", "eta"]));
    memory.create(&zeta, "- z\n").unwrap();
    let made = last(&memory);
    memory.rename(&zeta, &eta).unwrap();
    let renamed = last(&memory);
    let diff =
        |name, from, to: Option<Seq>| memory.diff(name, &Moment::After(from), to.map(Moment::After).as_ref()).unwrap();
    assert!(diff(&zeta, made, None).contains("-- z") && diff(&eta, made, None).contains("+- z"));
    memory.undo(Undo::Entry(renamed), &Origin::host("test")).unwrap();
    let at = |name, seq| memory.text_at(name, &Moment::After(seq)).unwrap();
    assert_eq!((at(&zeta, renamed), at(&eta, renamed).as_deref()), (None, Some("- z\n")));
    for name in [&zeta, &eta] {
        assert_eq!(diff(name, made, None) + &diff(name, made, Some(last(&memory))), "");
    }
    assert!(diff(&zeta, renamed, None).contains("+- z") && diff(&eta, renamed, None).contains("-- z"));
}

#[test]
fn the_revision_of_a_document_is_found_under_the_name_that_it_had() {
    let (memory, [zeta, eta]) = (memory(""), names(["zeta", "eta"]));
    memory.create(&zeta, "- z\n").unwrap();
    let revision = Moment::At(memory.read(&zeta).unwrap().revision().short().parse().unwrap());
    memory.write(&zeta, "- y\n").unwrap();
    memory.rename(&zeta, &eta).unwrap();
    assert_eq!(memory.text_at(&zeta, &revision).unwrap().as_deref(), Some("- z\n"));
    assert_eq!(memory.text_at(&eta, &revision).unwrap_err().code(), Code::UnknownEntry);
}

#[test]
fn a_conflict_over_a_name_tells_the_entry_in_the_way() {
    let (memory, [a, b]) = (memory(""), names(["a", "b"]));
    let in_the_way = |undone: Seq, by: Seq, what: &str| {
        let error = memory.undo(Undo::Entry(undone), &Origin::host("test")).unwrap_err();
        assert_eq!((error.code(), error.to_string()), (Code::Conflict, format!("edit {by} has changed {what}")));
    };
    memory.create(&a, "- A\n").unwrap();
    memory.write(&a, "- A\n- more\n").unwrap();
    let edited = last(&memory);
    memory.create(&b, "- B\n").unwrap();
    memory.delete(&b).unwrap();
    let deleted = last(&memory);
    memory.rename(&a, &b).unwrap();
    let renamed = last(&memory);
    in_the_way(edited, renamed, "`a` since: `- A`, `- more`");
    in_the_way(deleted, renamed, "`b` since: `- A`, `- more`");
    memory.write(&b, "- A\n- more\n- yet more\n").unwrap();
    in_the_way(renamed, last(&memory), "`b` since: `- yet more`");
    memory.create(&a, "- new\n").unwrap();
    in_the_way(renamed, renamed.plus(1), "`b` since: `- yet more`");
}
