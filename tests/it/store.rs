//! The stores: what was acknowledged is kept, once; what has changed is a conflict; what was given up is never made.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use memdoc::memory::journal::{Entry, Seq, Verifier};
use memdoc::memory::{Landed, Outcome, StoreError};
use memdoc::{DocName, InMemoryStore, Memory, Policy, Revision, Status, Store, Toolbox, document::OnStale};
use serde_json::json;

use crate::support::changes::{attempt, change, entries, name, redaction, request, snapshot, text, written};
use crate::support::stores::Hooked;

/// Runs a check on each store, an empty one.
fn on_each(check: impl Fn(&dyn Store)) {
    let begun = |store: &dyn Store| {
        store.begin().unwrap();
        store.begin().unwrap();
        assert_eq!(store.head().unwrap().seq, Seq::FIRST);
        check(store);
    };
    begun(&InMemoryStore::new());
    #[cfg(unix)]
    begun(&memdoc::FileStore::open(&*crate::support::scratch::Scratch::create()).unwrap());
}

#[test]
fn each_store_gives_back_what_was_committed() {
    on_each(|store| {
        assert!(store.revisions(None, 9).unwrap().is_empty());
        for round_trip in ["- a\r\n- b", "\u{FEFF}- é \u{1F600}\n\n", "", "- c\n"] {
            written(store, round_trip, &[("memory", Some(round_trip))]);
            assert_eq!(text(store, "memory").as_deref(), Some(round_trip));
            assert_eq!(store.revisions(None, 9).unwrap(), [(name("memory"), Revision::of(round_trip))]);
        }
        written(store, "gone", &[("memory", None)]);
        assert_eq!(text(store, "memory"), None);
        written(store, "back", &[("memory", Some("again"))]);
        assert_eq!(text(store, "memory").as_deref(), Some("again"));
        check_journal(store);
    });
}

/// Checks the chain, and that the journal is what is read entry by entry.
fn check_journal(store: &dyn Store) {
    let mut verifier = Verifier::new();
    let mut lines = Vec::new();
    store
        .scan(&mut |line| {
            verifier.line(line);
            lines.push(line.to_vec());
        })
        .unwrap();
    let findings = verifier.finish().findings;
    assert!(findings.is_empty(), "{findings:?}");
    let written: Vec<_> = entries(store).iter().map(|entry| entry.to_line().into_bytes()).collect();
    assert_eq!(written, lines);
    assert_eq!(entries(store).last().map(Entry::head), Some(store.head().unwrap()));
}

#[test]
fn each_store_commits_all_documents_or_none() {
    on_each(|store| {
        written(store, "1", &[("core", Some("b")), ("memory", Some("a"))]);
        let before = snapshot(store, &[("core", None), ("memory", None), ("notes", None)]);
        written(store, "2", &[("memory", Some("A"))]);
        let now = snapshot(store, &[("core", None), ("memory", None), ("notes", None)]);
        for wanted in [&[("memory", Some("x"))][..], &[("core", Some("x")), ("memory", Some("x"))]] {
            let outcome = store.commit(&change("3", &before, wanted).looked_to(now.head.seq)).unwrap();
            let Outcome::Conflict { document, expected, found } = outcome else { panic!("{outcome:?}") };
            assert_eq!(document, name("memory"));
            assert_eq!(expected, before.of(&document).unwrap().version);
            assert_eq!(found, now.of(&document).unwrap().version);
            assert_eq!(snapshot(store, &[("core", None), ("memory", None), ("notes", None)]), now);
        }
        written(store, "4", &[("core", Some("B")), ("memory", None), ("notes", Some("C"))]);
        assert_eq!(
            ["core", "memory", "notes"].map(|name| text(store, name)),
            [Some("B".into()), None, Some("C".into())]
        );
        check_journal(store);
    });
}

