//! `memo_append`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::session::{Append, Intent};
use crate::toolbox::answer::{Done, InSession};
use crate::toolbox::definition::{About, Call, CallError, Reads, Requested};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::{Staging, stage};
use crate::toolbox::retry::Field;
use crate::toolbox::tools::edit::document;
use crate::toolbox::{Effect, ToolDefinition};

pub(crate) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memo_append",
    title: "Stage an addition",
    effect: Effect::Stage,
    description: "Stages lines at the end of a section, before its subsections, or of the document, in an editing session. Write a \
        bullet with its marker. Example: {\"text\": \"- Likes tea\", \"section\": \"Facts\"}",
    synonyms: &[&[("text", "content new_text lines")]],
    fields: &[(Field::Section, "/section")],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The lines to add.
    text: String,
    /// The title or path of the section. Default: the end of the document.
    section: Option<String>,
    /// The document. Default: `memory`.
    document: Option<String>,
}

impl Reads for Arguments {
    type Told = InSession;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<InSession>, CallError> {
        let document = document(self.document.as_deref())?;
        let intent = Intent::Insert(self.text.as_str().into());
        let mut append = Append::new(self.text);
        append.section = self.section.map(Into::into);
        let staging = Staging { document, base: None, intent, request: Requested::Edit(Box::new(append)) };
        Ok(stage(desk, call, vec![staging])?)
    }
}
