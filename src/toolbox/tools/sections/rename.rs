//! `rename_section`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::super::arguments;
use super::super::super::definition::{Action, Asked, Effect, ToolDefinition};
use super::super::super::output::{Edited, reply_of};
use super::super::super::phrase;
use super::super::super::reply::Reply;
use super::super::super::schema::input_of;
use super::super::edit::{Target, parse, told};
use crate::request::SectionOp;

pub(in super::super) const TOOL: ToolDefinition = ToolDefinition {
    name: "rename_section",
    title: "Rename a section",
    effect: Effect::Edit,
    description: "Gives a section of your memory another title; all that stands below its heading stays. To put it together \
        with a section that has that title already, use merge_sections. Example: {\"section\": \"Misc\", \"title\": \
        \"Preferences\"}",
    schema: input_of::<Arguments>,
    output: reply_of::<Edited>,
    synonyms: &[
        ("from", "section"),
        ("old", "section"),
        ("old_title", "section"),
        ("old_name", "section"),
        ("source", "section"),
        ("name", "section"),
        ("to", "title"),
        ("new", "title"),
        ("new_title", "title"),
        ("new_name", "title"),
        ("new_section", "title"),
    ],
    prepare: arguments::as_given,
    action: Action::Edit { ask, tell: told },
    phrase: phrase::whole_section,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The title or path (`Projects > Alpha`) of the section.
    section: String,
    /// The new title, without `#`s.
    title: String,
    #[serde(flatten)]
    target: Target,
}

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    let Arguments { section, title, target } = parse(tool, arguments)?;
    target.asks(tool, SectionOp::Rename { section: section.into(), title: title.into() })
}
