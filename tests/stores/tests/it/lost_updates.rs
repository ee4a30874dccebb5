//! What was acknowledged is kept, each once, and nothing else is: many threads and processes on one document, through the tools;
//! with a server that stops in the middle, and with answers that are lost.

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use memdoc::document::OnStale;
use memdoc::memory::journal::{Entry, Seq};
use memdoc::{Code, DocName, InMemoryStore, Memory, Policy, Store, Toolbox};
use memdoc_stores::{Cluster, RedbStore};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::support::children::{self, Place, Setup};
use crate::support::{shared, soak};

const THREADS: usize = 8;
const PROCESSES: usize = 4;
/// How many lines each writes to one document, before all go on to the next.
const PAGE: usize = 50;

/// Returns how many lines each thread writes: 2,500 in a soak run by the factor 50.
fn by_thread() -> usize {
    50 * soak()
}

/// Returns how many lines each process writes: 1,000 in a soak run by the factor 50.
fn by_process() -> usize {
    20 * soak()
}

/// Opens the memory by a handle of its own. Half of the writers are refused what is stale, half carry it over.
fn toolbox(store: Box<dyn Store>, writer: usize) -> Toolbox {
    let on_stale = if writer.is_multiple_of(2) { OnStale::Rebase } else { OnStale::Refuse };
    Toolbox::new(Memory::new(store, Policy::default().with_on_stale(on_stale)).unwrap())
}

fn line(writer: usize, round: usize) -> String {
    format!("token {writer}-{round};")
}

fn document(round: usize) -> DocName {
    format!("log{}", round / PAGE).parse().unwrap()
}

fn seed(store: Box<dyn Store>, rounds: usize) {
    let memory = Memory::new(store, Policy::default()).unwrap();
    for round in (0..rounds).step_by(PAGE) {
        memory.seed(&document(round), "# Top\n\n## Log\n\n## End\n").unwrap();
    }
}

/// Appends a line, whatever becomes of the calls, until it is known to be there.
fn append(toolbox: &mut Toolbox, document: &DocName, line: &str) {
    let (old, new) = ("## Log\n", format!("## Log\n- {line}\n"));
    let arguments = json!({"document": document.as_str(), "old_string": old, "new_string": new});
    loop {
        if toolbox.show(document).is_err() {
            pause();
            continue;
        }
        // Once the answer is that nobody knows, it is sent again until somebody does: a server that is away knows nothing either.
        let mut is_open = false;
        let code = loop {
            match toolbox.call("replace_in_memory", &arguments).code() {
                Some(Code::Indeterminate) => is_open = true,
                Some(Code::Busy | Code::Store) if is_open => {}
                code => break code,
            }
            pause();
        };
        match code {
            None => return,
            Some(Code::StaleRevision | Code::Conflict | Code::Busy | Code::Store) => {}
            Some(code) => panic!("{code:?}"),
        }
    }
}

/// Leaves the processor to a server that is starting.
fn pause() {
    thread::park_timeout(Duration::from_millis(1));
}

/// Checks that each line is there once, and nothing else, and that the journal tells the same.
fn check_lines(store: Box<dyn Store>, writers: usize, rounds: usize) {
    let memory = Memory::new(store, Policy::default()).unwrap();
    let texts = (0..rounds).step_by(PAGE).map(|round| memory.read(&document(round)).unwrap().text().to_owned());
    let text: String = texts.collect();
    let lines: Vec<_> = text.split('\n').filter_map(|line| line.strip_prefix("- ")).collect();
    assert_eq!(lines.len(), writers * rounds);
    let lines: HashSet<_> = lines.into_iter().collect();
    let written = (0..writers).flat_map(|writer| (0..rounds).map(move |round| line(writer, round)));
    written.for_each(|line| assert!(lines.contains(line.as_str()), "{line} is lost"));
    assert!(memory.verify(None).unwrap().is_sound());
}

/// Lets threads write at once, each by a handle of its own, and meanwhile something else happen.
fn threads(open: &(dyn Fn() -> Box<dyn Store> + Sync), rounds: usize, meanwhile: impl FnOnce()) {
    seed(open(), rounds);
    thread::scope(|scope| {
        for writer in 0..THREADS {
            scope.spawn(move || {
                let mut toolbox = toolbox(open(), writer);
                (0..rounds).for_each(|round| append(&mut toolbox, &document(round), &line(writer, round)));
            });
        }
        meanwhile();
    });
    check_lines(open(), THREADS, rounds);
}

