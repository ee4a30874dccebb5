//! What tests use that is not in the repository. A test that does without says so, on the standard error that the test
//! harness does not keep back.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::soak;

/// Says that something is left out for want of what is named.
pub fn skipped(without: &str) {
    // As one write, so that lines of tests that run at the same time do not mix.
    let _ = std::io::stderr().write_all(format!("skipped for want of {without}\n").as_bytes());
}

/// Returns the path of what stands at `path` in the folder beside the repository; says so if it does not.
pub fn shared(path: &str) -> Option<PathBuf> {
    let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    if !whole.exists() {
        skipped(&format!("the shared {path}"));
        return None;
    }
    Some(whole)
}

/// Facts of which one is outdated, and what replaces it.
#[derive(Debug)]
pub struct Update {
    /// The facts.
    pub facts: Vec<String>,
    /// What is true now.
    pub update: String,
    /// The facts that it contradicts, counted from 0.
    pub outdated: Vec<usize>,
}

#[derive(Deserialize)]
struct Extra {
    facts: Vec<String>,
    contradicting_fact: String,
    supporting_fact_indices: Vec<usize>,
}

/// Returns real updates of a data set, every fifth of them but for long runs; nothing where it is not at hand.
pub fn updates() -> Vec<Update> {
    let Some(path) = shared("data/core_memory_update.jsonl") else { return Vec::new() };
    let row = |line: &str| {
        let mut row: Value = serde_json::from_str(line).unwrap();
        let extra = Extra::deserialize(row["agent_args"]["extra"].take()).unwrap();
        Update { facts: extra.facts, update: extra.contradicting_fact, outdated: extra.supporting_fact_indices }
    };
    let text = std::fs::read_to_string(&path).unwrap();
    let step = if soak::factor() == 1 { 5 } else { 1 };
    let updates: Vec<_> = text.split('\n').filter(|line| !line.is_empty()).step_by(step).map(row).collect();
    assert!(!updates.is_empty(), "{} is empty", path.display());
    updates
}
