//! What all editing tools share: the document, its base revision, and the way from a request to a reply.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::definition::ToolDefinition;
use super::super::reply::{Reply, Status};
use super::super::{Toolbox, explain};
use crate::memory::{Applied, AppliedStatus, Base, CommitId, DocName, Origin, Work};
use crate::request::Request;
use crate::text::RevisionPrefix;

/// The arguments that every editing tool takes beside its own.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Target {
    /// The document to edit. Default: `memory`.
    pub(super) document: Option<String>,
    /// The revision that you saw, at least 8 digits. Default: the one last shown to you.
    pub(super) base_revision: Option<String>,
}

/// Reads the arguments of a tool.
pub(super) fn parse<T: DeserializeOwned>(tool: &ToolDefinition, arguments: &Value) -> Result<T, Reply> {
    T::deserialize(arguments).map_err(|error| explain::invalid_value(tool, error))
}

/// Reads the name of a document.
pub(super) fn document(tool: &ToolDefinition, name: Option<&str>) -> Result<DocName, Reply> {
    match name {
        None => Ok(DocName::memory()),
        Some(name) => name.parse().map_err(|error| explain::invalid_value(tool, error)),
    }
}

/// Applies a request of one document, and replies.
///
/// `extend` adds what the tool tells beyond the receipt.
pub(super) fn apply(
    toolbox: &mut Toolbox,
    tool: &ToolDefinition,
    target: &Target,
    arguments: &Value,
    request: &dyn Request,
    extend: impl FnOnce(Reply, &Applied) -> Reply,
) -> Result<Reply, Reply> {
    let document = document(tool, target.document.as_deref())?;
    let named = target.base_revision.as_deref().map(str::parse::<RevisionPrefix>).transpose();
    let named = named.map_err(|error| explain::invalid_value(tool, error))?;
    let is_strict = toolbox.memory.policy().strict;
    let sights = toolbox.sights.entry(document.clone()).or_default();
    let base = if is_strict && named.is_none() { None } else { sights.base(named.as_ref()) };
    let base = base.ok_or_else(|| explain::missing_revision(document.as_str(), is_strict))?;
    let digits = match &base {
        Base::Seen(sight) => sight.revision().short(),
        Base::Named(prefix) => prefix.as_str().to_owned(),
        Base::Any => String::new(),
    };
    let id = CommitId::new([(document.as_str(), digits)], tool.name, &without_base(arguments));
    let work = [Work::new(document.clone(), base, request)];
    let applied = toolbox.memory.apply(&work, id, &Origin::default());
    let applied = applied.map_err(|error| explain::memory_error(tool, &error))?;
    let Some(applied) = applied.into_iter().next() else { return Ok(Reply::new(Status::NoChange)) };
    toolbox.sights.entry(document).or_default().update(&applied);
    Ok(extend(reply(&applied), &applied))
}

/// Replies to an edit that was not refused.
fn reply(applied: &Applied) -> Reply {
    let (status, message) = match applied.status {
        AppliedStatus::Committed => (Status::Committed, None),
        AppliedStatus::NoChange => (Status::NoChange, Some("the text would be the same; nothing was written")),
        AppliedStatus::AlreadyApplied => {
            (Status::AlreadyApplied, Some("the change is there already; nothing was written"))
        }
    };
    let reply = Reply::new(status);
    let reply = match &applied.commit {
        Some(commit) => reply.with_receipt(&commit.receipt),
        None => {
            let parts = applied.plan.iter().flat_map(|plan| plan.parts());
            let healed = parts.flat_map(|part| part.healed.iter().copied());
            healed.fold(reply.with_revision(applied.doc.revision()), Reply::with_healed)
        }
    };
    match message {
        Some(message) => reply.with("message", message),
        None => reply,
    }
}

/// The base is part of a commit's ID by itself, however it was named.
fn without_base(arguments: &Value) -> Value {
    let mut arguments = arguments.clone();
    if let Some(members) = arguments.as_object_mut() {
        members.remove("base_revision");
        members.remove("document");
    }
    arguments
}
