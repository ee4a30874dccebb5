//! [`Candidates`]: the places where a text occurs in a draft, each with a letter.

use super::{Letter, PendingChange, Session};
use crate::document::{BulletRef, MemoryDoc};
use crate::edit::OffsetMap;
use crate::locate::{Candidate, Matches};
use crate::memory::DocName;
use crate::request::{Place, Replace, Request as _, RequestError, View};
use crate::session::staging::check;
use crate::text::{Content, Span, Timestamp, excerpt, is_whole_words, visible};

/// How many places that a change wrote are compared with the candidates.
const COMPARED: usize = 64;
/// The length of a context line, in characters.
const CONTEXT: usize = 80;

/// The places where a text occurs, with the letters under which they were shown.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Candidates {
    /// The document.
    pub document: DocName,
    /// What was sought.
    pub sought: Replace,
    matches: Matches,
    /// The draft in which they were found.
    draft: MemoryDoc,
    /// The index of the recommended place, and the pending change that is nearest to it.
    recommended: Option<(usize, Letter)>,
}

/// A candidate as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shown {
    /// Letter, line, section, key and excerpt.
    pub candidate: Candidate,
    /// The label above it, else the line of its block, else its heading.
    pub context: Option<Content>,
    /// If it is recommended, the pending change nearest to it.
    pub nearest_to: Option<Letter>,
    /// Whether the new text may stand there: if not, the replacement of this candidate is refused.
    pub can_be_replaced: bool,
}

impl Session {
    /// Finds the places of a text in a draft, gives them letters, and recommends the place nearest to a pending change.
    ///
    /// # Errors
    ///
    /// The text does not occur, or its occurrences overlap.
    pub fn candidates(&self, document: &DocName, sought: &Replace) -> Result<Candidates, RequestError> {
        let draft = self.draft(document).cloned().unwrap_or_else(|| MemoryDoc::parse(""));
        let matches = sought.matches(&draft)?;
        let recommended = self.recommended(document, sought, &matches);
        Ok(Candidates { document: document.clone(), sought: sought.clone(), matches, draft, recommended })
    }

    fn recommended(&self, document: &DocName, sought: &Replace, matches: &Matches) -> Option<(usize, Letter)> {
        let draft = self.draft(document).filter(|_| matches.len() > 1)?;
        let of_change = |(letter, spans): (Letter, Vec<Span>)| spans.into_iter().map(move |span| (letter, span));
        let changed: Vec<_> = self.places(document, COMPARED).flat_map(of_change).collect();
        // Text that a pending change wrote is finished.
        let is_finished = |one: Span| changed.iter().any(|(_, span)| one.overlaps(*span));
        let lettered = matches.spans().iter().take(Letter::COUNT).enumerate().filter(|(_, one)| !is_finished(**one));
        let nearest = |(nth, one): (usize, &Span)| {
            let near = changed.iter().map(|(letter, span)| (distance(*one, *span), *letter)).min();
            near.map(|(distance, letter)| (distance, nth, letter))
        };
        let mut near: Vec<_> = lettered.filter_map(nearest).collect();
        near.sort_unstable();
        let may_stand =
            |nth: usize| matches.spans().get(nth).is_some_and(|one| can_be_replaced(draft, document, sought, *one));
        near.into_iter().find(|(_, nth, _)| may_stand(*nth)).map(|(_, nth, letter)| (nth, letter))
    }
}

/// Returns true if the replacement of the text at `span` would be accepted.
fn can_be_replaced(draft: &MemoryDoc, document: &DocName, sought: &Replace, span: Span) -> bool {
    let replace = Replace { place: Some(Place::of(draft, span)), ..sought.clone() };
    let edit = replace.plan(&View::current(draft, Timestamp::default()));
    edit.is_ok_and(|edit| check(document, draft, &edit.into_one_part()).is_ok())
}

/// Returns the number of bytes between two spans.
const fn distance(a: Span, b: Span) -> usize {
    if a.start() >= b.end() { a.start() - b.end() } else { b.start().saturating_sub(a.end()) }
}

impl Candidates {
    /// Returns the number of places.
    pub fn count(&self) -> usize {
        self.matches.len()
    }

    /// Returns the number of occurrences inside longer words and numbers, which are no candidates.
    pub(crate) fn inside_words(&self) -> usize {
        self.matches.inside_words
    }

    /// Drops the recommendation.
    #[must_use]
    pub fn unrecommended(mut self) -> Self {
        self.recommended = None;
        self
    }

    /// Returns the first `most` candidates, 26 at most, as they are shown.
    pub fn shown(&self, most: usize) -> Vec<Shown> {
        let draft = &self.draft;
        let shown = |(nth, candidate): (usize, Candidate)| {
            let nearest_to = self.recommended.filter(|(best, _)| *best == nth).map(|(_, letter)| letter);
            let candidate = Candidate { is_recommended: nearest_to.is_some(), ..candidate };
            let can_be_replaced = can_be_replaced(draft, &self.document, &self.sought, candidate.span);
            Shown { context: context(draft, candidate.span), candidate, nearest_to, can_be_replaced }
        };
        self.matches.first_candidates(most).into_iter().enumerate().map(shown).collect()
    }

    /// Returns the letter of the recommended candidate.
    pub fn recommended(&self) -> Option<Letter> {
        Letter::nth(self.recommended?.0)
    }

    /// Returns where the candidate with this letter is in the current draft of `session`. `None` if a later change
    /// touched it or made it part of a longer word, or if the draft that was shown exists no more, as after unstaging.
    pub fn place(&self, letter: Letter, session: &Session) -> Option<Place> {
        let shown = *self.matches.spans().get(letter.index())?;
        let base = session.base(&self.document)?;
        let drafts = [base].into_iter().chain(session.of(&self.document).map(|change| &change.after));
        let nth = drafts.clone().position(|draft| draft.revision() == self.draft.revision())?;
        let since = session.of(&self.document).skip(nth);
        let (span, draft) = (since.into_iter().try_fold(shown, unchanged)?, drafts.last()?);
        is_whole_words(draft.text(), span).then(|| Place::of(draft, span))
    }
}

/// Returns the span after a change; `None` if its text has changed.
fn unchanged(span: Span, change: &PendingChange) -> Option<Span> {
    let (map, text) = (OffsetMap::of(&change.edit), span.of(change.before.text()));
    let start = map.survivor(span.start())?;
    let moved = Span::new(start, start + span.len());
    let is_whole = map.survivor(span.end().checked_sub(1)?).is_some();
    (is_whole && change.after.text().get(moved.range()) == Some(text)).then_some(moved)
}

/// Returns the context of a place: the label above it, else the line of its block, else its heading.
fn context(doc: &MemoryDoc, span: Span) -> Option<Content> {
    let at = span.start();
    let label = doc.bullet_at(at).and_then(BulletRef::label).map(|label| label.line);
    let block = doc.block_at(at).map(|block| block.line);
    let heading = doc.section_at(at).map(|section| section.line);
    let line = [label, block, heading].into_iter().flatten().find(|line| line.end() <= at)?;
    Some(visible(&excerpt(line.of(doc.text()).trim(), CONTEXT)).into())
}
