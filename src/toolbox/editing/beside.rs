//! Edits that an agent makes beside its open session: none may have to do with the lines of a pending change.

use super::explain::in_the_way;
use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::memory::{Applied, DocName};
use crate::request::{Basis, Known, Request, View};
use crate::session::{Session, SessionError};
use crate::toolbox::answer::Refused;
use crate::toolbox::definition::Asked;
use crate::toolbox::desk::Desk;

/// Refuses edits that have to do with the lines of a pending change.
pub(crate) fn check_beside(desk: &Desk, asked: &[Asked]) -> Result<(), Box<Refused>> {
    asked.iter().try_for_each(|asked| check_request_beside(desk, &asked.document, asked.request.as_request()))
}

/// Refuses edits that have to do with the lines of a pending change, planned as they would be `applied` now.
pub(crate) fn check_plans_beside(desk: &Desk, applied: &[Applied]) -> Result<(), Box<Refused>> {
    let mut plans = applied.iter().flat_map(|applied| applied.plans().map(|plan| (&applied.document, plan)));
    plans.try_for_each(|(document, plan)| check_plan_beside(desk, document, plan))
}

/// Refuses an edit that has to do with the lines of a pending change.
pub(crate) fn check_request_beside(desk: &Desk, document: &DocName, request: &dyn Request) -> Result<(), Box<Refused>> {
    let Some(open) = &desk.editing.open else { return Ok(()) };
    let Some(own) = open.session.known(document) else { return Ok(()) };
    let seen = desk.known.latest(document).unwrap_or(own);
    // What cannot be planned is refused by the memory.
    match request.plan(&View::new(seen.believed(), &Basis::Known(seen), desk.memory().now())) {
        Ok(plan) => check_plan_beside(desk, document, &plan),
        Err(_) => Ok(()),
    }
}

/// Refuses a plan that has to do with the lines of a pending change. One on another text than the session begins with, or its
/// agent has been shown since, has not.
fn check_plan_beside(desk: &Desk, document: &DocName, plan: &Edit) -> Result<(), Box<Refused>> {
    let shown = desk.known.latest(document).map(Known::believed).filter(|doc| doc.revision() == plan.base());
    let check = |session: &Session| -> Result<(), SessionError> {
        let is_on_base = session.base(document).map(MemoryDoc::revision) == Some(plan.base());
        match shown.filter(|_| !is_on_base) {
            // What is in conflict already stays as it is.
            Some(shown) => session.on(document, shown).0.beside(document, plan).map(drop),
            None => session.beside(document, plan).map(drop),
        }
    };
    desk.editing.sessions().try_for_each(check).map_err(|error| in_the_way(desk, &error))
}
