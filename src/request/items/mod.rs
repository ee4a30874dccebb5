//! `edit_items` and the tools that pin bullets and let them expire: bullets inserted, updated, deleted, moved and tagged.
//!
//! All edits of a request are located in the document as it was seen, and made together. What is not obvious:
//!
//! - Two edits of one bullet are made together if each changes another thing of it: text, tags, checkbox, pin, TTL, place.
//! - Tags given beside the text of an update are, like tags that the text brings, the bullet's tags from then on; pin and TTL stay.
//! - `untag` of a tag that is not there is `no_change`; an attribute may be named without its value.
//! - A new bullet is there already if one of its list (with the same parent) has its content, checkbox and tags, pin and TTL aside,
//!   or an insertion before it in the same request. Content that another edit of the request removes or changes is not.
//! - A bullet that moves to another list takes its marker and indentation; inside its list it keeps its marker.
//! - The first child of a bullet stands two columns deeper, or as many as the marker takes, and has the parent's marker; below a
//!   number, `-`.
//! - Numbers of a list that does not count exactly 0 or 1, 2, 3 … are part of what is said: they stay with their bullets, and a new
//!   bullet there brings its number.
//! - A `since` without a TTL is another date: an end leaves it where it is. A TTL of no time is
//!   refused; one that is set again with the same words counts from then on; on the same day, or in the same second, nothing
//!   changes. An end that has passed is written, and warned of: what is recorded late is as true as what is recorded in time.

mod counted;
mod find;
mod insert;
mod op;
mod place;
mod plan;
mod planner;
mod spot;

use super::{Request, RequestError, View};
use crate::edit::Edit;

pub use op::{Annotation, Children, Evidence, ItemEdit, ItemOp, Items, NewItem};
pub use place::{Destination, ItemPlace};

impl Request for Items {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        plan::plan(self, view)
    }
}
