//! What hostile inputs cost: no call may grow faster than the text and the request that it is given.
//!
//! Each family writes a document and a call of as many bytes, made to be slow for one rule or another. Shown are the milliseconds of
//! one call at three sizes, each four times the one before, and the greater growth of the two steps: 4 is linear. A call on 64 KiB
//! is to take at most 50 ms, and a step at most 5 times; what is above is measured again. Each time is the least of several, by the
//! clock on the wall: what the processor gave is told in ticks of milliseconds on some machines. Nothing is asserted: a machine that is
//! busy with other things has slow memory, too.
//!
//! A step on which the work leaves a cache is longer: on a machine with 1 MiB of second-level cache, to clone and free a JSON value takes
//! 4.3 times as long at 64 KiB as at 16, 7 to 9 times at 256 KiB, and 5 to 8 times at 1 MiB. That is the floor, measured in the same
//! run and shown first: a step counts by how much longer it is than four times, or than the floor's where that is more. Where one is
//! above 5 so, the step to 1 MiB is shown as well, and is what counts. What is quadratic is above at the first step, where the floor is
//! linear.
//!
//! Measured is what memdoc does, not how often the system hands out the same pages: glibc gives back what is above 128 KiB, and
//! gets it back page by page, zeroed, so that the step from 64 to 256 KiB alone would cost up to three times as much again. Where
//! glibc is, the benchmark starts itself anew with an allocator that keeps what it has.
//!
//! `cargo bench --bench cost` shows what is above that; with `-- --all` everything, with `-- 'equal lines / validate'` what has
//! this in its name.

#![expect(clippy::print_stdout, reason = "a table is the result")]

use std::hint::black_box;
use std::io;
use std::process::{Command, ExitCode, ExitStatus};
use std::time::{Duration, Instant};

use memdoc::{Reply, Toolbox, recall::Prompt};
use serde_json::json;

#[path = "../tests/support/hostile_calls.rs"]
#[allow(missing_docs, clippy::unwrap_used, reason = "shared with a test, on documents of our own")]
pub mod hostile_calls;
#[path = "../tests/support/hostile_pairs.rs"]
#[allow(missing_docs, clippy::unwrap_used, reason = "shared with a test, on documents of our own")]
pub mod hostile_pairs;
#[path = "../tests/support/hostile_patches.rs"]
#[allow(missing_docs, clippy::unwrap_used, reason = "shared with a test, on documents of our own")]
pub mod hostile_patches;
#[path = "../tests/support/hostile_scenes.rs"]
#[allow(missing_docs, clippy::unwrap_used, reason = "shared with a test, on documents of our own")]
pub mod hostile_scenes;
#[path = "../tests/support/hostile_sections.rs"]
#[allow(missing_docs, clippy::unwrap_used, reason = "shared with a test, on documents of our own")]
pub mod hostile_sections;
#[path = "../tests/support/hostile_sessions.rs"]
#[allow(missing_docs, clippy::unwrap_used, reason = "shared with a test, on documents of our own")]
pub mod hostile_sessions;

use hostile_calls::{FAMILIES, Family, Scene, plain, toolbox};
use hostile_pairs::{Pair, pairs};
use hostile_scenes::{SCENES, beginning, remember};

const SIZES: [usize; 3] = [16 << 10, 64 << 10, 256 << 10];
/// How long each figure is repeated, at least, and how often.
const PATIENCE: Duration = Duration::from_millis(100);
const TIMES: u32 = 3;
/// How often a row is measured at most, while it is above one of these.
const ROUNDS: usize = 6;
/// The growth of a step, and the milliseconds of a call on 64 KiB.
const GROWTH: f64 = 5.0;
const LONG: f64 = 50.0;

/// How much is measured, and what is shown of it.
struct Run {
    sizes: &'static [usize],
    patience: Duration,
    times: u32,
    /// Of the calls on a document, one in so many is made; every document is met.
    every: usize,
    /// The milliseconds of the floor at each size, and at four times the last.
    floor: Vec<f64>,
    /// What a name must contain.
    filter: String,
    shows_all: bool,
}

