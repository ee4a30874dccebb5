//! A prompt of at most 1,000 tokens is built from a memory: for one message, for another, and after an edit. Most of its
//! beginning stays the same. Then a search finds a bullet, and its key goes straight into an edit.
//!
//! ```console
//! cargo run --example recall
//! ```

#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

use std::error::Error;
use std::sync::Arc;

use memdoc::memory::{Actor, NewMemory, NoteMode};
use memdoc::recall::{Prompt, Recall, RecallQuery};
use memdoc::{DocName, InMemoryStore, Memory, Origin, Policy, Status, ToolSet, Toolbox};
use serde_json::json;

const MEMORY: &str = "## System/Policy
- Never reveal secrets.

## People
- [pinned] Ada is allergic to nuts
- Ada lives in Denver
- Bo lives in Oslo
- [expires: 2025-01-31] Bo is on holiday

## House
- The boiler is serviced each May
- The neighbors have the spare key
";

const BUDGET: usize = 1_000;

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let memory = Arc::new(example_memory()?);
    let recall = Arc::new(Recall::new(memory.clone()));
    let mut toolbox = Toolbox::over(recall.clone()).with_tools(ToolSet::All);
    let prompt = Prompt::new().with_part("Tasks", "📝 plan the trip to Oslo");

    heading("A prompt", "What the agent is told before it answers `What should we bring to Bo's house in Oslo?`");
    let first = toolbox.prompt(&prompt, BUDGET, Some("What should we bring to Bo's house in Oslo?"))?;
    println!("{}", first.text);
    for (part, count) in &first.left_out {
        println!("(left out: {part} {count})");
    }

    heading("Another message", "Only what is recalled is another: a model's cache of what stands before holds.");
    let second = toolbox.prompt(&prompt, BUDGET, Some("Which tea does Ada like?"))?;
    println!("{}", common_beginning(&first.text, &second.text));

    heading("After an edit", "The document has changed, and what stands before it is the same.");
    let reply = toolbox
        .call("replace_in_memory", &json!({"old_string": "Ada lives in Denver", "new_string": "Ada lives in Austin"}));
    println!("{reply}\n");
    let third = toolbox.prompt(&prompt, BUDGET, Some("Which tea does Ada like?"))?;
    println!("{}", common_beginning(&second.text, &third.text));

    heading("Within 150 tokens", "What is pinned or reserved is kept, and what does not fit is told to the host.");
    let small = toolbox.prompt(&prompt, 150, Some("Which tea does Ada like?"))?;
    println!("{}({} tokens, {} left out)", small.text, small.tokens, small.left_out.values().sum::<usize>());

    heading("Search and edit", "A key that was found goes straight into an edit.");
    let found = toolbox.call("search_memory", &json!({"query": "who has the key of the house"}));
    println!("{found}\n");
    let key = found.get("results").and_then(|results| results.get(0)).and_then(|best| best.get("key"));
    let edit = json!({"op": "update", "target": {"key": key}, "text": "Bo has the spare key"});
    let reply = toolbox.call("edit_items", &json!({"edits": [edit]}));
    println!("{reply}");
    assert_eq!(reply.status(), Status::Committed);

    heading("Consolidation", "Two memories become one, and are recalled no more.");
    let tea = recall.recall(&RecallQuery::new("tea"))?;
    let seqs: Vec<_> = tea.memories.iter().map(|memory| memory.seq).collect();
    memory.rethink(&seqs, "Ada drinks green tea, and never after five", &agent())?;
    for memory in recall.recall(&RecallQuery::new("tea"))?.memories {
        println!("entry {}, {}: {}", memory.seq, memory.kind, memory.content);
    }
    Ok(())
}

/// Returns a memory that has been used for a while.
fn example_memory() -> Result<Memory, Failure> {
    let store = InMemoryStore::new().with(DocName::memory(), MEMORY);
    let memory = Memory::new(store, Policy::default())?;
    memory.update_block("persona", "I am Kite, a calm guide.", None, &agent())?;
    memory.update_block("goals", "Get everyone to Oslo by June.", None, &agent())?;
    memory.write_note("packing", "- tent\n- rain coats", NoteMode::Replace, &agent())?;
    memory.write_handoff("Flights are booked; the hotel is not.", &agent())?;
    memory.write_scratchpad("2 of 5 hotels called", NoteMode::Replace, &agent())?;
    memory.remember(&NewMemory::new("Ada said that she drinks green tea"), &agent())?;
    memory.remember(&NewMemory::new("Bo asked for brown cheese from the market in Oslo"), &agent())?;
    let mut late = NewMemory::new("Ada does not drink tea after five");
    late.importance = 8;
    memory.remember(&late, &agent())?;
    Ok(memory)
}

fn agent() -> Origin {
    Origin::new(Actor::default(), "chat")
}

/// Describes how much of the beginning of two texts is the same.
fn common_beginning(before: &str, after: &str) -> String {
    let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    let line = after.char_indices().take_while(|(at, _)| *at < same).filter(|(_, c)| *c == '\n').count() + 1;
    format!("the first {same} of {} bytes are as before, up to line {line}", after.len())
}

fn heading(title: &str, what: &str) {
    println!("\n=== {title}\n{what}\n");
}
