//! Search: from a text or a name to exactly one place. It has scopes, names, selectors, the normal form, and the help
//! for a call that matches nothing.
//!
//! This is the only floor that searches. Requests call it, and then write at the place that was found. If several
//! places match, the result is [`Matches`]; if one place was meant, the error [`LocateError::Ambiguous`] holds them.

mod bullet_test;
mod bullet_text;
mod closest;
mod code;
mod diagnostic;
mod doc_lines;
mod leniency;
mod marker;
mod matches;
mod missing;
mod names;
mod nearest;
mod normal;
mod scope;
mod select;
mod text_search;
mod words;

pub use bullet_test::{BulletTest, CheckboxState};
pub use closest::Closest;
pub use code::Code;
pub use diagnostic::{Diagnostic, Fix, LocateError, NodeKind, Reason, Target};
pub use leniency::Leniency;
pub use matches::{Candidate, Found, Matches};
pub use select::Selector;

pub(crate) use bullet_test::{bullet_by_tests, bullet_elsewhere, bullets_by_tests, other_text};
pub(crate) use doc_lines::{DocLines, LineForm, LineRun, SoughtLine};
pub(crate) use leniency::unescape;
pub(crate) use marker::{ViewPrefixes, may_be_signed, view_prefix};
pub(crate) use names::{HELPED, Names, readings};
pub(crate) use nearest::nearest;
pub(crate) use normal::{NormalText, exact_occurrences, leniencies_between, normal_content, normal_line};
pub(crate) use scope::{Scope, at_index, index_of, indexed_bullets, place_of};
pub(crate) use text_search::{TextMatch, TextSearch};
pub(crate) use words::{bullets_with, may_hide_words, sampled, shows_word};
