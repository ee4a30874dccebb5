//! `apply_sub_memory_ops`: bullets of blocks, named by ID, text and index, as an LLM writes them.
//!
//! All operations of a request are located in the document as it was seen, and made together. What is not obvious:
//!
//! - A text is a bullet's whole content; a part of it names nothing. It names the bullet, and the index, counted in the block as
//!   the editor saw it last, picks one of several that have the text.
//! - Where text and index name two bullets the text counts, with a warning; the policy may say otherwise.
//! - Texts are looked for among nested bullets too; the index counts those at the top level.
//! - An update whose new text is there, and whose old text is not, is `already_applied`.
//! - The index of an `add` is ignored: what is added goes behind the block's last bullet.
//! - A fresh ID is `mem` with a number above all that are used.
//!
//! # What a model must write
//!
//! For each change one object: the block's ID, the bullet's text as it stands in the block, and its index there. Both are
//! checked against each other. For the message “I moved to Austin and no longer live with Anna”, with the index counted from 1:
//!
//! ```json
//! [
//!   {"memory_id": "mem123", "old_sub_memory": "Lives in Denver", "new_sub_memory": "Lives in Austin", "index": 1, "intent": "update"},
//!   {"memory_id": "mem123", "sub_memory": "Lives with Anna", "index": 3, "intent": "delete"}
//! ]
//! ```
//!
//! - `add` takes the new text as `sub_memory` and no index; with `category` it makes the block if there is none of that ID.
//! - All indices count the block as it was last shown; an operation does not shift those behind it.
//! - Partial references (“remove the Denver info”) name nothing: the text is a bullet's whole content.

mod find;
mod plan;

use super::{Request, RequestError, View};
use crate::edit::Edit;
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

impl Request for SubMemoryOps {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        plan::plan(self, view)
    }
}
