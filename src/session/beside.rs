//! Sessions are carried over an edit that is made beside them.

use super::way::{Below, Blocked, Place, Way};
use super::{Session, SessionError};
use crate::edit::{Edit, made};
use crate::memory::DocName;

impl Session {
    /// Follows an edit of a document that its editor has made beside the session: `plan`, on the text that the changes begin with.
    ///
    /// # Errors
    ///
    /// A change has to do with the same bytes, or comes to another thing on the result; the session is as before.
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

impl Beside<'_> {
    /// Carries a session. One that does not begin with the text of the plan stays as it is.
    fn carry(&mut self, session: &Session) -> Result<Session, SessionError> {
        let mut next = session.clone();
        let known = next.documents.get_mut(self.document);
        let Some(known) = known.filter(|known| known.believed().revision() == self.plan.base()) else {
            return Ok(next);
        };
        let begun = self.begun.take().filter(|way| way.is_of(session, known.believed()));
        let way = self.begun.insert(begun.unwrap_or_else(|| {
            let (without, mut with) = (known.clone(), known.clone());
            with.edited(Some(self.plan), &made(known.believed(), self.plan));
            Way::new(session.authority, Below::Beside, Place { plan: self.plan.clone(), without, with })
        }));
        known.edited(Some(self.plan), way.start());
        let changes: Vec<_> = session.of(self.document).collect();
        way.go(session, &changes).map_err(Blocked::beside)?;
        let letters: Vec<_> = changes.iter().map(|change| change.letter).collect();
        next.replace_edits(&letters, way.edits().cloned());
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Intent, Letter, Outcome};
    use super::*;
    use crate::document::MemoryDoc;
    use crate::edit::Authority;
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
        let renamed = ("## Pets", "## Animals");
        for texts in [("Cats", "Cats and mice"), renamed, ("## Pets\n", ""), ("## Foods\n", "## Foods\n- Salt\n")] {
            let (document, plan) = (DocName::memory(), plan(&[texts]));
            for sessions in [&accepted[..], &refused] {
                let alone = sessions.iter().map(|session| session.beside(&document, &plan)).collect();
                assert_eq!(told(all_beside(&document, &plan, sessions.iter().copied())), told(alone), "{texts:?}");
            }
            assert_eq!(all_beside(&document, &plan, accepted).is_ok(), !texts.1.is_empty());
        }
    }

    #[test]
    fn a_change_of_the_same_bytes_is_told_of_before_one_that_would_say_another_thing() {
        let named = |session: &Session, plan: &Edit| match session.beside(&DocName::memory(), plan) {
            Err(SessionError::Overlaps { letter } | SessionError::Unsettled { letter }) => Some(letter),
            _ => None,
        };
        let plan = plan(&[("Peanuts", "Nuts"), ("## Pets\n", "")]);
        let displaced = ("Dogs", "Dogs\n- Birds");
        assert_eq!(named(&session(&[displaced]), &plan), Letter::nth(0));
        assert_eq!(named(&session(&[displaced, ("Milk", "Cheese"), ("Peanuts", "Salt")]), &plan), Letter::nth(2));
    }
}
