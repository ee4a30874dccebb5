//! Retries: whole calls that would be committed, made from a refused call and the fixes that its refusal holds.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::edit::{Edit, Splice};
use crate::locate::{BulletTest, Code, Diagnostic, Fix, LocateError, Target};
use crate::request::patch::{Anchor, DocumentPatch, Hunk, HunkLine, LineOp, Patch, PatchPart};
use crate::request::{Failure, Refusal, RequestError};
use crate::text::{Content, is_blank};
use crate::toolbox::context::{Given, answer};
use crate::toolbox::definition::Call;
use crate::toolbox::desk::Desk;
use crate::toolbox::refused::{Places, Refused};
use crate::toolbox::{Status, ToolDefinition, advice};

/// How long the change may be that means one of several places, in characters of JSON.
const CHANGE: usize = 400;

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ToolCall {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
}

/// A part of a request that a fix changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The text that is sought.
    Text,
    /// The text in its place.
    NewText,
    /// How often it must occur.
    Count,
    /// Whether whole words count only.
    WholeWords,
    /// The text to look behind.
    After,
    Section,
    Block,
    Slot,
    Key,
    Index,
    /// The place of a new bullet.
    Place,
    /// What becomes of nested bullets.
    Children,
    /// Whether bullets that compare equal keep their order.
    Ties,
    /// A patch, in which anchors and context are changed.
    Patch,
}

/// Where the fields of a tool stand in its arguments, as JSON pointers; `{part}` is the index of the failing part.
pub(crate) type Fields = &'static [(Field, &'static str)];

/// A call of an editing tool that stands in the arguments of another tool.
#[derive(Clone)]
pub(crate) struct Nested {
    pub(crate) editor: &'static ToolDefinition,
    /// The argument that holds its arguments.
    pub(crate) member: &'static str,
    pub(crate) arguments: Value,
}

/// What of a refused call may be changed.
#[derive(Clone, Default)]
pub(crate) enum Remedy {
    #[default]
    None,
    /// These changes mend all failing parts.
    Fixes(Vec<PartFix>),
    /// The same call is right once its agent has seen what has changed, with these arguments.
    Again(Map<String, Value>),
}

/// The change of one part of a request.
#[derive(Clone)]
pub(crate) struct PartFix {
    part: usize,
    fix: Fix,
    /// The name that was not found.
    name: Option<Content>,
    /// What it may take away, by how far it goes from what was sent.
    may_take: Taken,
}

/// What an edit takes from a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Taken {
    /// It only adds.
    #[default]
    Nothing,
    /// It writes something in the place of what it takes.
    Rewritten,
    /// It takes text away and writes none in its place.
    Removed,
}

impl Taken {
    pub(crate) fn of<'a>(edits: impl Iterator<Item = &'a Edit>) -> Self {
        let of_splice = |splice: &Splice| match (splice.span.is_empty(), splice.text.is_empty()) {
            (true, _) => Self::Nothing,
            (false, true) => Self::Removed,
            (false, false) => Self::Rewritten,
        };
        edits.flat_map(Edit::splices).map(of_splice).max().unwrap_or_default()
    }
}

impl Remedy {
    /// Returns the changes that mend all failing parts of a request, if each has one.
    pub(crate) fn of(error: &RequestError) -> Self {
        let fixes: Option<Vec<_>> = error.failures().iter().map(PartFix::of).collect();
        fixes.map_or(Self::None, Self::Fixes)
    }
}

impl PartFix {
    fn of(failure: &Failure) -> Option<Self> {
        let fix = failure.refusal.fix()?.clone();
        let (name, may_take) = match &failure.refusal {
            Refusal::Locate(LocateError::NotFound { what, help }) => (name_of(what), may_take(what, help, &fix)),
            // Which of several places is meant, or how many, is a choice; what stands at an index is not known to be meant.
            Refusal::CountMismatch { .. } if fix != Fix::WholeWords => return None,
            _ => (None, Taken::Removed),
        };
        Some(Self { part: failure.part, fix, name, may_take })
    }
}

