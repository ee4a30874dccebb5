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
//! As times the floor, at 4 KiB, 64 KiB and 1 MiB, on two cores; "before" and "now" were taken in turn within one hour, twice each, and
//! where the two differ both stand there. "At first" every result was parsed and hashed as a whole, and look-ups hashed every line.
//! "Before" a result was written twice, a bullet took 72 bytes, a section 88 and a line 8, and a call wrote the JSON of its reply
//! whatever the host asked for, and did not write its text, which is in the figures of "now".
//!
//! | figure | at first | before | now | goal |
//! |---|---|---|---|---|
//! | parse and hash / hash | 2.9 / 5.5 / 8.1 | 2.2 to 2.8 / 2.3 to 2.9 / 2.1 | 2.7 / 2.5 / 2.5 | 1.9 / 1.7 / 1.7 |
//! | replace at the start | 14.6 / 6.1 / 5.2 | 4.5 to 15 / 1.7 to 1.8 / 1.4 to 1.5 | 5.7 to 6.1 / 1.7 / 1.3 | 4 / 1.3 / 1.25 |
//! | replace at 90 % | 19.6 / 5.3 / 3.8 | 3.5 to 4.5 / 0.57 to 0.61 / 0.31 to 0.35 | 4.6 / 0.62 to 0.64 / 0.27 to 0.28 | 4 / 0.4 / 0.3 |
//! | append | 11.7 / 6.9 / 5.1 | 2.2 to 3.0 / 0.29 to 0.30 / 0.16 to 0.17 | 3.0 / 0.29 to 0.39 / 0.10 | – / 0.2 / 0.15 |
//! | patch of one hunk at 90 % | 31 / 12.2 / 11.5 | 4.9 to 6.3 / 0.66 to 0.71 / 0.32 to 0.36 | 6.3 to 6.4 / 0.77 / 0.29 to 0.32 | 5 / 0.6 / 0.5 |
//! | 100 hunks / 1 hunk, in ms | 16.9 / 8.5 | 3.8 / 0.50 | 5.6 / 0.48 | 1.3 to 1 |
//! | 1,000 replacements / std | – / – / 57 | – / – / 14 to 15 | – / – / 14 to 15 | 1.5 |
//! | tool call: replace | 58 / 7.5 / 4.0 | 19 to 21 / 1.3 to 1.7 / 0.54 to 0.66 | 13 to 14 / 1.0 to 1.1 / 0.44 to 0.53 | 5.3 / 0.8 / 0.6 |
//! | tool call: patch | 65 / 18 / 11.7 | 16 to 19 / 1.4 to 2.0 / 0.58 to 0.66 | 13 to 14 / 1.2 / 0.43 to 0.61 | 5.3 / 0.8 / 0.6 |
//! | tool call: edit_items | 86 / 32 / 26 | 21 to 26 / 2.3 to 2.8 / 0.69 to 0.81 | 18 to 22 / 1.7 / 0.62 to 0.95 | 6.6 / 1.0 / 0.8 |
//! | refusal / success | 56 / 146 / 95 | 3.6 to 4.2 / 5.7 to 5.8 / 6.7 to 8.4 | 4.0 / 7.7 to 7.9 / 5.9 to 12 | 8 |
//! | a refusal, in ms | 2.5 / 20 / 325 | 0.03 / 0.11 / 1.2 | 0.05 / 0.17 / 1.9 | |
//! | compaction to 0.9 | 725 / 1,040 / 1,460 | 33 to 48 / 35 to 50 / 36 to 51 | 50 to 73 / 53 to 63 / 26 to 30 | 40 |
//! | gate of a candidate | 380 / 440 / 480 | 16 to 23 / 15 to 21 / 15 to 22 | 24 to 32 / 18 to 23 / 20 to 23 | 20 |
//! | a life of 1,000 calls, 64 KiB, in memory | 7.2 | 1.7 to 1.9 | 1.2 to 1.5 | 3 |
//! | the same, reading before each call | | 1.8 to 2.0 | 1.5 to 1.9 | 3 |
//! | call 1,000 / call 10 | 1.01 | 0.98 | 0.90 to 0.95 | 1.1 |
//! | allocations of a replace | 356 / 1,473 / 18,781 | 224 / 236 / 236 | 129 / 136 / 136 | 200 |
//! | of a patch, of edit_items | | 239 / 251 / 252, 348 / 364 / 368 | 162 / 173 / 173, 186 / 193 / 193 | 200 |
//! | allocations of a commit at once, in texts | | 3.7 / 2.7 / 2.7 | 2.9 / 2.1 / 2.1 | 3 |
//!
//! Taken at last on 30 November 2026, 7a6f8b78 beside 0251ab48 (in parentheses: the last commit before the third edition was begun), in
//! turn on an almost idle machine whose floor is 2.1 / 32 / 522 µs, the least of several runs, in µs at 4 KiB, 64 KiB and 1 MiB: patch of
//! one hunk 13, 21 and 126 (11, 19 and 129), refusal of a replacement, one commit later, 11, 64 and 888 (24, 87 and 933), of a patch 11,
//! 44 and 567 (42, 142 and 1,695). Shortly before, at 19ea0fb7, which compared the sections of all pins at each commit: replacement at
//! 90 % 12, 29 and 256 (8, 15 and 124), gate 75, 480 and 7,460 (32, 428 and 7,310), compaction 114, 1,560 and 29,400 (78, 1,270 and
//! 22,300), a call of `edit_items` 39, 71 and 507 (21, 35 and 209), of `replace_in_memory` 27, 47 and 328 (19, 26 and 174), 100 hunks at
//! 1 MiB 4,680 (2,090), 1,000 replacements 8,580 (4,930), 1,000 calls in files 489 ms (1,030). A compaction compares both texts by lines,
//! which is a sixth of it, and tries two numbers of bullets, which is another. A call of `edit_items` looks for bullets that say nearly
//! the same, which it did not do before.
//!
//! Taken on 30 November 2026, c01c03d9 beside 3916c70a (in parentheses), on a machine whose floor is 2.6 / 40 / 700 µs and whose
//! pages are slow to come, in µs at 64 KiB and 1 MiB: patch of one hunk 33 and 348 (37 and 337), replacement at 90 % 30 and 319 (37 and
//! 349), append 18 and 185 (21 and 202), refusal of a patch 390 and 6,090 (221 and 3,513: each line that is missing has its closest line
//! now), 100 hunks 6,556 at 1 MiB (13,150), 1,000 replacements 11,422 (17,919), gate 928 and 15,952 (1,146 and 21,480), compaction 5,468 and
//! 98,669 (5,337 and 119,713), a call of `edit_items` 147 and 1,495 (128 and 1,043).
//!
//! Taken again on 29 November 2026, 5f3fd16c, on an idle machine of two cores whose floor is 2.1 / 33 / 545 µs; compaction and gate
//! three commits later, "before" them:
//!
//! | figure | |
//! |---|---|
//! | parse and hash / hash | 2.3 / 2.1 / 2.2 |
//! | replace at the start; at 90 % | 8.9 / 1.6 / 1.2; 6.0 / 0.65 / 0.24 |
//! | append; patch of one hunk at 90 % | 4.7 / 0.39 / 0.09; 7.1 / 0.72 / 0.24 |
//! | tool call: replace; patch; edit_items | 17 / 1.1 / 0.36; 17 / 1.1 / 0.36; 20 / 1.7 / 0.68 |
//! | refusal / success; a refusal, in ms | 1.1 / 8.1 / 20; 0.01 / 0.16 / 2.5 |
//! | 100 hunks / 1 hunk; 1,000 replacements / std | – / – / 19; – / – / 50 |
//! | compaction to 0.9 | 275 / 326 / 378; 771 / 932 / 1,079 before |
//! | gate of a candidate | 99 / 86 / 102; 220 / 211 / 199 before |
//! | a life of 1,000 calls in memory; in files | 1.4; 18 |
//! | call 1,000 / call 10, in memory; in files | 0.94; 0.91 |
//!
//! **Compaction takes ten times as long as in the table above, a gate five times**, and many replacements and hunks three to four times:
//! they have got slower since the third edition was begun, which was not noticed until this was taken. What a gate takes is the ledger,
//! which numbers what each bullet says.
//!
//! Where the goals are missed:
//!
//! - A full parse takes 1.3 to 2 times as long as the hash. Of its time a fifth goes to finding the ends of lines, one search for
//!   each; the rest is spread over what tells a line and fills a bullet, and no instruction stands out. Bullets of 44 bytes, which
//!   were 152, did the most: what is written is what costs in large texts, and a document of 64 KiB that is freed is less than what
//!   the allocator of glibc gives back to the system, to take it again. To look for ends eight bytes at a time, in words, is faster by
//!   itself, 4.6 instead of 7.8 µs at 64 KiB, but not in the parser: of its time it took 1 to 2 %, which is noise, and it was not kept.
//!   One search by an iterator over the whole text takes 7.2 µs; masks of 16 or 64 bytes are no quicker than words, without `unsafe`.
//! - Of a replacement's time at 64 KiB a fifth is the hash, from the state before the edit, a seventh the copy of the text and of the
//!   nodes, a twelfth the search; half does not grow with the text. States of the hash stand 4 KiB apart, so that 2 KiB are hashed
//!   again on average, which is a twentieth of the floor. That the text is copied once and not twice is seen in what is held at once,
//!   and at 1 MiB; at 64 KiB it stays in the caches.
//! - At 4 KiB and in tool calls it is what does not grow with the text, and no part of it stands out: of a call's 136,000 instructions
//!   beside the hashes half are planning and the commit, a quarter writing the entry of the journal, a fifth the arguments and the
//!   reply, whose JSON is made only if the host asks for it. A sixth are the allocator's. Where 64 agents take turns, as here, a call
//!   takes half as long again as those of one agent: its memory is not in the caches.
//! - A patch looks for its longest line in the text; from the fifth line on all lines are grouped by their lengths, which is half of what
//!   ten hunks take to plan. Of several hunks, as of several replacements, the sections that each touches are parsed again and their
//!   nodes compared, and the text is hashed from the first on; before, all between the first and the last was. At 1 MiB two hunks
//!   are committed in 0.68 ms instead of 2.7, ten in 1.0 instead of 4.7, a hundred in 2.1 instead of 4.4. Where most sections are
//!   touched, nothing is spared. The standard library does not hash: a SHA-256 of the text alone takes longer than its count and
//!   replacement.
//! - A refusal looks for its words, and ranks all lines by the pairs of letters that they share with it, which is
//!   nine tenths of its time. Where all words of a text stand somewhere, the text is read in normal form, which takes as long again.
//! - Bullets are read in normal form where the longest word of what is sought stands. What says nearly the same as a bullet that is
//!   written is looked for by words of ASCII, and by those of scripts without letter case. Where there are none, as in Russian, all
//!   bullets are compared.
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
