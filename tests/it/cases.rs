//! The case files: those of this repository, and those of the folder beside it where it is at hand.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use memdoc::Toolbox;
use serde_json::Value;

use crate::support::cases;

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    files.sort();
    files
}

/// Drops the cases that call a tool which there is not yet.
fn of_known_tools(json: &str) -> String {
    let known: BTreeSet<_> = Toolbox::definitions().iter().map(|tool| tool.name).collect();
    let is_known =
        |call: &Value| call["tool"].as_str().is_some_and(|tool| tool.starts_with("host.") || known.contains(tool));
    let mut all: Vec<Value> = serde_json::from_str(json).unwrap();
    all.retain(|case| case["calls"].as_array().is_some_and(|calls| calls.iter().all(is_known)));
    Value::from(all).to_string()
}

/// Runs a file's cases and returns how many there are, and every difference.
fn differences(path: &Path, json: &str) -> (usize, Vec<String>) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let all = cases::read(json).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut found = Vec::new();
    for case in &all {
        match cases::run(case) {
            Ok(outcomes) => found.extend(outcomes.iter().enumerate().flat_map(|(number, outcome)| {
                outcome
                    .differences
                    .iter()
                    .map(|difference| format!("{}, call {number}: {difference}", case.name))
                    .collect::<Vec<_>>()
            })),
            Err(error) => found.push(format!("{}: {error}", case.name)),
        }
    }
    (all.len(), found)
}

#[test]
fn every_case_of_this_repository_passes() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut found = Vec::new();
    for path in files(&directory) {
        found.extend(differences(&path, &fs::read_to_string(&path).unwrap()).1);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_shared_case_of_known_tools_passes() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases");
    let (mut count, mut found) = (0, Vec::new());
    for path in files(&directory) {
        let (cases, differences) = differences(&path, &of_known_tools(&fs::read_to_string(&path).unwrap()));
        count += cases;
        found.extend(differences);
    }
    eprintln!("{count} shared cases");
    assert!(found.is_empty(), "{}", found.join("\n"));
}
