//! `edit_section`, and what it does under names of their own: `rename_section`, `move_section`, `merge_sections`, `delete_section`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::request::{MergeSections, SectionOp, SectionPlace};
use crate::toolbox::context::Context;
use crate::toolbox::definition::{Answer, CallError, Tool};
use crate::toolbox::retry::{Field, Fields};

/// Renames, moves, merges or deletes a section of your memory, with all that stands below its
/// heading.
/// Example: {"op": "move", "section": "Tasks", "before": "Archive"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct EditSection {
    /// What to do.
    op: Op,
    /// The title or path (`A > B`) of the section.
    section: String,
    /// To rename: the new title, without `#`s.
    title: Option<String>,
    /// To merge: the section that it goes into.
    into: Option<String>,
    #[serde(flatten)]
    place: Position,
}

/// Where a section goes.
#[derive(Debug, Deserialize, JsonSchema)]
struct Position {
    /// The section to stand before.
    #[schemars(extend("aliases" = "before_section"))]
    before: Option<String>,
    /// The section to stand behind.
    #[schemars(extend("aliases" = "after_section"))]
    after: Option<String>,
    /// The section to stand below.
    #[schemars(extend("aliases" = "parent into"))]
    under: Option<String>,
    /// True to stand before all others.
    first: Option<bool>,
    /// True to stand behind all others.
    last: Option<bool>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Op {
    Rename,
    Move,
    Merge,
    Delete,
}

const FIELDS: Fields = &[
    (Field::Section, "/section"),
    (Field::Section, "/into"),
    (Field::Section, "/before"),
    (Field::Section, "/after"),
    (Field::Section, "/under"),
];

impl Tool for EditSection {
    const FIELDS: Fields = FIELDS;

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let Self { op, section, title, into, place } = self;
        let is_unused = match op {
            Op::Rename => into.is_some() || place.is_given(),
            Op::Move => title.is_some() || into.is_some(),
            Op::Merge => title.is_some() || place.is_given(),
            Op::Delete => title.is_some() || into.is_some() || place.is_given(),
        };
        if is_unused {
            return Err(CallError::invalid("expected the arguments of one `op`, found those of another"));
        }
        let given = |name: &str, text: Option<String>| {
            text.ok_or_else(|| CallError::invalid(format!("`{name}`: expected with this `op`, found nothing")))
        };
        match op {
            Op::Rename => RenameSection { section, title: given("title", title)? }.run(cx),
            Op::Move => MoveSection { section, place }.run(cx),
            Op::Merge => MergeInto { source: section, target: given("into", into)? }.run(cx),
            Op::Delete => DeleteSection { section }.run(cx),
        }
    }
}

/// Gives a section of your memory another title; all that stands below its heading stays. To put it
/// together with a section that has that title already, use merge_sections.
/// Example: {"section": "Misc", "title": "Preferences"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RenameSection {
    /// The title or path (`A > B`) of the section.
    #[schemars(extend("aliases" = "from old old_title old_name source name"))]
    section: String,
    /// The new title, without `#`s.
    #[schemars(extend("aliases" = "to new new_title new_name new_section"))]
    title: String,
}

impl Tool for RenameSection {
    const FIELDS: Fields = FIELDS;

    fn run(self, cx: &mut Context<'_>) -> Answer {
        cx.edit(SectionOp::Rename { section: self.section.into(), title: self.title.into() })
    }
}

/// Moves a section of your memory, with all that belongs to it: `before` or `after` another below
/// the same heading, `first` or `last` among those, or `under` another heading, there `last` or
/// `first`; the levels of its headings shift with it.
/// Example: {"section": "Tasks", "before": "Archive"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MoveSection {
    /// The title or path (`A > B`) of the section.
    #[schemars(extend("aliases" = "title name source from"))]
    section: String,
    #[serde(flatten)]
    place: Position,
}

impl Tool for MoveSection {
    const FIELDS: Fields = FIELDS;

    fn run(self, cx: &mut Context<'_>) -> Answer {
        cx.edit(SectionOp::Move { section: self.section.into(), place: self.place.read()? })
    }
}

impl Position {
    fn is_given(&self) -> bool {
        let is_named = [&self.before, &self.after, &self.under].into_iter().any(Option::is_some);
        is_named || [self.first, self.last].contains(&Some(true))
    }

    fn read(self) -> Result<SectionPlace, CallError> {
        let is = |flag: Option<bool>| flag.unwrap_or_default();
        let places = match (self.under, is(self.first), is(self.last)) {
            // Below another heading, `first` and `last` say where.
            (Some(under), true, false) => [Some(SectionPlace::FirstUnder(under.into())), None, None],
            (Some(under), false, true) => [Some(SectionPlace::LastUnder(under.into())), None, None],
            (under, first, last) => [
                under.map(|under| SectionPlace::LastUnder(under.into())),
                first.then_some(SectionPlace::First),
                last.then_some(SectionPlace::Last),
            ],
        };
        let before = self.before.map(|name| SectionPlace::Before(name.into()));
        let after = self.after.map(|name| SectionPlace::After(name.into()));
        let mut places = [before, after].into_iter().chain(places).flatten();
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(place),
            (place, _) => {
                let found = if place.is_some() { "several" } else { "none" };
                let message = format!("expected one of `before`, `after`, `under`, `first` and `last`, found {found}");
                Err(CallError::invalid(message))
            }
        }
    }
}

/// Moves all that one section of your memory says to the end of another, and removes the first:
/// bullets, other lines and subsections, in order. Bullets that the target has already, word for
/// word, are dropped and counted. Use it when two sections are about the same thing.
/// Example: {"source": "Food likes", "target": "Preferences"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MergeInto {
    /// The title or path (`A > B`) of the section that goes.
    #[schemars(extend("aliases" = "from src section source_section"))]
    source: String,
    /// The title or path of the section that it goes into.
    #[schemars(extend("aliases" = "to into dest destination target_section"))]
    target: String,
}

impl Tool for MergeInto {
    const FIELDS: Fields = &[(Field::Section, "/source"), (Field::Section, "/target")];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        cx.edit(MergeSections::new(self.source, self.target))
    }
}

/// Deletes a section of your memory with all that stands below its heading, subsections too. A
/// section with pinned bullets is refused. Use it only when nothing in it will matter again; to
/// keep what it says, merge it into another.
/// Example: {"section": "Old ideas"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DeleteSection {
    /// The title or path (`A > B`) of the section.
    #[schemars(extend("aliases" = "title name target"))]
    section: String,
}

impl Tool for DeleteSection {
    const FIELDS: Fields = FIELDS;

    fn run(self, cx: &mut Context<'_>) -> Answer {
        cx.edit(SectionOp::Delete { section: self.section.into() })
    }
}
