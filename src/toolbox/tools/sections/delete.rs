//! `delete_section`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::super::definition::{Action, Asked, Effect, ToolDefinition};
use super::super::super::output::{Edited, reply_of};
use super::super::super::reply::Reply;
use super::super::super::schema::input_of;
use super::super::super::{arguments, phrase};
use super::super::edit::{Target, parse, told};
use crate::request::SectionOp;

pub(in super::super) const TOOL: ToolDefinition = ToolDefinition {
    name: "delete_section",
    title: "Delete a section",
    effect: Effect::Edit,
    description: "Deletes a section of your memory with all that stands below its heading, subsections too. A section with \
        pinned bullets is refused. Use it only when nothing in it will matter again; to keep what it says, merge it into \
        another. Example: {\"section\": \"Old ideas\"}",
    schema: input_of::<Arguments>,
    output: reply_of::<Edited>,
    synonyms: &[("title", "section"), ("name", "section"), ("target", "section"), ("path", "section")],
    prepare: arguments::as_given,
    action: Action::Edit { ask, tell: told },
    phrase: phrase::whole_section,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The title or path (`Projects > Alpha`) of the section.
    section: String,
    #[serde(flatten)]
    target: Target,
}

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    let Arguments { section, target } = parse(tool, arguments)?;
    target.asks(tool, SectionOp::Delete { section: section.into() })
}
