//! Prints the tables of the README: what each applier makes of the cases, and how fast it is.
//!
//! `--verbose` also prints the verdict of each case. With `MEMDOC_BENCH=short` everything is measured once.

use std::process::ExitCode;

use peers::{Extent, Failure, print_cases, print_tables};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "a program tells why it failed")]
            {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    if std::env::args().any(|argument| argument == "--verbose") {
        print_cases()?;
    }
    let is_short = std::env::var("MEMDOC_BENCH").is_ok_and(|mode| mode == "short");
    print_tables(if is_short { Extent::Short } else { Extent::Full })
}
