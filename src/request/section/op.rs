//! Operations on whole sections, as a patch writes them.

use crate::text::Size;

/// An operation on a section.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SectionOp {
    /// Adds a section with these lines below its heading.
    Add {
        /// Its title, or its path below a section that is there.
        title: String,
        /// The lines below the heading.
        lines: Vec<String>,
        /// Where it goes; at the end without one.
        place: Option<SectionPlace>,
    },
    /// Deletes a section with its subsections.
    Delete {
        /// Its title or path.
        section: String,
    },
    /// Gives a section another title.
    Rename {
        /// Its title or path.
        section: String,
        /// The new title.
        title: String,
    },
    /// Moves a section, with all below it.
    Move {
        /// Its title or path.
        section: String,
        /// Where it goes.
        place: SectionPlace,
    },
}

impl std::fmt::Debug for SectionOp {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Add { title, lines, place } => {
                write!(f, "Add({:?}, {} lines, {place:?})", Size(title), lines.len())
            }
            Self::Delete { section } => write!(f, "Delete({:?})", Size(section)),
            Self::Rename { section, title } => write!(f, "Rename({:?} to {:?})", Size(section), Size(title)),
            Self::Move { section, place } => write!(f, "Move({:?}, {place:?})", Size(section)),
        }
    }
}

/// A place of a section: beside others of the same parent, or below another parent.
#[derive(Clone, PartialEq, Eq)]
pub enum SectionPlace {
    /// Before the section of this title or path.
    Before(String),
    /// After the section of this title or path.
    After(String),
    /// Before all others.
    First,
    /// After all others.
    Last,
    /// Below the section of this title or path, before all others.
    FirstUnder(String),
    /// Below the section of this title or path, after all others.
    LastUnder(String),
}

impl std::fmt::Debug for SectionPlace {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Before(section) => write!(f, "Before({:?})", Size(section)),
            Self::After(section) => write!(f, "After({:?})", Size(section)),
            Self::First => f.write_str("First"),
            Self::Last => f.write_str("Last"),
            Self::FirstUnder(section) => write!(f, "FirstUnder({:?})", Size(section)),
            Self::LastUnder(section) => write!(f, "LastUnder({:?})", Size(section)),
        }
    }
}
