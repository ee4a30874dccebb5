//! The places of pending changes in the draft, and how many characters they add or remove.

use serde_json::{Value, json};

use super::{Letter, PendingChange, Session};
use crate::edit::{OffsetMap, Splice};
use crate::memory::DocName;
use crate::text::{Content, Span};

/// The place of a pending change. Positions, deltas and lengths are in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangePlace {
    /// The letter of the change.
    pub letter: Letter,
    /// The document that it changes.
    pub document: DocName,
    /// The path of its section; of a deletion, the section of the removed text.
    pub section: Option<Content>,
    /// Its line in the draft, from 1; of a deletion, the line in the text before it.
    pub line: usize,
    /// How many other places of the document it changes.
    pub others: usize,
    /// Its position in the draft, from 0.
    pub position: usize,
    /// How many characters it adds.
    pub added: usize,
    /// How many characters it removes.
    pub removed: usize,
}

impl ChangePlace {
    /// Returns by how many characters the change lengthens the text; negative if it shortens it.
    pub fn delta(&self) -> i64 {
        let count = |characters: usize| i64::try_from(characters).unwrap_or(i64::MAX);
        count(self.added) - count(self.removed)
    }
}

/// How many characters before and after a change its record contains.
const AROUND: usize = 40;

impl PendingChange {
    /// Returns a row of the log for each splice.
    fn records(&self) -> Vec<Value> {
        let text = self.before.text();
        let (mut at, mut position) = (0, 0);
        let record = |splice: &Splice| {
            let span = splice.span;
            position += characters(Span::new(at, span.start()).of(text));
            at = span.start();
            let before: Vec<_> = Span::new(0, span.start()).of(text).chars().rev().take(AROUND).collect();
            let after: String = Span::new(span.end(), text.len()).of(text).chars().take(AROUND).collect();
            json!({
                "change_id": self.letter,
                "kind": self.intent.kind(),
                "document": self.document,
                "position": position,
                "old_length": characters(span.of(text)),
                "new_text": splice.text,
                "context_before": before.into_iter().rev().collect::<String>(),
                "context_after": after,
            })
        };
        self.edit.splices().iter().map(record).collect()
    }

    /// Returns the offset of the first text that it deletes; `None` if its first splice writes something.
    fn deletes_at(&self) -> Option<usize> {
        let first = self.edit.splices().first().filter(|splice| splice.text.is_empty())?;
        // A blank line above a heading is removed with it, but belongs to the section before.
        Some(first.span.end() - first.span.of(self.before.text()).trim_start().len())
    }
}

impl Session {
    /// Returns the log of the pending changes: a row for each splice, in the order of the letters. Positions and
    /// lengths are in characters.
    pub(crate) fn records(&self) -> Vec<Value> {
        self.changes.iter().flat_map(PendingChange::records).collect()
    }

    /// Returns the places of the pending changes, in the order of their letters.
    pub fn layout(&self) -> Vec<ChangePlace> {
        let mut places: Vec<_> = self.documents().flat_map(|(name, _)| self.layout_of(name)).collect();
        places.sort_by_key(|place| place.letter);
        places
    }

    fn layout_of(&self, document: &DocName) -> Vec<ChangePlace> {
        let Some(draft) = self.draft(document) else { return Vec::new() };
        let places = self.places(document, 1);
        let place = |(change, (letter, spans)): (&PendingChange, (Letter, Vec<Span>))| {
            let at = spans.first().map_or(0, |span| span.start());
            // If the written text begins with the line ending that completes the line above, the change is on the next
            // line.
            let written = spans.first().map_or("", |span| span.of(draft.text()));
            let at = if written.starts_with('\n') && written.len() > 1 { at + 1 } else { at };
            let splices = change.edit.splices().iter();
            let others = splices.len().saturating_sub(1);
            let removed = splices.clone().map(|splice| characters(splice.span.of(change.before.text()))).sum();
            let added = splices.map(|splice| characters(&splice.text)).sum();
            // Deleted text is not in the draft: its section and line are those in the text before.
            let (doc, offset) = change.deletes_at().map_or((draft, at), |offset| (&change.before, offset));
            ChangePlace {
                letter,
                document: document.clone(),
                section: doc.section_at(offset).map(|section| section.shown_name().into()),
                line: doc.line_number(offset),
                others,
                position: characters(Span::new(0, at).of(draft.text())),
                added,
                removed,
            }
        };
        self.of(document).zip(places).map(place).collect()
    }

    /// Iterates over the changes of a document, each with the spans that it wrote, as they are in the draft now. At
    /// most `most` spans for each change. The span of a deletion is empty.
    pub(super) fn places<'s>(
        &'s self,
        document: &'s DocName,
        most: usize,
    ) -> impl Iterator<Item = (Letter, Vec<Span>)> + 's {
        let changes: Vec<_> = self.of(document).map(|change| (change, OffsetMap::of(&change.edit))).collect();
        (0..changes.len()).filter_map(move |nth| {
            let ((change, _), later) = changes.get(nth..)?.split_first()?;
            let landing = |at: usize| later.iter().fold(at, |at, (_, map)| map.landing(at));
            let moved = |span: Span| Span::new(landing(span.start()), landing(span.end()));
            let written = change.edit.splices_in_result().take(most).map(|(_, written)| moved(written));
            Some((change.letter, written.collect()))
        })
    }
}

/// Returns the number of characters of a text.
pub(super) fn characters(text: &str) -> usize {
    text.chars().count()
}
