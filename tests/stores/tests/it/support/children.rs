//! Stores that processes can be told to open, and the processes: this binary, run again for one of its tests.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;

use memdoc::memory::PostgresStore;
use memdoc::testing::Faulty;
use memdoc::{FileStore, Store};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Where a memory is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Place {
    Files(PathBuf),
    Postgres { url: String, memory: String },
}

/// A memory, and what the answers that get lost are drawn from, if any do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setup {
    pub place: Place,
    pub faults: Option<u64>,
}

impl Setup {
    pub const fn of(place: Place) -> Self {
        Self { place, faults: None }
    }

    /// Opens a handle, as soon as there is a server.
    pub fn open(&self) -> Box<dyn Store> {
        let store: Box<dyn Store> = match &self.place {
            Place::Files(directory) => Box::new(FileStore::open(directory).unwrap()),
            Place::Postgres { url, memory } => loop {
                match PostgresStore::open(url, memory) {
                    Ok(store) => break Box::new(store),
                    Err(_) => thread::yield_now(),
                }
            },
        };
        match self.faults {
            Some(seed) => Box::new(Faulty::new(store, seed)),
            None => store,
        }
    }
}

/// What tells a process its task.
const TASK: &str = "MEMDOC_CHILD_TASK";
/// What stands before all that it tells, so that it is not taken for what the test harness says.
const TOLD: &str = "told: ";

/// Starts a process for a test that does a task, and returns what it tells.
pub fn spawned(test: &str, task: &impl Serialize) -> (Child, BufReader<ChildStdout>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(TASK, serde_json::to_string(task).unwrap())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let told = BufReader::new(child.stdout.take().unwrap());
    (child, told)
}

/// Returns the task of this process, if it was started for one.
pub fn task<T: DeserializeOwned>() -> Option<T> {
    std::env::var(TASK).ok().map(|task| serde_json::from_str(&task).unwrap())
}

/// Tells something to who started this process.
pub fn tell(what: &impl Serialize) {
    // The test harness keeps back what goes by `println!`.
    let mut out = std::io::stdout();
    out.write_all(format!("\n{TOLD}{}\n", serde_json::to_string(what).unwrap()).as_bytes()).unwrap();
    out.flush().unwrap();
}

/// Returns what a process tells next; `None` if it has ended.
pub fn heard<T: DeserializeOwned>(from: &mut BufReader<ChildStdout>) -> Option<T> {
    let mut lines = from.lines().map_while(Result::ok);
    lines.find_map(|line| line.strip_prefix(TOLD).map(|told| serde_json::from_str(told).unwrap()))
}
