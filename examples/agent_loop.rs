//! An agent, turn by turn: a scripted model makes the mistakes that models make, reads the replies, and follows them.

#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

mod terminal;

use std::collections::VecDeque;
use std::sync::Arc;

use memdoc::{Code, DocName, InMemoryStore, Memory, MemoryError, Policy, Reply, Toolbox, document::InvalidSetting};
use serde_json::json;
use thiserror::Error;

const MEMORY: &str = "## Facts\n- Lives in Denver\n- Allergic to penicillin\n\n## Travel\n- Denver → Oslo, 3 May\n- Hotel: not booked\n\n## Tasks\n- Book the hotel\n";

/// What a model says next, having read all that was said before.
///
/// A real one sends `transcript` and [`Toolbox::tools`] to its provider, and returns the tool call of the answer:
///
/// ```text
/// let answer = client.chat(&transcript, &tools)?;
/// Ok(answer.tool_call.map(|call| ToolCall { name: call.name, arguments: call.arguments }))
/// ```
trait Model {
    fn next(&mut self, transcript: &[Message]) -> Result<Option<ToolCall>, LoopError>;
}

/// One message of the conversation.
enum Message {
    /// What the host says: the memory, and what the user wants.
    Host(String),
    /// What a tool answered.
    Tool(String),
}

impl Message {
    fn text(&self) -> &str {
        match self {
            Self::Host(text) | Self::Tool(text) => text,
        }
    }
}

/// A call, with its arguments as the model wrote them.
struct ToolCall {
    name: String,
    arguments: String,
}

fn main() -> Result<(), LoopError> {
    let memory = Arc::new(Memory::new(InMemoryStore::new().with(DocName::memory(), MEMORY), Policy::default())?);
    let mut toolbox = Toolbox::new(memory.clone());
    let mut transcript = vec![Message::Host(toolbox.show(&DocName::memory())?.text.to_string())];
    print_turn("host", transcript.first().map_or("", Message::text));

    let mut model = Scripted::new();
    while let Some(call) = model.next(&transcript)? {
        if model.turn == STALE_TURN {
            write_elsewhere(&memory)?;
        }
        print_turn("model", &format!("{} {}", call.name, call.arguments));
        let reply = toolbox.call_str(&call.name, &call.arguments);
        print_turn("tool", &reply.to_string());
        model.check(&reply)?;
        transcript.push(Message::Tool(reply.to_string()));
    }
    print_turn("memory", memory.read(&DocName::memory())?.text());
    Ok(())
}

/// The user's phone changes the memory, while the model does not look.
fn write_elsewhere(memory: &Arc<Memory>) -> Result<(), LoopError> {
    let mut phone = Toolbox::new(memory.clone());
    phone.show(&DocName::memory())?;
    let reply = phone.call("replace_in_memory", &json!({"old_string": "3 May", "new_string": "4 May"}));
    expect(&reply, "committed")
}

/// The turn, counted from 1, before which another writer changes the memory.
const STALE_TURN: usize = 5;

/// A turn of the script: the outcome that it must have, and the call.
type Turn = (&'static str, fn() -> ToolCall);

/// A model that makes the calls of a script.
struct Scripted {
    script: VecDeque<Turn>,
    turn: usize,
    expected: &'static str,
}

impl Scripted {
    fn new() -> Self {
        let script: [Turn; 11] = [
            // A line of the patch has no prefix; the reply names the line and the three prefixes.
            ("invalid_patch", || {
                patch("@@ section: Travel\n-- Hotel: not booked\n- Hotel: Grand, until 9 May\nAsk for a quiet room")
            }),
            ("committed", || {
                patch("@@ section: Travel\n-- Hotel: not booked\n+- Hotel: Grand, until 9 May\n+- Ask for a quiet room")
            }),
            // The text occurs twice; the candidates tell which argument to set.
            ("count_mismatch", || replace("Denver", "Austin", "")),
            ("committed", || replace("Denver", "Austin", ", \"section\": \"Travel\"")),
            // Another writer was faster; the model looks, and sends the edit again.
            ("stale_revision", || replace("Ask for a quiet room", "Quiet room: confirmed", "")),
            ("ok", || ToolCall { name: "memory_read".to_owned(), arguments: r#"{"section": "Travel"}"#.to_owned() }),
            ("committed", || replace("Ask for a quiet room", "Quiet room: confirmed", "")),
            // The count is wrong; the refusal names the right one.
            ("count_mismatch", || replace("Book the hotel", "Pay the hotel", ", \"expected_replacements\": 2")),
            ("committed", || replace("Book the hotel", "Pay the hotel", "")),
            // JSON that breaks off is refused, and the refusal tells where. A trailing comma and a fence are repaired.
            ("invalid_arguments", || items("{\"edits\": [{\"op\": \"delete\"")),
            ("committed", || {
                items("```json\n{\"edits\": [{\"op\": \"delete\", \"target\": {\"contains\": \"Pay\"}},]}\n```")
            }),
        ];
        Self { script: script.into(), turn: 0, expected: "" }
    }

    /// Ends the example unless the reply is what the script says.
    fn check(&self, reply: &Reply) -> Result<(), LoopError> {
        expect(reply, self.expected)
    }
}

impl Model for Scripted {
    fn next(&mut self, _: &[Message]) -> Result<Option<ToolCall>, LoopError> {
        let Some((expected, call)) = self.script.pop_front() else { return Ok(None) };
        self.turn += 1;
        self.expected = expected;
        Ok(Some(call()))
    }
}

fn patch(hunks: &str) -> ToolCall {
    let patch = format!("*** Begin Patch\n*** Update Memory\n{hunks}\n*** End Patch");
    ToolCall { name: "patch_memory".to_owned(), arguments: json!({ "patch": patch }).to_string() }
}

fn items(arguments: &str) -> ToolCall {
    ToolCall { name: "edit_items".to_owned(), arguments: arguments.to_owned() }
}

fn replace(old: &str, new: &str, more: &str) -> ToolCall {
    let arguments = format!(r#"{{"old_string": "{old}", "new_string": "{new}"{more}}}"#);
    ToolCall { name: "replace_in_memory".to_owned(), arguments }
}

fn expect(reply: &Reply, expected: &'static str) -> Result<(), LoopError> {
    let found = reply.code().map_or(reply.status().as_str(), Code::as_str);
    if found == expected { Ok(()) } else { Err(LoopError::Unexpected { expected, found: found.to_owned() }) }
}

fn print_turn(who: &str, text: &str) {
    for (number, line) in terminal::painted(text.trim_end()).split('\n').enumerate() {
        println!("{:<8}{line}", if number == 0 { who } else { "" });
    }
    println!();
}

/// Why the example ended early. A refusal is none: it is a reply that the model reads.
#[derive(Debug, Error)]
enum LoopError {
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error(transparent)]
    Policy(#[from] InvalidSetting),
    #[error("expected `{expected}`, found `{found}`")]
    Unexpected { expected: &'static str, found: String },
}
