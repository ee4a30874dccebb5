//! Undo: the inverse of a commit, made again later.

use std::collections::{BTreeMap, HashSet};
use std::hash::Hash;

use super::{Known, Rebased, Refusal, Request, RequestError, SectionRefusal, View};
use crate::document::{MemoryDoc, NodeRef, Paths};
use crate::edit::{Edit, made};
use crate::text::{Content, Lines, Tally, fold_name, is_blank};

/// Takes a committed edit back.
///
/// Planned on the document that the commit made, it is the inverse that the commit gave. Against a later text it is carried
/// over what has changed since, and refused with `conflict` where that is the same text.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Replace, Request, Timestamp, View, request::Restore};
///
/// let doc = MemoryDoc::parse("- Lives in Denver\n");
/// let now = Timestamp::default();
/// let edit = Replace::new("Denver", "Austin").plan(&View::current(&doc, now))?;
/// let commit = doc.commit(&edit, Authority::Agent)?;
///
/// let undo = Restore::new(commit.inverse).plan(&View::current(&commit.doc, now))?;
/// assert_eq!(commit.doc.commit(&undo, Authority::Agent)?.doc, doc);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Restore {
    inverse: Edit,
    since: Option<Edit>,
}

impl Restore {
    /// Restores what `inverse`, of [`Commit`](crate::Commit), holds.
    pub const fn new(inverse: Edit) -> Self {
        Self { inverse, since: None }
    }

    /// Carries it over what is known to have been done since, and not over the difference of the texts, which does not tell what
    /// was written anew.
    #[must_use]
    pub(crate) fn over(self, since: Edit) -> Self {
        Self { since: Some(since), ..self }
    }

    /// Returns what was carried over to a later text as it fits its place.
    ///
    /// # Errors
    ///
    /// It does not fit; a section or a slot would have the name of another, which nobody had given twice before.
    pub(crate) fn placed(rebased: Rebased, view: &View<'_>) -> Result<Edit, RequestError> {
        let believed = view.known.map_or(view.doc, Known::believed);
        let conflict = || RequestError::of(0, Refusal::Conflict { span: None, now: Content::default() });
        let edit = rebased.current.fitted(&rebased.seen, [believed, view.doc]).ok_or_else(conflict)?;
        let result = made(view.doc, &edit);
        if added(&slots_again(view.doc), &slots_again(&result)).is_some() {
            return Err(conflict());
        }
        let mut paths = Paths::new(|title| fold_name(title).into());
        let (before, after) = (paths.of(view.doc), paths.of(&result));
        let path = added(&sections_again(view.doc, &before), &sections_again(&result, &after));
        let Some(path) = path else { return Ok(edit) };
        let mut known = view.doc.sections().zip(before);
        let section = known.find(|(_, own)| *own == path).map(|(section, _)| section).ok_or_else(conflict)?;
        let (title, line) = (section.title().into(), section.line_number());
        Err(RequestError::of(0, SectionRefusal::Duplicate { title, line, section: section.shown_name().into() }))
    }

    /// Reports whether a line that would be brought back has been written by others since: what is taken back may have been put
    /// right by hand, and would be there twice.
    fn writes_again(&self, since: &Edit, believed: &MemoryDoc) -> bool {
        fn lines(text: &str) -> impl Iterator<Item = &str> {
            Lines::of(text).map(move |line| line.text.of(text)).filter(|line| !is_blank(line))
        }
        let written: HashSet<&str> = since.splices().iter().flat_map(|splice| lines(&splice.text)).collect();
        let back = self.inverse.splices().iter();
        let mut removed: Tally<&str> = back.clone().flat_map(|splice| lines(splice.span.of(believed.text()))).collect();
        back.flat_map(|splice| lines(&splice.text)).any(|line| !removed.take(line) && written.contains(line))
    }
}

/// Returns how often each slot is there again.
fn slots_again(doc: &MemoryDoc) -> BTreeMap<&str, usize> {
    repeats(doc.outline().slots().iter().map(|slot| ((), slot.name.of(doc.text()))))
}

/// Returns how often the path of a section, by its number, is that of another below the same parent.
fn sections_again(doc: &MemoryDoc, paths: &[usize]) -> BTreeMap<usize, usize> {
    repeats(doc.sections().map(|section| section.parent().map(NodeRef::index)).zip(paths.iter().copied()))
}

/// Returns how often each name is given again below the same parent.
fn repeats<P: Hash + Eq, N: Copy + Hash + Ord>(all: impl Iterator<Item = (P, N)>) -> BTreeMap<N, usize> {
    let (mut seen, mut repeats) = (HashSet::new(), BTreeMap::new());
    for (parent, name) in all {
        *repeats.entry(name).or_default() += usize::from(!seen.insert((parent, name)));
    }
    repeats
}

/// Returns the first name that is given again more often than before.
fn added<N: Copy + Ord>(before: &BTreeMap<N, usize>, after: &BTreeMap<N, usize>) -> Option<N> {
    let is_added = |(name, count): &(&N, &usize)| **count > before.get(name).copied().unwrap_or(0);
    after.iter().find(is_added).map(|(name, _)| *name)
}

impl Request for Restore {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let conflict = |span| RequestError::of(0, Refusal::Conflict { span, now: Content::default() });
        let believed = view.known.map(Known::believed).filter(|believed| believed.revision() == self.inverse.base());
        let since = match (&self.since, believed) {
            (Some(since), Some(believed)) if since.apply_to(believed.text()) == view.doc.text() => since,
            _ if self.inverse.base() == view.doc.revision() => return Ok(self.inverse.clone()),
            (None, Some(believed)) => &Edit::between(believed, view.doc),
            _ => return Err(conflict(None)),
        };
        if believed.is_some_and(|believed| self.writes_again(since, believed)) {
            return Err(conflict(None));
        }
        self.inverse.over(since, view.doc).map_err(|overlap| conflict(Some(overlap.span)))
    }
}
