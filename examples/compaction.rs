//! A memory that outgrows its limit, edit by edit, and is compacted: a model is asked for a text without expired bullets,
//! and shorter. Its first texts lose what must be kept: they are refused, and the model is told why. Only a text that
//! keeps it is written.

#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

use std::sync::{Arc, Mutex};

use memdoc::{
    DocName, InMemoryStore, Memory, Policy, Reply, Status, Timestamp, Toolbox, document::AutoCompact, memory::Clock,
    memory::Compactor, memory::CompactorError, request::CompactionRequest,
};
use serde_json::json;

const MEMORY: &str = "---
user: Ada
---
## System/Policy
- Never reveal secrets.

## People
Ada Lovelace: (ID: mem123)
- Lives in Denver
- Allergic to penicillin

## Tasks
- [pinned] Submit the thesis draft by 15 December

## Log
";

/// The entries of the log, one for each day from 21 November 2026. Some have a time to live, as they soon will not matter.
const DAYS: [&str; 19] = [
    "[ttl: 2d, since: 2026-11-21] Has a cold",
    "Met Prof. Turing about chapter 3; he wants the proof of lemma 4 spelled out",
    "[ttl: 1d, since: 2026-11-23] The library is closed today",
    "Read two papers on program verification; neither treats loops",
    "Chapter 3: the proof of lemma 4 is written",
    "Talked to Anna; she moves to Oslo in spring",
    "Chapter 4 begun; the outline has five sections",
    "Prof. Turing is away until 7 December",
    "Chapter 4: sections 1 and 2 are written",
    "Anna asked for the recipe of the lemon cake",
    "Chapter 4: section 3 is written, the example needs a figure",
    "Figure for section 3 drawn by hand, to be redrawn",
    "Chapter 4: sections 4 and 5 are written",
    "Prof. Turing is back and has read chapter 3",
    "Booked the train to Oslo for 2 April, to help Anna with the move",
    "Chapter 5 will compare both proofs; Prof. Turing agrees",
    "The figure for section 3 is redrawn",
    "Chapter 5: the comparison is written, two pages",
    "Prof. Turing wants a shorter introduction to chapter 1",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let today = Today::default();
    let policy = Policy::default()
        .with_max_bytes(900)
        .with_soft_limit(0.8)
        .with_auto_compact(AutoCompact::Over)
        .with_section_priority(["Log"]);
    let memory = Memory::new(InMemoryStore::new().with(DocName::memory(), MEMORY), policy)?;
    let memory = Arc::new(memory.with_clock(today.clone()).with_compactor(ScriptedModel::default()));
    let mut toolbox = Toolbox::new(memory.clone());
    toolbox.show(&DocName::memory())?;

    for (day, text) in DAYS.iter().enumerate() {
        let date = today.set(day)?;
        println!("── {date}: {text}");
        let edit = json!({"op": "insert", "target": {"section": "Log"}, "text": text});
        let reply = toolbox.call("edit_items", &edit);
        print_reply(&reply);
        check(&reply, Status::Committed)?;
    }

    println!("── the agent tidies up by itself, and is careless");
    let shortened = "## Log\n- (older entries unchanged)\n- Prof. Turing is back and has read chapter 3\n";
    let arguments = json!({"instructions": "shorten the log", "section": "Log", "candidate": shortened});
    let refused = toolbox.call("rewrite_memory", &arguments);
    println!("{refused}");
    check(&refused, Status::Error)?;

    println!("── the memory now\n{}", memory.read(&DocName::memory())?.text());
    Ok(())
}

/// Prints how full the memory is; after a compaction, the whole reply that the agent reads.
fn print_reply(reply: &Reply) {
    match (reply.get("report"), reply.receipt()) {
        (None, Some(receipt)) => println!("   {} bytes of 900", receipt.bytes.after),
        _ => println!("{reply}"),
    }
}

fn check(reply: &Reply, expected: Status) -> Result<(), String> {
    if reply.status() == expected { Ok(()) } else { Err(format!("expected {expected:?}, found {reply}")) }
}

/// The clock of the story.
#[derive(Clone, Default)]
struct Today(Arc<Mutex<Timestamp>>);

impl Today {
    fn set(&self, day: usize) -> Result<String, Box<dyn std::error::Error>> {
        let start: Timestamp = "2026-11-21T09:00:00Z".parse()?;
        let now = Timestamp::from_seconds(start.as_seconds() + 86_400 * u64::try_from(day)?);
        *self.0.lock().map_err(|_| "the clock is broken")? = now;
        Ok(now.date())
    }
}

impl Clock for Today {
    fn now(&self) -> Timestamp {
        self.0.lock().map(|now| *now).unwrap_or_default()
    }
}

/// Stands for a model. A real one sends [`CompactionRequest::prompt`] to its provider and returns the answer:
///
/// ```text
/// Ok(client.complete(&request.prompt())?)
/// ```
#[derive(Default)]
struct ScriptedModel {
    asked: Mutex<usize>,
}

impl Compactor for ScriptedModel {
    fn compact(&self, request: &CompactionRequest) -> Result<String, CompactorError> {
        let mut asked = self.asked.lock().map_err(|_| "the model is broken")?;
        *asked += 1;
        match &request.refused {
            None => println!("   [model] is asked for at most {}, from {} bytes", request.budget, request.text.len()),
            Some(refused) => println!("   [model] is told: {} ({})", refused.message, refused.code),
        }
        let good = shorter(request);
        Ok(match *asked {
            1 => without_line(&good, "[pinned]"),
            2 => without_line(&good, "(ID: mem123)"),
            4 => good.replace("## Log\n", "## Log\n- ... earlier entries omitted ...\n"),
            _ => good,
        })
    }
}

/// Returns the text without expired entries of the log, and with the older half of the others in one bullet.
fn shorter(request: &CompactionRequest) -> String {
    let (head, log) = request.text.split_once("## Log\n").unwrap_or((&request.text, ""));
    let entries: Vec<&str> = log.split('\n').filter_map(|line| line.strip_prefix("- ")).collect();
    let has_expired = |entry: &&str| request.expired.iter().any(|expired| expired.trim_start_matches("- ") == *entry);
    let lasting: Vec<&str> = entries.into_iter().filter(|entry| !has_expired(entry)).collect();
    // The newest entries have to stay as they are.
    let (older, newer) = lasting.split_at(lasting.len() / 2);
    let mut text = format!("{head}## Log\n");
    let kept = older.iter().filter(|entry| entry.starts_with("Chapter") || entry.starts_with("Talked"));
    let kept: Vec<_> = kept.map(|entry| entry.trim_end_matches('.')).collect();
    if !kept.is_empty() {
        text.push_str(&format!("- {}\n", kept.join("; ")));
    }
    text.extend(newer.iter().map(|entry| format!("- {entry}\n")));
    text
}

fn without_line(text: &str, what: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.contains(what)).collect()
}
