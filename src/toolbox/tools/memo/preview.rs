//! `memo_preview`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::super::answer::{Done, InSession};
use super::super::super::definition::{About, Call, CallError, Effect, Reads, ToolDefinition};
use super::super::super::desk::Desk;
use super::super::super::editing::{done, no_session};
use super::super::super::phrase;
use super::super::super::reply::Status;
use crate::session::PreviewMode;

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
    format: Option<Format>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    Compact,
    Full,
    Stats,
    Diff,
}

impl Reads for Arguments {
    type Told = InSession;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<InSession>, CallError> {
        let config = &desk.editing.config.editing;
        let mode = match self.format {
            None => config.preview_mode,
            Some(Format::Compact) => PreviewMode::Compact,
            Some(Format::Full) => PreviewMode::Full,
            Some(Format::Stats) => PreviewMode::Stats,
            Some(Format::Diff) => PreviewMode::Diff,
        };
        let Some(open) = &desk.editing.open else { return Err(no_session(&desk.editing, None).into()) };
        let text = format!("{}\n{}", open.session.listed(), open.session.preview(mode, config));
        let mut done = done(Status::Preview, desk, call);
        (done.own.text, done.own.rendered) = (Some(text), None);
        Ok(done)
    }
}
