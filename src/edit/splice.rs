//! [`Edit`]: disjoint, sorted splices against one revision, collected in the order of a request or computed from two
//! texts.

use std::ops::Range;

use serde::Serialize;
use thiserror::Error;

use super::Draft;
use crate::document::MemoryDoc;
use crate::locate::Leniency;
use crate::text::{Content, Difference, Revision, Span, differing, names};

/// What a splice is allowed to do to the structure of a document. The guard holds the result to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Promise {
    /// Changes text inside one line, or that of one bullet over as many lines as it likes, and makes
    /// or removes no node.
    Text,
    /// Changes the marker of one bullet, and no other node.
    Marker,
    /// Writes exactly this many bullets and nothing else, and changes no other node.
    Bullets(usize),
    /// Writes any lines, and leaves alone what starts outside.
    Lines,
    /// As `Lines`, and writes them below the line of this index.
    Below(usize),
    /// Writes the text of one note, which is any Markdown, and leaves alone what starts outside.
    Note,
    /// Replaces the whole document.
    Whole,
}

/// The replacement of a range of bytes by a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Splice {
    /// The bytes that go; empty for an insertion.
    pub span: Span,
    /// The text that comes.
    pub text: Content,
    /// What it may do to the structure.
    pub promise: Promise,
    /// The index of the [`Part`] of its own request, which may have become one part of a larger one
    /// since.
    pub part: usize,
}

impl Splice {
    pub(super) fn new(span: Span, text: impl Into<Content>, promise: Promise, part: usize) -> Self {
        Self { span, text: text.into(), promise, part }
    }
}

/// A change of one document, against the revision it was planned on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    base: Revision,
    // Invariant: sorted by start; no two share a byte; insertions at one place stand in the order
    // in which they are made.
    splices: Vec<Splice>,
    parts: Vec<Part>,
    origin: Origin,
}

/// Where an edit comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Origin {
    /// A request.
    Request,
    /// The inversion of a commit, made on its result: what stood there before stands there again.
    Inversion(Whose),
    /// The inversion of a commit, carried over later ones: what it writes stood there before, but
    /// not among what is there now.
    Carried(Whose),
}

/// Whose commit an inversion takes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Whose {
    /// That of the editor who takes it back.
    Own,
    /// That of anybody else, such as the host.
    Others,
}

impl Origin {
    /// Returns it for an edit that is carried over others.
    pub(super) const fn carried(self) -> Self {
        match self {
            Self::Request => Self::Request,
            Self::Inversion(whose) | Self::Carried(whose) => Self::Carried(whose),
        }
    }
}

/// Two parts of one request that change the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("parts {} and {} change the same text", first + 1, second + 1)]
pub struct Overlap {
    /// The index of the one part.
    pub first: usize,
    /// The index of the other part.
    pub second: usize,
    /// The bytes that both change.
    pub span: Span,
}

impl Edit {
    /// Returns the revision that the edit was planned on.
    pub const fn base(&self) -> Revision {
        self.base
    }

    /// Returns the splices, sorted.
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// Reports whether it removes text and writes none in its place.
    pub(crate) fn removes(&self) -> bool {
        self.splices.iter().any(|splice| !splice.span.is_empty() && splice.text.is_empty())
    }

    /// Reports whether a splice has this promise.
    pub(super) fn has_promise(&self, promise: Promise) -> bool {
        self.splices.iter().any(|splice| splice.promise == promise)
    }

    /// Returns the parts of the request, in its order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the edit that changes nothing in `doc`.
    pub fn nothing(doc: &MemoryDoc) -> Self {
        Self::from_sorted(doc.revision(), Vec::new(), Vec::new())
    }

    pub(super) const fn from_sorted(base: Revision, splices: Vec<Splice>, parts: Vec<Part>) -> Self {
        Self { base, splices, parts, origin: Origin::Request }
    }

    /// Makes these its parts.
    pub(crate) fn with_parts(mut self, parts: Vec<Part>) -> Self {
        self.parts = parts;
        self
    }

    /// Adds a warning about the result to its first part.
    pub(super) fn with_warning(mut self, warning: Warning) -> Self {
        if let Some(first) = self.parts.first_mut() {
            first.warnings.push(warning);
        }
        self
    }

    /// Reports whether it is already applied: a part of it is, and no part changes anything.
    pub(crate) fn is_there(&self) -> bool {
        self.has_part(PartStatus::AlreadyApplied) && !self.has_part(PartStatus::Applied)
    }

    fn has_part(&self, status: PartStatus) -> bool {
        self.parts.iter().any(|part| part.status == status)
    }

