//! `edit_section`, and its presets `rename_section`, `move_section`, `merge_sections` and `delete_section`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::request::{MergeSections, SectionOp, SectionPlace};
use crate::toolbox::context::Context;
use crate::toolbox::definition::{About, Answer, CallError, Tool};
use crate::toolbox::retry::{Field, Fields};
use crate::toolbox::{Effect, ToolDefinition};

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
    /// To move: the section to stand before.
    before: Option<String>,
    /// To move: the section to stand behind.
    after: Option<String>,
    /// To move: the section to stand below.
    under: Option<String>,
    /// To move: true to stand before all others.
    first: Option<bool>,
    /// To move: true to stand behind all others.
    last: Option<bool>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
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
    const ABOUT: About = About::editor("edit_section", "Edit a section", Effect::Edit).with_fields(FIELDS);

    fn run(self, cx: &mut Context<'_>) -> Answer {
        self.check_unused()?;
        let missing = |name: &str| CallError::invalid(format!("`{name}`: expected with this `op`, found nothing"));
        match self.op {
            Op::Rename => {
                let title = self.title.ok_or_else(|| missing("title"))?;
                cx.edit(SectionOp::Rename { section: self.section.into(), title: title.into() })
            }
            Op::Merge => cx.edit(MergeSections::new(self.section, self.into.ok_or_else(|| missing("into"))?)),
            Op::Delete => cx.edit(SectionOp::Delete { section: self.section.into() }),
            Op::Move => {
                let place = self.place()?;
                cx.edit(SectionOp::Move { section: self.section.into(), place })
            }
        }
    }
}

impl EditSection {
    /// Refuses members that the op has no use for.
    fn check_unused(&self) -> Result<(), CallError> {
        let is_moved = [&self.before, &self.after, &self.under].into_iter().any(Option::is_some)
            || self.first == Some(true)
            || self.last == Some(true);
        let unused = match self.op {
            Op::Rename => self.into.is_some() || is_moved,
            Op::Move => self.title.is_some() || self.into.is_some(),
            Op::Merge => self.title.is_some() || is_moved,
            Op::Delete => self.title.is_some() || self.into.is_some() || is_moved,
        };
        match unused {
            true => Err(CallError::invalid("expected the arguments of one `op`, found those of another")),
            false => Ok(()),
        }
    }

    fn place(&self) -> Result<SectionPlace, CallError> {
        let (first, last) = (self.first == Some(true), self.last == Some(true));
        let name = |name: &Option<String>| name.as_deref().map(Into::into);
        // Below another heading, `first` and `last` say where.
        let is_below = self.under.is_some() && first != last;
        let under = if is_below && first { SectionPlace::FirstUnder } else { SectionPlace::LastUnder };
        let places = [
            name(&self.before).map(SectionPlace::Before),
            name(&self.after).map(SectionPlace::After),
            name(&self.under).map(under),
            (first && !is_below).then_some(SectionPlace::First),
            (last && !is_below).then_some(SectionPlace::Last),
        ];
        let mut places = places.into_iter().flatten();
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

pub(super) static TOOL: ToolDefinition = ToolDefinition::of::<EditSection>();

/// Adds the op to the arguments of a preset.
fn with_op(op: &str, mut arguments: Map<String, Value>) -> Map<String, Value> {
    arguments.insert("op".to_owned(), op.into());
    arguments
}

/// Gives a section of your memory another title; all that stands below its heading stays. To put it
/// together with a section that has that title already, use merge_sections.
/// Example: {"section": "Misc", "title": "Preferences"}
#[derive(JsonSchema)]
#[allow(dead_code, reason = "a preset is read as `edit_section`")]
struct Rename {
    /// The title or path (`A > B`) of the section.
    #[schemars(extend("aliases" = "from old old_title old_name source name"))]
    section: String,
    /// The new title, without `#`s.
    #[schemars(extend("aliases" = "to new new_title new_name new_section"))]
    title: String,
}

pub(super) static RENAME: ToolDefinition = ToolDefinition::preset::<Rename>(
    About::editor("rename_section", "Rename a section", Effect::Edit).with_fields(FIELDS),
    &TOOL,
    |arguments| with_op("rename", arguments),
);

/// Moves a section of your memory, with all that belongs to it: `before` or `after` another below
/// the same heading, `first` or `last` among those, or `under` another heading, there `last` or
/// `first`; the levels of its headings shift with it.
/// Example: {"section": "Tasks", "before": "Archive"}
#[derive(JsonSchema)]
#[allow(dead_code, reason = "a preset is read as `edit_section`")]
struct Move {
    /// The title or path (`A > B`) of the section.
    #[schemars(extend("aliases" = "title name source from"))]
    section: String,
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

pub(super) static MOVE: ToolDefinition = ToolDefinition::preset::<Move>(
    About::editor("move_section", "Move a section", Effect::Settle).with_fields(FIELDS),
    &TOOL,
    |arguments| with_op("move", arguments),
);

/// Moves all that one section of your memory says to the end of another, and removes the first:
/// bullets, other lines and subsections, in order. Bullets that the target has already, word for
/// word, are dropped and counted. Use it when two sections are about the same thing.
/// Example: {"source": "Food likes", "target": "Preferences"}
#[derive(JsonSchema)]
#[allow(dead_code, reason = "a preset is read as `edit_section`")]
struct Merge {
    /// The title or path (`A > B`) of the section that goes.
    #[schemars(extend("aliases" = "from src section source_section"))]
    source: String,
    /// The title or path of the section that it goes into.
    #[schemars(extend("aliases" = "to into dest destination target_section"))]
    target: String,
}

pub(super) static MERGE: ToolDefinition = ToolDefinition::preset::<Merge>(
    About::editor("merge_sections", "Merge sections", Effect::Edit)
        .with_fields(&[(Field::Section, "/source"), (Field::Section, "/target")]),
    &TOOL,
    |mut arguments| {
        for (own, name) in [("source", "section"), ("target", "into")] {
            arguments.remove(own).map(|value| arguments.insert(name.to_owned(), value));
        }
        with_op("merge", arguments)
    },
);

/// Deletes a section of your memory with all that stands below its heading, subsections too. A
/// section with pinned bullets is refused. Use it only when nothing in it will matter again; to
/// keep what it says, merge it into another.
/// Example: {"section": "Old ideas"}
#[derive(JsonSchema)]
#[allow(dead_code, reason = "a preset is read as `edit_section`")]
struct Delete {
    /// The title or path (`A > B`) of the section.
    #[schemars(extend("aliases" = "title name target"))]
    section: String,
}

pub(super) static DELETE: ToolDefinition = ToolDefinition::preset::<Delete>(
    About::editor("delete_section", "Delete a section", Effect::Edit).with_fields(FIELDS),
    &TOOL,
    |arguments| with_op("delete", arguments),
);
