//! No call does more than linear work, whatever it is given: documents made to hurt, and calls as long as they are.
//!
//! Work is what can be counted and is the same in every run: allocations, the bytes of them, and the pieces of text that are
//! looked up.

use std::thread;

use memdoc::testing::lookups;
use serde_json::json;

use crate::support::hostile_calls::{FAMILIES, Family, Scene, plain, toolbox};
use crate::support::hostile_pairs::{Pair, pairs};
use crate::support::hostile_scenes::SCENES;
use crate::support::hostile_sessions;

/// The size of the smaller documents, in bytes. The larger ones have four times as many.
const SMALL: usize = 1 << 10;
/// How much more a call may do that has four times as much to do.
const GROWTH: u64 = 5;
/// What grows in steps and is bounded, such as the help for a text that is not found, beside that.
const STEPS: Work = [7_000, 1_000_000, 8_000];
/// Each call is tried on one family in so many. Each family has its turn with some of the calls.
const SHARE: usize = 3;
/// The same for what is done in a session: it takes 26 calls to prepare.
const SHARE_OF_SESSIONS: usize = 12;

/// Calls that compare each of many parts with each of many places, as far as a budget goes, beyond which they are refused: of
/// them the allocations are counted alone.
const WITHIN_BUDGET: [&str; 18] = [
    "patch misses, one long hunk",
    "patch misses, many hunks",
    "patch, repeated line hunk",
    "items, many selectors",
    "items, many inserts",
    "items, many reorders",
    "pins, many",
    "rewrite, built-in",
    "inserts beside equal facts",
    "moves of fences",
    "misses in one block",
    "equal facts, stale",
    "patch, many anchors of bullets",
    "patch, many anchors of no bullet",
    "upserts in no section",
    "updates by text with tags",
    "updates by what all say",
    "updates by a near miss of all",
];

/// Calls for far more than a document may have: it is made, up to a bound, and then refused. That takes long without
/// optimization; `benches/cost.rs` times it.
const FAR: [&str; 3] = ["lines below a far one", "bullets beside a far one", "a bullet moved far in"];

/// What may do more: the family, the call, and how many times as much. Where numbers get shorter as bullets go, the size that
/// fits a budget is found by more trials.
const KNOWN: [(&str, &str, u64); 1] = [("ordered list", "rewrite, built-in", 13)];

/// Allocations, their bytes, lookups.
type Work = [u64; 3];

fn work(family: &Family, scene: &Scene, bytes: usize) -> Work {
    let document = (family.write)(bytes);
    let arguments = (scene.arguments)(&document, bytes);
    let mut toolbox = toolbox(&document);
    (scene.prepare)(&mut toolbox, bytes);
    counted(|| drop(toolbox.call(scene.tool, &arguments)))
}

fn counted(act: impl FnOnce()) -> Work {
    let before = lookups();
    let allocated = allocation_counter::measure(act);
    [allocated.count_total, allocated.bytes_total, lookups() - before]
}

/// Tells of a call that does too much: the small document has so many bytes.
fn excess(family: &Family, scene: &Scene, bytes: usize) -> Option<String> {
    let works = [bytes, 4 * bytes].map(|bytes| work(family, scene, bytes));
    let known = KNOWN.iter().find(|(of, call, _)| *of == family.name && *call == scene.name);
    let growth = known.map_or(GROWTH, |(_, _, growth)| *growth);
    told(works, scene.name, growth).map(|told| format!("{} / {told}", family.name))
}

fn told([small, large]: [Work; 2], name: &str, growth: u64) -> Option<String> {
    let counted = if WITHIN_BUDGET.contains(&name) { 1 } else { small.len() };
    let is_over = (0..counted).any(|nth| large[nth] > growth * small[nth] + STEPS[nth]);
    is_over.then(|| format!("{name}: {small:?}, then {large:?}"))
}

#[test]
fn four_times_the_text_is_at_most_five_times_the_work() {
    // Half of them on a thread of their own.
    let excesses = |half: usize| {
        let mut found = Vec::new();
        for (nth, family) in FAMILIES.iter().enumerate().filter(|(nth, _)| nth % 2 == half) {
            let calls = plain().zip(nth..).filter(|(_, turn)| turn % SHARE == 0);
            let prepared = SCENES.iter().copied().zip(nth..).filter(|(_, turn)| turn % SHARE_OF_SESSIONS == 0);
            found.extend(calls.chain(prepared).filter_map(|(scene, _)| excess(family, &scene, SMALL)));
        }
        found
    };
    let other = thread::spawn(move || excesses(1));
    let found = [excesses(0), other.join().unwrap()].concat();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_a_bullet_says_is_not_read_for_each_of_its_children() {
    // In small documents, what is read again and again is less than what grows in steps.
    let families = FAMILIES.iter().filter(|family| family.name.starts_with("children of"));
    let scenes = || plain().filter(|scene| scene.name.starts_with("rewrite") || scene.name == "validate");
    let found = families.flat_map(|family| scenes().filter_map(|scene| excess(family, &scene, 8 * SMALL)));
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_a_call_says_of_one_document_is_not_looked_up_for_each_part() {
    let work = |pair: &Pair, bytes: usize| {
        let (mut toolbox, call) = (pair.toolbox(bytes), pair.call(bytes));
        counted(|| drop(call(&mut toolbox)))
    };
    let excess = |pair: &Pair| told([8 * SMALL, 32 * SMALL].map(|bytes| work(pair, bytes)), pair.name, GROWTH);
    let found: Vec<_> = pairs().filter(|pair| !FAR.contains(&pair.name)).filter_map(excess).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_is_done_with_changes_of_everything_is_bounded_together() {
    let family = &hostile_sessions::FAMILY;
    let found: Vec<_> = hostile_sessions::SCENES.iter().filter_map(|scene| excess(family, scene, SMALL / 2)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_is_pending_is_carried_once_over_an_edit_beside_it() {
    let family = FAMILIES.iter().find(|family| family.name == "plain bullets").unwrap();
    let find = |name: &str| SCENES.iter().find(|scene| scene.name == name).copied().unwrap();
    let edit = find("26 changes, direct edit");
    let preview = Scene {
        tool: "diff_preview",
        arguments: |doc, bytes| {
            let edit = SCENES.iter().find(|scene| scene.name == "26 changes, direct edit").unwrap();
            json!({"tool": edit.tool, "arguments": (edit.arguments)(doc, bytes)})
        },
        ..edit
    };
    let lookups = |scene: &Scene, prepare| work(family, &Scene { prepare, ..*scene }, 16 * SMALL)[2];
    let carried = |scene: &Scene, prepare| lookups(scene, prepare) - lookups(scene, |_, _| ());
    let once = carried(&preview, find("26 changes, read").prepare);
    assert!(once > 1_000, "{once}");
    for scene in [edit, preview] {
        // A savepoint is carried with the session, and what was looked at before the edit is what is there behind it.
        assert_eq!(carried(&scene, edit.prepare), once, "{}", scene.tool);
    }
}
