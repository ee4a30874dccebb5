//! [`Known`]: what an editor knows of a document. [`Basis`]: what it bases an edit on.

use std::collections::HashSet;

use crate::document::MemoryDoc;
use crate::edit::{Edit, line_after, line_changes};
use crate::text::{Revision, RevisionPrefix, Span, is_blank};

/// What an editor knows of a document: the *shown* text, and the *believed* text, which is the shown one with the editor's
/// own edits since.
///
/// Changes by others are not in the believed text until the editor reads again, not even after an edit that was rebased
/// over their changes. An index counts in the shown text.
#[derive(Clone, Debug)]
pub struct Known {
    shown: MemoryDoc,
    believed: MemoryDoc,
    /// The last revision in a result that the editor got.
    last_revision: Revision,
    /// The indexes of the lines of `believed` that were shown or that the editor's own edits wrote; `None` for all lines.
    seen: Option<HashSet<usize>>,
    /// For each line of `shown`, by index, its index in `believed`, or `None` if the editor's own edits removed it; a line
    /// that they rewrote as one line stays. Empty if there were no such edits. `None` if the texts also differ in something else.
    moved: Option<Vec<Option<usize>>>,
}

impl Known {
    /// Creates the knowledge of an editor that was shown `doc`.
    pub fn of(doc: &MemoryDoc) -> Self {
        Self {
            shown: doc.clone(),
            believed: doc.clone(),
            last_revision: doc.revision(),
            seen: None,
            moved: Some(Vec::new()),
        }
    }

    /// Creates the knowledge of an editor that was shown only the lines of `doc` in `part`.
    pub fn of_part(doc: &MemoryDoc, part: Span) -> Self {
        Self { seen: Some(doc.line_range(part).collect()), ..Self::of(doc) }
    }

    /// Returns this knowledge with the lines of `doc` in `part`, a section, as shown too; `None` if others have changed
    /// `doc` outside of that section. If the editor has made edits since the text was shown, only these lines count as
    /// shown.
    pub(crate) fn with_part(&self, doc: &MemoryDoc, part: Span) -> Option<Self> {
        let (old, new) = (self.believed.text(), doc.text());
        if old != new {
            let end = (part.end() + old.len()).checked_sub(new.len())?;
            let was = self.believed.section_at(part.start())?.extent;
            let is_alike =
                old.get(..part.start()) == new.get(..part.start()) && old.get(end..) == new.get(part.end()..);
            if !is_alike || (was.start(), was.end()) != (part.start(), end) {
                return None;
            }
        }
        let is_as_shown = self.shown.revision() == self.believed.revision();
        let seen = if is_as_shown {
            let mut known = self.clone();
            known.follow(&Edit::between(&self.believed, doc), doc.clone());
            known.seen
        } else {
            Some(HashSet::new())
        };
        Some(Self { seen, ..Self::of(doc) }.with_lines_shown(part))
    }

    /// Returns true if a line of the believed text in `part` was never shown. Blank lines do not count.
    pub(crate) fn has_unseen(&self, part: Span) -> bool {
        let doc = &self.believed;
        let mut full = doc.line_range(part).filter(|line| !is_blank(doc.line_text(*line)));
        self.seen.is_some() && full.any(|line| !self.has_seen_line(line))
    }

    /// Returns this knowledge with the lines of the believed text in `part` as shown too, numbered as in that text.
    #[must_use]
    pub(crate) fn with_lines_shown(mut self, part: Span) -> Self {
        if let Some(seen) = &mut self.seen {
            seen.extend(self.believed.line_range(part));
        }
        self
    }

    /// Returns true if the line of the believed text with this index was shown, or the editor itself wrote it.
    pub(crate) fn has_seen_line(&self, index: usize) -> bool {
        self.seen.as_ref().is_none_or(|seen| seen.contains(&index))
    }

    /// Returns the index in the believed text of a line of the shown text, given by index. `None` if the editor's own edits
    /// removed the line, or if the two texts also differ in something else.
    pub(crate) fn line_now(&self, shown: usize) -> Option<usize> {
        let moved = self.moved.as_ref()?;
        if moved.is_empty() { Some(shown) } else { *moved.get(shown)? }
    }

