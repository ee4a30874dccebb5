//! The way from the edits that a call asks for to its reply; the same for every tool.

use serde_json::{Value, json};

use super::definition::{Asked, ToolDefinition};
use super::elsewhere::Refused;
use super::reply::{Reply, Status};
use super::report::report_json;
use super::stale::Unseen;
use super::{Toolbox, explain, stale, written};
use crate::edit::{Authority, PartStatus, Preview, PreviewFormat, Receipt};
use crate::memory::{Applied, AppliedStatus, DocName, MemoryError, Operation, Origin, RequestId};
use crate::request::{Basis, Known};

/// Applies all edits as one commit, and replies.
pub(super) fn apply(
    toolbox: &mut Toolbox,
    tool: &ToolDefinition,
    asked: &[Asked],
    arguments: &Value,
    tell: fn(Reply, &[Applied]) -> Reply,
) -> Result<Reply, Reply> {
    show_unwritten(toolbox, tool, asked)?;
    let operations = operations(toolbox, tool, asked)?;
    let origin = Origin::new(toolbox.actor.clone(), tool.name);
    let applied = toolbox.memory.apply(&operations, &origin, RequestId::new(tool.name, &without_base(arguments)));
    // What the agent knows grows from what it based the edit on, which need not be what it saw last.
    let known = known(&operations);
    let applied = match applied {
        Ok(applied) => applied,
        Err(error) => {
            let reply = refused(toolbox, tool, &error, &based(asked, &known));
            let offered = toolbox.tools();
            return Err(Refused { tool, arguments, error: &error, offered }.hinted(reply));
        }
    };
    for (applied, known) in applied.iter().zip(known) {
        toolbox.known.update(known, applied);
    }
    Ok(tell(reply(&applied), &applied))
}

/// Plans all edits and renders what they would change.
pub(super) fn preview(
    toolbox: &mut Toolbox,
    tool: &ToolDefinition,
    asked: &[Asked],
    preview: &Preview,
) -> Result<String, Reply> {
    show_unwritten(toolbox, tool, asked)?;
    let mut rendered = String::new();
    let operations = operations(toolbox, tool, asked)?;
    for operation in &operations {
        let document = operation.document();
        let preview = Preview { name: document.to_string(), ..preview.clone() };
        let diff = match toolbox.memory.preview(operation, Authority::Agent, &preview) {
            Ok(diff) => diff,
            Err(error) => {
                let known = known(&operations);
                return Err(refused(toolbox, tool, &error, &based(asked, &known)));
            }
        };
        // Counts say nothing of the document that they belong to.
        match preview.format == PreviewFormat::Stats && asked.len() > 1 {
            true => rendered.push_str(&format!("{document}: {diff}\n")),
            false => rendered.push_str(&diff),
        }
    }
    Ok(rendered)
}

/// Returns what the agent knew of each document that an operation is based on.
fn known(operations: &[Operation<'_>]) -> Vec<Option<Known>> {
    let known = |operation: &Operation<'_>| match operation.basis() {
        Some(Basis::Known(known)) => Some((*known).clone()),
        _ => None,
    };
    operations.iter().map(known).collect()
}

/// An edit that is asked for, and what the agent knew of its document.
struct BasedOn<'a> {
    asked: &'a Asked,
    known: Option<&'a Known>,
}

fn based<'a>(asked: &'a [Asked], known: &'a [Option<Known>]) -> Vec<BasedOn<'a>> {
    asked.iter().zip(known).map(|(asked, known)| BasedOn { asked, known: known.as_ref() }).collect()
}

/// Explains a refusal. Where it shows the agent all that has changed since the text that it saw, the current text counts as
/// shown: a retry is one call.
fn refused(toolbox: &mut Toolbox, tool: &ToolDefinition, error: &MemoryError, edits: &[BasedOn<'_>]) -> Reply {
    let reply = explain::memory_error(tool, error);
    let (Some(current), Some(document)) = (error.unseen(), error.document()) else { return reply };
    let of_document = edits.iter().find(|edit| edit.asked.document == *document);
    let Some(BasedOn { asked, known: Some(known) }) = of_document else { return reply };
    let reply = stale::with_changes(reply, Unseen { document, known, current, names_base: asked.base.is_some() });
    if asked.depends_on_places() {
        // The same call may mean another place by now: it is not to be sent again unread.
        return reply.with("hint", stale::reread(document.as_str()));
    }
    if reply.get("changes").is_some() {
        toolbox.known.show(document, current);
    }
    reply
}

/// Takes documents that are not written yet as shown: there is nothing to be seen.
fn show_unwritten(toolbox: &mut Toolbox, tool: &ToolDefinition, asked: &[Asked]) -> Result<(), Reply> {
    for asked in asked.iter().filter(|asked| asked.base.is_none()) {
        if toolbox.known.latest(&asked.document).is_some() {
            continue;
        }
        let unwritten = toolbox.memory.unwritten(&asked.document);
        if let Some(doc) = unwritten.map_err(|error| explain::memory_error(tool, &error))? {
            toolbox.known.show(&asked.document, &doc);
        }
    }
    Ok(())
}

fn operations<'a>(
    toolbox: &'a Toolbox,
    tool: &ToolDefinition,
    asked: &'a [Asked],
) -> Result<Vec<Operation<'a>>, Reply> {
    let mut operations = Vec::with_capacity(asked.len());
    for asked in asked {
        let is_strict = toolbox.memory.policy_of(&asked.document).strict;
        let basis = match &asked.base {
            Some(prefix) => Some(toolbox.known.named(&asked.document, prefix)),
            None if is_strict && !is_unwritten(toolbox, tool, asked)? => None,
            None => toolbox.known.latest(&asked.document).map(Basis::Known),
        };
        let basis = basis.ok_or_else(|| missing_revision(toolbox, tool, &asked.document))?;
        operations.push(asked.operation(basis));
    }
    Ok(operations)
}

