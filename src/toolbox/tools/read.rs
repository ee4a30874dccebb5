//! `memory_read`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::answer::{Done, Quote, Tell};
use super::super::definition::{About, Call, CallError, Reads};
use super::super::desk::Desk;
use super::super::{Effect, Status, ToolDefinition, phrase};
use super::edit::document;
use super::query::one_of;
use crate::document::{MemoryDoc, TextView};
use crate::locate::{NodeKind, Rung, scope_by_name};
use crate::memory::{DocName, MemoryError, Settled};
use crate::request::RequestError;
use crate::text::Span;

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memory_read",
    title: "Read memory",
    effect: Effect::Read,
    description: "Reads your long-term memory, whole or one section, and returns its revision. Use it before the first edit, and \
        with view `keyed` for the keys of bullets. Example: {\"section\": \"Facts\", \"view\": \"keyed\"}",
    synonyms: &[&[("view", "format mode"), ("section", "title")]],
    phrase: phrase::whole_section,
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The document to read. Default: `memory`.
    document: Option<String>,
    /// The section to read, by title or path (`A > B`), with its subsections. Default: the whole document.
    section: Option<String>,
    /// How: `text` (default) as it is, `numbered` with line numbers, `keyed` with the keys of bullets.
    #[schemars(extend("enum" = VIEWS))]
    view: Option<String>,
}

/// What the tool tells.
#[derive(Clone, Serialize, JsonSchema)]
struct Text {
    /// The name of the document.
    document: String,
    /// What was read.
    #[schemars(with = "String")]
    text: Quote,
}

impl Tell for Text {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)
    }
}

impl Reads for Arguments {
    type Told = Text;

    fn read(self, desk: &mut Desk, _: &Call<'_>) -> Result<Done<Text>, CallError> {
        let name = document(self.document.as_deref())?;
        let (doc, settled) = desk.memory().look(&name)?;
        let (text, part, healed) = shown(&doc, &name, self.section.as_deref(), self.view.as_deref())?;
        match self.section {
            None => desk.known.show(&name, &doc),
            Some(_) => desk.known.show_section(&name, &doc, part),
        }
        let told = Text { document: name.to_string(), text };
        let done = Done::new(Status::Ok, told).with_revision(doc.revision()).with_healed(&healed);
        Ok(match (settled, doc.text().is_empty()) {
            (Settled::NotYet, _) => done.with_message(
                "another program is changing the document just now: this is the text before that; read it again before you edit",
            ),
            (Settled::Yes, true) => done.with_message("the document is empty: nothing has been written to it yet"),
            (Settled::Yes, false) => done,
        })
    }
}

/// The ways in which a text is read.
pub(super) const VIEWS: [&str; 3] = ["text", "numbered", "keyed"];

/// Shows the section of this name in the view of this name, and tells which part that is, and how the name was read; without a name, all
/// the document, or its text.
pub(super) fn shown(
    doc: &MemoryDoc,
    document: &DocName,
    section: Option<&str>,
    view: Option<&str>,
) -> Result<(Quote, Span, Vec<Rung>), CallError> {
    let refused = |error| MemoryError::Request { document: document.clone(), error: RequestError::of(0, error) };
    let found = section.map(|section| scope_by_name(doc, NodeKind::Section, section)).transpose().map_err(refused)?;
    let (span, healed) = found.map_or((doc.span(), Vec::new()), |found| (found.at.span(doc), found.healed));
    let known = [("text", TextView::Text), ("numbered", TextView::Numbered), ("keyed", TextView::Keyed)];
    let view = view.map_or(Ok(TextView::Text), |name| one_of("view", &known, name))?;
    let quote = if view == TextView::Text { Quote::Verbatim } else { Quote::Lines };
    Ok((quote(doc.render(span, view)), span, healed))
}
