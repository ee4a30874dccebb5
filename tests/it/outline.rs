//! What an edit makes of a document, of which only a part is parsed again, is what all of its text would be read as; and the guard
//! says of it what it would say of that.

use memdoc::{MemoryDoc, testing};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::draws::usually;
use crate::support::strategies;

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn what_is_updated_is_what_would_be_read_anew(
        text in prop_oneof![strategies::document(), strategies::guarded_document()],
        edits in vec(strategies::cuts(4), 1..6),
    ) {
        let mut doc = MemoryDoc::parse(text);
        for cuts in edits {
            if let Some(edit) = strategies::edit(&doc, &cuts) {
                doc = testing::made(&doc, &edit).map_err(TestCaseError::fail)?;
            }
        }
    }
}
