//! `apply_sub_memory_ops`.

mod texts;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::Target;
use crate::memory::Applied;
use crate::request::{SubMemoryOp, SubMemoryOps};
use crate::toolbox::answer::{Edited, OfEdit, OpRow, Tell, fmt_ops};
use crate::toolbox::definition::{About, Asked, CallError, Edits};
use crate::toolbox::retry::Field;
use crate::toolbox::{Effect, ToolDefinition};
use texts::{Intent, Texts};

pub(super) static TOOL: ToolDefinition = ToolDefinition::editing::<Arguments>(About {
    name: "apply_sub_memory_ops",
    title: "Edit memory blocks",
    effect: Effect::Settle,
    description: "Adds, updates and deletes bullets of memory blocks, such as `User Profile: (ID: mem123)`; several at once, \
        all or none. Use it for memories that are kept in such blocks. To update or delete, give the bullet's exact text and \
        its index in the block as you last read it; both are checked against each other. Sending a list again is harmless. \
        Example: {\"ops\": [{\"memory_id\": \"mem123\", \"old_sub_memory\": \"Lives in Denver\", \"new_sub_memory\": \"Lives in \
        Austin\", \"index\": 1, \"intent\": \"update\"}, {\"memory_id\": \"mem123\", \"sub_memory\": \"Lives with Anna\", \
        \"index\": 3, \"intent\": \"delete\"}]}",
    synonyms: &[&[
        ("ops", "operations sub_memory_ops edits"),
        ("intent", "op operation action type"),
        ("memory_id", "id block block_id"),
        ("sub_memory", "text content memory bullet"),
        ("old_sub_memory", "old old_text old_memory"),
        ("new_sub_memory", "new new_text new_memory"),
        ("index", "line line_number"),
        ("category", "title"),
    ]],
    fields: &[
        (Field::Block, "/ops/{part}/memory_id"),
        (Field::Index, "/ops/{part}/index"),
        (Field::Text, "/ops/{part}/sub_memory"),
        (Field::Text, "/ops/{part}/old_sub_memory"),
    ],
});

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

/// What the tool tells.
#[derive(Clone, Serialize)]
struct Operated {
    #[serde(flatten)]
    edited: Edited,
    /// What became of each operation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ops: Vec<OpRow>,
}

impl OfEdit for Operated {
    fn of(edited: Edited, applied: &[Applied]) -> Self {
        let parts = applied.iter().filter_map(|applied| applied.plan.as_ref()).flat_map(|plan| plan.parts());
        Self { edited, ops: parts.map(OpRow::from).collect() }
    }
}

impl Tell for Operated {
    fn edited(&self) -> Option<&Edited> {
        Some(&self.edited)
    }

    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt_ops(&self.ops, f)
    }
}

impl Edits for Arguments {
    type Told = Operated;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        let ops: Result<Vec<_>, _> = self.ops.into_iter().zip(0..).map(|(op, number)| op.read(number)).collect();
        self.target.asks(SubMemoryOps::new(ops?))
    }
}

impl OpArguments {
    fn read(self, number: usize) -> Result<SubMemoryOp, CallError> {
        let Self { intent, memory_id, category, sub_memory, old_sub_memory, new_sub_memory, index } = self;
        let texts =
            Texts { own: sub_memory.as_deref(), old: old_sub_memory.as_deref(), new: new_sub_memory.as_deref() };
        let (text, intent) = texts.read(intent, number)?;
        let mut op = SubMemoryOp::new(intent);
        op.memory_id = memory_id.map(Into::into);
        op.category = category.map(Into::into);
        op.text = text;
        op.index = index;
        Ok(op)
    }
}
