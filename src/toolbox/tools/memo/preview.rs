//! `memo_preview`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::super::answer::{Done, InSession, Quote};
use super::super::super::definition::{About, Call, CallError, Reads};
use super::super::super::desk::Desk;
use super::super::super::editing::{done, no_session, on_seen};
use super::super::super::{Effect, Status, ToolDefinition, phrase};
use crate::session::PreviewMode;
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
        let on = on_seen(desk, &open.session);
        let session = &on.session;
        let text = match mode {
            PreviewMode::Stats | PreviewMode::Diff => session.preview(mode, config),
            PreviewMode::Compact | PreviewMode::Full => session.render_as(&open.title(), mode, config),
        };
        let mut done = done(Status::Preview, desk, call);
        (done.own.text, done.own.rendered) = (Some(Quote::Lines(printable(&text))), None);
        Ok(match on.said(|_| true) {
            None => done,
            Some(said) => done.with_message(said),
        })
    }
}
