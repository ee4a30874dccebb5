//! [`Context`]: runs a call of a tool, from its arguments to its reply. An edit is applied, previewed or staged.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde_json::Value;

use crate::document::MemoryDoc;
use crate::edit::{PreviewFormat, Warning};
use crate::locate::Code;
use crate::memory::journal::{Json, Seq};
use crate::memory::{DocName, HistoryQuery, Moment, RequestId};
use crate::request::Request;
use crate::session::Intent;
use crate::text::RevisionPrefix;
use crate::toolbox::definition::Kind;
use crate::toolbox::editing::stage;
use crate::toolbox::{
    Answer, Asked, Call, Desk, Effect, Nested, Refused, Reply, Status, ToolDefinition, apply, arguments, refusal, retry,
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
    let read = arguments::read(tool, sent);
    let (arguments, healed) = read.map_err(|refused| refused.with_hint(tool.call_shape("call")))?;
    let call = Call { tool, offered, sent, arguments: Cow::Owned(arguments) };
    let request = RequestId::leaving_out(&["base_revision"], tool.name, &call.arguments);
    desk.origin.call = desk.memory().write_policy.as_ref().map(|_| Json(call.arguments.clone().into_owned()));
    let answer = match again(desk, &call, request) {
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

/// The messages of a call that was sent again.
const AGAIN: &str = "this very call was made just before; nothing more was done";
const AGAIN_WHILE_OPEN: &str = "this very call was made just before; nothing more was done: what is open is not written yet, and ends by \
    memo_commit with another `summary`, or memo_revert with another `reason`";

/// Answers a call that was sent again: it equals the last call, names no base, and the last call changed something.
fn again(desk: &Desk, call: &Call<'_>, request: RequestId) -> Option<Reply> {
    let tool = call.tool;
    let appends = call.arguments.get("mode").is_some_and(|mode| mode == "append");
    if desk.is_trial || call.arguments.get("base_revision").is_some() || (tool.kind == Kind::Plain && !appends) {
        return None;
    }
    let (_, last) = desk.previous.as_ref().filter(|(previous, _)| *previous == request)?;
    let is_record = tool.effect == Effect::Record;
    let has_changed = match last.status() {
        Status::Editing | Status::Committed | Status::Reverted | Status::AlreadyApplied => true,
        Status::Ok => is_record,
        // A commit without changes has ended a session or a task.
        Status::NoChange => tool.is_of_sessions() && tool.effect == Effect::Edit,
        _ => false,
    };
    if !has_changed {
        return None;
    }
    let ends = matches!(tool.name, "memo_commit" | "memo_commit_auto" | "memo_revert");
    let message = if ends && !desk.editing.is_over() { AGAIN_WHILE_OPEN } else { AGAIN };
    let reply = last.clone().with_status(Status::AlreadyApplied).with_message(message).with_receipt(None);
    match fate(desk, last, is_record) {
        Fate::Undone => None,
        // An appended text may no longer be there: the call is made again.
        Fate::Overwritten if appends => None,
        // The lines of the reply may have changed since.
        Fate::Overwritten => Some(
            ["lines", "documents", "revision"]
                .into_iter()
                .fold(reply, |reply, name| reply.with_member(name, Value::Null)),
        ),
        Fate::Stands => Some(reply),
    }
}

/// What has happened since to the texts that a commit made, or to a record.
enum Fate {
    /// All is as the call made it.
    Stands,
    /// One of the texts was changed since.
    Overwritten,
    /// The commit was undone, or a text before it is back; or the record was superseded.
    Undone,
}

/// Returns what has happened to the commit or record of a reply.
fn fate(desk: &Desk, reply: &Reply, is_record: bool) -> Fate {
    let Some(seq) = reply.get("seq").and_then(Value::as_u64) else { return Fate::Stands };
    if is_record {
        let is_recalled = desk.memory().is_recalled(Seq::new(seq)).unwrap_or(true);
        return if is_recalled { Fate::Stands } else { Fate::Undone };
    }
    let query = HistoryQuery { before: Some(Seq::new(seq.saturating_add(1))), limit: 1, ..HistoryQuery::new() };
    let page = desk.memory().history(&query);
    let Some(row) = page.ok().and_then(|page| page.entries.into_iter().next()) else { return Fate::Stands };
    let is_as_after = |seq, name: &DocName| {
        let then = desk.memory().text_at(name, &Moment::After(Seq::new(seq)));
        let now = desk.memory().read(name).ok();
        then.is_ok_and(|then| then.as_deref() == now.as_ref().map(MemoryDoc::text))
    };
    let mut names = row.changes.iter().map(|changed| &changed.document);
    if row.undone_by.is_some() || names.clone().any(|name| is_as_after(seq.saturating_sub(1), name)) {
        return Fate::Undone;
    }
    // The reply does not show the activity log: a later line in it does not count.
    let stands = names.all(|name| *name == DocName::activity() || is_as_after(seq, name));
    if stands { Fate::Stands } else { Fate::Overwritten }
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
        let (document, base) = (self.document()?, self.base()?);
        self.edit_all(vec![Asked { document, base, request: Box::new(request) }])
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
            let beside = self.call.arguments.get(name).and_then(Value::as_str);
            let (Some(beside), Some(members)) = (beside, arguments.as_object_mut()) else { continue };
            let named = members.entry(name).or_insert_with(|| beside.into());
            if named != beside {
                let named = named.as_str().unwrap_or_default();
                let why = format!("`{name}`: expected the {name} that \"{member}\" names, `{named}`, found `{beside}`");
                return Err(Refused::invalid(why));
            }
        }
        let inner = Call { tool: editor, arguments: Cow::Borrowed(&arguments), ..*self.call };
        let mut cx = Context { desk: self.desk, call: &inner, mode, warnings: Vec::new() };
        let answer = (editor.run)(&arguments, &mut cx);
        answer.map(|reply| reply.with_healed(&healed)).map_err(|refused| nested(&arguments, refused))
    }
}

/// Parses an optional argument.
pub(crate) fn optional<T: FromStr<Err: fmt::Display>>(
    argument: &str,
    text: Option<&str>,
) -> Result<Option<T>, Box<Refused>> {
    text.map(|text| parsed(argument, text)).transpose()
}

/// Parses an argument.
pub(crate) fn parsed<T: FromStr<Err: fmt::Display>>(argument: &str, text: &str) -> Result<T, Box<Refused>> {
    text.parse().map_err(|error| Refused::invalid(format!("`{argument}`: {error}")))
}