/// Returns what a call may take away that a fix has changed: what was sent may be another thing than what has nearly its name,
/// and what stands in a place that was named is not meant in another.
fn may_take(what: &Target, help: &Diagnostic, fix: &Fix) -> Taken {
    match (what, fix) {
        // The block is there, but not in the section that was named.
        (Target::Block(sent), Fix::NameBlock(id)) if sent == id => Taken::Nothing,
        (_, Fix::DropScope) => Taken::Nothing,
        (Target::Section(_) | Target::Block(_) | Target::Slot(_), _) => Taken::Rewritten,
        // The title that was sent, which no line reads without its `#`s, names no other place.
        (Target::Lines(sent), Fix::NameSection(name)) if help.reasons.is_empty() && *sent == [name.clone()] => {
            Taken::Removed
        }
        (_, Fix::NameSection(_) | Fix::NameBlock(_) | Fix::Beside { .. }) => Taken::Nothing,
        _ => Taken::Removed,
    }
}

fn name_of(what: &Target) -> Option<Content> {
    match what {
        Target::Section(name) | Target::Block(name) | Target::Slot(name) => Some(name.clone()),
        _ => None,
    }
}

/// Completes a refusal: the retry and the changes that mean one place, each tried on the same text, and the hint.
pub(crate) fn complete(desk: &Desk, call: &Call<'_>, mut refused: Box<Refused>) -> Box<Refused> {
    if desk.is_trial {
        return refused;
    }
    let attempt = Attempt { desk, call, nested: refused.nested.take() };
    refused.retry = match std::mem::take(&mut refused.remedy) {
        Remedy::None => None,
        Remedy::Fixes(fixes) => attempt.fixed(&fixes),
        Remedy::Again(more) => match attempt.again(more) {
            Ok(call) => Some(call),
            Err(now) => {
                refused = refused.refused_now(now);
                None
            }
        },
    };
    let is_alone = refused.failures.as_ref().is_none_or(|failures| failures.len() < 2);
    let part = match refused.failures.as_ref().and_then(|failures| failures.first()?["part"].as_u64()) {
        Some(number) => usize::try_from(number).unwrap_or(1) - 1,
        None => 0,
    };
    let choices = std::mem::take(&mut refused.choices);
    let rows = refused.places.iter_mut().flat_map(|places| &mut places.candidates);
    for (row, fix) in rows.zip(choices).filter(|_| is_alone) {
        let change = fix.and_then(|fix| attempt.choosing(PartFix { part, fix, name: None, may_take: Taken::Removed }));
        if let Some(change) = change {
            row["change"] = Value::Object(change);
        }
    }
    if refused.code == Code::HasChildren {
        // What its tool has no argument for is no choice.
        let is_choice = |places: &Places| places.candidates.iter().any(|row| row["change"].is_object());
        refused.places = refused.places.filter(is_choice);
    }
    if refused.retry.is_some() || refused.hint.is_none() {
        refused.hint = Some(match (&refused.retry, refused.code) {
            (None, Code::InvalidArguments) => attempt.tool().call_shape(),
            _ => advice::hint(attempt.tool(), call.offered, &refused),
        });
    }
    refused.fitted()
}

/// A refused call, of which others are made.
struct Attempt<'a> {
    desk: &'a Desk,
    call: &'a Call<'a>,
    nested: Option<Nested>,
}

