//! Refusals of a name that something else has: a section that is a document, or a document that is a section.

use serde_json::Value;

use super::answer::Refused;
use super::definition::Call;
use super::desk::Desk;
use super::phrase::quoted;
use crate::document::Case;
use crate::locate::Code;
use crate::memory::DocName;
use crate::text::{fold_name, visible};

/// Says what has the name, and which argument names it.
pub(super) fn told(desk: &Desk, call: &Call<'_>, mut refused: Box<Refused>) -> Box<Refused> {
    let found = match refused.code {
        Code::UnknownDocument => section(desk, call),
        Code::NotFound => document(desk, call),
        _ => None,
    };
    if let Some((what, hint)) = found {
        refused.message = format!("{} ({what}).", refused.message.trim_end_matches('.'));
        refused.hint = hint;
    }
    refused.fitted()
}

/// Finds the section of `memory` that the call names as a document.
fn section(desk: &Desk, call: &Call<'_>) -> Option<(String, String)> {
    let name = call.arguments["document"].as_str().filter(|_| call.tool.takes(&["section"]))?;
    let doc = desk.memory().read(&DocName::memory()).ok()?;
    let [only] = doc.sections_named(name, Case::Folded)[..] else { return None };
    let own = only.asked_name()?;
    let hint = format!("if that is what you mean, leave \"document\" out, and set \"section\" to {}", quoted(&own));
    Some((format!("there is a section `{}` in `memory`", visible(&own)), hint))
}

/// Finds the document that the call names as a section, where its own has none of that name.
fn document(desk: &Desk, call: &Call<'_>) -> Option<(String, String)> {
    let edits = call.arguments["edits"].as_array().into_iter().flatten().map(|edit| &edit["target"]["section"]);
    let mut asked = [&call.arguments["section"]].into_iter().chain(edits).filter_map(Value::as_str).peekable();
    // Most calls name no section: nothing is read for them.
    asked.peek()?;
    let place = call.arguments["document"].as_str().unwrap_or("memory").parse().ok()?;
    let names = desk.memory().documents().ok()?;
    let called = |asked: &str| names.iter().find(|name| fold_name(name.as_str()) == fold_name(asked));
    let (asked, meant) = asked.find_map(|asked| Some((asked, called(asked)?)))?;
    let doc = desk.memory().read(&place).ok()?;
    if !doc.sections_named(asked, Case::Folded).is_empty() {
        return None;
    }
    let name = meant.as_str();
    let hint = format!("if that is what you mean, set \"document\" to {}, and leave that section out", quoted(name));
    Some((format!("there is a document `{name}`"), hint))
}
