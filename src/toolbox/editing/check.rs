//! Edits that an agent asks for beside its open session, before they are made: none may have to do with the text of a pending change.

use super::super::answer::Refused;
use super::super::definition::{Asked, Requested, ToolDefinition};
use super::super::desk::Desk;
use super::explain::session_error;
use crate::request::{Basis, Request, View};
use crate::session::SessionError;

/// Refuses edits that have to do with the text of a pending change.
pub(in super::super) fn check_beside(desk: &Desk, tool: &ToolDefinition, asked: &[Asked]) -> Result<(), Box<Refused>> {
    let Some(open) = &desk.editing.open else { return Ok(()) };
    for asked in asked {
        let Some(own) = open.session.known(&asked.document) else { continue };
        let base = own.believed().revision();
        if desk.known.latest(&asked.document).is_some_and(|known| known.believed().revision() != base) {
            continue;
        }
        let request: &dyn Request = match &asked.request {
            Requested::Edit(request) => &**request,
            Requested::Compaction(rewrite) => rewrite,
        };
        // What cannot be planned is refused by the memory.
        let Ok(plan) = request.plan(&View::new(own.believed(), &Basis::Known(own), desk.memory().now())) else {
            continue;
        };
        let savepoints = desk.editing.savepoints.iter().flatten();
        for session in [&open.session].into_iter().chain(savepoints) {
            if let Err(error @ SessionError::Overlaps { .. }) = session.beside(&asked.document, &plan) {
                return Err(session_error(tool, &error));
            }
        }
    }
    Ok(())
}
