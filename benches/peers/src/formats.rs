//! One edit, as each format says it.

use std::fmt::Write as _;

use diff_match_patch_rs::{DiffMatchPatch, Efficient, PatchInput};

use crate::Failure;
use crate::cases::{Case, Hunk};

/// An edit in every format.
pub(crate) struct Sent {
    /// V4A, its hunks without an envelope.
    hunks: String,
    pub(crate) unified: String,
    /// Texts and what takes their places; `None` if an insertion has no text beside it, or a hunk a scope that is no text.
    pub(crate) pairs: Option<Vec<[String; 2]>>,
    /// A patch of diff-match-patch; `None` if what was seen cannot have been edited so.
    pub(crate) characters: Option<String>,
}

impl Sent {
    pub(crate) fn new(case: &Case) -> Result<Self, Failure> {
        let characters = case.intended().map(|[seen, meant]| characters(seen, meant)).transpose()?;
        let pairs = case.hunks.iter().map(pair).collect();
        Ok(Self { hunks: case.hunks.iter().map(v4a).collect(), unified: unified(&case.hunks), pairs, characters })
    }

    /// Returns the V4A patch whose line behind the first is `update`.
    pub(crate) fn patch(&self, update: &str) -> String {
        format!("*** Begin Patch\n*** {update}\n{}*** End Patch\n", self.hunks)
    }
}

/// Tells the lines of a text from what only unified diffs say (`\`), and what only V4A says (`*`).
fn lines_without<'a>(hunk: &'a Hunk, other: &'static [char]) -> impl Iterator<Item = &'a str> {
    hunk.lines.split('\n').filter(move |line| !line.starts_with(other))
}

fn v4a(hunk: &Hunk) -> String {
    let scope = hunk.scope.map(|scope| format!(" {scope}")).unwrap_or_default();
    let lines: Vec<_> = lines_without(hunk, &['\\']).collect();
    format!("@@{scope}\n{}\n", lines.join("\n"))
}

fn unified(hunks: &[Hunk]) -> String {
    let count = |hunk: &Hunk, sign| lines_without(hunk, &['\\', '*']).filter(|line| !line.starts_with(sign)).count();
    let mut text = String::from("--- a/memory.md\n+++ b/memory.md\n");
    for hunk in hunks {
        let [old, new] = [count(hunk, '+'), count(hunk, '-')];
        let above = hunks.iter().filter(|other| other.line < hunk.line);
        let shifted = above.fold(hunk.line, |line, other| (line + count(other, '-')).saturating_sub(count(other, '+')));
        // Of nothing, the line before is named.
        let from = if old == 0 { hunk.line.saturating_sub(1) } else { hunk.line };
        let to = if new == 0 { shifted.saturating_sub(1) } else { shifted };
        let _ = writeln!(text, "@@ -{from},{old} +{to},{new} @@");
        lines_without(hunk, &['*']).for_each(|line| {
            let _ = writeln!(text, "{line}");
        });
    }
    text
}

fn pair(hunk: &Hunk) -> Option<[String; 2]> {
    let side = |sign: char| {
        let lines = lines_without(hunk, &['\\', '*']).filter(|line| !line.starts_with(sign));
        lines.map(|line| line.split_at_checked(1).map_or("", |(_, text)| text)).collect::<Vec<_>>()
    };
    let [old, new] = [side('+'), side('-')];
    let end = if new.is_empty() { "\n" } else { "" };
    (hunk.scope.is_none() && !old.is_empty()).then(|| [old.join("\n") + end, new.join("\n")])
}

fn characters(seen: &str, meant: &str) -> Result<String, Failure> {
    let library = DiffMatchPatch::new();
    let patches = library.patch_make::<Efficient>(PatchInput::new_text_text(seen, meant));
    Ok(library.patch_to_text(&patches.map_err(|error| format!("{error:?}"))?))
}
