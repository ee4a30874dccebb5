//! Edits that an agent asks for beside its open session, before they are made: none may have to do with the text of a pending change.

use super::super::ToolDefinition;
use super::super::answer::Refused;
use super::super::definition::Asked;
use super::super::desk::Desk;
use super::beside::Ahead;
use super::explain::in_the_way;
use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::memory::{Applied, DocName};
use crate::request::{Basis, Known, Request, View};
use crate::session::Session;

/// Refuses edits that have to do with the text of a pending change. Of a single edit, returns what becomes of the sessions if it is
/// made as it is planned now.
pub(in super::super) fn check_beside(
    desk: &Desk,
    tool: &ToolDefinition,
    asked: &[Asked],
) -> Result<Option<Ahead>, Box<Refused>> {
    let check = |asked: &Asked| check_request_beside(desk, tool, &asked.document, asked.request.as_request());
    only(asked.iter().map(check))
}

/// Refuses edits that have to do with the text of a pending change, planned as they would be `applied` now. Of a single edit,
/// returns what becomes of the sessions if it is made so.
pub(in super::super) fn check_plans_beside(
    desk: &Desk,
    tool: &ToolDefinition,
    applied: &[Applied],
) -> Result<Option<Ahead>, Box<Refused>> {
    let plans = applied.iter().flat_map(|applied| applied.plans().map(|plan| (&applied.document, plan)));
    only(plans.map(|(document, plan)| check_plan_beside(desk, tool, document, plan)))
}

/// Refuses an edit that has to do with the text of a pending change. Returns what becomes of the sessions if it is made as it is
/// planned now.
pub(in super::super) fn check_request_beside(
    desk: &Desk,
    tool: &ToolDefinition,
    document: &DocName,
    request: &dyn Request,
) -> Result<Option<Ahead>, Box<Refused>> {
    let Some(open) = &desk.editing.open else { return Ok(None) };
    let Some(own) = open.session.known(document) else { return Ok(None) };
    let seen = desk.known.latest(document).unwrap_or(own);
    // What cannot be planned is refused by the memory.
    let Ok(plan) = request.plan(&View::new(seen.believed(), &Basis::Known(seen), desk.memory().now())) else {
        return Ok(None);
    };
    check_plan_beside(desk, tool, document, &plan)
}

/// Refuses a plan that has to do with the text of a pending change. One on another text than the session begins with, or its agent
/// has been shown since, has not.
fn check_plan_beside(
    desk: &Desk,
    tool: &ToolDefinition,
    document: &DocName,
    plan: &Edit,
) -> Result<Option<Ahead>, Box<Refused>> {
    let Some(open) = &desk.editing.open else { return Ok(None) };
    let is_plans = |doc: &&MemoryDoc| doc.revision() == plan.base();
    let shown = desk.known.latest(document).map(Known::believed).filter(is_plans);
    let shown = shown.filter(|_| open.session.base(document).filter(is_plans).is_none());
    let on_shown = |session: &Session| match shown {
        Some(shown) => session.on(document, shown, desk.memory().now()),
        None => (session.clone(), Vec::new()),
    };
    let (sessions, left_out): (Vec<_>, Vec<_>) = desk.editing.sessions().map(on_shown).unzip();
    let ahead = Ahead::of(&sessions, document, plan).map_err(|error| in_the_way(desk, tool, &error))?;
    // What is in conflict already stays as it is, and the session with it.
    Ok(Some(ahead).filter(|_| left_out.iter().all(Vec::is_empty)))
}

/// Returns what becomes of the sessions by a single edit: each is looked at as if it were made alone.
fn only(mut checked: impl Iterator<Item = Result<Option<Ahead>, Box<Refused>>>) -> Result<Option<Ahead>, Box<Refused>> {
    let ahead = checked.next().transpose()?.flatten();
    let mut is_only = true;
    for other in checked {
        other?;
        is_only = false;
    }
    Ok(ahead.filter(|_| is_only))
}