impl Attempt<'_> {
    fn tool(&self) -> &ToolDefinition {
        self.nested.as_ref().map_or(self.call.tool, |nested| nested.editor)
    }

    fn arguments(&self) -> Value {
        self.nested.as_ref().map_or_else(|| self.call.arguments.clone().into_owned(), |nested| nested.arguments.clone())
    }

    /// Returns the call with other arguments of the tool that refused it.
    fn with(&self, arguments: Value) -> ToolCall {
        let arguments = match &self.nested {
            None => arguments,
            Some(nested) => {
                let mut outer = self.call.arguments.clone().into_owned();
                outer[nested.member] = arguments;
                outer
            }
        };
        ToolCall { tool: self.call.tool.name, arguments }
    }

    fn fixed(&self, fixes: &[PartFix]) -> Option<ToolCall> {
        let mut arguments = self.arguments();
        for fix in fixes {
            changed(&mut arguments, self.tool().fields, fix)?;
        }
        let call = self.with(arguments);
        let loss = tried(self.desk, self.call.offered, &call).ok()?;
        fixes.iter().all(|fix| loss <= fix.may_take).then_some(call)
    }

    /// Returns the same call with more arguments, or why it would be refused.
    fn again(&self, more: Map<String, Value>) -> Result<ToolCall, Option<Box<Refused>>> {
        let mut arguments = self.arguments();
        arguments.as_object_mut().ok_or(None)?.extend(more);
        let call = self.with(arguments);
        tried(self.desk, self.call.offered, &call).map(|_| call)
    }

    /// Returns the arguments that change where the call means one place.
    fn choosing(&self, fix: PartFix) -> Option<Map<String, Value>> {
        let mut arguments = self.arguments();
        changed(&mut arguments, self.tool().fields, &fix)?;
        let call = self.with(arguments);
        let Value::Object(mut change) = call.arguments.clone() else { return None };
        change.retain(|name, value| self.call.arguments.get(name) != Some(value));
        let is_short = json!(change).to_string().chars().take(CHANGE + 1).count() <= CHANGE;
        (is_short && tried(self.desk, self.call.offered, &call).is_ok()).then_some(change)
    }
}

/// Plans a call on the text as it stands; returns what it would take away.
///
/// # Errors
///
/// It would not be made: why, where it would be refused.
pub(crate) fn tried(
    desk: &Desk,
    offered: &[&'static ToolDefinition],
    call: &ToolCall,
) -> Result<Taken, Option<Box<Refused>>> {
    let tool = offered.iter().find(|tool| tool.is_called(call.tool)).filter(|tool| tool.can_be_tried()).ok_or(None)?;
    let mut desk = desk.clone();
    desk.is_trial = true;
    let given = Given { name: call.tool, arguments: &call.arguments, mended: None };
    let reply = answer(&mut desk, tool, offered, &given)?;
    let is_made = |status| matches!(status, Status::Committed | Status::Editing | Status::Preview | Status::Ok);
    if is_made(reply.status()) { Ok(desk.taken) } else { Err(None) }
}

/// Makes a change of the arguments of a tool; `None` if the tool has no argument for it.
fn changed(arguments: &mut Value, fields: Fields, change: &PartFix) -> Option<()> {
    let mut fields = Pointed { arguments, fields, change };
    fields.apply(&change.fix)
}

/// The arguments of a call, with its fields.
struct Pointed<'a> {
    arguments: &'a mut Value,
    fields: Fields,
    change: &'a PartFix,
}

