//! What becomes of pending changes when the text below them changes: one of them goes, or others have changed the document.

use super::staged::Staged;
use super::way::{Below, Place, Way};
use super::{Letter, PendingChange, Session, SessionError};
use crate::document::MemoryDoc;
use crate::edit::{Edit, composed};
use crate::memory::{DocName, MemoryError};
use crate::request::{Basis, Known, Request as _, View, accepted};
use crate::text::{Span, Timestamp, sort};

impl Session {
    /// Takes a change out again. What came after it is planned anew, and stays where its bytes do not touch those of the change.
    ///
    /// # Errors
    ///
    /// There is no such change; a later one builds on it, or is refused without it. The session is as before.
    pub fn unstage(&mut self, letter: Letter) -> Result<PendingChange, SessionError> {
        let at = self.changes.iter().position(|change| change.letter == letter);
        let unknown = SessionError::UnknownChange { letter };
        let Some((at, change)) = at.and_then(|at| Some((at, self.changes.get(at)?.clone()))) else {
            return Err(unknown);
        };
        let document = &change.document;
        let Some(known) = self.known(document) else { return Err(unknown) };
        let earlier = self.of(document).take_while(|other| other.letter < letter);
        let with = known.after(earlier.map(|other| &other.edit));
        let draft = with.believed().draft(&change.edit, self.authority);
        let draft = draft.map_err(|error| MemoryError::Edit { document: document.clone(), error })?;
        let (plan, without) = (Edit::inverse(&draft), with.after([&change.edit]));
        let later: Vec<_> = self.of(document).filter(|other| other.letter > letter).collect();
        let mut way = Way::new(self.authority, Below::TakenBack, Place { plan, without, with });
        way.go(self, &later).map_err(|blocked| blocked.without(letter))?;
        let letters: Vec<_> = later.iter().map(|other| other.letter).collect();
        self.replace_edits(&letters, way.edits().cloned());
        Ok(self.changes.remove(at))
    }

    /// Returns the order in which changes can be taken out, with those that build on them before them.
    pub(crate) fn way_out(&self, letters: &[Letter]) -> Vec<Letter> {
        let (mut session, mut out) = (self.clone(), Vec::new());
        letters.iter().rev().for_each(|letter| session.leave_out(*letter, &mut out));
        out
    }

    /// Puts other edits in the place of those of these changes.
    pub(super) fn replace_edits(&mut self, letters: &[Letter], edits: impl IntoIterator<Item = Edit>) {
        for (letter, edit) in letters.iter().zip(edits) {
            if let Some(change) = self.changes.iter_mut().find(|change| change.letter == *letter) {
                change.edit = edit;
            }
        }
    }

    /// Returns the session as it would stand on the current text of a document, without the changes that have no place there, and
    /// the letters of those.
    pub fn on(&self, document: &DocName, current: &MemoryDoc, now: Timestamp) -> (Self, Vec<Letter>) {
        let mut left_out = Vec::new();
        let mut session = self.clone();
        while let Err(error) = session.carry_to(document, current, now) {
            let mut letters = session.conflicts(&error);
            if letters.is_empty() {
                // It cannot be told which it is.
                letters.extend(session.of(document).map(PendingChange::letter));
            }
            letters.into_iter().for_each(|letter| session.leave_out(letter, &mut left_out));
        }
        sort(&mut left_out);
        (session, left_out)
    }

    /// Takes a change out, and all that builds on it.
    fn leave_out(&mut self, letter: Letter, left_out: &mut Vec<Letter>) {
        while let Some(by) = self.unstage(letter).err().and_then(|error| error.later()) {
            self.leave_out(by, left_out);
        }
        // It has gone already with one that it builds on, or it goes now.
        self.changes.retain(|change| change.letter != letter);
        if !left_out.contains(&letter) {
            left_out.push(letter);
        }
    }

    /// Carries the changes of a document over to its current text: each is planned anew, and must stand among the same text.
    ///
    /// # Errors
    ///
    /// A change has no such place any more, or several; the session is as before.
    pub fn carry_to(&mut self, document: &DocName, current: &MemoryDoc, now: Timestamp) -> Result<(), MemoryError> {
        let Some(known) = self.documents.get(document) else { return Ok(()) };
        let basis = Basis::Known(known);
        let view = View::new(current, &basis, now);
        if !view.is_stale() {
            return Ok(());
        }
        let staged = Staged::of(self, document, known.believed());
        let not_rebased =
            |error| MemoryError::NotRebased { document: document.clone(), error, current: current.clone() };
        let seen = composed(known.believed(), staged.changes.iter().map(|change| &change.edit));
        let edits = staged.each(&view);
        let planned = edits.as_ref().map(|edits| composed(current, edits)).map_err(Clone::clone);
        accepted(seen, planned, staged.is_placed_by_index(), &view).map_err(not_rebased)?;
        let edits = edits.map_err(not_rebased)?;
        let letters: Vec<_> = staged.changes.iter().map(|change| change.letter).collect();
        self.replace_edits(&letters, edits);
        self.documents.insert(document.clone(), Known::of(current));
        Ok(())
    }
}

/// Returns where a span stands after an edit that does not touch it.
pub(super) fn carried(span: Span, edit: &Edit) -> Option<Span> {
    let (mut added, mut removed) = (0, 0);
    for splice in edit.splices() {
        if splice.span.start() < span.end() && span.start() < splice.span.end() {
            return None;
        }
        if splice.span.end() > span.start() {
            break;
        }
        added += splice.text.len();
        removed += splice.span.len();
    }
    let at = |offset: usize| (offset + added).saturating_sub(removed);
    Some(Span::new(at(span.start()), at(span.end())))
}

/// Returns where a span of what an edit makes has stood before the edit, which does not touch it.
pub(super) fn carried_back(span: Span, edit: &Edit) -> Option<Span> {
    let (mut added, mut removed) = (0, 0);
    for splice in edit.splices() {
        let start = (splice.span.start() + added).saturating_sub(removed);
        let end = start + splice.text.len();
        if start < span.end() && span.start() < end {
            return None;
        }
        if end > span.start() {
            break;
        }
        added += splice.text.len();
        removed += splice.span.len();
    }
    let at = |offset: usize| (offset + removed).saturating_sub(added);
    Some(Span::new(at(span.start()), at(span.end())))
}
