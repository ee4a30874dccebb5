//! An agent's life: a thousand edits of one memory, of which none may cost more than the first ones.

use std::hint::black_box;

use memdoc::{DocName, InMemoryStore, Memory, Revision, Status, Store, Toolbox};
use serde_json::json;

use super::Failure;
use super::documents::{Place, SIZES, memory, policy};
use super::figures::{Run, median, print, timed};

const CALLS: usize = 1000;
/// How many calls are looked at around the tenth, and at the end.
const WINDOW: usize = 10;
const LIVES: usize = 3;

/// Whether the agent reads its memory before each edit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    Once,
    Always,
}

pub(super) fn measure(run: &mut Run) -> Result<(), Failure> {
    let text = memory(SIZES[1].bytes, 1);
    let in_memory = || Ok(InMemoryStore::new().with(DocName::memory(), text.as_str()));
    for (reads, name) in [(Reads::Once, "in memory"), (Reads::Always, "in memory, reading before each call")] {
        if run.wants(&format!("life {name}")) {
            lives(run, name, reads, in_memory)?;
        }
    }
    #[cfg(unix)]
    for (reads, name) in [(Reads::Once, "in files"), (Reads::Always, "in files, reading before each call")] {
        if run.wants(&format!("life {name}")) {
            let directory = Directory::new()?;
            lives(run, name, reads, || directory.store(&text))?;
        }
    }
    Ok(())
}

/// Lives several lives in which only the store differs.
fn lives<S: Store + 'static>(
    run: &Run,
    name: &str,
    reads: Reads,
    mut store: impl FnMut() -> Result<S, Failure>,
) -> Result<(), Failure> {
    let (mut early, mut late, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    let calls = if run.is_short() { 2 * WINDOW } else { CALLS };
    for _ in 0..if run.is_short() { 1 } else { LIVES } {
        let times = life(store()?, reads, calls)?;
        early.extend(times.iter().skip(WINDOW / 2).take(WINDOW));
        late.extend(times.iter().rev().take(WINDOW));
        whole.push(times.iter().sum());
    }
    print(&format!("life {name}: call {calls} / call 10"), [median(&mut late), median(&mut early)], Some(1.1));
    let text = memory(SIZES[1].bytes, 1);
    let mut floor = || {
        black_box(Revision::of(&black_box(&text).clone()));
        Ok(())
    };
    let floor = timed(&mut floor, 100)? * f64::from(u32::try_from(calls)?);
    print(&format!("life {name}: {calls} calls"), [median(&mut whole), floor], Some(3.0));
    Ok(())
}

/// Returns what each call of a life takes.
fn life(store: impl Store + 'static, reads: Reads, calls: usize) -> Result<Vec<f64>, Failure> {
    let mut toolbox = Toolbox::new(Memory::new(store, policy())?);
    toolbox.call("memory_read", &json!({}));
    let mut word = Place::Middle.words()[0].to_owned();
    let mut times = Vec::with_capacity(calls);
    for number in 0..calls {
        let next = format!("place {number:04}");
        if reads == Reads::Always {
            toolbox.call("memory_read", &json!({}));
        }
        let arguments = json!({"old_string": word, "new_string": next});
        let mut call = || match toolbox.call("replace_in_memory", &arguments) {
            reply if reply.status() == Status::Committed => Ok(()),
            reply => Err(reply.to_json().to_string().into()),
        };
        times.push(timed(&mut call, 1)?);
        word = next;
    }
    Ok(times)
}

/// A directory of this run, in which each memory has one of its own.
#[cfg(unix)]
struct Directory {
    path: std::path::PathBuf,
    made: std::cell::Cell<usize>,
}

#[cfg(unix)]
impl Directory {
    fn new() -> Result<Self, Failure> {
        let path = std::env::temp_dir().join(format!("memdoc-floor-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self { path, made: std::cell::Cell::new(0) })
    }

    fn store(&self, text: &str) -> Result<memdoc::FileStore, Failure> {
        self.made.set(self.made.get() + 1);
        let path = self.path.join(self.made.get().to_string());
        std::fs::create_dir_all(&path)?;
        std::fs::write(path.join("memory.md"), text)?;
        Ok(memdoc::FileStore::open(&path)?)
    }
}

#[cfg(unix)]
impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
