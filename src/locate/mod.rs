//! From words to exactly one place: names, text, scopes, the normal form, and the help that is
//! given when nothing matches.
//!
//! This is the only floor that searches. Requests ask it, and compose what they were asked to write
//! at the place found. What is found is a value, [`Matches`]; an error wraps it where one place was
//! meant.

mod bullet_text;
mod closest;
mod code;
mod diagnostic;
mod difference;
mod doc_lines;
mod fix;
mod item_text;
mod leniency;
mod list;
mod marker;
mod marks;
mod matches;
mod missing;
mod names;
mod nearest;
mod normal;
mod occurrences;
mod reason;
mod scope;
mod select;
mod selector;
mod target;
mod test;
mod text_help;
mod text_search;

pub use closest::Closest;
pub use code::Code;
pub use diagnostic::{Diagnostic, LocateError};
pub use difference::Difference;
pub use fix::{Fix, NodeKind, Relation};
pub use leniency::Leniency;
pub use matches::{Candidate, Found, Matches};
pub use reason::Reason;
pub use selector::Selector;
pub use target::Target;
pub use test::{BulletTest, CheckboxState};

pub(crate) use closest::closest as closest_lines;
pub(crate) use doc_lines::{DocLines, LineRun, SoughtLine};
pub(crate) use item_text::{ItemText, behind_marker};
pub(crate) use leniency::unescape;
pub(crate) use list::{Counting, at_index, index_of, listed, place_of};
pub(crate) use marker::{BulletLine, LineLabel, is_ordered, may_be_signed, numbered, view_prefix};
pub(crate) use marks::readings;
pub(crate) use names::{HELPED, Names, scope_by_name, section_by_name};
pub(crate) use nearest::{Sought, nearest_run};
pub(crate) use normal::{alike, exactly, graft, normal_content};
pub(crate) use scope::Scope;
pub(crate) use select::SelectError;
pub(crate) use test::{bullet_by_tests, bullets_by_tests, stands_there};
pub(crate) use text_search::{TextMatch, TextSearch};
