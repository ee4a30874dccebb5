//! [`Edit`]: sorted, disjoint splices of the text of one revision; and [`EditBuilder`], which collects them in the
//! order of a request.

use serde::Serialize;
use thiserror::Error;

use super::Draft;
use crate::document::MemoryDoc;
use crate::locate::Leniency;
use crate::text::{ChangedRange, Content, Difference, Revision, Span, diff_ranges, names};

/// What a splice may do to the structure of a document. The guard checks the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Promise {
    /// Changes text inside one line or inside one bullet, and adds or removes no node.
    Text,
    /// Changes the marker of one bullet, and no other node.
    Marker,
    /// Writes exactly this many bullets and nothing else, and changes no other node.
    Bullets(usize),
    /// Writes any lines, and changes no node that begins outside of them.
    Lines,
    /// As `Lines`, and the lines belong to the line of this index.
    Below(usize),
    /// Writes the text of one note, which may be any Markdown, and changes no node that begins outside of it.
    Note,
    /// Replaces the whole document.
    Whole,
}

/// The replacement of a range of bytes by a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Splice {
    /// The bytes that are removed; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: Content,
    /// What it may do to the structure.
    pub promise: Promise,
    /// The index of the [`Part`] of the request that made it. If that request was joined into a larger one, the index
    /// is still that in the smaller one.
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
    // Invariant: sorted by start; disjoint; insertions at one place are in the order in which they are made.
    splices: Vec<Splice>,
    parts: Vec<Part>,
    pub(super) origin: Origin,
}

/// The origin of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Origin {
    /// A request.
    Request,
    /// The inversion of a commit, for the text that the commit produced. It restores the text before exactly.
    Inversion(Whose),
    /// The inversion of a commit, carried over later edits. It writes old text between new text.
    Carried(Whose),
}

/// Whose commit an inversion undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Whose {
    /// A commit of the editor who undoes it.
    Own,
    /// A commit of somebody else, such as the host.
    Others,
}

impl Origin {
    /// Returns the origin of the same edit after it was carried over other edits.
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

    /// Reports whether a splice removes text and writes none in its place.
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

    /// Replaces the parts.
    pub(crate) fn with_parts(mut self, parts: Vec<Part>) -> Self {
        self.parts = parts;
        self
    }

    /// Reports whether the edit is already applied: a part of it is, and no part changes anything.
    pub(crate) fn is_already_applied(&self) -> bool {
        self.has_part(PartStatus::AlreadyApplied) && !self.has_part(PartStatus::Applied)
    }

    fn has_part(&self, status: PartStatus) -> bool {
        self.parts.iter().any(|part| part.status == status)
    }

    /// Joins all parts, with their leniencies and warnings, into one. It is used if the edit becomes one part of a
    /// larger request. If some parts change something and others were already applied, an `already_applied` part is
    /// added.
    pub(crate) fn into_one_part(mut self) -> Self {
        let statuses = self.parts.iter().map(|part| part.status);
        // The status of the whole: `Applied` before `AlreadyApplied` before `NoChange`.
        let status = statuses.min_by_key(|status| *status as u8).unwrap_or(PartStatus::NoChange);
        let healed = self.parts.iter().flat_map(|part| part.healed.iter().copied()).collect();
        let warnings = self.parts.iter().flat_map(|part| part.warnings.iter().cloned());
        let part = Part::new(status).with_healed(healed).with_warnings(warnings);
        let is_mixed = status == PartStatus::Applied && self.has_part(PartStatus::AlreadyApplied);
        self.parts = vec![part];
        self.parts.extend(is_mixed.then(|| Part::new(PartStatus::AlreadyApplied)));
        self
    }

    /// Iterates over the splices, each with the span of its text in the result.
    pub(crate) fn splices_in_result(&self) -> impl Iterator<Item = (&Splice, Span)> {
        let (mut read, mut written) = (0, 0);
        self.splices.iter().map(move |splice| {
            let start = written + splice.span.start() - read;
            (read, written) = (splice.span.end(), start + splice.text.len());
            (splice, Span::new(start, written))
        })
    }

    /// Returns the document after the edit, which was planned on `doc`. Nothing is checked.
    pub(crate) fn result(&self, doc: &MemoryDoc) -> MemoryDoc {
        self.parsed_result(doc).0
    }

    /// Returns the [result](Self::result), and the parts that were parsed again, as [`MemoryDoc::with_text`] does.
    pub(super) fn parsed_result(&self, doc: &MemoryDoc) -> (MemoryDoc, Vec<Difference>) {
        if self.splices.is_empty() {
            return (doc.clone(), Vec::new());
        }
        doc.with_text(self.apply_to(doc.text()), &self.differences().collect::<Vec<_>>())
    }

