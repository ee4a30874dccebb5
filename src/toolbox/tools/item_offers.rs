//! The calls that are offered for an edit of items whose place, or whose new text, is not said in full.

use serde_json::{Value, json};

use crate::document::bullet_line;
use crate::locate::{Names, Scope, Selector};
use crate::request::{Refusal, Replace, RequestError};
use crate::toolbox::refusal::request_error;
use crate::toolbox::tools::items::missing;
use crate::toolbox::{Context, Refused, Remedy, ToolCall};

/// Refuses to insert at a bullet, and offers to do it beside that one.
pub(super) fn at_bullet(arguments: &Value, number: usize) -> Box<Refused> {
    let mut edit = arguments["edits"][number].clone();
    let target = edit.as_object_mut().and_then(|edit| edit.remove("target")).unwrap_or_default();
    let first = match target["index"].is_null() {
        true => ("below that bullet, as its last child", json!({"under": target})),
        false => ("at that index of the list", target.clone()),
    };
    let why = "`target`: expected a section or block with `insert`, found a bullet, which goes into `to`";
    let to = [first, ("behind that bullet, as deep", json!({"after": target}))];
    with_places(why, arguments, number, &edit, to)
}

/// Refuses an edit, and offers it with each of these places.
pub(super) fn with_places(
    why: &str,
    arguments: &Value,
    number: usize,
    edit: &Value,
    to: [(&str, Value); 2],
) -> Box<Refused> {
    let choice = |((excerpt, to), id): ((&str, Value), &str)| {
        let mut arguments = arguments.clone();
        arguments["edits"][number] = edit.clone();
        arguments["edits"][number]["to"] = to;
        (json!({"id": id, "excerpt": excerpt}), Some(Remedy::Arguments(arguments)))
    };
    let (rows, choices): (Vec<_>, _) = to.into_iter().zip(["A", "B"]).map(choice).unzip();
    Box::new(Refused { choices, ..*Refused::invalid(why).with("candidates", rows) })
}

/// Returns the call that replaces a part of a bullet: it gives the bullet its whole new text, or, if no bullet is named,
/// replaces the part where it stands.
pub(super) fn of_part(
    cx: &Context<'_>,
    number: usize,
    target: &Selector,
    [old, new]: [String; 2],
) -> Result<ToolCall, Box<Refused>> {
    let (sent, memory) = (&*cx.call.arguments, cx.desk.memory());
    if target.index.is_none() && target.says.is_empty() {
        if sent["edits"][1].is_object() {
            return Err(missing("target", "update"));
        }
        let [section, block] = [&target.section, &target.block].map(Option::as_deref);
        let [document, base] = ["document", "base_revision"].map(|name| &sent[name]);
        let arguments = json!({"old_string": old, "new_string": new, "section": section, "block": block,
            "document": document, "base_revision": base});
        return Ok(ToolCall { tool: "replace_in_memory", arguments });
    }
    let doc = memory.read(&cx.document()?)?;
    let found = target.find(&Names::new(&doc), Scope::Document);
    let bullet = found.map_err(|error| request_error(&RequestError::of(number, Refusal::from(error))))?.at;
    let whole = Replace::new(old, new).in_text(bullet.content().into_owned(), memory.now());
    let whole = whole.map_err(|error| request_error(&error))?;
    // What reads as a marker, tags or lines below would not be taken as it stands.
    let is_plain = |text: &str| !text.contains('\n') && !text.starts_with('[') && bullet_line(text).is_none();
    if ![&*bullet.content(), &whole].into_iter().all(|text| is_plain(text.trim_start())) {
        return Err(missing("text", "update"));
    }
    let mut arguments = sent.clone();
    let edit = &mut arguments["edits"][number];
    *edit = json!({"op": "update", "target": edit["target"], "text": whole});
    Ok(ToolCall { tool: cx.call.tool.name, arguments })
}
