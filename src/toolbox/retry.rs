//! Retries: calls that would succeed, made of a refused call and the fixes in its refusal; else a hint for each code.

use serde::Serialize;
use serde_json::{Value, json};

use crate::locate::{Code, Fix, LocateError, Target};
use crate::request::patch::{self, Anchor, Patch, PatchPart};
use crate::request::{Failure, Refusal};
use crate::text::{Content, escaped};
use crate::toolbox::context::answer;
use crate::toolbox::definition::SHAPE;
use crate::toolbox::desk::SeenBefore;
use crate::toolbox::refusal::{HINT, bounded};
use crate::toolbox::{Call, Desk, Effect, Refused, Status, ToolDefinition, arguments};

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ToolCall {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
}

impl ToolCall {
    /// Returns the sentence that asks for the call.
    pub(crate) fn sentence(&self) -> String {
        format!("send {} {}", self.tool, escaped(&self.arguments.to_string()))
    }
}

/// A call of an editing tool inside the arguments of another tool.
#[derive(Clone)]
pub(crate) struct Nested {
    pub(crate) editor: &'static ToolDefinition,
    /// The argument that holds it.
    pub(crate) member: &'static str,
    pub(crate) arguments: Value,
}

/// A fix for one part of a request.
#[derive(Clone)]
pub(crate) struct PartFix {
    part: usize,
    fix: Fix,
    /// The name that was not found, or is ambiguous.
    name: Option<Content>,
}

/// What may make a refused call succeed.
#[derive(Clone)]
pub(crate) enum Remedy {
    /// The fixes of all failing parts.
    Fixes(Vec<PartFix>),
    /// These arguments for the tool that refused the call.
    Arguments(Value),
    /// The current revision as its base, now that the agent has seen the changes. The call must still mean the same.
    Base(SeenBefore),
}

impl PartFix {
    /// Returns the fix for a failing part, if there is one.
    pub(crate) fn of(failure: &Failure) -> Option<Self> {
        let fix = failure.refusal.fix()?.clone();
        // Which of several places is meant, and how many, is the agent's choice.
        let is_choice = matches!(failure.refusal, Refusal::CountMismatch { .. }) && fix != Fix::WholeWords;
        (!is_choice).then(|| Self::choice(failure, fix))
    }

    /// Returns the fix that the agent chooses with a candidate.
    pub(crate) fn choice(failure: &Failure, fix: Fix) -> Self {
        let name = match &failure.refusal {
            Refusal::Locate(LocateError::NotFound { what, .. } | LocateError::Ambiguous { what, .. }) => match what {
                Target::Section(name) | Target::Block(name) | Target::Slot(name) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        };
        Self { part: failure.part, fix, name }
    }
}

/// Completes a refusal: adds the retry and the `change` of each candidate, if that call would succeed, and the hint.
pub(crate) fn complete(desk: &Desk, call: &Call<'_>, mut refused: Box<Refused>) -> Box<Refused> {
    if desk.is_trial {
        return refused;
    }
    let attempt = Attempt { desk, call, nested: refused.nested.take() };
    let retry = refused.remedy.take().and_then(|remedy| attempt.retry(remedy));
    let choices = std::mem::take(&mut refused.choices);
    for (row, choice) in refused.rows("candidates").iter_mut().zip(choices) {
        if let Some(change) = choice.and_then(|choice| attempt.change_for(choice)) {
            row["change"] = change;
        }
    }
    let Some(retry) = retry else {
        let code = refused.code;
        refused.hint.get_or_insert_with(|| match code {
            Code::InvalidArguments => attempt.shape(),
            code => advice(code).replace("{read}", reader(call)),
        });
        return refused.fitted();
    };
    // The retry does not count to the bound.
    refused.hint = None;
    refused.fitted().with_hint(retry.sentence()).with("retry", retry)
}

/// A refused call from which retries are made.
struct Attempt<'a> {
    desk: &'a Desk,
    call: &'a Call<'a>,
    nested: Option<Nested>,
}

