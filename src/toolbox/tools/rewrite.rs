//! `rewrite_memory`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::arguments;
use super::super::definition::{Action, Asked, Effect, ToolDefinition};
use super::super::output::{Edited, reply_of};
use super::super::phrase;
use super::super::reply::Reply;
use super::super::schema::input_of;
use super::edit::{Target, parse, told};
use crate::request::Rewrite;

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "rewrite_memory",
    title: "Compact memory",
    effect: Effect::Edit,
    description: "Compacts your memory, or one section, as a whole: near its limit, or when it is messy. Write the shorter text \
        yourself and send the whole of it as `candidate`; without one, a compactor drops what has expired, duplicates, and over \
        the budget the oldest bullets that are not pinned. The new text must keep pinned bullets, reserved sections, block IDs \
        and slots, hold no placeholders, and lose few bullets; the reply reports every bullet that is not as it was. Example: \
        {\"instructions\": \"merge what says the same, keep pinned items\", \"budget_tokens\": 1500}",
    schema: input_of::<Arguments>,
    output: reply_of::<Edited>,
    synonyms: &[
        ("instruction", "instructions"),
        ("goal", "instructions"),
        ("prompt", "instructions"),
        ("budget", "budget_tokens"),
        ("max_tokens", "budget_tokens"),
        ("token_budget", "budget_tokens"),
        ("text", "candidate"),
        ("content", "candidate"),
        ("new_text", "candidate"),
        ("new_memory", "candidate"),
        ("rewritten", "candidate"),
    ],
    prepare: arguments::as_given,
    // The report is told with every edit that compacts.
    action: Action::Edit { ask, tell: told },
    phrase: phrase::whole_section,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// What the compaction is to do: what to merge, what to keep.
    instructions: String,
    /// How many tokens the new text may have. Default: the soft limit of the memory.
    #[schemars(range(min = 1))]
    budget_tokens: Option<u64>,
    /// The title or path (`Projects > Alpha`) of the section to rewrite. Default: the whole document.
    section: Option<String>,
    /// The whole new text: of the document, or of the section with its heading. Default: a compactor writes it.
    candidate: Option<String>,
    #[serde(flatten)]
    target: Target,
}

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    let arguments: Arguments = parse(tool, arguments)?;
    let mut request = Rewrite::new(arguments.instructions);
    request.budget_tokens = arguments.budget_tokens.map(|tokens| usize::try_from(tokens).unwrap_or(usize::MAX));
    request.section = arguments.section.map(Into::into);
    request.candidate = arguments.candidate.map(Into::into);
    arguments.target.asks(tool, request)
}
