//! [`BulletRefusal`]: why a bullet cannot be written, or cannot become what is asked for.

use thiserror::Error;

use super::super::{Destination, ItemEdit, ItemOp};
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
    /// A new bullet is there already, but for its tags or its place.
    #[error("this bullet is there already, on line {}{}", .0.line, .0.difference())]
    Duplicate(Box<Duplicate>),
    /// Two parts insert one bullet, with different tags or at different places.
    #[error("parts {} and {} insert the same bullet, with different tags or at different places", first + 1, second + 1)]
    InsertedTwice {
        /// The first part, from 0.
        first: usize,
        /// The other part, from 0.
        second: usize,
    },
    /// A new bullet has no number where the numbers of a list are no count.
    #[error("the numbers around `{beside}` are no count from 0 or 1, so that a bullet there has to bring its own")]
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
    /// What is said of a bullet beside what is done with it is not so.
    #[error("`{}` does not {} the bullet on line {}", .0.op.name(), .0.asks(), .0.line)]
    NotTaken(Box<NotTaken>),
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
        /// Whether parts before this one change some of these.
        are_changed: bool,
    },
}

impl BulletRefusal {
    pub(super) const fn code(&self) -> Code {
        match self {
            Self::NoBullet { .. } | Self::NeedsNumber { .. } | Self::NotTaken(_) | Self::TwoLists { .. } => {
                Code::InvalidArguments
            }
            Self::Duplicate(_) | Self::InsertedTwice { .. } => Code::DuplicateBullet,
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
    /// Both move a bullet below what the other moves, so that it would come below itself.
    Circle,
    /// One adds a tag that the other removes.
    Tag,
}

fn clashing(clash: &Clash, line: usize) -> String {
    match clash {
        Clash::Twice => format!("both say the same kind of thing of the bullet on line {line}"),
        Clash::Deleted => {
            format!("one changes the bullet on line {line}, the other deletes it or what it is nested in")
        }
        Clash::Moved => format!("one needs the place of the bullet on line {line}, the other moves what is there"),
        Clash::Circle => format!("they would move the bullet on line {line} below itself"),
        Clash::Tag => format!("one adds a tag to the bullet on line {line}, the other removes it"),
    }
}

/// What is said of a bullet beside what is done with it, and the edits that would do both.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotTaken {
    /// The bullet's line, from 1.
    pub line: usize,
    /// What is done.
    pub op: ItemOp,
    /// What would make it so as it is said.
    pub also: ItemOp,
    /// The edits that do all of it; none if that cannot be.
    pub instead: Vec<ItemEdit>,
}

impl NotTaken {
    const fn asks(&self) -> &'static str {
        match &self.also {
            ItemOp::Reorder { .. } => "move",
            ItemOp::Update { .. } => "change the text of",
            ItemOp::Delete { .. } => "delete what is nested in",
            _ => "change the tags of",
        }
    }
}

/// A bullet that is there already, and what makes it the one that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicate {
    /// Its line, from 1.
    pub line: usize,
    /// Its key.
    pub key: Content,
    /// The tags that it lacks.
    pub tag: Vec<Content>,
    /// The tags that it has beyond those that were asked for.
    pub untag: Vec<Content>,
    /// Whether one of those protects it or says how long it lasts: what is not to be taken off for a tag that was left out.
    pub is_kept: bool,
    /// Where it was to stand, if it stands elsewhere.
    pub to: Option<Destination>,
}

impl Duplicate {
    /// Reports whether its tags are those that were asked for.
    pub(in super::super) fn is_tagged_alike(&self) -> bool {
        self.tag.is_empty() && self.untag.is_empty()
    }

    fn difference(&self) -> &'static str {
        match (self.is_tagged_alike(), &self.to) {
            (false, Some(_)) => ", with other tags and at another place",
            (false, None) => ", with other tags",
            (true, _) => ", at another place",
        }
    }
}
