//! `replace_in_memory`: replaces exactly this text, exactly as often as expected.
//!
//! The old and the new text are compared line by line, and only lines that differ are written: context that a model
//! copies is never rewritten. If whole lines are replaced by nothing, the ending of the last one is removed too. If all
//! of a bullet's text is replaced by nothing, the bullet is removed.

mod change;

use super::{Argument, Refusal, Request, RequestError, View};
use crate::document::{ContextGuard, ItemText, MemoryDoc, bullet_line, heading, is_ordered};
use crate::edit::compose::with_numbering;
use crate::edit::guard::check_growth;
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise};
use crate::locate::{
    Code, Diagnostic, Fix, Found, Leniency, LocateError, Matches, Names, Reason, Scope, Selector, Target, TextMatch,
    TextSearch,
};
use crate::text::{Content, Line, Revision, Span, excerpt, is_blank, is_whole_words, visible};

use change::replaced;

/// Replaces a literal text by another.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Replace, Request, Timestamp, View};
///
/// let doc = MemoryDoc::parse("- Ann likes tea\n- Bob likes tea\n");
/// let view = View::current(&doc, Timestamp::default());
/// let edit = Replace::new("Ann likes tea", "Ann likes milk").plan(&view)?;
/// assert_eq!(doc.commit(&edit, Authority::Agent)?.doc.text(), "- Ann likes milk\n- Bob likes tea\n");
///
/// let refused = Replace::new("likes tea", "likes milk").plan(&view).unwrap_err();
/// assert_eq!(refused.code(), "count_mismatch"); // two places have this text
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replace {
    /// The text to be found, exactly.
    pub old: Content,
    /// If it is set, everything from the start of `old` to the end of the next occurrence of this text is replaced. Both
    /// texts must match exactly.
    pub until: Option<Content>,
    /// The text to put there, literally.
    pub new: Content,
    /// How often the text must occur; `None` for any number of times, but at least once. Default: once.
    pub expected: Option<usize>,
    /// The section to look in, by title or path.
    pub section: Option<Content>,
    /// The block to look in, by ID; inside of the section, if one is named.
    pub block: Option<Content>,
    /// A text that occurs once in the section or block: only the text behind it is searched.
    pub after: Option<Content>,
    /// Which of several places is meant, if one is expected.
    pub place: Option<Place>,
    /// Whether occurrences inside of longer words and numbers are ignored; otherwise they are refused.
    pub whole_words: bool,
}

/// One of several places of a text, chosen from those that were shown. It is valid only for that revision of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    shown: Revision,
    span: Span,
}

impl Place {
    /// Creates the place at `span`.
    pub fn of(doc: &MemoryDoc, span: Span) -> Self {
        Self { shown: doc.revision(), span }
    }
}

impl Replace {
    /// Replaces the one occurrence of `old`.
    pub fn new(old: impl Into<Content>, new: impl Into<Content>) -> Self {
        let (old, new, expected, whole_words) = (old.into(), new.into(), Some(1), false);
        let (until, section, block, after, place) = (None, None, None, None, None);
        Self { old, until, new, expected, section, block, after, place, whole_words }
    }

    /// Returns true if both look for the same text in the same way, whatever the new text is.
    pub(crate) fn seeks_same(&self, other: &Self) -> bool {
        *self == Self { new: self.new.clone(), ..other.clone() }
    }

    /// Returns the places that may be meant, in document order, without those inside of longer words and numbers.
    ///
    /// # Errors
    ///
    /// There is no such place; two places overlap; or the text `after` does not occur exactly once.
    pub fn matches(&self, doc: &MemoryDoc) -> Result<Matches, RequestError> {
        match self.occurrences(doc) {
            Ok(found) => Ok(Matches::new(doc, found.at.spans)),
            Err(Refusal::CountMismatch { matches, inside_words, .. }) if inside_words < matches.len() => {
                let whole = matches.spans().iter().copied().filter(|span| is_whole_words(doc.text(), *span));
                let mut whole = Matches::new(doc, whole.collect());
                whole.inside_words = inside_words;
                Ok(whole)
            }
            Err(refusal) => Err(refusal.into()),
        }
    }

    /// Finds the occurrences that are meant, with the leniencies that were needed to find the scope.
    fn occurrences(&self, doc: &MemoryDoc) -> Result<Found<TextMatch>, Refusal> {
        if self.old.is_empty() || self.until.as_ref().is_some_and(|end| end.is_empty()) {
            return Err(Refusal::invalid(Argument::OldText, "the text to be replaced", "an empty text"));
        }
        if self.expected == Some(0) {
            return Err(Refusal::invalid(Argument::Count, "a number of at least 1", "0"));
        }
        let within = Selector { section: self.section.clone(), block: self.block.clone(), ..Selector::default() };
        let mut scope = within.scope(&Names::new(doc), Scope::Document)?;
        let mut owned_end = None;
        if let Some(text) = &self.after {
            let anchor = anchor(doc, text, scope.at)?.with_earlier(scope.healed);
            let last = Line::holding(doc.text(), anchor.at.end().saturating_sub(1)).full.start();
            owned_end = Some(Scope::of_line(doc, last).span(doc).end());
            let part = Span::new(anchor.at.end(), scope.at.span(doc).end());
            scope = Found { at: Scope::From(part), healed: anchor.healed };
        }
        Ok(Found { at: self.find(doc, scope.at, owned_end)?, healed: scope.healed })
    }

