//! `memo_read`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::toolbox::answer::{Done, InSession};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::{done, is_past, on_seen};
use crate::toolbox::retry::Field;
use crate::toolbox::tools::edit::document;
use crate::toolbox::tools::query::one_of;
use crate::toolbox::tools::read::{VIEWS, part, shown};
use crate::toolbox::{Effect, Status, ToolDefinition};

pub(crate) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memo_read",
    title: "Read the draft",
    effect: Effect::Read,
    description: "Reads the memory with what is pending in the editing session made, and lists that. Example: {\"view\": \"numbered\"}",
    synonyms: &[&[("view", "format mode"), ("section", "title")]],
    fields: &[(Field::Section, "/section")],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The document to read. Default: `memory`.
    document: Option<String>,
    /// The title or path of the section to read. Default: the whole document.
    section: Option<String>,
    /// How: `text` (default), `numbered` with line numbers, `keyed` with the keys of bullets.
    #[schemars(extend("enum" = VIEWS.map(|(name, _)| name)))]
    view: Option<String>,
}

impl Reads for Arguments {
    type Told = InSession;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<InSession>, CallError> {
        let name = document(self.document.as_deref())?;
        let on = desk.editing.open.as_ref().map(|open| on_seen(desk, &open.session));
        let draft = on.as_ref().and_then(|on| on.session.draft(&name));
        let doc = match &draft {
            Some(draft) => (*draft).clone(),
            None => desk.memory().read(&name)?,
        };
        let (part, healed) = part(&doc, &name, self.section.as_deref())?;
        let text = shown(&doc, part, one_of("view", &VIEWS, self.view.as_deref().unwrap_or("text"))?);
        let base = on.as_ref().and_then(|on| on.session.base(&name));
        match (base, &self.section) {
            (None, None) => desk.known.show(&name, &doc),
            (None, Some(_)) => desk.known.show_lines(&name, &doc, part),
            // What others have changed in the other parts has not been seen.
            (Some(_), Some(_)) if is_past(desk, &name) => {}
            (Some(base), _) => desk.known.show_draft(&name, &doc, base, part),
        }
        let mut done = done(Status::Ok, desk, call).with_healed(&healed);
        done = done.with_revision(base.unwrap_or(&doc).revision());
        if let Some(said) = on.as_ref().and_then(|on| on.said(|changed| *changed == name)) {
            done = done.with_message(said);
        }
        let listed = on.as_ref().map(|on| format!("\npending changes:\n{}", on.session.listed()));
        (done.own.text, done.own.rendered) = (Some(text), listed);
        Ok(done)
    }
}
