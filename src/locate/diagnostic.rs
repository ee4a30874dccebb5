//! Help as data: what was sought, why it was not found exactly once, and what to send instead.

use std::fmt;

use thiserror::Error;

use super::candidate::Candidate;
use super::closest::{Closest, Reason};
use super::code::Code;
use super::ladder::Rung;
use crate::text::{Content, excerpt, visible};

/// How many characters of a sought text are quoted.
const QUOTED: usize = 80;

/// Something found, and the rungs that it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// What was found.
    pub at: T,
    /// The rungs that were needed, in the order of the ladder; empty for an exact match.
    pub healed: Vec<Rung>,
}

impl<T> Found<T> {
    pub(crate) const fn exactly(at: T) -> Self {
        Self { at, healed: Vec::new() }
    }
}

/// What a request looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sought {
    /// A literal text.
    Text(Content),
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
}

impl fmt::Display for Sought {
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
                    let first = several.iter().find(|line| !line.trim().is_empty()).map_or("", Content::as_str);
                    write!(f, "run of {} lines with `{}`", several.len(), visible(&excerpt(first, QUOTED)))
                }
            },
        }
    }
}

/// A change of the request that makes it work. Each tool words it in its own syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fix {
    /// Name this section, by title or path.
    NameSection(Content),
    /// Name this block, by ID.
    NameBlock(Content),
    /// Name this slot.
    NameSlot(Content),
    /// Give the title that the new block of this ID is to have, or name a block that is there.
    NameTitle,
    /// Name this bullet, by key.
    UseKey(Content),
    /// Name this bullet, by index.
    UseIndex(i64),
    /// Go beside, or below, the bullet with this key, which stands in this list.
    Beside {
        /// The section, by title or path, where it is not the one that was named.
        section: Option<Content>,
        /// The block, by ID, likewise.
        block: Option<Content>,
        /// On which side: `before`, `after` or `under`.
        side: &'static str,
        /// The key of the bullet.
        key: Content,
    },
    /// Say that the bullet begins with this text.
    ExpectText(Content),
    /// Put these lines, copied from the document, before what is to be found.
    AddContext(Vec<Content>),
    /// Leave out the argument by which something else of that name was sought, and make this change.
    Instead {
        /// The argument: `section`, `block` or `key`.
        of: &'static str,
        /// The change.
        fix: Box<Self>,
    },
    /// Name the bullet that says this as the place, and the section that it stands in, if that has a name of its own.
    Under {
        /// The section.
        section: Option<Content>,
        /// What the bullet says.
        text: Content,
    },
    /// Give this place of a section.
    Place(Relation, Content),
    /// Leave section and block out.
    DropScope,
    /// Say that this many places are meant.
    Expect(usize),
    /// Send this text as what is to be found, copied from the document.
    CopyText(Content),
    /// Send these texts, which are longer and therefore unique, as what is to be found and what replaces it.
    Widen {
        /// What is to be found.
        old: Content,
        /// What replaces it.
        new: Content,
    },
    /// Make this change, and say that one place is meant.
    Once(Box<Self>),
    /// Read the document, then decide again.
    ReadFirst,
}

/// How a place among sections is told by another section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Before a section of the same parent.
    Before,
    /// After a section of the same parent.
    After,
    /// Below a section, which becomes the parent.
    Under,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Under => "under",
        })
    }
}

/// What helps to send the request right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The first places that match, in document order.
    pub candidates: Vec<Candidate>,
    /// How many more places match.
    pub not_shown: usize,
    /// The lines most like the one sought, best first.
    pub closest: Vec<Closest>,
    /// Why the text was not found, where that can be told from more than the closest lines.
    pub reasons: Vec<Reason>,
    /// The names that there are, the first few, where a name was not found.
    pub known: Vec<Content>,
    /// The change that makes the request work.
    pub fix: Option<Fix>,
}

/// A place that was not found exactly once. Nothing has been changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LocateError {
    /// No place matches.
    #[error("{what} was not found")]
    NotFound {
        /// What was sought.
        what: Sought,
        /// What helps.
        help: Box<Diagnostic>,
    },
    /// Several places match, or places that share bytes.
    #[error("{what} matches {count} places{}", if *overlapping { " that overlap one another" } else { "" })]
    Ambiguous {
        /// What was sought.
        what: Sought,
        /// How many places match.
        count: usize,
        /// Whether some of them share bytes.
        overlapping: bool,
        /// What helps.
        help: Box<Diagnostic>,
    },
}

impl LocateError {
    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::NotFound { .. } => Code::NotFound,
            Self::Ambiguous { .. } => Code::Ambiguous,
        }
    }

    /// Returns what helps.
    pub const fn help(&self) -> &Diagnostic {
        match self {
            Self::NotFound { help, .. } | Self::Ambiguous { help, .. } => help,
        }
    }
}
