//! `apply_sub_memory_ops`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::arguments::{ArgumentError, name_of};
use super::super::definition::{Action, Asked, Effect, ToolDefinition};
use super::super::output::{Edited, reply_of};
use super::super::reply::Reply;
use super::super::schema::input_of;
use super::super::{explain, json as lenient, phrase};
use super::edit::{Target, parse};
use crate::edit::Part;
use crate::locate::{Fix, Rung};
use crate::memory::Applied;
use crate::request::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "apply_sub_memory_ops",
    title: "Edit memory blocks",
    effect: Effect::Settle,
    description: "Adds, updates and deletes bullets of memory blocks, such as `User Profile: (ID: mem123)`; several at once, \
        all or none. Use it for memories that are kept in such blocks. To update or delete, give the bullet's exact text and \
        its index in the block as you last read it; both are checked against each other. Sending a list again is harmless. \
        Example: {\"ops\": [{\"memory_id\": \"mem123\", \"old_sub_memory\": \"Lives in Denver\", \"new_sub_memory\": \"Lives in \
        Austin\", \"index\": 1, \"intent\": \"update\"}, {\"memory_id\": \"mem123\", \"sub_memory\": \"Lives with Anna\", \
        \"index\": 3, \"intent\": \"delete\"}]}",
    schema: input_of::<Arguments>,
    output: reply_of::<Answer>,
    synonyms: &[
        ("operations", "ops"),
        ("sub_memory_ops", "ops"),
        ("edits", "ops"),
        ("op", "intent"),
        ("operation", "intent"),
        ("action", "intent"),
        ("type", "intent"),
        ("id", "memory_id"),
        ("block", "memory_id"),
        ("block_id", "memory_id"),
        ("text", "sub_memory"),
        ("content", "sub_memory"),
        ("memory", "sub_memory"),
        ("bullet", "sub_memory"),
        ("old", "old_sub_memory"),
        ("old_text", "old_sub_memory"),
        ("old_memory", "old_sub_memory"),
        ("new", "new_sub_memory"),
        ("new_text", "new_sub_memory"),
        ("new_memory", "new_sub_memory"),
        ("line", "index"),
        ("line_number", "index"),
        ("title", "category"),
    ],
    prepare,
    action: Action::Edit { ask, tell },
    phrase: words,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The operations, all made or none.
    ops: Vec<OpArguments>,
    #[serde(flatten)]
    target: Target,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct OpArguments {
    /// What to do with the bullet.
    intent: Intent,
    /// The ID of the block.
    memory_id: Option<String>,
    /// To add to a new block, its title; without `memory_id`, the title of the block.
    category: Option<String>,
    /// To add, the new text; to delete, the bullet's exact text.
    sub_memory: Option<String>,
    /// To update, the bullet's exact text.
    old_sub_memory: Option<String>,
    /// To update, the new text.
    new_sub_memory: Option<String>,
    /// To update or delete, the bullet's index in the block.
    index: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Intent {
    #[serde(alias = "insert", alias = "append", alias = "create")]
    Add,
    #[serde(alias = "modify", alias = "replace", alias = "edit", alias = "change")]
    Update,
    #[serde(alias = "remove")]
    Delete,
}

/// What a call adds to its reply.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "replies are built member by member; this is their schema")]
struct Answer {
    #[serde(flatten)]
    edited: Edited,
    /// What became of each operation.
    ops: Option<Vec<OpAnswer>>,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "replies are built member by member; this is their schema")]
struct OpAnswer {
    /// What became of it: `applied`, `already_applied`, `no_change`, `failed`, or `not_applied` because another failed.
    status: String,
    /// The ID of the block that it made.
    memory_id: Option<String>,
    /// The kind of the error.
    code: Option<String>,
    /// What is wrong with it.
    message: Option<String>,
}

