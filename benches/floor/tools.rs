//! Whole calls of tools, from arguments to the reply, on a memory in memory.

use serde_json::{Value, json};

use super::Failure;
use super::agent::{Agent, replaces};
use super::documents::{Place, SIZES, lines, memory};
use super::figures::{Figure, Run};

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
