//! The way from a call to its reply: its arguments are read, and the tool carried out.

use std::borrow::Cow;

use serde_json::Value;

use super::answer::Refused;
use super::context::{Context, Mode};
use super::definition::Call;
use super::desk::Desk;
use super::{Reply, ToolDefinition, arguments, refusal, retry, tools};
use crate::locate::{Code, Leniency};

/// A call of a tool as it came.
pub(super) struct Given<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: &'a Value,
    /// How the arguments had to be read to be JSON at all.
    pub(super) mended: Option<Leniency>,
}

/// Carries out a call of one of the tools that are offered.
pub(super) fn call(
    desk: &mut Desk,
    offered: &[&'static ToolDefinition],
    given: &Given<'_>,
) -> Result<Reply, Box<Refused>> {
    let Some(tool) = offered.iter().find(|tool| tool.is_called(given.name)) else {
        return Err(refusal::unknown_tool(given.name, offered));
    };
    let answer = answer(desk, tool, offered, given);
    let answer = answer.map_err(|mut refused| {
        if tool.is_of_sessions() {
            refused.session = Some(desk.editing.state());
        }
        refused
    });
    if let Some(open) = desk.editing.open.as_mut().filter(|_| tool.name != "memo_export_session") {
        let reply = match &answer {
            Ok(reply) => reply.clone(),
            Err(refused) => refused.reply(),
        };
        open.log(tool.name, given.arguments, reply);
    }
    if desk.editing.open.is_none() {
        desk.known.end_drafts();
    }
    answer
}

/// Reads the arguments of a call, and carries it out.
pub(crate) fn answer(
    desk: &mut Desk,
    tool: &'static ToolDefinition,
    offered: &[&'static ToolDefinition],
    given: &Given<'_>,
) -> Result<Reply, Box<Refused>> {
    let read = arguments::read(&tool.input, given.arguments);
    let read = read.map_err(|error| refusal::invalid_arguments(tool, &error))?;
    let healed = read.healed.into_iter().chain(given.mended).collect();
    let call = Call { tool, offered, all: &tools::ALL, arguments: Cow::Owned(read.value), healed };
    desk.begin(call.request());
    let answer = tool.run(&call.arguments, &mut Context { desk, call: &call, mode: Mode::Apply });
    let answer = answer.map(|reply| reply.with_healed(&call.healed));
    let answer = answer.map_err(|error| refusal::call_error(tool, error));
    if answer.as_ref().err().is_none_or(|refused| refused.code != Code::Indeterminate) {
        // The same call, made again, is a new one.
        desk.since = None;
    }
    answer.map_err(|refused| retry::complete(desk, &call, refused))
}
