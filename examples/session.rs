//! Three editing sessions as a transcript: a feature is switched on, three time-outs are chosen by their letters, and a
//! task turns out to need another one. At the end comes the shortened chat that the model keeps.
//!
//! ```console
//! cargo run --example session
//! ```

#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

mod terminal;

use std::error::Error;

use memdoc::session::{ChatMessage, Role, SessionConfig};
use memdoc::{DocName, InMemoryStore, Memory, Policy, Status, ToolSet, Toolbox};
use serde_json::{Value, json};

const MEMORY: &str = "## Features
{
  \"features\": {
    \"stable\": [\"A\", \"B\", \"C\"],
    \"experimental\": []
  }
}

## Time-outs
### Database
- timeout: 30
### API
- timeout: 30
### Cache
- timeout: 30

## Modules
- core 1.4
- parser 2.0
";

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let store = InMemoryStore::new().with(DocName::memory(), MEMORY);
    let mut config = SessionConfig::default();
    config.history.compression_threshold = 3;
    let memory = Memory::new(store, Policy::default())?;
    let toolbox = Toolbox::new(memory).with_tools(ToolSet::Session).with_sessions(config)?;
    let mut scene = Scene { toolbox, chat: Vec::new(), calls: 0 };
    scene.toolbox.show(&DocName::memory())?;

    heading("A feature is switched on");
    feature(&mut scene)?;
    heading("Three time-outs, by their letters");
    timeouts(&mut scene)?;
    heading("A task that needs another one");
    modules(&mut scene)?;

    heading("What is left of the chat");
    for message in &scene.chat {
        println!("{:<9} {}", format!("{:?}", message.role).to_lowercase(), indented(&message.text));
    }
    heading("What the memory says now");
    println!("{}", scene.toolbox.show(&DocName::memory())?.text);
    Ok(())
}

fn feature(scene: &mut Scene) -> Result<(), Failure> {
    scene.user("Please switch the experimental feature X on.");
    scene.call("memo_begin_task", &json!({"goal": "switch the experimental feature X on"}), Status::Ok)?;
    scene.call("memo_read", &json!({"section": "Features"}), Status::Ok)?;
    let arguments = json!({
        "old_text": "\"experimental\": []", "new_text": "\"experimental\": [\"X\"]", "search_after": "\"features\": {"
    });
    scene.call("memo_replace", &arguments, Status::Editing)?;
    scene.call("memo_commit", &json!({"summary": "experimental feature X is on"}), Status::Committed)?;
    scene.says("Feature X is on.", false);
    Ok(())
}

fn timeouts(scene: &mut Scene) -> Result<(), Failure> {
    scene.user("All time-outs are to be 60 instead of 30.");
    let arguments = json!({"old_text": "timeout: 30", "new_text": "timeout: 60"});
    scene.call("memo_replace", &arguments, Status::NeedsMatch)?;
    for letter in ["A", "B", "C"] {
        let arguments = json!({"old_text": "timeout: 30", "new_text": "timeout: 60", "match_id": letter});
        scene.call("memo_replace", &arguments, Status::Editing)?;
    }
    scene.call("memo_preview", &json!({"format": "stats"}), Status::Preview)?;
    scene.call("memo_commit", &json!({"summary": "all time-outs are 60 s"}), Status::Committed)?;
    Ok(())
}

fn modules(scene: &mut Scene) -> Result<(), Failure> {
    scene.user("Please add module Y.");
    scene.call("memo_begin_task", &json!({"goal": "add module Y"}), Status::Ok)?;
    scene.call("memo_begin_task", &json!({"goal": "write its documentation", "planned": true}), Status::Ok)?;
    scene.call("memo_append", &json!({"text": "- Y 0.1, needs core 1.5", "section": "Modules"}), Status::Editing)?;
    scene.says("Decision: Y needs core 1.5, so core is raised first.", true);
    let current = json!({"goal": "raise core", "parent_task_id": "2"});
    scene.call("memo_begin_task", &current, Status::Ok)?;
    scene.call("memo_replace", &json!({"old_text": "core 1.4", "new_text": "core 1.5"}), Status::Editing)?;
    scene.call("memo_preview", &json!({"format": "diff"}), Status::Preview)?;
    scene.call("memo_commit", &json!({"summary": "core is at 1.5"}), Status::Editing)?;
    scene.call("memo_begin_task", &json!({"goal": "rename the parser"}), Status::Ok)?;
    scene.call("memo_replace", &json!({"old_text": "parser 2.0", "new_text": "reader 2.0"}), Status::Editing)?;
    scene.call("memo_revert", &json!({"reason": "others still call it parser"}), Status::Reverted)?;
    scene.call("memo_commit", &json!({"summary": "module Y is there, on core 1.5"}), Status::Committed)?;
    scene.says("Module Y is added.", false);
    Ok(())
}

/// An agent's tools, and its chat.
struct Scene {
    toolbox: Toolbox,
    chat: Vec<Message>,
    calls: usize,
}

impl Scene {
    fn user(&mut self, text: &str) {
        println!("user:      {text}\n");
        self.chat.push(Message::new(Role::User, text));
    }

    fn says(&mut self, text: &str, is_decision: bool) {
        println!("assistant: {text}\n");
        self.chat.push(Message { is_decision, ..Message::new(Role::Assistant, text) });
    }

    /// Makes a call as a model does, and appends it and its result to the chat.
    fn call(&mut self, tool: &str, arguments: &Value, expected: Status) -> Result<(), Failure> {
        self.calls += 1;
        let id = Some(format!("call-{}", self.calls));
        let call = Message { id: id.clone(), ..Message::new(Role::Assistant, &format!("{tool}({arguments})")) };
        println!("call:      {}", call.text);
        self.chat.push(call);
        let reply = self.toolbox.call_in(&mut self.chat, tool, arguments);
        println!("           {}\n", indented(&terminal::painted(&reply.to_string())));
        self.chat.push(Message { id, ..Message::new(Role::Tool, &reply.to_string()) });
        if reply.status() != expected {
            return Err(format!("{tool}: expected {}, found {}", expected.as_str(), reply.status().as_str()).into());
        }
        Ok(())
    }
}

/// A message of the chat, as this host keeps it.
struct Message {
    role: Role,
    text: String,
    id: Option<String>,
    is_decision: bool,
}

impl Message {
    fn new(role: Role, text: &str) -> Self {
        Self { role, text: text.to_owned(), id: None, is_decision: false }
    }
}

impl ChatMessage for Message {
    fn role(&self) -> Role {
        self.role
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn call_ids(&self) -> Vec<&str> {
        self.id.as_deref().into_iter().collect()
    }

    fn is_decision(&self) -> bool {
        self.is_decision
    }

    fn summary(text: String) -> Self {
        Self::new(Role::Summary, &text)
    }
}

fn heading(title: &str) {
    println!("\n═══ {title}\n");
}

/// Indents all lines except the first.
fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n           ")
}
