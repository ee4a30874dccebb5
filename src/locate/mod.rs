//! From words to exactly one place: names, text, scopes, the ladder, and the help that is given when it fails.
//!
//! This is the only floor that searches. Requests ask it, and compose what they were asked to write at the place found.

mod candidate;
mod closest;
mod code;
mod diagnostic;
mod folded;
mod ladder;
mod lines;
mod list;
mod literal;
mod marker;
mod marks;
mod missing;
mod names;
mod pasted;
mod scope;
mod selector;
mod test;

pub use candidate::Candidate;
pub use closest::{Closest, Difference, Reason};
pub use code::{Code, UnknownCode};
pub use diagnostic::{Diagnostic, Fix, Found, LocateError, Relation, Sought};
pub use ladder::Rung;
pub use selector::Selector;
pub use test::BulletTest;

pub(crate) use candidate::candidates;
pub(crate) use closest::closest;
pub(crate) use ladder::{Rungs, unescape};
pub(crate) use lines::{LineForm, LineIndex, LinesError, SoughtLine};
pub(crate) use list::{Counting, OutOfRange, beyond_last, index_of, listed, place_of};
pub(crate) use literal::{TextSearch, may_heal};
pub(crate) use marker::{
    BulletLine, CopiedPrefixes, LineLabel, brought_marker, is_ordered, kept_marker, view_prefix, without_doubled,
};
pub(crate) use names::{Names, block_by_id, section_by_name, several_blocks};
pub(crate) use pasted::{MarkerReading, ReadLine};
pub(crate) use scope::Scope;
pub(crate) use selector::SelectError;
pub(crate) use test::{bullet_by_tests, bullets_by_tests, stands_there};
