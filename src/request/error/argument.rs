//! [`Argument`] and [`Enough`]: what of a request cannot be used, and what it lacks, by meaning. Tools have names for it.

use std::fmt;

/// Something that a request is told, by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Argument {
    /// The text to be replaced.
    OldText,
    /// The text to be added.
    NewText,
    /// How often it occurs.
    Count,
    /// The index of a bullet, or of a place for one.
    Index,
    /// A text that a bullet contains.
    Contains,
    /// A text that a bullet begins with.
    StartsWith,
    /// The edits of bullets.
    Edits,
    /// What names a bullet, or the list of a new one.
    Bullet,
    /// The list of a new bullet, whose place is said apart.
    List,
    /// The place of a bullet.
    Place,
    /// The tags of a bullet.
    Tags,
    /// The bullets that are marked.
    Bullets,
    /// How long they are kept.
    Lifetime,
    /// The operations on blocks.
    Operations,
    /// The block of one, by ID or title.
    Block,
    /// The text that is added to a block, or deleted.
    BlockText,
    /// The text in a block that is updated.
    OldBlockText,
    /// The place of a section.
    SectionPlace,
    /// The section that another moves into.
    Parent,
    /// The section that another is merged into.
    IntoSection,
    /// How large a rewritten text may be.
    Budget,
    /// The rewritten text.
    Candidate,
    /// The section or block whose bullets are sorted.
    SortedList,
    /// What bullets are sorted by.
    SortKey,
    /// What becomes of bullets that compare equal.
    Ties,
    /// The key of a note, or the label of a block.
    NoteKey,
}

/// What would be enough to be sure of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Enough {
    /// So many lines, a heading with two neighbors, or a whole line of a section that is named.
    Lines(usize),
    /// Beside an index, what its editor saw there; else another name of the bullet.
    BesideIndex,
    /// Beside a text, what its editor saw there; else a key or a unique tag.
    BesideText,
    /// Beside an index, the text of the bullet, told as this.
    TextBesideIndex(Argument),
}

impl fmt::Display for Enough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lines(count) => write!(
                f,
                "this memory asks for at least {count} lines, or a heading and two neighbors, or a whole line with its section named"
            ),
            Self::BesideIndex => {
                f.write_str("an index needs what was seen there beside it, or a key or a text instead")
            }
            Self::BesideText => f.write_str("this memory asks for what was seen there, a key or a unique tag"),
            Self::TextBesideIndex(_) => f.write_str("an index needs the text beside it"),
        }
    }
}