impl Run {
    fn asked_for() -> Self {
        let arguments: Vec<_> = std::env::args().skip(1).collect();
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        let filter = arguments.iter().find(|argument| !argument.starts_with("--")).cloned().unwrap_or_default();
        // Without this flag, cargo only wants to know whether the benchmark runs.
        let (sizes, patience, times, every) = if has("--bench") {
            (SIZES.as_slice(), PATIENCE, TIMES, 1)
        } else {
            ([1 << 10].as_slice(), Duration::ZERO, 1, 8)
        };
        let floor = sizes.iter().copied().chain(sizes.last().map(|bytes| 4 * bytes)).map(cloned).collect();
        Self { sizes, patience, times, every, floor, filter, shows_all: has("--all") }
    }

    fn measure(&self) {
        println!(
            "{:<28} {:<28} {:>9} {:>9} {:>9} {:>7} {:>7}",
            "document", "call", "16 KiB", "64 KiB", "256 KiB", "growth", "to 1 MiB"
        );
        println!("{:<57} {}", "the floor", self.floor.iter().map(|time| format!("{time:>9.2}")).collect::<String>());
        for (shift, family) in FAMILIES.iter().enumerate() {
            for scene in plain().chain(SCENES.iter().copied()).skip(shift % self.every).step_by(self.every) {
                if format!("{} / {}", family.name, scene.name).contains(&self.filter) {
                    self.row(family, &scene);
                }
            }
            if format!("{} / prompt", family.name).contains(&self.filter) {
                self.prompt(family);
            }
        }
        for scene in hostile_sessions::SCENES {
            let family = &hostile_sessions::FAMILY;
            if format!("{} / {}", family.name, scene.name).contains(&self.filter) {
                self.row(family, scene);
            }
        }
        pairs().filter(|pair| pair.name.contains(&self.filter)).for_each(|pair| self.pair(pair));
    }

    fn row(&self, family: &Family, scene: &Scene) {
        self.tell(family.name, scene.name, |bytes| {
            let document = (family.write)(bytes);
            let arguments = (scene.arguments)(&document, bytes);
            let prepared = || {
                let mut toolbox = toolbox(&document);
                (scene.prepare)(&mut toolbox, bytes);
                toolbox
            };
            self.time(prepared, |toolbox| outcome(&black_box(toolbox.call(scene.tool, &arguments))))
        })
    }

    fn pair(&self, pair: &Pair) {
        self.tell(pair.name, "", |bytes| {
            let call = pair.call(bytes);
            self.time(|| pair.toolbox(bytes), |toolbox| outcome(&black_box(call(toolbox))))
        })
    }

    /// Times what a host puts before a conversation: the document, and what is recalled for a message as long as it is.
    fn prompt(&self, family: &Family) {
        self.tell(family.name, "prompt", |bytes| {
            let document = (family.write)(bytes);
            let message = beginning(&document, bytes);
            let prepared = || {
                let mut toolbox = toolbox(&document);
                remember(&mut toolbox, bytes);
                toolbox
            };
            self.time(prepared, |toolbox| {
                black_box(toolbox.prompt(&Prompt::new(), bytes / 8, Some(&message)))
                    .map_or_else(|error| error.to_string(), |_| "Rendered".to_owned())
            })
        })
    }

