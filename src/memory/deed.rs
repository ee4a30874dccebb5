//! [`Deed`]: what is to be done to one document that the journal tells how to do, planned on a text of the past.

use super::journal::Seq;
use super::{DocName, Operation};
use crate::request::{Basis, Known, Request, Restore};
use crate::text::Content;

/// What is to be done to one document.
pub(super) struct Deed {
    pub(super) document: DocName,
    /// The last entry of the document, as long as it holds.
    pub(super) tip: Option<Seq>,
    pub(super) way: Way,
}

pub(super) enum Way {
    Create(Content),
    Delete,
    Edit {
        known: Box<Known>,
        restore: Box<Restore>,
    },
    /// Whatever stands there.
    Anew(Box<dyn Request>),
}

impl Deed {
    /// Asks for it.
    pub(super) fn operation(&self) -> Operation<'_> {
        let document = self.document.clone();
        let operation = match &self.way {
            Way::Create(text) => Operation::create(document, text),
            Way::Delete => Operation::delete(document),
            Way::Edit { known, restore } => Operation::take_back(document, known, restore),
            Way::Anew(request) => Operation::edit(document, Basis::Anything, &**request),
        };
        operation.at(self.tip)
    }
}