    /// Finds the text in a scope. `owned_end` is set if `after` is: it is the end of the bullet, section or block that the
    /// last line of `after` begins.
    fn find(&self, doc: &MemoryDoc, scope: Scope<'_>, owned_end: Option<usize>) -> Result<TextMatch, Refusal> {
        let search = TextSearch::new(doc, scope, &self.old, &self.new);
        let heals = self.expected == Some(1) && self.until.is_none();
        let mut found = if heals { search.found() } else { search.exact() };
        // Overlaps are looked for before `until` extends the spans: extended spans may share their end.
        let is_overlapping = Matches::new(doc, found.spans.clone()).is_overlapping();
        if let Some(end) = self.until.as_ref().filter(|_| !found.spans.is_empty()) {
            found.spans = self.ranges_to(end, doc, scope)?;
        }
        if self.whole_words {
            found.spans.retain(|span| is_whole_words(doc.text(), *span));
        }
        if found.spans.is_empty() {
            return Err(search.not_found().into());
        }
        if is_overlapping {
            let matches = self.offered(doc, &search, found.spans);
            return Err(LocateError::Ambiguous { what: self.target(), matches }.into());
        }
        match self.meant(doc, &found.spans, owned_end) {
            Some(spans) => Ok(TextMatch { spans, ..found }),
            None => Err(self.count_mismatch(doc, &search, found)),
        }
    }

    /// Returns the places that are meant: the chosen one, or all if there are as many as expected, or the only one before
    /// `owned_end`. `None` if there are none of these, or if a place is inside of a longer word.
    fn meant(&self, doc: &MemoryDoc, places: &[Span], owned_end: Option<usize>) -> Option<Vec<Span>> {
        let only = |span: &Span| vec![*span];
        if let Some(chosen) = self.place {
            return places.iter().find(|span| Place::of(doc, **span) == chosen).map(only);
        }
        if !places.iter().all(|span| is_whole_words(doc.text(), *span)) {
            return None;
        }
        if self.expected.is_none_or(|expected| expected == places.len()) {
            return Some(places.to_vec());
        }
        let mut owned = places.iter().filter(|span| owned_end.is_some_and(|end| span.end() <= end));
        owned.next().filter(|_| owned.next().is_none()).map(only)
    }

    /// The refusal of a text that occurs another number of times than expected, or inside of longer words.
    fn count_mismatch(&self, doc: &MemoryDoc, search: &TextSearch<'_>, found: TextMatch) -> Refusal {
        let (is_healed, count) = (!found.healed.is_empty(), found.spans.len());
        let whole = found.spans.iter().filter(|span| is_whole_words(doc.text(), **span)).count();
        let is_free = found.spans.iter().all(|span| doc.reserved_section_at(span.start()).is_none());
        let fix = match count - whole {
            0 => (!is_healed).then_some(Fix::Expect(count)),
            _ => (whole > 0 && self.expected.is_none_or(|expected| expected == whole)).then_some(Fix::WholeWords),
        };
        let fix = fix.filter(|_| is_free && self.until.is_none()).map(Box::new);
        let (what, matches) = (self.target(), self.offered(doc, search, found.spans));
        Refusal::CountMismatch { what, expected: self.expected, inside_words: count - whole, matches, fix }
    }

    /// Returns the places with the change of the request that selects each.
    fn offered(&self, doc: &MemoryDoc, search: &TextSearch<'_>, places: Vec<Span>) -> Box<Matches> {
        let mut matches = Box::new(Matches::new(doc, places));
        matches.offer(|span, matches| {
            let choice = search.choice(span, matches).filter(|_| self.until.is_none())?;
            Some(if self.expected == Some(1) { choice } else { Fix::Once(Box::new(choice)) })
        });
        matches
    }

    fn target(&self) -> Target {
        let end = self.until.as_ref().map(|end| format!("{} … {end}", self.old).into());
        Target::Text(end.unwrap_or_else(|| self.old.clone()))
    }

    /// Returns the spans from each occurrence of `old` to the next occurrence of `end` after it.
    fn ranges_to(&self, end: &Content, doc: &MemoryDoc, scope: Scope<'_>) -> Result<Vec<Span>, LocateError> {
        let ranges = Matches::of_range(doc, scope.span(doc), &self.old, end);
        if !ranges.is_empty() {
            return Ok(ranges.spans().to_vec());
        }
        let ends = TextSearch::new(doc, scope, end, "");
        let Some(at) = ends.exact().spans.first().copied() else { return Err(ends.not_found()) };
        let why = Reason::at(doc.line_number(at.start()), "but not behind the start");
        Err(LocateError::not_found(Target::Text(end.clone()), Diagnostic::because(why)))
    }

