//! `memo_replace` and `memo_replace_span`: a text is replaced in one place. If there are several, they get letters,
//! and the agent or `memo_commit_auto` chooses one.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::locate::Code;
use crate::memory::MemoryError;
use crate::request::{Place, Replace};
use crate::session::{Intent, Letter, Outcome, Session, SessionError, Shown};
use crate::toolbox::editing::base::{carry, open};
use crate::toolbox::editing::stage::keep;
use crate::toolbox::editing::state::Question;
use crate::toolbox::{Answer, Context, Desk, NamedText, Refused, Reply, Status, Tool};

/// Stages the replacement of a text by another in an editing session: nothing is written before
/// memo_commit. If the text stands in several places, the reply gives each a letter: send the call
/// again with that `match_id`.
/// Example: {"old_text": "timeout: 30", "new_text": "timeout: 60", "match_id": "B"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoReplace {
    /// The text to be replaced, exactly as it stands.
    #[schemars(extend("aliases" = "old_string old_str old old_content search search_text find", "fix" = "text"))]
    old_text: String,
    /// The text to put in its place; empty to delete.
    #[schemars(extend("aliases" = "new_string new_str new new_content replace replacement replace_with", "fix" = "new_text"))]
    new_text: String,
    /// True to replace it in all places at once.
    #[schemars(extend("aliases" = "all all_occurrences allow_multiple"))]
    replace_all: Option<bool>,
    /// By title or path.
    section: Option<String>,
    #[serde(flatten)]
    which: Which,
}

/// Stages the replacement of a passage in an editing session: from the start of one text to the end
/// of another, the nearest behind it.
/// Example: {"start_text": "## Old plan", "end_text": "done.", "new_text": "## Plan"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoReplaceSpan {
    /// The text that the passage begins with.
    #[schemars(extend("aliases" = "start from"))]
    start_text: String,
    /// The text that it ends with.
    #[schemars(extend("aliases" = "end to"))]
    end_text: String,
    /// The text to put in its place; empty to delete.
    #[schemars(extend("aliases" = "new_string new_str new replace replacement content"))]
    new_text: String,
    #[serde(flatten)]
    which: Which,
}

/// Which of several places is meant.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct Which {
    /// A text that stands once: looks behind it.
    #[schemars(extend("aliases" = "after anchor"))]
    search_after: Option<String>,
    /// The letter of the place meant.
    #[schemars(extend("aliases" = "match candidate letter candidate_id"))]
    match_id: Option<String>,
    /// True to show up to 26 candidates instead of the first few.
    #[schemars(extend("aliases" = "show_all"))]
    show_all_matches: Option<bool>,
    /// Only shows what it would do.
    #[schemars(extend("aliases" = "preview dry_run"))]
    preview_only: Option<bool>,
}

impl Tool for MemoReplace {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut replace = Replace::new(self.old_text, self.new_text);
        replace.section = self.section.map(Into::into);
        if self.replace_all == Some(true) {
            replace.expected = None;
        }
        ReplaceCall::of(cx, replace, self.which)?.run(cx)
    }
}

impl Tool for MemoReplaceSpan {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut replace = Replace::new(self.start_text, self.new_text);
        replace.until = Some(self.end_text.into());
        ReplaceCall::of(cx, replace, self.which)?.run(cx)
    }
}

/// A call that replaces a text in one place.
struct ReplaceCall {
    text: NamedText,
    sought: Replace,
    which: Which,
}

impl ReplaceCall {
    fn of(cx: &Context<'_>, sought: Replace, which: Which) -> Result<Self, Box<Refused>> {
        let sought = Replace { after: which.search_after.as_deref().map(Into::into), ..sought };
        Ok(Self { text: cx.named_text()?, sought, which })
    }

    fn is_preview(&self) -> bool {
        self.which.preview_only == Some(true)
    }

    /// Stages the replacement, or asks which place is meant. A preview keeps nothing.
    fn run(&self, cx: &mut Context<'_>) -> Answer {
        let desk = &mut *cx.desk;
        carry(desk)?;
        let (document, mut session) = (&self.text.document, desk.editing.session());
        open(desk, &mut session, &self.text)?;
        let known = session.known_draft(document)?;
        let now = desk.memory().now();
        desk.check_shown(document, &self.sought, &known, None)?;
        let id = self.which.match_id.as_deref();
        let place = id.map(|id| place_of(desk, &session, self, id)).transpose()?;
        let before = session.clone();
        let request = Replace { place, ..self.sought.clone() };
        let staged = session.stage(document, Intent::of(&request), &request, now);
        if id.is_none() && self.is_choice(&staged, &before, desk) {
            return ask(cx, before, self);
        }
        let outcome = staged?;
        let Some(letter) = outcome.letter().filter(|_| self.is_preview()) else {
            return Ok(keep(cx, session, before.changes().len(), &[outcome]));
        };
        if let Some(question) = desk.editing.question.as_mut().filter(|_| id.is_some()) {
            // The agent has looked at a candidate of its own choice: it no longer needs a recommendation.
            question.candidates = question.candidates.clone().unrecommended();
        }
        let mut previews = session.previews(desk.editing.config.editing.preview_max_length);
        let nth = session.changes().iter().position(|change| change.letter == letter);
        let reply = cx.reply(Status::Preview).with_message("this is what it would do; nothing is pending for it");
        Ok(reply.with_member("text", nth.map(|nth| previews.swap_remove(nth))).with_member("overview", ()))
    }

