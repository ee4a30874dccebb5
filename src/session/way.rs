//! [`Way`]: pending changes are planned anew where the text below them has become another.

use std::sync::Arc;

use super::{Letter, PendingChange, Session, SessionError};
use crate::document::MemoryDoc;
use crate::edit::{Authority, Clash, Edit, Naming, carried_over, displaced, made, passed};
use crate::memory::MemoryError;
use crate::request::{Basis, Known, RequestError, View};
use crate::text::{Span, is_blank};

/// How many pairs of places are looked at for one change; where there are more, it is in the way.
const PAIRS: usize = 1_000_000;
/// How many bytes of white space may stand between places that touch.
const GAP: usize = 64;

/// The way of a session's changes over an edit of the text that they begin with. Each is planned anew on the text with that edit, and
/// must come to something where its bytes are.
pub(super) struct Way {
    authority: Authority,
    below: Below,
    start: Place,
    // Invariant: changes of one session, from the first on, each carried behind those before it.
    carried: Vec<Carried>,
}

/// What edit it is that changes are carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    /// One that their editor makes beside them: what it writes stays where it is put.
    Beside,
    /// One that takes a change back: what stands there again is as if it had always stood there.
    TakenBack,
}

/// A change that was carried.
struct Carried {
    letter: Letter,
    /// As it was.
    edit: Edit,
    /// As it is over the edit below it.
    moved: Edit,
    behind: Place,
}

/// What stands before a change or behind it.
pub(super) struct Place {
    /// The edit below it, as it is made there.
    pub(super) plan: Edit,
    /// The document without that edit, as its editor knows it.
    pub(super) without: Known,
    /// And with it.
    pub(super) with: Known,
}

/// A change that is in the way.
#[derive(Debug)]
pub(super) struct Blocked {
    letter: Letter,
    why: Why,
}

/// Why a change is in the way.
#[derive(Debug)]
enum Why {
    /// It changes the same bytes.
    SameBytes,
    /// It comes to another thing, or is there already.
    Another,
    /// It is refused.
    Refused(Box<MemoryError>),
}

impl Blocked {
    /// Tells it of an edit beside the session.
    pub(super) fn beside(self) -> SessionError {
        let letter = self.letter;
        match self.why {
            Why::SameBytes => SessionError::Overlaps { letter },
            Why::Another | Why::Refused(_) => SessionError::Unsettled { letter },
        }
    }

    /// Tells it of the change `letter`, which is to be taken out.
    pub(super) fn without(self, letter: Letter) -> SessionError {
        let by = self.letter;
        match self.why {
            Why::Refused(error) => SessionError::Needed { letter, by, error: *error },
            Why::SameBytes => SessionError::BuiltOn { letter, by },
            Why::Another => SessionError::StoodOn { letter, by },
        }
    }
}

impl Way {
    pub(super) const fn new(authority: Authority, below: Below, start: Place) -> Self {
        Self { authority, below, start, carried: Vec::new() }
    }

    /// Returns the text that the changes begin with at the end.
    pub(super) const fn start(&self) -> &MemoryDoc {
        self.start.with.believed()
    }

    /// Returns what the changes come to that were carried.
    pub(super) fn edits(&self) -> impl Iterator<Item = &Edit> {
        self.carried.iter().map(|carried| &carried.moved)
    }

    /// Reports whether a session that begins with `seen`, the same text, is judged by the same rules.
    pub(super) fn is_of(&self, session: &Session, seen: &MemoryDoc) -> bool {
        self.authority == session.authority && Arc::ptr_eq(self.start.without.believed().rules(), seen.rules())
    }

    /// Carries the changes of a session that are not the same as those which were carried before.
    ///
    /// # Errors
    ///
    /// The first that is in the way.
    pub(super) fn go(&mut self, session: &Session, changes: &[&PendingChange]) -> Result<(), Blocked> {
        let is_same = |(change, carried): &(&&PendingChange, &Carried)| {
            change.letter == carried.letter && change.edit == carried.edit
        };
        let shared = changes.iter().zip(&self.carried).take_while(is_same).count();
        let mut rest = changes.get(shared..).unwrap_or_default();
        if !rest.is_empty() {
            // What a shorter session does not have is kept for the next.
            self.carried.truncate(shared);
        }
        while let Some((change, later)) = rest.split_first() {
            let carried = self.next(session, change, later)?;
            self.carried.push(carried);
            rest = later;
        }
        Ok(())
    }

    /// Carries the change behind those that were carried.
    ///
    /// # Errors
    ///
    /// It, or one of the `later` changes, has to do with the same bytes; it is refused, or says another thing.
    fn next(&self, session: &Session, change: &PendingChange, later: &[&PendingChange]) -> Result<Carried, Blocked> {
        let before = self.carried.last().map_or(&self.start, |carried| &carried.behind);
        let blocked = |change: &PendingChange, why| Blocked { letter: change.letter, why };
        let (over, plan) = passed(&change.edit, &before.plan, before.with.believed())
            .ok_or_else(|| blocked(change, Why::SameBytes))?;
        self.moved(session, change, before, &over).map(|moved| moved.behind(change, plan.clone())).map_err(|why| {
            // Of several that are in the way, one that changes the same bytes is told of first.
            let series: Vec<_> = later.iter().map(|change| &change.edit).collect();
            let clash = carried_over(&series, &plan, &made(before.with.believed(), &over)).err();
            match clash.and_then(|Clash { nth }| later.get(nth)) {
                Some(other) => blocked(other, Why::SameBytes),
                None => blocked(change, why),
            }
        })
    }

