//! What can be done with edits alone: inversion, composition, and carrying one over another.
//!
//! A composition is the splices of the base that do what its steps do in turn, and it keeps the steps. The splices are what is
//! written, counted and shown; the steps are what the guard checks, each on the result of those before it. So whatever is
//! accepted step by step is accepted as one, and nothing else is. What may not be forbidden of a result holds of the last one
//! as of each: a step neither changes nor moves a reserved section, adds no character and no second block of an ID that the
//! text before it had not, and each of these is an order from a text to the next which chains. Size and required sections are
//! checked from the first text to the last, so that a step may need the room which the next one makes; they chain as well: a
//! size that is over the limit only if it was larger before, and a section that is there if it was.
//!
//! Inverting and carrying keep the steps, too: the inverse takes back the last step first, and what is carried is carried a
//! step at a time, while the other edit is carried over the steps.

use std::ops::Range;

use super::splice::Origin;
use super::{Draft, Edit, Overlap, Part, PartStatus, Promise, Splice, Whose};
use crate::document::MemoryDoc;
use crate::text::{Difference, Lines, Revision, Span, differing, sort_by_key};

impl Edit {
    /// Returns an edit that turns `old` into `new`, by whole lines.
    pub(crate) fn between(old: &MemoryDoc, new: &MemoryDoc) -> Self {
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
        let after = draft.between.iter().chain([&draft.new]);
        let before = [draft.old].into_iter().chain(&draft.between);
        let steps = draft.edit.steps().iter().zip(before.zip(after));
        let back: Vec<_> = steps.map(|(step, (before, after))| step.inverted(before, after.revision())).collect();
        Self::of_steps(draft.new.revision(), back.into_iter().rev().collect()).with_part(Part::new(PartStatus::Applied))
    }

