//! `rename_section`, `merge_sections` and `delete_section`: the tools for whole sections that take their titles only.

use schemars::JsonSchema;
use serde::Deserialize;

use super::edit::Target;
use crate::request::{MergeSections, SectionOp};
use crate::toolbox::answer::Edited;
use crate::toolbox::definition::{About, Asked, CallError, Edits};
use crate::toolbox::retry::Field;
use crate::toolbox::{Effect, ToolDefinition};

pub(super) static RENAME: ToolDefinition = ToolDefinition::editing::<Rename>(About {
    name: "rename_section",
    title: "Rename a section",
    effect: Effect::Edit,
    description: "Gives a section of your memory another title; all that stands below its heading stays. To put it together \
        with a section that has that title already, use merge_sections. Example: {\"section\": \"Misc\", \"title\": \
        \"Preferences\"}",
    synonyms: &[&[
        ("section", "from old old_title old_name source name"),
        ("title", "to new new_title new_name new_section"),
    ]],
    fields: &[(Field::Section, "/section")],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Rename {
    /// The title or path (`A > B`) of the section.
    section: String,
    /// The new title, without `#`s.
    title: String,
    #[serde(flatten)]
    target: Target,
}

impl Edits for Rename {
    type Told = Edited;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        self.target.asks(SectionOp::Rename { section: self.section.into(), title: self.title.into() })
    }
}

pub(super) static MERGE: ToolDefinition = ToolDefinition::editing::<Merge>(About {
    name: "merge_sections",
    title: "Merge sections",
    effect: Effect::Edit,
    description: "Moves all that one section of your memory says to the end of another, and removes the first: bullets, other \
        lines and subsections, in order. Bullets that the target has already, word for word, are dropped and counted. Use it \
        when two sections are about the same thing. Example: {\"source\": \"Food likes\", \"target\": \"Preferences\"}",
    synonyms: &[&[
        ("source", "from src section source_section"),
        ("target", "to into dest destination target_section"),
    ]],
    fields: &[(Field::Section, "/source"), (Field::Section, "/target")],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Merge {
    /// The title or path (`A > B`) of the section that goes.
    source: String,
    /// The title or path of the section that it goes into.
    target: String,
    #[serde(flatten)]
    place: Target,
}

impl Edits for Merge {
    type Told = Edited;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        self.place.asks(MergeSections::new(self.source, self.target))
    }
}

pub(super) static DELETE: ToolDefinition = ToolDefinition::editing::<Delete>(About {
    name: "delete_section",
    title: "Delete a section",
    effect: Effect::Edit,
    description: "Deletes a section of your memory with all that stands below its heading, subsections too. A section with \
        pinned bullets is refused. Use it only when nothing in it will matter again; to keep what it says, merge it into \
        another. Example: {\"section\": \"Old ideas\"}",
    synonyms: &[&[("section", "title name target")]],
    fields: &[(Field::Section, "/section")],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Delete {
    /// The title or path (`A > B`) of the section.
    section: String,
    #[serde(flatten)]
    target: Target,
}

impl Edits for Delete {
    type Told = Edited;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        self.target.asks(SectionOp::Delete { section: self.section.into() })
    }
}