    /// Plans a change anew, whose bytes are those of `over`, and checks what it makes.
    fn moved<'p>(
        &self,
        session: &Session,
        change: &PendingChange,
        before: &'p Place,
        over: &Edit,
    ) -> Result<Moved<'p>, Why> {
        let refused = |error| Why::Refused(Box::new(error));
        let basis = Basis::Known(&before.without);
        let view = View::new(before.with.believed(), &basis, change.time);
        let edit = match change.request.plan(&view).map(Edit::into_one_part) {
            Ok(edit) if edit.is_same_change(over) => edit,
            // Its bytes tell which of several is meant.
            Err(error) if finds_several(&error) && !before.has_written_beside(over) => over.clone(),
            Ok(edit) if !change.request.depends_on_places() && before.holds(&edit, over) => edit,
            Ok(_) => return Err(Why::Another),
            Err(error) => return Err(refused(MemoryError::Request { document: change.document.clone(), error })),
        };
        let with = session.check(&change.document, before.with.believed(), &edit).map_err(refused)?;
        let without = before.without.after([&change.edit]);
        let between = Edit::between(without.believed(), &with);
        let naming = if self.below == Below::Beside { Naming::Free } else { Naming::Kept };
        let seen = self.start.without.believed();
        let is_kept = displaced(seen, without.believed(), &between, &with, naming).is_none();
        let is_settled = self.below == Below::TakenBack || before.keeps(&edit, &with);
        let moved = Moved { before, edit, without, with, between };
        if is_kept && is_settled { Ok(moved) } else { Err(Why::Another) }
    }
}

/// A change as it is over the edit below it, and the texts behind it.
struct Moved<'p> {
    before: &'p Place,
    edit: Edit,
    without: Known,
    with: MemoryDoc,
    between: Edit,
}

impl Moved<'_> {
    /// Returns the change as it is carried, where `plan` is the edit below as it is made behind its bytes.
    fn behind(self, change: &PendingChange, plan: Edit) -> Carried {
        let makes = plan.apply_to(self.without.believed().text());
        let plan = if makes == self.with.text() { plan } else { self.between };
        let with = self.before.with.after([&self.edit]);
        let behind = Place { plan, without: self.without, with };
        Carried { letter: change.letter, edit: change.edit.clone(), moved: self.edit, behind }
    }
}

impl Place {
    /// Reports whether an edit has to do with what `over` touches, all of it, and else only with what was written by the edit below.
    fn holds(&self, edit: &Edit, over: &Edit) -> bool {
        let (text, written) = (self.with.believed().text(), self.plan.result_spans());
        let touch = |one: Span, other: Span| {
            let (first, last) = if one.start() <= other.start() { (one, other) } else { (other, one) };
            let is_near = last.start() <= first.end() + GAP;
            last.start() <= first.end() || (is_near && is_blank(Span::new(first.end(), last.start()).of(text)))
        };
        let (here, there) = (edit.splices().len(), over.splices().len());
        if there.saturating_mul(here + 2 * written.len()) + here.saturating_mul(written.len()) > PAIRS {
            return false;
        }
        let reach = |span: Span| {
            let joined = |whole: Span, next: &Span| match touch(whole, *next) {
                true => Span::new(whole.start().min(next.start()), whole.end().max(next.end())),
                false => whole,
            };
            written.iter().rev().fold(written.iter().fold(span, joined), joined)
        };
        let spans = |edit: &Edit| edit.splices().iter().map(|splice| splice.span).collect::<Vec<_>>();
        let (own, meant): (_, Vec<_>) = (spans(edit), spans(over).into_iter().map(reach).collect());
        let meets = |span: Span, others: &[Span]| others.iter().any(|other| touch(span, *other));
        meant.iter().all(|span| meets(*span, &own))
            && own.iter().all(|span| meets(*span, &meant) || meets(*span, &written))
    }

    /// Reports whether the edit below has written something right beside what an edit touches.
    fn has_written_beside(&self, edit: &Edit) -> bool {
        let written = self.plan.result_spans();
        let is_beside = |span: Span| written.iter().any(|own| own.start() <= span.end() && span.start() <= own.end());
        let are_many = edit.splices().len().saturating_mul(written.len()) > PAIRS;
        are_many || edit.splices().iter().any(|splice| is_beside(splice.span))
    }

    /// Reports whether an edit, which makes `result`, leaves what the edit below has written, every word of it, and in what that is in.
    fn keeps(&self, edit: &Edit, result: &MemoryDoc) -> bool {
        let doc = self.with.believed();
        let is_lost = |written: Span| {
            // Splices are sorted, and do not overlap.
            let first = edit.splices().partition_point(|splice| splice.span.end() <= written.start());
            let spans = edit.splices().iter().skip(first).map(|splice| splice.span);
            let mut within = spans.take_while(|span| span.start() < written.end());
            let gone = |span: Span| Span::new(span.start().max(written.start()), span.end().min(written.end()));
            within.any(|span| !is_blank(gone(span).of(doc.text())))
        };
        !self.plan.result_spans().into_iter().any(is_lost)
            && displaced(self.without.believed(), doc, edit, result, Naming::Free).is_none()
    }
}

/// Reports whether a request is refused only for finding several places.
fn finds_several(error: &RequestError) -> bool {
    error.failures().iter().all(|failure| failure.refusal.matches().is_some_and(|found| found.len() > 1))
}
