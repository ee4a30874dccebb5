//! `apply_sub_memory_ops`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::request::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};
use crate::toolbox::tools::check_members;
use crate::toolbox::{Answer, Context, Refused, Status, Tool};

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
    #[schemars(extend(
        "enum" = ["add", "update", "delete"],
        "aliases" = "op operation action type event",
        "words" = "insert=add append=add create=add modify=update replace=update edit=update change=update remove=delete"
    ))]
    intent: String,
    /// The ID of the block.
    #[schemars(extend("aliases" = "id block block_id", "fix" = "block"))]
    memory_id: Option<String>,
    /// To add to a new block, its title; without `memory_id`, the title of the block.
    #[schemars(extend("aliases" = "title"))]
    category: Option<String>,
    /// To add, the new text; to delete, the bullet's exact text.
    #[schemars(extend("aliases" = "text content memory bullet", "fix" = "text"))]
    sub_memory: Option<String>,
    /// To update, the bullet's exact text.
    #[schemars(extend("aliases" = "old old_text old_memory", "fix" = "text"))]
    old_sub_memory: Option<String>,
    /// To update, the new text.
    #[schemars(extend("aliases" = "new new_text new_memory", "empty" = true))]
    new_sub_memory: Option<String>,
    /// To update or delete, the bullet's index in the block.
    #[schemars(extend("aliases" = "line line_number", "fix" = "index"))]
    index: Option<i64>,
}

impl Tool for ApplySubMemoryOps {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let sent = cx.call.arguments["ops"].as_array().into_iter().flatten();
        let read = |(op, sent): (OpArguments, &Value)| {
            let texts = if op.intent == "update" { "old_sub_memory? new_sub_memory" } else { "sub_memory?" };
            check_members(sent, &op.intent, &format!("intent memory_id? category? index? {texts}"))?;
            Ok(op.read())
        };
        let ops: Vec<_> = self.ops.into_iter().zip(sent).map(read).collect::<Result<_, Box<Refused>>>()?;
        let (count, reply) = (ops.len(), cx.edit(SubMemoryOps::new(ops))?);
        let rows = match (reply.get("parts").cloned(), reply.status()) {
            (Some(parts), _) => parts,
            (None, Status::Committed) => vec![json!({"status": "applied"}); count].into(),
            _ => return Ok(reply),
        };
        Ok(reply.with_member("ops", rows).with_member("parts", ()))
    }
}

impl OpArguments {
    fn read(self) -> SubMemoryOp {
        let (text, intent) = match &*self.intent {
            "add" => (self.sub_memory, SubMemoryIntent::Add),
            "delete" => (self.sub_memory, SubMemoryIntent::Delete),
            _ => {
                let new = self.new_sub_memory.unwrap_or_default().into();
                (self.old_sub_memory, SubMemoryIntent::Update { new })
            }
        };
        let mut op = SubMemoryOp::new(intent);
        op.memory_id = self.memory_id.map(Into::into);
        op.category = self.category.map(Into::into);
        op.text = text.map(Into::into);
        op.index = self.index;
        op
    }
}