    /// Returns the edit that puts these texts in the place of what stands in a text of this revision: sorted, disjoint.
    pub(crate) fn putting<'t>(base: Revision, texts: impl Iterator<Item = (Span, &'t str)>) -> Self {
        let splices = texts.map(|(span, text)| Splice::new(span, text, Promise::Lines, 0)).collect();
        Self::from_sorted(base, splices, vec![Part::new(PartStatus::Applied)])
    }

    /// Says that what it writes stood there before a commit of `whose`.
    pub(crate) fn taking_back(self, whose: Whose) -> Self {
        self.with_origin(Origin::Inversion(whose))
    }

    /// Returns the one edit that does what `self` and then `next` do, and does not know the steps: for a text, not for the guard.
    pub(crate) fn followed_by(&self, next: &Self) -> Self {
        Self::from_sorted(self.base(), composed(self, next.splices()), Vec::new())
    }

    /// Returns the edit that takes the result of one step, whose revision is `result`, back to `base`.
    fn inverted(&self, base: &MemoryDoc, result: Revision) -> Self {
        let back = |(splice, span): (&Splice, Span)| {
            Splice::new(span, splice.span.of(base.text()), splice.promise.max(Promise::Lines), 0)
        };
        let splices = self.splices().iter().zip(self.result_spans()).map(back).collect();
        Self::from_sorted(result, splices, Vec::new()).taking_back(Whose::Own)
    }

    /// Returns the one edit that does what `self` and then `next`, planned on its result, do.
    ///
    /// A document accepts it if it accepts the one and then the other. Its parts are those of the first and then those of the
    /// second. Splices that touch the same bytes become one, which knows all of its [parts](Splice::parts); those that only
    /// meet stay apart.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Self::of_series(self.base(), &[self, next])
    }

    /// Returns the one edit that does what the edits of a series do, as [`then`](Self::then) does for two.
    pub(super) fn of_series(base: Revision, series: &[&Self]) -> Self {
        if let [only] = *series {
            return only.clone();
        }
        let mut whole = Self::from_sorted(base, Vec::new(), Vec::new());
        let (mut parts, mut steps) = (Vec::new(), Vec::new());
        for edit in series {
            let shift = parts.len();
            let own = edit.steps().iter().filter(|step| !step.splices().is_empty());
            steps.extend(own.map(|step| step.as_step(shift)));
            let splices: Vec<_> = edit.splices().iter().map(|splice| splice.shifted(shift)).collect();
            whole = Self::from_sorted(base, composed(&whole, &splices), Vec::new());
            parts.extend_from_slice(edit.parts());
        }
        whole.with_parts(parts).with_steps(steps)
    }

    /// Returns the edit of the result that takes this one, planned on `text`, back.
    pub(crate) fn taken_back(&self, text: &str) -> Self {
        let puts = self.splices().iter().zip(self.result_spans()).map(|(splice, span)| (span, splice.span.of(text)));
        Self::putting(self.base(), puts).taking_back(Whose::Own)
    }

    /// Swaps the order of two edits of one text: returns this one as it is made behind `other`, and `other` as it is made behind
    /// this one.
    ///
    /// # Errors
    ///
    /// Both change the same bytes.
    pub(crate) fn swapped(&self, other: &Self) -> Result<(Self, Self), Overlap> {
        let own = self.carried(other, Tie::Behind)?;
        let others = other.carried(self, Tie::Before)?;
        let made = |edit: &Self, splices| Self::from_sorted(edit.base(), splices, edit.parts().to_vec());
        Ok((made(self, own), made(other, others)))
    }

    fn of_steps(base: Revision, mut steps: Vec<Self>) -> Self {
        if steps.len() == 1
            && let Some(only) = steps.pop()
        {
            return only;
        }
        let start = Self::from_sorted(base, Vec::new(), Vec::new());
        let whole = steps.iter().fold(start, |whole, step| {
            let splices = composed(&whole, step.splices());
            Self::from_sorted(base, splices, Vec::new())
        });
        whole.with_steps(steps)
    }

    /// Carries the edit over `later`, planned on the same base, to `result`, which `later` makes of it.
    ///
    /// What the later edit wrote is none of the lines that this one names.
    ///
    /// # Errors
    ///
    /// Both change the same bytes.
    pub fn over(&self, later: &Self, result: &MemoryDoc) -> Result<Self, Overlap> {
        self.over_text(later, (result.text(), result.revision())).map(|(edit, _)| edit)
    }

    /// Does the same, where the result is known as a text with its revision. Returns also the later edit, as it is made behind this
    /// one.
    pub(super) fn over_text(&self, later: &Self, result: (&str, Revision)) -> Result<(Self, Self), Overlap> {
        // What overlaps is told in offsets of the base, where it can be.
        self.carried(later, Tie::Behind)?;
        let (base, mut later) = (later, later.clone());
        let (mut text, mut revision) = (result.0.to_owned(), result.1);
        let mut steps = Vec::with_capacity(self.steps().len());
        for (nth, step) in self.steps().iter().enumerate() {
            let splices = step.carried(&later, Tie::Behind).map_err(|overlap| base.told_of(overlap, &later))?;
            if nth > 0 {
                revision = Revision::of(&text);
            }
            let carried = Self::from_sorted(revision, splices, Vec::new());
            let carried = carried.with_origin(step.origin().carried());
            later = Self::from_sorted(step.base(), later.carried(step, Tie::Before)?, Vec::new());
            text = carried.apply_to(&text);
            steps.push(carried);
        }
        Ok((Self::of_steps(result.1, steps).with_parts_of(self), later))
    }

    /// Tells of an overlap with `carried`, the edit carried over steps, by the splice as it is here.
    fn told_of(&self, overlap: Overlap, carried: &Self) -> Overlap {
        let mut splices = self.splices().iter().zip(carried.splices());
        let span = splices.find(|(_, carried)| carried.span.covers(overlap.span)).map(|(splice, _)| splice.span);
        Overlap { span: span.unwrap_or(overlap.span), ..overlap }
    }

    fn carried(&self, later: &Self, tie: Tie) -> Result<Vec<Splice>, Overlap> {
        let mut carried = Vec::with_capacity(self.splices().len());
        let mut others = later.splices().iter().peekable();
        // How far the later edit has moved what follows: added and removed bytes so far.
        let (mut added, mut removed) = (0, 0);
        for splice in self.splices() {
            let stays_behind = |other: &Splice| {
                let ties = tie == Tie::Before && splice.span.is_empty() && other.span == splice.span;
                other.span.end() <= splice.span.start() && !ties
            };
            while let Some(other) = others.next_if(|other| stays_behind(other)) {
                added += other.text.len();
                removed += other.span.len();
            }
            if let Some(other) = others.peek().filter(|other| clash(splice.span, other.span)) {
                let span =
                    Span::new(other.span.start().max(splice.span.start()), other.span.end().min(splice.span.end()));
                return Err(Overlap { first: splice.part, second: other.part, span });
            }
            let at = |offset: usize| (offset + added).saturating_sub(removed);
            carried.push(splice.at(Span::new(at(splice.span.start()), at(splice.span.end()))));
        }
        Ok(carried)
    }
}

