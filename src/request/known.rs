//! What an editor knows of a document, and what it bases an edit on.

use std::sync::Arc;

use crate::document::{BulletRef, MemoryDoc};
use crate::edit::{Carry, Edit, Trail, made};
use crate::text::{Difference, Revision, RevisionPrefix, Span, is_blank};

/// What an editor knows of a document: the text it was shown, its own edits since, and what it believes the document to be.
///
/// What others have changed is not in it until the editor reads again, not even after an edit that was rebased over their
/// changes. It holds three texts, where the bullets of the first stand in the last, and what the last edit removed: no more after many
/// edits than after one. Where the text shown last is another than the document as the editor believes it to be, such as the draft of a
/// session, it holds what it knows of that as well.
#[derive(Clone, Debug)]
pub struct Known {
    shown: MemoryDoc,
    own: Trail,
    believed: MemoryDoc,
    told: Revision,
    /// Whether it was shown by what had changed alone.
    is_by_changes: bool,
    last: Option<LastEdit>,
    /// Where the lines of the bullets of the text shown started that the editor's own edits have written something else over.
    // Invariant: ascending.
    replaced: Vec<usize>,
    /// What the editor knows of another text that it was shown last in the place of the one that it believes in.
    in_its_place: Option<Arc<Known>>,
}

/// What an edit removed, with nothing in its place.
#[derive(Clone, Debug)]
pub(crate) struct LastEdit {
    before: MemoryDoc,
    // Invariant: sorted and disjoint; of `before`.
    removed: Vec<Span>,
}

impl LastEdit {
    fn new(before: &MemoryDoc, edit: &Edit) -> Self {
        let removing = edit.splices().iter().filter(|splice| is_blank(&splice.text));
        Self { before: before.clone(), removed: removing.map(|splice| splice.span).collect() }
    }

    /// Returns the text before it.
    pub(crate) const fn before(&self) -> &MemoryDoc {
        &self.before
    }

    /// Reports whether it removed a bullet of that text.
    pub(crate) fn has_removed(&self, bullet: BulletRef<'_>) -> bool {
        let start = bullet.line.start();
        let nth = self.removed.partition_point(|span| span.end() <= start);
        self.removed.get(nth).is_some_and(|span| span.contains(start))
    }
}

impl Known {
    /// Notes that `doc` was shown.
    pub fn of(doc: &MemoryDoc) -> Self {
        Self {
            shown: doc.clone(),
            own: Trail::of(doc),
            believed: doc.clone(),
            told: doc.revision(),
            is_by_changes: false,
            last: None,
            replaced: Vec::new(),
            in_its_place: None,
        }
    }

    /// Notes that of `doc` was shown what others have changed since a text that was shown before.
    pub(crate) fn by_changes(doc: &MemoryDoc) -> Self {
        Self { is_by_changes: true, ..Self::of(doc) }
    }

    /// Reports whether the text was shown by what others had changed alone: places in it may have been counted in the one before.
    pub(crate) const fn is_by_changes(&self) -> bool {
        self.is_by_changes
    }

    /// Returns what an editor knows of this document that was shown another text in its place last, of which it knows `shown`: that is
    /// the text shown, and what leads from there to the document counts as edits of its own.
    pub(crate) fn in_place_of(&self, shown: &Self) -> Self {
        let mut known = shown.clone();
        known.told = self.told;
        known.last = self.last.clone().or(known.last);
        if shown.believed.revision() != self.believed.revision() {
            known.follow(&Edit::between(&shown.believed, &self.believed), &self.believed);
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
        let carry = Carry::new(&own);
        let start = carry.origin(section.start()).or_else(|| carry.written_over(section.start()))?;
        let extent = extent_at(&self.shown, start)?;
        let end = carry.origin(believed_end).map_or(extent.end(), |end| end.min(extent.end()));
        let renewed = Difference::at(start, end.max(start), start + section.len());
        let [before, behind] = [Span::new(0, start), Span::new(renewed.old().end(), self.shown.text().len())];
        let text = [before.of(self.shown.text()), section.of(doc.text()), behind.of(self.shown.text())].concat();
        let moved = |now: usize| match now {
            now if now < old.start() => Some(now),
            now if now >= old.end() => Some(differing.behind(now)),
            _ => None,
        };
        let replaced = self.replaced.iter().copied().filter(|start| !renewed.old().contains(*start));
        let replaced = replaced.map(|at| if at < start { at } else { renewed.behind(at) });
        Some(Self {
            shown: MemoryDoc::with_rules(text, doc.rules().clone()),
            own: self.own.with_part(renewed, (doc, section), moved),
            believed: doc.clone(),
            told: doc.revision(),
            is_by_changes: false,
            replaced: replaced.collect(),
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

    /// Returns where the editor's own edits since have left the bullets of the text shown.
    pub(crate) const fn own(&self) -> &Trail {
        &self.own
    }

    /// Follows an edit of the text that the editor believes in, which makes `result` of it.
    fn follow(&mut self, edit: &Edit, result: &MemoryDoc) {
        let written_over: Vec<_> = self.own.written_over(edit).collect();
        self.own.follow_moves(edit, [&self.believed, result]);
        self.replaced.extend(written_over.into_iter().filter(|start| self.own.survivor(*start).is_none()));
        self.replaced.sort_unstable();
    }

    /// Reports whether the editor's own edits have written something else over a bullet of the text shown.
    pub(crate) fn has_replaced(&self, bullet: BulletRef<'_>) -> bool {
        self.replaced.binary_search(&bullet.line.start()).is_ok()
    }

    /// Returns the last of the editor's own edits.
    pub(crate) const fn last(&self) -> Option<&LastEdit> {
        self.last.as_ref()
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
            after.follow(edit, &result);
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
                self.follow(edit, committed);
                self.last = Some(LastEdit::new(&self.believed, edit));
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
            self.follow(seen, &believed);
            self.last = Some(LastEdit::new(&self.believed, seen));
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
