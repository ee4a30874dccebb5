//! Servers that are not there, refuse, or wait: an error that names the relation, nothing lost or
//! doubled, and the next call works.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use memdoc::memory::{Landed, Outcome, PostgresStore, StoreError};
use memdoc::testing::change;
use memdoc::{Code, DocName, Memory, Policy, Store};
use memdoc_stores::Cluster;
use postgres::Client;

use crate::support::proxy::{Fault, Proxy};
use crate::support::{begun, shared, text, wanted, written};

/// How long the server may take, where it takes too long.
const SHORT: Duration = Duration::from_millis(300);

/// A memory behind a proxy, with one text, and who administers its database.
struct Scene {
    proxy: Proxy,
    admin: Client,
    store: PostgresStore,
}

fn scene(database: &str) -> Option<Scene> {
    let cluster = shared()?;
    cluster.database(database);
    let proxy = Proxy::before(cluster);
    let store = begun(PostgresStore::open(&proxy.url(database), "main").unwrap());
    written(&store, "first", "a");
    Some(Scene { proxy, admin: cluster.client(database), store })
}

/// Returns what an error says that nothing was changed by.
#[track_caller]
fn refused(outcome: Result<Outcome, StoreError>, code: Code, relation: &str) {
    let error = outcome.expect_err("a commit that cannot be made is no error");
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains(relation), "{error}");
}

#[test]
fn a_server_that_is_not_there_is_an_error_of_opening() {
    let error = PostgresStore::open("host=/nowhere user=memdoc dbname=x", "main").unwrap_err();
    assert!(error.to_string().starts_with("could not open `memdoc`: error connecting to server: "), "{error}");
    assert_eq!(error.without_paths(), "could not open `memdoc`");
    let error = PostgresStore::open("host=x nonsense", "main").unwrap_err();
    assert!(error.to_string().starts_with("could not open `memdoc`: invalid connection string"), "{error}");
    let Some(cluster) = shared() else { return };
    let error = PostgresStore::open(&cluster.url("no_such"), "main").unwrap_err();
    assert!(error.to_string().ends_with("FATAL: database \"no_such\" does not exist"), "{error}");
}

#[test]
fn a_commit_whose_answer_is_lost_is_settled() {
    let Some(scene) = scene("lost") else { return };
    let (store, proxy) = (&scene.store, &scene.proxy);
    for (fault, new) in [(Fault::CutBefore, "b"), (Fault::CutAfter, "c")] {
        let (before, change) = (text(store), wanted(store, new, new));
        proxy.plan("COMMIT\0", &[fault]);
        let Outcome::Indeterminate(lost) = store.commit(&change).unwrap() else { panic!("it was answered") };
        assert!(lost.to_string().starts_with("the answer to a commit to `memdoc.memory` was lost: "), "{lost}");
        let landed = store.landed(change.attempt, change.looked_to).unwrap();
        match fault {
            Fault::CutAfter => {
                assert_eq!(landed, Landed::At(change.looked_to.plus(1)));
                assert_eq!(text(store), new);
            }
            _ => {
                assert_eq!(landed, Landed::Not);
                assert!(matches!(store.commit(&change), Err(StoreError::Fenced)));
                assert_eq!(text(store), before);
            }
        }
    }
    // An answer to the question can be lost as well.
    let change = wanted(store, "d", "d");
    proxy.plan("COMMIT\0", &[Fault::CutAfter, Fault::CutAfter]);
    assert!(matches!(store.commit(&change).unwrap(), Outcome::Indeterminate(_)));
    assert_eq!(store.landed(change.attempt, change.looked_to).unwrap(), Landed::Unknown);
    assert_eq!(store.landed(change.attempt, change.looked_to).unwrap(), Landed::At(change.looked_to.plus(1)));
    written(store, "e", "e");
}

#[test]
fn a_connection_that_dies_before_the_commit_is_no_loss() {
    let Some(scene) = scene("dies") else { return };
    let (store, proxy) = (&scene.store, &scene.proxy);
    for (number, statement) in
        ["BEGIN", "FOR UPDATE", "UPDATE memdoc.document", "INTO memdoc.entry"].into_iter().enumerate()
    {
        for fault in [Fault::CutBefore, Fault::CutAfter] {
            let called = format!("{number}{fault:?}");
            let change = wanted(store, &called, &called);
            // Nothing is decided yet, and so another connection is tried, once.
            proxy.plan(statement, &[fault]);
            assert!(matches!(store.commit(&change).unwrap(), Outcome::Committed(_)), "{statement}");
            let change = wanted(store, "again", "again");
            proxy.plan(statement, &[fault, fault]);
            refused(store.commit(&change), Code::Store, "memdoc.");
            assert_eq!(store.landed(change.attempt, change.looked_to).unwrap(), Landed::Not);
            assert_eq!(text(store), called);
        }
    }
    proxy.cut();
    assert_eq!(text(store), "3CutAfter");
    written(store, "last", "b");
}

