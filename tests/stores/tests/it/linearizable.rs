//! Histories of calls at once are linearizable: in memory, in files, in PostgreSQL; by threads and by processes; with answers that
//! are lost before and after the commit, connections that are cut, a server that stops in the middle, and processes that die.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use memdoc::InMemoryStore;
use memdoc::testing::Faulty;
use memdoc_stores::Cluster;

use crate::support::children::{Place, Setup};
use crate::support::history::{Crew, check, serve, threads};
use crate::support::proxy::Proxy;
use crate::support::{begun, shared, soak};

/// How many histories there are of each kind by threads, and as many by processes: 50 in all, 200 in a soak run.
fn histories() -> usize {
    25 * soak().min(4)
}

/// Makes calls, where this process is a child of a test below; else there is nothing to do.
#[test]
fn a_child_answers() {
    serve();
}

/// Makes histories of memories that are where `place` says, by threads and by processes; loses answers if `is_lossy`.
fn held(rounds: usize, is_lossy: bool, place: &dyn Fn(&str) -> Place) {
    disturbed(rounds, is_lossy, place, None);
}

/// Does something again and again in each history, with the processes or with what they work on, and is told how often it has.
type Disturb<'a> = Option<&'a (dyn Fn(&Crew, usize) + Sync)>;

fn disturbed(rounds: usize, is_lossy: bool, place: &dyn Fn(&str) -> Place, disturb: Disturb<'_>) {
    let crew = Crew::default();
    for number in 0..rounds {
        for by in ["threads", "processes"] {
            let faults = is_lossy.then_some(number as u64);
            let setup = Setup { place: place(&format!("{by}-{number}")), faults };
            drop(begun(setup.open()));
            let hands = if by == "threads" { threads(&|| setup.open()) } else { crew.hands(&setup) };
            let is_over = AtomicBool::new(false);
            thread::scope(|scope| {
                scope.spawn(|| {
                    let Some(disturb) = disturb else { return };
                    for nth in (0..).take_while(|_| !is_over.load(Ordering::SeqCst)) {
                        thread::park_timeout(Duration::from_millis(15 + number as u64 % 40));
                        disturb(&crew, nth);
                    }
                });
                let _over = Over(&is_over);
                check(hands).unwrap_or_else(|broken| panic!("{setup:?}: {broken}"));
            });
        }
    }
}

/// Ends the disturbance, also where a check fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn the_store_in_memory_is_linearizable() {
    for seed in 0..2 * histories() as u64 {
        let store = Arc::new(begun(InMemoryStore::new()));
        check(threads(&|| Box::new(store.clone()))).unwrap();
        let store = Arc::new(begun(Faulty::new(InMemoryStore::new(), seed)));
        check(threads(&|| Box::new(store.clone()))).unwrap();
    }
}

#[test]
fn the_store_in_files_is_linearizable() {
    let directory = tempfile::tempdir().unwrap();
    held(histories(), false, &|memory| Place::Files(directory.path().join(memory)));
}

#[test]
fn the_store_in_files_is_linearizable_as_answers_are_lost() {
    let directory = tempfile::tempdir().unwrap();
    held(histories(), true, &|memory| Place::Files(directory.path().join(memory)));
}

/// Kills two processes: of more calls without an answer, too many orders can be thought.
fn kill(crew: &Crew, nth: usize) {
    if nth < 2 {
        crew.kill(nth);
    }
}

#[test]
fn the_store_in_files_is_linearizable_as_processes_die() {
    let directory = tempfile::tempdir().unwrap();
    disturbed(histories(), false, &|memory| Place::Files(directory.path().join(memory)), Some(&kill));
}

/// Returns where the memories of a database are.
fn memories(url: String) -> impl Fn(&str) -> Place {
    move |memory| Place::Postgres { url: url.clone(), memory: memory.to_owned() }
}

#[test]
fn the_store_in_postgresql_is_linearizable() {
    let Some(cluster) = shared() else { return };
    held(histories(), false, &memories(cluster.database("linearizable")));
}

#[test]
fn the_store_in_postgresql_is_linearizable_as_commits_are_late_and_in_another_order() {
    let Some(cluster) = shared() else { return };
    held(histories(), true, &memories(cluster.database("late")));
}

#[test]
fn the_store_in_postgresql_is_linearizable_as_answers_are_lost() {
    let Some(cluster) = shared() else { return };
    let proxy = Proxy::before(cluster);
    cluster.database("lossy");
    proxy.draw(1);
    held(histories(), false, &memories(proxy.url("lossy")));
}

#[test]
fn the_store_in_postgresql_is_linearizable_as_connections_are_cut() {
    let Some(cluster) = shared() else { return };
    let proxy = Proxy::before(cluster);
    cluster.database("cut");
    disturbed(histories(), false, &memories(proxy.url("cut")), Some(&|_, _| proxy.cut()));
}

#[test]
fn the_store_in_postgresql_is_linearizable_as_the_server_stops() {
    let Some(cluster) = Cluster::start(&["fsync = off"]) else { return };
    let place = memories(cluster.database("stopped"));
    disturbed(histories() / 5, false, &place, Some(&|_, _| cluster.restart("immediate")));
}

#[test]
fn the_store_in_postgresql_is_linearizable_as_processes_die() {
    let Some(cluster) = shared() else { return };
    disturbed(histories(), false, &memories(cluster.database("dying")), Some(&kill));
}

/// Without what is expected of documents, in the statements as they reach the server, the histories are wrong.
#[test]
fn a_store_that_expects_nothing_of_documents_is_not_linearizable() {
    let Some(cluster) = shared() else { return };
    let expected = "AND revision IS NOT DISTINCT FROM $6 AND tip IS NOT DISTINCT FROM $7";
    let proxy = Proxy::rewriting(cluster, &[(expected, "")]);
    cluster.database("weaker");
    let place = memories(proxy.url("weaker"));
    let setup = |by: &str| {
        let setup = Setup::of(place(by));
        drop(begun(setup.open()));
        setup
    };
    assert!((0..100).any(|number| check(threads(&|| setup(&format!("threads-{number}")).open())).is_err()));
    assert!((0..100).any(|number| check(Crew::default().hands(&setup(&format!("processes-{number}")))).is_err()));
}
