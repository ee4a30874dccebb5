//! What parsing costs, an edit of one bullet, a compaction to nine tenths, and the gate for a candidate without every tenth line,
//! as ratios to a floor: a copy and a hash of the same text in the same run.
//!
//! Each row is four times the row above, and `growth` is how many times as long it took: 4 is linear. The medians of
//! interleaved rounds are shown. Nothing is asserted.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a table is the result")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use memdoc::{
    Authority, MemoryDoc, Policy, Replace, Request, Revision, Timestamp, View, document::InvalidSetting,
    document::Rules, edit::EditError, request::RequestError, request::Rewrite,
};
use thiserror::Error;

const SIZES: [usize; 5] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];
const ROUNDS: usize = 15;
/// How long the work on one size is repeated in one round, at least.
const ROUND: Duration = Duration::from_millis(40);

/// The lines of a section, repeated under other headings until the text is large enough.
const LINES: [&str; 10] = [
    "- [work] Deadline of part NUMBER: 12 December, load tables to Aiko (田中 愛子)\n",
    "- [ttl: 30d] Waits for the soil report NUMBER\n",
    "- Prefers trains to planes under six hours; window seat, quiet coach, see note NUMBER\n",
    "  with a continuation line that says where the note NUMBER came from\n",
    "- [x] Book the hotel near Tennōji, room NUMBER\n",
    "  - Contact: Dr. Żak, +48 22 555 NUMBER\n",
    "- [pinned, person] Sister's birthday in year NUMBER: 3 March\n",
    "\n",
    "A line of prose between the lists, as people write it, number NUMBER.\n",
    "\n",
];