#[test]
fn a_server_that_says_nothing_is_waited_for_so_long() {
    let Some(Scene { proxy, store, .. }) = scene("silent") else { return };
    let store = store.with_patience(SHORT);
    for (statement, number) in [("FOR UPDATE", 0), ("UPDATE memdoc.document", 1)] {
        let change = wanted(&store, "before", "b");
        proxy.plan(statement, &[Fault::Silence]);
        let began = Instant::now();
        refused(store.commit(&change), Code::Busy, "`memdoc`");
        assert!(began.elapsed() < SHORT * 20, "{number}");
        // Its transaction is ended by the server's own limit, for want of anybody to go on with it.
        loop {
            match store.landed(change.attempt, change.looked_to) {
                Ok(landed) => break assert_eq!(landed, Landed::Not),
                Err(error) => assert_eq!(error.code(), Code::Busy, "{error}"),
            }
        }
        assert_eq!(text(&store), "a");
    }
    let change = wanted(&store, "at the end", "b");
    proxy.plan("COMMIT\0", &[Fault::Silence]);
    assert!(matches!(store.commit(&change).unwrap(), Outcome::Indeterminate(_)));
    assert_eq!(store.landed(change.attempt, change.looked_to).unwrap(), Landed::At(change.looked_to.plus(1)));
    assert_eq!(text(&store), "b");
    // All workers hang now but one; when they all do, a call is busy and no more are started.
    proxy.plan("SELECT m.seq, m.hash", &[Fault::Silence; 9]);
    let hung = std::iter::repeat_with(|| store.head()).take(3).filter(Result::is_err).count();
    assert_eq!(hung, 3);
    proxy.cut();
    proxy.plan("SELECT m.seq, m.hash", &[]);
    assert_eq!(text(&store), "b");
    written(&store, "next", "c");
}

#[test]
fn what_others_hold_is_waited_for_so_long() {
    let Some(Scene { mut admin, store, proxy: _proxy }) = scene("held") else { return };
    let store = store.with_patience(SHORT);
    for lock in ["SELECT FROM memdoc.memory FOR UPDATE", "LOCK TABLE memdoc.entry IN EXCLUSIVE MODE"] {
        let change = wanted(&store, lock, lock);
        let mut held = admin.transaction().unwrap();
        held.batch_execute(lock).unwrap();
        refused(store.commit(&change), Code::Busy, "`memdoc");
        held.rollback().unwrap();
        assert!(matches!(store.commit(&change).unwrap(), Outcome::Committed(_)));
        assert_eq!(text(&store), lock);
    }
}

#[test]
fn a_server_that_is_read_only_can_be_read() {
    let Some(Scene { mut admin, proxy, store }) = scene("read_only") else { return };
    admin.batch_execute("ALTER DATABASE read_only SET default_transaction_read_only = on").unwrap();
    proxy.cut();
    assert_eq!(text(&store), "a");
    let change = wanted(&store, "second", "b");
    let error = store.commit(&change).unwrap_err();
    let said = "could not write `memdoc.memory`: ERROR: cannot execute SELECT FOR UPDATE in a read-only transaction";
    assert_eq!(error.to_string(), said);
    let opened = PostgresStore::open(&proxy.url("read_only"), "main").unwrap();
    assert_eq!(text(&opened), "a");
    let memory =
        Memory::new(PostgresStore::open(&proxy.url("read_only"), "never").unwrap(), Policy::default()).unwrap();
    assert_eq!(memory.read(&DocName::memory()).unwrap().text(), "");
    admin
        .batch_execute(
            "SET default_transaction_read_only = off; ALTER DATABASE read_only RESET default_transaction_read_only",
        )
        .unwrap();
    proxy.cut();
    assert!(matches!(store.commit(&change).unwrap(), Outcome::Committed(_)));
}

#[test]
fn what_was_changed_by_hand_is_a_conflict_and_no_text_is_an_error() {
    let Some(Scene { mut admin, store, proxy: _proxy }) = scene("by_hand") else { return };
    let change = wanted(&store, "second", "b");
    admin.batch_execute("UPDATE memdoc.document SET tip = 1").unwrap();
    assert!(matches!(store.commit(&change).unwrap(), Outcome::Conflict { .. }));
    admin.batch_execute("UPDATE memdoc.document SET text = '\\xff'").unwrap();
    let error = store.read(&[DocName::memory()]).unwrap_err();
    assert!(error.to_string().starts_with("could not read `memdoc.document`: invalid utf-8"), "{error}");
}

