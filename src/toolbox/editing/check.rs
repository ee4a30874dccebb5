//! Edits that an agent asks for beside its open session, before they are made: none may have to do with the text of a pending change.

use super::super::ToolDefinition;
use super::super::answer::Refused;
use super::super::definition::Asked;
use super::super::desk::Desk;
use super::explain::session_error;
use crate::edit::Edit;
use crate::memory::DocName;
use crate::request::{Basis, Request, View};
use crate::session::SessionError;

/// Refuses edits that have to do with the text of a pending change.
pub(in super::super) fn check_beside(desk: &Desk, tool: &ToolDefinition, asked: &[Asked]) -> Result<(), Box<Refused>> {
    asked.iter().try_for_each(|asked| check_request_beside(desk, tool, &asked.document, asked.request.as_request()))
}

/// Refuses an edit that has to do with the text of a pending change.
pub(in super::super) fn check_request_beside(
    desk: &Desk,
    tool: &ToolDefinition,
    document: &DocName,
    request: &dyn Request,
) -> Result<(), Box<Refused>> {
    let Some(open) = &desk.editing.open else { return Ok(()) };
    let Some(own) = open.session.known(document) else { return Ok(()) };
    let base = own.believed().revision();
    if desk.known.latest(document).is_some_and(|known| known.believed().revision() != base) {
        return Ok(());
    }
    // What cannot be planned is refused by the memory.
    let Ok(plan) = request.plan(&View::new(own.believed(), &Basis::Known(own), desk.memory().now())) else {
        return Ok(());
    };
    check_plan_beside(desk, tool, document, &plan)
}

/// Refuses a plan that has to do with the text of a pending change. One on another text than the session begins with has not.
pub(in super::super) fn check_plan_beside(
    desk: &Desk,
    tool: &ToolDefinition,
    document: &DocName,
    plan: &Edit,
) -> Result<(), Box<Refused>> {
    let Some(open) = &desk.editing.open else { return Ok(()) };
    let savepoints = desk.editing.savepoints.iter().flatten();
    for session in [&open.session].into_iter().chain(savepoints) {
        if let Err(error @ SessionError::Overlaps { .. }) = session.beside(document, plan) {
            return Err(session_error(tool, &error));
        }
    }
    Ok(())
}
