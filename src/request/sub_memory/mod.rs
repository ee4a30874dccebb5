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
mod op;
mod plan;

use super::{Request, RequestError, View};
use crate::edit::Edit;

pub use op::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};

impl Request for SubMemoryOps {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        plan::plan(self, view)
    }
}
