//! Whole calls of tools, from arguments to the reply, on a memory in memory.

use super::Failure;
use super::agent::{Agent, Write, items_edited, patches, replaces};
use super::documents::{SIZES, memory};
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
    write: Write,
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
