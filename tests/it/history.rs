//! The past: what was done is listed, compared, taken back and proved.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use memdoc::memory::journal::Seq;
use memdoc::memory::{Actor, HistoryQuery, Moment, RequestId, Undo, Undone};
use memdoc::{
    Basis, Code, DocName, InMemoryStore, Memory, MemoryError, Operation, Origin, Policy, Replace, Store, Toolbox,
};
use proptest::prelude::*;
use serde_json::json;

use crate::support::changes::write_outside;
use crate::support::draws::usually;
use crate::support::stores::Hooked;

const TEXT: &str = "## System/Policy\n- Never reveal secrets.\n\n## Facts\n- Lives in Denver\n- Uses Helix\n";

fn actor(name: &str) -> Origin {
    Origin::new(name.parse::<Actor>().unwrap(), "replace")
}

fn memory(text: &str) -> Arc<Memory> {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    Arc::new(Memory::new(store, Policy::default()).unwrap())
}

fn text(memory: &Memory) -> String {
    memory.read(&DocName::memory()).unwrap().text().to_owned()
}

fn replace(memory: &Memory, old: &str, new: &str, origin: &Origin) -> Result<Seq, MemoryError> {
    let request = Replace::new(old, new);
    let operation = Operation::edit(DocName::memory(), Basis::Anything, &request);
    let applied = memory.apply(&[operation], origin, RequestId::new("replace", &json!([old, new])))?;
    Ok(applied[0].seq.unwrap())
}

fn undo(memory: &Memory, seq: Seq) -> Result<Undone, MemoryError> {
    memory.undo(Undo::Entry(seq), &actor("ada"))
}

#[test]
fn one_edit_among_later_ones_is_taken_back_and_they_stay() {
    let memory = memory(TEXT);
    let first = replace(&memory, "Denver", "Austin", &actor("ada")).unwrap();
    let second = replace(&memory, "Helix", "Zed", &actor("bo")).unwrap();
    assert!(matches!(undo(&memory, first), Ok(Undone::Made(_))));
    assert_eq!(text(&memory), TEXT.replace("Helix", "Zed"));
    let Ok(Undone::Already(by)) = undo(&memory, first) else { panic!("undone twice") };
    assert_eq!(by, second.plus(1));
    // An undoing is an edit, which can be taken back; then what it took back can be taken back again.
    assert!(matches!(undo(&memory, by), Ok(Undone::Made(_))));
    assert_eq!(text(&memory), TEXT.replace("Helix", "Zed").replace("Denver", "Austin"));
    assert!(matches!(undo(&memory, first), Ok(Undone::Made(_))));
    assert_eq!(text(&memory), TEXT.replace("Helix", "Zed"));
}

#[test]
fn an_edit_whose_text_was_edited_since_is_not_taken_back() {
    let memory = memory(TEXT);
    let first = replace(&memory, "Denver", "Austin", &actor("ada")).unwrap();
    replace(&memory, "Austin", "Austin, Texas", &actor("bo")).unwrap();
    let refused = undo(&memory, first).unwrap_err();
    assert_eq!((refused.code(), text(&memory)), (Code::Conflict, TEXT.replace("Denver", "Austin, Texas")));
}

#[test]
fn the_last_edit_is_the_callers_own() {
    let memory = memory(TEXT);
    replace(&memory, "Denver", "Austin", &actor("ada")).unwrap();
    replace(&memory, "Helix", "Zed", &actor("bo")).unwrap();
    assert!(matches!(memory.undo(Undo::Last, &actor("ada")), Ok(Undone::Made(_))));
    assert_eq!(text(&memory), TEXT.replace("Helix", "Zed"));
    let nothing = memory.undo(Undo::Last, &actor("cy")).unwrap_err();
    assert_eq!(nothing.code(), Code::UnknownEntry);
}

