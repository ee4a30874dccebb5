//! An agent that edits its memory and takes the edit back.

use std::hint::black_box;

use memdoc::{DocName, InMemoryStore, Memory, Status, Toolbox};
use serde_json::{Value, json};

use super::Failure;
use super::documents::{Place, lines, policy};

/// Writes two calls on a text that undo each other; `None` if it has not what they change.
pub(super) type Write = fn(&str) -> Option<[Value; 2]>;

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
        black_box(reply.to_string());
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

pub(super) fn patches(text: &str) -> Option<[Value; 2]> {
    let [old, new] = Place::NearEnd.words();
    let there = line(text)?;
    let here = there.replace(old, new);
    let patch = |from, to| format!("*** Begin Patch\n*** Update Memory\n@@\n-{from}\n+{to}\n*** End Patch\n");
    Some([patch(there, &*here), patch(&*here, there)].map(|patch| json!({"patch": patch})))
}

pub(super) fn items_edited(text: &str) -> Option<[Value; 2]> {
    let [old, new] = Place::NearEnd.words();
    let content = line(text)?.split_once("] ")?.1;
    let update = |from: &str, to: &str| json!({"edits": [{"op": "update", "target": {"contains": from}, "text": content.replace(old, to)}]});
    Some([update(old, new), update(new, old)])
}

fn line(text: &str) -> Option<&str> {
    lines(text).find(|line| line.contains(Place::NearEnd.words()[0]))
}
