//! What a memory is asked for: on which basis, from whom, and when a host's compactor is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memdoc::{
    Authority, Basis, Code, DocName, InMemoryStore, Known, Memory, MemoryError, Operation, Origin, Policy, Replace,
    Timestamp, document::AutoCompact, document::OnStale, edit::Preview, edit::PreviewFormat, memory::Actor,
    memory::AppliedStatus, memory::CompactorError, memory::PlannedWrite, memory::RequestId, memory::Verdict,
    request::CompactionRequest, request::Rewrite,
};

const TEXT: &str = "## Facts\n- Lives in Denver\n- Likes tea\n";

fn memory(policy: Policy) -> Memory {
    Memory::new(InMemoryStore::new().with(DocName::memory(), TEXT), policy).unwrap()
}

fn edit<'a>(basis: Basis<'a>, request: &'a Replace) -> Operation<'a> {
    Operation::edit(DocName::memory(), basis, request)
}

fn apply(memory: &Memory, operation: Operation<'_>, nth: usize) -> Result<AppliedStatus, MemoryError> {
    let applied = memory.apply(&[operation], &Origin::host("test"), RequestId::new("test", &nth.into()))?;
    Ok(applied[0].status)
}

/// A compactor that counts how often it is asked, and answers with the text in which tea is gone.
fn counting(memory: Memory) -> (Memory, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let hook = move |request: &CompactionRequest| -> Result<String, CompactorError> {
        counter.fetch_add(1, Ordering::Relaxed);
        Ok(request.text.replace("- Likes tea\n", ""))
    };
    (memory.with_compactor(hook), asked)
}