impl Attempt<'_> {
    /// Returns the tool that refused the call.
    fn tool(&self) -> &ToolDefinition {
        self.nested.as_ref().map_or(self.call.tool, |nested| nested.editor)
    }

    /// Returns the shape of the arguments of the tool that refused the call. It has no example: a model in a hurry would
    /// send that instead of its own words.
    fn shape(&self) -> String {
        let outer = |nested: &Nested| format!("call {} again, with `{}` that fit", self.call.tool.name, nested.member);
        let verb = self.nested.as_ref().map_or_else(|| "call".to_owned(), outer);
        bounded(&format!("{verb} {}", self.tool().shape()), HINT)
    }

    /// Returns the arguments of the tool that refused the call.
    fn own(&self) -> &Value {
        self.nested.as_ref().map_or(&self.call.arguments, |nested| &nested.arguments)
    }

    /// Returns the call with other arguments for the tool that refused it.
    fn call_with(&self, own: Value) -> ToolCall {
        let tool = self.call.tool.name;
        let Some(nested) = &self.nested else { return ToolCall { tool, arguments: own } };
        let mut arguments = self.call.arguments.clone().into_owned();
        arguments[nested.member] = own;
        ToolCall { tool, arguments }
    }

    /// Returns the call with fixes in it; `None` if its tool has no arguments for them.
    fn fixed(&self, fixes: &[PartFix]) -> Option<ToolCall> {
        let (mut own, schema) = (self.own().clone(), self.tool().full_schema());
        fixes.iter().try_for_each(|fix| put_fix(&mut own, schema, fix))?;
        Some(self.call_with(own))
    }

    /// Returns the call with a remedy, if it would succeed. A fix may replace a name that was not found by a similar one,
    /// which need not be the one that was meant: such a call is returned only if it removes nothing.
    fn retry(&self, remedy: Remedy) -> Option<ToolCall> {
        let would_succeed = |desk: &Desk, call: &ToolCall| trial(desk, self.call.offered, call);
        match remedy {
            Remedy::Fixes(fixes) => {
                let has_near_name = fixes.iter().any(|fix| fix.name.is_some());
                let call = self.fixed(&fixes)?;
                would_succeed(self.desk, &call).filter(|removes| !(has_near_name && *removes)).map(|_| call)
            }
            Remedy::Arguments(own) => {
                let call = self.call_with(own);
                would_succeed(self.desk, &call).map(|_| call)
            }
            Remedy::Base(seen) => {
                let current = self.desk.known.latest(seen.first()?.0)?.believed().revision().short();
                let mut call = self.call_with(self.own().clone());
                let nested = self.nested.as_ref().map(|nested| format!("/{}/base_revision", nested.member));
                for pointer in nested.iter().map(String::as_str).chain(["/base_revision"]) {
                    let named = call.arguments.pointer_mut(pointer).filter(|named| !named.is_null());
                    named.into_iter().for_each(|named| *named = current.as_str().into());
                }
                let mut desk = self.desk.clone();
                desk.seen_before = seen;
                would_succeed(&desk, &call).map(|_| call)
            }
        }
    }

    /// Returns the `change` for a choice: the arguments to put into the call as sent; `None` if that would not succeed.
    fn change_for(&self, choice: PartFix) -> Option<Value> {
        let Call { tool, offered, .. } = *self.call;
        let mut chosen = self.fixed(&[choice])?;
        let change = arguments::to_send(self.call.sent, tool.full_schema(), &self.call.arguments, &chosen.arguments);
        if let Value::Object(mut sent) = self.call.sent.clone() {
            sent.extend(change.clone());
            chosen.arguments = sent.into();
        }
        trial(self.desk, offered, &chosen).map(|_| change.into())
    }
}

