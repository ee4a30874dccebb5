//! `memo_append`, `memo_stage` and `memo_unstage`: changes become pending, and are taken out again.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::document::MemoryDoc;
use crate::memory::{DocName, MemoryError};
use crate::request::{Request, View};
use crate::session::{Append, Intent, Letter, Outcome, Session, SessionError, Wanted};
use crate::text::excerpt;
use crate::toolbox::apply::{missing_revision, replaces_unseen};
use crate::toolbox::definition::Kind;
use crate::toolbox::editing::base::{carry, open};
use crate::toolbox::editing::state::no_session;
use crate::toolbox::refusal::in_document;
use crate::toolbox::tools::{ALL, editor};
use crate::toolbox::{Answer, Asked, Context, Desk, Mode, Refused, Reply, Status, Tool, memory_error};

/// Stages lines in an editing session: at the end of a section, before its subsections, or of the
/// document. Write a bullet with its marker.
/// Example: {"text": "- Likes tea", "section": "Facts"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoAppend {
    /// The lines to add.
    #[schemars(extend("aliases" = "content new_text lines"))]
    text: String,
    /// The title or path of the section. Default: the end of the document.
    section: Option<String>,
}

impl Tool for MemoAppend {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let intent = Intent::Insert(self.text.as_str().into());
        let mut append = Append::new(self.text);
        append.section = self.section.map(Into::into);
        let asked = Asked { text: cx.named_text()?, request: Box::new(append) };
        stage(cx, &intent, vec![asked])
    }
}

/// Stages what any editing tool would do, in an editing session: give its name and its arguments.
/// Example: {"tool": "edit_items", "args": {"edits": [{"op": "delete", "target": {"contains":
/// "old"}}]}}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoStage {
    /// The name of the editing tool.
    #[schemars(extend("aliases" = "tool_name name"))]
    tool: String,
    /// The arguments that it would be called with.
    #[schemars(with = "serde_json::Map<String, Value>", extend("aliases" = "arguments input parameters"))]
    #[serde(rename = "args")]
    _args: Value,
}

impl Tool for MemoStage {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        // If no editing tool is offered, all may be named.
        let has_editor = cx.call.offered.iter().any(|tool| tool.kind == Kind::Editor);
        let editor = editor(if has_editor { cx.call.offered } else { &ALL }, &self.tool)?;
        cx.within(editor, "args", Mode::Stage)
    }
}

/// Takes one pending change out of the editing session, by its letter; the others stay.
/// Example: {"change_id": "B"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoUnstage {
    /// The letter of the change.
    #[schemars(extend("aliases" = "change change_ids id letter"))]
    change_id: String,
}

impl Tool for MemoUnstage {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let found = excerpt(&self.change_id, 20);
        let invalid = || Refused::invalid(format!("`change_id`: expected a letter, found `{found}`"));
        let letter = Letter::read(&self.change_id).ok_or_else(invalid)?;
        let editing = &mut cx.desk.editing;
        let Some(open) = editing.open.as_mut() else { return Err(no_session(editing)) };
        open.session.unstage(letter)?;
        let message = format!("change {letter} is no longer pending");
        Ok(cx.reply(Status::Editing).with_message(message.as_str()))
    }
}

/// Returns the request to plan on the draft, and the earlier text that a rewrite is measured against. The host's
/// compactor is called here, once, with the draft.
fn planned(
    desk: &Desk,
    session: &Session,
    document: &DocName,
    request: Box<dyn Request>,
) -> Result<(Box<dyn Request>, Option<MemoryDoc>), MemoryError> {
    let (Some(rewrite), Some(draft)) = (request.as_rewrite(), session.draft(document)) else {
        return Ok((request, None));
    };
    let memory = desk.memory();
    let earlier = memory.text_before_rewrites(document)?.map(|text| MemoryDoc::with_rules(text, draft.rules().clone()));
    let earlier = earlier.or_else(|| session.text_before_rewrites(document).cloned());
    let view = View::current(draft, memory.now()).since(earlier.as_ref());
    let written = memory.with_candidate(document, rewrite, &view, &desk.author("memo_stage"))?;
    Ok((Box::new(written.unwrap_or_else(|| rewrite.clone())), earlier))
}

/// Stages changes, all or none, and returns the reply.
pub(crate) fn stage(cx: &mut Context<'_>, intent: &Intent, changes: Vec<Asked>) -> Answer {
    let desk = &mut *cx.desk;
    carry(desk)?;
    let (mut session, mut outcomes) = (desk.editing.session(), Vec::new());
    let (before, is_one) = (session.changes().len(), changes.len() == 1);
    for Asked { text, request } in changes {
        open(desk, &mut session, &text)?;
        let document = &text.document;
        let draft = session.known_draft(document)?;
        let shown = desk.known.in_session(document, &session);
        let known = shown.as_ref().map_or_else(|| draft.clone(), |shown| shown.on_text(draft.believed()));
        if replaces_unseen(&*request, &known) {
            return Err(missing_revision(desk, &text));
        }
        let (request, earlier) = planned(desk, &session, document, request)?;
        let time = desk.memory().now();
        desk.check_shown(document, &*request, &known, shown.as_ref())?;
        // The parts of one change have one letter.
        let letter = outcomes.iter().find_map(|outcome: &Outcome| outcome.letter());
        let wanted =
            Wanted { letter, document: document.clone(), intent: intent.clone(), request: &*request, time, earlier };
        let staged = session.stage_wanted(wanted, &known).map_err(|error| match &error {
            SessionError::Refused(refusal) if !is_one => in_document(memory_error(refusal), refusal),
            _ => error.into(),
        });
        outcomes.push(staged?);
    }
    Ok(keep(cx, session, before, &outcomes))
}

/// Keeps a session with newly staged changes, and returns the reply.
pub(super) fn keep(cx: &mut Context<'_>, session: Session, before: usize, outcomes: &[Outcome]) -> Reply {
    let Some(letter) = outcomes.iter().find_map(|outcome| outcome.letter()) else {
        let (status, message) = match outcomes.contains(&Outcome::AlreadyThere) {
            true => (Status::AlreadyApplied, "the change is there already; nothing is pending for it"),
            false => (Status::NoChange, "the text would be the same; nothing is pending for it"),
        };
        return cx.reply(status).with_message(message);
    };
    let desk = &mut *cx.desk;
    let staged = session.changes().get(before..).unwrap_or_default();
    desk.removes = staged.iter().any(|change| change.edit.removes());
    staged.iter().for_each(|change| desk.known.stage(&change.document, &change.edit));
    let parts: Vec<_> = staged.iter().flat_map(|change| change.edit.parts()).cloned().collect();
    let now = desk.memory().now();
    desk.editing.keep(session, now);
    desk.editing.close_question();
    let beside = if before > 0 { ", beside the earlier ones" } else { "" };
    let message = format!("change {letter} is pending{beside}; nothing is written before memo_commit");
    cx.reply(Status::Editing).with_notes_of(parts.iter()).with_message(message.as_str())
}