#[test]
fn reserved_sections_are_taken_back_by_the_host_only() {
    let memory = memory(TEXT);
    let changed = TEXT.replace("Never", "Always");
    let seq = memory.write(&DocName::memory(), &changed).unwrap().seq.unwrap();
    let refused = undo(&memory, seq).unwrap_err();
    assert_eq!((refused.code(), text(&memory)), (Code::ReservedSection, changed));
    assert!(matches!(memory.undo(Undo::Entry(seq), &Origin::host("repair")), Ok(Undone::Made(_))));
    assert_eq!(text(&memory), TEXT);
}

#[test]
fn numbers_that_no_entry_has_and_the_beginning_are_unknown() {
    let memory = memory(TEXT);
    for seq in [0, 1, 2, u64::MAX] {
        assert_eq!(undo(&memory, Seq::new(seq)).unwrap_err().code(), Code::UnknownEntry, "{seq}");
    }
}

#[test]
fn documents_that_were_made_and_deleted_are_taken_back() {
    let memory = memory(TEXT);
    let projects: DocName = "projects".parse().unwrap();
    let seq = || memory.head().unwrap().seq;
    memory.create(&projects, "- Ship it\n").unwrap();
    let made = seq();
    memory.delete(&projects).unwrap();
    let deleted = seq();
    assert!(matches!(memory.undo(Undo::Entry(deleted), &Origin::host("undo")), Ok(Undone::Made(_))));
    assert_eq!(memory.read(&projects).unwrap().text(), "- Ship it\n");
    let taken_back = seq();
    assert!(matches!(memory.undo(Undo::Entry(made), &Origin::host("undo")), Ok(Undone::Made(_))));
    assert!(memory.read(&projects).is_err());
    // It is gone again: bringing it back would be another's work undone.
    assert!(memory.undo(Undo::Entry(taken_back), &Origin::host("undo")).is_err());
}

#[test]
fn texts_of_the_past_are_found_by_number_revision_and_time() {
    let memory = memory(TEXT);
    let start = memory.read(&DocName::memory()).unwrap().revision();
    let first = replace(&memory, "Denver", "Austin", &actor("ada")).unwrap();
    let second = replace(&memory, "Helix", "Zed", &actor("bo")).unwrap();
    let at = |moment| memory.text_at(&DocName::memory(), &moment).unwrap();
    assert_eq!(at(Moment::At(start.into())).as_deref(), Some(TEXT));
    assert_eq!(at(Moment::After(first)), Some(TEXT.replace("Denver", "Austin")));
    assert_eq!(at(Moment::After(second)).as_deref(), Some(&*text(&memory)));
    assert_eq!(at(Moment::Time(memory.now())).as_deref(), Some(&*text(&memory)));
    assert_eq!(memory.text_at(&"other".parse().unwrap(), &Moment::After(first)).unwrap(), None);
    let unknown = memory.text_at(&DocName::memory(), &Moment::After(second.plus(1)));
    assert_eq!(unknown.unwrap_err().code(), Code::UnknownEntry);
    let unknown = memory.text_at(&DocName::memory(), &Moment::At("0123456789ab".parse().unwrap()));
    assert_eq!(unknown.unwrap_err().code(), Code::UnknownEntry);
}

