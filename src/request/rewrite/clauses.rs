//! What a bullet says, folded, and the clauses of it.

use std::borrow::Cow;

use crate::document::fold_said;
use crate::locate::may_be_signed;
use crate::text::fold_punctuation;

/// Folds what says nothing: white space, Unicode punctuation, the letter case of the first letter.
pub(super) fn folded(text: &str) -> String {
    let mut plain = Cow::Borrowed(text);
    if !text.is_ascii() {
        // A long dash sets apart what stands around it, with spaces or without.
        let parts: Vec<&str> = text.split(is_long_dash).filter(|part| !part.is_empty()).collect();
        let text = parts.join(" - ");
        let mut folded = String::with_capacity(text.len());
        fold_punctuation(&text, |_, c| folded.push(c));
        plain = Cow::Owned(folded);
    }
    let plain = fold_said(&plain);
    let mut rest = plain.chars();
    let mut folded = String::with_capacity(plain.len());
    folded.extend(rest.next().into_iter().flat_map(char::to_lowercase));
    folded.push_str(rest.as_str());
    folded
}

const fn is_long_dash(c: char) -> bool {
    matches!(c, '\u{2014}' | '\u{2015}' | '\u{2e3a}' | '\u{2e3b}')
}

/// Folds each clause of a folded text as if it stood by itself.
pub(super) fn by_clause(plain: &str) -> String {
    let mut written = String::with_capacity(plain.len());
    let mut done = 0;
    for (start, _) in clauses(plain, &ends(plain)) {
        written.push_str(plain.get(done..start).unwrap_or_default());
        let first = plain.get(start..).and_then(|rest| rest.chars().next());
        written.extend(first.into_iter().flat_map(char::to_lowercase));
        done = start + first.map_or(0, char::len_utf8);
    }
    written.push_str(plain.get(done..).unwrap_or_default());
    written
}

/// Iterates over the clauses of a folded text, in which clauses end at `ends`: where each begins, behind all signs that stand
/// there, and where it ends.
pub(super) fn clauses<'t>(text: &'t str, ends: &'t [usize]) -> impl Iterator<Item = (usize, usize)> + 't {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let from = next?;
        let mut rest = text.get(from..)?;
        while let Some(c) = rest.chars().next() {
            let is_sign = c == ' ' || is_bracket(c) || ends.binary_search(&(text.len() - rest.len())).is_ok();
            let Some(behind) = behind_dash(rest).or_else(|| rest.strip_prefix(c).filter(|_| is_sign)) else { break };
            rest = behind;
        }
        let start = text.len() - rest.len();
        let end = ends.get(ends.partition_point(|end| *end <= start)).copied().unwrap_or(text.len());
        let behind = text.get(end..)?;
        let mark = behind.trim_start_matches(' ');
        // A dash that is a sign belongs to what it stands before.
        let is_signed = mark.starts_with("- ") && behind_dash(behind).is_none();
        let width = mark.chars().next().map(|c| if is_signed { 0 } else { c.len_utf8() });
        next = width.map(|width| end + behind.len() - mark.len() + width);
        Some((start, end))
    })
}

/// Returns what stands behind a dash that sets a clause apart: not one that may be the sign of a number.
fn behind_dash(text: &str) -> Option<&str> {
    text.strip_prefix(" - ").filter(|behind| !may_be_signed(behind))
}

/// Returns where clauses of a folded text end, the end of the text left out. Signs of scripts that set no spaces end one wherever
/// they stand; brackets inside of a word, as in `(un)married`, end none.
pub(super) fn ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let inner = inner_brackets(text);
    let is_bracket = |at: usize, c: char| is_bracket(c) && inner.binary_search(&at).is_err();
    // Of what stands behind: whether it is open once points and commas are passed over, and whether it is a bracket once spaces are.
    let (mut is_open, mut is_bracketed) = (true, false);
    for (at, c) in text.char_indices().rev() {
        let is_end = match c {
            ';' => true,
            '.' | ',' | ':' => is_open,
            ' ' => is_bracketed || text.get(at..).is_some_and(|rest| rest.starts_with(" - ")),
            c => is_bracket(at, c),
        };
        ends.extend(is_end.then_some(at));
        is_open = match c {
            '.' | ',' => is_open,
            c => matches!(c, ' ' | ')' | ']' | '}' | '"' | '\''),
        };
        is_bracketed = if c == ' ' { is_bracketed } else { is_bracket(at, c) };
    }
    ends.reverse();
    ends
}

/// Returns where the brackets stand that have a letter or a digit directly on both sides, other brackets passed over.
fn inner_brackets(text: &str) -> Vec<usize> {
    let (mut inner, mut run) = (Vec::new(), Vec::new());
    let mut is_word = false;
    for (at, c) in text.char_indices() {
        if matches!(c, '(' | ')' | '[' | ']' | '{' | '}') {
            run.push(at);
            continue;
        }
        let is_inside = is_word && c.is_alphanumeric();
        inner.extend(run.drain(..).filter(|_| is_inside));
        is_word = c.is_alphanumeric();
    }
    inner
}

/// Reports whether a sign is a bracket, or one of those of scripts that set no spaces.
pub(super) fn is_bracket(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '（' | '）' | '「' | '」' | '；' | '：' | '。' | '，' | '、')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<&str> {
        clauses(text, &ends(text)).filter_map(|(start, end)| text.get(start..end)).collect()
    }

    #[test]
    fn a_clause_ends_at_signs_behind_which_something_else_begins() {
        assert_eq!(said("likes tea; has a cat, and a dog (old)"), ["likes tea", "has a cat", "and a dog", "old", ""]);
        assert_eq!(said("5.5 mg, v1.2.3... done"), ["5.5 mg", "v1.2.3", "done"]);
        assert_eq!(said("well-known - at 10:30: here"), ["well-known", "at 10:30", "here"]);
        assert_eq!(said("对花生过敏。喜欢茶"), ["对花生过敏", "喜欢茶"]);
        assert_eq!(said("(un)married, co(op) [a]((b))c"), ["un)married", "co(op", "a]((b))c"]);
        assert_eq!(
            said("at Acme (2019); in Rome (now), here [x]. There (y) - z (a): .5 (b)-c"),
            ["at Acme", "2019", "in Rome", "now", "here", "x", "There", "y", "z", "a", ".5", "b", "-c"]
        );
        assert_eq!(said("outside: - 5 mg; - 3 - $2 - x"), ["outside", "- 5 mg", "- 3", "- $2", "x"]);
        assert_eq!(said(""), [""]);
    }
}
