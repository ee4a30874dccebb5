//! How close to the floor editing comes. The floor is a copy and a SHA-256 of the same text, measured in the same run.
//!
//! One JSON line per figure: `{"name", "ours_ns", "floor_ns", "ratio", "goal"}`. `ours_ns` is what the work takes, `floor_ns` what
//! its floor takes, or what else its name says that it is compared with. Both are measured in turn, in the processor time of the
//! thread, and the medians are shown. Small documents rotate, so that no branch is learnt by heart. Lines about allocations have
//! `allocations` or `peak` (in sizes of the text) instead. Nothing is asserted: a machine that is busy with other things lies.
//!
//! `cargo bench --bench floor` measures all; with `-- 'tool call'` what has this in its name. Without `--bench` and with
//! `MEMDOC_BENCH=short`, each piece of work is done twice, to see that it can be done.
//!
//! # Reached
//!
//! As times the floor, at 4 KiB, 64 KiB and 1 MiB: on two cores that eight others shared, so the second digit is worth little.
//! "Before" parsed and hashed every result as a whole.
//!
//! | figure | before | now | goal |
//! |---|---|---|---|
//! | replace at the start | 14.6 / 6.1 / 5.2 | 14.2 / 3.1 / 1.8 | 4 / 1.3 / 1.25 |
//! | replace in the middle | 14.3 / 6.1 / 5.0 | 12.8 / 2.2 / 1.3 | |
//! | append | 11.7 / 6.9 / 5.1 | 9.7 / 2.6 / 0.60 | – / 0.2 / 0.15 |
//! | parse and hash / hash | 2.9 / 5.5 / 8.1 | 2.9 / 5.0 / 7.8 | 1.9 / 1.7 / 1.7 |
//! | compaction to 0.9 | 725 / 1,040 / 1,460 | 132 / 154 / 165 | 40 |
//! | gate of a candidate | 380 / 440 / 480 | 63 / 85 / 88 | 20 |
//! | a life of 1,000 calls, 64 KiB, in memory | 7.2 | 3.4 to 3.6 | 3 |
//! | call 1,000 / call 10 | 1.01 | 1.02 to 1.03 | 1.1 |
//! | allocations of a commit at once, in texts | | 4.8 / 3.7 / 3.6 | 3 |
//!
//! In files a call took two milliseconds of the processor before, reading and writing files, not the document, and call 1,000 took
//! 1.08 times as long as call 10; that was not measured anew.
//!
//! Look-ups, both columns without optimization at link time, and on a machine that was busier still, before contents were folded
//! only where a word stands. "Before" hashed every line of a document to find a few, read the tags of all bullets for those that
//! are pinned, climbed the ladder twice for a text that stands nowhere, and compared 24 lines by a diff.
//!
//! | figure | before | now | goal |
//! |---|---|---|---|
//! | replace at 90 % | 19.6 / 5.3 / 3.8 | 10.2 / 1.6 / 0.8 to 1.0 | 4 / 0.4 / 0.3 |
//! | patch of one hunk at 90 % | 31 / 12.2 / 11.5 | 17.5 / 3.3 / 1.7 | 5 / 0.6 / 0.5 |
//! | 100 hunks / 1 hunk, in ms | 16.9 / 8.5 | 10.5 / 2.3 | 1.3 to 1 |
//! | tool call: replace | 58 / 7.5 / 4.0 | 56 / 6.5 / 1.2 to 1.4 | 5.3 / 0.8 / 0.6 |
//! | tool call: patch | 65 / 18 / 11.7 | 53 / 8 to 10 / 2.0 to 2.3 | 5.3 / 0.8 / 0.6 |
//! | tool call: edit_items | 86 / 32 / 26 | 79 / 17 / 7.2 | 6.6 / 1.0 / 0.8 |
//! | 1,000 replacements / std | – / – / 57 | – / – / 25 | 1.5 |
//! | refusal / success | 56 / 146 / 95 | 5.6 / 12 to 18 / 5.9 | 8 |
//! | a refusal, in ms | 2.5 / 20 / 325 | 0.19 / 1.1 to 1.3 / 18 | |
//! | allocations of a tool call | 356 / 1,473 / 18,781 | 270 / 282 / 282 | 200 |
//!
//! Where the goals are missed:
//!
//! - Of a replacement's time at 64 KiB most is the copy of the nodes behind the edit, with other offsets, then the hash, and two
//!   copies of the text: in safe Rust an `Arc<str>` is made by a copy of a `str`. A bullet takes 152 bytes: nodes of 32-bit
//!   offsets would halve the copies, the pages that a full parse touches and what a commit holds at once.
//! - At 4 KiB and in tool calls it is what does not grow with the text: arguments, the entry of the journal and the reply.
//! - A patch groups all lines of the text by their lengths, and compares those that are as long as its own. The lines of a length
//!   that is asked for more than four times are sorted. Lengths from the table of lines alone, endings included, would spare a
//!   look at each line's end. Of a hundred hunks, as of a thousand replacements, what takes longest is to look for reserved names
//!   around each place.
//! - A refusal folds the text once for each of three rungs, and each line for two more: so it is linear, and not less. That six
//!   lines be compared in full instead of 24 would change which are shown; they are compared 64 letters at a time instead.
//! - Contents of bullets are folded where a word of what is sought stands, and all of them only if that is often or nowhere.
//! - A compaction is made two or three times where its forecast is right, and then passes the gate, which takes half of its
//!   time. A third of the gate's are the lines of both texts that pass for reserved headings, as for every edit that writes a text
//!   anew; a fifth is what the old text could lose, of which each bullet's tags are read. Both figures, "before" too, were measured
//!   beside each other on these documents, without link-time optimization.

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
