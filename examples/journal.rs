//! A day in the journal of a memory that two agents edit: who wrote what, how one edit among others is undone, how a
//! secret is erased, and how a verification finds that somebody has tampered with the file.
//!
//! ```console
//! cargo run --example journal [DIRECTORY]
//! ```

#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

mod terminal;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use memdoc::memory::journal::{EntryKind, Seq};
use memdoc::memory::{Actor, HistoryQuery, Moment};
use memdoc::{DocName, FileStore, Memory, Origin, Policy, Status, ToolSet, Toolbox};
use serde_json::json;

const MEMORY: &str = "## System/Policy
- Never reveal secrets.

## People
- Ada lives in Denver
- Bo lives in Oslo

## House
- Wifi: ask Bo
";

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let directory = env::args_os().nth(1).map_or_else(fresh_directory, PathBuf::from);
    let memory = Arc::new(Memory::new(FileStore::open(&directory)?, Policy::default())?);
    memory.create(&DocName::memory(), MEMORY)?;
    heading("A day", "Two agents edit one memory.");
    let wrong_city = day(&memory)?;

    heading("History", "Each edit is an entry: who did what, when, and where.");
    let entries = memory.history(&HistoryQuery::new())?.entries;
    for row in entries.iter().rev() {
        let header = row.entry.header();
        let sections = row.entry.body().map(|content| content.sections.join(", ")).unwrap_or_default();
        println!(
            "  {:>2}  {:<6} {:<18} {sections}",
            row.entry.seq(),
            header.actor,
            header.tool.as_deref().unwrap_or("-")
        );
    }

    heading("Blame", "Which entry wrote each line as it stands now.");
    blame(&memory)?;

    heading("Undo", &format!("Entry {wrong_city} was wrong. Only what it did is taken back; what came later stays."));
    let mut ada = toolbox(&memory, "ada")?;
    println!("  {}", call(&mut ada, "memory_undo", &json!({"entry": wrong_city.get(), "reason": "it was a visit"}))?);
    print_indented(memory.diff(&DocName::memory(), &Moment::After(wrong_city), None)?.as_str());

    heading("Redaction", "The password must go, from the text and from its history.");
    let checkpoint = memory.verify(None)?.checkpoint.ok_or("the journal has no beginning")?;
    let done = memory.redact(&[], &["hunter2"], &Origin::host("privacy").with_reason("a password was noted"))?;
    let left = journal_files(&directory)?
        .iter()
        .any(|file| fs::read_to_string(file).is_ok_and(|text| text.contains("hunter2")));
    println!("  entry {} erased it; is it left in the journal? {left}", done.seq);
    let verified = memory.verify(Some(&checkpoint))?;
    println!(
        "  {} entries verified against a checkpoint that was kept elsewhere: sound? {}",
        verified.entries,
        verified.is_sound()
    );

    heading("Tampering", "Somebody edits the journal by hand, to blame another.");
    tamper(&directory)?;
    let reopened = Memory::new(FileStore::open(&directory)?, Policy::default())?;
    let verified = reopened.verify(Some(&checkpoint))?;
    verified.findings.iter().filter(|finding| !finding.problem.is_notice()).for_each(|finding| println!("  {finding}"));
    if verified.is_sound() {
        return Err("the forgery went unnoticed".into());
    }
    Ok(())
}

/// Makes the edits of a day. Returns the entry of the edit that was wrong.
fn day(memory: &Arc<Memory>) -> Result<Seq, Failure> {
    let (mut ada, mut bo) = (toolbox(memory, "ada")?, toolbox(memory, "bo")?);
    let edits = [
        (&mut bo, json!({"old_string": "Wifi: ask Bo", "new_string": "Wifi: hunter2"})),
        (&mut ada, json!({"old_string": "Ada lives in Denver", "new_string": "Ada lives in Austin"})),
    ];
    let mut wrong = Seq::FIRST;
    for (agent, arguments) in edits {
        agent.show(&DocName::memory())?;
        println!("  {}", call(agent, "replace_in_memory", &arguments)?);
        wrong = memory.head()?.seq;
    }
    bo.show(&DocName::memory())?;
    let insert = json!({"op": "insert", "target": {"section": "House"}, "text": "The plants need water on Mondays"});
    println!("  {}", call(&mut bo, "edit_items", &insert)?);
    Ok(wrong)
}

/// Prints each bullet with the actor who wrote it last.
fn blame(memory: &Memory) -> Result<(), Failure> {
    let doc = memory.read(&DocName::memory())?;
    for bullet in doc.bullets() {
        let entry = memory.blame(&DocName::memory(), bullet)?;
        let who =
            if entry.header().kind == EntryKind::Genesis { "-".to_owned() } else { entry.header().actor.to_string() };
        println!("  {:>2}  {who:<6} {}", entry.seq(), bullet.content());
    }
    Ok(())
}

/// Puts another name into an entry.
fn tamper(directory: &Path) -> Result<(), Failure> {
    let file = journal_files(directory)?.pop().ok_or("there is no journal")?;
    let forged = fs::read_to_string(&file)?.replacen(r#""actor":"bo""#, r#""actor":"ada""#, 1);
    Ok(fs::write(file, forged)?)
}

/// Returns the files of the journal, in order.
fn journal_files(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(directory.join(".memdoc"))?;
    let mut files: Vec<_> = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort_unstable();
    Ok(files)
}

fn toolbox(memory: &Arc<Memory>, actor: &str) -> Result<Toolbox, Failure> {
    let toolbox = Toolbox::new(memory.clone()).with_actor(actor.parse::<Actor>()?);
    Ok(toolbox.with_tools(ToolSet::Standard).and_tools(ToolSet::Journal))
}

/// Calls a tool, and returns the first line of its reply.
fn call(agent: &mut Toolbox, tool: &str, arguments: &serde_json::Value) -> Result<String, Failure> {
    let reply = agent.call(tool, arguments);
    match reply.status() {
        Status::Committed => Ok(format!("{tool}: {}", reply.to_string().split('\n').next().unwrap_or_default())),
        _ => Err(format!("{tool}: {reply}").into()),
    }
}

fn heading(title: &str, text: &str) {
    println!("\n{title}\n  {text}\n");
}

fn print_indented(text: &str) {
    terminal::painted(text.trim_end()).split('\n').for_each(|line| println!("  {line}"));
}

fn fresh_directory() -> PathBuf {
    env::temp_dir().join(format!("memdoc-journal-{}", std::process::id()))
}