    /// Joins its parts, with their leniencies and warnings, into one, for an edit that is one part of a larger
    /// request. If some parts change something and others were already applied, an `already_applied` part follows.
    pub(crate) fn into_one_part(mut self) -> Self {
        let statuses = self.parts.iter().map(|part| part.status);
        // A part that changes something comes first, then one that is there already.
        let status = statuses.min_by_key(|status| *status as u8).unwrap_or(PartStatus::NoChange);
        let mut part = Part::new(status);
        for own in &self.parts {
            part.healed.extend(&own.healed);
            part.warnings.extend(own.warnings.iter().cloned());
        }
        let is_mixed = status == PartStatus::Applied && self.has_part(PartStatus::AlreadyApplied);
        self.parts = vec![part];
        self.parts.extend(is_mixed.then(|| Part::new(PartStatus::AlreadyApplied)));
        self
    }

    /// Notes where the edit comes from.
    pub(super) const fn with_origin(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    pub(super) const fn origin(&self) -> Origin {
        self.origin
    }

    /// Iterates over the splices, each with the span that its text takes in the result.
    pub(crate) fn splices_in_result(&self) -> impl Iterator<Item = (&Splice, Span)> {
        let (mut read, mut written) = (0, 0);
        self.splices.iter().map(move |splice| {
            let start = written + splice.span.start() - read;
            (read, written) = (splice.span.end(), start + splice.text.len());
            (splice, Span::new(start, written))
        })
    }

    /// Makes the edit of `doc`, unchecked. Returns also where the structure may differ, as
    /// [`MemoryDoc::with_text`] does.
    pub(super) fn made(&self, doc: &MemoryDoc) -> (MemoryDoc, Vec<Difference>) {
        if self.splices.is_empty() {
            return (doc.clone(), Vec::new());
        }
        doc.with_text(self.apply_to(doc.text()), &self.differences().collect::<Vec<_>>())
    }

    /// Iterates over what is replaced and what is written in its place.
    pub(super) fn differences(&self) -> impl Iterator<Item = Difference> {
        self.splices_in_result().map(|(splice, new)| Difference { old: splice.span, new })
    }

    /// Returns `text` with the splices made; `text` must be that of the base.
    pub(crate) fn apply_to(&self, text: &str) -> String {
        let removed: usize = self.splices.iter().map(|splice| splice.span.len()).sum();
        let added: usize = self.splices.iter().map(|splice| splice.text.len()).sum();
        let mut result = String::with_capacity((text.len() + added).saturating_sub(removed));
        let mut read = 0;
        for splice in &self.splices {
            result.push_str(Span::new(read, splice.span.start()).of(text));
            result.push_str(&splice.text);
            read = splice.span.end();
        }
        result.push_str(Span::new(read.min(text.len()), text.len()).of(text));
        result
    }

    /// Returns an edit that turns `old` into `new`, by whole lines.
    pub fn between(old: &MemoryDoc, new: &MemoryDoc) -> Self {
        let [olds, news] = [old, new].map(|doc| doc.text().split_inclusive('\n').collect::<Vec<_>>());
        let splice = |(gone, come): (Range<usize>, Range<usize>)| {
            Splice::new(old.lines().span(&gone), new.lines().span(&come).of(new.text()), Promise::Whole, 0)
        };
        let splices = differing(&olds, &news).into_iter().map(splice).collect();
        Self::from_sorted(old.revision(), splices, vec![Part::new(PartStatus::Applied)])
    }

    /// Returns the edit that takes the result of `draft` back to the document before it.
    pub(crate) fn inverse(draft: &Draft<'_>) -> Self {
        let splices = draft.edit.splices_in_result();
        let texts = splices.map(|(splice, written)| (written, splice.span.of(draft.old.text())));
        Self::putting(draft.new.revision(), texts).taking_back(Whose::Own)
    }

    /// Returns the edit of a text of this revision that replaces each of these spans, sorted and disjoint, by its
    /// text.
    pub(crate) fn putting<'t>(base: Revision, texts: impl Iterator<Item = (Span, &'t str)>) -> Self {
        let splices = texts.map(|(span, text)| Splice::new(span, text, Promise::Lines, 0)).collect();
        Self::from_sorted(base, splices, vec![Part::new(PartStatus::Applied)])
    }

    /// Marks it as the inversion of a commit of `whose`.
    pub(crate) fn taking_back(self, whose: Whose) -> Self {
        self.with_origin(Origin::Inversion(whose))
    }
}

/// Collects splices in the order of a request, and sorts them into an [`Edit`].
#[derive(Debug)]
pub struct EditBuilder {
    base: Revision,
    splices: Vec<Splice>,
    parts: Vec<Part>,
    /// The index of the part to which the next splices belong.
    part: usize,
    /// If the last line has no ending: the end of the text, and the ending that the first text written there begins
    /// with.
    completion: Option<(usize, String)>,
}

impl EditBuilder {
    /// Starts an edit of `doc`.
    pub fn new(doc: &MemoryDoc) -> Self {
        Self { base: doc.revision(), splices: Vec::new(), parts: Vec::new(), part: 0, completion: None }
    }

    /// Begins the next part of the request; the splices that follow belong to it.
    pub fn part(&mut self, part: Part) -> &mut Self {
        self.part = self.parts.len();
        self.parts.push(part);
        self
    }

