//! Replays case files, or recorded transcripts of agents, through the tools: `replay [--check] [--only-known] PATH…`.
//!
//! A path names a case file, or a directory: then all `.json` files in it and below it are read, in the order of their
//! paths. Prints one JSON line per call: case, call, tool, reply, and every document afterwards.
//!
//! With `--check`, each difference from what a file expects is printed on standard error, and the exit code is 1 if there
//! is one. The last line counts the cases that passed and failed. If there are cases of sloppy calls, the line before it
//! counts those that passed without a retry. With `--only-known`, cases that call an unknown tool are skipped and counted.

#![allow(clippy::print_stderr, reason = "a program for the command line")]

#[path = "../tests/support/cases.rs"]
pub mod cases;

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use cases::case_files;

fn main() -> ExitCode {
    let (flags, paths): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let mut options = Options::default();
    let mut is_usable = !paths.is_empty();
    for flag in &flags {
        match flag.as_str() {
            "--check" => options.is_check = true,
            "--only-known" => options.is_only_known = true,
            _ => is_usable = false,
        }
    }
    if !is_usable {
        eprintln!("usage: replay [--check] [--only-known] PATH…");
        return ExitCode::from(2);
    }
    match replay(&paths, &options) {
        Ok(count) if options.is_check && count.failed > 0 => ExitCode::FAILURE,
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

#[derive(Default)]
struct Options {
    is_check: bool,
    is_only_known: bool,
}

#[derive(Default)]
struct Count {
    passed: usize,
    failed: usize,
    skipped: usize,
    /// The cases of sloppy calls, and those of them that passed without a refusal.
    sloppy: usize,
    without_retry: usize,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Runs the cases of all files, and counts them.
fn replay(paths: &[String], options: &Options) -> Result<Count, Failure> {
    let mut out = io::stdout().lock();
    let mut count = Count::default();
    for path in paths {
        for file in case_files::files(Path::new(path))? {
            for case in case_files::read(&file)? {
                if options.is_only_known && !case.is_of_known_tools() {
                    count.skipped += 1;
                } else {
                    replay_case(&case, options, &mut count, &mut out)?;
                }
            }
        }
    }
    if options.is_check {
        let Count { passed, failed, skipped, sloppy, without_retry } = count;
        if sloppy > 0 {
            writeln!(out, "{without_retry} of {sloppy} without a retry")?;
        }
        let skipped = if options.is_only_known { format!(", {skipped} skipped") } else { String::new() };
        writeln!(out, "{passed} passed, {failed} failed{skipped}")?;
    }
    Ok(count)
}

fn replay_case(
    case: &case_files::Case,
    options: &Options,
    count: &mut Count,
    out: &mut impl io::Write,
) -> Result<(), Failure> {
    let mut is_right = true;
    let mut is_refused = false;
    match cases::run(case) {
        Ok(outcomes) => {
            for (number, outcome) in outcomes.iter().enumerate() {
                writeln!(out, "{}", outcome.line)?;
                is_refused |= outcome.line["reply"]["status"] == "error";
                for difference in outcome.differences.iter().filter(|_| options.is_check) {
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
    if is_right {
        count.passed += 1;
    } else {
        count.failed += 1;
    }
    count.sloppy += usize::from(case.sloppy);
    count.without_retry += usize::from(case.sloppy && is_right && !is_refused);
    Ok(())
}