#[test]
fn memories_of_any_name_stand_side_by_side() {
    let Some(cluster) = shared() else { return };
    let url = cluster.database("names");
    for memory in ["", "ada", "Ada", "a'; DROP SCHEMA memdoc; --", "Über \u{1F600}"] {
        let store = begun(PostgresStore::open(&url, memory).unwrap());
        assert_eq!(text(&store), "");
        written(&store, memory, memory);
    }
    let store = PostgresStore::open(&url, "Ada").unwrap();
    assert_eq!(text(&store), "Ada");
    let error = PostgresStore::open(&url, "nul \0").unwrap().head().unwrap_err();
    assert_eq!(
        error.to_string(),
        "could not read `memdoc.document`: ERROR: invalid byte sequence for encoding \"UTF8\": 0x00"
    );
}

#[test]
fn a_commit_that_no_standby_confirms_is_not_acknowledged() {
    let Some(cluster) = Cluster::start(&["fsync = off"]) else { return };
    let store = begun(PostgresStore::open(&cluster.database("standby"), "main").unwrap()).with_patience(SHORT);
    let mut admin = cluster.client("standby");
    let standbys = |admin: &mut Client, names: &str| {
        admin.batch_execute(&format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'")).unwrap();
        admin.batch_execute("SELECT pg_reload_conf()").unwrap();
        // A connection that began since has heard of it.
        while cluster.client("standby").query_one("SHOW synchronous_standby_names", &[]).unwrap().get::<_, String>(0)
            != names
        {}
    };
    standbys(&mut admin, "nobody");
    let cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    // Nobody confirms, and so nothing is said in time.
    let silent = wanted(&store, "silent", "a");
    assert!(matches!(store.commit(&silent).unwrap(), Outcome::Indeterminate(_)));
    // Somebody cancels the wait: the server says that all went well, and warns.
    let patient = store.with_patience(Duration::from_secs(20));
    admin.batch_execute(cancel).unwrap();
    let warned = wanted(&patient, "warned", "b");
    let outcome = Mutex::new(None);
    thread::scope(|scope| {
        scope.spawn(|| *outcome.lock().unwrap() = Some(patient.commit(&warned).unwrap()));
        while outcome.lock().unwrap().is_none() {
            admin.batch_execute(cancel).unwrap();
        }
    });
    let Some(Outcome::Indeterminate(error)) = outcome.into_inner().unwrap() else { panic!("it was acknowledged") };
    assert!(error.to_string().ends_with("the server has warned at the commit"), "{error}");
    // What became of it is not said before a standby could have heard of it.
    let settled = Mutex::new(None);
    thread::scope(|scope| {
        scope.spawn(|| *settled.lock().unwrap() = Some(patient.landed(warned.attempt, warned.looked_to).unwrap()));
        while settled.lock().unwrap().is_none() {
            admin.batch_execute(cancel).unwrap();
        }
    });
    assert_eq!(settled.into_inner().unwrap(), Some(Landed::Unknown));
    standbys(&mut admin, "");
    assert_eq!(patient.landed(warned.attempt, warned.looked_to).unwrap(), Landed::At(warned.looked_to.plus(1)));
    assert_eq!(patient.landed(silent.attempt, silent.looked_to).unwrap(), Landed::At(silent.looked_to.plus(1)));
}

#[test]
fn a_record_and_a_change_are_not_lost_among_sixteen_writers() {
    let Some(cluster) = shared() else { return };
    let url = cluster.database("sixteen");
    let store = begun(PostgresStore::open(&url, "main").unwrap());
    // One handle for all: callers wait for its connections.
    thread::scope(|scope| {
        for writer in 0..16 {
            let store = &store;
            scope.spawn(move || {
                let document: DocName = format!("d{writer}").parse().unwrap();
                for round in 0..20 {
                    let seen = store.read(std::slice::from_ref(&document)).unwrap();
                    let (called, new) = (format!("{writer}.{round}"), format!("{round}"));
                    let change = change(&called, &seen, &[(&document, Some(&new))]).unwrap();
                    assert!(matches!(store.commit(&change).unwrap(), Outcome::Committed(_)));
                }
            });
        }
    });
    assert_eq!(store.head().unwrap().seq.get(), 1 + 16 * 20);
}
