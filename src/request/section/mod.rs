//! Operations on whole sections. They are parts of a patch; an operation by itself is a patch of one part.
//!
//! Sections are written after all parts of a request are planned. If a hunk appends lines at the place of a new section,
//! the lines come before the section's heading.

mod merge;
mod place;
mod resolve;

pub use merge::MergeSections;
pub(super) use resolve::check_title;

use std::cell::OnceCell;
use std::collections::HashSet;

use super::patch::{DocumentPatch, PatchPart};
use super::{Failure, Refusal, Request, RequestError, View};
use crate::document::{MemoryDoc, SectionRef};
use crate::edit::compose::{NewSection, arrange_sections, extent_without_blanks, rename_section, with_headings_deeper};
use crate::edit::{Edit, EditBuilder, OffsetMap, Overlap, Promise};
use crate::locate::{Code, Names};
use crate::text::{Content, fold_name};

use place::Siblings;
use resolve::{ResolvedOp, Resolver, Step, same_title};

/// An operation on a section.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Request, Timestamp, View, request::SectionOp};
///
/// let doc = MemoryDoc::parse("## Facts\n- Lives in Denver\n");
/// let op = SectionOp::Rename { section: "Facts".into(), title: "Home".into() };
/// let edit = op.plan(&View::current(&doc, Timestamp::default()))?;
/// assert_eq!(doc.commit(&edit, Authority::Agent)?.doc.text(), "## Home\n- Lives in Denver\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SectionOp {
    /// Adds a section with these lines below its heading.
    Add {
        /// Its title, or its path below an existing section.
        title: Content,
        /// The lines below the heading.
        lines: Vec<Content>,
        /// Where it goes; `None` for the end.
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
    /// Before all others. With a title or path: before all subsections of that section.
    First(Option<Content>),
    /// After all others. With a title or path: after all subsections of that section.
    Last(Option<Content>),
}

impl SectionPlace {
    /// Returns the name of the section beside or below which the place is.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Before(name) | Self::After(name) => Some(name),
            Self::First(parent) | Self::Last(parent) => parent.as_deref(),
        }
    }
}

impl Request for SectionOp {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        DocumentPatch { parts: vec![PatchPart::Section(self.clone())], ..DocumentPatch::default() }.plan(view)
    }
}

/// The section operations of a request: the steps, each with the number of its part.
#[derive(Default)]
pub(crate) struct SectionWork<'a> {
    siblings: OnceCell<Siblings<'a>>,
    steps: Vec<(usize, Step<'a>)>,
    /// The sections that the parts so far delete.
    deleted: HashSet<SectionRef<'a>>,
}

/// The promise of a part: the result has a heading with this title directly below this parent.
struct HeadingPromise<'a> {
    part: usize,
    title: String,
    parent: Option<SectionRef<'a>>,
}

impl<'a> SectionWork<'a> {
    /// Resolves an operation, and refuses one that cannot be done. The title of a section that an earlier part deletes may
    /// be used again.
    pub(crate) fn resolve(&self, op: &SectionOp, names: &Names<'a>) -> Result<ResolvedOp<'a>, Refusal> {
        let siblings = self.siblings.get_or_init(|| Siblings::new(names.doc()));
        Resolver { doc: names.doc(), names, siblings, deleted: &self.deleted }.resolve(op)
    }

    pub(crate) fn push(&mut self, part: usize, step: Step<'a>) {
        if let Step::Delete(section) = step {
            self.deleted.insert(section);
        }
        self.steps.push((part, step));
    }

    /// Composes the steps, and checks that the edit keeps their promises.
    pub(crate) fn finish(self, doc: &MemoryDoc, mut edit: EditBuilder) -> Result<Edit, RequestError> {
        self.check_order()?;
        let (mut removed, mut written, mut promises) = (Vec::new(), Vec::new(), Vec::new());
        for (part, step) in self.steps {
            match step {
                Step::Add { title, mut lines, spot } => {
                    lines.insert(0, format!("{} {title}", "#".repeat(spot.level.into())));
                    written.push(NewSection { part, at: spot.at, lines, promise: Promise::Lines });
                    promises.push(HeadingPromise { part, title, parent: spot.parent });
                }
                Step::Move { section, spot } => {
                    removed.push((part, section));
                    let deeper = i16::from(spot.level) - i16::from(section.level);
                    let lines = with_headings_deeper(doc, extent_without_blanks(section), deeper);
                    written.push(NewSection { part, at: spot.at, lines, promise: Promise::Lines });
                    promises.push(HeadingPromise { part, title: section.title().to_owned(), parent: spot.parent });
                }
                Step::Rename { section, title } => {
                    rename_section(section, &title, edit.for_part(part));
                    promises.push(HeadingPromise { part, title, parent: section.parent() });
                }
                Step::Delete(section) => removed.push((part, section)),
                Step::NoChange(_) | Step::InPlace(_) => {}
            }
        }
        arrange_sections(doc, &removed, written, &mut edit);
        let edit = edit.finish()?;
        check_promises(&promises, doc, &edit)?;
        Ok(edit)
    }

    /// Refuses a move of a section that already is at its place, if another part writes a section beside it: the order of
    /// both would not be clear.
    fn check_order(&self) -> Result<(), Overlap> {
        let spot = |step: &Step<'a>| match step {
            Step::Add { spot, .. } | Step::Move { spot, .. } => Some((spot.parent, spot.at)),
            _ => None,
        };
        for (part, step) in &self.steps {
            let Step::InPlace(section) = step else { continue };
            let span = section.extent;
            let is_beside = |(parent, at)| parent == section.parent() && (at == span.start() || at == span.end());
            if let Some((other, _)) = self.steps.iter().find(|(_, step)| spot(step).is_some_and(is_beside)) {
                return Err(Overlap { first: *part.min(other), second: *part.max(other), span });
            }
        }
        Ok(())
    }
}

/// Refuses an edit that does not make the headings that its parts promise, or that gives one parent the same title twice.
fn check_promises(promises: &[HeadingPromise<'_>], doc: &MemoryDoc, edit: &Edit) -> Result<(), RequestError> {
    if promises.is_empty() {
        return Ok(());
    }
    let (new, offsets) = (edit.result(doc), OffsetMap::of(edit));
    let is_kept = |promise: &HeadingPromise<'_>| {
        let parent = promise.parent.map(|parent| offsets.landing(parent.line.start()));
        let written = edit.splices_in_result().filter(|(splice, _)| splice.part == promise.part);
        let mut headings = written.flat_map(|(_, span)| SectionRef::within(&new, new.lines().around(span)));
        headings.any(|section| {
            same_title(section.title(), &promise.title) && section.parent().map(|parent| parent.line.start()) == parent
        })
    };
    let mut titles = HashSet::new();
    let failures = promises.iter().filter_map(|promise| {
        let HeadingPromise { part, title, parent } = promise;
        let (code, why) = if !titles.insert((*parent, fold_name(title))) {
            let why = format!("another part of the patch gives a section the title `{title}` too");
            (Code::DuplicateSection, why)
        } else if !is_kept(promise) {
            let why = format!("the section `{title}` would not stand directly below the section that was meant");
            (Code::InvalidText, why)
        } else {
            return None;
        };
        Some(Failure::new(*part, Refusal::impossible(code, why)))
    });
    RequestError::from_failures(failures.collect()).map_or(Ok(()), Err)
}
