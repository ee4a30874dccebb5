//! [`SectionRefusal`]: why a section cannot become what is asked for.

use thiserror::Error;

use crate::locate::Code;
use crate::text::{Content, excerpt, visible};

/// Why a section cannot become what is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SectionRefusal {
    /// A section of this title is there already.
    #[error("a section `{title}` stands on line {line} already")]
    Duplicate {
        /// The title.
        title: Content,
        /// Its line, from 1.
        line: usize,
        /// Its shortest name.
        section: Content,
    },
    /// Another part of the request gives a section beside it the same title.
    #[error("another part of the patch gives a section the title `{title}` too")]
    DuplicateTitle {
        /// The title.
        title: Content,
    },
    /// A title would not be read back as it is written.
    #[error("`{}` cannot be the title of a section", visible(&excerpt(title, 80)))]
    InvalidTitle {
        /// The title.
        title: Content,
    },
    /// Pinned bullets would be gone.
    #[error("pinned bullets would be gone: {} {}", if lines.len() == 1 { "line" } else { "lines" }, numbers(lines))]
    PinnedLost {
        /// Their lines, from 1.
        lines: Vec<usize>,
    },
    /// The ID of a section that is to be merged into another would be gone.
    #[error("the ID `{}` of the section on line {line} would be gone", visible(&excerpt(id, 80)))]
    LostId {
        /// The ID.
        id: Content,
        /// The line of the heading, from 1.
        line: usize,
    },
    /// Two sections that are to be merged have a subsection of one title each.
    #[error("both sections have a subsection `{title}`: on line {line} and on line {other}")]
    SameSubsection {
        /// The title.
        title: Content,
        /// The line, from 1, of the one that would move.
        line: usize,
        /// The line, from 1, of the other.
        other: usize,
    },
    /// A line of what is to be merged would mean something else.
    #[error(
        "line {line} would become part of the bullet, block, code fence or subsection on line {of}, in which the target ends"
    )]
    Unmergeable {
        /// The line, from 1.
        line: usize,
        /// The line, from 1, of the bullet, block, fence or subsection that would take it in.
        of: usize,
    },
    /// Both sections that are to be merged have ordered lists.
    #[error("both sections have ordered lists: on line {line} and on line {other}")]
    TwoOrderedLists {
        /// The line, from 1, of a bullet that would move.
        line: usize,
        /// The line, from 1, of one in the target.
        other: usize,
    },
    /// A section would not stand where it was to go.
    #[error("the section `{title}` would not stand directly below the section that was meant")]
    Misplaced {
        /// Its title.
        title: Content,
    },
    /// A heading that moves would have more than six levels.
    #[error("the heading on line {line} would stand deeper than six levels")]
    TooDeep {
        /// The line of the heading, from 1.
        line: usize,
    },
}

impl SectionRefusal {
    pub(super) const fn code(&self) -> Code {
        match self {
            Self::Duplicate { .. } | Self::DuplicateTitle { .. } | Self::SameSubsection { .. } => {
                Code::DuplicateSection
            }
            Self::InvalidTitle { .. }
            | Self::Unmergeable { .. }
            | Self::TwoOrderedLists { .. }
            | Self::Misplaced { .. }
            | Self::TooDeep { .. } => Code::InvalidText,
            Self::PinnedLost { .. } => Code::PinnedLost,
            Self::LostId { .. } => Code::LostIds,
        }
    }
}

fn numbers(lines: &[usize]) -> String {
    lines.iter().take(10).map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
