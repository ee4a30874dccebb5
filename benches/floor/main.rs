//! How close to the floor editing comes. The floor is a copy and a SHA-256 of the same text, measured in the same run.
//!
//! One JSON line per figure: `{"name", "ours_ns", "floor_ns", "ratio", "goal"}`. `ours_ns` is what the work takes, `floor_ns` what
//! its floor takes, or what else its name says that it is compared with. Both are measured in turn, in the processor time of the
//! thread, and the medians are shown. Small documents rotate, so that no branch is learnt by heart. What is allocated is counted by
//! the bench `allocations`. Nothing is asserted: a machine that is busy with other things lies.
//!
//! `cargo bench --bench floor` measures all; with `-- 'tool call'` what has this in its name. Without `--bench` and with
//! `MEMDOC_BENCH=short`, each piece of work is done twice, to see that it can be done.
//!
//! # Reached
//!
//! As times the floor, at 4 KiB, 64 KiB and 1 MiB: on two cores that others shared, so the second digit is worth little. "At first"
//! every result was parsed and hashed as a whole, and look-ups hashed every line. "Before" the words of a text that is not found were
//! not looked for first, patches grouped all lines by their lengths, pins were compared by what they say, and what this bench times
//! was run beside an allocator that counts. Where two figures stand for "now", the second is of an hour in which the same program took
//! up to a half longer.
//!
//! | figure | at first | before | now | goal |
//! |---|---|---|---|---|
//! | parse and hash / hash | 2.9 / 5.5 / 8.1 | 2.4 / 2.5 / 2.3 | 3.1 / 2.4 to 3.4 / 2.2 to 3.0 | 1.9 / 1.7 / 1.7 |
//! | replace at the start | 14.6 / 6.1 / 5.2 | 7.6 / 2.1 / 1.5 | 7.3 to 8.8 / 1.8 to 2.3 / 1.5 | 4 / 1.3 / 1.25 |
//! | replace at 90 % | 19.6 / 5.3 / 3.8 | 5.7 / 0.9 / 0.6 | 5.3 to 6.3 / 0.7 to 1.1 / 0.34 | 4 / 0.4 / 0.3 |
//! | append | 11.7 / 6.9 / 5.1 | 4.5 / 0.6 / 0.28 | 3.7 to 4.4 / 0.5 to 0.8 / 0.19 | – / 0.2 / 0.15 |
//! | patch of one hunk at 90 % | 31 / 12.2 / 11.5 | 8 to 10 / 2.0 / 1.1 | 9.4 / 1.3 / 0.35 | 5 / 0.6 / 0.5 |
//! | 100 hunks / 1 hunk, in ms | 16.9 / 8.5 | 6.1 / 1.2 | 4.6 / 0.65 | 1.3 to 1 |
//! | 1,000 replacements / std | – / – / 57 | – / – / 14 | – / – / 14 | 1.5 |
//! | tool call: replace | 58 / 7.5 / 4.0 | 27 to 37 / 2.0 to 2.7 / 0.7 | 17 / 1.4 / 0.6 | 5.3 / 0.8 / 0.6 |
//! | tool call: patch | 65 / 18 / 11.7 | 28 to 32 / 2.9 to 3.9 / 1.2 to 1.5 | 16 / 1.5 / 0.56 | 5.3 / 0.8 / 0.6 |
//! | tool call: edit_items | 86 / 32 / 26 | 32 to 38 / 3.1 to 3.5 / 0.9 to 1.1 | 27 / 2.2 / 0.74 | 6.6 / 1.0 / 0.8 |
//! | refusal / success | 56 / 146 / 95 | 7.3 / 28 / 22 | 3.6 / 5.8 / 5.1 | 8 |
//! | a refusal, in ms | 2.5 / 20 / 325 | 0.12 / 1.0 / 13.2 | 0.07 / 0.23 / 1.3 | |
//! | compaction to 0.9 | 725 / 1,040 / 1,460 | 29 to 32 / 34 to 40 / 43 to 50 | 35 / 44 / 26 to 42 | 40 |
//! | gate of a candidate | 380 / 440 / 480 | 16 to 19 / 16 to 19 / 23 to 25 | 18 / 23 / 15 | 20 |
//! | a life of 1,000 calls, 64 KiB, in memory | 7.2 | 2.5 | 1.9 | 3 |
//! | the same, reading before each call | | 2.9 | 1.7 to 2.7 | 3 |
//! | call 1,000 / call 10 | 1.01 | 0.89 to 0.97 | 0.6 to 1.0 | 1.1 |
//! | allocations of a replace | 356 / 1,473 / 18,781 | 231 / 245 / 245 | 135 / 144 / 144 | 200 |
//! | of a patch, of edit_items | | | 161 / 170 / 170, 187 / 200 / 204 | 200 |
//! | allocations of a commit at once, in texts | | 3.7 / 2.7 / 2.7 | 3.7 / 2.7 / 2.7 | 3 |
//!
//! In files a call takes 1.0 to 1.4 ms of the processor, reading and writing files, not the document, and call 1,000 takes
//! 0.99 to 1.18 times as long as call 10.
//!
//! Where the goals are missed:
//!
//! - A full parse takes 1.3 to 2 times as long as the hash. Of its time a fifth goes to finding the ends of lines, one search for
//!   each; the rest is spread over what tells a line and fills a bullet, and no instruction stands out. Bullets of 72 bytes instead of
//!   152 did the most: what is written is what costs in large texts. To look for ends eight bytes at a time, in words, is faster by
//!   itself, 4.6 instead of 7.8 µs at 64 KiB, but not in the parser: of its time it took 1 to 2 %, which is noise, and it was not kept.
//!   One search by an iterator over the whole text takes 7.2 µs; masks of 16 or 64 bytes are no quicker than words, without `unsafe`.
//! - Of a replacement's time at 64 KiB most is the copy of the nodes behind the edit, with other offsets, then the hash, and two
//!   copies of the text: in safe Rust an `Arc<str>` is made by a copy of a `str`. Done again and again on one document with nothing
//!   between, it takes 20 µs, half the floor: the rest is memory that is not in the caches, and what the allocator gives back to the
//!   system and takes again.
//! - At 4 KiB and in tool calls it is what does not grow with the text, and no part of it stands out: of a call's 136,000 instructions
//!   beside the hashes half are planning and the commit, a quarter writing the entry of the journal, a fifth the arguments and the
//!   reply, whose JSON is made only if the host asks for it. A sixth are the allocator's. Where 64 agents take turns, as here, a call
//!   takes half as long again as those of one agent: its memory is not in the caches.
//! - A patch looks for its longest line in the text; from the fifth line on all lines are grouped by their lengths. Of a hundred hunks,
//!   as of a thousand replacements, the whole text is parsed again, hashed, and its nodes compared: only one stretch is told apart from
//!   what stays. To tell several apart would spare most of it where they are few, and is not done. The standard library does not
//!   hash: a SHA-256 of the text alone takes longer than its count and replacement.
//! - A refusal looks for its words, and for the lines that share most pairs of letters, 24 of which are compared in full, 64 letters at
//!   a time: six would change which are shown. Where all words of a text stand somewhere, it is read on each rung still, which takes three
//!   times as long.
//! - Contents of bullets are folded where a word of what is sought stands, and all of them only if that is often or nowhere.
//! - A compaction is made once to see what says nothing, and twice where its forecast is right, and then passes the gate. Of a gate's
//!   time a fifth goes to the comparison of both texts by lines, which are put into a hash table; the rest to folding what bullets say,
//!   and to the three texts that are made and parsed. At 1 MiB it is fresh memory that costs, and how much depends on what else the
//!   machine does.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "figures are the result")]

mod agent;
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
    let all = [edits::measure, tools::measure, rewrites::measure, lives::measure];
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
