//! `apply_sub_memory_ops`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::request::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};
use crate::text::is_blank;
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
        let ops = self.ops.into_iter().zip(0..).map(|(op, number)| op.read(number));
        let ops: Vec<_> = ops.collect::<Result<_, _>>()?;
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
    fn read(self, number: usize) -> Result<SubMemoryOp, Box<Refused>> {
        let (own, old, new) = (self.sub_memory, self.old_sub_memory, self.new_sub_memory);
        let (texts, kind) = match (&*self.intent, new) {
            ("add", new) => ([own, new, old], SubMemoryIntent::Add),
            ("delete", new) => ([own, old, new], SubMemoryIntent::Delete),
            (_, Some(new)) => ([old, own, None], SubMemoryIntent::Update { new: new.into() }),
            (_, None) => {
                let why = format!("`ops[{number}].new_sub_memory`: expected with `update`, found nothing");
                return Err(Refused::invalid(why));
            }
        };
        // The text may have been sent under the other name. Empty texts do not count.
        let filled = |text: &Option<String>| text.as_deref().is_some_and(|text| !is_blank(text));
        let [own, other, _] = &texts;
        let text = if filled(own) || !filled(other) { own.clone().or(other.clone()) } else { other.clone() };
        if texts.iter().any(|other| filled(other) && *other != text) {
            let why = "expected the texts that its `intent` takes, found another one beside them";
            return Err(Refused::invalid(format!("`ops[{number}]`: {why}")));
        }
        let mut op = SubMemoryOp::new(kind);
        op.memory_id = self.memory_id.map(Into::into);
        op.category = self.category.map(Into::into);
        op.text = text.map(Into::into);
        op.index = self.index;
        Ok(op)
    }
}
