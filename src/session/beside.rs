//! Sessions are carried over an edit that is made beside them.

use std::sync::Arc;

use super::{Letter, PendingChange, Session, SessionError};
use crate::document::MemoryDoc;
use crate::edit::{Authority, Clash, Edit, carried_over, displaced, made, passed};
use crate::memory::DocName;

impl Session {
    /// Follows an edit of a document that its editor has made beside the session: `plan`, on the text that the changes begin with.
    ///
    /// # Errors
    ///
    /// A change has to do with the same bytes, or is refused on the result; the session is as before.
    pub fn beside(&self, document: &DocName, plan: &Edit) -> Result<Self, SessionError> {
        Beside { document, plan, begun: None }.carry(self)
    }
}

/// Has sessions follow an edit of a document, as [`Session::beside`] does. The changes that one begins with as the one before it, as a
/// session and a savepoint of it do, are carried once.
///
/// # Errors
///
/// The first that cannot follow.
pub(crate) fn all_beside<'s>(
    document: &DocName,
    plan: &Edit,
    sessions: impl IntoIterator<Item = &'s Session>,
) -> Result<Vec<Session>, SessionError> {
    let mut beside = Beside { document, plan, begun: None };
    sessions.into_iter().map(|session| beside.carry(session)).collect()
}

/// An edit of a document that sessions are carried over, one after the other.
struct Beside<'e> {
    document: &'e DocName,
    plan: &'e Edit,
    /// The way of the session that was carried last.
    begun: Option<Way>,
}

/// The way of a session's changes over an edit beside them.
struct Way {
    authority: Authority,
    start: Place,
    // Invariant: changes of one session, from its first on, each carried behind those before it.
    carried: Vec<Carried>,
}

/// A change that was carried.
struct Carried {
    letter: Letter,
    /// As it was.
    edit: Edit,
    /// As it is over the edit beside it.
    moved: Edit,
    behind: Place,
}

/// What stands before a change or behind it.
struct Place {
    /// The edit beside it, as it is made there.
    plan: Edit,
    /// The document without that edit.
    without: MemoryDoc,
    /// The document with it.
    with: MemoryDoc,
}

impl Beside<'_> {
    /// Carries a session. One that does not begin with the text of the plan stays as it is.
    fn carry(&mut self, session: &Session) -> Result<Session, SessionError> {
        let mut next = session.clone();
        let known = next.documents.get_mut(self.document);
        let Some(known) = known.filter(|known| known.believed().revision() == self.plan.base()) else {
            return Ok(next);
        };
        let begun = self.begun.take().filter(|way| way.is_of(session, known.believed()));
        let way = self.begun.insert(begun.unwrap_or_else(|| Way::new(session, known.believed(), self.plan)));
        known.edited(Some(self.plan), &way.start.with);
        way.go(session, self.document)?;
        let changes = next.changes.iter_mut().filter(|change| change.document == *self.document);
        for (change, carried) in changes.zip(&way.carried) {
            change.edit = carried.moved.clone();
        }
        Ok(next)
    }
}

impl Way {
    fn new(session: &Session, seen: &MemoryDoc, plan: &Edit) -> Self {
        let start = Place { plan: plan.clone(), without: seen.clone(), with: made(seen, plan) };
        Self { authority: session.authority, start, carried: Vec::new() }
    }

    /// Reports whether a session that begins with `seen`, the same text, is judged by the same rules.
    fn is_of(&self, session: &Session, seen: &MemoryDoc) -> bool {
        self.authority == session.authority && Arc::ptr_eq(self.start.without.rules(), seen.rules())
    }

