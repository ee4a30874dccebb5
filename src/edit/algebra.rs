//! What can be done with edits alone: inversion, composition, and carrying one over another.

use std::ops::Range;

use super::part::{Part, PartStatus};
use super::splice::{Edit, Origin, Overlap, Promise, Splice};
use crate::document::MemoryDoc;
use crate::text::{Lines, Revision, Span, differing};

impl Edit {
    /// Returns an edit that turns `old` into `new`, by whole lines.
    pub(crate) fn between(old: &MemoryDoc, new: &MemoryDoc) -> Self {
        let lines = |doc: &MemoryDoc| Lines::of(doc.text()).map(|line| line.full).collect::<Vec<_>>();
        let (old_lines, new_lines) = (lines(old), lines(new));
        let texts = |doc: &'_ MemoryDoc, lines: &[Span]| {
            lines.iter().map(|line| line.of(doc.text()).to_owned()).collect::<Vec<_>>()
        };
        let start = |lines: &[Span], index: usize, doc: &MemoryDoc| {
            lines.get(index).map_or(doc.text().len(), |line| line.start())
        };
        let splice = |(from, to): (Range<usize>, Range<usize>)| {
            let written = Span::new(start(&new_lines, to.start, new), start(&new_lines, to.end, new));
            let span = Span::new(start(&old_lines, from.start, old), start(&old_lines, from.end, old));
            Splice { span, text: written.of(new.text()).into(), promise: Promise::Whole, part: 0 }
        };
        let splices = differing(&texts(old, &old_lines), &texts(new, &new_lines)).into_iter().map(splice).collect();
        Self::from_sorted(old.revision(), splices, vec![Part::new(PartStatus::Applied)])
    }

    /// Returns the edit that takes the result, whose revision is `result`, back to `base`, the document before it.
    pub(crate) fn invert(&self, base: &MemoryDoc, result: Revision) -> Self {
        let back = |(splice, span): (&Splice, Span)| Splice {
            span,
            text: splice.span.of(base.text()).into(),
            promise: splice.promise.max(Promise::Lines),
            part: 0,
        };
        let splices = self.splices().iter().zip(self.result_spans()).map(back).collect();
        Self::from_sorted(result, splices, vec![Part::new(PartStatus::Applied)]).with_origin(Origin::Inversion)
    }

    /// Returns the one edit that does what `self` and then `next`, planned on its result, do.
    ///
    /// Where both touch, their splices become one, which promises as little as the less certain of the two.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let mut first = Steps::new(self);
        let mut second = Steps::new(next);
        let mut out = Composed::default();
        loop {
            match (first.peek(), second.peek()) {
                (None, None) => break,
                // What the first removes, the second never sees.
                (Some(Step::Remove(length, promise)), _) => {
                    out.remove(length, promise);
                    first.advance(length);
                }
                (_, Some(Step::Write(text, promise))) => {
                    out.write(text, promise);
                    second.advance(text.len());
                }
                (Some(Step::Write(text, promise)), Some(Step::Keep(length))) => {
                    let length = length.min(text.len());
                    out.write(text.get(..length).unwrap_or_default(), promise);
                    first.advance(length);
                    second.advance(length);
                }
                (Some(Step::Write(text, promise)), None) => {
                    out.write(text, promise);
                    first.advance(text.len());
                }
                (Some(Step::Write(text, promise)), Some(Step::Remove(length, other))) => {
                    let length = length.min(text.len());
                    out.touch(promise.max(other));
                    first.advance(length);
                    second.advance(length);
                }
                (Some(Step::Keep(kept)), Some(Step::Keep(length))) => {
                    let length = length.min(kept);
                    out.keep(length);
                    first.advance(length);
                    second.advance(length);
                }
                (Some(Step::Keep(kept)), Some(Step::Remove(length, promise))) => {
                    let length = length.min(kept);
                    out.remove(length, promise);
                    first.advance(length);
                    second.advance(length);
                }
                (Some(Step::Keep(kept)), None) => {
                    out.keep(kept);
                    first.advance(kept);
                }
                (None, Some(Step::Keep(length))) => {
                    out.keep(length);
                    second.advance(length);
                }
                (None, Some(Step::Remove(length, promise))) => {
                    out.remove(length, promise);
                    second.advance(length);
                }
            }
        }
        let parts = self.parts().iter().chain(next.parts()).cloned().collect();
        Self::from_sorted(self.base(), out.finish(), parts)
    }

    /// Carries the edit over `later`, planned on the same base, to its result, whose revision is `result`.
    ///
    /// # Errors
    ///
    /// Both change the same bytes.
    pub fn over(&self, later: &Self, result: Revision) -> Result<Self, Overlap> {
        let mut carried = Vec::with_capacity(self.splices().len());
        let mut others = later.splices().iter().peekable();
        // How far the later edit has moved what follows: added and removed bytes so far.
        let (mut added, mut removed) = (0, 0);
        for splice in self.splices() {
            while let Some(other) = others.next_if(|other| other.span.end() <= splice.span.start()) {
                added += other.text.len();
                removed += other.span.len();
            }
            if let Some(other) = others.peek()
                && other.span.start() < splice.span.end()
            {
                let span =
                    Span::new(other.span.start().max(splice.span.start()), other.span.end().min(splice.span.end()));
                return Err(Overlap { first: splice.part, second: other.part, span });
            }
            if let Some(other) = others.peek()
                && splice.span.is_empty()
                && other.span.start() < splice.span.start()
            {
                return Err(Overlap { first: splice.part, second: other.part, span: splice.span });
            }
            let at = |offset: usize| (offset + added).saturating_sub(removed);
            carried.push(Splice { span: Span::new(at(splice.span.start()), at(splice.span.end())), ..splice.clone() });
        }
        Ok(Self::from_sorted(result, carried, self.parts().to_vec()).with_origin(self.origin()))
    }
}

