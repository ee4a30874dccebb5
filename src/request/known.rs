//! What an editor knows of a document, and what it bases an edit on.

use std::sync::Arc;

use crate::document::MemoryDoc;
use crate::edit::{Edit, OffsetMap, made};
use crate::text::{Difference, Revision, RevisionPrefix, Span};

/// What an editor knows of a document: the text it was shown, and what it believes the document to be, which is that text
/// with its own edits since.
///
/// What others have changed is not in it until the editor reads again, not even after an edit that was rebased over their
/// changes. Where the text shown last is another than the document as the editor believes it to be, such as the draft of a
/// session, it holds what it knows of that as well.
#[derive(Clone, Debug)]
pub struct Known {
    shown: MemoryDoc,
    believed: MemoryDoc,
    told: Revision,
    /// What the editor knows of another text that it was shown last in the place of the one that it believes in.
    in_its_place: Option<Arc<Known>>,
}

impl Known {
    /// Notes that `doc` was shown.
    pub fn of(doc: &MemoryDoc) -> Self {
        Self { shown: doc.clone(), believed: doc.clone(), told: doc.revision(), in_its_place: None }
    }

    /// Returns what an editor knows of this document that was shown another text in its place last, of which it knows `shown`: that is
    /// the text shown, and what leads from there to the document counts as edits of its own.
    pub(crate) fn in_place_of(&self, shown: &Self) -> Self {
        let mut known = shown.clone();
        known.told = self.told;
        if shown.believed.revision() != self.believed.revision() {
            known.believed = self.believed.clone();
            known.in_its_place = shown.in_its_place.clone().or_else(|| Some(Arc::new(shown.clone())));
        }
        known
    }

    /// Returns what the editor knows of another text that it was shown last in the place of the one that it believes in; `None` if the
    /// two read the same.
    pub(crate) fn shown_in_its_place(&self) -> Option<&Self> {
        self.in_its_place.as_deref().filter(|shown| shown.believed.revision() != self.believed.revision())
    }

    /// Returns what the editor knows who is then shown a section of `doc`, outside of which that is what the editor believes in: bullets
    /// of the section are counted as they stand there, others as they were shown. `None` if others have changed more, or it is no
    /// section of the text shown.
    pub(crate) fn with_section(&self, doc: &MemoryDoc, section: Span) -> Option<Self> {
        let differing = Difference::between(self.believed.text(), doc.text());
        let (old, new) = (differing.old(), differing.new_span());
        let extent_at = |doc: &MemoryDoc, start: usize| {
            doc.section_at(start).filter(|section| section.line.start() == start).map(|section| section.extent)
        };
        let believed_end = (section.end() + self.believed.text().len()).checked_sub(doc.text().len())?;
        // What is removed at its edge is removed beside it, maybe.
        let ends_alike =
            || extent_at(&self.believed, section.start()).is_some_and(|extent| extent.end() == believed_end);
        let is_within = self.believed.revision() == doc.revision()
            || section.covers(new)
                && (old.is_empty() || section.start() < new.start() && (new.end() < section.end() || ends_alike()));
        if !is_within {
            return None;
        }
        let own = Edit::between(&self.shown, &self.believed);
        let offsets = OffsetMap::of(&own);
        let start = offsets.origin(section.start()).or_else(|| offsets.replaced(section.start()))?;
        let extent = extent_at(&self.shown, start)?;
        let end = offsets.origin(believed_end).map_or(extent.end(), |end| end.min(extent.end()));
        let renewed = Difference::at(start, end.max(start), start + section.len());
        let [before, behind] = [Span::new(0, start), Span::new(renewed.old().end(), self.shown.text().len())];
        let text = [before.of(self.shown.text()), section.of(doc.text()), behind.of(self.shown.text())].concat();
        Some(Self {
            shown: MemoryDoc::with_rules(text, doc.rules().clone()),
            believed: doc.clone(),
            told: doc.revision(),
            ..self.clone()
        })
    }

    /// Returns the revision that the editor was last told.
    pub const fn revision(&self) -> Revision {
        self.told
    }

    /// Returns the text last shown.
    pub const fn shown(&self) -> &MemoryDoc {
        &self.shown
    }

    /// Returns the text shown with the editor's own edits made.
    pub const fn believed(&self) -> &MemoryDoc {
        &self.believed
    }

    /// Returns what the editor knows with edits of its own made that are not committed, each planned on the result of those before.
    pub(crate) fn after<'e>(&self, edits: impl IntoIterator<Item = &'e Edit>) -> Self {
        let mut after = self.clone();
        for edit in edits {
            let result = made(&after.believed, edit);
            after.told = result.revision();
            after.believed = result;
        }
        after
    }

    /// Notes an edit of the editor's own that made `committed`: of the text that it believes in.
    ///
    /// Without such a plan the editor is taken to have been shown the result.
    pub(crate) fn edited(&mut self, plan: Option<&Edit>, committed: &MemoryDoc) {
        match plan {
            Some(edit) if edit.base() == self.believed.revision() => {
                self.believed = committed.clone();
                self.told = committed.revision();
            }
            _ => *self = Self::of(committed),
        }
    }

    /// Notes an edit of the editor's own that made `committed` of another text than the one that it believes in, where its plan
    /// is `seen`.
    ///
    /// A plan that is not of that text tells that the editor was shown the result.
    pub(crate) fn rebased(&mut self, seen: &Edit, committed: &MemoryDoc) {
        if seen.base() == self.believed.revision() {
            let believed = made(&self.believed, seen);
            self.believed = if believed == *committed { committed.clone() } else { believed };
            self.told = committed.revision();
        } else {
            *self = Self::of(committed);
        }
    }
}

/// What an edit is based on.
#[derive(Clone, Debug)]
pub enum Basis<'a> {
    /// What the editor knows.
    Known(&'a Known),
    /// A revision that it names; it must be the current one.
    Revision(RevisionPrefix),
    /// Whatever is there: the request names its target and needs no text seen.
    Anything,
}

impl<'a> Basis<'a> {
    /// Reports whether the document has become another than the one that the edit is based on.
    pub fn is_stale(&self, doc: &MemoryDoc) -> bool {
        match self {
            Self::Known(known) => known.believed.revision() != doc.revision(),
            Self::Revision(prefix) => !prefix.matches(&doc.revision()),
            Self::Anything => false,
        }
    }

    /// Returns the revision that is the basis, as it is told to people.
    pub fn revision(&self) -> Option<RevisionPrefix> {
        match self {
            Self::Known(known) => Some(known.told.into()),
            Self::Revision(prefix) => Some(prefix.clone()),
            Self::Anything => None,
        }
    }

    pub(super) const fn known(&self) -> Option<&'a Known> {
        match self {
            Self::Known(known) => Some(known),
            Self::Revision(_) | Self::Anything => None,
        }
    }
}