#[test]
fn an_edit_that_crosses_no_limit_never_asks_the_compactor() {
    for auto_compact in [AutoCompact::Off, AutoCompact::Over, AutoCompact::Near] {
        let (memory, asked) = counting(memory(Policy::default().with_auto_compact(auto_compact)));
        let request = Replace::new("Denver", "Austin");
        let preview = Preview::new(PreviewFormat::Compact, "memory");
        memory.preview(&edit(Basis::Anything, &request), Authority::Agent, &preview).unwrap();
        assert_eq!(apply(&memory, edit(Basis::Anything, &request), 1).unwrap(), AppliedStatus::Committed);
        assert!(memory.create(&"notes".parse().unwrap(), "x").is_ok());
        assert_eq!(asked.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn an_edit_that_crosses_a_limit_and_a_compaction_ask_it_once() {
    let policy = Policy::default().with_max_bytes(TEXT.len()).with_soft_limit(1.0).with_max_loss(1.0);
    let (memory, asked) = counting(memory(policy.with_auto_compact(AutoCompact::Over)));
    let request = Replace::new("Denver", "Austin, Texas");
    let preview = Preview::new(PreviewFormat::Compact, "memory");
    let diff = memory.preview(&edit(Basis::Anything, &request), Authority::Agent, &preview).unwrap();
    assert!(diff.contains("-- Likes tea\n") && diff.contains("+- Lives in Austin, Texas\n"), "{diff}");
    assert_eq!(memory.read(&DocName::memory()).unwrap().text(), TEXT);
    assert_eq!(apply(&memory, edit(Basis::Anything, &request), 1).unwrap(), AppliedStatus::Committed);
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    let rewrite = Rewrite::new("tidy");
    let compaction = Operation::edit(DocName::memory(), Basis::Anything, &rewrite);
    assert_eq!(apply(&memory, compaction, 2).unwrap(), AppliedStatus::NoChange);
    assert_eq!(asked.load(Ordering::Relaxed), 3);
}

#[test]
fn an_edit_is_as_fresh_as_what_it_is_based_on() {
    for on_stale in [OnStale::Refuse, OnStale::Rebase] {
        let memory = memory(Policy::default().with_on_stale(on_stale));
        let known = Known::of(&memory.read(&DocName::memory()).unwrap());
        let named = || Basis::Revision(known.revision().into());
        let [tea, town, more] =
            [("tea", "coffee"), ("Denver", "Austin"), ("coffee", "milk")].map(|(old, new)| Replace::new(old, new));
        assert_eq!(apply(&memory, edit(named(), &tea), 1).unwrap(), AppliedStatus::Committed);
        let stale = apply(&memory, edit(named(), &town), 2).unwrap_err();
        assert!(matches!(&stale, MemoryError::StaleRevision { .. }), "{stale}");
        assert!(stale.unseen().is_some_and(|current| current.text().contains("coffee")));
        let by_known = apply(&memory, edit(Basis::Known(&known), &town), 3);
        assert_eq!(by_known.is_ok(), on_stale == OnStale::Rebase, "{by_known:?}");
        assert_eq!(apply(&memory, edit(Basis::Anything, &more), 4).unwrap(), AppliedStatus::Committed);
    }
}

#[test]
fn the_same_request_on_the_same_basis_is_made_once() {
    let memory = memory(Policy::default().with_on_stale(OnStale::Rebase));
    let known = Known::of(&memory.read(&DocName::memory()).unwrap());
    let request = Replace::new("- Likes tea\n", "- Likes tea\n- Likes tea\n");
    let statuses = [1, 1, 2].map(|nth| apply(&memory, edit(Basis::Known(&known), &request), nth).ok());
    assert_eq!(statuses[..2], [Some(AppliedStatus::Committed), Some(AppliedStatus::AlreadyApplied)]);
    let other_tool = RequestId::new("other", &1.into());
    assert_ne!(other_tool, RequestId::new("test", &1.into()));
    let on = |revision| RequestId::new("test", &1.into()).on(&DocName::memory(), &revision);
    assert_ne!(on(known.revision().into()), on("00000000".parse().unwrap()));
}

#[test]
fn a_request_that_another_try_has_made_meanwhile_is_told_with_what_it_made() {
    let store = Arc::new(InMemoryStore::new().with(DocName::memory(), TEXT));
    let other = Memory::new(Arc::clone(&store), Policy::default()).unwrap();
    let request = Replace::new("tea", "coffee");
    let call = |memory: &Memory, known: &Known, request: &Replace| {
        let operation = edit(Basis::Known(known), request);
        memory.apply(&[operation], &Origin::host("test"), RequestId::new("test", &1.into())).unwrap().remove(0)
    };
    let known = Known::of(&other.read(&DocName::memory()).unwrap());
    let (its_known, its_request) = (known.clone(), request.clone());
    // The other one is faster, between the reading of this one and its commit.
    let judge = move |_: &PlannedWrite<'_>| {
        call(&other, &its_known, &its_request);
        Verdict::Allow
    };
    let memory = Memory::new(store, Policy::default()).unwrap().with_write_policy(judge);
    let applied = call(&memory, &known, &request);
    assert_eq!((applied.status, applied.seq), (AppliedStatus::AlreadyApplied, Some(memory.head().unwrap().seq)));
    assert_eq!(applied.doc.text(), TEXT.replace("tea", "coffee"));
}

#[test]
fn the_same_request_is_made_once_however_much_has_happened_since() {
    let memory = memory(Policy::default().with_on_stale(OnStale::Rebase));
    let known = Known::of(&memory.read(&DocName::memory()).unwrap());
    let request = Replace::new("- Likes tea\n", "- Likes tea\n- Likes tea\n");
    assert_eq!(apply(&memory, edit(Basis::Known(&known), &request), 1).unwrap(), AppliedStatus::Committed);
    for nth in 0..40 {
        let towns = ["Denver", "Austin"].map(|town| format!("Lives in {town}"));
        let other = Replace::new(&*towns[nth % 2], &*towns[(nth + 1) % 2]);
        assert_eq!(apply(&memory, edit(Basis::Anything, &other), 2 + nth).unwrap(), AppliedStatus::Committed);
    }
    assert_eq!(apply(&memory, edit(Basis::Known(&known), &request), 1).unwrap(), AppliedStatus::AlreadyApplied);
}

#[test]
fn a_document_is_created_in_a_folder_only_where_the_policy_allows_folders() {
    let document: DocName = "trips/rome".parse().unwrap();
    for policy in [Policy::default(), Policy::default().with_folders()] {
        let is_allowed = policy.allow_folders;
        let created = memory(policy).create(&document, "- x\n").map_err(|error| error.code());
        assert_eq!(created.map(drop), if is_allowed { Ok(()) } else { Err(Code::InvalidArguments) });
    }
}

#[test]
fn an_actor_has_a_name_that_can_be_read() {
    for name in ["ada", "Ada Okafor", "агент-7", "a", &"x".repeat(128)] {
        assert_eq!(name.parse::<Actor>().unwrap().as_str(), name);
    }
    let wrong = ["", " ", "a\nb", "a\tb", "a\r", "a\u{200B}b", "\u{FEFF}a", "a\u{202E}b", "\0", &"x".repeat(129)];
    for name in wrong {
        assert!(name.parse::<Actor>().is_err(), "{name:?}");
    }
}

#[test]
fn a_closure_tells_the_time() {
    let noon: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
    assert_eq!(memory(Policy::default()).with_clock(move || noon).now(), noon);
}
