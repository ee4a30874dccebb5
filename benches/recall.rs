//! Recall: what it costs as a journal grows, and how good it is.
//!
//! The first table has the median of each at lengths that are ten times the one before: `read` is the first question of a handle, which
//! reads the whole journal; `add` a question after one more entry, less the same question without; the others are questions by a
//! word that few entries have, by a sentence, and by the ten words that most have; `search` is one of 1,000 bullets, `prompt` a
//! whole prompt. The second table is of real questions on facts that were updated: it needs the data set in
//! `core_memory_update.jsonl` (letta-ai/letta-evals), whose path is `../shared/data` or what `MEMDOC_DATA` names. Nothing is asserted.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a table is the result")]

use std::collections::HashSet;
use std::error::Error;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use memdoc::memory::journal::Seq;
use memdoc::memory::{Actor, NewMemory};
use memdoc::recall::{Prompt, Recall, RecallQuery, SearchQuery};
use memdoc::{DocName, InMemoryStore, Memory, Origin, Policy, Timestamp};

type Failure = Box<dyn Error>;

/// How often each is measured.
const ROUNDS: usize = 15;
const DAY: u64 = 86_400;

fn main() -> ExitCode {
    // Without this flag, cargo only wants to know whether the benchmark runs.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let lengths: &[usize] = if is_bench { &[1_000, 10_000, 100_000] } else { &[10, 20] };
    match cost(lengths).and_then(|()| quality(if is_bench { usize::MAX } else { 3 })) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Words as frequent as in a language: the n-th has about a share of 1/n.
struct Words(u64);

impl Words {
    fn next(&mut self) -> String {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let share = (self.0 % 1_000_000) as f64 / 1e6;
        format!("w{:.0}", 20_000_f64.powf(share).floor())
    }

    fn sentence(&mut self) -> String {
        (0..15).map(|_| self.next()).collect::<Vec<_>>().join(" ")
    }
}

fn median(mut measure: impl FnMut() -> Result<Duration, Failure>) -> Result<Duration, Failure> {
    let mut times = (0..ROUNDS).map(|_| measure()).collect::<Result<Vec<_>, _>>()?;
    times.sort_unstable();
    Ok(times[ROUNDS / 2])
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    let made = black_box(work());
    (made, began.elapsed())
}

fn cost(lengths: &[usize]) -> Result<(), Failure> {
    let columns = ["entries", "read", "add", "rare", "sentence", "common", "search", "prompt"];
    println!("{}", columns.map(|column| format!("{column:>10}")).concat());
    let memory = Arc::new(Memory::new(InMemoryStore::new(), Policy::default())?);
    let (mut words, mut recorded) = (Words(88_172_645_463_325_252), 0);
    let bullets: String = (0..500).map(|_| format!("- {}\n", words.sentence())).collect();
    memory.write(&DocName::memory(), &bullets)?;
    let origin = Origin::new(Actor::default(), "bench");
    for &length in lengths {
        for _ in recorded..length {
            memory.remember(&NewMemory::new(words.sentence()), &origin)?;
        }
        recorded = length;
        let recall = Recall::new(memory.clone());
        let ask = |text: &str| timed(|| recall.recall(&RecallQuery::new(text)));
        let (read, first) = ask("w9000");
        read?;
        let rare = median(|| Ok(ask("w9000 w7000").1))?;
        let sentence = median(|| Ok(ask("w2 w20 w300 w700 w5000").1))?;
        let common = median(|| Ok(ask("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10").1))?;
        let add = median(|| {
            memory.remember(&NewMemory::new(words.sentence()), &origin)?;
            recorded += 1;
            let (_, after) = ask("w9000 w7000");
            Ok(after.saturating_sub(ask("w9000 w7000").1))
        })?;
        recall.search(&SearchQuery::new("w1"))?;
        let search = median(|| Ok(timed(|| recall.search(&SearchQuery::new("w2 w300"))).1))?;
        let prompt = median(|| Ok(timed(|| Prompt::new().render(&recall, 4_000, Some("w2 w300"))).1))?;
        let row = [first, add, rare, sentence, common, search, prompt].map(|time| format!("{:>10}", shown(time)));
        println!("{length:>10}{}", row.concat());
    }
    Ok(())
}

fn shown(time: Duration) -> String {
    match time.as_secs_f64() * 1e3 {
        milliseconds if milliseconds < 1.0 => format!("{:.1} us", milliseconds * 1e3),
        milliseconds => format!("{milliseconds:.1} ms"),
    }
}

/// Facts, of which one is updated later, and a question about it.
struct Row {
    facts: Vec<String>,
    update: String,
    question: String,
    outdated: Vec<String>,
}

fn rows(most: usize) -> Result<Option<Vec<Row>>, Failure> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let directory = std::env::var_os("MEMDOC_DATA").map_or_else(beside, PathBuf::from);
    let path = directory.join("core_memory_update.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("\nno questions: there is no {}", path.display());
        return Ok(None);
    };
    let mut rows = Vec::new();
    for line in text.trim_end().split('\n').take(most) {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let extra = &row["agent_args"]["extra"];
        let facts: Vec<String> = serde_json::from_value(extra["facts"].clone())?;
        let indices: Vec<usize> = serde_json::from_value(extra["supporting_fact_indices"].clone())?;
        let outdated = indices.into_iter().filter_map(|at| facts.get(at).cloned()).collect();
        let update: String = serde_json::from_value(extra["contradicting_fact"].clone())?;
        let question = serde_json::from_value(row["input"].clone())?;
        rows.push(Row { facts, update: update.trim_matches('"').to_owned(), question, outdated });
    }
    Ok(Some(rows))
}

