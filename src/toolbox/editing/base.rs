//! The texts that a session edits: those that the agent has been shown last. The session is carried over when a newer
//! one is shown, and refused where that is not possible.

use crate::document::{MemoryDoc, OnStale};
use crate::locate::Code;
use crate::memory::{DocName, MemoryError};
use crate::request::Known;
use crate::session::{Letter, Session, SessionError};
use crate::toolbox::apply::{basis, missing_revision, refuse_stale};
use crate::toolbox::{Desk, NamedText, Refused, failure, memory_error};

/// Carries the open session over to the texts that the agent was shown last. Returns true if one of them is new.
pub(crate) fn carry(desk: &mut Desk) -> Result<bool, Box<Refused>> {
    let Some(open) = desk.editing.open.as_mut() else { return Ok(false) };
    let (mut session, mut is_carried) = (open.session.clone(), false);
    for (name, base) in open.session.documents() {
        let seen = desk.known.latest(name).map(Known::believed);
        if let Some(seen) = seen.filter(|seen| seen.revision() != base.revision()) {
            session.carry_to(name, seen).map_err(|error| refuse_to_carry(&open.session, &error))?;
            is_carried = true;
        }
    }
    open.session = session;
    Ok(is_carried)
}

/// Opens a document in a session, with the text that the agent was shown last. If it is open, only checks that the call
/// is based on the text that is open.
pub(super) fn open(desk: &mut Desk, session: &mut Session, text: &NamedText) -> Result<(), Box<Refused>> {
    let document = &text.document;
    if session.base(document).is_none() {
        let is_shown = basis(desk, text)?.is_some();
        let current = current(desk, document)?;
        // Who names the current revision knows the text from elsewhere; a document that does not exist has none.
        let is_current = text.base.as_ref().is_some_and(|base| base.matches(&current.revision()));
        if !is_shown && (is_current || desk.memory().unwritten(document)?.is_some()) {
            desk.known.show(document, &current);
        }
        check_current(desk, document)?;
        let latest = desk.known.latest(document).cloned();
        session.open(document.clone(), latest.ok_or_else(|| missing_revision(desk, text))?);
    }
    check_base(session, text)
}

/// Refuses a call whose base is not that of the session.
pub(super) fn check_base(session: &Session, text: &NamedText) -> Result<(), Box<Refused>> {
    let NamedText { document, base } = text;
    match base.as_ref().zip(session.base(document).map(MemoryDoc::revision)) {
        Some((prefix, own)) if !prefix.matches(&own) => {
            let own = own.short();
            let why = format!("the call is based on revision `{prefix}` of `{document}`, the session on `{own}`");
            Err(Refused::new(Code::StaleRevision, &why))
        }
        _ => Ok(()),
    }
}

/// Refuses to begin with a text that others have changed since it was shown, unless the policy allows rebasing.
pub(crate) fn check_current(desk: &mut Desk, document: &DocName) -> Result<(), Box<Refused>> {
    let Some(known) = desk.known.latest(document).cloned() else { return Ok(()) };
    let current = current(desk, document)?;
    if known.believed().revision() == current.revision() || current.policy().on_stale == OnStale::Rebase {
        return Ok(());
    }
    Err(refuse_stale(desk, document, &known, current))
}

/// Returns the current document; an empty one if it may be created.
fn current(desk: &Desk, document: &DocName) -> Result<MemoryDoc, Box<Refused>> {
    let unwritten = desk.memory().unwritten(document)?;
    Ok(unwritten.map_or_else(|| desk.memory().read(document), Ok)?)
}

impl From<SessionError> for Box<Refused> {
    fn from(error: SessionError) -> Self {
        match &error {
            SessionError::Refused(error) => memory_error(error),
            SessionError::BuiltOn { by, .. } => {
                let why = format!("{error}: take change {by} out first, with memo_unstage");
                naming(&why, &[*by])
            }
            _ => Refused::new(error.code(), &error.to_string()),
        }
    }
}

/// Refuses to carry a session over. Names the changes in conflict by their letters.
pub(crate) fn refuse_to_carry(session: &Session, error: &MemoryError) -> Box<Refused> {
    let letters = session.conflicts(error);
    if letters.is_empty() || error.code() != Code::Conflict {
        return memory_error(error);
    }
    let named: Vec<_> = letters.iter().map(|letter| format!("change {letter}")).collect();
    let why = format!(
        "{} and another edit touch the same lines, or what they stand below; the session is still open: take out with memo_unstage \
         what is in conflict, or drop all with memo_revert",
        named.join(", ")
    );
    naming(&why, &letters)
}

/// Refuses because of changes in conflict.
fn naming(why: &str, letters: &[Letter]) -> Box<Refused> {
    let row = |letter: &Letter| failure(letter, Code::Conflict, &format!("change {letter} is in conflict"));
    Refused::new(Code::Conflict, why).with("failures", letters.iter().map(row).collect::<Vec<_>>())
}
