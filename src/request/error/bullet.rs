//! [`BulletRefusal`]: why a bullet cannot be written, or cannot become what is asked for.

use thiserror::Error;

use super::super::Destination;
use crate::locate::Code;
use crate::text::{Content, excerpt, visible};

/// Why a bullet cannot be written, or cannot become what is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BulletRefusal {
    /// A target names no bullet.
    #[error("no bullet is named{}", named_list(section.as_deref(), block.as_deref()))]
    NoBullet {
        /// The section that it names.
        section: Option<Content>,
        /// The block that it names.
        block: Option<Content>,
    },
    /// A new bullet is there already, without the pin or the lifetime that it is to have.
    #[error("this bullet is there already, on line {line}, without the pin or the lifetime that is asked for")]
    Duplicate {
        /// Its line, from 1.
        line: usize,
        /// Its key.
        key: Content,
        /// The tags that it lacks.
        tags: Vec<Content>,
    },
    /// A new bullet has no number where the numbers of a list are no count.
    #[error(
        "the numbers around `{beside}` do not count exactly 0 or 1, 2, 3 …, so that a bullet there has to bring its own"
    )]
    NeedsNumber {
        /// The marker beside which it would stand.
        beside: Content,
        /// How its text could begin, with that marker.
        text: Content,
    },
    /// Two parts change one bullet, and cannot be one result.
    #[error("parts {} and {} cannot be made together: {}", first + 1, second + 1, clashing(clash, *line))]
    SameBullet {
        /// The bullet's line, from 1.
        line: usize,
        /// The part, from 0, that would have to be made first.
        first: usize,
        /// The part, from 0, that would have to be made after it.
        second: usize,
        /// Why.
        clash: Clash,
    },
    /// A new bullet is to stand in two lists.
    #[error("the target and the place of the new bullet name different lists")]
    TwoLists {
        /// The one that its place names.
        list: Box<Destination>,
    },
    /// A bullet that is to be deleted has children.
    #[error("the bullet on line {line} has {count} nested {}", if *count == 1 { "bullet" } else { "bullets" })]
    HasChildren {
        /// The bullet's line, from 1.
        line: usize,
        /// How many bullets are nested in it.
        count: usize,
    },
}

impl BulletRefusal {
    pub(super) const fn code(&self) -> Code {
        match self {
            Self::NoBullet { .. } | Self::NeedsNumber { .. } | Self::TwoLists { .. } => Code::InvalidArguments,
            Self::Duplicate { .. } => Code::DuplicateBullet,
            Self::SameBullet { .. } => Code::OverlappingEdits,
            Self::HasChildren { .. } => Code::HasChildren,
        }
    }
}

fn named_list(section: Option<&str>, block: Option<&str>) -> String {
    let names = [("section", section), ("block", block)];
    let names: Vec<_> = names
        .into_iter()
        .filter_map(|(kind, name)| Some(format!("{kind} `{}`", visible(&excerpt(name?, 80)))))
        .collect();
    if names.is_empty() { String::new() } else { format!(", only {}", names.join(" and ")) }
}

/// Why two parts that change one bullet cannot be one result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clash {
    /// Both say the same kind of thing of it.
    Twice,
    /// The second deletes it, or what it is nested in.
    Deleted,
    /// The second moves what the bullet of the first is nested in.
    Moved,
}

fn clashing(clash: &Clash, line: usize) -> String {
    match clash {
        Clash::Twice => format!("both change the same of the bullet on line {line}"),
        Clash::Deleted => {
            format!("one changes the bullet on line {line}, the other deletes it or what it is nested in")
        }
        Clash::Moved => format!("one needs the place of the bullet on line {line}, the other moves what is there"),
    }
}