/// Reads a list that was sent as a string, alone, or with a single operation.
fn prepare(arguments: &mut Value) -> Result<Vec<Rung>, ArgumentError> {
    let mut healed = Vec::new();
    let names = ["ops", "operations", "sub_memory_ops", "edits"];
    let is_op = |value: &Value| {
        value
            .as_object()
            .is_some_and(|members| name_of(members, &["intent"]).is_some() && name_of(members, &names).is_none())
    };
    if arguments.is_array() || is_op(arguments) {
        *arguments = json!({"ops": arguments.take()});
        healed.push(Rung::Arguments);
    }
    let Some(members) = arguments.as_object_mut() else { return Ok(healed) };
    let Some(ops) = name_of(members, &names).and_then(|name| members.get_mut(&name)) else { return Ok(healed) };
    if let Value::String(text) = ops {
        let (list, mended) = lenient::read(text).map_err(|error| {
            ArgumentError::Value(format!(
                "`ops`: expected a JSON array, found broken JSON at {}",
                lenient::flaw(&error)
            ))
        })?;
        *ops = list;
        healed.extend(mended);
    }
    // Some models wrap the list once more.
    if let Some(inner) = ops.get_mut("ops").map(Value::take) {
        *ops = inner;
        healed.push(Rung::Arguments);
    }
    if ops.is_object() {
        *ops = Value::Array(vec![ops.take()]);
        healed.push(Rung::Arguments);
    }
    for op in ops.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        let name = name_of(op, &["intent", "op", "operation", "action", "type"]);
        if let Some(Value::String(intent)) = name.and_then(|name| op.get_mut(&name)) {
            *intent = intent.trim().to_lowercase();
        }
    }
    Ok(healed)
}

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    let arguments: Arguments = parse(tool, arguments)?;
    let ops: Result<Vec<_>, _> =
        arguments.ops.into_iter().enumerate().map(|(number, op)| read_op(tool, number, op)).collect();
    arguments.target.asks(tool, SubMemoryOps::new(ops?))
}

fn read_op(tool: &ToolDefinition, number: usize, op: OpArguments) -> Result<SubMemoryOp, Reply> {
    let OpArguments { intent, memory_id, category, sub_memory, old_sub_memory, new_sub_memory, index } = op;
    let (text, intent) = match intent {
        Intent::Add => (sub_memory.or(new_sub_memory), SubMemoryIntent::Add),
        Intent::Delete => (sub_memory.or(old_sub_memory), SubMemoryIntent::Delete),
        Intent::Update => {
            // Where one of the two is missing, `sub_memory` is that one.
            let (old, new) = match (old_sub_memory, new_sub_memory) {
                (None, Some(new)) => (sub_memory, Some(new)),
                (Some(old), None) => (Some(old), sub_memory),
                both => both,
            };
            let new = new.ok_or_else(|| {
                let message = format!("`ops[{number}].new_sub_memory`: expected with `update`, found nothing");
                explain::invalid_value(tool, message)
            })?;
            (old, SubMemoryIntent::Update { new: new.into() })
        }
    };
    let mut op = SubMemoryOp::new(intent);
    op.memory_id = memory_id.map(Into::into);
    op.category = category.map(Into::into);
    op.text = text.map(Into::into);
    op.index = index;
    Ok(op)
}

/// Tells what became of each operation.
fn tell(reply: Reply, applied: &[Applied]) -> Reply {
    let row = |part: &Part| match &part.made_block {
        Some(id) => json!({"status": part.status, "memory_id": id}),
        None => json!({"status": part.status}),
    };
    let parts = applied.iter().filter_map(|applied| applied.plan.as_ref()).flat_map(|plan| plan.parts());
    let rows: Vec<_> = parts.map(row).collect();
    if rows.is_empty() { reply } else { reply.with("ops", rows) }
}

/// Words a fix as members of an operation.
fn words(fix: &Fix) -> Option<String> {
    match fix {
        Fix::UseIndex(index) => Some(format!("set \"index\" to {index}")),
        Fix::ExpectText(text) => {
            Some(format!("set \"sub_memory\" (to update: \"old_sub_memory\") to {}", phrase::quoted(text)))
        }
        Fix::NameBlock(id) => Some(format!("set \"memory_id\" to {}", phrase::quoted(id))),
        Fix::NameTitle => {
            Some("set \"category\" to the title of the new block, or \"memory_id\" to one that is there".to_owned())
        }
        Fix::ReadFirst => phrase::scope(fix),
        _ => None,
    }
}