fn main() -> ExitCode {
    // Without this flag, cargo only wants to know whether the benchmark runs.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let (sizes, rounds) = if is_bench { (&SIZES[..], ROUNDS) } else { (&SIZES[..2], 1) };
    match measure(sizes, rounds) {
        Ok(rows) => {
            print!("{}", table(&rows));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Why a benchmark could not be run.
#[derive(Debug, Error)]
enum BenchError {
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Policy(#[from] InvalidSetting),
}

/// What is measured against the floor.
const COLUMNS: [&str; 4] = ["parse", "replace", "compact", "gate"];

/// The medians of one size.
struct Row {
    bytes: usize,
    floor: Duration,
    columns: [Duration; COLUMNS.len()],
}

/// One size at work.
struct Subject {
    text: String,
    doc: MemoryDoc,
    /// The texts that the replacement turns into each other, so that every edit is made on the document of the one before.
    words: [&'static str; 2],
    /// The text without every tenth line that may go.
    candidate: String,
    repeats: u32,
    samples: [Vec<Duration>; 1 + COLUMNS.len()],
}

impl Subject {
    fn new(bytes: usize, rules: &Arc<Rules>) -> Self {
        let text = realistic(bytes);
        let doc = MemoryDoc::with_rules(text.as_str(), rules.clone());
        let may_go = |number: usize, line: &str| number % 10 == 9 && line.starts_with("- [work]");
        let candidate = text.split_inclusive('\n').enumerate().filter(|(number, line)| !may_go(*number, line));
        let candidate = candidate.map(|(_, line)| line).collect();
        let words = ["Lives in Denver", "Lives in Austin"];
        Self { text, doc, words, candidate, repeats: 1, samples: Default::default() }
    }

    /// Sets how often each piece of work is repeated in a round.
    fn calibrate(&mut self) -> Result<(), BenchError> {
        let once: Duration = self.times()?.iter().sum();
        let repeats = ROUND.as_nanos() / once.as_nanos().max(1);
        self.repeats = u32::try_from(repeats).unwrap_or(u32::MAX).max(2);
        Ok(())
    }

    fn round(&mut self) -> Result<(), BenchError> {
        let times = self.times()?;
        for (samples, time) in self.samples.iter_mut().zip(times) {
            samples.push(time);
        }
        Ok(())
    }

    fn times(&mut self) -> Result<[Duration; 1 + COLUMNS.len()], BenchError> {
        Ok([self.floor(), self.parse(), self.replace()?, self.compact()?, self.gate()?])
    }

    fn floor(&self) -> Duration {
        let start = Instant::now();
        for _ in 0..self.repeats {
            black_box(Revision::of(&black_box(&self.text).clone()));
        }
        start.elapsed() / self.repeats
    }

    fn parse(&self) -> Duration {
        let rules = self.doc.rules();
        let start = Instant::now();
        for _ in 0..self.repeats {
            black_box(MemoryDoc::with_rules(black_box(self.text.as_str()), rules.clone()));
        }
        start.elapsed() / self.repeats
    }

    fn replace(&mut self) -> Result<Duration, BenchError> {
        let start = Instant::now();
        for _ in 0..self.repeats {
            let [old, new] = self.words;
            let edit = Replace::new(old, new).plan(&View::current(&self.doc, Timestamp::default()))?;
            self.doc = self.doc.commit(&edit, Authority::Agent)?.doc;
            self.words = [new, old];
        }
        Ok(start.elapsed() / self.repeats)
    }

    fn compact(&self) -> Result<Duration, BenchError> {
        self.rewrite(&Rewrite::new("shorten").with_budget(self.doc.tokens() * 9 / 10))
    }

    fn gate(&self) -> Result<Duration, BenchError> {
        self.rewrite(&Rewrite::new("shorten").with_candidate(&*self.candidate))
    }

    fn rewrite(&self, request: &Rewrite) -> Result<Duration, BenchError> {
        let start = Instant::now();
        for _ in 0..self.repeats {
            black_box(request.plan(&View::current(&self.doc, Timestamp::default()))?);
        }
        Ok(start.elapsed() / self.repeats)
    }

    fn row(mut self) -> Row {
        let [floor, columns @ ..] = self.samples.each_mut().map(|samples| median(samples));
        Row { bytes: self.text.len(), floor, columns }
    }
}

fn measure(sizes: &[usize], rounds: usize) -> Result<Vec<Row>, BenchError> {
    let rules = Arc::new(Rules::new(Policy::default().with_max_bytes(4 << 20))?);
    let mut subjects: Vec<_> = sizes.iter().map(|bytes| Subject::new(*bytes, &rules)).collect();
    for subject in &mut subjects {
        subject.calibrate()?;
    }
    for _ in 0..rounds {
        for subject in &mut subjects {
            subject.round()?;
        }
    }
    Ok(subjects.into_iter().map(Subject::row).collect())
}

/// Writes sections of bullets, and one bullet in the middle that is there once.
fn realistic(bytes: usize) -> String {
    let mut text = String::from("# Memory\n\n## System/Policy\n\n- [pinned] Never store card numbers\n");
    let mut is_written = false;
    let mut number = 0;
    while text.len() < bytes {
        let _ = write!(text, "\n## Topic {number}\n\nProfile {number}: (ID: mem{number})\n");
        for line in LINES.iter().cycle().take(30) {
            number += 1;
            text.push_str(&line.replace("NUMBER", &number.to_string()));
        }
        if !is_written && text.len() >= bytes / 2 {
            text.push_str("- [home] Lives in Denver with her partner Tomás\n");
            is_written = true;
        }
    }
    text
}

fn median(samples: &mut [Duration]) -> Duration {
    samples.sort_unstable();
    samples.get(samples.len() / 2).copied().unwrap_or_default()
}

fn table(rows: &[Row]) -> String {
    let mut table = format!("{:>9} {:>10}", "KiB", "floor µs");
    for column in COLUMNS {
        let _ = write!(table, " {:>12} {:>8} {:>8}", format!("{column} µs"), "/ floor", "growth");
    }
    for (index, row) in rows.iter().enumerate() {
        let above = index.checked_sub(1).and_then(|above| rows.get(above));
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let _ = write!(table, "\n{:>9} {:>10.1}", row.bytes / 1024, micros(row.floor));
        for (column, time) in row.columns.iter().enumerate() {
            let before = above.and_then(|above| above.columns.get(column));
            let growth = before.map_or_else(|| "–".to_owned(), |before| format!("{:.2}", ratio(*time, *before)));
            let _ = write!(table, " {:>12.1} {:>8.2} {:>8}", micros(*time), ratio(*time, row.floor), growth);
        }
    }
    table + "\n"
}

fn ratio(time: Duration, floor: Duration) -> f64 {
    time.as_secs_f64() / floor.as_secs_f64().max(f64::EPSILON)
}