/// Which of two insertions at one place the carried one is: the text of which comes first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    Before,
    Behind,
}

/// Reports whether two splices have a byte in common, or one inserts strictly inside what the other replaces.
const fn clash(a: Span, b: Span) -> bool {
    a.start() < b.end() && b.start() < a.end()
}

/// Returns the splices of the base that do what `first` and then `next`, splices of its result, do.
fn composed(first: &Edit, next: &[Splice]) -> Vec<Splice> {
    let written = first.splices().iter().zip(first.result_spans());
    let pieces = written.map(|(splice, at)| Piece { splice, at, is_first: true });
    let mut pieces: Vec<_> =
        pieces.chain(next.iter().map(|splice| Piece { splice, at: splice.span, is_first: false })).collect();
    // Stable: splices of one edit at one place keep their order. What is inserted before a text that was written comes before
    // it, what is inserted where something was removed comes behind that.
    sort_by_key(&mut pieces, |piece| (piece.at.start(), piece.at.end(), !piece.is_first));
    let mut splices = Vec::with_capacity(pieces.len());
    let mut rest = pieces.as_slice();
    // How far the first edit has moved what follows: added and removed bytes so far.
    let mut moved = (0, 0);
    while !rest.is_empty() {
        let (group, behind) = rest.split_at(group_len(rest));
        splices.extend(Some(joined(group, &mut moved)).filter(|splice| !splice.is_nothing()));
        rest = behind;
    }
    splices
}

/// A splice of the first or of the next edit, and where it stands in the text between the two.
struct Piece<'a> {
    splice: &'a Splice,
    at: Span,
    is_first: bool,
}

/// Returns how many pieces from the start on touch the same bytes, one through the other.
fn group_len(pieces: &[Piece<'_>]) -> usize {
    // Where the last piece of each edit stands: those of one edit are disjoint, so that no earlier one can be met.
    let mut last: [Option<Span>; 2] = [None, None];
    let belongs = |piece: &&Piece<'_>| {
        let [first, next] = &mut last;
        let (own, other) = if piece.is_first { (first, next) } else { (next, first) };
        let is_alone = own.is_none() && other.is_none();
        let belongs = is_alone || other.is_some_and(|other| clash(other, piece.at));
        *own = Some(piece.at);
        belongs
    };
    pieces.iter().take_while(belongs).count()
}

/// Makes one splice of the base of pieces that touch the same bytes.
fn joined(group: &[Piece<'_>], (added, removed): &mut (usize, usize)) -> Splice {
    let lead = group.first().map_or(0, |piece| piece.at.start());
    let end = group.iter().map(|piece| piece.at.end()).max().unwrap_or(lead);
    let start = (lead + *removed).saturating_sub(*added);
    for piece in group.iter().filter(|piece| piece.is_first) {
        *added += piece.at.len();
        *removed += piece.splice.span.len();
    }
    let span = Span::new(start, (end + *removed).saturating_sub(*added));
    if let [only] = group {
        return only.splice.at(span);
    }
    let text = text_of(group, Span::new(lead, end));
    let promises = group.iter().map(|piece| piece.splice.promise);
    let promise = promises.reduce(combined).unwrap_or(Promise::Lines);
    Splice::new(span, text, promise, 0).for_parts(group.iter().flat_map(|piece| piece.splice.parts()))
}

/// Returns what `group`, which takes `span` in the text between, writes in the end.
fn text_of(group: &[Piece<'_>], span: Span) -> String {
    let mut text = String::new();
    let mut firsts = group.iter().filter(|piece| piece.is_first).peekable();
    let mut read = span.start();
    let nexts = group.iter().filter(|piece| !piece.is_first).map(|piece| (piece.at, &*piece.splice.text));
    for (next, come) in nexts.chain([(Span::at(span.end()), "")]) {
        // What the first edit wrote there, and the next one leaves.
        while let Some(first) = firsts.peek() {
            let (from, to) = (read.max(first.at.start()), next.start().min(first.at.end()));
            if from < to {
                text.push_str(Span::new(from - first.at.start(), to - first.at.start()).of(&first.splice.text));
            }
            if first.at.end() > next.end() {
                break;
            }
            firsts.next();
        }
        text.push_str(come);
        read = next.end();
    }
    text
}

/// Returns what two splices that have become one promise: lines, but for a text inside one line.
fn combined(a: Promise, b: Promise) -> Promise {
    match (a, b) {
        (Promise::Inline, Promise::Inline) => Promise::Inline,
        _ => a.max(b).max(Promise::Lines),
    }
}
