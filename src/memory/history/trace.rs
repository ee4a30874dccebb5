//! Blame: which entry wrote a span of text. The span is carried back over the entries that changed its document.

use super::super::journal::{Entry, Seq, Splice, inverse};
use super::super::{DocName, Memory, MemoryError, Moment};
use crate::document::{BulletRef, MemoryDoc};
use crate::edit::Edit;
use crate::text::{Content, Span};

impl Memory {
    /// Returns the last entry that wrote or changed a bullet of a document as it stands now.
    ///
    /// # Errors
    ///
    /// An entry that is needed was erased; the document has been changed since; the store cannot be read.
    pub fn blame(&self, document: &DocName, bullet: BulletRef<'_>) -> Result<Entry, MemoryError> {
        self.check_moment(document, bullet.doc(), None)?;
        self.writers(document, own_lines(bullet))?.next().unwrap_or(Err(MemoryError::broken_chain(Seq::FIRST)))
    }

    /// Returns, for each bullet of a document, the last entry that wrote or changed it, as [`blame`](Self::blame)
    /// does, in one walk; `None` if an entry that is needed was erased. `doc` is the document after entry `at`, or as
    /// it is now.
    ///
    /// # Errors
    ///
    /// `doc` is not the document of that moment; the store cannot be read.
    pub fn blame_all(
        &self,
        document: &DocName,
        doc: &MemoryDoc,
        at: Option<Seq>,
    ) -> Result<Vec<Option<Entry>>, MemoryError> {
        self.check_moment(document, doc, at)?;
        let mut last = vec![None; doc.bullets().count()];
        let mut open: Vec<_> = last.iter_mut().zip(doc.bullets().map(own_lines).map(Trace)).collect();
        for step in self.entries_back(document, at)? {
            let (entry, name) = step?;
            if at.is_some_and(|at| entry.seq() > at) {
                continue;
            }
            let Some(splices) = entry_splices(&entry, &name).filter(|_| !open.is_empty()) else { break };
            open.retain_mut(|(last, trace)| {
                let is_written = trace.back(&splices);
                **last = is_written.then(|| entry.clone());
                !is_written
            });
        }
        Ok(last)
    }

    /// Refuses `doc` if it is not the document after entry `at`, or the current one without `at`.
    fn check_moment(&self, document: &DocName, doc: &MemoryDoc, at: Option<Seq>) -> Result<(), MemoryError> {
        let current = match at {
            Some(at) => MemoryDoc::parse(self.text_at(document, &Moment::After(at))?.unwrap_or_default()),
            None => self.read(document)?,
        };
        if current.revision() == doc.revision() {
            return Ok(());
        }
        Err(MemoryError::StaleRevision { document: document.clone(), seen: doc.revision().short(), current })
    }

    /// Iterates over the entries that wrote or changed a span of a document, from the latest back to the one that first
    /// wrote it. An entry that was erased is an error.
    pub(super) fn writers(
        &self,
        document: &DocName,
        span: Span,
    ) -> Result<impl Iterator<Item = Result<Entry, MemoryError>>, MemoryError> {
        let mut trace = Trace(span);
        let writers = self.entries_back(document, None)?.map_while(move |step| {
            (!trace.0.is_empty()).then(|| {
                let (entry, name) = step?;
                let splices = entry_splices(&entry, &name).ok_or_else(|| MemoryError::erased(entry.seq()))?;
                Ok(trace.back(&splices).then_some(entry))
            })
        });
        Ok(writers.filter_map(Result::transpose))
    }
}

/// Returns the lines of a bullet without those of its children.
pub(super) fn own_lines(bullet: BulletRef<'_>) -> Span {
    let end = bullet.children().next().map_or(bullet.extent.end(), |child| child.line.start());
    let own = Span::new(bullet.line.start(), end.max(bullet.line.start()));
    // The last line ending does not count: an entry that adds a line below the bullet may rewrite it.
    let text = own.of(bullet.doc().text()).trim_end_matches(['\n', '\r']);
    Span::new(own.start(), own.start() + text.len())
}

