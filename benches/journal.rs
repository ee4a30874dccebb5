//! What a commit, opening and an undo cost, as the journal grows: the median of each at lengths that are ten times the one before.
//! `growth` is how many times as long it took than at the length before: 1 is no growth. Nothing is asserted.
//!
//! Syncing takes what the disk takes: a directory in memory, named as `MEMDOC_BENCH_DIRECTORY`, shows the rest.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a table is the result")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use memdoc::memory::journal::Seq;
use memdoc::memory::{Actor, RequestId, Undo};
use memdoc::{Basis, DocName, FileStore, InMemoryStore, Memory, Operation, Origin, Policy, Replace, Store};

/// How often each is measured.
const ROUNDS: usize = 25;

fn main() -> ExitCode {
    // Without this flag, cargo only wants to know whether the benchmark runs.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let (lengths, documents): (&[usize], usize) =
        if is_bench { (&[1_000, 10_000, 100_000], 5_000) } else { (&[10, 20], 20) };
    match measure(lengths, documents) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(lengths: &[usize], documents: usize) -> Result<(), Box<dyn Error>> {
    println!(
        "{:<10} {:>9} {:>10} {:>12} {:>7} {:>12} {:>12}",
        "store", "entries", "documents", "commit", "growth", "open", "undo"
    );
    let base = directory();
    let mut row = Row::default();
    let store = std::sync::Arc::new(InMemoryStore::new());
    for &length in lengths {
        row = grown(&|| Ok(Box::new(store.clone())), length, 1)?.shown("in memory", row);
    }
    let single = base.join("single");
    row = Row::default();
    for &length in lengths {
        row = grown(&|| opened(&single), length, 1)?.shown("files", row);
    }
    let many = base.join("many");
    grown(&|| opened(&many), 3 * documents, documents)?.shown("files", row);
    std::fs::remove_dir_all(&base)?;
    Ok(())
}

type Opening<'a> = &'a dyn Fn() -> Result<Box<dyn Store>, Box<dyn Error>>;

fn opened(directory: &Path) -> Result<Box<dyn Store>, Box<dyn Error>> {
    Ok(Box::new(FileStore::open(directory)?))
}

fn directory() -> PathBuf {
    let base = std::env::var_os("MEMDOC_BENCH_DIRECTORY").map_or_else(std::env::temp_dir, PathBuf::from);
    base.join(format!("memdoc-bench-{}", std::process::id()))
}

/// What was measured.
#[derive(Clone, Copy, Default)]
struct Row {
    entries: u64,
    documents: usize,
    commit: Duration,
    open: Duration,
    undo: Duration,
}

impl Row {
    fn shown(self, store: &str, before: Self) -> Self {
        let growth = if before.entries == 0 || before.documents != self.documents {
            String::new()
        } else {
            format!("{:.2}", self.commit.as_secs_f64() / before.commit.as_secs_f64())
        };
        let Self { entries, documents, commit, open, undo } = self;
        println!("{store:<10} {entries:>9} {documents:>10} {commit:>12.1?} {growth:>7} {open:>12.1?} {undo:>12.1?}");
        self
    }
}

/// Lets a journal grow to so many entries, in turn over so many documents, and measures at its end.
fn grown(open: Opening<'_>, length: usize, documents: usize) -> Result<Row, Box<dyn Error>> {
    let memory = Memory::new(open()?, Policy::default().with_new_documents())?;
    let names: Vec<DocName> = (0..documents).map(|nth| format!("doc{nth}").parse()).collect::<Result<_, _>>()?;
    for name in &names {
        memory.seed(name, &"- Some line that stays as it is\n".repeat(40).replacen("Some", "x0x", 1))?;
    }
    let mut nth = usize::try_from(memory.head()?.seq.get())?;
    while memory.head()?.seq < Seq::new(u64::try_from(length)?) {
        edit(&memory, &names[nth % documents], nth)?;
        nth += 1;
    }
    let mut times: [Vec<Duration>; 3] = Default::default();
    for round in 0..ROUNDS {
        let name = &names[(nth + round) % documents];
        times[0].push(timed(|| edit(&memory, name, nth + round))?);
        times[1].push(timed(|| Ok(Memory::new(open()?, Policy::default())?.read(name).map(drop)?))?);
        let seq = memory.head()?.seq;
        times[2].push(timed(|| Ok(memory.undo(Undo::Entry(seq), &origin()?).map(drop)?))?);
    }
    let [commit, open, undo] = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    });
    Ok(Row { entries: memory.head()?.seq.get(), documents, commit, open, undo })
}

fn timed(work: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<Duration, Box<dyn Error>> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed())
}

fn origin() -> Result<Origin, Box<dyn Error>> {
    Ok(Origin::new("bench".parse::<Actor>()?, "replace"))
}

/// Puts another number into the one line that has one.
fn edit(memory: &Memory, name: &DocName, nth: usize) -> Result<(), Box<dyn Error>> {
    let doc = memory.read(name)?;
    let old = doc.text().split('\n').next().unwrap_or_default().to_owned();
    let request = Replace::new(old, format!("- x{nth}x line that stays as it is"));
    let operation = Operation::edit(name.clone(), Basis::Anything, &request);
    memory.apply(&[operation], &origin()?, RequestId::new("bench", &nth.into()))?;
    Ok(())
}