    /// Goes on with the part of this index; the splices that follow belong to it.
    pub(crate) const fn for_part(&mut self, part: usize) -> &mut Self {
        self.part = part;
        self
    }

    /// Replaces the bytes under `span` by `text`.
    pub fn replace(&mut self, span: Span, text: impl Into<Content>, promise: Promise) -> &mut Self {
        self.splices.push(Splice::new(span, text, promise, self.part));
        self
    }

    /// Notes that the last line, which ends at `at`, has no ending: the first text written there begins with
    /// `ending`.
    pub(super) fn complete_last_line(&mut self, at: usize, ending: &str) {
        self.completion.get_or_insert_with(|| (at, ending.to_owned()));
    }

    /// Sorts the splices.
    ///
    /// # Errors
    ///
    /// Two splices change the same bytes, or one inserts strictly inside of what another removes.
    pub fn finish(self) -> Result<Edit, Overlap> {
        let Self { base, mut splices, parts, completion, .. } = self;
        splices.retain(|splice| !(splice.span.is_empty() && splice.text.is_empty()));
        // Stable, so that insertions at one place keep the request's order; they come before what
        // is removed there.
        splices.sort_by_key(|splice| (splice.span.start(), !splice.span.is_empty()));
        // The first text behind the last line completes it; if that line is removed, what comes in its place ends as it
        // did, without an ending.
        let (at, ending) = completion.unwrap_or_default();
        let is_removed = |splice: &Splice| splice.span.end() == at && !splice.span.is_empty() && splice.text.is_empty();
        let is_replaced = splices.iter().any(is_removed);
        let mut behind = splices.iter_mut().filter(|splice| splice.span == Span::at(at) && !ending.is_empty());
        if !is_replaced && let Some(first) = behind.next() {
            first.text = [&*ending, &*first.text].concat().into();
        } else if let Some(last) = behind.last()
            && let Some(text) = last.text.strip_suffix(&*ending)
        {
            last.text = text.to_owned().into();
        }
        for pair in splices.windows(2) {
            if let [a, b] = pair
                && b.span.start() < a.span.end()
            {
                let span = Span::new(b.span.start(), a.span.end().min(b.span.end()));
                return Err(Overlap { first: a.part.min(b.part), second: a.part.max(b.part), span });
            }
        }
        Ok(Edit::from_sorted(base, splices, parts))
    }
}

/// Returns what `edit`, planned on `doc`, makes of it, unchecked.
pub(crate) fn made(doc: &MemoryDoc, edit: &Edit) -> MemoryDoc {
    edit.made(doc).0
}

/// One part of a request, as planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[must_use]
pub struct Part {
    /// Whether it changes anything.
    pub status: PartStatus,
    /// The leniencies that it took to find its place.
    pub healed: Vec<Leniency>,
    /// What the editor should know.
    pub warnings: Vec<Warning>,
    /// The ID of the block that it made, if the request left that open.
    pub made_block: Option<Content>,
}

impl Part {
    /// Creates a part without healing and warnings.
    pub const fn new(status: PartStatus) -> Self {
        Self { status, healed: Vec::new(), warnings: Vec::new(), made_block: None }
    }

    /// Adds the leniencies that were needed.
    pub fn with_healed(mut self, healed: Vec<Leniency>) -> Self {
        self.healed.extend(healed);
        self
    }

    /// Adds what the editor should know.
    pub fn with_warnings(mut self, warnings: impl IntoIterator<Item = Warning>) -> Self {
        self.warnings.extend(warnings);
        self
    }
}

names! {
    /// Whether a part changes anything.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PartStatus {
        /// It changes the text.
        Applied = "applied",
        /// The wanted state is already there.
        AlreadyApplied = "already_applied",
        /// It asks for no change.
        NoChange = "no_change",
    }
}

/// Something that the editor should know, though nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Warning {
    /// The stable code.
    pub code: &'static str,
    /// What the editor should know.
    pub message: Content,
    /// The lines, from 1, that it is about, if it is about some.
    pub lines: Vec<usize>,
}

impl Warning {
    pub(crate) fn new(code: &'static str, message: impl Into<Content>) -> Self {
        Self { code, message: message.into(), lines: Vec::new() }
    }

    /// Says which lines it is about.
    pub(crate) fn about(self, lines: Vec<usize>) -> Self {
        Self { lines, ..self }
    }

    /// The document had changed, and the edit was merged with that.
    pub(crate) fn rebased() -> Self {
        Self::new("rebased", "the document had changed since you saw it; the edit was made where you meant it")
    }
}

/// Names lines by their numbers, ten at most.
pub(crate) fn named_lines(lines: &[usize]) -> String {
    let numbers = lines.iter().take(10).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let more = if lines.len() > 10 { ", …" } else { "" };
    format!("{} {numbers}{more}", if lines.len() == 1 { "line" } else { "lines" })
}