    /// Carries the changes of a session that are not the same as those which were carried before.
    fn go(&mut self, session: &Session, document: &DocName) -> Result<(), SessionError> {
        let changes: Vec<_> = session.of(document).collect();
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
    fn next(
        &self,
        session: &Session,
        change: &PendingChange,
        later: &[&PendingChange],
    ) -> Result<Carried, SessionError> {
        let before = self.carried.last().map_or(&self.start, |carried| &carried.behind);
        let overlaps = |change: &PendingChange| SessionError::Overlaps { letter: change.letter };
        let (moved, plan) = passed(&change.edit, &before.plan, &before.with).ok_or_else(|| overlaps(change))?;
        let without = made(&before.without, &change.edit);
        let with = session.check(&change.document, &before.with, &moved).ok();
        let with = with
            .filter(|with| displaced(&self.start.without, &without, &Edit::between(&without, with), with).is_none());
        let Some(with) = with else {
            // Of several that are in the way, one that changes the same bytes is told of first.
            let series: Vec<_> = later.iter().map(|change| &change.edit).collect();
            let clash = carried_over(&series, &plan, &made(&before.with, &moved)).err();
            return Err(overlaps(clash.and_then(|Clash { nth }| later.get(nth)).unwrap_or(&change)));
        };
        let behind = Place { plan, without, with };
        Ok(Carried { letter: change.letter, edit: change.edit.clone(), moved, behind })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Intent, Outcome};
    use super::*;
    use crate::request::Replace;
    use crate::text::{Span, Timestamp};

    const TEXT: &str = "## Foods\n- Peanuts\n- Milk\n## Pets\n- Cats\n- Dogs\n## System/Policy\n- Be kind\n";

    fn session(changes: &[(&str, &str)]) -> Session {
        let mut session = Session::begin(DocName::memory(), &MemoryDoc::parse(TEXT));
        changes.iter().for_each(|change| stage(&mut session, *change));
        session
    }

    fn stage(session: &mut Session, (old, new): (&str, &str)) {
        let (document, now) = (DocName::memory(), Timestamp::default());
        let staged = session.stage(&document, Intent::replace(old, new), Replace::new(old, new), now);
        assert!(matches!(staged, Ok(Outcome::Pending(_))), "{old} {staged:?}");
    }

    /// Returns an edit of the text that puts each second in the place of the first.
    fn plan(texts: &[(&str, &str)]) -> Edit {
        let spans = texts.iter().flat_map(|(old, new)| TEXT.match_indices(old).map(move |found| (found, *new)));
        let spans = spans.map(|((at, old), new)| (Span::new(at, at + old.len()), new));
        Edit::putting(MemoryDoc::parse(TEXT).revision(), spans)
    }

    /// Returns what is pending, as far as an edit beside it can change that.
    fn pending(session: &Session) -> (Option<MemoryDoc>, Vec<(Letter, Edit)>) {
        let changes = session.changes().iter().map(|change| (change.letter(), change.edit().clone()));
        (session.draft(&DocName::memory()), changes.collect())
    }

    /// Returns the sessions behind an edit, or what the first of them is refused for that is.
    fn told(followed: Result<Vec<Session>, SessionError>) -> Result<Vec<impl PartialEq + std::fmt::Debug>, String> {
        followed.map(|sessions| sessions.iter().map(pending).collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn sessions_that_begin_alike_follow_as_each_of_them_alone_does() {
        let outer = session(&[("Peanuts", "Nuts"), ("Dogs", "Birds\n- Fish")]);
        let (mut inner, mut forked) = (outer.clone(), outer.clone());
        stage(&mut inner, ("Milk", "Cheese\n- Bread"));
        stage(&mut forked, ("Milk", "Water"));
        let mut innermost = inner.clone();
        stage(&mut innermost, ("Bread", "Rye bread"));
        let mut parted = innermost.clone();
        assert!(Letter::nth(0).is_some_and(|letter| parted.unstage(letter).is_ok()));
        stage(&mut parted, ("Fish", "Snakes"));
        let other = Session::begin(DocName::memory(), &MemoryDoc::parse("- another text\n"));
        let mut host = session(&[]).with_authority(Authority::Host);
        stage(&mut host, ("Be kind", "Be very kind"));
        let agent = host.clone().with_authority(Authority::Agent);
        let accepted = [&parted, &outer, &inner, &other, &innermost, &forked, &host, &outer, &parted, &session(&[])];
        let refused = [&host, &agent];
        for texts in [("Cats", "Cats and mice"), ("## Pets", "## Animals"), ("## Foods\n", "## Foods\n- Salt\n")] {
            let (document, plan) = (DocName::memory(), plan(&[texts]));
            for sessions in [&accepted[..], &refused] {
                let alone = sessions.iter().map(|session| session.beside(&document, &plan)).collect();
                assert_eq!(told(all_beside(&document, &plan, sessions.iter().copied())), told(alone), "{texts:?}");
            }
            assert_eq!(all_beside(&document, &plan, accepted).is_ok(), texts.0 != "## Pets");
        }
    }

    #[test]
    fn a_change_of_the_same_bytes_is_told_of_before_one_that_would_say_another_thing() {
        let named = |session: &Session, plan: &Edit| match session.beside(&DocName::memory(), plan) {
            Err(SessionError::Overlaps { letter }) => Some(letter),
            _ => None,
        };
        let plan = plan(&[("Peanuts", "Nuts"), ("## Pets\n", "")]);
        let displaced = ("Dogs", "Dogs\n- Birds");
        assert_eq!(named(&session(&[displaced]), &plan), Letter::nth(0));
        assert_eq!(named(&session(&[displaced, ("Milk", "Cheese"), ("Peanuts", "Salt")]), &plan), Letter::nth(2));
    }
}
