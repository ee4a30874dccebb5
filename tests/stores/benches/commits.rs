//! Commits per second of each store, by 1, 4 and 16 writers: on one memory, each its own document, and on a memory for each.
//!
//! Beside them stands the floor of the same run: on PostgreSQL a transaction that does nothing, and one that writes a row; on files
//! a line that is appended and synced, each writer to a file of its own. Nothing is asserted.

use std::error::Error;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use memdoc::memory::{Outcome, PostgresStore};
use memdoc::testing::change;
use memdoc::{DocName, FileStore, InMemoryStore, Store};
use memdoc_stores::Cluster;
use postgres::{Client, NoTls};

type Failure = Box<dyn Error + Send + Sync>;
/// What one writer does again and again.
type Work = Box<dyn FnMut() -> Result<(), Failure> + Send>;

const WRITERS: [usize; 3] = [1, 4, 16];

fn main() -> Result<(), Failure> {
    // Without this flag, cargo only wants to know whether the benchmark runs.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let time = Duration::from_millis(if is_bench { 3000 } else { 20 });
    println!("{:<34} {:>9} {:>9} {:>9}", "commits per second, by writers", WRITERS[0], WRITERS[1], WRITERS[2]);
    in_memory(time)?;
    let directory = tempfile::tempdir()?;
    in_files(directory.path(), time)?;
    match Cluster::start(&["shared_buffers = 128MB", "max_wal_size = 4GB"]) {
        Some(cluster) => in_postgres(&cluster, time)?,
        None => println!("PostgreSQL: there is no server"),
    }
    Ok(())
}

fn in_memory(time: Duration) -> Result<(), Failure> {
    row("memory, one memory", time, &|_| {
        let store = Arc::new(InMemoryStore::new());
        Ok(Box::new(move |_| Ok(Box::new(store.clone()) as Box<dyn Store>)))
    })
}

fn in_files(directory: &Path, time: Duration) -> Result<(), Failure> {
    floor("floor: a line, synced", time, &|writer| {
        let mut file = File::create(directory.join(format!("floor-{writer}")))?;
        Ok(Box::new(move || Ok(file.write_all(&[b'-'; 500]).and_then(|()| file.sync_data())?)))
    })?;
    row("files, one memory", time, &|run| {
        let directory = directory.join(format!("one-{run}"));
        Ok(Box::new(move |_| Ok(Box::new(FileStore::open(&directory)?) as Box<dyn Store>)))
    })?;
    row("files, a memory for each", time, &|run| {
        let directory = directory.join(format!("many-{run}"));
        Ok(Box::new(move |writer| Ok(Box::new(FileStore::open(directory.join(writer.to_string()))?) as Box<dyn Store>)))
    })
}

fn in_postgres(cluster: &Cluster, time: Duration) -> Result<(), Failure> {
    let url = cluster.database("bench");
    cluster
        .client("bench")
        .batch_execute("CREATE TABLE floor (writer int PRIMARY KEY, n int) WITH (fillfactor = 50)")?;
    floor("floor: an empty transaction", time, &|_| {
        let mut client = Client::connect(&url, NoTls)?;
        Ok(Box::new(move || Ok(client.batch_execute("BEGIN; COMMIT")?)))
    })?;
    floor("floor: a transaction of one row", time, &|writer| {
        let mut client = Client::connect(&url, NoTls)?;
        client.execute("INSERT INTO floor VALUES ($1, 0) ON CONFLICT DO NOTHING", &[&i32::try_from(writer)?])?;
        let statement = format!("BEGIN; UPDATE floor SET n = n + 1 WHERE writer = {writer}; COMMIT");
        Ok(Box::new(move || Ok(client.batch_execute(&statement)?)))
    })?;
    row("PostgreSQL, one memory", time, &|run| {
        let url = url.clone();
        Ok(Box::new(move |_| Ok(Box::new(PostgresStore::open(&url, &format!("one-{run}"))?) as Box<dyn Store>)))
    })?;
    row("PostgreSQL, a memory for each", time, &|run| {
        let url = url.clone();
        Ok(Box::new(move |writer| {
            Ok(Box::new(PostgresStore::open(&url, &format!("many-{run}-{writer}"))?) as Box<dyn Store>)
        }))
    })
}

/// Opens the store of a writer.
type Opens = Box<dyn Fn(usize) -> Result<Box<dyn Store>, Failure>>;

/// Measures a store, on new memories for each number of writers.
fn row(name: &str, time: Duration, opens: &dyn Fn(usize) -> Result<Opens, Failure>) -> Result<(), Failure> {
    measure(name, time, &|writers| {
        let open = opens(writers)?;
        (0..writers).map(|writer| committing(open(writer)?, writer)).collect()
    })
}

fn floor(name: &str, time: Duration, work: &dyn Fn(usize) -> Result<Work, Failure>) -> Result<(), Failure> {
    measure(name, time, &|writers| (0..writers).map(work).collect())
}

/// Replaces one line of a document of 2 KiB.
fn committing(store: Box<dyn Store>, writer: usize) -> Result<Work, Failure> {
    let document: DocName = format!("document{writer}").parse()?;
    store.begin()?;
    let rest = "- Some line that stays as it is\n".repeat(64);
    let mut round = 0;
    Ok(Box::new(move || {
        let seen = store.read(std::slice::from_ref(&document))?;
        round += 1;
        let text = format!("- The number is {round}\n{rest}");
        match store.commit(&change(&format!("{writer}.{round}"), &seen, &[(&document, Some(&text))])?)? {
            Outcome::Committed(_) => Ok(()),
            other => Err(format!("expected a commit, found {other:?}").into()),
        }
    }))
}

fn measure(name: &str, time: Duration, writers: &dyn Fn(usize) -> Result<Vec<Work>, Failure>) -> Result<(), Failure> {
    let mut rates = Vec::new();
    for count in WRITERS {
        let work = writers(count)?;
        let barrier = Barrier::new(count);
        let made: u64 = thread::scope(|scope| {
            let write = |mut work: Work| {
                let barrier = &barrier;
                scope.spawn(move || -> Result<u64, Failure> {
                    work()?;
                    barrier.wait();
                    let (began, mut made) = (Instant::now(), 0);
                    while began.elapsed() < time {
                        work()?;
                        made += 1;
                    }
                    Ok(made)
                })
            };
            let threads: Vec<_> = work.into_iter().map(write).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| Err("a writer has panicked".into())))
                .sum::<Result<u64, Failure>>()
        })?;
        rates.push(made as f64 / time.as_secs_f64());
    }
    println!("{name:<34} {:>9.0} {:>9.0} {:>9.0}", rates[0], rates[1], rates[2]);
    Ok(())
}
