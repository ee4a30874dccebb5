//! Claude's memory tool, `memory_20250818`, on a memory. `files_tool` plays a conversation. `files_tool serve DIRECTORY`
//! reads `tool_use` blocks, a JSON object on each line, and answers with `tool_result` blocks.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to its reader")]

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;

use memdoc::{Dialect, FileStore, InMemoryStore, Memory, Policy, Status, ToolSet, Toolbox, memory::Undo};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error>;

/// All that a host does: it offers the tool, and answers each block that calls it.
fn answer(toolbox: &mut Toolbox, block: &Value) -> Value {
    let reply = toolbox.call("memory", &block["input"]);
    let is_error = reply.status() == Status::Error;
    json!({"type": "tool_result", "tool_use_id": block["id"], "content": reply.to_string(), "is_error": is_error})
}

/// What a model sends, call by call.
fn conversation() -> Vec<Value> {
    vec![
        json!({"command": "view", "path": "/memories"}),
        json!({"command": "create", "path": "/memories/ada.md", "file_text": "# Ada\n- Lives in Denver\n- Likes tea\n"}),
        json!({"command": "str_replace", "path": "/memories/ada.md", "old_str": "- lives in Denver", "new_str": "- Lives in Austin"}),
        json!({"command": "str_replace", "path": "/memories/ada.md", "old_str": "- Lives in Denver", "new_str": "- Lives in Austin"}),
        json!({"command": "view", "path": "/memories/ada.md"}),
        json!({"command": "insert", "path": "/memories/ada.md", "insert_line": 3, "insert_text": "- Plays chess"}),
        json!({"command": "create", "path": "/memories/ada.md", "file_text": "# Ada\n"}),
        json!({"command": "rename", "old_path": "/memories/ada.md", "new_path": "/memories/people/ada.md"}),
        json!({"command": "delete", "path": "/memories/people"}),
    ]
}

fn play() -> Result<(), Failure> {
    let memory = Memory::new(InMemoryStore::new(), Policy::files())?;
    let mut toolbox = Toolbox::new(memory).with_tools(ToolSet::Files);
    println!("tools: {}\n", toolbox.tools()[0].to_json(Dialect::Anthropic));
    for (number, input) in conversation().into_iter().enumerate() {
        println!("> {input}");
        let result =
            answer(&mut toolbox, &json!({"type": "tool_use", "id": format!("toolu_{number}"), "input": input}));
        let mark = if result["is_error"] == true { "error: " } else { "" };
        println!("{mark}{}\n", result["content"].as_str().unwrap_or_default());
    }
    // Nothing is lost: the host undoes the last step.
    let memory = toolbox.memory();
    let last = memory.head()?.seq;
    memory.undo(Undo::Entry(last), &memdoc::Origin::host("undo"))?;
    println!("undone: {}", memory.read(&"people/ada".parse()?)?.text());
    Ok(())
}

fn serve(directory: &str) -> Result<(), Failure> {
    let memory = Memory::new(FileStore::open(directory)?, Policy::files())?;
    let mut toolbox = Toolbox::new(memory).with_tools(ToolSet::Files);
    for line in io::stdin().lock().lines() {
        let result = answer(&mut toolbox, &serde_json::from_str(&line?)?);
        println!("{result}");
        io::stdout().flush()?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve", directory] => serve(directory),
        _ => play(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
