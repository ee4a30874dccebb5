//! `memo_preview`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::super::answer::{Done, InSession, Quote};
use super::super::super::definition::{About, Call, CallError, Reads};
use super::super::super::desk::Desk;
use super::super::super::editing::{current, done, has_seen, no_session};
use super::super::super::{Effect, Status, ToolDefinition, phrase};
use crate::session::{PreviewMode, Session};
use crate::text::printable;

pub(in super::super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memo_preview",
    title: "Preview the session",
    effect: Effect::Read,
    description: "Shows what is pending in the editing session. Use it before memo_commit. Example: {\"format\": \"diff\"}",
    synonyms: &[&[("format", "mode view")]],
    phrase: phrase::nothing,
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// `compact` (default) with lines around each change, `full`, `stats` with counts only, `diff` as a unified diff.
    #[schemars(with = "Option<String>", extend("enum" = ["compact", "full", "stats", "diff"]))]
    format: Option<PreviewMode>,
}

impl Reads for Arguments {
    type Told = InSession;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<InSession>, CallError> {
        let config = &desk.editing.config.editing;
        let mode = self.format.unwrap_or(config.preview_mode);
        let Some(open) = &desk.editing.open else { return Err(no_session(&desk.editing).into()) };
        let (session, left_out) = on_current(desk, &open.session)?;
        let text = match mode {
            PreviewMode::Stats | PreviewMode::Diff => session.preview(mode, config),
            PreviewMode::Compact | PreviewMode::Full => session.render_as(&open.title(), mode, config),
        };
        let mut done = done(Status::Preview, desk, call);
        (done.own.text, done.own.rendered) = (Some(Quote::Lines(printable(&text))), None);
        Ok(match left_out {
            None => done,
            Some(left_out) => done.with_message(left_out),
        })
    }
}

/// Returns the session on the texts as they stand now, as far as its agent has been shown them, and what is to be said of that.
fn on_current(desk: &Desk, session: &Session) -> Result<(Session, Option<String>), CallError> {
    let (mut on, mut left_out, mut is_other) = (session.clone(), Vec::new(), false);
    for (name, base) in session.documents() {
        let current = current(desk, name)?;
        if current.revision() == base.revision() || !has_seen(desk, name, &current) {
            continue;
        }
        let (next, mut letters) = on.on(name, &current, desk.memory().now());
        (on, is_other) = (next, true);
        left_out.append(&mut letters);
    }
    let letters: Vec<_> = left_out.iter().map(ToString::to_string).collect();
    let said = match letters.as_slice() {
        [] => "this is how it stands on the text as others have changed it".to_owned(),
        letters => format!(
            "this is how it stands on the text as others have changed it, without what is in conflict: {}",
            letters.join(", ")
        ),
    };
    Ok((on, is_other.then_some(said)))
}
