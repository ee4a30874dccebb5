//! `move_section`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::edit::Target;
use crate::request::{SectionOp, SectionPlace};
use crate::toolbox::answer::Edited;
use crate::toolbox::definition::{About, Asked, CallError, Edits};
use crate::toolbox::retry::Field;
use crate::toolbox::{Effect, ToolDefinition};

pub(super) static TOOL: ToolDefinition = ToolDefinition::editing::<Arguments>(About {
    name: "move_section",
    title: "Move a section",
    effect: Effect::Settle,
    description: "Moves a section of your memory, with all that belongs to it: `before` or `after` another below the same \
        heading, `first` or `last` among those, or `under` another heading, there `last` or `first`; the levels of its headings \
        shift with it. Example: {\"section\": \"Tasks\", \"before\": \"Archive\"}",
    synonyms: &[&[
        ("section", "title name source from"),
        ("before", "before_section"),
        ("after", "after_section"),
        ("under", "parent into"),
    ]],
    fields: &[
        (Field::Section, "/section"),
        (Field::Section, "/before"),
        (Field::Section, "/after"),
        (Field::Section, "/under"),
    ],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The title or path (`A > B`) of the section.
    section: String,
    /// The title or path of the section to stand before.
    before: Option<String>,
    /// The title or path of the section to stand behind.
    after: Option<String>,
    /// The title or path of the section to stand below.
    under: Option<String>,
    /// True to stand before all others.
    first: Option<bool>,
    /// True to stand behind all others.
    last: Option<bool>,
    #[serde(flatten)]
    target: Target,
}

impl Edits for Arguments {
    type Told = Edited;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        let Self { section, before, after, under, first, last, target } = self;
        let (first, last) = (first.unwrap_or(false), last.unwrap_or(false));
        let is_ended = under.is_some() && first != last;
        let places = [
            before.map(|name| SectionPlace::Before(name.into())),
            after.map(|name| SectionPlace::After(name.into())),
            under.map(Into::into).map(if is_ended && first {
                SectionPlace::FirstUnder
            } else {
                SectionPlace::LastUnder
            }),
            (first && !is_ended).then_some(SectionPlace::First),
            (last && !is_ended).then_some(SectionPlace::Last),
        ];
        let mut places = places.into_iter().flatten();
        match (places.next(), places.next()) {
            (Some(place), None) => target.asks(SectionOp::Move { section: section.into(), place }),
            (place, _) => {
                let found = if place.is_some() { "several" } else { "none" };
                let message = format!("expected one of `before`, `after`, `under`, `first` and `last`, found {found}");
                Err(CallError::invalid(message))
            }
        }
    }
}
