//! The lines of a bullet that moves, set in as its new place wants it, with all that belongs to it.

use std::collections::HashMap;

use super::prefix::Prefix;
use crate::document::{BulletRef, bullet_start, columns};
use crate::text::{Line, Lines, Span, is_blank};

/// Returns the lines of a bullet with all that belongs to it, behind another prefix. Each is in the
/// same characters as far from the bullet as it was, where all come out so, which tabs may prevent;
/// else each is set in by spaces below what it belongs to.
pub(super) fn moved_lines(bullet: BulletRef<'_>, prefix: &Prefix) -> Vec<String> {
    let text = bullet.doc().text();
    let first = bullet_start(bullet.line_text()).and_then(|start| bullet.line_text().get(start.rest..));
    let below = Span::new(bullet.line.end(), bullet.extent.end());
    let mut lines = vec![format!("{prefix}{}", first.unwrap_or_default())];
    let shifted = Lines::within(text, below).map(|line| shifted(bullet, line.text.of(text), prefix));
    match shifted.collect::<Option<Vec<_>>>() {
        Some(shifted) => lines.extend(shifted),
        None => lines.extend(set_in(bullet, below, prefix)),
    }
    lines
}

/// Returns a line that belongs to a bullet behind the indentation of another one, if it is then as
/// far from it in columns.
fn shifted(bullet: BulletRef<'_>, line: &str, prefix: &Prefix) -> Option<String> {
    if is_blank(line) {
        return Some(line.to_owned());
    }
    let own = bullet.indentation().of(bullet.doc().text());
    let shifted = [&prefix.indentation, line.strip_prefix(own)?].concat();
    let is_as_far = columns(&shifted) + columns(own) == columns(&prefix.indentation) + columns(line);
    is_as_far.then_some(shifted)
}

/// Returns the lines of `span`, which belong to a bullet, below `prefix`: each by as many spaces
/// farther in than the marker of the innermost bullet that it belongs to as it was by columns, but
/// two at least. A tab that sets a line in may be one column wide.
fn set_in(bullet: BulletRef<'_>, span: Span, prefix: &Prefix) -> Vec<String> {
    let (doc, text) = (bullet.doc(), bullet.doc().text());
    let mut spaces_before = HashMap::new();
    let set_in = |line: Line| {
        let (at, line) = (line.full.start(), line.text.of(text));
        if is_blank(line) {
            return line.to_owned();
        }
        let begun = doc.bullet_at(at).filter(|inner| inner.line.start() == at);
        let owner = begun.map_or_else(|| doc.bullet_at(at), BulletRef::parent).unwrap_or(bullet);
        let deeper = columns(line).saturating_sub(columns(owner.indentation().of(text))).max(2);
        let spaces = spaces_before.get(&owner).copied().unwrap_or(0) + deeper;
        spaces_before.extend(begun.map(|inner| (inner, spaces)));
        [&prefix.indentation, &" ".repeat(spaces), line.trim_start_matches([' ', '\t'])].concat()
    };
    Lines::within(text, span).map(set_in).collect()
}
