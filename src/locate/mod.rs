//! From words to exactly one place: names, text, scopes, the ladder, and the help that is given when it fails.
//!
//! This is the only floor that searches. Requests ask it, and compose what they were asked to write at the place found. What
//! is found is a value, [`Matches`]; an error wraps it where one place was meant.

mod bullet_text;
mod closest;
mod code;
mod diagnostic;
mod difference;
mod fix;
mod folded;
mod folded_lines;
mod indented;
mod ladder;
mod letter_pairs;
mod line_core;
mod line_form;
mod line_reading;
mod lines;
mod list;
mod literal;
mod literal_help;
mod marker;
mod marks;
mod matches;
mod missing;
mod names;
mod normal;
mod occurrences;
mod pasted;
mod reason;
mod run;
mod said_lines;
mod same_lines;
mod scope;
mod select;
mod selector;
mod target;
mod test;
mod words;

pub use closest::Closest;
pub use code::Code;
pub use diagnostic::{Diagnostic, LocateError};
pub use difference::Difference;
pub use fix::{Fix, NodeKind, Relation};
pub use ladder::Rung;
pub use matches::{Candidate, Found, Matches};
pub use reason::Reason;
pub use selector::Selector;
pub use target::Target;
pub use test::{BulletTest, CheckboxState};

pub(crate) use ladder::{Rungs, unescape};
pub(crate) use line_form::LineForm;
pub(crate) use line_reading::MarkerReading;
pub(crate) use lines::LineIndex;
pub(crate) use list::{Counting, OutOfRange, at_index, beyond_last, index_of, listed, place_of};
pub(crate) use literal::TextSearch;
pub(crate) use marker::{
    BulletLine, CopiedPrefixes, LineLabel, begin_alike, behind_space, brought_marker, is_bullet_line, is_ordered,
    kept_marker, may_be_signed, numbered, view_prefix, without_doubled,
};
pub(crate) use marks::readings;
pub(crate) use names::{HELPED, Names, scope_by_name, section_by_name};
#[allow(unused_imports, reason = "what searches text moves to it one by one")]
pub(crate) use normal::{LineKind, NormalText, alike, exactly, graft, normal_content, normal_line, overlooked};
pub(crate) use pasted::ReadLine;
pub(crate) use run::{LineSearch, Run, RunPlace, Varies};
pub(crate) use said_lines::SaidLines;
pub(crate) use scope::{Scope, end_in};
pub(crate) use select::SelectError;
pub(crate) use test::{bullet_by_tests, bullets_by_tests, stands_there};