/// What a process is to write.
#[derive(Serialize, Deserialize)]
struct Task {
    setup: Setup,
    writer: usize,
    rounds: usize,
}

/// Writes, where this process is a child of a test below; else there is nothing to do.
#[test]
fn a_child_writes() {
    let Some(Task { setup, writer, rounds }) = children::task() else { return };
    let mut toolbox = toolbox(setup.open(), writer);
    for round in 0..rounds {
        append(&mut toolbox, &document(round), &line(writer, round));
        children::tell(&round);
    }
}

/// Lets processes write at once, and meanwhile something else happen.
fn processes(setup: &Setup, rounds: usize, meanwhile: impl FnOnce()) {
    seed(setup.open(), rounds);
    let task = |writer| Task { setup: setup.clone(), writer, rounds };
    let started: Vec<_> =
        (0..PROCESSES).map(|writer| children::spawned("lost_updates::a_child_writes", &task(writer))).collect();
    meanwhile();
    for (mut child, mut told) in started {
        let acknowledged = std::iter::from_fn(|| children::heard::<usize>(&mut told));
        assert!(acknowledged.eq(0..rounds));
        assert!(child.wait().unwrap().success());
    }
    check_lines(setup.open(), PROCESSES, rounds);
}

#[test]
fn writers_of_a_store_of_one_process_lose_nothing() {
    let store = std::sync::Arc::new(InMemoryStore::new());
    threads(&|| Box::new(store.clone()), by_thread(), || ());
    let directory = tempfile::tempdir().unwrap();
    let store = RedbStore::open(&directory.path().join("memory")).unwrap();
    threads(&|| Box::new(store.clone()), by_thread(), || ());
}

#[test]
fn writers_in_files_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let setup = |by: &str| Setup::of(Place::Files(directory.path().join(by)));
    threads(&|| setup("threads").open(), by_thread(), || ());
    processes(&setup("processes"), by_process(), || ());
}

fn in_postgresql(url: &str, memory: &str) -> Setup {
    Setup::of(Place::Postgres { url: url.to_owned(), memory: memory.to_owned() })
}

#[test]
fn writers_in_postgresql_lose_nothing() {
    let Some(cluster) = shared() else { return };
    let url = cluster.database("writers");
    threads(&|| in_postgresql(&url, "threads").open(), by_thread(), || ());
    processes(&in_postgresql(&url, "processes"), by_process(), || ());
}

#[test]
fn writers_lose_nothing_as_the_server_stops_in_the_middle() {
    let Some(cluster) = Cluster::start(&["fsync = off"]) else { return };
    let url = cluster.database("stops");
    let stops = || {
        for mode in ["immediate", "fast", "immediate"] {
            thread::park_timeout(Duration::from_millis(100));
            cluster.restart(mode);
        }
    };
    threads(&|| in_postgresql(&url, "threads").open(), by_process(), stops);
    processes(&in_postgresql(&url, "processes"), by_process(), stops);
}

fn entries(store: &dyn Store) -> Vec<Entry> {
    store.entries(Seq::FIRST, usize::MAX).unwrap()
}

/// Has writers of a document each write through answers that are lost: none ever hears that others came between.
fn settled(setup: impl Fn(u64) -> Setup + Sync) {
    let rounds = 125 * soak();
    thread::scope(|scope| {
        for writer in 0..4 {
            let setup = &setup;
            scope.spawn(move || {
                let document: DocName = format!("own{writer}").parse().unwrap();
                let memory = Memory::new(setup(writer + 1).open(), Policy::default()).unwrap();
                for round in 0..rounds {
                    let text = format!("- round {round}\n");
                    while let Err(error) = memory.write(&document, &text) {
                        assert!(matches!(error.code(), Code::Store | Code::Indeterminate), "{error}");
                    }
                }
                let made = entries(&*setup(0).open()).into_iter();
                assert_eq!(made.filter(|entry| entry.link(&document).is_some()).count(), rounds);
            });
        }
    });
}

#[test]
fn what_was_written_once_stands_there_once_whatever_answers_are_lost() {
    let directory = tempfile::tempdir().unwrap();
    let lossy = |place, seed| Setup { place, faults: Some(seed) };
    settled(|seed| lossy(Place::Files(directory.path().to_owned()), seed));
    let Some(cluster) = shared() else { return };
    let url = cluster.database("settled");
    settled(|seed| lossy(Place::Postgres { url: url.clone(), memory: "main".to_owned() }, seed));
}
