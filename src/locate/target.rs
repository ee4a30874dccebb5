//! What a request looks for, in words.

use std::fmt;

use crate::text::{Size, excerpt, visible};

/// How many characters of a sought text are quoted.
const QUOTED: usize = 80;

/// What a request looked for.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A literal text.
    Text(String),
    /// A section, by title or path.
    Section(String),
    /// A block, by ID.
    Block(String),
    /// A slot, by name.
    Slot(String),
    /// A bullet, by what was said of it.
    Bullet(String),
    /// A bullet, or a place for one, by its index in a list of this many.
    Index {
        /// The index.
        index: i64,
        /// How many there are.
        count: usize,
    },
    /// Whole lines, in order.
    Lines(Vec<String>),
}

impl fmt::Debug for Target {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "Text({:?})", Size(text)),
            Self::Section(name) => write!(f, "Section({:?})", Size(name)),
            Self::Block(id) => write!(f, "Block({:?})", Size(id)),
            Self::Slot(name) => write!(f, "Slot({:?})", Size(name)),
            Self::Bullet(what) => write!(f, "Bullet({:?})", Size(what)),
            Self::Index { index, count } => write!(f, "Index({index} of {count})"),
            Self::Lines(lines) => write!(f, "Lines({})", lines.len()),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => {
                write!(f, "text `{}`", visible(&excerpt(text, QUOTED)))?;
                match text.trim_end_matches(['\r', '\n']).split('\n').count() {
                    1 => Ok(()),
                    lines => write!(f, " ({lines} lines)"),
                }
            }
            Self::Section(name) => write!(f, "section `{}`", visible(&excerpt(name, QUOTED))),
            Self::Block(id) => write!(f, "block `{}`", visible(&excerpt(id, QUOTED))),
            Self::Slot(name) => write!(f, "slot `{}`", visible(&excerpt(name, QUOTED))),
            Self::Bullet(what) => write!(f, "bullet that {}", visible(&excerpt(what, 2 * QUOTED))),
            Self::Index { index, count: 1 } => write!(f, "index {index} in a list of 1 bullet"),
            Self::Index { index, count } => write!(f, "index {index} in a list of {count} bullets"),
            Self::Lines(lines) => match lines.as_slice() {
                [only] => write!(f, "line `{}`", visible(&excerpt(only, QUOTED))),
                several => {
                    let first = several.iter().find(|line| !line.trim().is_empty()).map_or("", String::as_str);
                    write!(f, "run of {} lines with `{}`", several.len(), visible(&excerpt(first, QUOTED)))
                }
            },
        }
    }
}
