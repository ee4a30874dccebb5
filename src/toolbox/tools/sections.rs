//! `edit_section`, and its operations as tools of their own: `rename_section`, `move_section`, `merge_sections`,
//! `delete_section`; and the slots of the front matter: `set_slot`, `remove_slot`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::request::{MergeSections, SectionOp, SectionPlace, SlotOp};
use crate::text::{Content, fold_name};
use crate::toolbox::tools::check_members;
use crate::toolbox::{Answer, Context, Refused, Tool};

/// Renames, moves, merges or deletes a section of your memory, with all that stands below its
/// heading.
/// Example: {"op": "move", "section": "Tasks", "before": "Archive"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct EditSection {
    /// What to do.
    #[schemars(extend("enum" = ["rename", "move", "merge", "delete"], "aliases" = "action operation", "words" = "remove=delete"))]
    op: String,
    /// The title or path (`A > B`) of the section.
    #[schemars(extend("aliases" = "name"))]
    section: String,
    /// To rename: the new title, without `#`s.
    #[schemars(extend("aliases" = "new_title new_name"))]
    title: Option<String>,
    /// To merge: the section that it goes into.
    #[schemars(extend("aliases" = "target", "fix" = "section"))]
    into: Option<String>,
    #[serde(flatten)]
    place: Position,
}

/// Where a section goes.
#[derive(Debug, Deserialize, JsonSchema)]
struct Position {
    /// The section to stand before.
    #[schemars(extend("aliases" = "before_section", "fix" = "section"))]
    before: Option<String>,
    /// The section to stand behind.
    #[schemars(extend("aliases" = "after_section", "fix" = "section"))]
    after: Option<String>,
    /// The section to stand below.
    #[schemars(extend("aliases" = "parent into", "fix" = "section"))]
    under: Option<String>,
    /// True to stand before all others.
    #[schemars(extend("aliases" = "top start beginning"))]
    first: Option<bool>,
    /// True to stand behind all others.
    #[schemars(extend("aliases" = "bottom end"))]
    last: Option<bool>,
}

impl Tool for EditSection {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let Self { op, section, title, into, place } = self;
        let takes = match &*op {
            "rename" => "title",
            "move" => "before? after? under? first? last?",
            "merge" => "into",
            _ => "",
        };
        check_members(&cx.call.arguments, &op, &format!("section document? base_revision? {takes}"))?;
        match &*op {
            "rename" => RenameSection { section, title: title.unwrap_or_default() }.run(cx),
            "move" => MoveSection { section, place }.run(cx),
            "merge" => MergeInto { source: section, target: into.unwrap_or_default() }.run(cx),
            _ => DeleteSection { section }.run(cx),
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
    fn run(self, cx: &mut Context<'_>) -> Answer {
        cx.edit(SectionOp::Move { section: self.section.into(), place: self.place.read()? })
    }
}

impl Position {
    fn read(self) -> Result<SectionPlace, Box<Refused>> {
        let (under, is_first) = (self.under.map(Content::from), self.first == Some(true));
        let is_last = self.last == Some(true) || (under.is_some() && !is_first);
        let places = [
            self.before.map(|name| SectionPlace::Before(name.into())),
            self.after.map(|name| SectionPlace::After(name.into())),
            // With `under`, `first` and `last` are a place below that heading.
            is_first.then(|| SectionPlace::First(under.clone())),
            is_last.then_some(SectionPlace::Last(under)),
        ];
        let mut given = places.into_iter().flatten();
        let (Some(place), None) = (given.next(), given.next()) else {
            let why = "expected just one of `before`, `after`, `under`, `first: true` and `last: true`";
            return Err(Refused::invalid(why));
        };
        Ok(place)
    }
}

/// Moves all that one section of your memory says to the end of another, and removes the first:
/// bullets, other lines and subsections, in order. Bullets that the target has already, word for
/// word, are dropped and counted. Use it when two sections are about the same thing.
/// Example: {"source": "Food likes", "target": "Preferences"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MergeInto {
    /// The title or path (`A > B`) of the section that goes.
    #[schemars(extend("aliases" = "from src section source_section", "fix" = "section"))]
    source: String,
    /// The title or path of the section that it goes into.
    #[schemars(extend("aliases" = "to into dest destination target_section", "fix" = "section"))]
    target: String,
}

impl Tool for MergeInto {
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
    fn run(self, cx: &mut Context<'_>) -> Answer {
        cx.edit(SectionOp::Delete { section: self.section.into() })
    }
}

/// Gives a slot of your memory this value: a line `name: value` between the `---` lines at the very
/// top, which are made if they are not there. Use it for a fact that has one value at a time, such
/// as the user's name.
/// Example: {"name": "user", "value": "Ada"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SetSlot {
    /// The name of the slot.
    #[schemars(extend("aliases" = "key slot slot_name field", "fix" = "slot"))]
    name: String,
    /// Its value, one line.
    #[schemars(extend("aliases" = "val new_value text content to"))]
    value: String,
}

impl Tool for SetSlot {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let name = self.value.split_once(':').map(|(name, _)| fold_name(name));
        if name == Some(fold_name(&self.name)) {
            return Err(Refused::invalid("`value`: expected the value alone, found the name of the slot before it"));
        }
        cx.edit(SlotOp::set(self.name, self.value))
    }
}

/// Removes a slot of your memory, a line `name: value` between the `---` lines at the very top;
/// with the last one these lines go too.
/// Example: {"name": "travel"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RemoveSlot {
    /// The name of the slot.
    #[schemars(extend("aliases" = "key slot slot_name field", "fix" = "slot"))]
    name: String,
}

impl Tool for RemoveSlot {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        cx.edit(SlotOp::remove(self.name))
    }
}
