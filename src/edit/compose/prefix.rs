//! What stands before the content of a bullet: indentation, marker, white space.

use std::fmt;

use crate::document::{BulletRef, bullet_start};

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
