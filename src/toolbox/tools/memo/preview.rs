//! `memo_preview`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::session::PreviewMode;
use crate::text::printable;
use crate::toolbox::answer::{Done, InSession, Quote};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::{done, no_session, on_seen};
use crate::toolbox::tools::query::one_of;
use crate::toolbox::{Effect, Status, ToolDefinition};

pub(crate) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memo_preview",
    title: "Preview the session",
    effect: Effect::Read,
    description: "Shows what is pending in the editing session. Use it before memo_commit. Example: {\"format\": \"diff\"}",
    synonyms: &[&[("format", "mode view")]],
    fields: &[],
});

const MODES: &[(&str, PreviewMode)] = &[
    ("compact", PreviewMode::Compact),
    ("full", PreviewMode::Full),
    ("stats", PreviewMode::Stats),
    ("diff", PreviewMode::Diff),
];

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// `compact` (default) with lines around each change, `full`, `stats` with counts only, `diff` as a unified diff.
    #[schemars(extend("enum" = ["compact", "full", "stats", "diff"]))]
    format: Option<String>,
}

impl Reads for Arguments {
    type Told = InSession;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<InSession>, CallError> {
        let config = &desk.editing.config.editing;
        let mode = self.format.as_deref().map_or(Ok(config.preview_mode), |format| one_of("format", MODES, format))?;
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
