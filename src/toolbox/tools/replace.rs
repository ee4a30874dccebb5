//! `replace_in_memory`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::arguments;
use super::super::definition::{Action, Asked, Effect, ToolDefinition};
use super::super::output::{Edited, reply_of};
use super::super::reply::Reply;
use super::super::schema::input_of;
use super::super::{explain, phrase};
use super::edit::{Target, parse};
use crate::locate::Fix;
use crate::memory::Applied;
use crate::request::{Expected, Replace, Within};

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "replace_in_memory",
    title: "Replace in memory",
    effect: Effect::Edit,
    description: "Replaces this text by another, in the whole memory, a section (subsections included) or a block. Use it to change one phrase; for several edits at once a patch is better. The text must occur exactly once, or \
        as often as you say; copy it as it stands, with lines around it where it might occur twice. Example: \
        {\"old_string\": \"Lives in Denver\", \"new_string\": \"Lives in Austin\", \"section\": \"Facts\"}",
    schema: input_of::<Arguments>,
    output: reply_of::<Answer>,
    synonyms: &[
        ("old_str", "old_string"),
        ("old", "old_string"),
        ("old_text", "old_string"),
        ("search", "old_string"),
        ("find", "old_string"),
        ("new_str", "new_string"),
        ("new", "new_string"),
        ("new_text", "new_string"),
        ("replace", "new_string"),
        ("replacement", "new_string"),
        ("count", "expected_replacements"),
        ("expected", "expected_replacements"),
        ("expected_count", "expected_replacements"),
        ("expected_occurrences", "expected_replacements"),
    ],
    prepare: arguments::as_given,
    action: Action::Edit { ask, tell },
    phrase: words,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The text to be replaced, exactly as it stands in the memory.
    old_string: String,
    /// The text to put in its place, taken literally; empty to delete.
    new_string: String,
    /// How often the text must occur; all occurrences are replaced. Default: 1.
    #[schemars(range(min = 1))]
    expected_replacements: Option<i64>,
    /// True to replace all, however many there are.
    replace_all: Option<bool>,
    /// The title or path (`Projects > Alpha`) of the section to look in.
    section: Option<String>,
    /// The ID of the block to look in.
    block: Option<String>,
    #[serde(flatten)]
    target: Target,
}

/// What a call adds to its reply.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "replies are built member by member; this is their schema")]
struct Answer {
    #[serde(flatten)]
    edited: Edited,
    /// How many occurrences were replaced.
    replacements: Option<usize>,
}

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    let arguments: Arguments = parse(tool, arguments)?;
    let refused = |found: i64| {
        explain::invalid_value(tool, format!("`expected_replacements`: expected a number of at least 1, found {found}"))
    };
    let exactly = |expected: i64| match usize::try_from(expected) {
        Ok(count) if count > 0 => Ok(Expected::Exactly(count)),
        _ => Err(refused(expected)),
    };
    let expected = match (arguments.expected_replacements, arguments.replace_all) {
        (None, Some(true)) => Expected::Any,
        (expected, _) => exactly(expected.unwrap_or(1))?,
    };
    let within = match (arguments.section, arguments.block) {
        (None, None) => Within::Document,
        (Some(section), None) => Within::Section(section.into()),
        (None, Some(block)) => Within::Block(block.into()),
        (Some(_), Some(_)) => return Err(explain::invalid_value(tool, "expected `section` or `block`, found both")),
    };
    let mut request = Replace::new(arguments.old_string, arguments.new_string).within(within);
    request.expected = expected;
    arguments.target.asks(tool, request)
}

fn tell(reply: Reply, applied: &[Applied]) -> Reply {
    let replaced: usize =
        applied.iter().filter_map(|applied| applied.commit.as_ref()).map(|commit| commit.receipt.applied_parts).sum();
    if replaced > 0 { reply.with("replacements", replaced) } else { reply }
}

/// Words a fix as arguments of this tool.
fn words(fix: &Fix) -> Option<String> {
    match fix {
        Fix::Expect(1) => Some("set \"expected_replacements\" to 1".to_owned()),
        Fix::Expect(count) => Some(format!("to change all {count}, set \"expected_replacements\" to {count}")),
        Fix::Once(fix) => words(fix).map(|words| format!("{words} and \"expected_replacements\" to 1")),
        Fix::CopyText(text) => Some(format!("set \"old_string\" to {}", phrase::quoted(text))),
        Fix::Widen { old, new } => {
            Some(format!("set \"old_string\" to {} and \"new_string\" to {}", phrase::quoted(old), phrase::quoted(new)))
        }
        _ => phrase::scope(fix),
    }
}