    /// Replaces the believed text by `result`, which `edit` makes of it, and maps the line indexes accordingly.
    fn follow(&mut self, edit: &Edit, result: MemoryDoc) {
        let mut changes = line_changes(&self.believed, &result, edit);
        if let Some(seen) = &self.seen {
            let written = changes.iter().flat_map(|change| change.new.clone());
            self.seen = Some(seen.iter().filter_map(|line| line_after(&changes, *line)).chain(written).collect());
        }
        if let Some(moved) = &mut self.moved {
            let doc = &self.shown;
            moved.extend((moved.len()..doc.lines().len()).map(Some));
            changes.retain(|change| (change.old.len(), change.new.len()) != (1, 1));
            moved.iter_mut().for_each(|line| *line = line.and_then(|line| line_after(&changes, line)));
        }
        self.believed = result;
    }

    /// Returns this knowledge with the shown text of another one.
    pub(crate) fn with_shown(&self, shown: &Self) -> Self {
        let is_same = self.believed.revision() == shown.believed.revision();
        let moved = shown.moved.clone().filter(|_| is_same);
        Self { shown: shown.shown.clone(), moved, ..self.clone() }
    }

    /// Returns this knowledge with `doc` as the believed text.
    pub(crate) fn on_text(&self, doc: &MemoryDoc) -> Self {
        let is_same = self.believed.revision() == doc.revision();
        if is_same { self.clone() } else { self.fresh(doc).with_shown(self) }
    }

    /// Returns the last revision in a result that the editor got.
    pub const fn revision(&self) -> Revision {
        self.last_revision
    }

    /// Returns the text last shown.
    pub const fn shown(&self) -> &MemoryDoc {
        &self.shown
    }

    /// Returns the shown text with the editor's own edits made.
    pub const fn believed(&self) -> &MemoryDoc {
        &self.believed
    }

    /// Returns this knowledge after edits of the editor's own that are not committed. Each is planned on the result of
    /// those before it.
    pub(crate) fn after<'e>(&self, edits: impl IntoIterator<Item = &'e Edit>) -> Self {
        let mut after = self.clone();
        for edit in edits {
            let result = edit.result(&after.believed);
            after.last_revision = result.revision();
            after.follow(edit, result);
        }
        after
    }

    /// Records that `plan`, an edit of the editor's own, turned the believed text into `committed`.
    ///
    /// If there is no plan, or if it is for another text, `committed` counts as shown.
    pub(crate) fn edited(&mut self, plan: Option<&Edit>, committed: &MemoryDoc) {
        match plan {
            Some(edit) if edit.base() == self.believed.revision() => {
                self.follow(edit, committed.clone());
                self.last_revision = committed.revision();
            }
            _ => *self = self.fresh(committed),
        }
    }

    /// Records that an edit of the editor's own was rebased: it was planned as `seen` on the believed text, and turned
    /// another text into `committed`.
    ///
    /// If `seen` is for another text, `committed` counts as shown.
    pub(crate) fn rebased(&mut self, seen: &Edit, committed: &MemoryDoc) {
        if seen.base() == self.believed.revision() {
            let believed = seen.result(&self.believed);
            self.follow(seen, if believed == *committed { committed.clone() } else { believed });
            self.last_revision = committed.revision();
        } else {
            *self = self.fresh(committed);
        }
    }

    /// Returns the knowledge of `doc` as both shown and believed text. If all lines of the believed text were shown, all of
    /// `doc` count as shown, else none.
    fn fresh(&self, doc: &MemoryDoc) -> Self {
        if self.seen.is_none() { Self::of(doc) } else { Self::of_part(doc, Span::at(0)) }
    }
}

/// What an edit is based on.
#[derive(Clone, Debug)]
pub enum Basis<'a> {
    /// What the editor knows.
    Known(&'a Known),
    /// A revision that the editor names. It must be the current one.
    Revision(RevisionPrefix),
    /// Any text: the request names its target and does not depend on a text that was seen.
    Anything,
}

impl<'a> Basis<'a> {
    /// Returns true if the document is no longer the one that the edit is based on.
    pub fn is_stale(&self, doc: &MemoryDoc) -> bool {
        match self {
            Self::Known(known) => known.believed.revision() != doc.revision(),
            Self::Revision(prefix) => !prefix.matches(&doc.revision()),
            Self::Anything => false,
        }
    }

    /// Returns the revision of the basis, as it is shown in messages.
    pub fn revision(&self) -> Option<RevisionPrefix> {
        match self {
            Self::Known(known) => Some(known.last_revision.into()),
            Self::Revision(prefix) => Some(prefix.clone()),
            Self::Anything => None,
        }
    }

    pub(super) const fn known(&self) -> Option<&'a Known> {
        if let Self::Known(known) = self { Some(known) } else { None }
    }
}