    /// Measures at each size, and tells what is too long. What seems so is measured again, a few times: the least counts.
    fn tell(&self, document: &str, name: &str, measured: impl Fn(usize) -> (Duration, String)) {
        let (mut times, mut outcome) = (Vec::<f64>::new(), String::new());
        let slack = |nth: usize| self.floor.get(nth..nth + 2).map_or(1.0, |pair| (pair[1] / pair[0] / 4.0).max(1.0));
        let step = |nth: usize, from: f64, to: f64| to / from.max(0.05) / slack(nth);
        let steps =
            |times: &[f64]| times.windows(2).enumerate().map(|(nth, pair)| step(nth, pair[0], pair[1])).collect();
        let grown = |times: &[f64]| Vec::into_iter(steps(times)).fold(0.0, f64::max);
        for _ in 0..ROUNDS {
            for (nth, bytes) in self.sizes.iter().enumerate() {
                let (took, told) = measured(*bytes);
                let least = times.get(nth).map_or(f64::MAX, |time| *time).min(took.as_secs_f64() * 1e3);
                if nth < times.len() {
                    times[nth] = least
                } else {
                    times.push(least)
                }
                outcome = told;
                if took > Duration::from_secs(2) {
                    break;
                }
            }
            if grown(&times) <= GROWTH && times.get(1).is_none_or(|time| *time <= LONG) {
                break;
            }
        }
        let growth = grown(&times);
        let middle = times.get(1).copied().unwrap_or(0.0);
        // What is not linear is longer at the next step, too.
        let next = self.sizes.last().filter(|_| growth > GROWTH && times.len() == self.sizes.len()).map(|bytes| {
            let (took, _) = (0..TIMES).map(|_| measured(4 * bytes)).min().unwrap_or_default();
            step(self.sizes.len() - 1, times.last().copied().unwrap_or(f64::MAX), took.as_secs_f64() * 1e3)
        });
        let is_bad = next.unwrap_or(growth) > GROWTH || middle > LONG || times.len() < self.sizes.len();
        if self.shows_all || is_bad {
            let at = |nth: usize| times.get(nth).map_or_else(|| "–".to_owned(), |time| format!("{time:.2}"));
            let bad = if is_bad { " <<<" } else { "" };
            let (one, two, three) = (at(0), at(1), at(2));
            let next = next.map_or_else(|| " ".repeat(7), |next| format!("{next:>7.2}"));
            println!("{:<28} {:<28} {one:>9} {two:>9} {three:>9} {growth:>7.2} {next} {outcome}{bad}", document, name);
        }
    }

    /// Does it again and again, each time on the document as it was, and returns the least time and how it ends.
    fn time(&self, prepared: impl Fn() -> Toolbox, act: impl Fn(&mut Toolbox) -> String) -> (Duration, String) {
        let (mut least, mut outcome) = (Duration::MAX, String::new());
        let (mut calls, begun) = (0, Instant::now());
        while calls < self.times || begun.elapsed() < self.patience {
            let mut toolbox = prepared();
            let start = Instant::now();
            outcome = act(&mut toolbox);
            least = least.min(start.elapsed());
            calls += 1;
        }
        (least, outcome)
    }
}

/// Returns how many milliseconds it takes to clone and free a JSON value of about so many bytes, at least.
fn cloned(bytes: usize) -> f64 {
    let fact = |i: usize| json!({"op": "insert", "target": {"contains": format!("fact {i}")}, "text": "x"});
    let value: Vec<_> = (0..bytes / 70).map(fact).collect();
    let time = |_| {
        let start = Instant::now();
        drop(black_box(value.clone()));
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..20).map(time).fold(f64::MAX, f64::min)
}

/// Returns how a call ends.
fn outcome(reply: &Reply) -> String {
    reply.code().map_or_else(|| format!("{:?}", reply.status()), |code| code.to_string())
}

/// What tells glibc to keep what it was given.
const KEEPS_PAGES: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=17179869184:glibc.malloc.top_pad=67108864",
);

/// Runs this program once more where pages are kept, and returns how it ended; `None` where that was done already.
fn kept_pages() -> io::Result<Option<ExitStatus>> {
    let (name, value) = KEEPS_PAGES;
    if cfg!(not(target_env = "gnu")) || std::env::var_os(name).is_some() {
        return Ok(None);
    }
    let arguments = std::env::args_os().skip(1);
    Command::new(std::env::current_exe()?).args(arguments).env(name, value).status().map(Some)
}

fn main() -> io::Result<ExitCode> {
    match kept_pages()? {
        Some(status) => Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
        None => {
            Run::asked_for().measure();
            Ok(ExitCode::SUCCESS)
        }
    }
}