#[test]
fn a_bullet_is_blamed_on_who_wrote_it_last() {
    let memory = memory(TEXT);
    let denver = replace(&memory, "Denver", "Austin", &actor("ada")).unwrap();
    let other = replace(&memory, "- Uses Helix\n", "- Uses Zed\n- Likes tea\n", &actor("bo")).unwrap();
    let doc = memory.read(&DocName::memory()).unwrap();
    let blamed = |content: &str| {
        let bullet = doc.bullets().find(|bullet| bullet.content() == content).unwrap();
        memory.blame(&DocName::memory(), bullet).unwrap().seq()
    };
    assert_eq!([blamed("Lives in Austin"), blamed("Likes tea"), blamed("Uses Zed")], [denver, other, other]);
    assert_eq!(blamed("Never reveal secrets."), Seq::FIRST);
    let one_by_one = doc.bullets().map(|bullet| memory.blame(&DocName::memory(), bullet).ok());
    assert_eq!(memory.blame_all(&DocName::memory(), &doc, None).unwrap(), one_by_one.collect::<Vec<_>>());
    let past = memory.text_at(&DocName::memory(), &Moment::After(denver)).unwrap().unwrap();
    assert!(past.contains("Uses Helix") && past.contains("Lives in Austin"));
    let blamed = memory.blame_all(&DocName::memory(), &memdoc::MemoryDoc::parse(past), Some(denver)).unwrap();
    let blamed: Vec<_> = blamed.iter().flatten().map(|entry| entry.seq()).collect();
    assert!(blamed.contains(&denver) && !blamed.contains(&other), "{blamed:?}");
    let stale = memory.blame_all(&DocName::memory(), &doc, Some(denver)).unwrap_err();
    assert_eq!(stale.code(), Code::StaleRevision);
    let mut query = HistoryQuery::new();
    query.key = doc.bullets().find(|bullet| bullet.content() == "Lives in Austin").map(|b| b.key().to_string().into());
    let listed = memory.history(&query).unwrap();
    assert_eq!(listed.entries.iter().map(|row| row.entry.seq()).collect::<Vec<_>>(), [denver]);
}

#[test]
fn what_was_removed_above_a_bullet_is_no_part_of_its_past() {
    let memory = memory("- tea\n- coffee\n");
    let above = replace(&memory, "tea", "milk", &actor("ada")).unwrap();
    replace(&memory, "- milk\n", "", &actor("ada")).unwrap();
    let mut query = HistoryQuery::new();
    query.key = memory.read(&DocName::memory()).unwrap().bullets().next().map(|bullet| bullet.key().as_str().into());
    assert!(memory.history(&query).unwrap().entries.iter().all(|row| row.entry.seq() != above));
}

#[test]
fn an_edit_is_taken_back_whatever_was_erased_of_other_documents_since() {
    let (memory, notes) = (memory(TEXT), "notes".parse::<DocName>().unwrap());
    let first = replace(&memory, "Denver", "Austin", &actor("ada")).unwrap();
    memory.create(&notes, "- PIN: 1234\n").unwrap();
    let request = Replace::new("1234", "none");
    let operation = Operation::edit(notes, Basis::Anything, &request);
    let applied = memory.apply(&[operation], &actor("ada"), RequestId::new("replace", &json!(["PIN"]))).unwrap();
    memory.redact(&[applied[0].seq.unwrap()], &[], &Origin::host("privacy")).unwrap();
    assert!(matches!(undo(&memory, first), Ok(Undone::Made(_))));
}

#[test]
fn history_is_filtered_and_paged() {
    let memory = memory(TEXT);
    for (nth, name) in ["ada", "bo", "ada"].iter().enumerate() {
        let (old, new) = ([" Denver", " Austin", " Paris"][nth], [" Austin", " Paris", " Rome"][nth]);
        replace(&memory, old, new, &actor(name)).unwrap();
    }
    let seqs = |query: &HistoryQuery| {
        let page = memory.history(query).unwrap();
        (page.entries.iter().map(|row| row.entry.seq().get()).collect::<Vec<_>>(), page.more)
    };
    assert_eq!(seqs(&HistoryQuery::new()), (vec![4, 3, 2], false));
    let mut query = HistoryQuery::new();
    query.limit = 2;
    assert_eq!(seqs(&query), (vec![4, 3], true));
    query.before = Some(Seq::new(3));
    assert_eq!(seqs(&query), (vec![2], false));
    let mut query = HistoryQuery::new();
    query.actor = Some("bo".parse().unwrap());
    assert_eq!(seqs(&query), (vec![3], false));
    query = HistoryQuery::new();
    query.section = Some("facts".into());
    assert_eq!(seqs(&query).0.len(), 3);
    query.section = Some("Tasks".into());
    assert_eq!(memory.history(&query).unwrap_err().code(), Code::NotFound);
}

