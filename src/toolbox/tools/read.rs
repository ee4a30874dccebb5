//! `memory_read`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::document;
use super::query::one_of;
use crate::document::{MemoryDoc, TextView};
use crate::locate::{Leniency, NodeKind, scope_by_name};
use crate::memory::{DocName, MemoryError, Settled};
use crate::request::RequestError;
use crate::text::Span;
use crate::toolbox::answer::{Done, Quote, Tell};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::retry::Field;
use crate::toolbox::{Effect, Status, ToolDefinition};

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memory_read",
    title: "Read memory",
    effect: Effect::Read,
    description: "Reads your long-term memory, whole or in part, and returns its revision. Use it before the first edit, and \
        with view `keyed` for the keys of bullets. Example: {\"section\": \"Facts\", \"view\": \"keyed\"}",
    synonyms: &[&[("view", "format mode"), ("section", "title")]],
    fields: &[(Field::Section, "/section")],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The document to read. Default: `memory`.
    document: Option<String>,
    /// The section to read, by title or path (`A > B`). Default: the whole document.
    section: Option<String>,
    /// `text` (default), `numbered`, `keyed`: keys of bullets, `dated`: the day of their last change, `outline`: the headings.
    #[schemars(extend("enum" = ["text", "numbered", "keyed", "dated", "outline"]))]
    view: Option<String>,
    /// The first line to read.
    from: Option<u64>,
    /// How many lines.
    limit: Option<u64>,
}

/// What the tool tells.
#[derive(Clone, Serialize)]
struct Text {
    /// The name of the document.
    document: String,
    /// What was read.
    text: Quote,
    /// The size of the whole document.
    bytes: Size,
    /// The same in tokens.
    tokens: Size,
}

/// How large a document is, and may be.
#[derive(Clone, Copy, Serialize)]
struct Size {
    used: usize,
    limit: Option<usize>,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Some(limit) => write!(f, "{} of {limit}", self.used),
            None => write!(f, "{}", self.used),
        }
    }
}

impl Tell for Text {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nbytes: {}, tokens: {}", self.text, self.bytes, self.tokens)
    }
}

impl Reads for Arguments {
    type Told = Text;

    fn read(self, desk: &mut Desk, _: &Call<'_>) -> Result<Done<Text>, CallError> {
        let name = document(self.document.as_deref())?;
        let (doc, settled) = desk.memory().look(&name)?;
        let (part, healed) = part(&doc, &name, self.section.as_deref())?;
        let lines =
            |count: Option<u64>, default| count.map_or(default, |count| usize::try_from(count).unwrap_or(default));
        let part = doc.lines_from(part, lines(self.from, 1), lines(self.limit, usize::MAX));
        let view = self.view.as_deref().unwrap_or("text");
        let text = if view == "dated" {
            let times = desk.memory().change_times(&name, &doc)?;
            Quote::Lines(doc.render(part, TextView::Dated(&times)))
        } else {
            shown(
                &doc,
                part,
                one_of(
                    "view",
                    &[&VIEWS[..], &[("dated", TextView::Text), ("outline", TextView::Outline)]].concat(),
                    view,
                )?,
            )
        };
        match view {
            "outline" => desk.known.show_found(&name, &doc),
            _ if self.section.is_none() && part == doc.span() => desk.known.show(&name, &doc),
            _ => desk.known.show_lines(&name, &doc, part),
        }
        let policy = doc.policy();
        let bytes = Size { used: doc.text().len(), limit: Some(policy.max_bytes) };
        let tokens = Size { used: doc.tokens(), limit: policy.max_tokens };
        let told = Text { document: name.to_string(), text, bytes, tokens };
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

/// The ways in which a draft is read, too.
pub(super) const VIEWS: [(&str, TextView<'static>); 3] =
    [("text", TextView::Text), ("numbered", TextView::Numbered), ("keyed", TextView::Keyed)];

/// Returns the section of this name and how the name was read; without a name, all the document.
pub(super) fn part(
    doc: &MemoryDoc,
    document: &DocName,
    section: Option<&str>,
) -> Result<(Span, Vec<Leniency>), CallError> {
    let refused = |error| MemoryError::Request { document: document.clone(), error: RequestError::of(0, error) };
    let found = section.map(|section| scope_by_name(doc, NodeKind::Section, section)).transpose().map_err(refused)?;
    Ok(found.map_or((doc.span(), Vec::new()), |found| (found.at.span(doc), found.healed)))
}

/// Shows a part of a document.
pub(super) fn shown(doc: &MemoryDoc, part: Span, view: TextView<'_>) -> Quote {
    let quote = if view == TextView::Text { Quote::Verbatim } else { Quote::Lines };
    quote(doc.render(part, view))
}