    /// Refuses an `old` text with fewer lines of context than the policy requires.
    fn check_context(&self, doc: &MemoryDoc, span: Span) -> Result<(), Refusal> {
        // An editor that chose from the places that were shown needs no more context.
        let (None, ContextGuard::Lines(wanted)) = (self.place, doc.policy().context_guard()) else { return Ok(()) };
        let full = self.old.split('\n').filter(|line| !is_blank(line)).count();
        let has_heading = self.old.split('\n').any(|line| heading(line).is_some());
        let line = Line::holding(doc.text(), span.start()).text;
        let is_scoped = self.section.is_some() || self.block.is_some();
        let is_whole_line = is_scoped && line.start() == span.start() && line.end() <= span.end();
        if full >= wanted || (has_heading && full >= 3) || is_whole_line {
            return Ok(());
        }
        let enough =
            format!("at least {wanted} lines, or a heading and two neighbors, or a whole line with its section named");
        Err(Refusal::too_thin(&format!("this memory asks for {enough}")))
    }

    /// Refuses a new text that begins with a marker, `- ` or `## `, behind that of the line, which would have two.
    fn check_marker(&self, doc: &MemoryDoc, span: Span) -> Result<(), Refusal> {
        let line = doc.line_start(doc.line_index(span.start()));
        let before = Span::new(line, span.start()).of(doc.text()).trim();
        let [old, new] = [&self.old, &self.new].map(|text| Line::starting_at(text, 0).text.of(text));
        let (item, title) = (bullet_line(before), heading(before).map(|heading| heading.title));
        let behind_marker = item.map_or(title, |item| Some(ItemText::of(item.rest).content));
        // A number is a marker only if it is that of the bullet; any other is text.
        let has_marker = |text| match item {
            Some(own) => bullet_line(text).is_some_and(|it| !is_ordered(it.marker) || it.marker == own.marker),
            None => heading(text).is_some(),
        };
        if behind_marker != Some("") || !has_marker(new) || has_marker(old) || doc.outline().is_code(line) {
            return Ok(());
        }
        let whole = visible(&excerpt(&format!("{before} {old}"), 80));
        let message = format!("the new text has a marker, and the line has one already: `{whole}`");
        // Else more would change than was named: another marker, a checkbox, or only some of several places.
        let is_same = self.expected == Some(1) && self.new.starts_with(&format!("{before} "));
        let fix = is_same.then(|| Box::new(Fix::CopyText(format!("{before} {}", self.old).into())));
        Err(Refusal::Impossible { code: Code::InvalidText, message: message.into(), fix })
    }
}

impl Request for Replace {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let doc = view.doc;
        let Found { at: found, healed } = self.occurrences(doc)?;
        if let ([only], Some(1), None) = (found.spans.as_slice(), self.expected, &self.until) {
            self.check_context(doc, *only)?;
        }
        // The document grows only by the bytes that each new text is longer than the old one.
        let longer = self.new.len().saturating_sub(self.old.len());
        check_growth(doc, longer.saturating_mul(found.spans.len()))?;
        let healed = [&*healed, &*found.healed].concat();
        let mut edit = EditBuilder::new(doc);
        for span in found.spans.iter().copied() {
            self.check_marker(doc, span)?;
            let old = if self.until.is_some() { span.of(doc.text()) } else { &found.old };
            let Found { at: splices, healed: emptied } = replaced(doc, span, old, &found.new);
            let status = if splices.is_empty() { PartStatus::NoChange } else { PartStatus::Applied };
            // `old` ends in a line break, but matched the end of the document, where there is none.
            let is_unended = found.healed.is_empty() && old.ends_with('\n') && !span.of(doc.text()).ends_with('\n');
            let unended = is_unended.then_some(Leniency::LineEndings);
            let healed = healed.iter().copied().chain(unended).chain(emptied).collect();
            edit.part(Part::new(status).with_healed(healed));
            for (span, text) in splices {
                edit.replace(span, text, Promise::Lines);
            }
        }
        let edit = edit.finish().map_err(|overlap| RequestError::of(0, overlap))?;
        Ok(with_numbering(doc, edit))
    }
}

/// Finds the one occurrence of the text `after` in a scope.
fn anchor(doc: &MemoryDoc, text: &str, scope: Scope<'_>) -> Result<Found<Span>, LocateError> {
    let (search, names) = (TextSearch::new(doc, scope, text, ""), Names::new(doc));
    let TextMatch { spans, healed, .. } = search.found();
    let found = names.only(Target::Anchor(text.into()), Found { at: spans, healed }, |span| *span, |_| None);
    names.helped(found, || Diagnostic { fix: None, ..search.not_found().help().cloned().unwrap_or_default() })
}
