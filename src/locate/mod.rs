//! From words to exactly one place: names, text, scopes, the ladder, and the help that is given when it fails.
//!
//! This is the only floor that searches. Requests ask it, and compose what they were asked to write at the place found.

mod candidate;
mod closest;
mod diagnostic;
mod folded;
mod ladder;
mod lines;
mod list;
mod literal;
mod marks;
mod missing;
mod names;
mod scope;
mod selector;
mod test;

pub use candidate::Candidate;
pub use closest::{Closest, Difference, Reason};
pub use diagnostic::{Diagnostic, Fix, Found, LocateError, Relation, Sought};
pub use ladder::Rung;
pub use selector::Selector;
pub use test::BulletTest;

pub(crate) use candidate::candidates;
pub(crate) use closest::closest;
pub(crate) use ladder::{Rungs, collapse_markers, strip_view_prefix};
pub(crate) use lines::{LineForm, LineIndex, LinesError, SoughtLine, as_read, reads_as};
pub(crate) use list::{Counting, OutOfRange, beyond_last, index_of, listed, place_of};
pub(crate) use literal::{TextSearch, may_heal, needle_as_read, replacement_as_read};
pub(crate) use names::{Names, block_by_id, section_by_name, several_blocks};
pub(crate) use scope::Scope;
pub(crate) use selector::SelectError;
pub(crate) use test::{bullet_by_tests, bullets_by_tests, stands_there};
