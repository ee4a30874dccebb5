//! What a host's write policy is asked, and what becomes of what it refuses or withholds.

use std::sync::{Arc, Mutex};

use memdoc::memory::journal::{EntryKind, Seq};
use memdoc::memory::{MemoryError, NewMemory, PlannedWrite, RequestId, Undo, Verdict};
use memdoc::{Basis, Code, DocName, InMemoryStore, Memory, Operation, Origin, Policy, Replace, Toolbox};
use serde_json::json;

const TEXT: &str = "## Facts\n- Lives in Denver\n- Uses Helix\n";

/// Refuses what says `secret`, and withholds what says `perhaps`.
fn judge(write: &PlannedWrite<'_>) -> Verdict {
    let says = |word: &str| write.added().any(|line| line.contains(word));
    match (says("secret"), says("perhaps")) {
        (true, _) => Verdict::Refuse("no secrets here".into()),
        (_, true) => Verdict::Quarantine("somebody has to look at it".into()),
        _ => Verdict::Allow,
    }
}

fn memory() -> Arc<Memory> {
    let store = InMemoryStore::new().with(DocName::memory(), TEXT);
    Arc::new(Memory::new(store, Policy::default()).unwrap().with_write_policy(judge))
}

fn text(memory: &Memory) -> String {
    memory.read(&DocName::memory()).unwrap().text().to_owned()
}

fn agent() -> Origin {
    Origin::new("ada".parse().unwrap(), "test").with_source("chat 7")
}

fn replace(memory: &Memory, old: &str, new: &str) -> Result<Seq, MemoryError> {
    let request = Replace::new(old, new);
    let operation = Operation::edit(DocName::memory(), Basis::Anything, &request);
    let applied = memory.apply(&[operation], &agent(), RequestId::new("replace", &json!([old, new])))?;
    Ok(applied[0].seq.unwrap())
}

fn quarantined(error: &MemoryError) -> Option<Seq> {
    match error {
        MemoryError::RefusedByPolicy { quarantined, .. } => *quarantined,
        other => panic!("{other:?}"),
    }
}

#[test]
fn it_sees_what_would_change_and_on_whose_behalf() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let notes = Arc::clone(&seen);
    let note = move |write: &PlannedWrite<'_>| {
        let origin = write.origin;
        let lines: Vec<_> = write.added().collect();
        let source = origin.source.as_deref().unwrap_or_default();
        let document = write.document.map(DocName::as_str);
        notes.lock().unwrap().push(format!(
            "{document:?} {:?} {} {} {source} {:?} {lines:?}",
            write.sections, origin.actor, origin.tool, origin.authority
        ));
        Verdict::Allow
    };
    let store = InMemoryStore::new().with(DocName::memory(), TEXT);
    let memory = Arc::new(Memory::new(store, Policy::default()).unwrap().with_write_policy(note));
    let mut toolbox = Toolbox::new(Arc::clone(&memory)).with_actor("ada".parse().unwrap());
    toolbox.set_source(Some("chat 7"));
    toolbox.call("memory_read", &json!({}));
    toolbox.call("replace_in_memory", &json!({"old_string": "Denver", "new_string": "Austin"}));
    toolbox.call("memory_undo", &json!({"entry": "last"}));
    toolbox.call("memory_commit", &json!({"content": "Was delighted"}));
    toolbox.call("diff_preview", &json!({"tool": "set_slot", "arguments": {"name": "a", "value": "b"}}));
    memory.write(&DocName::memory(), "").unwrap();
    insta::assert_snapshot!(seen.lock().unwrap().join("\n"), @r###"
    Some("memory") ["Facts"] ada replace_in_memory chat 7 Agent ["- Lives in Austin"]
    Some("memory") ["Facts"] ada memory_undo chat 7 Agent ["- Lives in Denver"]
    None [] ada memory_commit chat 7 Agent ["Was delighted"]
    Some("memory") ["Facts"] host write_document  Host []
    "###);
    let history = toolbox.call("memory_history", &json!({"actor": "ada"}));
    assert_eq!(history.get("entries").unwrap()[0]["source"], "chat 7");
}