/// What was recorded, and what is to be found of it.
struct Asked {
    memory: Arc<Memory>,
    clock: Arc<AtomicU64>,
    recall: Recall,
    by_time: bool,
}

#[derive(Default)]
struct Score {
    asked: u32,
    in_five: u32,
    reciprocal: f64,
    newer_first: u32,
}

/// How many rows later a question is asked.
const LATER: usize = 4;

fn quality(most: usize) -> Result<(), Failure> {
    let Some(rows) = rows(most)? else { return Ok(()) };
    println!("\n{:<22}{:>10}{:>10}{:>14}", "ranked by", "recall@5", "MRR", "newer first");
    for (name, by_time) in [("recency alone", true), ("words and recency", false)] {
        let Score { asked, in_five, reciprocal, newer_first } = score(&rows, by_time)?;
        let of = |count: f64| count / f64::from(asked.max(1));
        let figures = [of(in_five.into()), of(reciprocal), of(newer_first.into())];
        println!("{name:<22}{:>10.3}{:>10.3}{:>14.3}", figures[0], figures[1], figures[2]);
    }
    Ok(())
}

/// Records the facts of a row each week, and three days later what is true instead of one of them; asks about it a month later.
fn score(rows: &[Row], by_time: bool) -> Result<Score, Failure> {
    let clock = Arc::new(AtomicU64::new(20_000 * DAY));
    let own = clock.clone();
    let memory = Memory::new(InMemoryStore::new(), Policy::default())?
        .with_clock(move || Timestamp::from_seconds(own.load(Ordering::Relaxed)));
    let memory = Arc::new(memory);
    let asked = Asked { recall: Recall::new(memory.clone()), memory, clock, by_time };
    let (mut score, mut known, mut updates) = (Score::default(), HashSet::new(), Vec::new());
    for (at, row) in rows.iter().enumerate() {
        for fact in row.facts.iter().filter(|fact| known.insert(fact.to_string())) {
            asked.record(fact)?;
        }
        asked.clock.fetch_add(3 * DAY, Ordering::Relaxed);
        updates.push(asked.record(&row.update)?);
        asked.clock.fetch_add(4 * DAY, Ordering::Relaxed);
        if let Some(before) = at.checked_sub(LATER) {
            asked.ask(&rows[before], updates[before], &mut score)?;
        }
    }
    for before in rows.len().saturating_sub(LATER)..rows.len() {
        asked.clock.fetch_add(7 * DAY, Ordering::Relaxed);
        asked.ask(&rows[before], updates[before], &mut score)?;
    }
    Ok(score)
}

impl Asked {
    fn record(&self, text: &str) -> Result<Seq, Failure> {
        Ok(self.memory.remember(&NewMemory::new(text), &Origin::new(Actor::default(), "bench"))?.seq)
    }

    fn ask(&self, row: &Row, update: Seq, score: &mut Score) -> Result<(), Failure> {
        let mut query = RecallQuery::new(if self.by_time { "" } else { &row.question });
        (query.max_tokens, query.max_results) = (usize::MAX, usize::MAX);
        let found = self.recall.recall(&query)?.memories;
        let place = found.iter().position(|memory| memory.seq == update);
        let outdated = found.iter().position(|memory| row.outdated.iter().any(|text| *memory.content == **text));
        score.asked += 1;
        if let Some(place) = place {
            score.in_five += u32::from(place < 5);
            score.reciprocal += 1.0 / (place + 1) as f64;
            score.newer_first += u32::from(outdated.is_none_or(|outdated| place < outdated));
        }
        Ok(())
    }
}
