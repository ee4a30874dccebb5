//! memdoc beside other crates that apply patches: what each does to a memory, and how fast.
//!
//! # Who takes part
//!
//! | applier | what it reads | how it is called |
//! |---|---|---|
//! | memdoc | V4A patches | `Patch`, planned and committed on a `MemoryDoc` |
//! | agcodex-apply-patch | V4A patches | `apply_patch`, on a file, as it has no other way |
//! | patchloom, patch | V4A patches | `parse_begin_patch`, `apply_codex_hunks` |
//! | patchloom, diff | unified diffs | `parse_unified_diff`, `apply_hunks` |
//! | patchloom, replace | text and new text | `replace_in_content` with `ReplaceOptions::for_agent()` |
//! | mpatch | unified diffs | `patch_content_str` with `ApplyOptions::new()` |
//! | diffy | unified diffs | `Patch::from_str`, `apply` |
//! | flickzeug | unified diffs | `Diff::from_str`, `apply` |
//! | diff-match-patch-rs | its own patches | `patch_from_text`, `patch_apply` in the mode `Efficient`, refused if a part was |
//! | pulldown-cmark | Markdown | only parsed beside: it edits nothing |
//!
//! Each has the settings that it has by itself or that its documentation recommends for agents. memdoc's own guard, the revision
//! that an agent was shown, is left out: it would refuse every stale edit. memdoc gets what all get, a document and an edit.
//!
//! # What is right
//!
//! A case says what the editor saw, what the document is now, and what is to become of it: this text, byte for byte, or nothing
//! at all. `right` is what was to be. `refused` is an edit that could have been made and was not. `wrong` is success on another
//! document, `line ends` those of them whose text differs only in line endings or in the end of the last line. An edit that a
//! format cannot say is not asked of it. A unified diff always says a line: where a case is to be refused because the text stands
//! twice, that line is neither of the two, since models count badly; where it is right, the place is known and is to be edited.
//!
//! # How it is measured
//!
//! From the text of a patch of one hunk, at 90 % of the document, to the new document. All take turns, in the processor time of
//! the process, and the medians are shown, as times the floor: a copy of the text and its SHA-256. Every output is compared with
//! the wished one. "Miss" is the same patch with one letter wrong in the line that it deletes; who applies it is named.
//! memdoc has the document at hand, as it has in a `Memory`; "with parse" is from the text. Its time has the checks and the hash
//! of the result in it, which the others do not make. agcodex-apply-patch reads and writes a file, for which "a file" is the floor.

#![expect(clippy::print_stdout, reason = "tables are the result")]

mod appliers;
mod cases;
mod clock;
#[allow(dead_code, reason = "the documents of the benchmark of the floor, whose edits are others")]
#[path = "../../floor/documents.rs"]
mod documents;
mod formats;
mod speed;
mod verdicts;

use std::error::Error;

/// An applier refuses, or a comparison cannot be made.
pub type Failure = Box<dyn Error + Send + Sync>;

/// How much is done and told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Everything but the largest size is measured once, to see that it can be done.
    Short,
    /// Figures are medians.
    Full,
}

/// Prints what each applier makes of each case.
///
/// # Errors
///
/// If a case cannot be put to an applier.
pub fn print_cases() -> Result<(), Failure> {
    let cases = cases::all();
    println!("{}", verdicts::Verdicts::of(&cases)?.by_case(&cases));
    Ok(())
}

/// Prints the tables: verdicts and figures of each applier, then the figures of all sizes.
///
/// # Errors
///
/// If memdoc is wrong in a case, if an applier that is timed makes another document than it should, or if nothing can be measured.
pub fn print_tables(extent: Extent) -> Result<(), Failure> {
    let verdicts = verdicts::Verdicts::of(&cases::all())?;
    let speed = speed::Speed::measure(extent)?;
    println!("{}", speed.beside(&verdicts));
    println!("{}", speed.by_size());
    verdicts.memdoc_is_never_wrong()
}
