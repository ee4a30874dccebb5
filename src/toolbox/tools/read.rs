//! `memory_read`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::document::{MemoryDoc, TextView};
use crate::locate::{Leniency, NodeKind, scope_by_name};
use crate::memory::{DocName, MemoryError, Settled};
use crate::request::RequestError;
use crate::text::Span;
use crate::toolbox::context::Context;
use crate::toolbox::definition::{Answer, Tool};
use crate::toolbox::refused::Refused;
use crate::toolbox::retry::{Field, Fields};
use crate::toolbox::{Reply, Status};

/// Reads your long-term memory, whole or in part, and returns its revision. Use it before the first
/// edit, and with view `keyed` for the keys of bullets.
/// Example: {"section": "Facts", "view": "keyed"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryRead {
    /// The section to read, by title or path (`A > B`). Default: the whole document.
    #[schemars(extend("aliases" = "title"))]
    section: Option<String>,
    /// `text` (default), `numbered`, `keyed`: keys of bullets, `dated`: the day of their last change, `outline`: the headings.
    #[schemars(extend("aliases" = "format mode"))]
    view: Option<View>,
    /// The first line to read.
    from: Option<u64>,
    /// How many lines.
    limit: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(super) enum View {
    #[default]
    Text,
    Numbered,
    Keyed,
    Dated,
    Outline,
}

impl View {
    /// Returns the view of a text whose history is not asked for.
    pub(super) const fn undated(self) -> TextView<'static> {
        match self {
            Self::Text | Self::Dated => TextView::Text,
            Self::Numbered => TextView::Numbered,
            Self::Keyed => TextView::Keyed,
            Self::Outline => TextView::Outline,
        }
    }
}

impl Tool for MemoryRead {
    const FIELDS: Fields = &[(Field::Section, "/section")];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let name = cx.document()?;
        let (doc, settled) = cx.desk.memory().look(&name)?;
        let (part, healed) = part(&doc, &name, self.section.as_deref())?;
        let lines =
            |count: Option<u64>, default| count.map_or(default, |count| usize::try_from(count).unwrap_or(default));
        let part = doc.lines_from(part, lines(self.from, 1), lines(self.limit, usize::MAX));
        let view = self.view.unwrap_or_default();
        let text = match view {
            View::Dated => {
                let times = cx.desk.memory().change_times(&name, &doc)?;
                doc.render(part, TextView::Dated(&times))
            }
            view => doc.render(part, view.undated()),
        };
        let known = &mut cx.desk.known;
        match view {
            View::Outline => known.show_found(&name, &doc),
            _ if self.section.is_none() && part == doc.span() => known.show(&name, &doc),
            _ => known.show_lines(&name, &doc, part),
        }
        let policy = doc.policy();
        let bytes = json!({"used": doc.text().len(), "limit": policy.max_bytes});
        let tokens = json!({"used": doc.tokens(), "limit": policy.max_tokens});
        let message = match (settled, doc.text().is_empty()) {
            (Settled::NotYet, _) => Some(
                "another program is changing the document just now: this is the text before that; read it again before you edit",
            ),
            (Settled::Yes, true) => Some("the document is empty: nothing has been written to it yet"),
            (Settled::Yes, false) => None,
        };
        Ok(Reply::new(Status::Ok, &json!({"document": name, "text": text, "bytes": bytes, "tokens": tokens}))
            .with_revision(doc.revision())
            .with_healed(&healed)
            .with_message(message))
    }
}

/// Returns the section of this name and how the name was read; without a name, all the document.
pub(super) fn part(
    doc: &MemoryDoc,
    document: &DocName,
    section: Option<&str>,
) -> Result<(Span, Vec<Leniency>), Box<Refused>> {
    let refused = |error| MemoryError::Request { document: document.clone(), error: RequestError::of(0, error) };
    let found = section.map(|section| scope_by_name(doc, NodeKind::Section, section)).transpose().map_err(refused)?;
    Ok(found.map_or((doc.span(), Vec::new()), |found| (found.at.span(doc), found.healed)))
}
