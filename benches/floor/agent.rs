//! An agent that edits its memory and takes the edit back.

use std::hint::black_box;

use memdoc::{DocName, InMemoryStore, Memory, Status, Toolbox, toolbox::ReplyFormat};
use serde_json::{Value, json};

use super::Failure;
use super::documents::{Place, policy};

/// An agent with a memory, and the two calls that undo each other.
pub(super) struct Agent {
    toolbox: Toolbox,
    tool: &'static str,
    calls: [Value; 2],
}

impl Agent {
    pub(super) fn new(text: &str, tool: &'static str, calls: [Value; 2]) -> Result<Self, Failure> {
        let store = InMemoryStore::new().with(DocName::memory(), text);
        let mut toolbox = Toolbox::new(Memory::new(store, policy())?);
        toolbox.call("memory_read", &json!({}));
        Ok(Self { toolbox, tool, calls })
    }

    /// Calls the tool and writes what goes back to the model; takes the call back with the next.
    pub(super) fn call(&mut self) -> Result<(), Failure> {
        let reply = self.toolbox.call(self.tool, &self.calls[0]);
        black_box(reply.render(ReplyFormat::Text));
        self.calls.reverse();
        match reply.status() {
            Status::Committed => Ok(()),
            _ => Err(reply.to_json().to_string().into()),
        }
    }
}

pub(super) fn replaces(_: &str) -> Option<[Value; 2]> {
    let [old, new] = Place::NearEnd.words();
    Some([[old, new], [new, old]].map(|[old, new]| json!({"old_string": old, "new_string": new})))
}
