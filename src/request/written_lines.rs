//! How the lines that a patch writes are read, in a hunk or in a new section. A space before each of them is dropped,
//! plain lines become bullets, and bullets are moved to the column of their list.

use crate::document::{ItemText, bullet_line, columns, heading, is_ordered, is_plain};
use crate::edit::compose::{Prefix, updated_tags};
use crate::locate::{Found, Leniency};
use crate::text::{Content, is_blank};

/// The deepest indentation, in bytes, that written bullets copy from another: a short patch must not write a long
/// text.
const DEEPEST: usize = 64;

/// Returns the lines to write for a new section. A space that all lines begin with is dropped. In that case they become
/// bullets too, if all lines but a heading at the beginning are plain and not all of them have numbers.
pub(super) fn section_lines(sent: &[Content]) -> Found<Vec<Content>> {
    if !loses_space(sent.iter().map(Content::as_str)) {
        return Found::exact(sent.to_vec());
    }
    let mut lines: Vec<Content> = sent.iter().map(|line| line.strip_prefix(' ').unwrap_or(line).into()).collect();
    let mut healed = vec![Leniency::Spaced];
    let mut full: Vec<&mut Content> = lines.iter_mut().filter(|line| !is_blank(line)).collect();
    if full.first().is_some_and(|line| heading(line).is_some()) {
        full.remove(0);
    }
    let is_numbered = full.iter().all(|line| bullet_line(line).is_some());
    if !is_numbered && full.iter().all(|line| is_plain(line)) {
        full.into_iter().for_each(|line| *line = format!("- {line}").into());
        healed.push(Leniency::BulletForm);
    }
    Found { at: lines, healed }
}

/// Returns true if one space is dropped from written lines: each line that is not blank begins with a space, and at least
/// one with exactly one space.
pub(super) fn loses_space<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> bool {
    let mut full = lines.filter(|line| !is_blank(line));
    full.clone().all(|line| line.starts_with(' ')) && full.any(is_indented_by_one)
}

/// Returns true if a line is indented by exactly one space.
pub(super) fn is_indented_by_one(line: &str) -> bool {
    line.strip_prefix(' ').is_some_and(|rest| !rest.is_empty() && !rest.starts_with(char::is_whitespace))
}

/// Returns a plain line as a bullet with the indentation and marker of `model`; `None` if the line is not plain, or if it
/// brings its own number to an ordered list.
///
/// If the line replaces the content of a bullet, `marks` are the bullet's checkbox and tags. They stay unless the line
/// brings others; pin and lifetime always stay. A number is then the list's only if it is the bullet's own.
pub(super) fn as_bullet(model: &Prefix, text: &str, marks: Option<[&str; 2]>) -> Option<String> {
    let number = bullet_line(text).map(|line| line.marker);
    let is_own = |number| marks.is_none() || number == model.marker;
    if !is_plain(text) || model.indentation.len() > DEEPEST || (is_ordered(&model.marker) && number.is_some_and(is_own))
    {
        return None;
    }
    let [checkbox, tags] = marks.unwrap_or_default();
    let own = ItemText::trimmed(text);
    let checkbox = if own.checkbox.is_empty() { checkbox } else { own.checkbox };
    let tags = updated_tags(tags, own.tags);
    let parts = [&*model.marker, checkbox, &*tags, own.content];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Some([&*model.indentation, &*parts.join(" ")].concat())
}

/// Moves written bullets one column to the left, with the lines below them, if that is the column of a bullet around them
/// or of one written before. `around` has the columns of the bullets around. Returns true if any line was moved.
pub(super) fn align_columns(texts: &mut [String], mut around: Vec<usize>) -> bool {
    let (mut base, mut is_moved, mut is_any) = (0, false, false);
    for text in texts.iter_mut().filter(|text| !is_blank(text)) {
        let (column, is_bullet) = (columns(text), bullet_line(text).is_some());
        if is_bullet && !(is_moved && column > base) {
            let is_near = column.checked_sub(1).is_some_and(|near| around.contains(&near));
            (base, is_moved) = (column, is_near && !around.contains(&column));
        } else if column <= base {
            is_moved = false;
        }
        if is_moved && text.starts_with(' ') {
            text.remove(0);
            is_any = true;
        }
        if is_bullet {
            around.push(columns(text));
        }
    }
    is_any
}
