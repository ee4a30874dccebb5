//! `apply_sub_memory_ops`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::edit::Part;
use crate::request::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};
use crate::text::{fold_signs, fold_white_space, is_blank};
use crate::toolbox::context::Context;
use crate::toolbox::definition::{Answer, CallError, Tool};
use crate::toolbox::retry::{Field, Fields};

/// Adds, updates and deletes bullets of memory blocks, such as `User Profile: (ID: mem123)`;
/// several at once, all or none. Use it for memories that are kept in such blocks. To update or
/// delete, give the bullet's exact text and its index in the block as you last read it; both are
/// checked against each other. Sending a list again is harmless.
/// Example: {"ops": [{"memory_id": "mem123", "old_sub_memory": "Lives in Denver", "new_sub_memory":
/// "Lives in Austin", "index": 1, "intent": "update"}]}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ApplySubMemoryOps {
    /// The operations, all made or none.
    #[schemars(extend("aliases" = "operations sub_memory_ops edits"))]
    ops: Vec<OpArguments>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
struct OpArguments {
    /// What to do with the bullet.
    #[schemars(extend("aliases" = "op operation action type"))]
    intent: Intent,
    /// The ID of the block.
    #[schemars(extend("aliases" = "id block block_id"))]
    memory_id: Option<String>,
    /// To add to a new block, its title; without `memory_id`, the title of the block.
    #[schemars(extend("aliases" = "title"))]
    category: Option<String>,
    /// To add, the new text; to delete, the bullet's exact text.
    #[schemars(extend("aliases" = "text content memory bullet"))]
    sub_memory: Option<String>,
    /// To update, the bullet's exact text.
    #[schemars(extend("aliases" = "old old_text old_memory"))]
    old_sub_memory: Option<String>,
    /// To update, the new text.
    #[schemars(extend("aliases" = "new new_text new_memory", "empty" = true))]
    new_sub_memory: Option<String>,
    /// To update or delete, the bullet's index in the block.
    #[schemars(extend("aliases" = "line line_number"))]
    index: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline, extend("words" = "insert=add append=add create=add modify=update replace=update edit=update change=update remove=delete"))]
enum Intent {
    Add,
    Update,
    Delete,
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Tool for ApplySubMemoryOps {
    const FIELDS: Fields = &[
        (Field::Block, "/ops/{part}/memory_id"),
        (Field::Index, "/ops/{part}/index"),
        (Field::Text, "/ops/{part}/sub_memory"),
        (Field::Text, "/ops/{part}/old_sub_memory"),
    ];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let ops: Result<Vec<_>, _> = self.ops.into_iter().zip(0..).map(|(op, number)| op.read(number)).collect();
        let made = cx.make(SubMemoryOps::new(ops?))?;
        let plans = made.applied.iter().filter_map(|applied| applied.plan.as_ref());
        let row = |part: &Part| json!({"status": part.status, "memory_id": part.made_block});
        let rows: Vec<_> = plans.flat_map(|plan| plan.parts()).map(row).collect();
        Ok(if rows.is_empty() { made.reply } else { made.reply.with_member("ops", rows) })
    }
}

impl OpArguments {
    fn read(self, number: usize) -> Result<SubMemoryOp, CallError> {
        let intent = self.intent;
        let (own, old, new) = (self.sub_memory, self.old_sub_memory, self.new_sub_memory);
        let filled = |text: Option<String>| text.filter(|text| !is_blank(text));
        // The text of a bullet that is there, or that is to be, and what an update makes of it. An empty one stands for none.
        let (text, written, rest) = match intent {
            Intent::Add => (filled(own.clone()).or_else(|| new.clone()).or(own), None, [old, new]),
            Intent::Delete => (filled(own.clone()).or_else(|| old.clone()).or(own), None, [old, new]),
            Intent::Update => (filled(old.clone()).or_else(|| own.clone()).or(old), new, [own, None]),
        };
        let is_known = |sent: &String| [&text, &written].into_iter().flatten().any(|known| reads_alike(sent, known));
        if !rest.into_iter().filter_map(filled).all(|sent| is_known(&sent)) {
            let why =
                format!("`ops[{number}]`: expected the texts that `{intent}` takes, found another one beside them");
            return Err(CallError::invalid(why));
        }
        let mut op = SubMemoryOp::new(match (intent, written) {
            (Intent::Add, _) => SubMemoryIntent::Add,
            (Intent::Delete, _) => SubMemoryIntent::Delete,
            (Intent::Update, Some(new)) => SubMemoryIntent::Update { new: new.into() },
            (Intent::Update, None) => {
                let why = format!("`ops[{number}].new_sub_memory`: expected with `update`, found nothing");
                return Err(CallError::invalid(why));
            }
        });
        op.memory_id = self.memory_id.map(Into::into);
        op.category = self.category.map(Into::into);
        op.text = text.map(Into::into);
        op.index = self.index;
        Ok(op)
    }
}

/// Reports whether two texts are one for a bullet of `-`: that marker, white space and Unicode punctuation apart.
fn reads_alike(one: &str, other: &str) -> bool {
    let read = |text: &str| {
        let plain: String = fold_signs(text).collect();
        let folded = fold_white_space(&plain).into_owned();
        folded.strip_prefix("- ").unwrap_or(&folded).to_owned()
    };
    read(one) == read(other)
}
