//! Opening: a document in a session, on what its agent has been shown.

use crate::document::{MemoryDoc, OnStale};
use crate::locate::Code;
use crate::memory::{DocName, MemoryError};
use crate::request::Known;
use crate::session::{Letter, Session, SessionError};
use crate::toolbox::apply::show_unseen;
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::refused::{on_older, session_error};
use crate::toolbox::refusal::{memory_error, missing_revision};
use crate::toolbox::refused::Refused;

/// A session with a document open in it, not yet kept.
pub(super) struct Opened {
    pub(super) session: Session,
    /// The document as it stands, where the session begins with an older text that may be carried over.
    behind: Option<MemoryDoc>,
    /// The changes for which it stays on a text older than its agent has been shown.
    conflicts: Vec<Letter>,
}

impl Opened {
    /// Opens a document in the session of the desk, or in a new one.
    pub(super) fn of(desk: &mut Desk, document: &DocName) -> Result<Self, Box<Refused>> {
        let now = desk.memory().now();
        let new = || desk.editing.new_session(now).session;
        let mut session = desk.editing.open.as_ref().map_or_else(new, |open| open.session.clone());
        if let Some(base) = session.base(document).map(MemoryDoc::revision) {
            let seen = seen(desk, document).filter(|seen| seen.revision() != base).cloned();
            let carried = seen.map_or(Ok(()), |seen| session.carry_to(document, &seen));
            let conflicts = carried.map_or_else(|error| session.conflicts(&error), |()| Vec::new());
            return Ok(Self { session, behind: None, conflicts });
        }
        let current = current(desk, document).map_err(|error| memory_error(&error))?;
        if desk.known.latest(document).is_none() && current.text().is_empty() {
            desk.known.show(document, &current);
        }
        let Some(known) = desk.known.latest(document).cloned() else {
            return Err(missing_revision(document, current.revision(), false));
        };
        check_begun_on(desk, document)?;
        let is_stale = known.believed().revision() != current.revision();
        session.open(document.clone(), known);
        Ok(Self { session, behind: Some(current).filter(|_| is_stale), conflicts: Vec::new() })
    }

    /// Opens another document in a session that is not kept yet.
    pub(super) fn beside(session: Session, desk: &mut Desk, document: &DocName) -> Result<Self, Box<Refused>> {
        if session.base(document).is_some() {
            return Ok(Self { session, behind: None, conflicts: Vec::new() });
        }
        let other = Self::of(desk, document)?;
        let mut session = session;
        if let Some(known) = other.session.known(document) {
            session.open(document.clone(), known.clone());
        }
        Ok(Self { session, ..other })
    }

    /// Returns what the agent knows of the draft of a document that is open.
    pub(super) fn known(&self, desk: &Desk, document: &DocName) -> Result<Known, SessionError> {
        let draft = self.session.draft(document);
        let known = draft.and_then(|draft| desk.known.draft(document, draft));
        known.map_or_else(|| self.session.known_draft(document), Ok)
    }

    /// Explains why a change is not staged: on a text that its agent does not see any more, what it has been shown may not stand.
    pub(super) fn refused(&self, error: &SessionError) -> Box<Refused> {
        let told = session_error(&self.session, error);
        if told.code == Code::NotFound { self.explained(told) } else { told }
    }

    /// Explains a refusal by the changes for which the session stays on an older text, if there are any.
    pub(super) fn explained(&self, refused: Box<Refused>) -> Box<Refused> {
        on_older(&self.session, &self.conflicts).unwrap_or(refused)
    }

    /// Reports whether the session has just begun with a text that is not the current one.
    pub(super) const fn is_behind(&self) -> bool {
        self.behind.is_some()
    }

    /// Carries what is pending over to the text as it stands, where the session has just begun with an older one. Refused, nothing of
    /// the document is pending.
    pub(super) fn carried(mut self, desk: &mut Desk, document: &DocName) -> Result<Session, Box<Refused>> {
        let Some(current) = &self.behind else { return Ok(self.session) };
        let carried = self.session.carry_to(document, current);
        match (carried, self.session.known(document)) {
            (Ok(()), _) => {
                desk.editing.begun_past.insert(document.clone(), desk.known.times_shown(document));
                Ok(self.session)
            }
            (Err(error), Some(known)) => Err(show_unseen(desk, &error, known, memory_error(&error))),
            (Err(error), None) => Err(memory_error(&error)),
        }
    }
}

/// Refuses to begin with a text of a document that others have changed since it was shown, unless edits of it may be carried over.
pub(crate) fn check_begun_on(desk: &mut Desk, document: &DocName) -> Result<(), Box<Refused>> {
    let Some(known) = desk.known.latest(document).cloned() else { return Ok(()) };
    let current = current(desk, document).map_err(|error| memory_error(&error))?;
    if known.believed().revision() == current.revision() || current.policy().on_stale == OnStale::Rebase {
        return Ok(());
    }
    let seen = known.revision().short();
    let error = MemoryError::StaleRevision { document: document.clone(), seen, current };
    Err(show_unseen(desk, &error, &known, memory_error(&error)))
}

/// Returns a document as it stands; one that may be created is empty.
pub(crate) fn current(desk: &Desk, document: &DocName) -> Result<MemoryDoc, MemoryError> {
    match desk.memory().unwritten(document)? {
        Some(doc) => Ok(doc),
        None => desk.memory().read(document),
    }
}

/// Reports whether the agent has been shown this text of a document.
pub(crate) fn has_seen(desk: &Desk, document: &DocName, text: &MemoryDoc) -> bool {
    seen(desk, document).is_some_and(|seen| seen.revision() == text.revision())
}

/// Returns the text of a document that its agent has seen last, with its own edits; `None` if a session has begun with a later one
/// since.
pub(super) fn seen<'d>(desk: &'d Desk, document: &DocName) -> Option<&'d MemoryDoc> {
    desk.known.latest(document).map(Known::believed).filter(|_| !is_past(desk, document))
}

/// Reports whether a session has begun with a later text of a document than its agent has been shown, and it has been shown none since.
pub(crate) fn is_past(desk: &Desk, document: &DocName) -> bool {
    desk.editing.begun_past.get(document) == Some(&desk.known.times_shown(document))
}

/// A session on the texts that its agent has been shown last.
pub(crate) struct OnSeen {
    pub(crate) session: Session,
    /// The documents that others have changed.
    changed: Vec<DocName>,
    /// The changes that are in conflict with that.
    left_out: Vec<Letter>,
}

/// Carries a session over to these texts, without keeping it.
pub(crate) fn on_seen(desk: &Desk, session: &Session) -> OnSeen {
    let mut on = OnSeen { session: session.clone(), changed: Vec::new(), left_out: Vec::new() };
    for (name, base) in session.documents() {
        if let Some(seen) = seen(desk, name).filter(|seen| seen.revision() != base.revision()) {
            let (next, mut letters) = on.session.on(name, seen);
            on.session = next;
            on.changed.push(name.clone());
            on.left_out.append(&mut letters);
        }
    }
    on
}

impl OnSeen {
    /// Says that others have changed one of the documents, if they have.
    pub(crate) fn message(&self, is_shown: impl Fn(&DocName) -> bool) -> Option<String> {
        let on = "this is how it stands on the text that you were shown last, which is not the one it began with";
        let letters: Vec<_> = self.left_out.iter().map(ToString::to_string).collect();
        self.changed.iter().any(is_shown).then(|| match letters.as_slice() {
            [] => on.to_owned(),
            letters => format!("{on}, without what is in conflict: {}", letters.join(", ")),
        })
    }
}