impl Pointed<'_> {
    fn apply(&mut self, fix: &Fix) -> Option<()> {
        if self.fields.iter().any(|(field, _)| *field == Field::Patch) {
            return self.patch(fix);
        }
        match fix {
            Fix::NameSection(name) => self.set(Field::Section, name.as_str()),
            Fix::NameBlock(id) => self.set(Field::Block, id.as_str()),
            Fix::NameSlot(name) => self.set(Field::Slot, name.as_str()),
            Fix::UseKey(key) => self.set(Field::Key, key.as_str()),
            Fix::UseIndex(index) => self.set(Field::Index, *index),
            Fix::CopyText(text) => self.set(Field::Text, text.as_str()),
            Fix::WholeWords => self.set(Field::WholeWords, true),
            Fix::KeepTies => self.set(Field::Ties, true),
            Fix::DeleteChildren => self.set(Field::Children, "delete"),
            Fix::KeepChildren => self.set(Field::Children, "keep"),
            Fix::Widen { old, new } => {
                self.set(Field::Text, old.as_str())?;
                self.set(Field::NewText, new.as_str())
            }
            Fix::Beside { section, block, side, key } => {
                let mut place = json!({side.to_string(): {"key": key.as_str()}});
                for (name, value) in [("section", section), ("block", block)] {
                    if let Some(value) = value {
                        place[name] = value.as_str().into();
                    }
                }
                self.set(Field::Place, place)
            }
            Fix::Once(fix) => {
                self.apply(fix)?;
                self.set(Field::Count, 1)
            }
            Fix::DropScope => {
                [Field::Section, Field::Block, Field::After].into_iter().for_each(|field| self.clear(field));
                Some(())
            }
            _ => None,
        }
    }

    /// Sets the field that holds the name which was not found, else the first that is given, else the first.
    fn set(&mut self, field: Field, value: impl Into<Value>) -> Option<()> {
        let all = self.pointers(field);
        let name = self.change.name.as_deref();
        let held = |pointer: &&String| self.arguments.pointer(pointer).and_then(Value::as_str);
        let is_given = |pointer: &&String| self.arguments.pointer(pointer).is_some_and(|value| !value.is_null());
        let named = name.and_then(|name| all.iter().find(|pointer| held(pointer) == Some(name)));
        let pointer = named.or_else(|| all.iter().find(is_given)).or_else(|| all.first())?;
        let mut place = &mut *self.arguments;
        for step in pointer.split('/').skip(1) {
            place = match place {
                Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?)?,
                Value::Null => {
                    *place = json!({});
                    place.as_object_mut()?.entry(step).or_insert(Value::Null)
                }
                Value::Object(members) => members.entry(step).or_insert(Value::Null),
                _ => return None,
            };
        }
        *place = value.into();
        Some(())
    }

    fn clear(&mut self, field: Field) {
        for pointer in self.pointers(field) {
            let (outer, name) = pointer.rsplit_once('/').unwrap_or_default();
            if let Some(members) = self.arguments.pointer_mut(outer).and_then(Value::as_object_mut) {
                members.remove(name);
            }
        }
    }

    fn pointers(&self, field: Field) -> Vec<String> {
        let all = self.fields.iter().filter(|(own, _)| *own == field);
        all.map(|(_, pointer)| pointer.replace("{part}", &self.change.part.to_string())).collect()
    }

    /// Changes the anchors or the context of a hunk.
    fn patch(&mut self, fix: &Fix) -> Option<()> {
        let pointer = self.pointers(Field::Patch).pop()?;
        let text = self.arguments.pointer_mut(&pointer)?;
        let mut patch: Patch = text.as_str()?.parse().ok()?;
        // The parts of a document are numbered by themselves; of several, it is not told which is meant.
        let [DocumentPatch { parts, .. }] = patch.documents.as_mut_slice() else { return None };
        let PatchPart::Hunk(hunk) = parts.get_mut(self.change.part)? else { return None };
        mend(hunk, fix)?;
        *text = patch.to_string().into();
        Some(())
    }
}

fn mend(hunk: &mut Hunk, fix: &Fix) -> Option<()> {
    let anchor = match fix {
        Fix::NameSection(name) => Anchor::Section(name.clone()),
        Fix::NameBlock(id) => Anchor::Block(id.clone()),
        Fix::NameSlot(name) => Anchor::Slot(name.clone()),
        Fix::UseKey(key) => Anchor::Bullet(BulletTest::Key(key.clone())),
        Fix::DropScope => {
            hunk.anchors.clear();
            return Some(());
        }
        Fix::IndentContext => {
            let context = hunk.lines.iter_mut().filter(|line| line.op == LineOp::Context && !is_blank(&line.text));
            context.for_each(|line| line.text = format!(" {}", line.text).into());
            return Some(());
        }
        Fix::AddContext(lines) => {
            let context = lines.iter().map(|text| HunkLine { op: LineOp::Context, text: text.clone() });
            hunk.lines.splice(0..0, context);
            return Some(());
        }
        _ => return None,
    };
    hunk.anchors = vec![anchor];
    Some(())
}