    /// Iterates over the replaced spans, each with the span of the new text.
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
        // A BOM that both texts begin with belongs to no line: the line behind it may move or go.
        let bom = old.line_start(0).min(new.line_start(0));
        let below = |span: Span| Span::new(span.start().max(bom), span.end().max(bom));
        let [olds, news] = [old, new].map(|doc| Vec::from_iter(below(doc.span()).of(doc.text()).split_inclusive('\n')));
        let splice = |ChangedRange { old: removed, new: written }| {
            let written = below(new.lines().span(&written)).of(new.text());
            Splice::new(below(old.lines().span(&removed)), written, Promise::Whole, 0)
        };
        let splices = diff_ranges(&olds, &news).into_iter().map(splice).collect();
        Self::from_sorted(old.revision(), splices, vec![Part::new(PartStatus::Applied)])
    }

    /// Returns the edit that turns the result of `draft` back into the document before it.
    pub(crate) fn inverse(draft: &Draft<'_>) -> Self {
        let splices = draft.edit.splices_in_result();
        let texts = splices.map(|(splice, written)| (written, splice.span.of(draft.old.text())));
        Self::of_replacements(draft.new.revision(), texts).into_inversion(Whose::Own)
    }

    /// Returns the edit of the text of revision `base` that replaces each of these spans by its text. The spans are
    /// sorted and disjoint.
    pub(crate) fn of_replacements<'t>(base: Revision, texts: impl Iterator<Item = (Span, &'t str)>) -> Self {
        let splices = texts.map(|(span, text)| Splice::new(span, text, Promise::Lines, 0)).collect();
        Self::from_sorted(base, splices, vec![Part::new(PartStatus::Applied)])
    }

    /// Marks the edit as the inversion of a commit.
    pub(crate) fn into_inversion(self, whose: Whose) -> Self {
        Self { origin: Origin::Inversion(whose), ..self }
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
    /// If the last line has no ending: the end of the text, and the ending that must come first in text written there.
    pub(super) completion: Option<(usize, String)>,
}

impl EditBuilder {
    /// Starts an edit of `doc`.
    pub fn new(doc: &MemoryDoc) -> Self {
        Self { base: doc.revision(), splices: Vec::new(), parts: Vec::new(), part: 0, completion: None }
    }

    /// Begins the next part of the request, to which the following splices belong.
    pub fn part(&mut self, part: Part) -> &mut Self {
        self.part = self.parts.len();
        self.parts.push(part);
        self
    }

    /// Selects the part with this index, to which the following splices belong.
    pub(crate) const fn for_part(&mut self, part: usize) -> &mut Self {
        self.part = part;
        self
    }

    /// Replaces the bytes under `span` by `text`.
    pub fn replace(&mut self, span: Span, text: impl Into<Content>, promise: Promise) -> &mut Self {
        self.splices.push(Splice::new(span, text, promise, self.part));
        self
    }

    /// Sorts the splices and returns the edit.
    ///
    /// # Errors
    ///
    /// Two splices change the same bytes, or one inserts inside a span that another removes.
    pub fn finish(self) -> Result<Edit, Overlap> {
        let Self { base, mut splices, parts, completion, .. } = self;
        splices.retain(|splice| !(splice.span.is_empty() && splice.text.is_empty()));
        // The sort is stable: insertions at one place keep the order of the request. They come before a removal there.
        splices.sort_by_key(|splice| (splice.span.start(), !splice.span.is_empty()));
        // The first text after the last line begins with the ending that this line lacks. But if the last line is
        // removed, the text in its place loses its last ending instead, so that the document still ends without one.
        let (at, ending) = completion.unwrap_or_default();
        let is_removed = |splice: &Splice| splice.span.end() == at && !splice.span.is_empty() && splice.text.is_empty();
        let is_replaced = splices.iter().any(is_removed);
        let mut at_end = splices.iter_mut().filter(|splice| splice.span == Span::at(at) && !ending.is_empty());
        if !is_replaced && let Some(first) = at_end.next() {
            first.text = [&*ending, &*first.text].concat().into();
        } else if let Some(last) = at_end.last()
            && let Some(text) = last.text.strip_suffix(&*ending)
        {
            last.text = text.to_owned().into();
        }
        let mut pairs = splices.iter().zip(splices.iter().skip(1));
        if let Some((a, b)) = pairs.find(|(a, b)| b.span.start() < a.span.end()) {
            let span = Span::new(b.span.start(), a.span.end().min(b.span.end()));
            return Err(Overlap { first: a.part.min(b.part), second: a.part.max(b.part), span });
        }
        Ok(Edit::from_sorted(base, splices, parts))
    }
}

/// The plan of one part of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[must_use]
pub struct Part {
    /// Whether it changes anything.
    pub status: PartStatus,
    /// The leniencies that it took to find its place.
    pub healed: Vec<Leniency>,
    /// Warnings for the editor.
    pub warnings: Vec<Warning>,
    /// The ID of the block that it created, if the request gave no ID.
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

    /// Adds warnings.
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
        /// The text is already as the part asks for.
        AlreadyApplied = "already_applied",
        /// The part asks for no change.
        NoChange = "no_change",
    }
}

/// Something that the editor should know, though nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Warning {
    /// The stable code.
    pub code: &'static str,
    /// The message.
    pub message: Content,
    /// The numbers, from 1, of the lines that it is about, if there are some.
    pub lines: Vec<usize>,
}

impl Warning {
    pub(crate) fn new(code: &'static str, message: impl Into<Content>) -> Self {
        Self { code, message: message.into(), lines: Vec::new() }
    }

    /// Sets the lines that it is about.
    pub(crate) fn about(self, lines: Vec<usize>) -> Self {
        Self { lines, ..self }
    }

    /// Creates the warning that the document had changed and the edit was merged with the change.
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
