//! Edits that are known by the texts before and after them.

use std::ops::Range;

use super::splice::Origin;
use super::{Draft, Edit, Part, PartStatus, Promise, Splice, Whose};
use crate::document::MemoryDoc;
use crate::text::{Difference, Lines, Revision, Span, differing};

/// Returns what `edit`, planned on `doc`, makes of it, unchecked.
pub(crate) fn made(doc: &MemoryDoc, edit: &Edit) -> MemoryDoc {
    edit.made(doc).0
}

impl Edit {
    /// Returns an edit that turns `old` into `new`, by whole lines.
    pub fn between(old: &MemoryDoc, new: &MemoryDoc) -> Self {
        let difference = Difference::between(old.text(), new.text());
        let (old_span, new_span) = (difference.old(), difference.new_span());
        let lines = |doc: &MemoryDoc, span| Lines::within(doc.text(), span).map(|line| line.full).collect::<Vec<_>>();
        let (old_lines, new_lines) = (lines(old, old_span), lines(new, new_span));
        let texts = |lines: &[Span], text| lines.iter().map(|line| line.of(text)).collect::<Vec<&str>>();
        let start =
            |lines: &[Span], index: usize, whole: Span| lines.get(index).map_or(whole.end(), |line| line.start());
        let splice = |(from, to): (Range<usize>, Range<usize>)| {
            let written = Span::new(start(&new_lines, to.start, new_span), start(&new_lines, to.end, new_span));
            let span = Span::new(start(&old_lines, from.start, old_span), start(&old_lines, from.end, old_span));
            Splice::new(span, written.of(new.text()), Promise::Whole, 0)
        };
        let splices =
            differing(&texts(&old_lines, old.text()), &texts(&new_lines, new.text())).into_iter().map(splice).collect();
        Self::from_sorted(old.revision(), splices, vec![Part::new(PartStatus::Applied)])
    }

    /// Returns the edit that takes the result of `draft` back to the document before it.
    pub(crate) fn inverse(draft: &Draft<'_>) -> Self {
        let splices = draft.edit.splices().iter().zip(draft.offsets.written());
        let texts = splices.map(|(splice, written)| (written, splice.span.of(draft.old.text())));
        Self::putting(draft.new.revision(), texts).taking_back(Whose::Own)
    }

    /// Returns the edit that puts these texts in the place of what stands in a text of this
    /// revision: sorted, disjoint.
    pub(crate) fn putting<'t>(base: Revision, texts: impl Iterator<Item = (Span, &'t str)>) -> Self {
        let splices = texts.map(|(span, text)| Splice::new(span, text, Promise::Lines, 0)).collect();
        Self::from_sorted(base, splices, vec![Part::new(PartStatus::Applied)])
    }

    /// Says that what it writes stood there before a commit of `whose`.
    pub(crate) fn taking_back(self, whose: Whose) -> Self {
        self.with_origin(Origin::Inversion(whose))
    }
}
