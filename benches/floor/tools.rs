//! Whole calls of tools, from arguments to the reply, on a memory in memory.

use memdoc::{DocName, InMemoryStore, Memory, Status, Toolbox};
use serde_json::{Value, json};

use super::Failure;
use super::documents::{Place, SIZES, lines, memory, policy};
use super::figures::{Figure, Run};

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

    /// Calls the tool, and takes the call back with the next.
    pub(super) fn call(&mut self) -> Result<(), Failure> {
        let reply = self.toolbox.call(self.tool, &self.calls[0]);
        self.calls.reverse();
        match reply.status() {
            Status::Committed => Ok(()),
            _ => Err(reply.to_json().to_string().into()),
        }
    }
}

pub(super) fn measure(run: &mut Run) -> Result<(), Failure> {
    for (at, size) in SIZES.into_iter().enumerate() {
        let texts: Vec<_> = (0..size.documents).map(|seed| memory(size.bytes, seed)).collect();
        // At 4 KiB they are 20 and 25 µs, where the floor is 3.8.
        let [replace, items] = [[5.3, 0.8, 0.6], [6.6, 1.0, 0.8]];
        let figure = |name, goals: [f64; 3]| Figure { name, size, goal: Some(goals[at]) };
        calls(run, &figure("tool call: replace", replace), "replace_in_memory", &texts, replaces)?;
        calls(run, &figure("tool call: patch", replace), "patch_memory", &texts, patches)?;
        calls(run, &figure("tool call: edit_items", items), "edit_items", &texts, items_edited)?;
    }
    Ok(())
}

fn calls(
    run: &mut Run,
    figure: &Figure<'_>,
    tool: &'static str,
    texts: &[String],
    write: fn(&str) -> Option<[Value; 2]>,
) -> Result<(), Failure> {
    if !run.wants(figure.name) {
        return Ok(());
    }
    let agent = |text: &String| Agent::new(text, tool, write(text).ok_or("no such line")?);
    let mut agents = texts.iter().map(agent).collect::<Result<Vec<_>, Failure>>()?;
    let mut turn = 0;
    let mut ours = || {
        turn += 1;
        let turn = turn % agents.len().max(1);
        agents.get_mut(turn).ok_or("no agents")?.call()
    };
    run.against_floor(figure, texts, &mut ours)
}

pub(super) fn replaces(_: &str) -> Option<[Value; 2]> {
    let [old, new] = Place::NearEnd.words();
    Some([[old, new], [new, old]].map(|[old, new]| json!({"old_string": old, "new_string": new})))
}

fn line(text: &str) -> Option<&str> {
    lines(text).find(|line| line.contains(Place::NearEnd.words()[0]))
}

fn patches(text: &str) -> Option<[Value; 2]> {
    let [old, new] = Place::NearEnd.words();
    let there = line(text)?;
    let here = there.replace(old, new);
    let patch = |from, to| format!("*** Begin Patch\n*** Update Memory\n@@\n-{from}\n+{to}\n*** End Patch\n");
    Some([patch(there, &*here), patch(&*here, there)].map(|patch| json!({"patch": patch})))
}

fn items_edited(text: &str) -> Option<[Value; 2]> {
    let [old, new] = Place::NearEnd.words();
    let content = line(text)?.split_once("] ")?.1;
    let update = |from: &str, to: &str| json!({"edits": [{"op": "update", "target": {"contains": from}, "text": content.replace(old, to)}]});
    Some([update(old, new), update(new, old)])
}
