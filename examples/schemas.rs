//! Prints the tools as a host sends them to a model: `schemas openai|anthropic|mcp [--set NAME]`.
//!
//! The output is the array that a request has under `tools`, or the answer to `tools/list`.

#![allow(clippy::print_stderr, reason = "a program for the command line")]

use std::error::Error;
use std::io::{self, Write as _};
use std::process::ExitCode;

use memdoc::{Dialect, ToolSet};
use serde_json::Value;

fn main() -> ExitCode {
    match read(std::env::args().skip(1)) {
        Ok((dialect, set)) => match print(dialect, set) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        },
        Err(error) => {
            eprintln!("{error}\nusage: schemas openai|anthropic|mcp [--set NAME]");
            ExitCode::from(2)
        }
    }
}

/// Reads the command line.
fn read(mut arguments: impl Iterator<Item = String>) -> Result<(Dialect, ToolSet), Box<dyn Error>> {
    let (mut dialect, mut set) = (None, ToolSet::All);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--set" => set = arguments.next().ok_or("expected a name after `--set`, found nothing")?.parse()?,
            name => dialect = Some(name.parse()?),
        }
    }
    Ok((dialect.ok_or("expected a dialect, found nothing")?, set))
}

fn print(dialect: Dialect, set: ToolSet) -> io::Result<()> {
    let tools: Value = set.tools().iter().map(|tool| tool.to_json(dialect)).collect();
    writeln!(io::stdout(), "{tools:#}")
}
