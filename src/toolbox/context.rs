//! [`Context`]: runs a call of a tool, from its arguments to its reply. An edit is applied, previewed or staged.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde_json::Value;

use crate::edit::{PreviewFormat, Warning};
use crate::locate::Code;
use crate::memory::journal::Json;
use crate::memory::{DocName, RequestId};
use crate::request::Request;
use crate::session::Intent;
use crate::text::RevisionPrefix;
use crate::toolbox::editing::stage;
use crate::toolbox::{
    Answer, Asked, Call, Desk, NamedText, Nested, Refused, Reply, Status, ToolDefinition, apply, arguments, refusal,
    resent, retry,
};

/// Runs a call of an offered tool, and logs it in the open session.
pub(super) fn call(desk: &mut Desk, offered: &[&'static ToolDefinition], name: &str, sent: &Value) -> Answer {
    let Some(tool) = offered.iter().find(|tool| tool.is_called(name)) else {
        return Err(refusal::unknown_tool("tool", name, offered));
    };
    let answer = answer(desk, tool, offered, sent).map_err(|mut refused| {
        if tool.is_of_sessions() {
            refused.members.extend(desk.editing.state().as_object().cloned().unwrap_or_default());
        }
        refused
    });
    if let Some(open) = desk.editing.open.as_mut().filter(|_| tool.name != "memo_export_session") {
        open.log(tool.name, sent, answer.as_ref().map_or_else(|refused| refused.reply(), Reply::clone));
    }
    answer
}

/// Reads the arguments of a call and runs it.
pub(crate) fn answer(
    desk: &mut Desk,
    tool: &'static ToolDefinition,
    offered: &[&'static ToolDefinition],
    sent: &Value,
) -> Answer {
    let mut call = Call { tool, offered, sent, arguments: Cow::Borrowed(sent) };
    let (arguments, healed) = arguments::read(tool, sent).map_err(|refused| retry::complete(desk, &call, refused))?;
    call.arguments = Cow::Owned(arguments);
    let request = RequestId::leaving_out(&["base_revision"], tool.name, &call.arguments);
    desk.origin.call = desk.memory().write_policy.as_ref().map(|_| Json(call.arguments.clone().into_owned()));
    let answer = match resent::answer(desk, &call, request) {
        Some(reply) => Ok(reply),
        None => {
            let mut cx = Context { desk, call: &call, mode: Mode::Apply, warnings: Vec::new() };
            let answer = (tool.run)(&call.arguments, &mut cx);
            answer.map(|reply| cx.warnings.iter().fold(reply, Reply::with_warning))
        }
    };
    let kept = answer.as_ref().ok().filter(|_| !tool.effect.is_read_only());
    desk.previous = kept.map(|reply| (request, reply.clone()));
    if !matches!(&answer, Err(refused) if matches!(refused.code, Code::Indeterminate | Code::Store | Code::Busy)) {
        // The outcome is known, also that of an earlier try: an equal call is a new one.
        desk.since = None;
    }
    answer.map(|reply| reply.with_healed(&healed)).map_err(|refused| retry::complete(desk, &call, refused))
}

/// What a tool gets beside its arguments.
pub(crate) struct Context<'a> {
    pub(crate) desk: &'a mut Desk,
    pub(crate) call: &'a Call<'a>,
    pub(crate) mode: Mode,
    /// Warnings about the arguments.
    pub(crate) warnings: Vec<Warning>,
}

/// What a call does with its edits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mode {
    /// It applies them.
    Apply,
    /// It previews them.
    Preview(PreviewFormat),
    /// It stages them in the editing session.
    Stage,
}

/// The message of an edit that is made while others are pending.
const BESIDE_SESSION: &str = "this is written; what is pending in the editing session is not, until memo_commit. \
    memo_stage makes an edit part of the session";

