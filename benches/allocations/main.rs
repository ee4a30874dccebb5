//! What a call of a tool and a commit allocate: a program of its own, as an allocator that counts takes its time.
//!
//! One JSON line per figure: `{"name", "allocations" or "peak", "goal"}`; a peak is given in sizes of the text. Nothing is asserted.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "figures are the result")]

#[path = "../floor/agent.rs"]
mod agent;
#[path = "../floor/documents.rs"]
mod documents;

use std::error::Error;
use std::process::ExitCode;

use agent::{Agent, Write, items_edited, patches, replaces};
use documents::{Place, SIZES, Size, documents, memory};
use memdoc::{Authority, MemoryDoc, Replace, Request, Timestamp, View};
use serde_json::json;

/// What is to be measured is refused.
type Failure = Box<dyn Error>;

/// How many allocations a call may make, whatever the document's size.
const GOAL: u64 = 200;
/// How many times the text a commit may hold at once.
const PEAK: f64 = 3.0;

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), Failure> {
    for size in SIZES {
        calls(size, "replace_in_memory", replaces)?;
        calls(size, "patch_memory", patches)?;
        calls(size, "edit_items", items_edited)?;
        peak(size)?;
    }
    Ok(())
}

/// What a call of a tool allocates, from its arguments to the text of its reply.
fn calls(size: Size, tool: &'static str, write: Write) -> Result<(), Failure> {
    let text = memory(size.bytes, 1);
    let mut agent = Agent::new(&text, tool, write(&text).ok_or("no such line")?)?;
    // What is built once is built by the first calls.
    (0..4).try_for_each(|_| agent.call())?;
    let mut called = Ok(());
    let counted = allocation_counter::measure(|| called = agent.call());
    called?;
    let name = format!("allocations of a tool call: {tool}, {}", size.name);
    println!("{}", json!({"name": name, "allocations": counted.count_total, "goal": GOAL}));
    Ok(())
}

/// The most bytes that a replacement, planned and committed, holds at once beyond the document that it is made on.
fn peak(size: Size) -> Result<(), Failure> {
    let docs = documents(size)?;
    let doc = docs.first().ok_or("no documents")?;
    let mut made = Ok(());
    let counted = allocation_counter::measure(|| made = replaced(doc));
    made?;
    let peak = f64::from(u32::try_from(counted.bytes_max)?) / f64::from(u32::try_from(doc.text().len())?);
    let name = format!("allocations of a commit at once, {}", size.name);
    println!("{}", json!({"name": name, "peak": (peak * 1000.0).round() / 1000.0, "goal": PEAK}));
    Ok(())
}

fn replaced(doc: &MemoryDoc) -> Result<(), Failure> {
    let [old, new] = Place::NearEnd.words();
    let edit = Replace::new(old, new).plan(&View::current(doc, Timestamp::default()))?;
    drop(doc.commit(&edit, Authority::Agent)?);
    Ok(())
}