#[test]
fn a_text_that_was_changed_and_changed_back_is_another_version() {
    on_each(|store| {
        written(store, "1", &[("memory", Some("a"))]);
        let seen = snapshot(store, &[("memory", None)]);
        written(store, "2", &[("memory", Some("b"))]);
        written(store, "3", &[("memory", Some("a"))]);
        let late = change("4", &seen, &[("memory", Some("c"))]).looked_to(store.head().unwrap().seq);
        assert!(matches!(store.commit(&late).unwrap(), Outcome::Conflict { .. }));
    });
}

#[test]
fn a_request_lands_once() {
    on_each(|store| {
        written(store, "1", &[("memory", Some("a"))]);
        let seen = snapshot(store, &[("memory", None)]);
        let once = change("2", &seen, &[("memory", Some("b"))]);
        let Outcome::Committed(made) = store.commit(&once).unwrap() else { panic!() };
        let again = change("2", &seen, &[("memory", Some("b"))]);
        assert!(matches!(store.commit(&again).unwrap(), Outcome::Repeated(seq) if seq == made));
        assert!(matches!(store.landed(once.attempt, seen.head.seq).unwrap(), Landed::At(seq) if seq == made));
        assert_eq!(entries(store).iter().filter(|entry| entry.is_of(request("2"))).count(), 1);
    });
}

#[test]
fn what_is_said_not_to_have_landed_never_will() {
    on_each(|store| {
        written(store, "1", &[("memory", Some("a"))]);
        let seen = snapshot(store, &[("memory", None)]);
        let late = change("2", &seen, &[("memory", Some("b"))]);
        assert!(matches!(store.landed(late.attempt, seen.head.seq).unwrap(), Landed::Not));
        assert!(matches!(store.commit(&late), Err(StoreError::Fenced)));
        assert!(matches!(store.landed(attempt(), Seq::default()).unwrap(), Landed::Not));
        // The request may be made in another attempt.
        assert!(matches!(store.commit(&change("2", &seen, &[("memory", Some("b"))])).unwrap(), Outcome::Committed(_)));
    });
}

#[test]
fn entries_are_read_by_number_and_by_document() {
    on_each(|store| {
        for round in 0..20 {
            let [document, text] = [["a", "b"][round % 2], &round.to_string()];
            written(store, text, &[(document, Some(text))]);
        }
        let numbers = |entries: Vec<Entry>| entries.iter().map(|entry| entry.seq().get()).collect::<Vec<_>>();
        let seqs = |from, limit| numbers(store.entries(from, limit).unwrap());
        let last = store.head().unwrap().seq;
        let all = seqs(Seq::FIRST, 100);
        assert_eq!(all, (1..=last.get()).collect::<Vec<_>>());
        assert_eq!(seqs(last, 5), [last.get()]);
        assert_eq!(seqs(last.plus(1), 5), [0; 0]);
        let of_b = |limit| numbers(store.entries_of(&name("b"), last, limit).unwrap());
        assert_eq!(of_b(3), [last.get(), last.get() - 2, last.get() - 4]);
        assert_eq!(of_b(100).len(), 10);
    });
}

#[test]
fn documents_are_listed_page_by_page() {
    on_each(|store| {
        let names: Vec<String> = (0..25).map(|number| format!("d{number:02}")).collect();
        names.iter().for_each(|name| written(store, name, &[(name, Some(name))]));
        let mut listed: Vec<DocName> = Vec::new();
        loop {
            let page = store.revisions(listed.last(), 10).unwrap();
            assert!(page.len() <= 10);
            if page.is_empty() {
                break;
            }
            listed.extend(page.into_iter().map(|(name, _)| name));
        }
        assert_eq!(listed.iter().map(DocName::as_str).collect::<Vec<_>>(), names);
    });
}

