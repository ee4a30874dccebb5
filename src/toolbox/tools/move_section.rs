//! `move_section`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::edit::Target;
use crate::locate::Rung;
use crate::request::{SectionOp, SectionPlace};
use crate::toolbox::answer::Edited;
use crate::toolbox::arguments::{ArgumentError, Names, name_of};
use crate::toolbox::definition::{About, Asked, CallError, Edits};
use crate::toolbox::json::object_of;
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
})
.preparing(prepare);

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

/// Reads a place that is named as one: `first`, `last`, `before NAME`, or an object.
fn prepare(arguments: &mut Value, _: &Names) -> Result<Vec<Rung>, ArgumentError> {
    let Some(members) = arguments.as_object_mut() else { return Ok(Vec::new()) };
    let name = name_of(members, &["to", "place", "position", "where", "destination", "at"]);
    let Some((name, place)) = name.and_then(|name| members.remove_entry(&name)) else { return Ok(Vec::new()) };
    let places = match place {
        Value::Null => return Ok(Vec::new()),
        Value::Object(places) => places,
        Value::String(words) => object_of(vec![place_of(&words).ok_or_else(|| unknown(&name))?]),
        _ => return Err(unknown(&name)),
    };
    for (name, value) in places {
        if members.insert(name.clone(), value).is_some() {
            return Err(ArgumentError::twice(name));
        }
    }
    Ok(vec![Rung::Arguments])
}

fn place_of(words: &str) -> Option<(String, Value)> {
    let words = words.trim();
    // `Top` may be the title of a section.
    if matches!(words, "first" | "last") {
        return Some((words.to_owned(), Value::Bool(true)));
    }
    let (place, section) = words.split_once([' ', ':'])?;
    let section = section.trim_matches([' ', '"', '`']);
    let place = place.to_lowercase();
    let is_place = matches!(place.as_str(), "before" | "after" | "under") && !section.is_empty();
    is_place.then(|| (place, Value::from(section)))
}

fn unknown(name: &str) -> ArgumentError {
    ArgumentError::Value(format!("`{name}`: expected `first`, `last`, or an object with `before`, `after` or `under`"))
}