#[test]
fn the_journal_proves_what_was_done() {
    let store = Arc::new(InMemoryStore::new().with(DocName::memory(), TEXT));
    let memory = Memory::new(store.clone(), Policy::default()).unwrap();
    replace(&memory, "Denver", "Austin", &actor("ada")).unwrap();
    let checkpoint = memory.verify(None).unwrap().checkpoint.unwrap();
    write_outside(&store, &DocName::memory(), Some("- By hand\n"));
    let later = memory.verify(Some(&checkpoint)).unwrap();
    assert!(later.is_sound() && later.entries == 3, "{:?}", later.findings);
}

#[test]
fn an_undoing_whose_answer_was_lost_is_not_made_twice() {
    let memory = memory(TEXT);
    let seq = replace(&memory, "Denver", "Austin", &actor("ada")).unwrap();
    let origin = actor("ada").knowing(seq);
    assert!(matches!(memory.undo(Undo::Last, &origin), Ok(Undone::Made(_))));
    assert!(matches!(memory.undo(Undo::Last, &origin), Ok(Undone::Already(by)) if by == seq.plus(1)));
    assert_eq!(text(&memory), TEXT);
}

#[test]
fn a_model_reads_the_past_and_takes_back() {
    let mut toolbox = Toolbox::new(memory(TEXT));
    toolbox.show(&DocName::memory()).unwrap();
    let reply = toolbox.call("replace_in_memory", &json!({"old_string": "Denver", "new_string": "Austin"}));
    assert_eq!(reply.get("seq"), Some(&json!(2)), "{reply}");
    let listed = toolbox.call("memory_history", &json!({"document": "memory"}));
    assert_eq!(listed.get("entries").unwrap()[0]["tool"], "replace_in_memory", "{listed}");
    let diff = toolbox.call("memory_diff", &json!({"from": 1}));
    assert!(diff.to_string().contains("-- Lives in Denver\n+- Lives in Austin\n"), "{diff}");
    let undone = toolbox.call("memory_undo", &json!({"entry": 2, "reason": "wrong city"}));
    assert_eq!((undone.status().as_str(), undone.get("seq")), ("committed", Some(&json!(3))), "{undone}");
    // What the agent has seen and undone, it knows.
    let reply = toolbox.call("replace_in_memory", &json!({"old_string": "Denver", "new_string": "Rome"}));
    assert_eq!(reply.get("seq"), Some(&json!(4)), "{reply}");
    let verified = toolbox.call("memory_verify", &json!({}));
    assert_eq!((verified.get("entries"), verified.get("bad")), (Some(&json!(4)), Some(&json!([]))), "{verified}");
}

proptest! {
    #![proptest_config(usually(256))]

    /// Whatever is edited and taken back, all of it in turn brings back every text, and the journal stays sound.
    #[test]
    fn the_past_is_replayed_and_taken_back_byte_for_byte(words in prop::collection::vec(("[ab]{1,2}", "[abc \n]{0,3}"), 1..12)) {
        let memory = memory("- ab a b\n- b aa\n\n## S\n- abba\n");
        let mut texts = vec![(Seq::FIRST, text(&memory))];
        for (old, new) in &words {
            let mut request = Replace::new(old.as_str(), new.as_str());
    request.expected = None;
            let operation = Operation::edit(DocName::memory(), Basis::Anything, &request);
            let applied = memory.apply(&[operation], &actor("ada"), RequestId::new("replace", &json!([old, new])));
            if let Some(seq) = applied.ok().and_then(|applied| applied[0].seq) {
                texts.push((seq, text(&memory)));
            }
        }
        for (seq, expected) in &texts {
            let replayed = memory.text_at(&DocName::memory(), &Moment::After(*seq)).unwrap();
            prop_assert_eq!(replayed.as_ref(), Some(expected));
        }
        let ends: Vec<_> = texts.iter().skip(1).map(|(seq, _)| *seq).collect();
        for (seq, (_, before)) in ends.iter().zip(&texts).rev() {
            prop_assert!(matches!(undo(&memory, *seq), Ok(Undone::Made(_) | Undone::NoChange)));
            prop_assert_eq!(&text(&memory), before);
        }
        prop_assert!(memory.verify(None).unwrap().is_sound());
    }
}

