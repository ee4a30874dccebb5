//! Operations on bullets of blocks as data.

use crate::text::Content;

/// Edits bullets of blocks.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Request, Timestamp, View, request::SubMemoryIntent, request::SubMemoryOp, request::SubMemoryOps};
///
/// let doc = MemoryDoc::parse("User: (ID: mem1)\n- Lives in Denver\n");
/// let mut op = SubMemoryOp::new(SubMemoryIntent::Update { new: "Lives in Austin".into() });
/// op.memory_id = Some("mem1".into());
/// op.text = Some("Lives in Denver".into());
/// op.index = Some(1);
/// let edit = SubMemoryOps::new([op]).plan(&View::current(&doc, Timestamp::default()))?;
/// assert_eq!(doc.commit(&edit, Authority::Agent)?.doc.text(), "User: (ID: mem1)\n- Lives in Austin\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SubMemoryOps {
    /// The operations, each a part of the request.
    pub ops: Vec<SubMemoryOp>,
}

/// One operation on one bullet of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SubMemoryOp {
    /// The ID of the block.
    pub memory_id: Option<Content>,
    /// The title of the block, where the ID is not known or the block is to be made.
    pub category: Option<Content>,
    /// The text of the bullet; to add, that of the new one.
    pub text: Option<Content>,
    /// The index of the bullet in the text last shown, counted from the policy's index base.
    pub index: Option<i64>,
    /// What is done.
    pub intent: SubMemoryIntent,
}

/// What is done with a bullet of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SubMemoryIntent {
    /// It is written behind the others.
    Add,
    /// Its content is replaced.
    Update {
        /// The new content.
        new: Content,
    },
    /// It is removed.
    Delete,
}

impl SubMemoryOps {
    /// Creates the request for these operations.
    pub fn new(ops: impl IntoIterator<Item = SubMemoryOp>) -> Self {
        Self { ops: ops.into_iter().collect() }
    }
}

impl SubMemoryOp {
    /// Creates an operation that does not say yet where.
    pub const fn new(intent: SubMemoryIntent) -> Self {
        Self { memory_id: None, category: None, text: None, index: None, intent }
    }
}