#[test]
fn what_it_refuses_is_not_written_and_not_kept() {
    let memory = memory();
    let mut toolbox = Toolbox::new(Arc::clone(&memory));
    let head = memory.head().unwrap();
    toolbox.call("memory_read", &json!({}));
    let calls = [
        ("edit_items", json!({"edits": [{"op": "insert", "target": {"section": "Facts"}, "text": "a secret"}]})),
        ("write_memory", json!({"key": "note", "content": "a secret"})),
        ("memory_commit", json!({"content": "a secret"})),
        ("block_update", json!({"label": "goals", "content": "a secret"})),
        ("scratch_note", json!({"mode": "append", "content": "a secret"})),
    ];
    for (tool, arguments) in calls {
        let reply = toolbox.call(tool, &arguments);
        assert_eq!(reply.code(), Some(Code::RefusedByPolicy), "{reply}");
    }
    assert_eq!((text(&memory).as_str(), memory.head().unwrap()), (TEXT, head));
    assert_eq!(memory.quarantined().unwrap(), []);
    let reply = toolbox.call("memory_commit", &json!({"content": "a secret"}));
    insta::assert_snapshot!(reply.to_string(), @r"
    error refused_by_policy: Nothing was changed: the host's policy refuses this: no secrets here.
    hint: leave that out; if it is what the user wants, tell them why it was refused
    ");
}

#[test]
fn a_new_understanding_passes_it_too() {
    let memory = memory();
    let mut toolbox = Toolbox::new(Arc::clone(&memory));
    let seq = toolbox.call("memory_commit", &json!({"content": "Was delighted"})).to_json()["seq"].clone();
    let head = memory.head().unwrap();
    let reply = toolbox.call("memory_rethink", &json!({"supersedes": [seq], "new_understanding": "a secret"}));
    assert_eq!((reply.code(), memory.head().unwrap()), (Some(Code::RefusedByPolicy), head), "{reply}");
}

#[test]
fn what_it_allows_is_recorded_with_its_source() {
    let memory = memory();
    let seq = replace(&memory, "Denver", "Austin").unwrap();
    assert_eq!(memory.entry(seq).unwrap().header().source.as_deref(), Some("chat 7"));
}

#[test]
fn undoing_and_compacting_pass_it_too() {
    let store = InMemoryStore::new().with(DocName::memory(), "- a secret\n- tea\n");
    let memory = Memory::new(store, Policy::default()).unwrap().with_write_policy(judge);
    memory.write(&DocName::memory(), "- tea\n").unwrap();
    let last = memory.head().unwrap().seq;
    assert_eq!(memory.undo(Undo::Entry(last), &agent()).unwrap_err().code(), Code::RefusedByPolicy);
    let memory = memory.with_compactor(|_: &_| Ok("- a secret\n".to_owned()));
    let rewrite = memdoc::request::Rewrite::new("shorter");
    let operation = Operation::edit(DocName::memory(), Basis::Anything, &rewrite);
    let refused = memory.apply(&[operation], &agent(), RequestId::new("tidy", &json!(1))).unwrap_err();
    assert!(matches!(refused.code(), Code::RefusedByPolicy | Code::LossTooHigh), "{refused:?}");
    assert_eq!(text(&memory), "- tea\n");
}

#[test]
fn what_it_withholds_is_kept_once_and_shown_to_no_model() {
    let memory = memory();
    let first = quarantined(&replace(&memory, "Denver", "Austin, perhaps").unwrap_err()).unwrap();
    let again = quarantined(&replace(&memory, "Denver", "Austin, perhaps").unwrap_err()).unwrap();
    assert_eq!((first, text(&memory).as_str()), (again, TEXT));
    let kept = memory.quarantined().unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].entry.header().kind, EntryKind::Quarantine);
    assert_eq!(&*kept[0].withheld.why, "somebody has to look at it");
    assert_eq!(kept[0].entry.header().actor.as_str(), "ada");
    let mut toolbox = Toolbox::new(Arc::clone(&memory));
    for (tool, arguments) in [("memory_history", json!({})), ("memory_diff", json!({"from": 1}))] {
        let reply = toolbox.call(tool, &arguments);
        assert!(!reply.to_string().contains("perhaps"), "{reply}");
    }
    assert!(memory.verify(None).unwrap().is_sound());
}

#[test]
fn an_edit_of_a_named_revision_is_kept_once_whatever_its_editor_knows() {
    let (memory, request) = (memory(), Replace::new("Denver", "Austin, perhaps"));
    let revision = memory.read(&DocName::memory()).unwrap().revision();
    let withheld = || {
        let operation = Operation::edit(DocName::memory(), Basis::Revision(revision.into()), &request);
        let origin = agent().knowing(memory.head().unwrap().seq);
        quarantined(&memory.apply(&[operation], &origin, RequestId::new("replace", &json!(1))).unwrap_err())
    };
    assert_eq!(withheld(), withheld());
}

#[test]
fn what_is_released_is_done_among_later_edits() {
    let memory = memory();
    let seq = quarantined(&replace(&memory, "Denver", "Austin, perhaps").unwrap_err()).unwrap();
    replace(&memory, "Helix", "Zed").unwrap();
    assert!(matches!(memory.release(seq, &agent()), Err(MemoryError::Refused { code: Code::InvalidArguments, .. })));
    let released = memory.release(seq, &Origin::host("looked at")).unwrap().unwrap();
    assert_eq!(text(&memory), "## Facts\n- Lives in Austin, perhaps\n- Uses Zed\n");
    assert_eq!(memory.quarantined().unwrap(), []);
    assert!(matches!(
        memory.release(seq, &Origin::host("again")),
        Err(MemoryError::Refused { code: Code::UnknownEntry, .. })
    ));
    // Taking it back brings nothing that is judged.
    memory.undo(Undo::Entry(released), &agent()).unwrap();
    assert_eq!(text(&memory), "## Facts\n- Lives in Denver\n- Uses Zed\n");
}

