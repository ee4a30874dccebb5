//! Search/replace blocks, as other tools take them, are no patch. The patch that does the same is offered instead.

use super::parse::is_mark;
use crate::text::is_blank;

/// Returns the patch that makes the changes of search/replace blocks; `None` if a block is not complete, or a line
/// outside of the blocks may be an edit, too.
///
/// ```text
/// block = "<<<<<<< SEARCH" { LINE } "=======" { LINE } ">>>>>>> REPLACE"
/// ```
///
/// Each block becomes a hunk, below the anchor that stands before it. Other lines around blocks, such as the name of
/// a file, are dropped.
pub(crate) fn of_search_blocks(text: &str) -> Option<String> {
    let (mut patch, mut has_anchor) = (vec!["*** Begin Patch".to_owned()], false);
    let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    while let Some(line) = lines.next() {
        if is_mark(line, '<', "SEARCH") {
            let old = lines_before(&mut lines, '=', "")?;
            let new = lines_before(&mut lines, '>', "REPLACE")?;
            patch.extend((!has_anchor).then(|| "@@".to_owned()));
            patch.extend(hunk(&old, &new));
            has_anchor = false;
        } else if line.starts_with("@@") || line.starts_with("*** Update") {
            patch.push(line.to_owned());
            has_anchor |= line.starts_with("@@");
        } else if line.starts_with(['+', '-']) || is_any_mark(line) || may_be_part(line, has_anchor) {
            return None;
        }
    }
    patch.push("*** End Patch".to_owned());
    Some(patch.join("\n"))
}

/// Returns the lines before a mark; `None` if another mark comes first, or none.
fn lines_before<'t>(lines: &mut impl Iterator<Item = &'t str>, sign: char, word: &str) -> Option<Vec<&'t str>> {
    let mut own = Vec::new();
    loop {
        match lines.next()? {
            line if is_mark(line, sign, word) => return Some(own),
            line if is_any_mark(line) => return None,
            line => own.push(line),
        }
    }
}

/// Returns the lines of a hunk. Lines that both texts begin or end with are its context.
fn hunk(old: &[&str], new: &[&str]) -> Vec<String> {
    let same = |(old, new): &(&&str, &&str)| old == new;
    let before = old.iter().zip(new).take_while(same).count();
    let left = old.len().min(new.len()) - before;
    let after = old.iter().rev().zip(new.iter().rev()).take(left).take_while(same).count();
    let with = |sign: char, lines: &[&str], from: usize, to: usize| -> Vec<String> {
        lines.get(from..to).unwrap_or_default().iter().map(|line| format!("{sign}{line}")).collect()
    };
    let ends = (old.len() - after, new.len() - after);
    let changed = [with('-', old, before, ends.0), with('+', new, before, ends.1)].concat();
    [with(' ', old, 0, before), changed, with(' ', old, ends.0, old.len())].concat()
}

/// Returns true if a line may be a part of a patch: an operation, or a line below an anchor.
fn may_be_part(line: &str, has_anchor: bool) -> bool {
    let is_envelope = matches!(line.trim(), "*** Begin Patch" | "*** End Patch");
    !is_envelope && (line.starts_with("***") || (has_anchor && !is_blank(line)))
}

fn is_any_mark(line: &str) -> bool {
    is_mark(line, '<', "SEARCH") || is_mark(line, '=', "") || is_mark(line, '>', "REPLACE")
}
