//! Operations on whole sections: by themselves, and as parts of a patch.

mod merge;
mod place;
mod resolve;
mod work;

pub use merge::MergeSections;
pub(super) use place::Siblings;
pub(super) use resolve::{Step, check_title, duplicate, resolve};
pub(super) use work::{SectionWork, check_promised};

use super::{Request, RequestError, View};
use crate::edit::{Edit, EditBuilder};
use crate::locate::Names;
use crate::text::Content;

/// An operation on a section.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SectionOp {
    /// Adds a section with these lines below its heading.
    Add {
        /// Its title, or its path below a section that is there.
        title: Content,
        /// The lines below the heading.
        lines: Vec<Content>,
        /// Where it goes; at the end without one.
        place: Option<SectionPlace>,
    },
    /// Deletes a section with its subsections.
    Delete {
        /// Its title or path.
        section: Content,
    },
    /// Gives a section another title.
    Rename {
        /// Its title or path.
        section: Content,
        /// The new title.
        title: Content,
    },
    /// Moves a section, with all below it.
    Move {
        /// Its title or path.
        section: Content,
        /// Where it goes.
        place: SectionPlace,
    },
}

/// A place of a section: beside others of the same parent, or below another parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SectionPlace {
    /// Before the section of this title or path.
    Before(Content),
    /// After the section of this title or path.
    After(Content),
    /// Before all others.
    First,
    /// After all others.
    Last,
    /// Below the section of this title or path, before all others.
    FirstUnder(Content),
    /// Below the section of this title or path, after all others.
    LastUnder(Content),
}

impl SectionOp {
    /// Returns the name of the section beside which it writes one.
    pub(crate) fn neighbor(&self) -> Option<&str> {
        match self {
            Self::Add { place: Some(place), .. } | Self::Move { place, .. } => match place {
                SectionPlace::Before(name) | SectionPlace::After(name) => Some(name),
                _ => None,
            },
            Self::Add { place: None, .. } | Self::Delete { .. } | Self::Rename { .. } => None,
        }
    }
}

impl SectionPlace {
    /// Returns the name of the section beside or below which it is.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Before(name) | Self::After(name) | Self::FirstUnder(name) | Self::LastUnder(name) => Some(name),
            Self::First | Self::Last => None,
        }
    }
}

impl Request for SectionOp {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let (names, siblings) = (Names::new(view.doc), Siblings::new(view.doc));
        let resolved = resolve(self, &names, &siblings, &|_| false)?;
        let mut edit = EditBuilder::new(view.doc);
        edit.part(resolved.part());
        let mut work = SectionWork::default();
        work.push(0, resolved.step);
        let promised = work.compose(view.doc, &mut edit);
        let edit = edit.finish()?;
        check_promised(&promised, view.doc, &edit)?;
        Ok(edit)
    }
}