impl Context<'_> {
    /// Edits the document that the call names.
    pub(crate) fn edit(&mut self, request: impl Request + 'static) -> Answer {
        self.edit_all(vec![Asked { text: self.named_text()?, request: Box::new(request) }])
    }

    /// Edits several documents, all or none.
    pub(crate) fn edit_all(&mut self, asked: Vec<Asked>) -> Answer {
        match self.mode {
            Mode::Apply => {
                let reply = apply::applied_reply(&apply::commit(self.desk, self.call, &asked)?);
                let pending = self.desk.editing.open.as_ref().map_or(0, |open| open.session.changes().len());
                let is_beside = pending > 0 && reply.status() == Status::Committed && reply.get("message").is_none();
                Ok(if is_beside { reply.with_message(BESIDE_SESSION) } else { reply })
            }
            Mode::Preview(format) => apply::preview(self.desk, &asked, format),
            Mode::Stage => stage(self, &Intent::Tool(self.call.tool.name.to_owned()), asked),
        }
    }

    /// Returns the text that the call is about.
    pub(crate) fn named_text(&self) -> Result<NamedText, Box<Refused>> {
        Ok(NamedText { document: self.document()?, base: self.base()? })
    }

    /// Returns the document of the call.
    pub(crate) fn document(&self) -> Result<DocName, Box<Refused>> {
        let name = self.call.arguments.get("document").and_then(Value::as_str);
        Ok(optional("document", name)?.unwrap_or_else(DocName::memory))
    }

    /// Returns the base revision, if the call names one.
    pub(crate) fn base(&self) -> Result<Option<RevisionPrefix>, Box<Refused>> {
        let digits = self.call.arguments.get("base_revision").and_then(Value::as_str);
        optional("base_revision", digits)
    }

    /// Returns the number of the range that is nearest to `asked`. Warns if that is another one.
    pub(crate) fn clamped(&mut self, asked: i64, range: RangeInclusive<i64>) -> usize {
        let value = asked.clamp(*range.start(), *range.end());
        if value != asked {
            let message = format!("the number lies outside its range, and was taken as {value}");
            self.warnings.push(Warning::new("clamped", message));
        }
        usize::try_from(value).unwrap_or_default()
    }

    /// Runs the call of an editing tool inside the argument `member`.
    pub(crate) fn within(&mut self, editor: &'static ToolDefinition, member: &'static str, mode: Mode) -> Answer {
        let given = self.call.arguments.get(member).unwrap_or(&Value::Null);
        let nested = |arguments: &Value, mut refused: Box<Refused>| {
            refused.nested = Some(Nested { editor, member, arguments: arguments.clone() });
            refused
        };
        let read = arguments::read(editor, given);
        let (mut arguments, healed) = read.map_err(|refused| nested(given, refused))?;
        for name in ["document", "base_revision"] {
            let (Some(beside), Some(members)) = (self.call.arguments.get(name), arguments.as_object_mut()) else {
                continue;
            };
            if members.entry(name).or_insert_with(|| beside.clone()) != beside {
                let why = format!("`{name}`: expected the same in `{member}` and beside it, found two");
                return Err(Refused::invalid(why));
            }
        }
        let inner = Call { tool: editor, arguments: Cow::Borrowed(&arguments), ..*self.call };
        let mut cx = Context { desk: self.desk, call: &inner, mode, warnings: Vec::new() };
        let answer = (editor.run)(&arguments, &mut cx);
        answer.map(|reply| reply.with_healed(&healed)).map_err(|refused| nested(&arguments, refused))
    }
}

/// Parses an optional argument of this name.
pub(crate) fn optional<T: FromStr<Err: Display>>(name: &str, text: Option<&str>) -> Result<Option<T>, Box<Refused>> {
    text.map(|text| parsed(name, text)).transpose()
}

/// Parses an argument of this name.
pub(crate) fn parsed<T: FromStr<Err: Display>>(name: &str, text: &str) -> Result<T, Box<Refused>> {
    text.parse().map_err(|error| Refused::invalid(format!("`{name}`: {error}")))
}