/// An edit as a sequence of steps over its base.
enum Step<'a> {
    Keep(usize),
    Remove(usize, Promise),
    Write(&'a str, Promise),
}

struct Steps<'a> {
    splices: &'a [Splice],
    /// Where in the base the next step starts.
    read: usize,
    /// How much of the current splice's removal, then of its text, is done.
    removed: usize,
    written: usize,
}

impl<'a> Steps<'a> {
    fn new(edit: &'a Edit) -> Self {
        Self { splices: edit.splices(), read: 0, removed: 0, written: 0 }
    }

    fn peek(&self) -> Option<Step<'a>> {
        let splice = self.splices.first()?;
        if self.read < splice.span.start() {
            Some(Step::Keep(splice.span.start() - self.read))
        } else if self.removed < splice.span.len() {
            Some(Step::Remove(splice.span.len() - self.removed, splice.promise))
        } else {
            Some(Step::Write(splice.text.get(self.written..).unwrap_or_default(), splice.promise))
        }
    }

    fn advance(&mut self, length: usize) {
        let Some(splice) = self.splices.first() else { return };
        if self.read < splice.span.start() {
            self.read += length;
        } else if self.removed < splice.span.len() {
            self.removed += length;
        } else {
            self.written += length;
        }
        let is_done =
            self.read == splice.span.start() && self.removed == splice.span.len() && self.written == splice.text.len();
        if is_done {
            self.read = splice.span.end();
            (self.removed, self.written) = (0, 0);
            self.splices = self.splices.get(1..).unwrap_or_default();
        }
    }
}

/// The steps of a composition, gathered into splices.
#[derive(Default)]
struct Composed {
    read: usize,
    splices: Vec<Gathered>,
}

struct Gathered {
    span: Span,
    text: String,
    promise: Promise,
}

impl Composed {
    fn keep(&mut self, length: usize) {
        self.read += length;
    }

    fn remove(&mut self, length: usize, promise: Promise) {
        let from = self.read;
        self.read += length;
        let to = self.read;
        self.at(from, promise, |splice| splice.span = Span::new(splice.span.start(), to));
    }

    fn write(&mut self, text: &str, promise: Promise) {
        self.at(self.read, promise, |splice| splice.text.push_str(text));
    }

    /// Notes that text which the first edit wrote was removed by the second.
    fn touch(&mut self, promise: Promise) {
        self.at(self.read, promise, |_| {});
    }

    /// Goes on with the splice that ends at `at`, or begins one there.
    fn at(&mut self, at: usize, promise: Promise, change: impl FnOnce(&mut Gathered)) {
        if self.splices.last().is_none_or(|splice| splice.span.end() != at) {
            self.splices.push(Gathered { span: Span::at(at), text: String::new(), promise });
        }
        if let Some(splice) = self.splices.last_mut() {
            splice.promise = combined(splice.promise, promise);
            change(splice);
        }
    }

    fn finish(self) -> Vec<Splice> {
        let is_something = |splice: &Gathered| !(splice.span.is_empty() && splice.text.is_empty());
        let splice = |Gathered { span, text, promise }| Splice { span, text: text.into(), promise, part: 0 };
        self.splices.into_iter().filter(is_something).map(splice).collect()
    }
}

fn combined(a: Promise, b: Promise) -> Promise {
    match (a, b) {
        (Promise::Inline, Promise::Inline) => Promise::Inline,
        (Promise::Whole, _) | (_, Promise::Whole) => Promise::Whole,
        _ => Promise::Lines,
    }
}
