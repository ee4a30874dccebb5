//! What a request looks for, in words.

use std::fmt;

use crate::text::{Content, excerpt, visible};

/// How many characters of a sought text are quoted.
const QUOTED: usize = 80;

/// What a request looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A literal text.
    Text(Content),
    /// A literal text to look behind.
    Anchor(Content),
    /// A section, by title or path.
    Section(Content),
    /// A block, by ID.
    Block(Content),
    /// A slot, by name.
    Slot(Content),
    /// A bullet, by what was said of it.
    Bullet(Content),
    /// A bullet, or a place for one, by its index in a list of this many.
    Index {
        /// The index.
        index: i64,
        /// How many there are.
        count: usize,
    },
    /// Whole lines, in order.
    Lines(Vec<Content>),
    /// The end of the document, in a scope.
    End,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => fmt_text("text", text, f),
            Self::Anchor(text) => fmt_text("text to look behind", text, f),
            Self::Section(name) => write!(f, "section `{}`", visible(&excerpt(name, QUOTED))),
            Self::Block(id) => write!(f, "block `{}`", visible(&excerpt(id, QUOTED))),
            Self::Slot(name) => write!(f, "slot `{}`", visible(&excerpt(name, QUOTED))),
            Self::Bullet(what) => write!(f, "bullet that {}", visible(&excerpt(what, 2 * QUOTED))),
            Self::Index { index, count: 1 } => write!(f, "index {index} in a list of 1 bullet"),
            Self::Index { index, count } => write!(f, "index {index} in a list of {count} bullets"),
            Self::End => f.write_str("end of the document in the hunk's scope"),
            Self::Lines(lines) => match lines.as_slice() {
                [only] => write!(f, "line `{}`", visible(&excerpt(only, QUOTED))),
                several => {
                    let first = several.iter().find(|line| !line.trim().is_empty()).map_or("", Content::as_str);
                    write!(f, "run of {} lines with `{}`", several.len(), visible(&excerpt(first, QUOTED)))
                }
            },
        }
    }
}

fn fmt_text(what: &str, text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{what} `{}`", visible(&excerpt(text, QUOTED)))?;
    match text.trim_end_matches(['\r', '\n']).split('\n').count() {
        1 => Ok(()),
        lines => write!(f, " ({lines} lines)"),
    }
}
