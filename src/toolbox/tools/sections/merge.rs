//! `merge_sections`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::super::definition::{Action, Asked, Effect, ToolDefinition};
use super::super::super::output::{Edited, reply_of};
use super::super::super::reply::Reply;
use super::super::super::schema::input_of;
use super::super::super::{arguments, phrase};
use super::super::edit::{Target, parse, told};
use crate::request::MergeSections;

pub(in super::super) const TOOL: ToolDefinition = ToolDefinition {
    name: "merge_sections",
    title: "Merge sections",
    effect: Effect::Edit,
    description: "Moves all that one section of your memory says to the end of another, and removes the first: bullets, other \
        lines and subsections, in order. Bullets that the target has already, word for word, are dropped and counted. Use it \
        when two sections are about the same thing. Example: {\"source\": \"Food likes\", \"target\": \"Preferences\"}",
    schema: input_of::<Arguments>,
    output: reply_of::<Edited>,
    synonyms: &[
        ("from", "source"),
        ("src", "source"),
        ("section", "source"),
        ("source_section", "source"),
        ("to", "target"),
        ("into", "target"),
        ("dest", "target"),
        ("destination", "target"),
        ("target_section", "target"),
    ],
    prepare: arguments::as_given,
    action: Action::Edit { ask, tell: told },
    phrase: phrase::section,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The title or path (`Projects > Alpha`) of the section that goes.
    source: String,
    /// The title or path of the section that it goes into.
    target: String,
    #[serde(flatten)]
    place: Target,
}

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    let Arguments { source, target, place } = parse(tool, arguments)?;
    place.asks(tool, MergeSections::new(source, target))
}
