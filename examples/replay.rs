//! Replays case files, or recorded transcripts of agents, through the tools: `replay [--check] FILE…`.
//!
//! Prints one JSON line per call: case, call, tool, reply, and every document afterwards. With `--check`, what differs from
//! what the file expects is told on standard error, the last line counts, and the exit code is 1 if anything differs.

#![allow(clippy::print_stderr, reason = "a program for the command line")]

#[path = "../tests/support/cases.rs"]
pub mod cases;

use std::io::{self, Write as _};
use std::process::ExitCode;

fn main() -> ExitCode {
    let (flags, files): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let is_check = flags == ["--check"];
    if files.is_empty() || !(is_check || flags.is_empty()) {
        eprintln!("usage: replay [--check] FILE…");
        return ExitCode::from(2);
    }
    match replay(&files, is_check) {
        Ok((_, 0)) => ExitCode::SUCCESS,
        Ok(_) if is_check => ExitCode::FAILURE,
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs all files and returns how many cases passed and failed.
fn replay(files: &[String], is_check: bool) -> Result<(usize, usize), Box<dyn std::error::Error + Send + Sync>> {
    let mut out = io::stdout().lock();
    let (mut passed, mut failed) = (0, 0);
    for file in files {
        let json = std::fs::read_to_string(file).map_err(|error| format!("could not read `{file}`: {error}"))?;
        for case in cases::read(&json).map_err(|error| format!("`{file}`: {error}"))? {
            let mut is_right = true;
            match cases::run(&case) {
                Ok(outcomes) => {
                    for (number, outcome) in outcomes.iter().enumerate() {
                        writeln!(out, "{}", outcome.line)?;
                        for difference in outcome.differences.iter().filter(|_| is_check) {
                            eprintln!("{}, call {number}: {difference}", case.name);
                            is_right = false;
                        }
                    }
                }
                Err(error) => {
                    eprintln!("{}: {error}", case.name);
                    is_right = false;
                }
            }
            if is_right { passed += 1 } else { failed += 1 }
        }
    }
    if is_check {
        writeln!(out, "{passed} passed, {failed} failed")?;
    }
    Ok((passed, failed))
}