/// A span that is carried back, entry by entry. Its offsets count in the text after the next entry of the walk.
struct Trace(Span);

impl Trace {
    /// Carries the span back over the splices of an entry. Returns true if they wrote in it, or removed text from its
    /// middle.
    ///
    /// A start within text that a splice wrote moves to the beginning of the text that the splice replaced, an end to
    /// the end of that text.
    fn back(&mut self, splices: &[Splice]) -> bool {
        let (start, end) = (self.0.start(), self.0.end());
        let (mut old_start, mut old_end, mut is_touched) = (start, end, false);
        for (splice, back) in splices.iter().zip(inverse(splices).unwrap_or_default()) {
            let (old, new) = (splice.covered(), back.covered());
            is_touched |= match new.is_empty() {
                true => start < new.start() && new.start() < end,
                false => new.start() < end && start < new.end(),
            };
            if new.end() <= start {
                old_start = (start - new.end()).saturating_add(old.end());
            } else if new.start() <= start {
                old_start = old.start();
            }
            if new.end() < end {
                old_end = (end - new.end()).saturating_add(old.end());
            } else if new.start() < end {
                old_end = old.end();
            }
        }
        self.0 = Span::new(old_start.min(old_end), old_end);
        is_touched
    }
}

/// Returns the splices of an entry in a document; `None` if they were erased. An entry that renames a document records
/// its whole text as deleted and written: its splices are the difference of the two.
fn entry_splices(entry: &Entry, document: &DocName) -> Option<Vec<Splice>> {
    let splices = entry.splices(document)?;
    let Some(old) = entry.renamed_from(document) else { return Some(splices.iter().map(shortened).collect()) };
    // One document is created and the other deleted: each has one splice, or none if there is no text.
    let removed = entry.splices(old)?.first().map_or("", |splice| &*splice.removed);
    let written = splices.first().map_or("", |splice| &*splice.added);
    let [old, new] = [removed, written].map(MemoryDoc::parse);
    let edit = Edit::between(&old, &new);
    let splices = edit.splices().iter().map(|splice| shortened(&Splice::new(old.text(), splice.span, &splice.text)));
    Some(splices.collect())
}

/// Returns a splice without the line that it removes and writes again: a splice that makes `- a\n- b` of `- a` only
/// adds `\n- b`.
fn shortened(splice: &Splice) -> Splice {
    match splice.added.strip_prefix(&*splice.removed) {
        Some(rest) if rest.starts_with(['\n', '\r']) => {
            Splice { at: splice.covered().end(), removed: Content::default(), added: rest.into() }
        }
        _ => splice.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splice(at: usize, removed: &str, added: &str) -> Splice {
        Splice { at, removed: removed.into(), added: added.into() }
    }

    #[test]
    fn a_span_is_carried_back_and_touched_by_what_writes_in_it_or_takes_from_its_middle() {
        // "ab[cd]ef" became "ab[XYZ]ef", and "!" was put behind.
        let splices = [splice(2, "cd", "XYZ"), splice(6, "", "!")];
        let deletion = [splice(3, "xx", "")];
        for (splices, (start, end), before, is_touched) in [
            (&splices[..], (0, 2), (0, 2), false),
            (&splices, (2, 3), (2, 4), true),
            (&splices, (1, 3), (1, 4), true),
            (&splices, (3, 5), (2, 4), true),
            (&splices, (5, 7), (4, 6), false),
            (&splices, (5, 8), (4, 6), true),
            (&deletion, (2, 4), (2, 6), true),
            (&deletion, (3, 4), (5, 6), false),
        ] {
            let mut trace = Trace(Span::new(start, end));
            assert_eq!(trace.back(splices), is_touched, "{start}..{end}");
            assert_eq!(trace.0, Span::new(before.0, before.1), "{start}..{end}");
        }
    }
}
