//! Histories of calls at once are linearizable: in memory, in files, in PostgreSQL; with answers that are lost before and after
//! the commit, connections that are cut, and a server that stops in the middle.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use memdoc::memory::PostgresStore;
use memdoc::testing::Faulty;
use memdoc::{FileStore, InMemoryStore, Store};
use memdoc_stores::Cluster;

use crate::support::history::check;
use crate::support::proxy::Proxy;
use crate::support::{begun, shared};

/// How many histories there are of each kind.
fn histories() -> u64 {
    let soak = std::env::var("MEMDOC_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    50 * soak
}

fn checked(kind: &str, open: &(dyn Fn() -> Box<dyn Store> + Sync)) {
    drop(begun(open()));
    check(open).unwrap_or_else(|broken| panic!("{kind}: {broken}"));
}

#[test]
fn the_store_in_memory_is_linearizable() {
    for seed in 0..histories() {
        let store = Arc::new(InMemoryStore::new());
        checked("memory", &|| Box::new(store.clone()));
        let store = Arc::new(Faulty::new(InMemoryStore::new(), seed));
        checked("memory with faults", &|| Box::new(store.clone()));
    }
}

#[test]
fn the_store_in_files_is_linearizable() {
    for _ in 0..histories() {
        let directory = tempfile::tempdir().unwrap();
        checked("files", &|| Box::new(FileStore::open(directory.path()).unwrap()));
    }
}

#[test]
fn the_store_in_postgresql_is_linearizable() {
    let Some(cluster) = shared() else { return };
    let url = cluster.database("linearizable");
    for number in 0..histories() {
        let memory = format!("plain-{number}");
        checked("PostgreSQL", &|| Box::new(PostgresStore::open(&url, &memory).unwrap()));
    }
}

#[test]
fn the_store_in_postgresql_is_linearizable_as_answers_are_lost() {
    let Some(cluster) = shared() else { return };
    let proxy = Proxy::before(cluster);
    cluster.database("lossy");
    let url = proxy.url("lossy");
    drop(PostgresStore::open(&url, "first").unwrap());
    for number in 0..histories() {
        let memory = format!("lossy-{number}");
        drop(begun(PostgresStore::open(&url, &memory).unwrap()));
        proxy.draw(number + 1);
        check(&|| Box::new(PostgresStore::open(&url, &memory).unwrap())).unwrap_or_else(|broken| panic!("{broken}"));
        proxy.draw(0);
    }
}

/// Ends the disturbance, also where a check fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Does something to the server again and again while histories are made.
fn disturbed(url: &str, kind: &str, rounds: u64, disturb: &(dyn Fn() + Sync)) {
    for number in 0..rounds {
        let memory = format!("{kind}-{number}");
        let open = || loop {
            match PostgresStore::open(url, &memory) {
                Ok(store) => return Box::new(store) as Box<dyn Store>,
                Err(_) => thread::yield_now(),
            }
        };
        drop(begun(open()));
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::SeqCst) {
                    thread::park_timeout(Duration::from_millis(15 + number % 40));
                    disturb();
                }
            });
            let _over = Over(&is_over);
            check(&open).unwrap_or_else(|broken| panic!("{kind}: {broken}"));
        });
    }
}

#[test]
fn the_store_in_postgresql_is_linearizable_as_connections_are_cut() {
    let Some(cluster) = shared() else { return };
    let proxy = Proxy::before(cluster);
    cluster.database("cut");
    disturbed(&proxy.url("cut"), "cut", histories(), &|| proxy.cut());
}

#[test]
fn the_store_in_postgresql_is_linearizable_as_the_server_stops() {
    let Some(cluster) = Cluster::start(&["fsync = off"]) else { return };
    disturbed(&cluster.database("stopped"), "stopped", histories() / 10, &|| cluster.restart("immediate"));
}
