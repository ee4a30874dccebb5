//! What stands before the content of a bullet: indentation, marker, white space; and the lines of a
//! bullet behind another prefix.

use std::collections::HashMap;
use std::fmt;

use crate::document::{BulletRef, bullet_start, columns};
use crate::text::{Line, Lines, Span, is_blank};

/// What stands before a bullet's checkbox, tags and content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    pub(super) indentation: String,
    pub(super) marker: String,
    pub(super) space: String,
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.indentation, self.marker, self.space)
    }
}

impl Prefix {
    /// The prefix of a list that has no bullet yet.
    pub(super) fn plain() -> Self {
        Self { indentation: String::new(), marker: "-".to_owned(), space: " ".to_owned() }
    }

    /// Returns the indentation of the lines below the first.
    pub(super) fn below(&self) -> String {
        let space = if self.space.bytes().all(|byte| byte == b' ') { self.space.len() } else { 1 };
        let width = (self.marker.len() + space).max(2);
        [self.indentation.as_str(), &" ".repeat(width)].concat()
    }
}

/// Returns what stands before the content of a bullet.
pub(super) fn prefix_of(bullet: BulletRef<'_>) -> Prefix {
    let line = bullet.line_text();
    let space = bullet_start(line).and_then(|start| line.get(start.marker.end..start.rest)).unwrap_or_default();
    Prefix {
        indentation: bullet.indentation().of(bullet.doc().text()).to_owned(),
        marker: bullet.marker().to_owned(),
        // As in CommonMark: five spaces behind a marker are one, and indented code.
        space: if (1..=4).contains(&space.len()) { space.to_owned() } else { " ".to_owned() },
    }
}

/// Returns what stands before the content of the first child of a bullet: two columns more, or as
/// many as the marker takes; the marker is the parent's, or `-` where that is a number, which would
/// begin a count that nobody asked for.
pub(super) fn below(parent: BulletRef<'_>) -> Prefix {
    let parent = prefix_of(parent);
    let is_number = parent.marker.ends_with(['.', ')']);
    Prefix {
        indentation: parent.below(),
        marker: if is_number { "-".to_owned() } else { parent.marker },
        space: " ".to_owned(),
    }
}

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
        let begun: Option<BulletRef<'_>> = doc.starting_at(at);
        let owner = begun.map_or_else(|| doc.bullet_at(at), BulletRef::parent).unwrap_or(bullet);
        let deeper = columns(line).saturating_sub(columns(owner.indentation().of(text))).max(2);
        let spaces = spaces_before.get(&owner).copied().unwrap_or(0) + deeper;
        spaces_before.extend(begun.map(|inner| (inner, spaces)));
        [&prefix.indentation, &" ".repeat(spaces), line.trim_start_matches([' ', '\t'])].concat()
    };
    Lines::within(text, span).map(set_in).collect()
}
