//! `edit_items` and the tools that pin bullets and let them expire: bullets inserted, updated, deleted, moved and tagged.
//!
//! All edits of a request are located in the document as it was seen, and made together. What is not obvious:
//!
//! - Several edits of one bullet that can be one result are one, whatever their order: another text, then tags that go, then
//!   tags that come, and a place. Two of a kind, a tag that comes and goes, and a deletion with anything cannot.
//! - Tags given beside the text of an update are, like tags that the text brings, the bullet's tags from then on.
//! - `untag` of a tag that is not there is `no_change`; an attribute may be named without its value.
//! - What an edit says of its bullet beside its op, such as a place beside an update, is no order: it has to be so already.
//! - A new bullet is there already if one of its list (with the same parent) has its content and its checkbox (`[ ]`, checked, or none); its tags are
//!   those that it is given, and its place counts only if one is asked for. An insertion that repeats one before it in the same
//!   request is there too; content that another edit of the request removes or changes is not.
//! - A bullet that moves to another list takes its marker and indentation; inside its list it keeps its marker.
//! - The first child of a bullet stands two columns deeper, or as many as the marker takes, and has the parent's marker; below a
//!   number, `-`. A parent that the same request moves or deletes has no place to give.
//! - Numbers of a list that does not count from 0 or 1 throughout are part of what is said: they stay with their bullets, wherever
//!   these go. Where such numbers stand, a new bullet is written with the number that its text brings; without one it goes on from the last, if
//!   it stands behind it and that is no year (1000 or more), and is refused otherwise. What is moved there without such a number
//!   gets none, but for that same place.
//! - Of pins, only the tag `pinned` is written and removed, whatever other tags the policy protects. A group of pin and TTL that
//!   does not stand first stays where it is; an annotation that is new goes into a group before it.
//! - A `since` without a TTL is another date: an end leaves it where it is, and a TTL takes its place. A TTL of no time is
//!   refused; one that is set again with the same words counts from then on; on the same day, or in the same second, nothing
//!   changes. An end that has passed is written, and warned of: what is recorded late is as true as what is recorded in time.

mod also;
mod find;
mod insert;
mod op;
mod place;
mod plan;
mod planner;
mod spot;

use super::{Request, RequestError, View};
use crate::edit::Edit;
use crate::locate::BulletTest;

pub use op::{Annotation, Children, Evidence, ItemEdit, ItemOp, Items, NewItem};
pub use place::{Destination, ItemPlace};

impl Request for Items {
    fn is_named_by_place(&self) -> bool {
        self.edits.iter().any(|edit| {
            let target = &edit.target;
            (target.is_bare_index() && edit.evidence.is_none())
                || target.says.iter().any(BulletTest::is_counted)
                || edit.op.to().is_some_and(Destination::is_counted)
        })
    }

    fn is_numbered(&self) -> bool {
        self.is_named_by_place() || self.edits.iter().any(|edit| edit.target.is_counted())
    }

    fn is_placed_by_index(&self) -> bool {
        // What goes below a bullet stands in that one.
        let is_beside = |to: &Destination| to.is_counted() && !matches!(to.place, Some(ItemPlace::Under(_)));
        self.edits.iter().filter_map(|edit| edit.op.to()).any(is_beside)
    }

    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        plan::plan(self, view)
    }
}
