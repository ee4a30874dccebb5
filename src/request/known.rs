//! What an editor knows of a document, and what it bases an edit on.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::document::MemoryDoc;
use crate::edit::{Edit, OffsetMap, line_changes, made};
use crate::text::{Difference, Lines, Revision, RevisionPrefix, Span, is_blank};

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
    /// The indexes of the lines of `believed` that were shown or that its own edits wrote; `None` if all were.
    seen: Option<BTreeSet<usize>>,
    /// What the editor knows of another text that it was shown last in the place of the one that it believes in.
    in_its_place: Option<Arc<Known>>,
}

impl Known {
    /// Notes that `doc` was shown.
    pub fn of(doc: &MemoryDoc) -> Self {
        Self { shown: doc.clone(), believed: doc.clone(), told: doc.revision(), seen: None, in_its_place: None }
    }

    /// Notes that the lines of `doc` under `part` were shown, and nothing else of it.
    pub fn of_part(doc: &MemoryDoc, part: Span) -> Self {
        Self { seen: Some(BTreeSet::new()), ..Self::of(doc) }.and_shown(part)
    }

    /// Notes that the lines of the text that the editor believes in under `part` were shown too.
    #[must_use]
    pub(crate) fn and_shown(mut self, part: Span) -> Self {
        let text = self.believed.text();
        if let Some(seen) = &mut self.seen {
            let first = self.believed.line_number(part.start()) - 1;
            seen.extend((first..).zip(Lines::within(text, part)).map(|(index, _)| index));
        }
        self
    }

    /// Returns true if a line that is not blank of the text that the editor believes in, under `part`, was never shown.
    pub(crate) fn has_unseen(&self, part: Span) -> bool {
        let (text, first) = (self.believed.text(), self.believed.line_number(part.start()) - 1);
        let mut lines = (first..).zip(Lines::within(text, part)).filter(|(_, line)| !is_blank(line.text.of(text)));
        self.seen.as_ref().is_some_and(|seen| lines.any(|(index, _)| !seen.contains(&index)))
    }

    /// Returns the lines of the result of an edit of the editor's own that it has seen or written.
    fn seen_after(&self, edit: &Edit, result: &MemoryDoc) -> Option<BTreeSet<usize>> {
        let mut seen = BTreeSet::new();
        let mut kept = self.seen.as_ref()?.iter().copied().peekable();
        let changes = line_changes(&self.believed, result, edit);
        let ends = changes.iter().map(|change| (change.old.start, change.old.end, change.new.clone()));
        let (mut old, mut new) = (0, 0);
        let last = result.lines().len();
        for (start, end, written) in ends.chain([(usize::MAX, usize::MAX, last..last)]) {
            while let Some(index) = kept.next_if(|index| *index < end) {
                seen.extend((index < start).then(|| index + new - old));
            }
            (old, new) = (end, written.end);
            seen.extend(written);
        }
        Some(seen)
    }

    /// Returns what an editor knows of this document that was shown another text in its place last, of which it knows `shown`: that is
    /// the text shown, and what leads from there to the document counts as edits of its own.
    pub(crate) fn in_place_of(&self, shown: &Self) -> Self {
        let mut known = shown.clone();
        known.told = self.told;
        if shown.believed.revision() != self.believed.revision() {
            (known.believed, known.seen) = (self.believed.clone(), self.seen.clone());
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
        let changed = Edit::between(&self.believed, doc);
        let known = Self {
            shown: MemoryDoc::with_rules(text, doc.rules().clone()),
            seen: self.seen_after(&changed, doc),
            believed: doc.clone(),
            told: doc.revision(),
            ..self.clone()
        };
        Some(known.and_shown(section))
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
            after.seen = after.seen_after(edit, &result);
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
                self.seen = self.seen_after(edit, committed);
                self.believed = committed.clone();
                self.told = committed.revision();
            }
            _ => *self = self.instead(committed),
        }
    }

    /// Notes an edit of the editor's own that made `committed` of another text than the one that it believes in, where its plan
    /// is `seen`.
    ///
    /// A plan that is not of that text tells that the editor was shown the result.
    pub(crate) fn rebased(&mut self, seen: &Edit, committed: &MemoryDoc) {
        if seen.base() == self.believed.revision() {
            let believed = made(&self.believed, seen);
            self.seen = self.seen_after(seen, &believed);
            self.believed = if believed == *committed { committed.clone() } else { believed };
            self.told = committed.revision();
        } else {
            *self = self.instead(committed);
        }
    }

    /// Returns what is known of a text that is another than the one that the editor believes in: all, if all of that was shown.
    fn instead(&self, doc: &MemoryDoc) -> Self {
        if self.seen.is_none() { Self::of(doc) } else { Self::of_part(doc, Span::at(0)) }
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