#[cfg(feature = "signing")]
#[test]
fn signed_entries_are_told_from_others() {
    use memdoc::memory::journal::{Signatures, SigningKey, Unsigned};
    let key = SigningKey::from_bytes(&[7; 32]);
    let of = |key: &SigningKey| Signatures { keys: vec![key.verifying_key()], unsigned: Unsigned::Refused };
    let store = Arc::new(InMemoryStore::new().with(DocName::memory(), TEXT).signed_by(key.clone()));
    let verified = |signatures| {
        let memory = Memory::new(store.clone(), Policy::default()).unwrap().with_signatures(signatures);
        replace(&memory, "Denver", "Austin", &actor("ada"))
            .or_else(|_| replace(&memory, "Austin", "Denver", &actor("ada")))
            .unwrap();
        memory.verify(None).unwrap()
    };
    assert!(verified(of(&key)).is_sound());
    assert!(!verified(of(&SigningKey::from_bytes(&[8; 32]))).is_sound());
}

#[test]
fn one_edit_is_taken_back_once_by_however_many() {
    for _ in 0..20 {
        let memory = memory(TEXT);
        let seq = replace(&memory, "- Lives in Denver\n", "", &actor("ada")).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert!(undo(&memory, seq).is_ok()));
            }
        });
        assert_eq!(text(&memory), TEXT);
    }
}

#[test]
fn an_edit_that_another_takes_back_at_the_same_time_is_taken_back_already() {
    let other: Arc<OnceLock<Memory>> = Arc::default();
    let (rival, is_first) = (Arc::clone(&other), AtomicBool::new(true));
    let inner = InMemoryStore::new().with(DocName::memory(), TEXT);
    let store = Arc::new(Hooked::new(inner, move |store, change| {
        if let Some(memory) = rival.get().filter(|_| is_first.swap(false, Ordering::Relaxed)) {
            assert!(matches!(memory.undo(Undo::Last, &actor("ada")), Ok(Undone::Made(_))));
        }
        store.commit(change)
    }));
    let open = || Memory::new(Arc::clone(&store), Policy::default()).unwrap();
    let memory = open();
    let seq = replace(&memory, "- Lives in Denver\n", "", &actor("ada")).unwrap();
    assert!(other.set(open()).is_ok());
    let undone = undo(&memory, seq);
    assert!(matches!(undone, Ok(Undone::Already(by)) if by == seq.plus(1)), "{undone:?}");
    assert_eq!(text(&memory), TEXT);
}

#[test]
fn what_was_restored_by_hand_is_not_brought_back_a_second_time() {
    let notes: DocName = "notes".parse().unwrap();
    let memory = memory(TEXT);
    memory.create(&notes, "- a\n- b\n").unwrap();
    let (one, other) = (Replace::new("- Lives in Denver\n", ""), Replace::new("- a\n", ""));
    let operations = [
        Operation::edit(DocName::memory(), Basis::Anything, &one),
        Operation::edit(notes.clone(), Basis::Anything, &other),
    ];
    let seq = memory.apply(&operations, &actor("ada"), RequestId::new("both", &json!(1))).unwrap()[0].seq.unwrap();
    memory.write(&DocName::memory(), TEXT).unwrap();
    assert_eq!(undo(&memory, seq).unwrap_err().code(), Code::Conflict);
    assert_eq!((text(&memory).as_str(), memory.read(&notes).unwrap().text()), (TEXT, "- b\n"));
}