fn is_unwritten(toolbox: &Toolbox, tool: &ToolDefinition, asked: &Asked) -> Result<bool, Reply> {
    let unwritten = toolbox.memory.unwritten(&asked.document);
    unwritten.map(|doc| doc.is_some()).map_err(|error| explain::memory_error(tool, &error))
}

fn missing_revision(toolbox: &Toolbox, tool: &ToolDefinition, document: &DocName) -> Reply {
    match toolbox.memory.read(document) {
        Ok(doc) => explain::missing_revision(document.as_str(), doc.revision(), doc.policy().strict),
        Err(error) => explain::memory_error(tool, &error),
    }
}

/// Replies to edits that were not refused.
fn reply(applied: &[Applied]) -> Reply {
    let has = |status| applied.iter().any(|applied| applied.status == status);
    let (status, message) = if has(AppliedStatus::Committed) {
        (Status::Committed, None)
    } else if has(AppliedStatus::AlreadyApplied) {
        (Status::AlreadyApplied, Some("the change is there already; nothing was written"))
    } else {
        (Status::NoChange, Some("the text would be the same; nothing was written"))
    };
    let receipts: Vec<_> =
        applied.iter().filter_map(|applied| applied.commit.as_ref()).map(|commit| &commit.receipt).collect();
    let mut reply = Reply::new(status);
    if let Some(first) = applied.first() {
        reply = reply.with_revision(first.doc.revision());
    }
    if let Some(receipt) = receipts.iter().copied().cloned().reduce(|all, next| Receipt::joined(all, &next)) {
        reply = reply.with_receipt(&receipt);
        if let Some(first) = applied.first() {
            reply = reply.with_revision(first.doc.revision());
        }
        if let [Applied { commit: Some(commit), .. }] = applied {
            reply = written::members(commit).into_iter().fold(reply, |reply, (name, value)| reply.with(&name, value));
        }
    } else {
        let parts = applied.iter().filter_map(|applied| applied.plan.as_ref()).flat_map(|plan| plan.parts());
        let (healed, warnings): (Vec<_>, Vec<_>) =
            parts.map(|part| (part.healed.clone(), part.warnings.clone())).unzip();
        reply = healed.into_iter().flatten().fold(reply.with("healed", json!([])), Reply::with_healed);
        reply = reply.with_warnings(&warnings.concat());
    }
    if applied.len() > 1 {
        reply = reply.with("documents", applied.iter().map(document).collect::<Vec<_>>());
    }
    // Of several documents that were compacted, each has its report in its row; the first is told here as well.
    if let Some(report) = applied.iter().find_map(|applied| applied.report.as_ref()) {
        reply = reply.with("report", report_json(report));
    }
    match message {
        Some(message) => reply.with("message", message),
        None => reply,
    }
}

/// Tells what became of one of several documents.
fn document(applied: &Applied) -> Value {
    let mut row = applied.commit.as_ref().map(written::members).unwrap_or_default();
    row.insert("document".to_owned(), applied.document.as_str().into());
    row.insert("revision".to_owned(), applied.doc.revision().short().into());
    if let Some(report) = &applied.report {
        row.insert("report".to_owned(), report_json(report));
    }
    Value::Object(row)
}

/// Tells what became of each part of a request, where they did not all fare alike.
pub(super) fn tell_parts(reply: Reply, applied: &[Applied]) -> Reply {
    let plans = applied.iter().filter_map(|applied| applied.plan.as_ref());
    let parts: Vec<_> = plans.flat_map(|plan| plan.parts()).map(|part| part.status).collect();
    if parts.iter().all(|status| *status == PartStatus::Applied) {
        return reply;
    }
    let part = |(number, status): (usize, &PartStatus)| json!({"part": number + 1, "status": status});
    reply.with("parts", parts.iter().enumerate().map(part).collect::<Vec<_>>())
}

/// The base is part of a commit's ID by itself, however it was named.
fn without_base(arguments: &Value) -> Value {
    let mut arguments = arguments.clone();
    if let Some(members) = arguments.as_object_mut() {
        for member in ["base_revision", "base_revisions", "document"] {
            members.remove(member);
        }
    }
    arguments
}
