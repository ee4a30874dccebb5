//! Operations on whole sections, as a patch writes them (SPEC § 7.5).

/// An operation on a section.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SectionOp {
    /// Adds a section with these lines below its heading.
    Add {
        /// Its title.
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
    /// Moves a section among those of the same parent.
    Move {
        /// Its title or path.
        section: String,
        /// Where it goes.
        place: SectionPlace,
    },
}

/// A place among the sections of one parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SectionPlace {
    /// Before the section of this title or path.
    Before(String),
    /// After the section of this title or path.
    After(String),
    /// Before all others.
    First,
    /// After all others.
    Last,
}