    /// Returns true if the agent must choose: not just one place may be meant, or the configuration asks about a
    /// single one, too.
    fn is_choice(&self, staged: &Result<Outcome, SessionError>, before: &Session, desk: &Desk) -> bool {
        let found = || before.candidates(&self.text.document, &self.sought);
        match staged {
            Ok(_) if desk.editing.config.matching.auto_select_single_match => false,
            Ok(_) => found().is_ok_and(|found| found.count() == 1),
            Err(error) => error.code() == Code::CountMismatch && found().is_ok(),
        }
    }
}

/// Asks which place is meant. A preview opens no session.
fn ask(cx: &mut Context<'_>, session: Session, asked: &ReplaceCall) -> Answer {
    let desk = &mut *cx.desk;
    let matching = &desk.editing.config.matching;
    let found = session.candidates(&asked.text.document, &asked.sought);
    let found = found.map_err(|error| MemoryError::Request { document: asked.text.document.clone(), error })?;
    let candidates = if matching.smart_recommendation { found } else { found.unrecommended() };
    let shows_all = asked.which.show_all_matches == Some(true);
    let shown = if shows_all { Letter::COUNT } else { matching.max_candidates_shown.min(Letter::COUNT) };
    let mut rows: Vec<_> = candidates.shown(shown).into_iter().map(row).collect();
    let count = candidates.count();
    let mut message = format!("places where the text stands: {count}; say which is meant");
    if let more @ 1.. = candidates.inside_words() {
        message.push_str(&format!(" ({more} more inside of longer words or numbers cannot be chosen)"));
    }
    let tool = if asked.sought.until.is_some() { "memo_replace_span" } else { "memo_replace" };
    if cx.call.tool.name != tool {
        // `memo_commit_auto` asks, and takes no letter.
        rows.iter_mut().for_each(|row| row["change"] = Value::Null);
    }
    let hint = format!("send {tool} again with \"match_id\" set to the letter that is meant");
    if !asked.is_preview() {
        let now = desk.memory().now();
        desk.editing.keep(session, now);
    }
    desk.editing.question = Some(Question { candidates, shown, is_open: !asked.is_preview() });
    let reply = cx.reply(Status::NeedsMatch).with_message(message.as_str()).with_member("more", count - rows.len());
    Ok(reply.with_member("candidates", rows).with_member("hint", hint).with_member("overview", ()))
}

fn row(shown: Shown) -> Value {
    let Shown { candidate, context, nearest_to, can_be_replaced, .. } = shown;
    let mut row = json!(candidate);
    row["context"] = json!(context);
    row["reason"] = json!(nearest_to.map(|letter| format!("the nearest to change {letter}")));
    row["match_id"] = json!(candidate.letter);
    row["change"] = json!(can_be_replaced.then(|| json!({"match_id": candidate.letter})));
    row
}

/// Returns the place of a letter, if it was shown for the same text.
fn place_of(desk: &mut Desk, session: &Session, asked: &ReplaceCall, id: &str) -> Result<Place, Box<Refused>> {
    let question = desk.editing.question.as_ref().filter(|question| {
        question.candidates.document == asked.text.document && question.candidates.sought.seeks_same(&asked.sought)
    });
    let place = question.and_then(|question| {
        let letter = Letter::read(id).filter(|letter| letter.index() < question.shown)?;
        question.candidates.place(letter, session)
    });
    place.ok_or_else(|| {
        // No new letters are given here: other calls with letters of the list may be on their way. And `memo_commit_auto`
        // must not answer the question of a refused call.
        desk.editing.close_question();
        let why = "no place has been shown with that letter for this text, or it is not there any more as it was shown";
        Refused::new(Code::StaleMatch, why)
    })
}

/// Stages the recommended candidate of an open question. If there is none, or its text has changed, asks again.
/// Returns `None` if no question is open.
pub(super) fn take_recommended(cx: &mut Context<'_>) -> Result<Option<Reply>, Box<Refused>> {
    carry(cx.desk)?;
    let question = cx.desk.editing.question.as_ref().filter(|question| question.is_open);
    let Some((open, question)) = cx.desk.editing.open.as_ref().zip(question) else { return Ok(None) };
    let candidates = &question.candidates;
    let letter = candidates
        .recommended()
        .filter(|letter| letter.index() < question.shown && candidates.place(*letter, &open.session).is_some());
    let which = Which {
        match_id: letter.map(|letter| letter.to_string()),
        show_all_matches: Some(question.shown == Letter::COUNT),
        ..Which::default()
    };
    let (text, sought) = (NamedText { document: candidates.document.clone(), base: None }, candidates.sought.clone());
    ReplaceCall { text, sought, which }.run(cx).map(Some)
}