/// Plans a call on the current text. Returns whether it would remove text; `None` if it would not succeed, or its tool
/// cannot be tried.
pub(crate) fn trial(desk: &Desk, offered: &[&'static ToolDefinition], call: &ToolCall) -> Option<bool> {
    let tool = offered.iter().find(|tool| tool.is_called(call.tool)).filter(|tool| tool.effect != Effect::Record)?;
    let mut desk = desk.clone();
    (desk.is_trial, desk.removes) = (true, false);
    let status = answer(&mut desk, tool, offered, &call.arguments).ok()?.status();
    matches!(status, Status::Committed | Status::Editing | Status::Preview | Status::Ok | Status::Reverted)
        .then_some(desk.removes)
}

/// Puts a fix into arguments; `None` if the tool has no argument for it.
fn put_fix(arguments: &mut Value, schema: &Value, fix: &PartFix) -> Option<()> {
    if let [patch] = pointers(schema, "patch", fix.part, SHAPE).as_slice() {
        return mend_patch(arguments.pointer_mut(patch)?, fix);
    }
    for (field, value) in values(&fix.fix)? {
        let of_field = |field| pointers(schema, field, fix.part, SHAPE).into_iter();
        let given = |pointer: &String| arguments.pointer(pointer).is_some_and(|given| !given.is_null());
        let has_name = |pointer: &String| {
            fix.name.as_deref().is_some_and(|name| arguments.pointer(pointer).is_some_and(|given| given == name))
        };
        // The argument that holds the wrong name, else the first one that is given, else the first.
        let wrong = of_field(field).find(has_name);
        let pointer = wrong.or_else(|| of_field(field).find(given)).or_else(|| of_field(field).next())?;
        let (outer, name) = pointer.rsplit_once('/')?;
        arguments.pointer_mut(outer)?.as_object_mut()?.insert(name.to_owned(), value);
    }
    Some(())
}

/// Returns the JSON pointers of the arguments that hold a field; in a list, those of item `part`. Arguments more than
/// `depth` levels deep belong to another bullet.
fn pointers(schema: &Value, field: &str, part: usize, depth: usize) -> Vec<String> {
    let (Some(properties), 1..) = (schema["properties"].as_object(), depth) else { return Vec::new() };
    let of_property = |(name, property): (&String, &Value)| {
        // These two are the same in every tool.
        let is_field = property["fix"] == field || (name == field && matches!(field, "section" | "block"));
        let (inner, path) = match &property["items"] {
            Value::Null => (property, format!("/{name}")),
            item => (item, format!("/{name}/{part}")),
        };
        let nested = pointers(inner, field, part, depth - 1).into_iter().map(|pointer| format!("{path}{pointer}"));
        is_field.then(|| path.clone()).into_iter().chain(nested).collect::<Vec<_>>()
    };
    properties.iter().flat_map(of_property).collect()
}

/// Returns the values that a fix gives to fields of a request, which schemas name by the keyword `fix`: `text` is what
/// is sought, `new_text` what replaces it, `count` how often it must occur. A `patch` is changed by [`mend_patch`].
fn values(fix: &Fix) -> Option<Vec<(&'static str, Value)>> {
    let one = |field, value: &str| vec![(field, Value::from(value))];
    Some(match fix {
        Fix::NameSection(name) => one("section", name),
        Fix::NameBlock(id) => one("block", id),
        Fix::UseKey(key) => one("key", key),
        Fix::UseIndex(index) => vec![("index", json!(index))],
        Fix::CopyText(text) => one("text", text),
        Fix::WholeWords => vec![("whole_words", json!(true))],
        Fix::KeepTies => vec![("keep_ties", json!(true))],
        Fix::Widen { old, new } => [one("text", old), one("new_text", new)].concat(),
        Fix::Once(fix) => [values(fix)?, vec![("count", json!(1))]].concat(),
        _ => return None,
    })
}

/// Puts a fix into a patch: changes an anchor or context.
fn mend_patch(text: &mut Value, fix: &PartFix) -> Option<()> {
    let plain = patch::plain(text.as_str()?);
    let patch: Patch = plain.parse().ok()?;
    let [own] = patch.documents.as_slice() else { return None };
    let PatchPart::Hunk(hunk) = own.parts.get(fix.part)? else { return None };
    let first = hunk.first_line - 1;
    let mut lines: Vec<String> = plain.split('\n').map(str::to_owned).collect();
    let (place, written) = match &fix.fix {
        Fix::AddContext(context) => (first..first, context.iter().map(|line| format!(" {line}")).collect()),
        other => match values(other)?.as_slice() {
            [(field @ ("section" | "block" | "key"), Value::String(name))] => {
                // The only anchor, or the one with the wrong name, is replaced: each other one stays.
                let (wrong, anchors) = (fix.name.as_deref(), &hunk.anchors);
                let is_wrong = |anchor: &&Anchor| wrong.is_some() && anchor.name() == wrong || anchors.len() == 1;
                let replaced = hunk.anchor_lines.iter().zip(anchors).find(|(_, anchor)| is_wrong(anchor));
                (replaced.map_or(first..first, |(line, _)| line - 1..*line), vec![format!("@@ {field}: {name}")])
            }
            _ => return None,
        },
    };
    lines.splice(place, written);
    *text = lines.join("\n").into();
    Some(())
}

/// Returns the offered tool that reads the current text; for a session tool, the one that shows pending changes.
fn reader(call: &Call<'_>) -> &'static str {
    let own = if call.tool.is_of_sessions() { "memo_read" } else { "memory_read" };
    let is_offered = call.offered.iter().any(|tool| tool.name == own);
    if is_offered { own } else { "your reading tool" }
}

/// Returns the hint of a refusal that has neither a retry nor a hint of its own. `{read}` stands for the reading tool.
const fn advice(code: Code) -> &'static str {
    match code {
        Code::Ambiguous | Code::CountMismatch => {
            "put the `change` of the candidate that is meant into the call; if it has none, send its `key` as {read} shows it, or \
             more of the text around it; if all are meant, the right count"
        }
        Code::Busy | Code::Store => "send the same call again later; if that fails, too, tell the user",
        Code::ChainBroken => "tell the user that the journal of the memory has been changed by other means",
        Code::Conflict | Code::MissingRevision | Code::StaleRevision => "call {read}, then edit the text as it now is",
        Code::ContextTooThin => "say more of the place: the key or the text of the bullet, or the lines around it",
        Code::DuplicateBullet | Code::DuplicateId | Code::DuplicateSection => "change that one, or choose another name",
        Code::HasChildren => "add \"children\": \"delete\" (they go, too) or \"keep\" (one level up) to that edit",
        Code::HookFailed => "send the new text yourself as `candidate`, or the same call again later",
        Code::Indeterminate => "send the same call again: if the change was made, the reply says so",
        Code::InvalidArguments => "send the call with these arguments corrected",
        Code::InvalidPatch => {
            "mend that line and send the whole patch: below `@@ section: NAME` each line begins with ` `, `-` or `+`; for sections \
             `*** Add Section: NAME` and `+` lines, or `*** Move Section: NAME` and below it `*** Under: NAME` or `*** Last`"
        }
        Code::InvalidText => "change what the message names, or write that line, too",
        Code::LossTooHigh => "keep more as it is, raise `budget_tokens`, or name released sections in `may_drop`",
        Code::NeedsAnchor => "name one of these as the section, in a patch by `@@ section: NAME` above the lines",
        Code::NoSession => "stage an edit first, with memo_replace, memo_append or memo_stage",
        Code::NotFound => "if a listed name or a line of `closest` is meant, send it as it stands; else call {read}",
        Code::LostIds | Code::MissingSection | Code::PinnedLost => "keep in the new text what is named, as it stands",
        Code::OmissionPlaceholder => "send the whole new text: what it leaves out is gone from the memory",
        Code::OverlappingEdits => "send the parts that touch the same text as one, or in calls of their own",
        Code::Pinned => "leave that bullet as it is, or ask the user to have it unpinned",
        Code::RefusedByPolicy => "leave that out; if it is what the user wants, tell them why it was refused",
        Code::ReservedSection => "leave the reserved section as it is: no tool can change it; tell your user",
        Code::StaleMatch => "call {read}; if what you mean still stands there, send the call again without `match_id`",
        Code::OverBudget | Code::TooLarge => "shorten or remove something, in this edit or before it, or allow more",
        Code::TaskDepth | Code::TooManyChanges => "call memo_commit or memo_revert first, then go on",
        Code::Redacted
        | Code::Superseded
        | Code::UnknownChange
        | Code::UnknownDocument
        | Code::UnknownEntry
        | Code::UnknownTask
        | Code::UnknownTool => "name one that is there",
    }
}
