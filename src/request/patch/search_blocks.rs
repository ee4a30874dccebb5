//! Search/replace blocks, as other tools take them, are no patch. The patch that does the same is offered instead.

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
    let (mut hunks, mut lines) = (Vec::new(), text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)));
    let mut has_anchor = false;
    while let Some(line) = lines.next() {
        if is_mark(line, '<', "SEARCH") {
            let old: Vec<_> = lines.by_ref().take_while(|line| !is_mark(line, '=', "")).collect();
            let mut is_closed = false;
            let is_own = |line: &&str| {
                is_closed = is_mark(line, '>', "REPLACE");
                !is_closed
            };
            let new: Vec<_> = lines.by_ref().take_while(is_own).collect();
            if !is_closed || [&old, &new].iter().any(|own| own.iter().any(|line| is_any_mark(line))) {
                return None;
            }
            if !has_anchor {
                hunks.push("@@".to_owned());
            }
            hunks.extend(hunk(&old, &new));
            has_anchor = false;
        } else if line.starts_with("@@") {
            hunks.push(line.to_owned());
            has_anchor = true;
        } else if line.starts_with(['+', '-']) || is_any_mark(line) {
            return None;
        } else if line.starts_with("*** Update") {
            hunks.push(line.to_owned());
        }
    }
    Some(format!("*** Begin Patch\n{}\n*** End Patch", hunks.join("\n")))
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

/// Returns true for a line of five signs or more and a word behind them.
fn is_mark(line: &str, sign: char, word: &str) -> bool {
    let rest = line.trim_start_matches(sign);
    line.len() >= rest.len() + 5 && rest.trim() == word
}

fn is_any_mark(line: &str) -> bool {
    is_mark(line, '<', "SEARCH") || is_mark(line, '=', "") || is_mark(line, '>', "REPLACE")
}
