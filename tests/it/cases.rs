//! The case files: those of this repository, and those of the folder beside it where it is at hand.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::cases;
use crate::support::cases::case_files::{self, Case};
use crate::support::outside::shared;

fn of_this_repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// Returns every case in a directory, each with its file's path in it.
fn cases_in(directory: &Path) -> Vec<(String, Case)> {
    let files = case_files::files(directory).unwrap_or_else(|error| panic!("{error}"));
    let named = |file: &PathBuf| {
        let name = file.strip_prefix(directory).unwrap().to_string_lossy().replace('\\', "/");
        let cases = case_files::read(file).unwrap_or_else(|error| panic!("{error}"));
        cases.into_iter().map(move |case| (name.clone(), case))
    };
    files.iter().flat_map(named).collect()
}

/// Runs a case and returns every difference.
fn differences((file, case): &(String, Case)) -> Vec<String> {
    let outcomes = match cases::run(case) {
        Ok(outcomes) => outcomes,
        Err(error) => return vec![format!("{file}: {}: {error}", case.name)],
    };
    let told = |(number, outcome): (usize, &cases::Outcome)| {
        let tell = |difference: &String| format!("{file}: {}, call {number}: {difference}", case.name);
        outcome.differences.iter().map(tell).collect::<Vec<_>>()
    };
    outcomes.iter().enumerate().flat_map(told).collect()
}

#[test]
fn every_case_of_this_repository_passes() {
    let found: Vec<_> = cases_in(&of_this_repository()).iter().flat_map(differences).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_shared_case_of_known_tools_passes() {
    let Some(directory) = shared("cases") else { return };
    let mut cases = cases_in(&directory);
    cases.retain(|(_, case)| case.is_of_known_tools());
    let found: Vec<_> = cases.iter().flat_map(differences).collect();
    eprintln!("{} shared cases", cases.len());
    assert!(!cases.is_empty() && found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_case_is_named_once_and_by_its_folder() {
    let mut names = BTreeSet::new();
    for (file, case) in cases_in(&of_this_repository()) {
        let (folder, _) = file.split_once('/').unwrap_or_else(|| panic!("{file} is in no folder"));
        assert!(case.name.starts_with(&format!("{folder}/")), "{file}: {} is named by another folder", case.name);
        assert!(names.insert(case.name.clone()), "{file}: {} is there twice", case.name);
    }
}

#[test]
fn a_text_may_be_written_as_its_lines() {
    let call = |args: &str| format!(r#"[{{"name": "n", "calls": [{{"tool": "t", "args": {args}}}]}}]"#);
    let read = |args: &str| case_files::parse(&call(args)).map(|cases| format!("{cases:?}"));
    for (lines, whole) in [
        (r#"{"a": {"$lines": ["x", "y", ""]}}"#, r#"{"a": "x\ny\n"}"#),
        (r#"{"a": [{"$lines": ["x\r", "y"]}]}"#, r#"{"a": ["x\r\ny"]}"#),
        (r#"{"a": {"$lines": []}}"#, r#"{"a": ""}"#),
    ] {
        assert_eq!(read(lines).unwrap(), read(whole).unwrap());
    }
    for broken in [r#"{"$lines": "x"}"#, r#"{"$lines": [], "b": 1}"#, r#"{"$lines": [1]}"#] {
        assert!(read(broken).is_err(), "{broken}");
    }
}

#[test]
fn a_directory_without_cases_is_an_error() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(case_files::files(&root.join("tests/it")).is_err());
    assert!(case_files::files(&root.join("tests/cases/nowhere")).is_err());
}