#[test]
fn what_is_erased_is_gone_and_the_chain_holds() {
    on_each(|store| {
        written(store, "1", &[("memory", Some("the PIN is quokka\n"))]);
        written(store, "2", &[("other", Some("x"))]);
        let first = entries(store).iter().find(|entry| entry.is_of(request("1"))).unwrap().seq().get();
        let wanted = [("memory", Some("the PIN is secret\n"))];
        // The text that is replaced must not be told by the entry that replaces it.
        written(store, "3", &[("memory", None)]);
        let third = store.head().unwrap().seq.get();
        let change = redaction("4", &snapshot(store, &wanted), &wanted, &[first, third]);
        assert!(matches!(store.commit(&change).unwrap(), Outcome::Committed(_)));
        let mut all = Vec::new();
        store.scan(&mut |line| all.extend_from_slice(line)).unwrap();
        assert!(!String::from_utf8(all).unwrap().contains("quokka"));
        check_journal(store);
        assert_eq!(text(store, "memory").as_deref(), Some("the PIN is secret\n"));
        written(store, "5", &[("memory", Some("on")), ("other", Some("y"))]);
        check_journal(store);
    });
}

/// Appends a bullet below the first, and tries again until it is committed.
fn append(toolbox: &mut Toolbox, token: &str) {
    let arguments = json!({"old_string": "## Log\n", "new_string": format!("## Log\n- {token}\n")});
    for _ in 0..10_000 {
        let reply = toolbox.call("replace_in_memory", &arguments);
        match reply.code() {
            None => {
                assert_eq!(reply.status(), Status::Committed);
                return;
            }
            Some(memdoc::Code::StaleRevision | memdoc::Code::Conflict | memdoc::Code::Busy) => {
                assert_eq!(toolbox.call("memory_read", &json!({})).status(), Status::Ok);
            }
            Some(_) => panic!("{reply}"),
        }
    }
    panic!("never committed");
}

/// Lets four threads append tokens, and checks that each is there once.
fn check_nothing_is_lost<S: Store + 'static>(stores: impl Fn() -> S, on_stale: OnStale, appends: usize) {
    let first = stores();
    first.begin().unwrap();
    written(&first, "start", &[("memory", Some("# Top\n\n## Log\n\n## End\n"))]);
    let memory = |store: S| Arc::new(Memory::new(store, Policy::default().with_on_stale(on_stale)).unwrap());
    let shared = [memory(stores()), memory(stores())];
    let write = |writer: usize| {
        let mut toolbox = Toolbox::new(shared[writer % 2].clone());
        toolbox.show(&DocName::memory()).unwrap();
        (0..appends).for_each(|n| append(&mut toolbox, &format!("token {writer}-{n}.")));
    };
    thread::scope(|scope| {
        for writer in 0..4 {
            let write = &write;
            scope.spawn(move || write(writer));
        }
    });
    let text = text(&first, "memory").unwrap();
    for writer in 0..4 {
        for n in 0..appends {
            assert_eq!(text.matches(&format!("- token {writer}-{n}.\n")).count(), 1, "{writer}-{n}");
        }
    }
    assert_eq!(text.matches("- token").count(), 4 * appends);
    check_journal(&first);
}

#[test]
fn writers_on_one_in_memory_store_lose_nothing() {
    let store = Arc::new(InMemoryStore::new());
    check_nothing_is_lost(|| store.clone(), OnStale::Refuse, 50);
}

#[cfg(unix)]
#[test]
fn writers_on_one_directory_lose_nothing() {
    let scratch = crate::support::scratch::Scratch::create();
    check_nothing_is_lost(|| memdoc::FileStore::open(&*scratch).unwrap(), OnStale::Rebase, 50);
}

#[test]
fn a_writer_whom_others_always_overtake_gives_up_soon() {
    let store = Hooked::new(InMemoryStore::new(), |store, _| Ok(Outcome::HeadMoved(store.head()?.seq)));
    let memory = Memory::new(store, Policy::default()).unwrap();
    let started = Instant::now();
    let error = memory.write(&DocName::memory(), "- a\n").unwrap_err();
    assert_eq!(error.code(), "busy", "{error}");
    assert!(started.elapsed() < Duration::from_secs(9), "{:?}", started.elapsed());
}
