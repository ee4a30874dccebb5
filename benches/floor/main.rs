//! How close to the floor editing comes. The floor is a copy and a SHA-256 of the same text, measured in the same run.
//!
//! One JSON line per figure: `{"name", "ours_ns", "floor_ns", "ratio", "goal"}`. `ours_ns` is what the work takes, `floor_ns` what
//! its floor takes, or what else its name says that it is compared with. Both are measured in turn, in the processor time of the
//! thread, and the medians are shown. Small documents rotate, so that no branch is learnt by heart. Lines about allocations have
//! `allocations` or `peak` (in sizes of the text) instead. Nothing is asserted: a machine that is busy with other things lies.
//!
//! `cargo bench --bench floor` measures all; with `-- 'tool call'` what has this in its name. Without `--bench` and with
//! `MEMDOC_BENCH=short`, each piece of work is done twice, to see that it can be done.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "figures are the result")]

mod allocations;
mod clock;
mod documents;
mod edits;
mod figures;
mod lives;
mod rewrites;
mod tools;

use std::error::Error;
use std::process::ExitCode;

use figures::Run;

/// A benchmark cannot be run: what it does is refused.
type Failure = Box<dyn Error>;

fn main() -> ExitCode {
    let mut run = Run::from_environment();
    let all = [edits::measure, tools::measure, rewrites::measure, lives::measure, allocations::measure];
    match all.into_iter().try_for_each(|measure| measure(&mut run)) {
        Ok(()) => {
            run.growth();
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