#[test]
fn what_no_longer_fits_is_not_released() {
    let memory = memory();
    let seq = quarantined(&replace(&memory, "Denver", "Austin, perhaps").unwrap_err()).unwrap();
    replace(&memory, "Denver", "Boulder").unwrap();
    assert_eq!(memory.release(seq, &Origin::host("looked at")).unwrap_err().code(), Code::Conflict);
    assert_eq!(memory.quarantined().unwrap().len(), 1);
    memory.redact(&[seq], &[], &Origin::host("thrown away")).unwrap();
    assert_eq!(memory.quarantined().unwrap(), []);
}

#[test]
fn documents_and_memories_are_released_too() {
    let memory = memory();
    let origin = agent();
    let note = memory.write_note("trip", "perhaps in May", memdoc::memory::NoteMode::Replace, &origin).unwrap_err();
    let fact = memory.remember(&NewMemory::new("Was perhaps delighted"), &origin).unwrap_err();
    let host = Origin::host("looked at");
    memory.release(quarantined(&note).unwrap(), &host).unwrap();
    assert_eq!(memory.note("trip").unwrap().as_deref(), Some("perhaps in May"));
    let seq = memory.release(quarantined(&fact).unwrap(), &host).unwrap().unwrap();
    assert_eq!(memory.entry(seq).unwrap().header().kind, EntryKind::Memory);
    assert_eq!(memory.quarantined().unwrap(), []);
}

#[test]
fn a_session_passes_it_when_it_is_committed_and_stays_open() {
    let memory = memory();
    let mut toolbox = Toolbox::new(Arc::clone(&memory));
    toolbox.call("memory_read", &json!({}));
    for (old, new) in [("Denver", "Austin"), ("Helix", "a secret")] {
        let reply = toolbox.call("memo_replace", &json!({"old_text": old, "new_text": new}));
        assert_eq!(reply.status().as_str(), "editing", "{reply}");
    }
    let refused = toolbox.call("memo_commit", &json!({"summary": "both"}));
    assert_eq!((refused.code(), text(&memory).as_str()), (Some(Code::RefusedByPolicy), TEXT), "{refused}");
    toolbox.call("memo_unstage", &json!({"change_id": "B"}));
    let reply = toolbox.call("memo_commit", &json!({"summary": "the first"}));
    assert_eq!(reply.status().as_str(), "committed", "{reply}");
    assert_eq!(text(&memory), TEXT.replace("Denver", "Austin"));
}

#[test]
fn a_release_brings_back_no_document_that_was_deleted() {
    let memory = memory();
    let host = Origin::host("looked at");
    let edit = quarantined(&replace(&memory, "Denver", "Austin, perhaps").unwrap_err()).unwrap();
    memory.delete(&DocName::memory()).unwrap();
    assert_eq!(memory.release(edit, &host).unwrap_err().code(), Code::Conflict);
    assert_eq!(text(&memory), "");
}

#[test]
fn what_was_remembered_is_no_retry_once_another_has_put_something_in_its_place() {
    let memory = memory();
    let mut toolbox = Toolbox::new(Arc::clone(&memory)).with_actor("ada".parse().unwrap());
    let denver = json!({"content": "Lives in Denver"});
    let first = toolbox.call("memory_commit", &denver).to_json();
    assert_eq!(toolbox.call("memory_commit", &denver).to_json()["status"], "already_applied");
    let seq = Seq::new(first["seq"].as_u64().unwrap());
    memory.rethink(&[seq], "Lives in Austin", &agent()).unwrap();
    let again = toolbox.call("memory_commit", &denver).to_json();
    assert_eq!((&again["status"], again["seq"] == first["seq"]), (&json!("ok"), false));
}

#[test]
fn a_memory_that_is_asked_for_twice_at_once_is_recorded_once() {
    let slow = |_: &PlannedWrite<'_>| {
        std::thread::yield_now();
        Verdict::Allow
    };
    let memory = Memory::new(InMemoryStore::new(), Policy::default()).unwrap().with_write_policy(slow);
    for round in 0..100 {
        let (text, since) = (format!("Fact {round}"), memory.head().unwrap().seq);
        let remember = || memory.remember(&NewMemory::new(text.as_str()), &agent().knowing(since)).unwrap().seq;
        let both =
            std::thread::scope(|scope| [scope.spawn(remember), scope.spawn(remember)].map(|own| own.join().unwrap()));
        assert_eq!(both[0], both[1]);
    }
}
